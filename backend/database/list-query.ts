// A checked list query (contract/queries.ts) -> conditions, order and page of one table, the same
// on SQLite and PostgreSQL. Values are always bound; names of columns come from the table's own
// `ListSource`, never from a request. Knows no domain.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { TOTAL_MAX } from '#contract/limits.ts'
import type { Cursor, Filter, FilterValue, ListQuery, PlainFilter } from '#contract/queries.ts'
import { byCodePoint, containsText, containsTextIgnoringCase } from './dialect.ts'
import type { Database, Tables } from './schema.ts'

/**
 * One attribute: a value that is never null (`isText` compares by code point), or a set that rows
 * are asked to hold.
 */
type ListColumn =
  | {
      value: RawBuilder<unknown>
      isText?: true
      /** By an index of words, where the filter was looked up in it. */
      search?: (
        db: Database,
        value: RawBuilder<unknown>,
        filter: SearchFilter,
      ) => RawBuilder<SqlBool>
    }
  | { hasAny: (values: FilterValue[]) => RawBuilder<SqlBool> }
  | OwnColumn

export type SearchFilter = Extract<PlainFilter, { method: 'search' }>

/** Brings its SQL itself; `terms` order by it, one after another, and are never null. */
export type OwnColumn = {
  matches: (db: Database, filter: PlainFilter) => RawBuilder<SqlBool>
  terms: (db: Database) => RawBuilder<unknown>[]
}

/**
 * What a list call may touch. `columns` has an entry for every filterable attribute of the list's
 * `QuerySchema`.
 */
export type ListSource = {
  table: keyof Tables
  seq: RawBuilder<unknown>
  id: RawBuilder<unknown>
  columns: Readonly<Record<string, ListColumn>>
  /** What is gone through in the place of `table`; it holds that, too, and `where` joins them. */
  from?: RawBuilder<unknown>
  where?: RawBuilder<SqlBool>
  /** How the row of a cursor is found, which need not be among those: in `table` alone. */
  cursor?: ListSource
}

/**
 * The parts of the SELECT that shows one page; `inOrder` turns what it gives into the order asked
 * for.
 */
export type Page = {
  from: RawBuilder<unknown>
  where: RawBuilder<SqlBool>
  orderBy: RawBuilder<unknown>
  limit: number
  offset: number
  isReversed: boolean
}

const OPERATORS = {
  notEqual: '<>',
  lessThan: '<',
  lessThanEqual: '<=',
  greaterThan: '>',
  greaterThanEqual: '>=',
} as const

type Term = { value: RawBuilder<unknown>; direction: 'asc' | 'desc' }

/**
 * Makes the page of a query.
 *
 * @param scope  what the caller may read at all; the cursor's row must match it, too
 * @throws Refusal `general_cursor_not_found`
 * @source api.md §3.4 "Order and cursors"
 */
export async function readPage(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<Page> {
  const terms = orderTerms(db, source, query)
  const parts = matching(db, source, query, scope)
  if (query.cursor)
    parts.push(past(await findCursor(db, source, { query, terms, scope }), query.cursor.direction))
  return {
    from: fromOf(source),
    where: joined(parts, 'and'),
    orderBy: orderSql(terms, query),
    limit: query.limit,
    offset: query.offset,
    isReversed: isReversed(query),
  }
}

/** The order in which the rows of a page are brought (`inOrder`). */
export function orderOf(db: Database, source: ListSource, query: ListQuery): RawBuilder<unknown> {
  return orderSql(orderTerms(db, source, query), query)
}

function isReversed({ cursor }: ListQuery): boolean {
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

/** Rows of a page in the order asked for. */
export function inOrder<Row>({ isReversed }: Page, rows: Row[]): Row[] {
  return isReversed ? rows.toReversed() : rows
}

/** How many rows match within the scope, on all pages; counting stops at 5000. */
export async function countRows(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<number> {
  const where = joined(matching(db, source, query, scope), 'and')
  const counted = sql<{ total: number }>`
    select count(*) as total from (select 1 as one from ${fromOf(source)} where ${where} limit ${TOTAL_MAX}) as counted`
  const { rows } = await counted.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/**
 * How many rows match within the scope in front of the page that begins behind the query's cursor,
 * in the order asked for; counting stops at 5000.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function countBefore(
  db: Database,
  source: ListSource,
  query: ListQuery,
  scope: RawBuilder<SqlBool>,
): Promise<number> {
  const { cursor } = query
  if (!cursor) return 0
  const conditions = matching(db, source, query, scope)
  const terms = orderTerms(db, source, query)
  const at = await findCursor(db, source, { query, terms, scope })
  const before = past(at, 'before')
  // Two counts, not one with `or`: each finds its rows in an index, the row itself by all of it.
  const itself = joined(
    at.map((one) => sql<SqlBool>`${one.value} = ${one.at}`),
    'and',
  )
  const counted = sql<{ total: number }>`select
    (select count(*) from (select 1 as one from ${fromOf(source)} where ${joined([...conditions, before], 'and')} limit ${TOTAL_MAX}) as counted)
    + (select count(*) from ${fromOf(source)} where ${joined([...conditions, itself], 'and')}) as total`
  const { rows } = await counted.execute(db)
  return Math.min(Number(rows[0]?.total ?? 0), TOTAL_MAX)
}

function fromOf({ from, table }: ListSource): RawBuilder<unknown> {
  return from ?? sql.table(table)
}

function matching(
  db: Database,
  source: ListSource,
  { filters }: ListQuery,
  scope: RawBuilder<SqlBool>,
): RawBuilder<SqlBool>[] {
  const joins = source.where ? [source.where] : []
  return [...joins, scope, ...filters.map((filter) => filterSql(db, source, filter))]
}

function joined(parts: RawBuilder<SqlBool>[], word: 'and' | 'or'): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(parts, sql.raw(` ${word} `))})`
}

function bound(value: FilterValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

function columnOf(source: ListSource, attribute: string): ListColumn {
  const column = Object.hasOwn(source.columns, attribute) ? source.columns[attribute] : undefined
  if (!column) throw new Error(`The list of ${source.table} has no column for ${attribute}`)
  return column
}

function comparable(
  db: Database,
  column: { value: RawBuilder<unknown>; isText?: true },
): RawBuilder<unknown> {
  return column.isText ? byCodePoint(db, column.value) : column.value
}

function filterSql(db: Database, source: ListSource, filter: Filter): RawBuilder<SqlBool> {
  if (filter.method === 'not') return notSql(db, source, filter.filters[0])
  if ('filters' in filter) {
    return joined(
      filter.filters.map((one) => filterSql(db, source, one)),
      filter.method,
    )
  }
  const column = columnOf(source, filter.attribute)
  if ('hasAny' in column) return setSql(column, filter)
  if ('matches' in column) return column.matches(db, filter)
  const { value } = column
  switch (filter.method) {
    case 'equal':
      return sql`${value} in (${sql.join(filter.values.map(bound))})`
    case 'notEqual':
    case 'lessThan':
    case 'lessThanEqual':
    case 'greaterThan':
    case 'greaterThanEqual':
      return sql`${comparable(db, column)} ${sql.raw(OPERATORS[filter.method])} ${bound(filter.values[0])}`
    case 'between':
      return sql`${comparable(db, column)} between ${bound(filter.values[0])} and ${bound(filter.values[1])}`
    // LIKE would ignore case on SQLite and needs escaping: both databases know substr.
    case 'startsWith':
      return sql`substr(${value}, 1, ${charsOf(filter.values[0])}) = ${filter.values[0]}`
    case 'endsWith': {
      const chars = charsOf(filter.values[0])
      return sql`(length(${value}) >= ${chars} and substr(${value}, length(${value}) - ${chars} + 1) = ${filter.values[0]})`
    }
    case 'contains':
      return joined(
        filter.values.map((one) => containsText(db, value, String(one))),
        'or',
      )
    case 'search':
      return column.search && filter.indexed
        ? column.search(db, value, filter)
        : searchSql(db, value, filter.values)
    case 'isNull':
      return sql`${value} is null`
    case 'isNotNull':
      return sql`${value} is not null`
  }
}

/** Where the attribute has no value both a condition and its opposite are false. */
function notSql(db: Database, source: ListSource, filter: PlainFilter): RawBuilder<SqlBool> {
  const { attribute } = filter
  const hasValue = filterSql(db, source, { method: 'isNotNull', attribute })
  const isTrue = sql`case when ${filterSql(db, source, filter)} then 1 else 0 end`
  return joined([hasValue, sql<SqlBool>`${isTrue} = 0`], 'and')
}

/** Any of the words; a text without words is found nowhere. */
export function searchSql(
  db: Database,
  value: RawBuilder<unknown>,
  words: string[],
): RawBuilder<SqlBool> {
  if (words.length === 0) return sql<SqlBool>`1 = 0`
  return joined(
    words.map((word) => containsTextIgnoringCase(db, value, word)),
    'or',
  )
}

/** Whole numbers are written out: PostgreSQL could not tell the type of `length(x) - $1`. */
function charsOf(text: string): RawBuilder<number> {
  return sql.raw(String([...text].length))
}

function setSql(
  column: Extract<ListColumn, { hasAny: unknown }>,
  filter: Exclude<Filter, { filters: Filter[] }>,
): RawBuilder<SqlBool> {
  switch (filter.method) {
    case 'equal':
    case 'contains':
      return column.hasAny(filter.values)
    // An empty set is no null (api.md §1.6).
    case 'isNull':
      return sql`1 = 0`
    case 'isNotNull':
      return sql`1 = 1`
    default:
      throw new Error(`${filter.method} was let through for a set`)
  }
}

/** The order asked for, made total by the order of creation, ascending. */
function orderTerms(db: Database, source: ListSource, { order, isRandom }: ListQuery): Term[] {
  if (isRandom) return [{ value: sql`random()`, direction: 'asc' }]
  const terms: Term[] = []
  for (const { attribute, direction } of order) {
    if (attribute === undefined) return [...terms, { value: source.seq, direction }]
    const column = columnOf(source, attribute)
    if ('hasAny' in column) throw new Error(`${attribute} was let through for an order`)
    if ('terms' in column) terms.push(...column.terms(db).map((value) => ({ value, direction })))
    else terms.push({ value: comparable(db, column), direction })
  }
  return [...terms, { value: source.seq, direction: 'asc' }]
}

type CursorPlace = { query: ListQuery; terms: Term[]; scope: RawBuilder<SqlBool> }

/** A term of the order, and its value in the cursor's row. */
type CursorTerm = Term & { at: string | number | undefined }

/** @throws Refusal `general_cursor_not_found` */
async function findCursor(
  db: Database,
  source: ListSource,
  { query, terms, scope }: CursorPlace,
): Promise<CursorTerm[]> {
  const { cursor } = query
  if (!cursor) return []
  const own = source.cursor ? orderTerms(db, source.cursor, query) : terms
  const names = terms.map((_term, index) => `t${index}`)
  const found = sql<Record<string, string | number>>`
    select ${sql.join(own.map(({ value }, index) => sql`${value} as ${sql.ref(`t${index}`)}`))}
    from ${sql.table(source.table)} where ${source.id} = ${cursor.id} and ${scope}`
  const { rows } = await found.execute(db)
  const at = rows[0]
  if (!at) throw new Refusal('general_cursor_not_found')
  return terms.map((term, index) => ({ ...term, at: at[names[index] ?? ''] }))
}

/** Rows beyond the cursor's row in the order: the first differing term decides. */
function past(terms: CursorTerm[], where: Cursor['direction']): RawBuilder<SqlBool> {
  const cursorTerms = terms.map(({ value, at, direction }) => ({
    value,
    at,
    operator: sql.raw((direction === 'asc') === (where === 'after') ? '>' : '<'),
  }))
  const first = cursorTerms[0]
  const alternatives = cursorTerms.map((one, index) => {
    const same = cursorTerms
      .slice(0, index)
      .map((before) => sql<SqlBool>`${before.value} = ${before.at}`)
    return joined([...same, sql<SqlBool>`${one.value} ${one.operator} ${one.at}`], 'and')
  })
  // The first term alone again, so that an index on it can be entered at the cursor.
  const bounds = first ? [sql<SqlBool>`${first.value} ${first.operator}= ${first.at}`] : []
  return joined([...bounds, joined(alternatives, 'or')], 'and')
}
