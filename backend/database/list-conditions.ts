// One condition of a list query -> SQL, the same on SQLite and PostgreSQL. Values are always bound;
// names of columns come from the list's own table of columns, never from a request. Independent of
// domains.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { byCodePoint, containsText, containsTextIgnoringCase, isShared } from './dialect.ts'
import type { Filter, FilterValue, PlainFilter } from './queries.ts'
import type { Database, Tables } from './schema.ts'

/**
 * One attribute: a value that is never null (`isText` compares by code point, and is so `inIndex`),
 * or a set that rows are asked to hold.
 */
export type ListColumn = ValueColumn | SetColumn | OwnColumn

type ValueColumn = {
  value: RawBuilder<unknown>
  isText?: true | 'inIndex'
  /** By an index of words. */
  search?: (db: Database, value: RawBuilder<unknown>, filter: SearchFilter) => RawBuilder<SqlBool>
}
type SetColumn = { hasAny: (values: FilterValue[]) => RawBuilder<SqlBool> }

export type SearchFilter = Extract<PlainFilter, { method: 'search' }>

/** Brings its SQL itself; `terms` order by it, one after another, and are never null. */
export type OwnColumn = {
  matches: (db: Database, filter: PlainFilter) => RawBuilder<SqlBool>
  terms: (db: Database) => RawBuilder<unknown>[]
}

/** The columns behind the attributes of a list. */
type Conditions = { table: keyof Tables; columns: Readonly<Record<string, ListColumn>> }

const OPERATORS = {
  notEqual: '<>',
  lessThan: '<',
  lessThanEqual: '<=',
  greaterThan: '>',
  greaterThanEqual: '>=',
} as const

export function joined(parts: (RawBuilder<SqlBool> | undefined)[], word: 'and' | 'or') {
  const given = parts.filter((part) => part !== undefined)
  return sql<SqlBool>`(${sql.join(given, sql.raw(` ${word} `))})`
}

function bound(value: FilterValue): string | number {
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
    return joined(
      filter.filters.map((one) => filterSql(db, source, one)),
      filter.method,
    )
  }
  const column = columnOf(source, filter.attribute)
  if ('hasAny' in column) return setSql(column, filter)
  return 'matches' in column ? column.matches(db, filter) : valueSql(db, column, filter)
}

export function valueSql(
  db: Database,
  column: ValueColumn,
  filter: PlainFilter,
): RawBuilder<SqlBool> {
  const { value } = column
  switch (filter.method) {
    case 'equal': {
      const compared = column.isText === 'inIndex' ? comparable(db, column) : value
      return sql`${compared} in (${sql.join(filter.values.map(bound))})`
    }
    case 'notEqual':
    case 'lessThan':
    case 'lessThanEqual':
    case 'greaterThan':
    case 'greaterThanEqual':
      return sql`${comparable(db, column)} ${sql.raw(OPERATORS[filter.method])} ${bound(filter.values[0])}`
    case 'between':
      return sql`${comparable(db, column)} between ${bound(filter.values[0])} and ${bound(filter.values[1])}`
    case 'startsWith':
      return startsWithSql(comparable(db, column), filter.values[0])
    case 'endsWith':
      return endsWithSql(value, filter.values[0])
    case 'contains':
      return joined(
        filter.values.map((one) => containsText(db, value, String(one))),
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

/** Where the attribute has no value both a condition and its opposite are false. */
function notSql(db: Database, source: Conditions, filter: PlainFilter): RawBuilder<SqlBool> {
  const { attribute } = filter
  const hasValue = filterSql(db, source, { method: 'isNotNull', attribute })
  const isTrue = sql`case when ${filterSql(db, source, filter)} then 1 else 0 end`
  return joined([hasValue, sql<SqlBool>`${isTrue} = 0`], 'and')
}

/** Any of the words; a text without words is found nowhere. */
export function searchSql(db: Database, value: RawBuilder<unknown>, words: string[]) {
  if (words.length === 0) return sql<SqlBool>`1 = 0`
  return joined(
    words.map((word) => containsTextIgnoringCase(db, value, word)),
    'or',
  )
}

/** As a range, which an index finds; LIKE would ignore case on SQLite. */
export function startsWithSql(value: RawBuilder<unknown>, start: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${value} >= ${start} and ${value} < ${start + BEHIND_ALL})`
}

/** The last code point of all, which stands for no sign, twice. */
const BEHIND_ALL = '\u{10ffff}\u{10ffff}'

function endsWithSql(value: RawBuilder<unknown>, end: string): RawBuilder<SqlBool> {
  // Written out: PostgreSQL could not tell the type of `length(x) - $1`.
  const chars = sql.raw(String([...end].length))
  return sql`(length(${value}) >= ${chars} and substr(${value}, length(${value}) - ${chars} + 1) = ${end})`
}

function setSql(column: SetColumn, filter: PlainFilter): RawBuilder<SqlBool> {
  if (filter.method === 'equal' || filter.method === 'contains') return column.hasAny(filter.values)
  // An empty set is no null (api.md §1.6); other methods have been refused.
  return filter.method === 'isNull' ? sql`1 = 0` : sql`1 = 1`
}

/** Whether one of the columns contains the text; A to Z are the same as a to z. */
export function anyContains(db: Database, columns: readonly string[], text: string | undefined) {
  if (text === undefined) return sql<SqlBool>`1 = 1`
  return joined(
    columns.map((name) => containsTextIgnoringCase(db, sql.ref(name), text)),
    'or',
  )
}

/** Where the JSON of a row is; `read` makes a value of it for the row, null when it has none. */
export type JsonSource = {
  json: RawBuilder<unknown>
  read: <Type>(value: RawBuilder<Type>) => RawBuilder<Type>
}
type Member = JsonSource & { name: string }
type Kind = 'text' | 'number' | 'boolean'

export function jsonColumn(source: JsonSource, name: string): OwnColumn {
  const member = { ...source, name }
  return {
    matches: (db, filter) => matches(db, member, filter),
    terms: (db) => orderTerms(db, member),
  }
}

function matches(db: Database, member: Member, filter: PlainFilter): RawBuilder<SqlBool> {
  switch (filter.method) {
    case 'equal':
      return hasAny(db, member, filter.values)
    case 'contains': {
      const texts = filter.values.filter((one) => typeof one === 'string')
      const parts = texts.map((one) => containsText(db, jsonMember(db, member, 'text'), one))
      return joined([hasAny(db, member, filter.values), ...parts], 'or')
    }
    case 'isNull':
    case 'isNotNull': {
      const found = member.read(sql<SqlBool>`${kindOf(db, member)} is not null`)
      return sql`coalesce(${found}, false) = ${sql.lit(filter.method === 'isNotNull')}`
    }
    case 'between': {
      const [low, high] = filter.values
      const { attribute } = filter
      const from = matches(db, member, { method: 'greaterThanEqual', attribute, values: [low] })
      const to = matches(db, member, { method: 'lessThanEqual', attribute, values: [high] })
      return joined([from, to], 'and')
    }
    default: {
      const [value] = filter.values
      const isText = filter.method === 'search' || typeof value === 'string'
      const kind = isText ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number'
      const column = { value: jsonMember(db, member, kind), ...(isText ? { isText } : {}) }
      return valueSql(db, column, filter)
    }
  }
}

/** Absent values come first, then booleans, numbers and texts; lists count as absent. */
function orderTerms(db: Database, member: Member): RawBuilder<unknown>[] {
  const text = byCodePoint(db, jsonMember(db, member, 'text'))
  const [number, boolean] = [jsonMember(db, member, 'number'), jsonMember(db, member, 'boolean')]
  return [
    sql`case when ${text} is not null then 3 when ${number} is not null then 2 when ${boolean} is not null then 1 else 0 end`,
    sql`coalesce(${number}, ${boolean}, 0)`,
    sql`coalesce(${text}, '')`,
  ]
}

// --- in the words of each database

const KINDS_OF_POSTGRES = { text: 'string', number: 'number', boolean: 'boolean' }
const CASTS_OF_POSTGRES = { text: '', number: '::double precision', boolean: '::boolean::int' }
const KINDS_OF_SQLITE = {
  ...{ text: ['text'], number: ['integer', 'real'], boolean: ['true', 'false'] },
}

/** The path of a member in SQLite. Names hold no quote (`isOwnName` of compat/attributes.ts). */
function pathOf({ name }: Member): string {
  return `$."${name}"`
}

/** What the value is; null where the member is absent. */
function kindOf(db: Database, member: Member): RawBuilder<unknown> {
  const { json, name } = member
  return isShared(db)
    ? sql`jsonb_typeof(${json}::jsonb -> ${name}::text)`
    : sql`json_type(${json}, ${pathOf(member)})`
}

/** The member of a row; null where it is absent or of another kind. Booleans are 0 and 1. */
export function jsonMember(db: Database, member: Member, kind: Kind): RawBuilder<unknown> {
  const { json, name, read } = member
  if (isShared(db))
    return read(sql`case when ${kindOf(db, member)} = ${sql.lit(KINDS_OF_POSTGRES[kind])}
      then (${json}::jsonb ->> ${name}::text)${sql.raw(CASTS_OF_POSTGRES[kind])} end`)
  const kinds = KINDS_OF_SQLITE[kind].map((one) => sql.lit(one))
  return read(sql`case when ${kindOf(db, member)} in (${sql.join(kinds)})
    then json_extract(${json}, ${pathOf(member)}) end`)
}

/** Whether the member is one of the values, or a list that holds one. */
function hasAny(db: Database, member: Member, values: FilterValue[]): RawBuilder<SqlBool> {
  const { json, name, read } = member
  const each = values.map((value): RawBuilder<SqlBool> => {
    if (isShared(db))
      return sql`(${json}::jsonb -> ${name}::text) @> ${JSON.stringify(value)}::jsonb`
    const isSame =
      typeof value === 'boolean'
        ? sql`type = ${sql.lit(String(value))}`
        : typeof value === 'string'
          ? sql`type = 'text' and value = ${value}`
          : sql`type in ('integer', 'real') and value = ${value}`
    return sql`exists (select 1 from json_each(${json}, ${pathOf(member)}) where ${isSame})`
  })
  return read(joined(each, 'or'))
}
