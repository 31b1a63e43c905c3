// Tags of posts in SQL (table `postTag`), the same on both databases. Decides nothing: the groups
// of readers come in.

import type { Database, PostTagRow } from '../database/schema.ts'
import { POST_VISIBILITY } from '../database/visible-posts.ts'

/** `isFromText`: 1 when the last line of the text holds it. */
export type StoredTag = Pick<PostTagRow, 'name' | 'key' | 'isFromText'>

/** Replaces the tags of a post. */
export async function replaceTags(tx: Database, postId: string, tags: StoredTag[]): Promise<void> {
  const post = await selectTagged(tx).where('id', '=', postId).executeTakeFirstOrThrow()
  await tx.deleteFrom('postTag').where('postSeq', '=', post.seq).execute()
  await insertTags(tx, post, tags)
}

/** Adds tags to a post that has none; keeps those that another writer adds meanwhile. */
export async function addTags(tx: Database, seq: number, tags: StoredTag[]): Promise<void> {
  const post = await selectTagged(tx)
    .where('seq', '=', seq)
    .where('seq', 'not in', (eb) =>
      eb.selectFrom('postTag').select('postSeq').where('postSeq', '=', seq),
    )
    .executeTakeFirst()
  if (post) await insertTags(tx, post, tags)
}

/** Columns of the post that each of its tags repeats. */
function selectTagged(tx: Database) {
  return tx.selectFrom('post').select(['seq', 'createdAt', 'userId', POST_VISIBILITY.as('shown')])
}

/** Where the owner and the readers are missing, the database fills them in. */
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
  const rows = tags.map((tag, place) => ({ ...tag, place, ...post }))
  const insert = tx.insertInto('postTag').values(rows)
  await insert.onConflict((c) => c.columns(['postSeq', 'place']).doNothing()).execute()
}
