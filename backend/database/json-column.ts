// A member of a JSON object as a column of a list: its values may be texts, numbers, booleans or
// lists of them, and each kind is compared with its own kind only. Names and values are bound.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { byCodePoint, containsText, isShared } from './dialect.ts'
import { joined, type OwnColumn, valueSql } from './list-conditions.ts'
import type { FilterValue, PlainFilter } from './queries.ts'
import type { Database } from './schema.ts'

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

/** The path of a member in SQLite. Names hold no quote (`isOwnName` of compat/names.ts). */
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
