// SQL of the tags of posts (table `postTag`), the same on both databases.

import type { Database, PostTagRow } from '../database/schema.ts'
import { POST_VISIBILITY } from '../database/visible-posts.ts'

/** `isFromText`: 1 when the last line of the text contains the tag. */
export type StoredTag = Pick<PostTagRow, 'name' | 'key' | 'isFromText'>

/** Replaces the tags of a post. */
export async function replaceTags(tx: Database, postId: string, tags: StoredTag[]): Promise<void> {
  const post = await selectTagColumns(tx).where('id', '=', postId).executeTakeFirstOrThrow()
  await tx.deleteFrom('postTag').where('postSeq', '=', post.seq).execute()
  await insertTags(tx, post, tags)
}

/** Adds tags to a post, unless it has some; tags that another writer adds meanwhile win. */
export async function addTags(tx: Database, seq: number, tags: StoredTag[]): Promise<void> {
  const post = await selectTagColumns(tx)
    .where('seq', '=', seq)
    .where('seq', 'not in', (eb) =>
      eb.selectFrom('postTag').select('postSeq').where('postSeq', '=', seq),
    )
    .executeTakeFirst()
  if (post) await insertTags(tx, post, tags)
}

/** The columns of a post that each of its tags repeats. */
function selectTagColumns(tx: Database) {
  return tx.selectFrom('post').select(['seq', 'createdAt', 'userId', POST_VISIBILITY.as('shown')])
}

/** The database fills in a missing owner and missing readers. */
type TaggedPost = Pick<PostTagRow, 'createdAt'> &
  Partial<Pick<PostTagRow, 'userId' | 'shown'>> & { seq: number }

/** Inserts the tags of a post that has none. */
export async function insertTags(
  tx: Database,
  { seq, createdAt, userId = '', shown = '' }: TaggedPost,
  tags: StoredTag[],
): Promise<void> {
  if (tags.length === 0) return
  const post = { postSeq: seq, createdAt, userId, shown }
  const rows = tags.map((tag, position) => ({ ...tag, place: position, ...post }))
  const insert = tx.insertInto('postTag').values(rows)
  await insert.onConflict((c) => c.columns(['postSeq', 'place']).doNothing()).execute()
}
