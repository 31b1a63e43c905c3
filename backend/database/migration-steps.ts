// Steps that migrations share.
import { type Kysely, sql } from 'kysely'

/** Hears how far a migration has come. */
export type NoteProgress = (done: number, all: number) => void

export async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Names of the columns of a table, in their order; none when there is no such table. */
export async function columnsOf(db: Kysely<unknown>, table: string): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
}

/** Adds a column of text, unless it is there. */
export async function addText(db: Kysely<unknown>, table: string, name: string, value = '') {
  if ((await columnsOf(db, table)).includes(name)) return
  await sql`alter table ${sql.id(table)} add column ${sql.id(name)} text not null
    default ${sql.lit(value)}`.execute(db)
}

/** Goes over all posts by their numbers, some at a time. */
export async function inBatches(
  db: Kysely<unknown>,
  size: number,
  work: (batch: string) => Promise<unknown>,
  noteProgress?: NoteProgress,
): Promise<void> {
  const { rows } = await sql<{ last: unknown }>`select max(seq) as last from post`.execute(db)
  const last = Number(rows[0]?.last ?? 0)
  for (let from = 0; from < last; from += size) {
    await work(`seq > ${from} and seq <= ${from + size}`)
    noteProgress?.(Math.min(from + size, last), last)
  }
}
