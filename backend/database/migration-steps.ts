// Steps that migrations share.
import { sql } from 'kysely'
import type { AnyDatabase } from './dialect.ts'

/** The primary key `seq`, counting up and never reused. */
export function sequenceColumn(isPostgres: boolean): string {
  return isPostgres
    ? 'seq bigint generated always as identity primary key'
    : 'seq integer primary key autoincrement'
}

export async function runStatements(db: AnyDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
