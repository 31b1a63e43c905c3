// SQL for backup runs, which operators requested or which were due.
import { type Selectable, sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import type { BackupRunTable } from '../database/operator-tables.ts'
import type { Database } from '../database/schema.ts'

export type BackupRun = Selectable<BackupRunTable>

const RUNS_MAX = 200

/** Adds a run, unless its night has one; deletes old runs. @returns whether the run was added */
export async function addRun(tx: Database, run: BackupRun): Promise<boolean> {
  const insert = tx.insertInto('backupRun').values(run)
  const added = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  const newest = tx.selectFrom('backupRun').select('id').orderBy('id', 'desc').limit(RUNS_MAX)
  const ids = (await newest.execute()).map(({ id }) => id)
  await tx.deleteFrom('backupRun').where('id', 'not in', ids).execute()
  return Number(added.numInsertedOrUpdatedRows) === 1
}

/** Newest first. */
export async function listRuns(db: Database): Promise<BackupRun[]> {
  const rows = await db.selectFrom('backupRun').selectAll().orderBy('id', 'desc').execute()
  return rows.map((row) => ({
    ...row,
    doneBytes: Number(row.doneBytes),
    totalBytes: Number(row.totalBytes),
    sizeBytes: Number(row.sizeBytes),
  }))
}

/**
 * Claims a run that waits, or whose process has ended. Of two processes only one succeeds.
 *
 * @param claim no other process claims the run before its `aliveUntil`
 */
export async function claimRun(
  db: Database,
  run: Pick<BackupRun, 'id' | 'aliveUntil'>,
  claim: Pick<BackupRun, 'aliveUntil' | 'host' | 'attempts' | 'folder'>,
): Promise<boolean> {
  const update = db.updateTable('backupRun').set({ ...claim, state: 'running' })
  const unclaimed = update.where('id', '=', run.id).where('aliveUntil', '=', run.aliveUntil)
  return (await unclaimed.returning('id').executeTakeFirst()) !== undefined
}

export async function changeRun(db: Database, id: string, change: Partial<BackupRun>) {
  await db.updateTable('backupRun').set(change).where('id', '=', id).execute()
}

/** @returns whether the run existed */
export async function deleteRun(db: Database, filter: { id: string } | { name: string }) {
  const deletion = db.deleteFrom('backupRun').where((where) => where.and(filter))
  return (await deletion.returning('id').execute()).length > 0
}

export async function measureFiles(db: Database): Promise<{ files: number; filesBytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*) as files, coalesce(sum(${sql.ref('sizeBytes')}), 0) as bytes
    from file`.execute(db)
  return { files: Number(rows[0]?.files ?? 0), filesBytes: Number(rows[0]?.bytes ?? 0) }
}

export async function measureDatabase(db: Database): Promise<number> {
  const size = isShared(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`select page_count * page_size as bytes
        from pragma_page_count(), pragma_page_size()`
  return Number((await size.execute(db)).rows[0]?.bytes ?? 0)
}
