// SQL of the derived texts of posts (table `postText`).
import { sql } from 'kysely'
import { prepared, withRowLock } from '../database/dialect.ts'
import type { Database, PostTextRow } from '../database/schema.ts'
import { foldWords } from '../search/fold-words.ts'
import { indexWords } from './word-index-store.ts'

/** Makes every other writer of this post wait until the transaction ends. */
export const lockPost = prepared((tx, { id }: { id: string }) =>
  withRowLock(tx, tx.selectFrom('post').select('seq').where('id', '=', id)),
)

export async function findDerivedTexts(
  db: Database,
  postId: string,
): Promise<PostTextRow | undefined> {
  return (await selectTexts(db, { postId })).rows[0]
}

const selectTexts = prepared((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').selectAll().where('postId', '=', postId),
)

/** @throws the database's own foreign key fault when the post is gone */
export const storeDerivedTexts = prepared((db, { postId, ...texts }: PostTextRow) =>
  db
    .insertInto('postText')
    .values({ postId, ...texts })
    .onConflict((c) => c.column('postId').doUpdateSet(texts)),
)

/** The lowest and the highest version of the rules that derived the stored texts. */
export const selectRulesRange = sql<{ least: string | null; most: string | null }>`select
  (select min(rules) from "postText") as least, (select max(rules) from "postText") as most`

/** The newest posts before `before`, with the version of the rules that derived their texts. */
export async function listRulesOfPosts(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ seq: number; rules: string | null }[]> {
  const rows = await db
    .selectFrom('post')
    .leftJoin('postText', 'postText.postId', 'post.id')
    .select(['post.seq', 'postText.rules'])
    .where('post.seq', '<', before)
    .orderBy('post.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ seq, rules }) => ({ seq: Number(seq), rules }))
}

export async function findBody(db: Database, seq: number) {
  return await db
    .selectFrom('post')
    .select(['id', 'userId', 'content'])
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/** Posts whose word index entry is missing or outdated. Not executed: for tests of plans. */
export function selectPending(db: Database, { before, limit }: { before: number; limit: number }) {
  const pending = db.selectFrom('searchPost').select('seq').where('title', 'is', null)
  return pending.where('seq', '<', before).orderBy('seq', 'desc').limit(limit)
}

/** The newest posts whose word index entry is missing or outdated. */
export const listPending: typeof listRulesOfPosts = async (db, page) =>
  (await selectPending(db, page).execute()).map(({ seq }) => ({ seq: Number(seq), rules: null }))

/** The title of a post that is missing in the word index; undefined if it is indexed. */
export async function findPendingTitle(tx: Database, seq: number): Promise<string | undefined> {
  const pending = tx.selectFrom('post').innerJoin('searchPost', 'searchPost.seq', 'post.seq')
  const titles = pending.select('post.title').where('post.seq', '=', seq)
  return (await titles.where('searchPost.title', 'is', null).executeTakeFirst())?.title
}

/** Adds a post to the word index, if it is missing there. */
export async function indexIfPending(tx: Database, seq: number, body: string): Promise<void> {
  const title = await findPendingTitle(tx, seq)
  if (title !== undefined) await indexWords(tx, seq, { title: foldWords(title), body })
}
