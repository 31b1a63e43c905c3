// The index of the words of posts (decision 0044) as both databases have it: FTS5 on SQLite, a
// `tsvector` on PostgreSQL. Words come folded (backend/search/tokens.ts); those of titles are told
// apart by a sign before them. Beginnings: PostgreSQL finds them itself; on SQLite the first three
// letters of each word are in the index, too, and others are looked up among its words.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce, rawIn } from './compiled.ts'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

/** Words that the beginnings in one search stand for, all together, on SQLite. */
const SEARCH_BEGINNINGS_MAX = 400
/** Of two letters, the third ones that are looked for in any case: digits and Latin letters. */
const SEARCH_THIRD_LETTERS_MAX = 40

/** A word of a post; `isSign` says that it is of a script without spaces. */
type Indexed = { word: string; isSign: boolean }
/** A word that is looked for, in the title or in the body. */
export type Wanted = Indexed & { place: 'title' | 'body'; isBeginning: boolean }
export type Match =
  | { word: Wanted }
  | { all: Match[] }
  | { any: Match[] }
  | { all: Match[]; but: Match }

/** A {@link Match} as the database takes it; empty when no post can match. */
export type WrittenMatch = string

const IN_TITLE = '_'
const BEGINNING = '^'
const BEGINNING_CHARS = 3
/** Behind every word that begins alike. */
const LAST_CHAR = '\u{10ffff}'

/** Keeps the words of a post instead of those that were kept of it, if it is not new. */
export async function keepWords(
  tx: Database,
  seq: number,
  { title, body, isNew }: { title: Indexed[]; body: Indexed[]; isNew: boolean },
): Promise<void> {
  if (isShared(tx)) {
    const words = wordsOfPost({ title, body })
    await sql`update "searchPost" set words = array_to_tsvector(${words}::text[]), "isDue" = 0
      where seq = ${seq}`.execute(tx)
    return
  }
  const words = termsOfPost({ title, body })
  if (!isNew) await sql`delete from "postSearch" where rowid = ${seq}`.execute(tx)
  await insertWords(tx, { seq, words: words.join(' ') })
  await noteKept(tx, { seq })
}

const insertWords = compiledOnce((tx, { seq, words }: { seq: number; words: string }) =>
  rawIn(tx, sql`insert into "postSearch" (rowid, words) values (${seq}, ${words})`),
)
const noteKept = compiledOnce((tx, { seq }: { seq: number }) =>
  rawIn(tx, sql`update "searchPost" set "isDue" = 0 where seq = ${seq}`),
)

/** What PostgreSQL keeps of a post. */
export function wordsOfPost({ title, body }: { title: Indexed[]; body: Indexed[] }): string[] {
  return [...title.map(({ word }) => IN_TITLE + word), ...body.map(({ word }) => word)]
}

/** What SQLite keeps of a post: its words, and how they begin. */
export function termsOfPost({ title, body }: { title: Indexed[]; body: Indexed[] }): string[] {
  const terms = new Set<string>()
  for (const one of title) addTerms(terms, IN_TITLE, one)
  for (const one of body) addTerms(terms, '', one)
  return [...terms]
}

function addTerms(terms: Set<string>, place: string, { word, isSign }: Indexed): void {
  terms.add(place + word)
  const beginning = isSign ? undefined : beginningOf(word)
  if (beginning !== undefined) terms.add(place + BEGINNING + beginning)
}

function beginningOf(word: string): string | undefined {
  if (word.length < BEGINNING_CHARS) return undefined
  const units = word.slice(0, BEGINNING_CHARS)
  if (!/[\ud800-\udfff]/.test(units)) return units
  const letters = [...word.slice(0, 2 * BEGINNING_CHARS)].slice(0, BEGINNING_CHARS)
  return letters.length < BEGINNING_CHARS ? undefined : letters.join('')
}

/** What was looked up of the index for one search. */
export type KnownTerms = Map<string, string>

/**
 * Looks up what a match needs to know of the index.
 *
 * @param known shared by the matches of one search
 */
export async function writeMatch(
  db: Database,
  match: Match,
  known: KnownTerms = new Map(),
): Promise<WrittenMatch> {
  if (isShared(db)) return asTsquery(match)
  const wanted = wordsIn(match)
  const keys = [...new Set(wanted.map(keyOf))]
  const share = Math.floor(SEARCH_BEGINNINGS_MAX / Math.max(1, keys.length))
  const placeOf = (one: Wanted) => `${share} ${keyOf(one)}`
  for (const one of wanted)
    if (!known.has(placeOf(one))) known.set(placeOf(one), await termsOf(db, one, share))
  return asFts(match, (one) => known.get(placeOf(one)) ?? quoted(one.word))
}

function keyOf({ place, word, isBeginning }: Wanted): string {
  return `${place} ${isBeginning} ${word}`
}

export function wordsIn(match: Match): Wanted[] {
  if ('word' in match) return [match.word]
  if ('any' in match) return match.any.flatMap(wordsIn)
  return [...match.all.flatMap(wordsIn), ...('but' in match ? wordsIn(match.but) : [])]
}

// --- PostgreSQL

/** Of a {@link Match}, for PostgreSQL. */
export function asTsquery(match: Match): string {
  if ('word' in match) {
    const { word, place, isBeginning } = match.word
    return `'${place === 'title' ? IN_TITLE : ''}${word}'${isBeginning ? ':*' : ''}`
  }
  if ('any' in match) return `(${match.any.map(asTsquery).join(' | ')})`
  const all = match.all.map(asTsquery)
  return `(${[...all, ...('but' in match ? [`!${asTsquery(match.but)}`] : [])].join(' & ')})`
}

// --- SQLite

function asFts(match: Match, terms: (word: Wanted) => string): string {
  if ('word' in match) return terms(match.word)
  if ('any' in match) return `(${match.any.map((one) => asFts(one, terms)).join(' OR ')})`
  const all = `(${match.all.map((one) => asFts(one, terms)).join(' AND ')})`
  return 'but' in match ? `(${all} NOT ${asFts(match.but, terms)})` : all
}

function quoted(term: string): string {
  return `"${term}"`
}

/** The terms of the index that a word stands for; at most about `max`. */
async function termsOf(
  db: Database,
  { place, word, isSign, isBeginning }: Wanted,
  max: number,
): Promise<string> {
  const before = place === 'title' ? IN_TITLE : ''
  const term = before + word
  if (!isBeginning) return quoted(term)
  const chars = [...word].length
  if (!isSign && chars === BEGINNING_CHARS) return quoted(before + BEGINNING + word)
  const isShort = !isSign && chars < BEGINNING_CHARS
  if (isShort) {
    // The first ones, which leaves out letters of other scripts: one post may have any number of
    // them, and the words of all posts that begin so would take too long.
    const most = Math.max(max, SEARCH_THIRD_LETTERS_MAX)
    const begun = await findTerms(db, before + BEGINNING + word, most)
    return anyOf([term, ...begun])
  }
  const found = await findTerms(db, term, max + 1)
  // Terms in such numbers are rare ones: the index puts them together itself.
  if (found.length > max) return `${quoted(term)} *`
  return found.length === 0 ? quoted(term) : anyOf(found)
}

function anyOf(terms: string[]): string {
  return `(${terms.map(quoted).join(' OR ')})`
}

/** One step in the index for each. */
async function findTerms(db: Database, start: string, max: number): Promise<string[]> {
  const { rows } = await findTermsOf(db, { start, end: start + LAST_CHAR, max })
  return rows.map(({ term }) => term)
}

const findTermsOf = compiledOnce((db, asked: { start: string; end: string; max: number }) => {
  const next = (from: RawBuilder<unknown>) =>
    sql`(select term from "postSearchWords" where term >= ${from} limit 1)`
  return rawIn(
    db,
    sql<{ term: string }>`
      with recursive found(term) as (
        select ${next(sql`${asked.start}`)}
        union all select ${next(sql`found.term || char(1)`)} from found where found.term < ${asked.end})
      select term from found where term < ${asked.end} limit ${asked.max}`,
  )
})

/** `visible` is a condition on `searchPost`. */
export type VisibleMatch = { match: WrittenMatch; visible: RawBuilder<SqlBool> }
type Newest = { before: number; limit: number }

/** The newest posts that match and are older than `before`, and which of them may be seen. */
export function matchingPosts(
  { match, visible }: VisibleMatch,
  { before, limit }: Newest,
): RawBuilder<{ seq: number; isVisible: number }> {
  return sql`select found as seq, case when ${visible} then 1 else 0 end as "isVisible"
    from (select rowid as found from "postSearch"
      where "postSearch" match ${match} and rowid < ${before} order by rowid desc limit ${limit})
    left join "searchPost" on "searchPost".seq = found order by found desc`
}

// --- both

/** Whether a post, by its `seq`, matches. */
export function isMatching(
  db: Database,
  seq: RawBuilder<unknown>,
  match: WrittenMatch,
): RawBuilder<SqlBool> {
  return isShared(db)
    ? sql`${seq} in (select "searchPost".seq from "searchPost" where words @@ ${match}::tsquery)`
    : sql`${seq} in (select rowid from "postSearch" where "postSearch" match ${match})`
}

/** Whether the index does not hold a row of `post` as it is. */
export function isDue(): RawBuilder<SqlBool> {
  return sql`(post.seq in (select "searchPost".seq from "searchPost" where "isDue" = 1)
    or post.seq < (select "doneFrom" from "searchState"))`
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
      set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx)
    return work(tx)
  })
}

/** Puts the pieces of the index together, a little at a time. @returns whether more is left */
export async function tidyWords(tx: Database, pages: number): Promise<boolean> {
  if (isShared(tx)) return false
  const changes = async () => {
    const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(tx)
    return rows[0]?.n ?? 0
  }
  const before = await changes()
  await sql`insert into "postSearch" ("postSearch", rank) values ('merge', ${-pages})`.execute(tx)
  return (await changes()) - before > 1
}
