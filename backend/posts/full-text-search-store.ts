// Posts that the index of words finds, in SQL: by rank for a search, as a condition of lists.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce, containsText, isShared, rawIn } from '../database/dialect.ts'
import { compileMatch, matchingSeqs, type WordsPart } from '../database/full-text-index.ts'
import { type SearchFilter, searchSql } from '../database/list-conditions.ts'
import type { Database } from '../database/schema.ts'
import { valueAsked } from '../search/parse-search.ts'
import { inScope, type PostScope } from './post-parts-store.ts'

/** The newest posts that match and may be read, as many as are put in order. */
const RANKED_MAX = 2000
/** The newest posts that a `search` of a list finds. */
const LISTED_MAX = 10_001
/** Of those that match: most may be drafts of others. */
const LOOKED_AT_MAX = 10_000
/** Phrases are looked for in so many of the newest posts. */
const PHRASE_POSTS_MAX = 100_000

export type Search = { parts: readonly WordsPart[]; scope: PostScope }
export type Page = { limit: number; offset: number }

/** Those with all parts in the title first, then some of them, then none; each the newest first. */
export async function findRanked(db: Database, { parts, scope }: Search, page: Page) {
  const needles = parts.map(({ words, isPrefix }) => ` ${words.join(' ')}${isPrefix ? '' : ' '}`)
  const { readers, ownerId } = scope === 'all' ? { readers: scope, ownerId: '' } : scope
  const values = {
    ...{ ...page, ownerId, match: compileMatch(db, parts, { place: 'anywhere', of: 'all' }) },
    ...Object.fromEntries(needles.map((needle, at) => [`part${at}`, needle])),
  }
  const shape = {
    ...{ parts: parts.length, readers, hasOwner: ownerId !== undefined },
    hasPhrase: parts.some(({ words }) => words.length > 1),
  }
  const { rows } = await findPage(db, values, shape)
  const seqs = rows.flatMap(({ seq }) => (seq === null ? [] : [Number(seq)]))
  return { seqs, total: Number(rows[0]?.total ?? 0) }
}

type Values = Page & { match: string; ownerId: string | undefined }
type Shape = {
  parts: number
  readers: 'all' | Exclude<PostScope, 'all'>['readers']
  hasOwner: boolean
  hasPhrase: boolean
}

const findPage = compiledOnce((db, values: Values, shape: Shape) =>
  rawIn(db, selectRanked(db, values, shape)),
)

/** Not yet executed: a test asks for its plan. */
export function selectRanked(
  db: Database,
  { match, limit, offset, ownerId, ...needles }: Values,
  { parts, readers, hasOwner, hasPhrase }: Shape,
): RawBuilder<{ seq: number | null; total: number }> {
  const scope = readers === 'all' ? readers : { readers, ownerId: hasOwner ? ownerId : undefined }
  const since = hasPhrase
    ? sql`(select max(seq) from "searchPost") - ${sql.lit(PHRASE_POSTS_MAX)}`
    : sql`0`
  const found = isShared(db)
    ? sql`select seq, title from (select * from "searchPost" where lexemes @@ ${match}::tsquery
            and seq > ${since} order by seq desc limit ${sql.lit(LOOKED_AT_MAX)}) as "searchPost"
        where ${inScope(scope, 'searchPost')} order by seq desc limit ${sql.lit(RANKED_MAX)}`
    : sql`select seq, title from (select rowid as at from "postWords"
          where "postWords" match ${match} and rowid > ${since}
          order by rowid desc limit ${sql.lit(LOOKED_AT_MAX)})
        join "searchPost" on seq = at where ${inScope(scope, 'searchPost')}
        order by at desc limit ${sql.lit(RANKED_MAX)}`
  const held = Object.values(needles as Record<string, string>).map(
    (needle) => sql`case when ${containsText(db, sql`title`, needle)} then 1 else 0 end`,
  )
  const rank = sql`case ${sql.join(held, sql` + `)} when ${sql.lit(parts)} then 0 when 0 then 2 else 1 end`
  return sql`with found as materialized (${found})
    select page.seq, counted.total from (select count(*) as total from found) as counted
    left join (select seq, ${rank} as rank from found order by rank, seq desc
      limit ${limit} offset ${offset}) as page on 1 = 1
    order by page.rank, page.seq desc`
}

/**
 * Any of the values of `search`, words in their order with the beginning of the last one, in the
 * title or the body. Posts that the index does not hold as they are are looked into.
 */
export function filterByFullText(
  db: Database,
  value: RawBuilder<unknown>,
  { attribute, values }: SearchFilter,
): RawBuilder<SqlBool> {
  const parts = values.map(valueAsked).filter(({ words }) => words.length > 0)
  if (parts.length === 0) return sql<SqlBool>`1 = 0`
  const place = attribute === 'title' ? 'title' : 'body'
  const match = compileMatch(db, parts, { place, of: 'any' })
  return sql<SqlBool>`post.seq in (
    select seq from (${matchingSeqs(db, match)} order by seq desc limit ${sql.lit(LISTED_MAX)}) as matching
    union all select post.seq from post
      where post.seq in (select pending.seq from "searchPost" as pending where pending.title is null)
        and ${searchSql(db, value, values)})`
}
