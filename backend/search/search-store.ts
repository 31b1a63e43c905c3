// Which posts the index of words does not hold as they are, and their texts, in SQL. Knows no rule.
import { locked } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

export type SearchedPost = { seq: number; title: string; content: string }

/** The newest ones. Not yet executed: a test asks for its plan. */
export function selectPending(db: Database, limit: number) {
  const pending = db.selectFrom('searchPost').select('seq').where('title', 'is', null)
  return pending.orderBy('seq', 'desc').limit(limit)
}

export async function listPending(db: Database, limit: number): Promise<number[]> {
  return (await selectPending(db, limit).execute()).map(({ seq }) => Number(seq))
}

/** In the order in which all posts of a person are locked: nobody waits in a circle. */
export async function lockPosts(tx: Database, seqs: number[]): Promise<void> {
  const query = tx.selectFrom('post').select('seq').where('seq', 'in', seqs).orderBy('seq')
  await locked(tx, query).execute()
}

export async function readPost(db: Database, seq: number): Promise<SearchedPost | undefined> {
  const posts = db.selectFrom('post').select(['seq', 'title', 'content'])
  return await posts.where('seq', '=', seq).executeTakeFirst()
}

/** One that was just written, if the index does not hold it. */
export async function findPending(tx: Database, postId: string): Promise<SearchedPost | undefined> {
  return await tx
    .selectFrom('post')
    .innerJoin('searchPost', 'searchPost.seq', 'post.seq')
    .select(['post.seq', 'post.title', 'post.content'])
    .where('post.id', '=', postId)
    .where('searchPost.title', 'is', null)
    .executeTakeFirst()
}
