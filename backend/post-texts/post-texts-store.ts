// Texts that are made of a post's body, and the bodies they are made of, in SQL (table `postText`).
import { sql } from 'kysely'
import { locked, prepared } from '../database/dialect.ts'
import type { Database, PostTextRow } from '../database/schema.ts'
import { foldWords } from '../search/fold.ts'
import { indexWords } from './word-index-store.ts'

/** Makes every other writer of this post wait until the transaction ends. */
export const lockPost = prepared((tx, { id }: { id: string }) =>
  locked(tx, tx.selectFrom('post').select('seq').where('id', '=', id)),
)

export async function findTexts(db: Database, postId: string): Promise<PostTextRow | undefined> {
  return (await selectTexts(db, { postId })).rows[0]
}

const selectTexts = prepared((db, { postId }: { postId: string }) =>
  db.selectFrom('postText').selectAll().where('postId', '=', postId),
)

/** @throws the database's own foreign key fault when the post is gone */
export const storeTexts = prepared((db, { postId, ...made }: PostTextRow) =>
  db
    .insertInto('postText')
    .values({ postId, ...made })
    .onConflict((c) => c.column('postId').doUpdateSet(made)),
)

/** By which rules texts were made: the first and the last ones in the order of their names. */
export const selectRules = sql<{ least: string | null; most: string | null }>`select
  (select min(rules) from "postText") as least, (select max(rules) from "postText") as most`

/** The newest posts before this one, and the rules that their texts were made by. */
export async function listRules(
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

/** Posts that the index of words does not hold as they are. Not executed: for tests of plans. */
export function selectPending(db: Database, { before, limit }: { before: number; limit: number }) {
  const pending = db.selectFrom('searchPost').select('seq').where('title', 'is', null)
  return pending.where('seq', '<', before).orderBy('seq', 'desc').limit(limit)
}

/** The newest ones, made by no rules. */
export const listPending: typeof listRules = async (db, page) =>
  (await selectPending(db, page).execute()).map(({ seq }) => ({ seq: Number(seq), rules: null }))

/** The title of such a post; undefined for one that the index holds. */
export async function findPendingTitle(tx: Database, seq: number): Promise<string | undefined> {
  const pending = tx.selectFrom('post').innerJoin('searchPost', 'searchPost.seq', 'post.seq')
  const titles = pending.select('post.title').where('post.seq', '=', seq)
  return (await titles.where('searchPost.title', 'is', null).executeTakeFirst())?.title
}

/** Puts a post that was just written into the index of words, if the index does not hold it. */
export async function indexWritten(tx: Database, seq: number, body: string): Promise<void> {
  const title = await findPendingTitle(tx, seq)
  if (title !== undefined) await indexWords(tx, seq, { title: foldWords(title), body })
}
