// The tags of a post (api.md §15.14), which are sent or written in the last line of its text, and
// the JSON text that rows store them in. SQL is in tags-store.ts.

import { TAGS_MAX } from '#contract/limits.ts'
import { distinctTags, isTag, tagKey } from '#contract/plain-text.ts'
import type { Database } from '../database/schema.ts'
import type { PostsContext } from './context.ts'
import { addTags, insertTags, replaceTags, type StoredTag } from './tags-store.ts'

/**
 * The tags of a post: the sent ones, then those of its last line, up to the limit. A tag that is
 * both belongs to the line, and is removed with it.
 *
 * @param line words of the last line, also those that cannot be tags
 */
export function mergeTags(sent: readonly string[], line: readonly string[]): StoredTag[] {
  const ofLine = distinctTags(line.filter(isTag))
  const keysOfLine = new Set(ofLine.map(tagKey))
  return distinctTags([...sent, ...ofLine])
    .slice(0, TAGS_MAX)
    .map((name) => ({
      name,
      key: tagKey(name),
      isFromText: Number(keysOfLine.has(tagKey(name))),
    }))
}

/** @returns those of a new post */
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
 * A changed text replaces the tags of its last line, and keeps those that were sent.
 *
 * @param row the post before the change
 * @returns the new ones, if anything changed
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

/** Posts without tags do not have the attribute. */
export function tagsAttribute({ tags }: { tags: string }): { tags?: string[] } {
  const names = unpackTags(tags).map(({ name }) => name)
  return names.length > 0 ? { tags: names } : {}
}

/** The JSON text of rows of posts and of deleted posts. */
export function packTags(tags: readonly StoredTag[]): string {
  const packed = tags.map(({ name, isFromText }) => [name, isFromText])
  return packed.length === 0 ? '' : JSON.stringify(packed)
}

export function unpackTags(packed: string): StoredTag[] {
  if (packed === '' || packed === '[]') return []
  const tags = JSON.parse(packed) as [name: string, isFromText: number][]
  return tags.map(([name, isFromText]) => ({ name, key: tagKey(name), isFromText }))
}
