// Checks that the database can be read and written.
import { sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Writes and reads the lock row of the migrations, which nothing else uses while the server runs.
 * Its value does not change.
 *
 * @throws when the database cannot be written or read
 */
export async function probeDatabase(db: Database): Promise<void> {
  await sql`update kysely_migration_lock set is_locked = is_locked`.execute(db)
  await sql`select is_locked from kysely_migration_lock`.execute(db)
}
