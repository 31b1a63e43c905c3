// Translates a checked list query (queries.ts) into SQL for a page and counts of one table, on
// SQLite and PostgreSQL; conditions are in list-conditions.ts. Independent of domains.
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
 * The source of a list. `columns` has an entry for every filterable attribute of its `QuerySchema`.
 */
export type ListSource = {
  table: keyof Tables
  seq: RawBuilder<unknown>
  id: RawBuilder<unknown>
  columns: Readonly<Record<string, ListColumn>>
  /** Ranges of indexes to read instead of `table`; without them the whole scope is read. */
  ranges?: readonly IndexRange[]
  /** A condition, checked for each row, that ends a scan after its time limit (scan.ts). */
  isInTime?: RawBuilder<SqlBool>
}

/** The attributes of a list, each with its column or SQL. */
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

/** The order of rows without `seq`: by time of creation, then by id. */
export function byCreation(db: Database, table: keyof Tables): RawBuilder<unknown> {
  return byCodePoint(db, sql`(${sql.ref(`${table}.createdAt`)} || ${sql.ref(`${table}.id`)})`)
}

/**
 * Rows in scope that an index has in the requested order. Each row in scope is in exactly one range
 * of the list. The ranges are merged, and at most one page is read from each.
 */
export type IndexRange = {
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** Used instead of those of the source when `from` has its own. */
  seq?: RawBuilder<unknown>
  columns?: Readonly<Record<string, ListColumn>>
  /** Conditions of the query that `from` and `where` cover already. */
  covered?: readonly Filter[]
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
  /** If false, `total` is 0. */
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
 * The rows of one page of a list without ranges, in the requested order. The cursor's row must be
 * in the scope.
 *
 * @throws Refusal `general_cursor_not_found`
 * @source api.md §3.4 "Order and cursors"
 */
async function listRows<Row>(db: Database, call: ListCall): Promise<Row[]> {
  const allColumns = sql`${sql.table(call.source.table)}.*`
  const page = selectPage<Row>(db, call, await findCursor(db, call), () => allColumns)
  const { rows } = await page.execute(db)
  return isReversed(call.query) ? rows.toReversed() : rows
}

/**
 * The SELECT of one page of a list; in reverse order if {@link isReversed}. Each range, and each
 * piece of one, is in the requested order: both databases merge them without sorting.
 */
export function selectPage<Row = { seq: number }>(
  db: Database,
  call: ListCall,
  cursorValues: CursorValues,
  selectColumns = (seq: RawBuilder<unknown>) => sql`${seq} as seq`,
): RawBuilder<Row> {
  const { source, query } = call
  const { cursor, limit, offset } = query
  const selects = selectsOf(db, call, (terms) =>
    cursor ? beyondCursor(terms, cursorValues, cursor.direction) : [undefined],
  )
  const rows = sql`limit ${limit} offset ${offset}`
  const [only] = selects
  if (only && selects.length === 1)
    return sql<Row>`select ${selectColumns(only.seq)} from ${only.from}
      where ${only.where} order by ${orderSql(only.terms, query)} ${rows}`
  const parts = selects.map(({ seq, from, terms, where }) =>
    unionPart(
      db,
      sql`select ${selectColumns(seq)}, ${namedTerms(terms)} from ${from} where ${where}`,
      {
        orderBy: orderSql(terms, query),
        limit: offset + limit,
      },
    ),
  )
  const merged = orderTerms(db, source, query).map((term, index) => ({
    ...term,
    value: sql.ref(`t${index}`),
  }))
  return sql<Row>`select * from (${sql.join(parts, sql` union all `)}
    order by ${orderSql(merged, query)} ${rows}) as page`
}

type Select = Pick<IndexRange, 'from' | 'where'> & { seq: RawBuilder<unknown>; terms: Term[] }

/** @param piecesOf splits a range into disjoint parts */
function selectsOf(
  db: Database,
  { source, query, scope }: ListCall,
  piecesOf: (terms: Term[]) => (RawBuilder<SqlBool> | undefined)[],
): Select[] {
  const ranges = source.ranges ?? [{ from: sql.table(source.table), where: scope }]
  return ranges.flatMap((range) => {
    const terms = orderTerms(db, inRange(source, range), query)
    const parts = matching(db, source, query, range)
    const { from, seq = source.seq } = range
    return piecesOf(terms).map((piece) => ({
      from,
      seq,
      terms,
      where: joinConditions([...parts, piece], 'and'),
    }))
  })
}

export function isReversed({ cursor }: ListQuery): boolean {
  return cursor?.direction === 'before'
}

function orderSql(terms: Term[], query: ListQuery): RawBuilder<unknown> {
  const isReverse = isReversed(query)
  return sql.join(
    terms.map(
      ({ value, direction }) =>
        sql`${value} ${sql.raw((direction === 'asc') === isReverse ? 'desc' : 'asc')}`,
    ),
  )
}

/** Number of matching rows in scope, on all pages; counting stops at 5000. */
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
  const parts = selects.map(({ from, where }) => sql`select 1 as one from ${from} where ${where}`)
  return sql`select count(*) as total from (${sql.join(parts, sql` union all `)} limit ${TOTAL_MAX}) as counted`
}

/**
 * Counts the matching rows in scope before the page that begins after the query's cursor, up to
 * 5000.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function selectCountBefore(db: Database, call: ListCall) {
  const cursorValues = await findCursor(db, call)
  return countOf(
    selectsOf(db, call, (terms) => {
      const isCursorRow = terms.map(
        ({ value }, index) => sql<SqlBool>`${value} = ${cursorValues[index]}`,
      )
      return [...beyondCursor(terms, cursorValues, 'before'), joinConditions(isCursorRow, 'and')]
    }),
  )
}

function inRange(source: ListSource, { seq = source.seq, columns }: IndexRange): ListSource {
  return { ...source, seq, columns: { ...source.columns, ...columns } }
}

function matching(db: Database, source: ListSource, { filters }: ListQuery, range: IndexRange) {
  const remaining = filters.filter((filter) => !range.covered?.includes(filter))
  const conditions = remaining.map((filter) => filterSql(db, inRange(source, range), filter))
  return [range.where, source.isInTime, ...conditions]
}

/**
 * The requested order, then the order of creation (ascending), so that the whole order is total.
 */
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

/** The values of the cursor's row in the terms of the order. */
export type CursorValues = (string | number | undefined)[]

/** @throws Refusal `general_cursor_not_found` */
export async function findCursor(db: Database, { source, query, scope }: ListCall) {
  const { cursor } = query
  if (!cursor) return []
  const terms = orderTerms(db, source, query)
  const select = sql<Record<string, string | number>>`select ${namedTerms(terms)}
    from ${sql.table(source.table)} where ${source.id} = ${cursor.id} and ${scope}`
  const [row] = (await select.execute(db)).rows
  if (!row) throw new Refusal('general_cursor_not_found')
  return terms.map((_term, index) => row[`t${index}`])
}

/**
 * Conditions for rows after (or before) the cursor's row, one for each term that may be the first
 * to differ. They are disjoint, and each is one range of an index.
 */
function beyondCursor(
  terms: Term[],
  cursorValues: CursorValues,
  side: Cursor['direction'],
): RawBuilder<SqlBool>[] {
  return terms.map(({ value, direction }, index) => {
    const operator = sql.raw((direction === 'asc') === (side === 'after') ? '>' : '<')
    const equal = terms
      .slice(0, index)
      .map((previous, position) => sql<SqlBool>`${previous.value} = ${cursorValues[position]}`)
    return joinConditions(
      [...equal, sql<SqlBool>`${value} ${operator} ${cursorValues[index]}`],
      'and',
    )
  })
}
