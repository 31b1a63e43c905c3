// Describes the tables of an archive from a database, the same on SQLite and PostgreSQL. Columns
// have a fixed order: the primary key, then the others by name.
import type { RawDatabase } from '../backups/raw-database.ts'
import { DATA_TABLES } from './data-tables.ts'

/** `bytes` are base64 in JSON. */
export type ColumnType = 'text' | 'integer' | 'bytes'
export type Column = { name: string; type: ColumnType; isNullable: boolean; isKey: boolean }

const TYPES: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  blob: 'bytes',
  bytea: 'bytes',
}
/** Triggers count it while the likes are copied. */
const COUNTED = 'likes'

const ON_SQLITE = `select name, lower(type) as type, "notnull" as required, pk as key
  from pragma_table_info($1)`
const ON_POSTGRES = `select attname as name, format_type(atttypid, null) as type,
    attnotnull::int as required, coalesce(array_position(indkey::int2[], attnum) + 1, 0) as key
  from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
  where attrelid = ('"' || $1 || '"')::regclass and attnum > 0 and not attisdropped`

/** The columns of a table that an archive has. */
export async function readColumns(database: RawDatabase, table: string): Promise<Column[]> {
  const rows = await database.query(database.major === 0 ? ON_SQLITE : ON_POSTGRES, [table])
  const { derived = {} } = DATA_TABLES[table] ?? {}
  return rows
    .filter(({ name }) => name !== COUNTED && !Object.hasOwn(derived, String(name)))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (String(a.name) < String(b.name) ? -1 : 1))
    .map(({ name, type, required, key }) => ({
      name: String(name),
      type: typeOf(table, String(type)),
      isNullable: Number(required) === 0 && Number(key) === 0,
      isKey: Number(key) > 0,
    }))
}

function rankOf({ key }: { key?: unknown }): number {
  return Number(key) || Number.MAX_SAFE_INTEGER
}

function typeOf(table: string, name: string): ColumnType {
  const type = TYPES[name]
  if (type === undefined) throw new Error(`The table "${table}" has a column of the type ${name}`)
  return type
}

/** The primary key for `order by`, in the order of bytes on both databases. */
export function orderOf({ major }: RawDatabase, columns: readonly Column[]): string[] {
  const keys = columns.filter(({ isKey }) => isKey)
  return keys.map(({ name, type }) =>
    major > 0 && type === 'text' ? `"${name}" collate "C"` : `"${name}"`,
  )
}
