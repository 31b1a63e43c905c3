// Whether the database can be asked at all.
import { sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Writes and reads a row that every database of ours has and that nothing else uses while the
 * server runs: the lock of the migrations. It stays as it is.
 *
 * @throws when the database cannot be written or read
 */
export async function probeDatabase(db: Database): Promise<void> {
  await sql`update kysely_migration_lock set is_locked = is_locked`.execute(db)
  await sql`select is_locked from kysely_migration_lock`.execute(db)
}
