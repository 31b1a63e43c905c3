// Which posts the index holds, and the texts it is made from, in SQL. Knows no rule: who may read
// comes in as a condition on `searchPost`.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce } from '../database/compiled.ts'
import { isShared, locked } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { newestByWords, type Sample } from '../database/tsvector-search.ts'
import { type KnownTerms, type Match, matchingPosts, writeMatch } from '../database/word-index.ts'
import { SEARCH_LOOKED_AT_MAX, SEARCH_LOOKED_AT_ONCE } from './asked.ts'

export type SearchedPost = { seq: number; title: string; content: string }

/** Written out: by a parameter SQLite does not know that the index of due posts holds them. */
const DUE = sql.lit(1)

/** Of one post, if it is due. */
export async function findDue(tx: Database, postId: string): Promise<SearchedPost | undefined> {
  return (await findIfDue(tx, { postId })).rows[0]
}

const findIfDue = compiledOnce((tx, { postId }: { postId: string }) =>
  tx
    .selectFrom('post')
    .innerJoin('searchPost', 'searchPost.seq', 'post.seq')
    .select(['post.seq', 'post.title', 'post.content'])
    .where('post.id', '=', postId)
    .where('searchPost.isDue', '=', DUE),
)

/** Not yet executed: a test asks for its plan. */
export function selectDue(db: Database, limit: number) {
  const due = db.selectFrom('searchPost').select('seq').where('isDue', '=', DUE)
  return due.orderBy('seq', 'desc').limit(limit)
}

export async function listDue(db: Database, limit: number): Promise<number[]> {
  return (await selectDue(db, limit).execute()).map(({ seq }) => Number(seq))
}

export async function listBefore(db: Database, seq: number, limit: number): Promise<number[]> {
  const before = db.selectFrom('post').select('seq').where('seq', '<', seq)
  const rows = await before.orderBy('seq', 'desc').limit(limit).execute()
  return rows.map((row) => Number(row.seq))
}

/** In the order in which all posts of a person are locked: nobody waits in a circle. */
export async function lockPosts(tx: Database, seqs: number[]): Promise<void> {
  const query = tx.selectFrom('post').select('seq').where('seq', 'in', seqs).orderBy('seq')
  await locked(tx, query).execute()
}

/**
 * Notes a post as held by the index, and reads its texts only then: who changes it meanwhile waits
 * for this transaction, and notes it as due afterwards. Who has begun to change it is waited for:
 * their triggers found no row yet to note who may read it.
 */
export async function takeUp(tx: Database, seq: number): Promise<SearchedPost | undefined> {
  await locked(tx, tx.selectFrom('post').select('seq').where('seq', '=', seq)).execute()
  await sql`insert into "searchPost" (seq, status, "isHidden", readers, "userId", "isDue")
    select seq, status, "isHidden", readers, "userId", 0 from post where seq = ${seq}
    on conflict (seq) do update set "isDue" = 0`.execute(tx)
  return readPost(tx, seq)
}

export async function readPost(db: Database, seq: number): Promise<SearchedPost | undefined> {
  const post = db.selectFrom('post').select(['seq', 'title', 'content']).where('seq', '=', seq)
  return post.executeTakeFirst()
}

/** @returns what words it holds, and from which post on it holds them all */
export async function readState(db: Database): Promise<{ version: string; doneFrom: number }> {
  const { version, doneFrom } = await db
    .selectFrom('searchState')
    .select(['version', 'doneFrom'])
    .executeTakeFirstOrThrow()
  return { version, doneFrom: Number(doneFrom) }
}

/** Waits for others who do so. */
export async function lockState(tx: Database): Promise<{ version: string; doneFrom: number }> {
  await sql`update "searchState" set version = version`.execute(tx)
  return readState(tx)
}

/** Begins anew: nothing counts as held any more. */
export async function restart(tx: Database, version: string): Promise<void> {
  await sql`update "searchState" set version = ${version},
    "doneFrom" = (select coalesce(max(seq), 0) + 1 from post)`.execute(tx)
}

export async function setDoneFrom(tx: Database, doneFrom: number): Promise<void> {
  await tx.updateTable('searchState').set({ doneFrom }).execute()
}

export type Page = { limit: number; offset: number }

/** `isWhole` says that no other post matches and may be seen. */
export type Matching = { seqs: number[]; isWhole: boolean }

/** What was found out about words for the matches of one search. */
export type Known = { terms: KnownTerms; sample: Sample }

/** `visible` is a condition on `searchPost`. */
export type Asked = { match: Match; visible: RawBuilder<SqlBool>; known: Known }

/** The posts that match and may be seen, the newest first. */
export async function listMatching(db: Database, asked: Asked, limit: number): Promise<Matching> {
  if (!isShared(db)) return listInTurns(db, asked, limit)
  const { sample } = asked.known
  const seqs = await newestByWords(db, asked, { limit: limit + 1, sample })
  return { seqs: seqs.slice(0, limit), isWhole: seqs.length <= limit }
}

/**
 * On SQLite, where nothing ends a statement, in batches with others' turns between them, and among
 * so many of the newest only: most posts that match may be drafts.
 */
async function listInTurns(
  db: Database,
  { match, visible, known }: Asked,
  limit: number,
): Promise<Matching> {
  const search = { match: await writeMatch(db, match, known.terms), visible }
  const seqs: number[] = []
  // Few of a blog's posts are drafts.
  let size = limit + Math.ceil(limit / 8)
  let before = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < SEARCH_LOOKED_AT_MAX; ) {
    const { rows } = await matchingPosts(search, { before, limit: size }).execute(db)
    for (const { seq, isVisible } of rows) if (isVisible) seqs.push(Number(seq))
    if (rows.length < size) return { seqs: seqs.slice(0, limit), isWhole: seqs.length <= limit }
    if (seqs.length >= limit) break
    looked += size
    size = Math.min(2 * size, SEARCH_LOOKED_AT_ONCE)
    before = Number(rows.at(-1)?.seq)
    await nextTurn()
  }
  return { seqs: seqs.slice(0, limit), isWhole: false }
}

export async function readTitles(
  db: Database,
  seqs: number[],
): Promise<Pick<SearchedPost, 'seq' | 'title'>[]> {
  if (seqs.length === 0) return []
  return db.selectFrom('post').select(['seq', 'title']).where('seq', 'in', seqs).execute()
}

/** Titles and beginnings of bodies. */
export async function readTexts(
  db: Database,
  seqs: number[],
  maxChars: number,
): Promise<SearchedPost[]> {
  if (seqs.length === 0) return []
  return db
    .selectFrom('post')
    .select(['seq', 'title', sql<string>`substr(content, 1, ${maxChars})`.as('content')])
    .where('seq', 'in', seqs)
    .execute()
}
