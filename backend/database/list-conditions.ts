// Translates a condition of a list query into SQL for SQLite and PostgreSQL. Values are always
// bound; column names come from the list's definition, never from a request. Independent of
// domains.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { byCodePoint, containsText, containsTextIgnoringCase } from './dialect.ts'
import type { Filter, FilterValue, PlainFilter } from './queries.ts'
import type { Database, Tables } from './schema.ts'

/**
 * An attribute: either a single value (with `isText` it is compared by code point, and with
 * `inIndex` its index is in that order, too), or a set of values.
 */
export type ListColumn = ValueColumn | SetColumn

type ValueColumn = {
  value: RawBuilder<unknown>
  /** Orders rows; needed where `value` may be null. */
  order?: RawBuilder<unknown>
  isText?: true | 'inIndex'
  /** Searches an index of words. */
  search?: (db: Database, value: RawBuilder<unknown>, filter: SearchFilter) => RawBuilder<SqlBool>
}
type SetColumn = { hasAny: (values: FilterValue[]) => RawBuilder<SqlBool> }

export type SearchFilter = Extract<PlainFilter, { method: 'search' }>

/** The columns behind the attributes of a list. */
type Conditions = { table: keyof Tables; columns: Readonly<Record<string, ListColumn>> }

const OPERATORS = {
  notEqual: '<>',
  lessThan: '<',
  lessThanEqual: '<=',
  greaterThan: '>',
  greaterThanEqual: '>=',
} as const

export function joinConditions(parts: (RawBuilder<SqlBool> | undefined)[], word: 'and' | 'or') {
  const conditions = parts.filter((part) => part !== undefined)
  return sql<SqlBool>`(${sql.join(conditions, sql.raw(` ${word} `))})`
}

function toParameter(value: FilterValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

export function columnOf(source: Conditions, attribute: string): ListColumn {
  const column = Object.hasOwn(source.columns, attribute) ? source.columns[attribute] : undefined
  if (!column) throw new Error(`The list of ${source.table} has no column for ${attribute}`)
  return column
}

export function comparable(db: Database, column: ValueColumn): RawBuilder<unknown> {
  return column.isText ? byCodePoint(db, column.value) : column.value
}

export function filterSql(db: Database, source: Conditions, filter: Filter): RawBuilder<SqlBool> {
  if (filter.method === 'not') return notSql(db, source, filter.filters[0])
  if ('filters' in filter) {
    return joinConditions(
      filter.filters.map((part) => filterSql(db, source, part)),
      filter.method,
    )
  }
  const column = columnOf(source, filter.attribute)
  if ('hasAny' in column) return setSql(column, filter)
  return valueSql(db, column, filter)
}

function valueSql(db: Database, column: ValueColumn, filter: PlainFilter): RawBuilder<SqlBool> {
  const { value } = column
  switch (filter.method) {
    case 'equal': {
      const compared = column.isText === 'inIndex' ? comparable(db, column) : value
      return sql`${compared} in (${sql.join(filter.values.map(toParameter))})`
    }
    case 'notEqual':
    case 'lessThan':
    case 'lessThanEqual':
    case 'greaterThan':
    case 'greaterThanEqual':
      return sql`${comparable(db, column)} ${sql.raw(OPERATORS[filter.method])} ${toParameter(filter.values[0])}`
    case 'between':
      return sql`${comparable(db, column)} between ${toParameter(filter.values[0])} and ${toParameter(filter.values[1])}`
    case 'startsWith':
      return startsWithSql(comparable(db, column), filter.values[0])
    case 'endsWith':
      return endsWithSql(value, filter.values[0])
    case 'contains':
      return joinConditions(
        filter.values.map((needle) => containsText(db, value, String(needle))),
        'or',
      )
    case 'search':
      return column.search ? column.search(db, value, filter) : searchSql(db, value, filter.values)
    case 'isNull':
      return sql`${value} is null`
    case 'isNotNull':
      return sql`${value} is not null`
  }
}

/** Where the attribute has no value, a condition and its negation are both false. */
function notSql(db: Database, source: Conditions, filter: PlainFilter): RawBuilder<SqlBool> {
  const { attribute } = filter
  const hasValue = filterSql(db, source, { method: 'isNotNull', attribute })
  const isTrue = sql`case when ${filterSql(db, source, filter)} then 1 else 0 end`
  return joinConditions([hasValue, sql<SqlBool>`${isTrue} = 0`], 'and')
}

/** Matches any of the words; without words, nothing. */
export function searchSql(db: Database, value: RawBuilder<unknown>, words: string[]) {
  if (words.length === 0) return sql<SqlBool>`1 = 0`
  return joinConditions(
    words.map((word) => containsTextIgnoringCase(db, value, word)),
    'or',
  )
}

/** A range that an index can use; LIKE would ignore case on SQLite. */
export function startsWithSql(value: RawBuilder<unknown>, start: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${value} >= ${start} and ${value} < ${start + AFTER_ALL_TEXTS})`
}

/** The highest code point, which is not a character, twice. */
const AFTER_ALL_TEXTS = '\u{10ffff}\u{10ffff}'

function endsWithSql(value: RawBuilder<unknown>, end: string): RawBuilder<SqlBool> {
  // Inlined, because PostgreSQL cannot infer the type of `length(x) - $1`.
  const chars = sql.raw(String([...end].length))
  return sql`(length(${value}) >= ${chars} and substr(${value}, length(${value}) - ${chars} + 1) = ${end})`
}

function setSql(column: SetColumn, filter: PlainFilter): RawBuilder<SqlBool> {
  if (filter.method === 'equal' || filter.method === 'contains') return column.hasAny(filter.values)
  // An empty set is not null (api.md §1.6). Other methods have been refused already.
  return filter.method === 'isNull' ? sql`1 = 0` : sql`1 = 1`
}

/** Whether one of the columns contains the text; the case of A to Z is ignored. */
export function anyContains(db: Database, columns: readonly string[], text: string | undefined) {
  if (text === undefined) return sql<SqlBool>`1 = 1`
  return joinConditions(
    columns.map((name) => containsTextIgnoringCase(db, sql.ref(name), text)),
    'or',
  )
}
