// The public version (0100-schema/public-version.ts): what is made for readers is as it was while
// it is the same; and whether the database can be asked at all.
import { sql } from 'kysely'
import { prepared, rawIn } from './dialect.ts'
import type { Database } from './schema.ts'

/** `version` grows with every change of what readers can see but likes, which `likes` counts. */
export type PublicVersion = { version: number; likes: number }

export type ReadPublicVersion = () => Promise<PublicVersion>

/**
 * The version as it is committed at a moment after the call. One query answers all calls that came
 * before it began.
 *
 * @throws Refusal `general_service_disabled` while the database is away
 */
export function makeReadPublicVersion(db: Database): ReadPublicVersion {
  let next: Promise<PublicVersion> | undefined
  let running: Promise<unknown> = Promise.resolve()
  return () => {
    next ??= begin()
    return next
  }
  async function begin(): Promise<PublicVersion> {
    await running
    await new Promise(setImmediate)
    next = undefined
    const reading = read(db, {})
    running = reading.catch(() => undefined)
    const [row] = (await reading).rows
    if (!row) throw new Error('The table publicVersion has no row')
    return { version: Number(row.version), likes: Number(row.likes) }
  }
}

const read = prepared((db, _values: object) =>
  rawIn<PublicVersion>(
    db,
    sql`select sum(version) as version, sum(likes) as likes from ${sql.table('publicVersion')}`,
  ),
)

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
