// Steps that migrations share.
import { type Kysely, sql } from 'kysely'

/** The primary key `seq`, counting up and never reused. */
export function sequenceColumn(isPostgres: boolean): string {
  return isPostgres
    ? 'seq bigint generated always as identity primary key'
    : 'seq integer primary key autoincrement'
}

/** Hears how far a migration has come. */
export type NoteProgress = (done: number, all: number) => void

/** What a file of `migrations/` has: statements, or, where they are not all, what it does. */
export type OwnMigration = {
  statements?: (isPostgres: boolean) => string[]
  up?: (db: Kysely<unknown>, noteProgress: NoteProgress) => Promise<void>
}

export async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Names of the columns of a table, in their order; none when there is no such table. */
export async function columnsOf(db: Kysely<unknown>, table: string): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
}

/** The type of a column of text that rows which are there have empty. */
export const TEXT = "text not null default ''"

/** Adds a column, unless it is there. */
export async function addColumn(db: Kysely<unknown>, table: string, name: string, type: string) {
  if (!(await columnsOf(db, table)).includes(name))
    await runAll(db, [`alter table "${table}" add column "${name}" ${type}`])
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
