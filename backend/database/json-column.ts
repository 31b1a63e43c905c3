// A member of a JSON object as a column of a list: its values may be texts, numbers, booleans or
// lists of them, and each kind is compared with its own kind only. Names and values are bound.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { byCodePoint, containsText, hasJsonMember, jsonMember, jsonMemberHas } from './dialect.ts'
import { endsWithSql, joined, OPERATORS, type OwnColumn, searchSql } from './list-conditions.ts'
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
    case 'contains':
      return joined(
        [
          hasAny(db, member, filter.values),
          ...filter.values.map((one) =>
            typeof one === 'string'
              ? containsText(db, valueIn(db, member, 'text'), one)
              : undefined,
          ),
        ],
        'or',
      )
    case 'search':
      return searchSql(db, valueIn(db, member, 'text'), filter.values)
    case 'notEqual':
    case 'lessThan':
    case 'lessThanEqual':
    case 'greaterThan':
    case 'greaterThanEqual':
      return compared(db, member, OPERATORS[filter.method], filter.values[0])
    case 'between': {
      const [low, high] = filter.values
      return sql`(${compared(db, member, '>=', low)} and ${compared(db, member, '<=', high)})`
    }
    case 'startsWith': {
      const [text] = filter.values
      return sql`substr(${valueIn(db, member, 'text')}, 1, ${[...text].length}) = ${text}`
    }
    case 'endsWith':
      return endsWithSql(valueIn(db, member, 'text'), filter.values[0])
    case 'isNull':
      return sql`coalesce(${member.read(hasJsonMember(db, member.json, member.name))}, false) = false`
    case 'isNotNull':
      return sql`coalesce(${member.read(hasJsonMember(db, member.json, member.name))}, false) = true`
    default:
      throw new Refusal(
        'general_argument_invalid',
        `Invalid query: Cannot query ${(filter as PlainFilter).method} on attribute "${member.name}".`,
      )
  }
}

function hasAny(db: Database, { json, name, read }: Member, values: FilterValue[]) {
  const each = values.map((value) => jsonMemberHas(db, json, { name, value }))
  return read(joined(each, 'or'))
}

function valueIn(db: Database, { json, name, read }: Member, type: 'text' | 'number' | 'boolean') {
  const value = read(jsonMember(db, json, { name, type }))
  return type === 'text' ? byCodePoint(db, value) : value
}

/** A row whose value is of another kind, or absent, is none of them. */
function compared(
  db: Database,
  member: Member,
  operator: string,
  value: FilterValue,
): RawBuilder<SqlBool> {
  const type = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'
  const given = typeof value === 'boolean' ? Number(value) : value
  return sql<SqlBool>`${valueIn(db, member, type)} ${sql.raw(operator)} ${given}`
}

/** Absent values come first, then booleans, numbers and texts; lists count as absent. */
function orderTerms(db: Database, member: Member): RawBuilder<unknown>[] {
  const [text, number, boolean] = (['text', 'number', 'boolean'] as const).map((type) =>
    valueIn(db, member, type),
  )
  return [
    sql`case when ${text} is not null then 3 when ${number} is not null then 2 when ${boolean} is not null then 1 else 0 end`,
    sql`coalesce(${number}, ${boolean}, 0)`,
    sql`coalesce(${text}, '')`,
  ]
}
