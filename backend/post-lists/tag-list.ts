// Tags in use (api.md §15.14): a tag by its key, and the most used tags.

import { isTagStart, tagKey, withoutHash } from '#contract/plain-text.ts'
import type { TagList } from '#contract/posts.ts'
import type { Database } from '../database/schema.ts'
import { readerGroups, type Viewer } from '../http/viewer.ts'
import { findKeysWithPrefix, findMostUsed, findTagUse, type UsedTag } from './tag-list-store.ts'

/** Tags in one answer. */
export const TAGS_LISTED_MAX = 25

/** Posts with a tag are counted up to this number. */
const TAG_POSTS_MAX = 1000

/** Tags of the newest visible posts among which the most frequent ones are determined. */
const NEWEST_TAGS_MAX = 2000

/** Tags that are read to find the newest visible ones. */
const TAGS_READ_MAX = 20_000

/** Keys with the requested prefix that are read, including those that the viewer may not see. */
const TAG_KEYS_READ_MAX = 200

export type TagQuery = {
  /** The beginning of a tag, upper or lower case; empty for the most frequent tags. */
  startsWith: string
  limit: number
}

/** A tag as its newest post writes it; undefined when the viewer may see no post with it. */
export async function findTag(db: Database, viewer: Viewer, key: string) {
  return (await findTagUse(db, readerGroups(viewer), { key, countLimit: 1 }))?.name
}

/** The tags with the most posts first. */
export async function listTags(
  db: Database,
  viewer: Viewer,
  { startsWith, limit }: TagQuery,
): Promise<TagList> {
  const readers = readerGroups(viewer)
  const prefix = tagKey(withoutHash(startsWith))
  if (prefix !== '' && !isTagStart(prefix)) return { total: 0, tags: [] }
  const mostUsed = await findMostUsed(db, readers, {
    among: TAGS_READ_MAX,
    visible: NEWEST_TAGS_MAX,
    limit: prefix === '' ? TAGS_LISTED_MAX : NEWEST_TAGS_MAX,
  })
  const withPrefix = prefix === '' ? [] : await findKeysWithPrefix(db, prefix, TAG_KEYS_READ_MAX)
  const usedWithPrefix = mostUsed.filter((key) => key.startsWith(prefix)).slice(0, TAGS_LISTED_MAX)
  const uses: UsedTag[] = []
  for (const key of new Set([...usedWithPrefix, ...withPrefix])) {
    const use = await findTagUse(db, readers, { key, countLimit: TAG_POSTS_MAX })
    if (use) uses.push(use)
    if (uses.length === 2 * TAGS_LISTED_MAX) break
  }
  // Counts stop at a limit; of equal counts, the tags that the newest posts use most come first.
  const tags = uses
    .toSorted((a, b) => b.posts - a.posts)
    .slice(0, limit)
    .map(({ key, name, posts }) => ({ tag: key, name, posts }))
  return { total: tags.length, tags }
}
