// Searches the word index of posts (decision 0067).
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsText, isShared, prepared, rawQuery } from '../database/dialect.ts'
import { type SearchFilter, searchSql } from '../database/list-conditions.ts'
import type { Database } from '../database/schema.ts'
import { inScope, type PostScope } from '../database/visible-posts.ts'
import { lexeme } from '../post-texts/word-index-store.ts'
import { parseSearchValue, type SearchTerm } from '../search/parse-search.ts'

export type SearchField = 'title' | 'body' | 'anywhere'

/**
 * The index query for any or all of the terms. Words have only letters and digits, so they contain
 * no operators.
 */
export function compileMatch(
  db: Database,
  terms: readonly SearchTerm[],
  { field, of }: { field: SearchField; of: 'any' | 'all' },
): string {
  if (isShared(db))
    return terms.map((term) => asTsquery(term, field)).join(of === 'all' ? ' & ' : ' | ')
  const column = field === 'anywhere' ? '' : `{${field}} : `
  return terms
    .map(({ words, isPrefix }) => `(${column}"${words.join(' ')}"${isPrefix ? ' *' : ''})`)
    .join(of === 'all' ? ' AND ' : ' OR ')
}

function asTsquery({ words, isPrefix }: SearchTerm, field: SearchField): string {
  const withMark = (mark: string) => {
    const quoted = words.map((word) => `'${mark}${lexeme(word)}'`).join(' <-> ')
    return isPrefix ? `${quoted}:*` : quoted
  }
  if (field !== 'anywhere') return `(${withMark(field === 'title' ? '_' : '')})`
  return `(${withMark('_')} | ${withMark('')})`
}

/** The `seq` of the matching posts, unordered. */
export function matchingSeqs(db: Database, match: string): RawBuilder<unknown> {
  return isShared(db)
    ? sql`select seq from "searchPost" where lexemes @@ ${match}::tsquery`
    : sql`select rowid as seq from "postWords" where "postWords" match ${match}`
}

/** Runs a search, which PostgreSQL cancels after this time; SQLite has no such limit. */
export function withStatementTimeout<Result>(
  db: Database,
  ms: number,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!isShared(db)) return work(db)
  return db.transaction().execute(async (tx) => {
    // A generic plan for all words would scan all posts for rare ones.
    await sql`select set_config('statement_timeout', ${String(ms)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true),
      set_config('work_mem', '64MB', true)`.execute(tx)
    return work(tx)
  })
}

/** The newest readable matches, which are ranked. */
const RANKED_MAX = 2000

/** The newest posts that a `search` of a list finds. */
const LISTED_MAX = 10_001

/** The newest matches whose readers are checked; many may be drafts by others. */
const CHECKED_MAX = 10_000

/** A phrase is searched only in this many of the newest posts. */
const PHRASE_POSTS_MAX = 100_000

export type Search = { terms: readonly SearchTerm[]; scope: PostScope }

export type Page = { limit: number; offset: number }

/**
 * Ranks matches: first posts with all terms in the title, then with some, then with none; within
 * each of these groups, the newest first.
 */
export async function findRanked(db: Database, { terms, scope }: Search, page: Page) {
  const needles = terms.map(({ words, isPrefix }) => ` ${words.join(' ')}${isPrefix ? '' : ' '}`)
  const { readers, ownerId } = scope === 'all' ? { readers: scope, ownerId: '' } : scope
  const values = {
    ...page,
    ownerId,
    match: compileMatch(db, terms, { field: 'anywhere', of: 'all' }),
    ...Object.fromEntries(needles.map((needle, at) => [`term${at}`, needle])),
  }
  const shape = {
    termCount: terms.length,
    readers,
    hasOwner: ownerId !== undefined,
    hasPhrase: terms.some(({ words }) => words.length > 1),
  }
  const { rows } = await findPage(db, values, shape)
  const seqs = rows.flatMap(({ seq }) => (seq === null ? [] : [Number(seq)]))
  return { seqs, total: Number(rows[0]?.total ?? 0) }
}

type Values = Page & { match: string; ownerId: string | undefined }

type Shape = {
  termCount: number
  readers: 'all' | Exclude<PostScope, 'all'>['readers']
  hasOwner: boolean
  hasPhrase: boolean
}

const findPage = prepared((db, values: Values, shape: Shape) =>
  rawQuery(db, selectRanked(db, values, shape)),
)

/** Not executed: for tests of plans. */
export function selectRanked(
  db: Database,
  { match, limit, offset, ownerId, ...needles }: Values,
  { termCount, readers, hasOwner, hasPhrase }: Shape,
): RawBuilder<{ seq: number | null; total: number }> {
  const scope = readers === 'all' ? readers : { readers, ownerId: hasOwner ? ownerId : undefined }
  const since = hasPhrase
    ? sql`(select max(seq) from "searchPost") - ${sql.lit(PHRASE_POSTS_MAX)}`
    : sql`0`
  const matches = isShared(db)
    ? sql`select seq, title, "createdAt" from (select * from "searchPost" where lexemes @@ ${match}::tsquery
            and seq > ${since} order by seq desc limit ${sql.lit(CHECKED_MAX)}) as "searchPost"
        where ${inScope(scope, 'searchPost')} order by seq desc limit ${sql.lit(RANKED_MAX)}`
    : sql`select seq, title, "createdAt" from (select rowid as at from "postWords"
          where "postWords" match ${match} and rowid > ${since}
          order by rowid desc limit ${sql.lit(CHECKED_MAX)})
        join "searchPost" on seq = at where ${inScope(scope, 'searchPost')}
        order by at desc limit ${sql.lit(RANKED_MAX)}`
  const isInTitle = Object.values(needles as Record<string, string>).map(
    (needle) => sql`case when ${containsText(db, sql`title`, needle)} then 1 else 0 end`,
  )
  const rank = sql`case ${sql.join(isInTitle, sql` + `)} when ${sql.lit(termCount)} then 0 when 0 then 2 else 1 end`
  return sql`with found as materialized (${matches})
    select page.seq, counted.total from (select count(*) as total from found) as counted
    left join (select seq, "createdAt", ${rank} as rank from found
      order by rank, "createdAt" desc, seq desc limit ${limit} offset ${offset}) as page on 1 = 1
    order by page.rank, page."createdAt" desc, page.seq desc`
}

/**
 * The condition of the list query `search`: the title or the body, as `attribute` says, contains
 * any of the values as consecutive words, of which the last is a prefix. For posts that are not
 * indexed yet, the stored text is searched.
 */
export function filterByFullText(
  db: Database,
  value: RawBuilder<unknown>,
  { attribute, values }: SearchFilter,
): RawBuilder<SqlBool> {
  const terms = values.map(parseSearchValue).filter(({ words }) => words.length > 0)
  if (terms.length === 0) return sql<SqlBool>`1 = 0`
  const field = attribute === 'title' ? 'title' : 'body'
  const match = compileMatch(db, terms, { field, of: 'any' })
  return sql<SqlBool>`post.seq in (
    select seq from (${matchingSeqs(db, match)} order by seq desc limit ${sql.lit(LISTED_MAX)}) as matching
    union all select post.seq from post
      where post.seq in (select pending.seq from "searchPost" as pending where pending.title is null)
        and ${searchSql(db, value, values)})`
}
