// How PostgreSQL goes through the index of words (decision 0044). A GIN index puts all posts of a
// beginning together before the first one comes out, and the planner knows neither what that costs
// nor how many posts hold one of many rare words. So the way is chosen here, by how many posts of a
// sample hold each word: rare words are looked up, frequent ones are looked for in the posts that
// those gave, and where only frequent ones are asked for, the newest posts are gone along.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './schema.ts'
import { asTsquery, type Match, wordsIn } from './word-index.ts'

/** In microseconds, for one post that an index entry holds, that is read then, that is passed. */
const ENTRY_US = 0.2
const READ_US = 5
const PASSED_US = 2.5
/** At least so many, at most twice, if there are as many. */
const SAMPLE_POSTS = 128

/** Of all posts, by tsquery, the share that holds a word. */
export type Sample = { posts: number; shares: Map<string, number> }

export function noSample(): Sample {
  return { posts: 0, shares: new Map() }
}

/**
 * The newest posts that match and may be seen, as many as `limit`.
 *
 * @param sample shared by the matches of one search
 */
export async function newestByWords(
  db: Database,
  { match, visible }: { match: Match; visible: RawBuilder<SqlBool> },
  { limit, sample }: { limit: number; sample: Sample },
): Promise<number[]> {
  await addShares(db, match, sample)
  const way = chooseWay(match, limit, sample)
  if (way.walk !== undefined) {
    const found = await walkNewest(match, way.walk, { visible, limit }).execute(db)
    if (found.rows.length === limit) return found.rows.map(({ seq }) => Number(seq))
  }
  const { rows } = await lookUpWords(way, { visible, limit }).execute(db)
  return rows.map(({ seq }) => Number(seq))
}

async function addShares(db: Database, match: Match, sample: Sample): Promise<void> {
  const asked = new Set(wordsIn(match).map((word) => asTsquery({ word })))
  const unknown = [...asked].filter((one) => !sample.shares.has(one))
  if (unknown.length === 0) return
  const holding = unknown.map((one) => sql`count(*) filter (where words @@ ${one}::tsquery)`)
  // At even distances, always about the same ones: nobody can write what decides for all, and they
  // stay in memory.
  const { rows } = await sql<{ looked: number; posts: number | null; holding: number[] }>`
    with whole as materialized (select max(seq) as posts from "searchPost"),
      places as materialized (select array_agg(place) as all_places from whole,
        generate_series(1, posts, greatest(1, posts / ${SAMPLE_POSTS}::bigint)) as place)
    select count(*) as looked, (select posts from whole) as posts, array[${sql.join(holding)}] as holding
    from "searchPost" where seq = any ((select all_places from places)::bigint[])`.execute(db)
  const looked = Number(rows[0]?.looked ?? 0)
  sample.posts = Number(rows[0]?.posts ?? 0)
  // A word that none of them holds may be held by others.
  for (const [at, one] of unknown.entries())
    sample.shares.set(one, (Number(rows[0]?.holding[at] ?? 0) + 0.5) / (looked + 1))
}

/** Tsqueries; `walk`: among how many of the newest posts to look before the index is asked. */
export type Way = { lookedUp: string; lookedFor: string[]; walk: number | undefined }

/** The cheapest, as far as all posts are like the sample. */
export function chooseWay(match: Match, limit: number, sample: Sample): Way {
  const { posts } = sample
  const parts = ('all' in match ? match.all : [match])
    .map((part) => ({ query: asTsquery(part), ...expect(part, sample) }))
    .sort((a, b) => a.share - b.share)
  let [entries, share, best, bestUs] = [0, 1, 1, Number.POSITIVE_INFINITY]
  for (const [at, part] of parts.entries()) {
    entries += part.entries
    share *= part.share
    const us = posts * (entries * ENTRY_US + share * READ_US)
    if (us < bestUs) [best, bestUs] = [at + 1, us]
  }
  const passed = limit / share
  const isWalk = passed < posts && passed * PASSED_US < bestUs
  const queries = parts.map(({ query }) => query)
  return {
    lookedUp: queries.slice(0, best).join(' & '),
    lookedFor: [...queries.slice(best), ...('but' in match ? [`!${asTsquery(match.but)}`] : [])],
    // Most of the newest posts may be drafts. It never takes longer than looking the words up.
    walk: isWalk ? Math.ceil(bestUs / PASSED_US) : undefined,
  }
}

/**
 * As shares of all posts: `entries` of the index are put together, and `share` of the posts match,
 * if by chance.
 */
function expect(match: Match, sample: Sample): { entries: number; share: number } {
  if ('word' in match) {
    const share = sample.shares.get(asTsquery(match)) ?? 1
    return { entries: share, share }
  }
  const parts = ('any' in match ? match.any : match.all).map((one) => expect(one, sample))
  const entries = parts.reduce((sum, one) => sum + one.entries, 0)
  if ('any' in match) return { entries, share: Math.min(1, entries) }
  return { entries, share: parts.reduce((product, { share }) => product * share, 1) }
}

/** Hidden from the planner, which would look all words up that it can. */
function holds(queries: string[]): RawBuilder<SqlBool> {
  return queries.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`ts_match_vq(words, ${queries.join(' & ')}::tsquery)`
}

type Asked = { visible: RawBuilder<SqlBool>; limit: number }

/** Not yet executed: a test asks for its plan. */
export function walkNewest(match: Match, among: number, { visible, limit }: Asked) {
  return sql<{ seq: number }>`select "searchPost".seq from "searchPost"
    where "searchPost".seq > (select max(seq) from "searchPost") - ${among}::bigint
      and ${holds([asTsquery(match)])} and ${visible}
    order by "searchPost".seq desc limit ${limit}`
}

/**
 * Put in order behind the index: the planner may not go along the newest posts instead. Not yet
 * executed: a test asks for its plan.
 */
export function lookUpWords({ lookedUp, lookedFor }: Omit<Way, 'walk'>, { visible, limit }: Asked) {
  return sql<{ seq: number }>`select "searchPost".seq from "searchPost"
    where words @@ ${lookedUp}::tsquery and ${holds(lookedFor)} and ${visible}
    order by "searchPost".seq + 0 desc limit ${limit}`
}
