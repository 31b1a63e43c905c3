// SQL for files, their chunks and their ids.
import { type Selectable, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import {
  byCodePoint,
  isOneOfTexts,
  listParameter,
  prepared,
  withRowLock,
} from '../database/dialect.ts'
import type { Database, FileTable } from '../database/schema.ts'

export type FileRow = Selectable<FileTable>
export type NewFileRow = Omit<FileRow, 'seq'>
export type FileKey = { bucketId: string; id: string }

export async function findFile(db: Database, { bucketId, id }: FileKey) {
  return (await findOne(db, { bucketId, id })).rows[0]
}

const findOne = prepared((db, { bucketId, id }: FileKey) =>
  db.selectFrom('file').selectAll().where('bucketId', '=', bucketId).where('id', '=', id),
)

/** Whether there is any complete file. */
export async function hasCompleteFile(db: Database): Promise<boolean> {
  const completeFiles = db.selectFrom('file').select('id').where('isComplete', '=', 1).limit(1)
  return (await completeFiles.executeTakeFirst()) !== undefined
}

/** @throws the database's unique-constraint violation when the id is taken */
export async function insertFile(db: Database, row: NewFileRow): Promise<FileRow> {
  return await db.insertInto('file').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Finds the row by `storedName`, because a newer file may have the same id. */
export function updateFile(db: Database, storedName: string, changes: Partial<NewFileRow>) {
  return updateQuery(db, storedName, changes).executeTakeFirst()
}

/** Turns an unfinished upload into a file. @returns undefined when it is gone or complete */
export function completeFile(db: Database, storedName: string, changes: Partial<NewFileRow>) {
  return updateQuery(db, storedName, { ...changes, isComplete: 1 })
    .where('isComplete', '=', 0)
    .executeTakeFirst()
}

function updateQuery(db: Database, storedName: string, changes: Partial<NewFileRow>) {
  return db.updateTable('file').set(changes).where('storedName', '=', storedName).returningAll()
}

/** @returns false when it was already gone */
export async function deleteFile(db: Database, storedName: string): Promise<boolean> {
  const deleted = db.deleteFrom('file').where('storedName', '=', storedName)
  return (await deleted.executeTakeFirst()).numDeletedRows > 0n
}

/** How much a user stores; unfinished uploads count with the size that the client gave. */
export async function sumUsage(db: Database, userId: string) {
  const row = await db
    .selectFrom('file')
    .select((e) => [
      e.fn.countAll<number>().as('files'),
      sql<number | null>`sum(case when "isComplete" = 0 then 1 else 0 end)`.as('unfinished'),
      e.fn.sum<number | string | null>('sizeBytes').as('sizeBytes'),
    ])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    files: Number(row.files),
    unfinished: Number(row.unfinished ?? 0),
    sizeBytes: Number(row.sizeBytes ?? 0),
  }
}

/** Complete files of a user in all buckets, oldest first. */
export async function listFilesOf(db: Database, userId: string): Promise<FileRow[]> {
  const files = db.selectFrom('file').selectAll().where('userId', '=', userId)
  return await files.where('isComplete', '=', 1).orderBy('seq').execute()
}

/**
 * Deletes at most `limit` rows, unfinished uploads too.
 *
 * @returns the stored names of their bytes
 */
export async function deleteFilesOf(tx: Database, userId: string, limit: number) {
  // In the order in which changes of posts lock files.
  const ownFiles = tx.selectFrom('file').select('storedName').where('userId', '=', userId)
  const first = ownFiles
    .orderBy('bucketId')
    .orderBy(byCodePoint(tx, sql.ref('id')))
    .limit(limit)
  const files = (await withRowLock(tx, first).execute()).map(({ storedName }) => storedName)
  if (files.length === 0) return { files, chunks: [] }
  const chunks = await tx
    .selectFrom('fileChunk')
    .innerJoin('file', (join) =>
      join
        .onRef('file.bucketId', '=', 'fileChunk.bucketId')
        .onRef('file.id', '=', 'fileChunk.fileId'),
    )
    .select('fileChunk.storedName')
    .where('file.storedName', 'in', files)
    .execute()
  await tx.deleteFrom('file').where('storedName', 'in', files).execute()
  return { files, chunks: chunks.map(({ storedName }) => storedName) }
}

export type ChunkRow = { chunkIndex: number; storedName: string }

export async function findChunks(db: Database, { bucketId, id }: FileKey): Promise<ChunkRow[]> {
  const chunks = db.selectFrom('fileChunk').select(['chunkIndex', 'storedName'])
  const ownChunks = chunks.where('bucketId', '=', bucketId).where('fileId', '=', id)
  return await ownChunks.orderBy('chunkIndex').execute()
}

/**
 * Saves a chunk, or replaces one that is sent again.
 *
 * @returns the stored name of the replaced bytes, if any
 */
export async function saveChunk(tx: Database, upload: FileKey, chunk: ChunkRow) {
  const { bucketId, id } = upload
  const { chunkIndex, storedName } = chunk
  const chunks = await findChunks(tx, { bucketId, id })
  await tx
    .insertInto('fileChunk')
    .values({ bucketId, fileId: id, chunkIndex, storedName })
    .onConflict((c) => c.columns(['bucketId', 'fileId', 'chunkIndex']).doUpdateSet({ storedName }))
    .execute()
  return chunks.find((row) => row.chunkIndex === chunkIndex)?.storedName
}

/** Raises the number of chunks without a gap from the first; never lowers it. */
export async function raiseChunksUploaded(
  db: Database,
  storedName: string,
  change: Pick<NewFileRow, 'chunksUploaded' | 'updatedAt'>,
): Promise<void> {
  const unfinished = updateQuery(db, storedName, change).where('isComplete', '=', 0)
  await unfinished.where('chunksUploaded', '<', change.chunksUploaded).execute()
}

/** @returns the stored names of their bytes */
export async function deleteChunks(db: Database, { bucketId, id }: FileKey): Promise<string[]> {
  const deleting = db.deleteFrom('fileChunk').returning('storedName')
  const deleted = await deleting.where('bucketId', '=', bucketId).where('fileId', '=', id).execute()
  return deleted.map(({ storedName }) => storedName)
}

/** A user's unfinished uploads begun before `createdBefore`. */
export async function findExpiredUploads(db: Database, createdBefore: string, userId: string) {
  const ownFiles = db.selectFrom('file').selectAll().where('userId', '=', userId)
  return await ownFiles.where('isComplete', '=', 0).where('createdAt', '<', createdBefore).execute()
}

/** Files and unfinished uploads after `seq`, in order of creation. */
export async function findAfter(db: Database, seq: number, limit: number): Promise<FileRow[]> {
  const later = db.selectFrom('file').selectAll().where('seq', '>', seq)
  return await later.orderBy('seq').limit(limit).execute()
}

/** Which of these stored names a row of a file, a chunk, or a piece of an archive has. */
export async function findKnownNames(db: Database, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const storedNamesIn = (table: 'file' | 'fileChunk' | 'archivePiece') =>
    db.selectFrom(table).select('storedName').where('storedName', 'in', names)
  const known = await storedNamesIn('file')
    .unionAll(storedNamesIn('fileChunk'))
    .unionAll(storedNamesIn('archivePiece'))
    .execute()
  return new Set(known.map(({ storedName }) => storedName))
}

// --- owners of ids: an id belongs for ever to the user who first uploaded under it
// (threat-model.md §5). Caches, feeds and other sites store URLs of files; no other user may upload
// another file under one of them.

/** How long the owner may delete a file that a post or an avatar has released. */
const RELEASED_FILE_SECONDS = 24 * 60 * 60

type NewFile = Pick<NewFileRow, 'bucketId' | 'id' | 'userId'>

/** Whether a new file cannot have this id; an early check, {@link insertOwn} decides. */
export async function isIdTaken(db: Database, file: NewFile): Promise<boolean> {
  const idRow = await findId(db, file)
  if (idRow && idRow.ownerId !== file.userId) return true
  return (await findFile(db, file)) !== undefined
}

/**
 * @throws Refusal `storage_file_already_exists` when the id is or was another owner's, the
 *   database's unique-constraint violation when the owner has a file with it
 */
export async function insertOwn(tx: Database, row: NewFileRow): Promise<FileRow> {
  if (!(await claimId(tx, row, row.createdAt))) throw new Refusal('storage_file_already_exists')
  return await insertFile(tx, row)
}

/** Records the owner of an id. @returns false when it is or was another owner's */
export async function claimId(tx: Database, file: NewFile, uploadedAt: string): Promise<boolean> {
  const { bucketId, id, userId: ownerId } = file
  const claimed = await tx
    .insertInto('fileId')
    .values({ bucketId, id, ownerId, uploadedAt, releasedAt: '' })
    .onConflict((c) =>
      c
        .columns(['bucketId', 'id'])
        .doUpdateSet({ uploadedAt, releasedAt: '' })
        .where('fileId.ownerId', 'is not distinct from', ownerId),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function findId(db: Database, { bucketId, id }: Pick<NewFile, 'bucketId' | 'id'>) {
  const ids = db.selectFrom('fileId').selectAll().where('bucketId', '=', bucketId)
  return await ids.where('id', '=', id).executeTakeFirst()
}

/** Sets the time at which files of one bucket were released; an empty time means never. */
export async function setReleased(
  tx: Database,
  files: readonly Pick<NewFile, 'bucketId' | 'id'>[],
  releasedAt: string,
): Promise<void> {
  const [first] = files
  if (!first) return
  const ids = files.map(({ id }) => id)
  const ofBucket = tx.updateTable('fileId').where('bucketId', '=', first.bucketId)
  const update = ofBucket.where(isOneOfTexts(tx, 'id', listParameter(tx, ids)))
  await update.set({ releasedAt }).execute()
}

/** Whether this user's file was released within the last day; it may be deleted already. */
export async function wasReleased(
  db: Database,
  { userId, ...file }: { bucketId: string; id: string; userId: string },
  now: Date,
): Promise<boolean> {
  const idRow = await findId(db, file)
  const since = new Date(now.getTime() - RELEASED_FILE_SECONDS * 1000).toISOString()
  return idRow?.ownerId === userId && idRow.releasedAt > since
}

/** The number of ids that a user owns, also of deleted files. Counts up to `max`. */
export async function countIdsOf(tx: Database, userId: string, max: number): Promise<number> {
  const ids = tx.selectFrom('fileId').select('id').where('ownerId', '=', userId)
  return (await ids.limit(max).execute()).length
}

/** Removes the owner of at most `limit` ids of a deleted account. @returns how many */
export async function disownIds(tx: Database, userId: string, limit: number): Promise<number> {
  const owned = tx.selectFrom('fileId').select(['bucketId', 'id']).where('ownerId', '=', userId)
  const rows = await owned.limit(limit).execute()
  for (const bucketId of new Set(rows.map((row) => row.bucketId))) {
    const ids = rows.filter((row) => row.bucketId === bucketId).map(({ id }) => id)
    const ofBucket = tx.updateTable('fileId').set({ ownerId: '' }).where('bucketId', '=', bucketId)
    await ofBucket.where('id', 'in', ids).execute()
  }
  return rows.length
}
