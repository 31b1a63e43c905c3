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
  | { value: RawBuilder<unknown>; isText?: true }
  | { hasAny: (values: FilterValue[]) => RawBuilder<SqlBool> }
  | OwnColumn

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
}

/**
 * The parts of the SELECT that shows one page; `inOrder` turns what it gives into the order asked
 * for.
 */
export type Page = {
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
  const isReversed = query.cursor?.direction === 'before'
  const parts = [scope, ...query.filters.map((filter) => filterSql(db, source, filter))]
  if (query.cursor) parts.push(await pastCursor(db, source, { cursor: query.cursor, terms, scope }))
  return {
    where: joined(parts, 'and'),
    orderBy: sql.join(
      terms.map(
        ({ value, direction }) =>
          sql`${value} ${sql.raw((direction === 'asc') === isReversed ? 'desc' : 'asc')}`,
      ),
    ),
    limit: query.limit,
    offset: query.offset,
    isReversed,
  }
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
  const where = joined(
    [scope, ...query.filters.map((filter) => filterSql(db, source, filter))],
    'and',
  )
  const counted = sql<{ total: number }>`
    select count(*) as total from (select 1 as one from ${sql.table(source.table)} where ${where} limit ${TOTAL_MAX}) as counted`
  const { rows } = await counted.execute(db)
  return Number(rows[0]?.total ?? 0)
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
      return searchSql(db, value, filter.values)
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

type CursorPlace = { cursor: Cursor; terms: Term[]; scope: RawBuilder<SqlBool> }

/** Rows after the cursor's row in the (reversed) order: the first differing term decides. */
async function pastCursor(
  db: Database,
  source: ListSource,
  { cursor, terms, scope }: CursorPlace,
): Promise<RawBuilder<SqlBool>> {
  const names = terms.map((_term, index) => `t${index}`)
  const found = sql<Record<string, string | number>>`
    select ${sql.join(terms.map(({ value }, index) => sql`${value} as ${sql.ref(`t${index}`)}`))}
    from ${sql.table(source.table)} where ${source.id} = ${cursor.id} and ${scope}`
  const { rows } = await found.execute(db)
  const at = rows[0]
  if (!at) throw new Refusal('general_cursor_not_found')
  const cursorTerms = terms.map(({ value, direction }, index) => ({
    value,
    at: at[names[index] ?? ''],
    operator: sql.raw((direction === 'asc') === (cursor.direction === 'after') ? '>' : '<'),
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
