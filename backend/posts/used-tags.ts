// Which tags there are, for suggestions and for "Often used tags": each with the number of its
// posts that the viewer finds in lists, so that no answer tells of any other (threat-model.md §5).
// The cost does not grow with the blog: of all posts only the newest are asked which tags they
// have, and no tag is counted to its end.
import { TAG_POSTS_MAX, TAGS_ASKED_MAX } from '#contract/limits.ts'
import type { TagList } from '#contract/posts.ts'
import { NEWEST_TAGS_MAX, TAG_KEYS_WALKED_MAX, TAGS_WALKED_MAX } from '#contract/server-limits.ts'
import { mayBeginTag, tagKey, withoutSign } from '#contract/tags.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import { readerGroups } from './access.ts'
import * as store from './tags-store.ts'

export type TagQuestion = {
  /** In any spelling; empty for the tags that are used most. */
  startsWith: string
  limit: number
}

/** A tag as the newest of its posts has it; undefined when the viewer finds none in lists. */
export async function findTag(
  db: Database,
  viewer: Viewer,
  key: string,
): Promise<string | undefined> {
  return (await store.findUse(db, readerGroups(viewer), { key, most: 1 }))?.name
}

/** The tags with the most posts first. */
export async function listTags(
  db: Database,
  viewer: Viewer,
  { startsWith, limit }: TagQuestion,
): Promise<TagList> {
  const readers = readerGroups(viewer)
  const prefix = tagKey(withoutSign(startsWith))
  if (prefix !== '' && !mayBeginTag(prefix)) return { total: 0, tags: [] }
  const often = await store.findOftenUsed(db, readers, {
    ...{ among: TAGS_WALKED_MAX, visible: NEWEST_TAGS_MAX },
    limit: prefix === '' ? TAGS_ASKED_MAX : NEWEST_TAGS_MAX,
  })
  const next = prefix === '' ? [] : await store.findKeys(db, prefix, TAG_KEYS_WALKED_MAX)
  const fitting = often.filter((key) => key.startsWith(prefix)).slice(0, TAGS_ASKED_MAX)
  const uses: store.UsedTag[] = []
  for (const key of new Set([...fitting, ...next])) {
    const use = await store.findUse(db, readers, { key, most: TAG_POSTS_MAX })
    if (use) uses.push(use)
    if (uses.length === 2 * TAGS_ASKED_MAX) break
  }
  // Of as many posts as can be counted, what the newest posts have most often comes first.
  const tags = uses
    .toSorted((one, other) => other.posts - one.posts)
    .slice(0, limit)
    .map(({ key, name, posts }) => ({ tag: key, name, posts }))
  return { total: tags.length, tags }
}
