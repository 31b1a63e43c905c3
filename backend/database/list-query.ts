// A checked list query (queries.ts) -> order, page and counts of one table, the same on SQLite and
// PostgreSQL; its conditions are in list-conditions.ts. Independent of domains.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import { byCodePoint, unionPart } from './dialect.ts'
import {
  columnOf,
  comparable,
  filterSql,
  joinConditions,
  type ListColumn,
} from './list-conditions.ts'
import {
  type Cursor,
  type Filter,
  type ListQuery,
  type QuerySchema,
  readQueries,
} from './queries.ts'
import type { Database, Tables } from './schema.ts'

/**
 * What a list call may touch. `columns` has an entry for every filterable attribute of the list's
 * `QuerySchema`.
 */
export type ListSource = {
  table: keyof Tables
  seq: RawBuilder<unknown>
  id: RawBuilder<unknown>
  columns: Readonly<Record<string, ListColumn>>
  /** The ranges that are read in place of `table`; without them all of it that is in scope. */
  ranges?: readonly IndexRange[]
  /** Another condition of each row, which ends a scan that takes too long (scan.ts). */
  isInTime?: RawBuilder<SqlBool>
}

/** What a list may be asked for, with the column of its table, or the SQL, behind each. */
export type ListAttributes = Readonly<
  Record<string, QuerySchema[string] & { column: string | RawBuilder<unknown> }>
>

function listOf(table: keyof Tables, attributes: ListAttributes, seq: RawBuilder<unknown>) {
  const columns = Object.entries(attributes).map(([name, { type, column }]) => {
    const value = typeof column === 'string' ? sql.ref(`${table}.${column}`) : column
    return [name, type === 'string' ? { value, isText: true } : { value }]
  })
  return { table, seq, id: sql.ref(`${table}.id`), columns: Object.fromEntries(columns) }
}

/** The order of rows that have no number: by their time of creation, and then by their id. */
export function byCreation(db: Database, table: keyof Tables): RawBuilder<unknown> {
  return byCodePoint(db, sql`(${sql.ref(`${table}.createdAt`)} || ${sql.ref(`${table}.id`)})`)
}

/**
 * Rows in scope that an index has in the order asked for. No row is in two ranges of a list, and
 * each row in scope is in one: what they give is merged, and no more than a page is read of each.
 */
export type IndexRange = {
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** They replace those of the source, where `from` has them itself. */
  seq?: RawBuilder<unknown>
  columns?: Readonly<Record<string, ListColumn>>
  /** Conditions of the query that `from` and `where` answer already. */
  answered?: readonly Filter[]
}

/** One call of a list, within the scope of its caller. */
export type ListCall = { source: ListSource; query: ListQuery; scope: RawBuilder<SqlBool> }

type Term = { value: RawBuilder<unknown>; direction: 'asc' | 'desc' }

type PageCall = Pick<ListCall, 'scope'> & {
  table: keyof Tables
  attributes: ListAttributes
  /** The order of creation. */
  seq: RawBuilder<unknown>
  queries: string[] | undefined
  role: 'user' | 'key'
  /** False: `total` is 0. */
  hasTotal?: boolean
}

/**
 * One page of a list of whole rows, and how many rows there are on all pages.
 *
 * @throws Refusal as {@link readQueries}, also for `select`, and as {@link listRows}
 */
export async function readPage<Row>(
  db: Database,
  { table, attributes, seq, scope, queries, role, hasTotal = true }: PageCall,
): Promise<{ total: number; rows: Row[] }> {
  const query = readQueries(queries, attributes, { role })
  if (query.select) throw new Refusal('general_argument_invalid', 'Invalid query method: select')
  const call = { source: listOf(table, attributes, seq), query, scope }
  const rows = await listRows<Row>(db, call)
  return { rows, total: hasTotal ? await countRows(db, call) : 0 }
}

/**
 * The rows of one page of a list without ranges, in the order asked for. The cursor's row must be
 * in the scope, too.
 *
 * @throws Refusal `general_cursor_not_found`
 * @source api.md §3.4 "Order and cursors"
 */
async function listRows<Row>(db: Database, call: ListCall): Promise<Row[]> {
  const whole = sql`${sql.table(call.source.table)}.*`
  const page = selectPage<Row>(db, call, await findCursor(db, call), () => whole)
  const { rows } = await page.execute(db)
  return isReversed(call.query) ? rows.toReversed() : rows
}

/**
 * The SELECT of one page of a list; from its end where the query {@link isReversed}. Each range,
 * and each piece of one, is in the order asked for: both databases merge them as they go, without
 * sorting.
 */
export function selectPage<Row = { seq: number }>(
  db: Database,
  call: ListCall,
  at: CursorValues,
  shown = (seq: RawBuilder<unknown>) => sql`${seq} as seq`,
): RawBuilder<Row> {
  const { source, query } = call
  const { cursor, limit, offset } = query
  const selects = selectsOf(db, call, (own) =>
    cursor ? past(own, at, cursor.direction) : [undefined],
  )
  const rows = sql`limit ${limit} offset ${offset}`
  const [only] = selects
  if (only && selects.length === 1)
    return sql<Row>`select ${shown(only.seq)} from ${only.from}
      where ${only.where} order by ${orderSql(only.own, query)} ${rows}`
  const each = selects.map(({ seq, from, own, where }) =>
    unionPart(db, sql`select ${shown(seq)}, ${namedTerms(own)} from ${from} where ${where}`, {
      orderBy: orderSql(own, query),
      limit: offset + limit,
    }),
  )
  const merged = orderTerms(db, source, query).map((term, index) => ({
    ...term,
    value: sql.ref(`t${index}`),
  }))
  return sql<Row>`select * from (${sql.join(each, sql` union all `)}
    order by ${orderSql(merged, query)} ${rows}) as page`
}

type Select = Pick<IndexRange, 'from' | 'where'> & { seq: RawBuilder<unknown>; own: Term[] }

/** @param piecesOf parts of a range that have no row in common */
function selectsOf(
  db: Database,
  { source, query, scope }: ListCall,
  piecesOf: (own: Term[]) => (RawBuilder<SqlBool> | undefined)[],
): Select[] {
  const ranges = source.ranges ?? [{ from: sql.table(source.table), where: scope }]
  return ranges.flatMap((range) => {
    const own = orderTerms(db, inRange(source, range), query)
    const parts = matching(db, source, query, range)
    const { from, seq = source.seq } = range
    return piecesOf(own).map((piece) => ({
      from,
      seq,
      own,
      where: joinConditions([...parts, piece], 'and'),
    }))
  })
}

export function isReversed({ cursor }: ListQuery): boolean {
  return cursor?.direction === 'before'
}

function orderSql(terms: Term[], query: ListQuery): RawBuilder<unknown> {
  const turned = isReversed(query)
  return sql.join(
    terms.map(
      ({ value, direction }) =>
        sql`${value} ${sql.raw((direction === 'asc') === turned ? 'desc' : 'asc')}`,
    ),
  )
}

/** How many rows match within the scope, on all pages; counting stops at 5000. */
export async function countRows(db: Database, call: ListCall): Promise<number> {
  return readCount((await selectCount(db, call).execute(db)).rows)
}

export function readCount(rows: { total: number }[]): number {
  return Number(rows[0]?.total ?? 0)
}

export function selectCount(db: Database, call: ListCall): RawBuilder<{ total: number }> {
  return countOf(selectsOf(db, call, () => [undefined]))
}

function countOf(selects: Select[]): RawBuilder<{ total: number }> {
  const each = selects.map(({ from, where }) => sql`select 1 as one from ${from} where ${where}`)
  return sql`select count(*) as total from (${sql.join(each, sql` union all `)} limit ${TOTAL_MAX}) as counted`
}

/**
 * Counts the rows that match within the scope in front of the page that begins behind the query's
 * cursor, in the order asked for, up to 5000.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function selectCountBefore(db: Database, call: ListCall) {
  const at = await findCursor(db, call)
  return countOf(
    selectsOf(db, call, (own) => {
      const itself = own.map(({ value }, index) => sql<SqlBool>`${value} = ${at[index]}`)
      return [...past(own, at, 'before'), joinConditions(itself, 'and')]
    }),
  )
}

function inRange(source: ListSource, { seq = source.seq, columns }: IndexRange): ListSource {
  return { ...source, seq, columns: { ...source.columns, ...columns } }
}

function matching(db: Database, source: ListSource, { filters }: ListQuery, range: IndexRange) {
  const asked = filters.filter((filter) => !range.answered?.includes(filter))
  const conditions = asked.map((filter) => filterSql(db, inRange(source, range), filter))
  return [range.where, source.isInTime, ...conditions]
}

/** The order asked for, made total by the order of creation, ascending. */
function orderTerms(db: Database, source: ListSource, { order, isRandom }: ListQuery): Term[] {
  if (isRandom) return [{ value: sql`random()`, direction: 'asc' }]
  const terms: Term[] = []
  for (const { attribute, direction } of order) {
    if (attribute === undefined || attribute === '$sequence')
      return [...terms, { value: source.seq, direction }]
    const column = columnOf(source, attribute)
    if ('hasAny' in column) throw new Error(`${attribute} was let through for an order`)
    terms.push({ value: column.order ?? comparable(db, column), direction })
  }
  return [...terms, { value: source.seq, direction: 'asc' }]
}

function namedTerms(terms: Term[]): RawBuilder<unknown> {
  return sql.join(terms.map(({ value }, index) => sql`${value} as ${sql.ref(`t${index}`)}`))
}

/** The values in the cursor's row by which the list is in order. */
export type CursorValues = (string | number | undefined)[]

/** @throws Refusal `general_cursor_not_found` */
export async function findCursor(db: Database, { source, query, scope }: ListCall) {
  const { cursor } = query
  if (!cursor) return []
  const terms = orderTerms(db, source, query)
  const found = sql<Record<string, string | number>>`select ${namedTerms(terms)}
    from ${sql.table(source.table)} where ${source.id} = ${cursor.id} and ${scope}`
  const [at] = (await found.execute(db)).rows
  if (!at) throw new Refusal('general_cursor_not_found')
  return terms.map((_term, index) => at[`t${index}`])
}

/**
 * Rows beyond the cursor's row in the order, in pieces that have no row in common: of each the
 * first differing term decides. Each piece is one range of an index.
 */
function past(terms: Term[], at: CursorValues, where: Cursor['direction']): RawBuilder<SqlBool>[] {
  return terms.map(({ value, direction }, index) => {
    const operator = sql.raw((direction === 'asc') === (where === 'after') ? '>' : '<')
    const same = terms
      .slice(0, index)
      .map((before, place) => sql<SqlBool>`${before.value} = ${at[place]}`)
    return joinConditions([...same, sql<SqlBool>`${value} ${operator} ${at[index]}`], 'and')
  })
}
