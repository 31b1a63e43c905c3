// Writes the word index of posts (decision 0067): FTS5 on SQLite, a `tsvector` on PostgreSQL, where
// `_` precedes words of titles. Texts are folded (backend/search/fold-words.ts).
import { sql } from 'kysely'
import { isShared, prepared, RUN_AT_COMMIT, rawQuery } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

type Texts = { title: string; body: string }

/** PostgreSQL stores no position beyond this one, and no word of more than 2 kB. */
const LAST_POSITION = 16_383

const WORD_MAX_CHARS = 64

const LONG_CHARS = 8000

/** Writes the index entry of a post, replacing an older one. */
export async function indexWords(tx: Database, seq: number, texts: Texts): Promise<unknown> {
  const title = ` ${texts.title} `
  if (isShared(tx)) return indexOnPostgres(tx, { seq, title, lexemes: lexemesOf(texts) })
  // FTS5 flushes its buffer at every savepoint; with many long texts the commit would take long.
  await insertRow(tx, { seq, ...texts }, texts.body.length > LONG_CHARS ? '' : RUN_AT_COMMIT)
  return markIndexed(tx, { seq, title })
}

/**
 * Inserts no words if the post is gone at the commit. (`insert … select` would flush the buffer.)
 */
const insertRow = prepared((tx, { seq, title, body }: Texts & { seq: number }, prefix: string) => {
  const ofPost = (text: string) => sql`(select ${text} from post where seq = ${seq})`
  return rawQuery(
    tx,
    sql`${sql.raw(prefix)}insert or replace into "postWords" (rowid, title, body)
      values (${seq}, ${ofPost(title)}, ${ofPost(body)})`,
  )
})

const markIndexed = prepared((tx, { seq, title }: { seq: number; title: string }) =>
  rawQuery(tx, sql`update "searchPost" set title = ${title} where seq = ${seq}`),
)

const indexOnPostgres = prepared(
  (tx, { seq, title, lexemes }: { seq: number; title: string; lexemes: string }) =>
    rawQuery(
      tx,
      sql`update "searchPost" set title = ${title}, lexemes = ${lexemes}::tsvector
        where seq = ${seq}`,
    ),
)

/** The `tsvector` of a post. */
export function lexemesOf({ title, body }: Texts): string {
  const toLexemes = (text: string, mark: string) =>
    text === '' ? [] : text.split(' ').map((word, at) => `${mark}${lexeme(word)}:${positionOf(at)}`)
  return [...toLexemes(title, '_'), ...toLexemes(body, '')].join(' ')
}

export function lexeme(word: string): string {
  return word.slice(0, WORD_MAX_CHARS).toWellFormed()
}

function positionOf(at: number): number {
  return Math.min(at + 1, LAST_POSITION)
}
