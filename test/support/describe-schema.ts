// Describes a database schema with a line for each column, constraint, index, trigger and function,
// so that two can be compared however they were created. The order of columns, white space and
// quotes of names are left out: they have no effect.
import { sql } from 'kysely'
import { isShared } from '#backend/database/dialect.ts'
import type { Database } from '#backend/database/schema.ts'

export async function describeSchema(db: Database): Promise<string[]> {
  const queries = isShared(db) ? ON_POSTGRES : ON_SQLITE
  const lines: string[] = []
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(db)
    for (const row of rows) {
      const values = Object.values(row).map((value) => normalise(String(value)))
      lines.push(`${kind}: ${values.map(kind === 'check' ? firstBracketed : String).join(' | ')}`)
    }
  }
  return lines.toSorted()
}

function normalise(text: string): string {
  return text
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;]) ?/g, '$1')
    .trim()
    .replace(/^CREATE (TRIGGER|INDEX|UNIQUE INDEX)/, (words) => words.toLowerCase())
}

/** The bracketed expression at the start of a text: a table's check constraint. */
function firstBracketed(text: string): string {
  let open = 0
  const end = [...text].findIndex((character) => {
    if (character === '(') open++
    return character === ')' && --open === 0
  })
  return end < 0 ? text : text.slice(0, end + 1)
}

const SQLITE_TABLES = `(select name, sql from sqlite_master where type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like 'postWords\\_%' escape '\\') as t`

const ON_SQLITE = {
  column: `select t.name, c.name, lower(c.type), "notnull", dflt_value, pk, hidden
    from ${SQLITE_TABLES}, pragma_table_xinfo(t.name) as c`,
  'foreign key': `select t.name, f."table", f."from", f."to", on_update, on_delete
    from ${SQLITE_TABLES}, pragma_foreign_key_list(t.name) as f`,
  unique: `select t.name, i."unique", i.origin, i.partial,
      (select group_concat(x.name || x."desc" || x.coll) from pragma_index_xinfo(i.name) as x
        where x.key = 1)
    from ${SQLITE_TABLES}, pragma_index_list(t.name) as i`,
  autoincrement: `select name, sql like '%autoincrement%' from ${SQLITE_TABLES}`,
  check: `select name, substr(sql, instr(sql, 'check (')) from ${SQLITE_TABLES}
    where sql like '%check (%'`,
  virtual: `select sql from sqlite_master where sql like 'create virtual%'`,
  'index and trigger': `select type, tbl_name, sql from sqlite_master
    where type in ('index', 'trigger') and sql is not null`,
}

const POSTGRES_CLASS = `(
  select oid as "table", relname, relkind, relpersistence, reloptions from pg_class
  where relnamespace = current_schema()::regnamespace) as c`

const ON_POSTGRES = {
  column: `select c.relname, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, attstorage, attstattarget, collname, pg_get_expr(adbin, adrelid)
    from ${POSTGRES_CLASS} join pg_attribute on attrelid = "table" and attnum > 0
      and not attisdropped
    left join pg_attrdef on adrelid = "table" and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation where c.relkind = 'r'`,
  constraint: `select c.relname, conname, contype, pg_get_constraintdef(pg_constraint.oid)
    from ${POSTGRES_CLASS} join pg_constraint on conrelid = "table"`,
  index: `select pg_get_indexdef("table") from ${POSTGRES_CLASS} where relkind = 'i'`,
  trigger: `select pg_get_triggerdef(pg_trigger.oid)
    from ${POSTGRES_CLASS} join pg_trigger on tgrelid = "table" where not tgisinternal`,
  function: `select pg_get_functiondef(oid) from pg_proc
    where pronamespace = current_schema()::regnamespace`,
  'table, index and sequence': `select relname, relkind, relpersistence, reloptions
    from ${POSTGRES_CLASS}`,
}
