// Tags when a post is written: those sent, and those of the last line of its text. Knows no SQL.
import type { Database } from '../database/schema.ts'
import type { PostTexts } from './post-texts.ts'
import type { PostRow } from './store.ts'
import { joinTags, packTags, type StoredTag } from './tags.ts'
import { addTags, findTags, insertTags, keepTags } from './tags-store.ts'

type TagNeeds = { bodies: Pick<PostTexts, 'tagLine'> }

/** @returns those of a new post */
export async function saveNewTags(
  { bodies }: TagNeeds,
  tx: Database,
  post: { seq: number; content: string; createdAt: string },
  sent: readonly string[],
): Promise<StoredTag[]> {
  const tags = joinTags(sent, bodies.tagLine(post.content))
  await insertTags(tx, post, tags)
  return tags
}

/** @returns whether anything changed */
async function saveTags(
  { bodies }: TagNeeds,
  tx: Database,
  post: { id: string; content: string; before: StoredTag[] },
  sent: readonly string[],
): Promise<boolean> {
  const tags = joinTags(sent, bodies.tagLine(post.content))
  if (packTags(tags) === packTags(post.before)) return false
  await keepTags(tx, post.id, tags)
  return true
}

/**
 * A text that is written alone renews what its last line gave, and keeps what was sent.
 *
 * @param row the post before the change
 * @returns whether anything changed
 */
export async function changeTags(
  needs: TagNeeds,
  tx: Database,
  row: PostRow,
  { content, tags }: { content: string | undefined; tags: string[] | undefined },
): Promise<boolean> {
  if (content === undefined && tags === undefined) return false
  const before = (await findTags(tx, [row.seq])).get(row.seq) ?? []
  const kept = before.flatMap(({ name, isFromText }) => (isFromText ? [] : [name]))
  return saveTags(needs, tx, { id: row.id, content: content ?? row.content, before }, tags ?? kept)
}

/** Gives a post that was written before there were tags those of its last line. */
export async function addLineTags(
  { bodies }: TagNeeds,
  tx: Database,
  { seq, content }: { seq: number; content: string },
): Promise<void> {
  const tags = joinTags([], bodies.tagLine(content))
  if (tags.length > 0 && !(await findTags(tx, [seq])).has(seq)) await addTags(tx, seq, tags)
}
