// SQL of the sign-ins that are remembered of each user. Rows in, rows out; knows no rule.
import { sql } from 'kysely'
import type { Database, SignInLogRow } from '../database/schema.ts'

export async function insertLog(db: Database, row: SignInLogRow): Promise<void> {
  await db.insertInto('signInLog').values(row).execute()
}

/** Deletes all of a user but the newest `keep`. */
export async function trimLogs(db: Database, userId: string, keep: number): Promise<void> {
  const oldest = db
    .selectFrom('signInLog')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(keep)
    // SQLite takes no offset without a limit.
    .limit(keep)
  await db.deleteFrom('signInLog').where('id', 'in', oldest).execute()
}

export async function deleteLogsBefore(db: Database, time: string): Promise<void> {
  await db.deleteFrom('signInLog').where('createdAt', '<=', time).execute()
}

/** Newest first. */
export async function listLogs(
  db: Database,
  { userId, after }: { userId: string; after: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: SignInLogRow[] }> {
  const own = db.selectFrom('signInLog').where('userId', '=', userId).where('createdAt', '>', after)
  const rows = await own
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { total: Number(counted.total), rows }
}
