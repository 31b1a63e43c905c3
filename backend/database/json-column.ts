// A member of a JSON object as a column of a list: its values may be texts, numbers, booleans or
// lists of them, and each kind is compared with its own kind only. Names and values are bound.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { byCodePoint, containsText, hasJsonMember, jsonMember, jsonMemberHas } from './dialect.ts'
import { joined, type OwnColumn, valueSql } from './list-conditions.ts'
import type { FilterValue, PlainFilter } from './queries.ts'
import type { Database } from './schema.ts'

/** Where the JSON of a row is; `read` makes a value of it for the row, null when it has none. */
export type JsonSource = {
  json: RawBuilder<unknown>
  read: <Type>(value: RawBuilder<Type>) => RawBuilder<Type>
}

type Member = JsonSource & { name: string }

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
      const parts = texts.map((one) => containsText(db, valueIn(db, member, 'text'), one))
      return joined([hasAny(db, member, filter.values), ...parts], 'or')
    }
    case 'isNull':
    case 'isNotNull': {
      const found = member.read(hasJsonMember(db, member.json, member.name))
      return sql`coalesce(${found}, false) = ${sql.lit(filter.method === 'isNotNull')}`
    }
    case 'between': {
      const { attribute, values } = filter
      const [low, high] = values
      const from = matches(db, member, { method: 'greaterThanEqual', attribute, values: [low] })
      const to = matches(db, member, { method: 'lessThanEqual', attribute, values: [high] })
      return joined([from, to], 'and')
    }
    default: {
      const [value] = filter.values
      const type = filter.method === 'search' ? 'text' : kindOf(value)
      const column = { value: valueIn(db, member, type), ...(type === 'text' ? TEXT : {}) }
      return valueSql(db, column, filter)
    }
  }
}

const TEXT = { isText: true } as const

function kindOf(value: FilterValue | undefined): 'text' | 'number' | 'boolean' {
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? 'number' : 'text'
}

function hasAny(db: Database, { json, name, read }: Member, values: FilterValue[]) {
  const each = values.map((value) => jsonMemberHas(db, json, { name, value }))
  return read(joined(each, 'or'))
}

/** A row whose value is of another kind, or absent, has none. */
function valueIn(db: Database, { json, name, read }: Member, type: 'text' | 'number' | 'boolean') {
  return read(jsonMember(db, json, { name, type }))
}

/** Absent values come first, then booleans, numbers and texts; lists count as absent. */
function orderTerms(db: Database, member: Member): RawBuilder<unknown>[] {
  const text = byCodePoint(db, valueIn(db, member, 'text'))
  const [number, boolean] = [valueIn(db, member, 'number'), valueIn(db, member, 'boolean')]
  return [
    sql`case when ${text} is not null then 3 when ${number} is not null then 2 when ${boolean} is not null then 1 else 0 end`,
    sql`coalesce(${number}, ${boolean}, 0)`,
    sql`coalesce(${text}, '')`,
  ]
}
