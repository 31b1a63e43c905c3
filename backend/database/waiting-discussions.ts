// Finds discussions with waiting comments or cases. A list then reads only the discussions that it
// may show, and skips no rows of others, however many wait there.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  isOneOfNumbers,
  jsonArray,
  jsonList,
  listParameter,
  textsTable,
  usingIndex,
} from './dialect.ts'
import type { Database } from './schema.ts'

/** How many discussions are examined, and how many of them a list reads. */
const FOUND_MAX = 1000
const SHOWN_MAX = 50

/** Waiting rows of a table, with an index that begins with `discussionSeq`. */
export type WaitingSource = {
  table: 'comment' | 'reportCase'
  index: string
  isWaiting: RawBuilder<SqlBool>
}

/**
 * @param isShown the condition on the post and its `author`
 * @returns undefined when there are too many
 */
export async function findWaitingDiscussions(
  db: Database,
  waiting: WaitingSource,
  isShown: RawBuilder<SqlBool>,
): Promise<number[] | undefined> {
  const { rows } = await selectWaitingDiscussions(db, waiting).execute(db)
  if (rows.length > FOUND_MAX) return undefined
  if (rows.length === 0) return []
  const seqs = rows.map(({ seq }) => Number(seq))
  const shown = db
    .selectFrom('discussion')
    .innerJoin('post', 'post.id', 'discussion.postId')
    .innerJoin('user as author', 'author.id', 'post.userId')
    .select('discussion.seq')
    .where(isOneOfNumbers(db, sql.ref('discussion.seq'), listParameter(db, seqs)))
    .where(isShown)
  const list = await shown.limit(SHOWN_MAX + 1).execute()
  return list.length > SHOWN_MAX ? undefined : list.map(({ seq }) => seq)
}

/** Takes one step along the index for each discussion. Exported for tests of query plans. */
export function selectWaitingDiscussions(db: Database, { table, index, isWaiting }: WaitingSource) {
  const discussionSeq = sql.ref(`${table}.discussionSeq`)
  const nextAfter = (seq: RawBuilder<unknown>) => sql`select min(${discussionSeq})
    from ${usingIndex(db, table, index)} where ${isWaiting} and ${discussionSeq} > ${seq}`
  return sql<{ seq: number }>`with recursive found(seq) as (
      ${nextAfter(sql`0`)}
      union all select (${nextAfter(sql`found.seq`)}) from found where found.seq is not null)
    select seq from found where seq is not null limit ${FOUND_MAX + 1}`
}

/** A waiting row, and its position in a list. */
export type WaitingRow = { seq: number; place: number }

type Range = {
  sortBy: 'seq' | 'place'
  direction: 'asc' | 'desc'
  cursor: number | undefined
  limit: number
}

/** The first waiting rows of some discussions. */
export async function listWaitingIn(
  db: Database,
  discussions: number[],
  { table, index, isWaiting }: WaitingSource,
  { sortBy, direction, cursor, limit }: Range,
): Promise<WaitingRow[]> {
  if (discussions.length === 0) return []
  const place = sql.ref(`${table}.${sortBy}`)
  const beyondCursor = sql`and ${place} ${sql.raw(direction === 'asc' ? '>' : '<')} ${cursor ?? null}`
  const part = sql`select ${sql.ref(`${table}.seq`)} as seq, ${place} as place
    from ${usingIndex(db, table, index)}
    where ${isWaiting} and ${sql.ref(`${table}.discussionSeq`)} = cast(discussions.value as bigint)
      ${cursor === undefined ? sql`` : beyondCursor}
    order by ${place} ${sql.raw(direction)} limit ${limit}`
  const row = jsonArray(db, sql.ref('part.seq'), sql.ref('part.place'))
  const list = jsonList(db, row, sql.ref('part.place'))
  const seqs = textsTable(db, listParameter(db, discussions.map(String)), 'discussions')
  const { rows } = await sql<{ list: string | null }>`
    select (select ${list} from (${part}) as part) as list from ${seqs}`.execute(db)
  const pairs = rows.flatMap((discussion): [number, number][] =>
    JSON.parse(discussion.list ?? '[]'),
  )
  const sign = direction === 'asc' ? 1 : -1
  return pairs
    .map(([seq, at]) => ({ seq, place: at }))
    .sort((a, b) => sign * (a.place - b.place))
    .slice(0, limit)
}
