// The tags of a post (api.md §15.14), which clients send or authors write in the last line of the
// text, and their JSON form in rows. SQL is in tags-store.ts.

import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagKey } from '#contract/plain-text.ts'
import type { Database } from '../database/schema.ts'
import type { PostsContext } from './context.ts'
import { addTags, insertTags, replaceTags, type StoredTag } from './tags-store.ts'

/**
 * Merges the sent tags of a post and those of its last line, up to the limit. A tag that is in both
 * belongs to the line, and is removed with it.
 *
 * @param lineWords words of the last line, including those that cannot be tags
 */
export function mergeTags(sent: readonly string[], lineWords: readonly string[]): StoredTag[] {
  const lineTags = distinctTags(lineWords.filter(isTag))
  const lineKeys = new Set(lineTags.map(tagKey))
  return distinctTags([...sent, ...lineTags])
    .slice(0, TAGS_MAX)
    .map((name) => ({
      name,
      key: tagKey(name),
      isFromText: Number(lineKeys.has(tagKey(name))),
    }))
}

/** Stores the tags of a new post. @returns them */
export async function saveNewTags(
  { postTexts }: PostsContext,
  tx: Database,
  post: { seq: number; content: string; createdAt: string },
  sent: readonly string[],
): Promise<StoredTag[]> {
  const tags = mergeTags(sent, postTexts.tagLine(post.content))
  if (tags.length > 0) await insertTags(tx, post, tags)
  return tags
}

/**
 * Changes the tags of a post. A changed text replaces only the tags of its last line.
 *
 * @param row the post before the change
 * @returns the new tags; undefined when they do not change
 */
export async function changeTags(
  { postTexts }: PostsContext,
  tx: Database,
  row: { id: string; content: string; tags: string },
  { content, tags: sent }: { content: string | undefined; tags: string[] | undefined },
): Promise<StoredTag[] | undefined> {
  if (content === undefined && sent === undefined) return undefined
  const before = unpackTags(row.tags)
  const sentBefore = before.flatMap(({ name, isFromText }) => (isFromText ? [] : [name]))
  const tags = mergeTags(sent ?? sentBefore, postTexts.tagLine(content ?? row.content))
  if (packTags(tags) === packTags(before)) return undefined
  await replaceTags(tx, row.id, tags)
  return tags
}

/** Adds the tags of the last line to a post that was written before posts had tags. */
export async function addLineTags(
  { postTexts }: PostsContext,
  tx: Database,
  { seq, content }: { seq: number; content: string },
): Promise<void> {
  const tags = mergeTags([], postTexts.tagLine(content))
  if (tags.length > 0) await addTags(tx, seq, tags)
}

/** The attribute `tags` of a post, which posts without tags do not have. */
export function tagsAttribute({ tags }: { tags: string }): { tags?: string[] } {
  const names = unpackTags(tags).map(({ name }) => name)
  return names.length > 0 ? { tags: names } : {}
}

/** Tags as JSON, as rows of posts and of deleted posts store them. */
export function packTags(tags: readonly StoredTag[]): string {
  const packed = tags.map(({ name, isFromText }) => [name, isFromText])
  return packed.length === 0 ? '' : JSON.stringify(packed)
}

export function unpackTags(packed: string): StoredTag[] {
  if (packed === '' || packed === '[]') return []
  const tags = JSON.parse(packed) as [name: string, isFromText: number][]
  return tags.map(([name, isFromText]) => ({ name, key: tagKey(name), isFromText }))
}
