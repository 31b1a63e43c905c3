// SQL for imports and exports that are requested over the API, their pieces, and what imports leave
// out.

import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type {
  ArchivePieceRow,
  ArchiveRunRow,
  ArchiveRunTable,
  ImportIssueRow,
} from '../../database/archive-tables.ts'
import { isShared, withRowLock } from '../../database/dialect.ts'
import type { Database, Tables } from '../../database/schema.ts'
import type { Page } from '../../process/batches.ts'

export type Run = ArchiveRunRow
export type RunKind = Run['kind']
/** Null for the whole blog. */
export type OwnerId = string | null
export type RunChange = Partial<Omit<Run, 'id'>>

/** States in which a process works on the run, or is going to. */
export const WORK_STATES = ['checking', 'waiting', 'running', 'undoing'] as const

export const isIdle = ({ state }: Run): boolean => !WORK_STATES.some((work) => work === state)

/** The most runs of an owner that a list reads; older ones expire. */
const RUNS_MAX = 200

function toRun(row: Run): Run {
  return { ...row, sizeBytes: Number(row.sizeBytes) }
}

/** Runs are created one at a time, so that their bounds hold. */
export async function lockCreation(tx: Database): Promise<void> {
  if (isShared(tx)) await sql`lock table "archiveRun" in share row exclusive mode`.execute(tx)
}

export async function insertRun(tx: Database, run: Insertable<ArchiveRunTable>): Promise<Run> {
  const insert = tx.insertInto('archiveRun').values(run)
  return toRun(await insert.returningAll().executeTakeFirstOrThrow())
}

/** Newest first. */
export async function listRuns(db: Database, kind: RunKind, ownerId: OwnerId): Promise<Run[]> {
  const rows = db.selectFrom('archiveRun').selectAll().where('kind', '=', kind)
  const own = rows.where('userId', 'is not distinct from', ownerId)
  return (await own.orderBy('id', 'desc').limit(RUNS_MAX).execute()).map(toRun)
}

export async function findRun(db: Database, id: string): Promise<Run | undefined> {
  const row = await db.selectFrom('archiveRun').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

export async function lockRun(tx: Database, id: string): Promise<Run | undefined> {
  const rows = tx.selectFrom('archiveRun').selectAll().where('id', '=', id)
  const row = await withRowLock(tx, rows).executeTakeFirst()
  return row && toRun(row)
}

/** @returns whether the run exists */
export async function changeRun(db: Database, id: string, change: RunChange): Promise<boolean> {
  const update = db.updateTable('archiveRun').set(change).where('id', '=', id)
  return (await update.returning('id').executeTakeFirst()) !== undefined
}

function hasPieces(where: ExpressionBuilder<Tables, 'archiveRun'>) {
  const pieces = where.selectFrom('archivePiece').select('number')
  return where.exists(pieces.whereRef('archivePiece.runId', '=', 'archiveRun.id'))
}

/** The sizes of all runs whose bytes are stored, or being received. */
export async function listSizes(db: Database): Promise<Pick<Run, 'userId' | 'sizeBytes'>[]> {
  const rows = await db
    .selectFrom('archiveRun')
    .select(['userId', 'sizeBytes'])
    .where('state', 'not in', ['undone'])
    .where((where) =>
      where.or([where('kind', '=', 'export'), where('state', 'not in', ['done', 'undoing'])]),
    )
    .where((where) => where.or([where('state', '!=', 'failed'), hasPieces(where)]))
    .execute()
  return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }))
}

/** Deletes the run with its rows. @returns the stored names of its pieces */
export async function deleteRun(tx: Database, id: string): Promise<string[]> {
  const names = await deletePieces(tx, id)
  await tx.deleteFrom('archiveRun').where('id', '=', id).execute()
  return names
}

export async function listIdsOf(db: Database, userId: string): Promise<string[]> {
  const rows = db.selectFrom('archiveRun').select('id').where('userId', '=', userId)
  return (await rows.execute()).map(({ id }) => id)
}

/** Runs that have expired, and that no process works on. */
export async function listExpired(db: Database, at: string, limit: number): Promise<Run[]> {
  const rows = db.selectFrom('archiveRun').selectAll().where('expiresAt', '<', at)
  const expired = rows
    .where('state', 'not in', [...WORK_STATES])
    .orderBy('id')
    .limit(limit)
  return (await expired.execute()).map(toRun)
}

/** Failed imports that ended before, and whose upload is still stored. @returns ids */
export async function listFailedWithPieces(db: Database, before: string, limit: number) {
  const rows = await db
    .selectFrom('archiveRun')
    .select('id')
    .where('state', '=', 'failed')
    .where('endedAt', '<', before)
    .where(hasPieces)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes items of people who have no account any more. @returns whether there may be more */
export async function deleteItemsOfNobody(db: Database, limit: number): Promise<boolean> {
  const seqs = await db
    .selectFrom('importedItem')
    .leftJoin('user', 'user.id', 'importedItem.owner')
    .select('importedItem.seq')
    .where('importedItem.owner', '<>', '')
    .where('user.id', 'is', null)
    .limit(limit)
    .execute()
  const list = seqs.map(({ seq }) => seq)
  if (list.length > 0) await db.deleteFrom('importedItem').where('seq', 'in', list).execute()
  return list.length === limit
}

/** Which of these runs exist, with their states. */
export async function listStates(db: Database, ids: string[]) {
  if (ids.length === 0) return []
  const rows = db.selectFrom('archiveRun').select(['id', 'state']).where('id', 'in', ids)
  return await rows.execute()
}

// --- who works on a run

/** The run that has waited longest. */
export async function findWaiting(db: Database, at: string): Promise<Run | undefined> {
  const runs = db
    .selectFrom('archiveRun')
    .selectAll()
    .where('state', 'in', [...WORK_STATES])
  const unclaimed = runs.where('aliveUntil', '<=', at).orderBy('aliveUntil').limit(1)
  const row = await unclaimed.executeTakeFirst()
  return row && toRun(row)
}

/** Whether another run waits for a process. */
export async function hasOthersWaiting(db: Database, id: string, at: string): Promise<boolean> {
  const others = db.selectFrom('archiveRun').select('id').where('id', '!=', id)
  const waiting = others.where('state', 'in', [...WORK_STATES]).where('aliveUntil', '<=', at)
  return (await waiting.limit(1).executeTakeFirst()) !== undefined
}

/** Of two processes that claim the same run only one succeeds. */
export async function claimRun(db: Database, run: Run, claim: RunChange): Promise<boolean> {
  const unclaimed = db
    .updateTable('archiveRun')
    .set(claim)
    .where('id', '=', run.id)
    .where('state', '=', run.state)
    .where('worker', '=', run.worker)
    .where('aliveUntil', '=', run.aliveUntil)
  return (await unclaimed.returning('id').executeTakeFirst()) !== undefined
}

/** @returns undefined when the run is gone, or another process has claimed it */
export async function renewClaim(
  db: Database,
  { id, worker }: Run,
  change: RunChange,
): Promise<Pick<Run, 'state'> | undefined> {
  const update = db.updateTable('archiveRun').set(change).where('id', '=', id)
  return await update.where('worker', '=', worker).returning('state').executeTakeFirst()
}

/** The accounts of people with the right to decide whether a run may go on. */
export async function findPerson(db: Database, userId: string) {
  const people = db.selectFrom('user').select(['id', 'labels', 'isBlocked'])
  return await people.where('id', '=', userId).executeTakeFirst()
}

/** Which of these people exist and are not blocked. */
export async function listUsable(db: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const people = db.selectFrom('user').select('id').where('id', 'in', ids)
  return new Set((await people.where('isBlocked', '=', 0).execute()).map(({ id }) => id))
}

// --- pieces

export async function listPieces(db: Database, runId: string): Promise<ArchivePieceRow[]> {
  const pieces = db.selectFrom('archivePiece').selectAll().where('runId', '=', runId)
  const rows = await pieces.orderBy('number').execute()
  return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }))
}

export async function countPieces(db: Database, runIds: string[]): Promise<Map<string, number>> {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('archivePiece')
    .select((e) => ['runId', e.fn.countAll<number>().as('pieces')])
    .where('runId', 'in', runIds)
    .groupBy('runId')
    .execute()
  return new Map(rows.map(({ runId, pieces }) => [runId, Number(pieces)]))
}

export async function insertPiece(tx: Database, piece: ArchivePieceRow): Promise<void> {
  await tx.insertInto('archivePiece').values(piece).execute()
}

/** @returns the stored names of their bytes */
export async function deletePieces(tx: Database, runId: string): Promise<string[]> {
  const deletion = tx.deleteFrom('archivePiece').where('runId', '=', runId)
  return (await deletion.returning('storedName').execute()).map(({ storedName }) => storedName)
}

// --- what an import leaves out

export async function listIssues(
  db: Database,
  runId: string,
  { after, limit }: Page<ImportIssueRow>,
): Promise<ImportIssueRow[]> {
  const issues = db.selectFrom('importIssue').selectAll().where('runId', '=', runId)
  const later = issues.where('number', '>', after?.number ?? 0)
  return await later.orderBy('number').limit(limit).execute()
}
