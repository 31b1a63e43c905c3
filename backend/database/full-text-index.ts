// The index of the words of posts (decision 0067) as both databases have it: FTS5 on SQLite, a
// `tsvector` with a GIN index on PostgreSQL, where words of titles have a sign before them. Texts
// come folded: words with a blank between (backend/search/fold.ts).
import { type RawBuilder, sql } from 'kysely'
import { AT_COMMIT, compiledOnce, isShared, rawIn } from './dialect.ts'
import type { Database } from './schema.ts'

/** Words that follow each other; of the last one the beginning is enough where it is a prefix. */
export type WordsPart = { words: readonly string[]; isPrefix: boolean }
export type Place = 'title' | 'body' | 'anywhere'

type Texts = { title: string; body: string }

/** PostgreSQL knows no place behind this one, and no word of more than 2 kB. */
const LAST_PLACE = 16_383
const WORD_MAX_CHARS = 64
const LONG_CHARS = 8000

/** Puts a post into the index, in the place of what was kept of it. */
export async function indexWords(tx: Database, seq: number, texts: Texts): Promise<unknown> {
  const title = ` ${texts.title} `
  if (isShared(tx)) return indexOnPostgres(tx, { seq, title, lexemes: lexemesOf(texts) })
  // FTS5 writes all it holds whenever a savepoint begins. Many long texts would hold the commit.
  await insertRow(tx, { seq, ...texts }, texts.body.length > LONG_CHARS ? '' : AT_COMMIT)
  return markIndexed(tx, { seq, title })
}

/** Without words where the post is gone by the commit. FTS5 also writes at `insert … select`. */
const insertRow = compiledOnce((tx, { seq, title, body }: Texts & { seq: number }, at: string) => {
  const ofPost = (text: string) => sql`(select ${text} from post where seq = ${seq})`
  return rawIn(
    tx,
    sql`${sql.raw(at)}insert or replace into "postWords" (rowid, title, body)
      values (${seq}, ${ofPost(title)}, ${ofPost(body)})`,
  )
})
const markIndexed = compiledOnce((tx, { seq, title }: { seq: number; title: string }) =>
  rawIn(tx, sql`update "searchPost" set title = ${title} where seq = ${seq}`),
)
const indexOnPostgres = compiledOnce(
  (tx, { seq, title, lexemes }: { seq: number; title: string; lexemes: string }) =>
    rawIn(
      tx,
      sql`update "searchPost" set title = ${title}, lexemes = ${lexemes}::tsvector, words = null
        where seq = ${seq}`,
    ),
)

/** What PostgreSQL keeps of a post. */
export function lexemesOf({ title, body }: Texts): string {
  const of = (text: string, mark: string) =>
    text === '' ? [] : text.split(' ').map((word, at) => `${mark}${lexeme(word)}:${placeOf(at)}`)
  return [...of(title, '_'), ...of(body, '')].join(' ')
}

function lexeme(word: string): string {
  return word.slice(0, WORD_MAX_CHARS).toWellFormed()
}

function placeOf(at: number): number {
  return Math.min(at + 1, LAST_PLACE)
}

/**
 * What the index is asked for: one or all of the parts. Words are only letters and digits, so that
 * the index reads nothing else in them.
 */
export function compileMatch(
  db: Database,
  parts: readonly WordsPart[],
  { place, of }: { place: Place; of: 'any' | 'all' },
): string {
  if (isShared(db))
    return parts.map((part) => asTsquery(part, place)).join(of === 'all' ? ' & ' : ' | ')
  const column = place === 'anywhere' ? '' : `{${place}} : `
  return parts
    .map(({ words, isPrefix }) => `(${column}"${words.join(' ')}"${isPrefix ? ' *' : ''})`)
    .join(of === 'all' ? ' AND ' : ' OR ')
}

function asTsquery({ words, isPrefix }: WordsPart, place: Place): string {
  const marked = (mark: string) => {
    const quoted = words.map((word) => `'${mark}${lexeme(word)}'`).join(' <-> ')
    return isPrefix ? `${quoted}:*` : quoted
  }
  if (place !== 'anywhere') return `(${marked(place === 'title' ? '_' : '')})`
  return `(${marked('_')} | ${marked('')})`
}

/** The posts that match by their `seq`; still without an order. */
export function matchingSeqs(db: Database, match: string): RawBuilder<unknown> {
  return isShared(db)
    ? sql`select seq from "searchPost" where lexemes @@ ${match}::tsquery`
    : sql`select rowid as seq from "postWords" where "postWords" match ${match}`
}

/** Runs searches that PostgreSQL ends after this time; SQLite has no such limit. */
export function withinStatementTime<Result>(
  db: Database,
  ms: number,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!isShared(db)) return work(db)
  return db.transaction().execute(async (tx) => {
    // A plan that is made once for all words goes past all posts for rare ones.
    await sql`select set_config('statement_timeout', ${String(ms)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true),
      set_config('work_mem', '64MB', true)`.execute(tx)
    return work(tx)
  })
}
