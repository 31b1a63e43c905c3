// A checked list query (queries.ts) -> order, page and counts of one table, the same on
// SQLite and PostgreSQL; its conditions are in list-conditions.ts. Knows no domain.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import { mergedPart } from './dialect.ts'
import { columnOf, comparable, filterSql, joined, type ListColumn } from './list-conditions.ts'
import type { Cursor, Filter, ListQuery } from './queries.ts'
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
  /** What is gone through in the place of `table`; without them all of it, as far as in scope. */
  lanes?: readonly Lane[]
}

/**
 * Rows in scope that an index has in the order asked for. No row is in two lanes of a list, and
 * each row in scope is in one: what they give is merged, and no more than a page is read of each.
 */
export type Lane = {
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  /** In the place of those of the source, where `from` has them itself. */
  seq?: RawBuilder<unknown>
  columns?: Readonly<Record<string, ListColumn>>
  /** Conditions of the query that `from` and `where` answer already. */
  answered?: readonly Filter[]
}

type Term = { value: RawBuilder<unknown>; direction: 'asc' | 'desc' }

/**
 * The rows of one page of a list without lanes, in the order asked for.
 *
 * @param scope  what the caller may read at all; the cursor's row must match it, too
 * @throws Refusal `general_cursor_not_found`
 * @source api.md §3.4 "Order and cursors"
 */
export async function listRows<Row>(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<Row[]> {
  const terms = orderTerms(db, source, query)
  const parts = matching(db, source, query, { from: sql.table(source.table), where: scope })
  const at = await findCursor(db, source, { query, terms, scope })
  const [first] = terms
  if (query.cursor && first) {
    const operator = sql.raw((first.direction === 'asc') === isAfter(query) ? '>=' : '<=')
    // The first term alone again, so that an index on it can be entered at the cursor.
    parts.push(
      sql`${first.value} ${operator} ${at[0]}`,
      joined(past(terms, at, query.cursor.direction), 'or'),
    )
  }
  const { rows } = await sql<Row>`select * from ${sql.table(source.table)}
    where ${joined(parts, 'and')} order by ${orderSql(terms, query)}
    limit ${query.limit} offset ${query.offset}`.execute(db)
  return isReversed(query) ? rows.toReversed() : rows
}

function isAfter({ cursor }: ListQuery): boolean {
  return cursor?.direction === 'after'
}

/**
 * The SELECT of the `seq` of one page of a list with lanes; from its end where the query
 * {@link isReversed}.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function selectPage(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<RawBuilder<{ seq: number }>> {
  const terms = orderTerms(db, source, query)
  const at = await findCursor(db, source, { query, terms, scope })
  const selects = lanesOf(source, scope).flatMap((lane) => {
    const own = orderTerms(db, inLane(source, lane), query)
    const parts = matching(db, source, query, lane)
    const pieces = query.cursor ? past(own, at, query.cursor.direction) : [undefined]
    return pieces.map((piece) => ({ lane, own, where: joined([...parts, piece], 'and') }))
  })
  return pageOf(db, source, query, selects)
}

type Select = { lane: Lane; own: Term[]; where: RawBuilder<SqlBool> }

/** Each lane in the order asked for: both databases merge them as they go, without sorting. */
function pageOf(
  db: Database,
  source: ListSource,
  query: ListQuery,
  selects: Select[],
): RawBuilder<{ seq: number }> {
  const rows = sql`limit ${query.limit} offset ${query.offset}`
  const [only] = selects
  if (only && selects.length === 1)
    return sql`select ${only.lane.seq ?? source.seq} as seq from ${only.lane.from}
      where ${only.where} order by ${orderSql(only.own, query)} ${rows}`
  const each = selects.map(({ lane, own, where }) => {
    const values = own.map(({ value }, index) => sql`${value} as ${sql.ref(`t${index}`)}`)
    const select = sql`select ${lane.seq ?? source.seq} as seq, ${sql.join(values)} from ${lane.from} where ${where}`
    return mergedPart(db, select, {
      orderBy: orderSql(own, query),
      limit: query.offset + query.limit,
    })
  })
  const merged = only?.own.map((term, index) => ({ ...term, value: sql.ref(`t${index}`) })) ?? []
  return sql`select seq from (${sql.join(each, sql` union all `)}
    order by ${orderSql(merged, query)} ${rows}) as page`
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
export async function countRows(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<number> {
  return readCount(db, selectCount(db, source, query, scope))
}

export async function readCount(
  db: Database,
  select: RawBuilder<{ total: number }>,
): Promise<number> {
  return Number((await select.execute(db)).rows[0]?.total ?? 0)
}

export function selectCount(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): RawBuilder<{ total: number }> {
  return countOf(
    lanesOf(source, scope).map((lane) => ({ lane, parts: matching(db, source, query, lane) })),
  )
}

function countOf(
  selects: { lane: Lane; parts: RawBuilder<SqlBool>[] }[],
): RawBuilder<{ total: number }> {
  const each = selects.map(
    ({ lane, parts }) => sql`select 1 as one from ${lane.from} where ${joined(parts, 'and')}`,
  )
  return sql`select count(*) as total from (${sql.join(each, sql` union all `)} limit ${TOTAL_MAX}) as counted`
}

/**
 * Counts the rows that match within the scope in front of the page that begins behind the query's
 * cursor, in the order asked for, up to 5000.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function selectBefore(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<RawBuilder<{ total: number }>> {
  const terms = orderTerms(db, source, query)
  const at = await findCursor(db, source, { query, terms, scope })
  return countOf(
    lanesOf(source, scope).flatMap((lane) => {
      const own = orderTerms(db, inLane(source, lane), query)
      const itself = own.map(({ value }, index) => sql<SqlBool>`${value} = ${at[index]}`)
      return [...past(own, at, 'before'), joined(itself, 'and')].map((piece) => ({
        lane,
        parts: [...matching(db, source, query, lane), piece],
      }))
    }),
  )
}

function lanesOf({ table, lanes }: ListSource, scope: RawBuilder<SqlBool>): readonly Lane[] {
  return lanes ?? [{ from: sql.table(table), where: scope }]
}

function inLane(source: ListSource, { seq = source.seq, columns }: Lane): ListSource {
  return { ...source, seq, columns: { ...source.columns, ...columns } }
}

function matching(
  db: Database,
  source: ListSource,
  { filters }: ListQuery,
  lane: Lane,
): RawBuilder<SqlBool>[] {
  const asked = filters.filter((filter) => !lane.answered?.includes(filter))
  return [lane.where, ...asked.map((filter) => filterSql(db, inLane(source, lane), filter))]
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
    if ('terms' in column) terms.push(...column.terms(db).map((value) => ({ value, direction })))
    else terms.push({ value: comparable(db, column), direction })
  }
  return [...terms, { value: source.seq, direction: 'asc' }]
}

type CursorPlace = { query: ListQuery; terms: Term[]; scope: RawBuilder<SqlBool> }

/** The values of the terms in the cursor's row. @throws Refusal `general_cursor_not_found` */
async function findCursor(
  db: Database,
  source: ListSource,
  { query, terms, scope }: CursorPlace,
): Promise<(string | number | undefined)[]> {
  const { cursor } = query
  if (!cursor) return []
  const values = terms.map(({ value }, index) => sql`${value} as ${sql.ref(`t${index}`)}`)
  const found = sql<Record<string, string | number>>`select ${sql.join(values)}
    from ${sql.table(source.table)} where ${source.id} = ${cursor.id} and ${scope}`
  const { rows } = await found.execute(db)
  const at = rows[0]
  if (!at) throw new Refusal('general_cursor_not_found')
  return terms.map((_term, index) => at[`t${index}`])
}

/**
 * Rows beyond the cursor's row in the order, in pieces that have no row in common: of each the
 * first differing term decides. Each piece is one range of an index.
 */
function past(
  terms: Term[],
  at: (string | number | undefined)[],
  where: Cursor['direction'],
): RawBuilder<SqlBool>[] {
  return terms.map(({ value, direction }, index) => {
    const operator = sql.raw((direction === 'asc') === (where === 'after') ? '>' : '<')
    const same = terms
      .slice(0, index)
      .map((before, place) => sql<SqlBool>`${before.value} = ${at[place]}`)
    return joined([...same, sql<SqlBool>`${value} ${operator} ${at[index]}`], 'and')
  })
}
