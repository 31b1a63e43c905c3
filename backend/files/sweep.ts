// The daily sweep: removes bytes and rows left by a crash or a disconnected client. Works in
// batches, so that it needs little memory, lets requests run in between, and can be stopped.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import { type AfterCommit, inTransaction } from '../database/transaction.ts'
import type { BlobEntry, BlobStore } from './blob-store.ts'
import type { FilesContext } from './context.ts'
import { deleteRow, removeRow, UNFINISHED_UPLOAD_SECONDS } from './file-access.ts'
import { lockFiles } from './file-references-store.ts'
import { findUnused, findUsed } from './file-uses-store.ts'
import * as store from './store.ts'

/** The age at which bytes without a row are removed. */
export const ORPHAN_SECONDS = 24 * 60 * 60

const BATCH_SIZE = 200

/**
 * Removes unfinished uploads, unused files and bytes without a row that are older than 24 h, and
 * logs rows whose bytes are missing. May run while files are uploaded and deleted.
 *
 * @param signal ends the sweep after the current batch; the next one starts from the beginning
 */
export async function sweepFiles(context: FilesContext, { signal }: { signal?: AbortSignal } = {}) {
  const { blobStore, chunks, received, log } = context
  const continueAfterBatch = async () => {
    await yieldToEventLoop()
    return signal?.aborted !== true
  }
  const unused = await removeUnused(context, continueAfterBatch)
  if (unused > 0) log.info({ removed: unused }, 'files that nothing used removed')
  for (const sweptStore of new Set([blobStore, received, chunks]))
    await removeOrphans(context, sweptStore, continueAfterBatch)
  await checkRows(context, continueAfterBatch)
}

/** Called after each batch. @returns false when the sweep has to stop */
type ContinueAfterBatch = () => Promise<boolean>

/**
 * Removes files of users that nothing has used for a day.
 *
 * @returns how many
 */
async function removeUnused(
  context: FilesContext,
  continueAfterBatch: ContinueAfterBatch,
): Promise<number> {
  const before = new Date(context.now().getTime() - UNUSED_FILE_SECONDS * 1000).toISOString()
  let removed = 0
  for (let seq = 0; ; ) {
    const { contentBucketId } = context
    const { files, lastSeq } = await findUnused(context.db, {
      contentBucketId,
      before,
      after: seq,
    })
    if (files.length > 0) removed += await removeIfStillUnused(context, files)
    if (lastSeq === undefined || !(await continueAfterBatch())) return removed
    seq = lastSeq
  }
}

/** Locks these files, and removes those that are still unused. @returns how many */
export async function removeIfStillUnused(context: FilesContext, files: store.FileRow[]) {
  const names = new Set(files.map(({ storedName }) => storedName))
  const byBucket = Map.groupBy(files, ({ bucketId }) => bucketId)
  return await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    let removed = 0
    for (const [bucketId, unused] of [...byBucket].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const ids = unused.map(({ id }) => id)
      const locked = await lockFiles(tx, bucketId, ids)
      const used = await findUsed(tx, context.contentBucketId, locked)
      for (const file of locked)
        if (!used.has(file.storedName) && names.has(file.storedName))
          removed += Number(await deleteRow(context, tx, afterCommit, file))
    }
    return removed
  })
}

/**
 * Removes files of the content bucket that nothing uses, in a transaction.
 *
 * @returns the ids of those that are used
 */
export async function removeOwnIfUnused(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  ids: string[],
): Promise<Set<string>> {
  const files = await lockFiles(tx, context.contentBucketId, ids)
  const used = await findUsed(tx, context.contentBucketId, files)
  for (const file of files)
    if (!used.has(file.storedName)) await deleteRow(context, tx, afterCommit, file)
  return new Set(files.flatMap(({ id, storedName }) => (used.has(storedName) ? id : [])))
}

async function removeOrphans(
  context: FilesContext,
  blobStore: BlobStore,
  continueAfterBatch: ContinueAfterBatch,
): Promise<void> {
  let batch: BlobEntry[] = []
  for await (const entry of blobStore.list()) {
    batch.push(entry)
    if (batch.length < BATCH_SIZE) continue
    await removeUnknown(context, blobStore, batch)
    if (!(await continueAfterBatch())) return
    batch = []
  }
  await removeUnknown(context, blobStore, batch)
}

async function removeUnknown(
  context: FilesContext,
  blobStore: BlobStore,
  entries: BlobEntry[],
): Promise<void> {
  const { db, log, now } = context
  const beforeMs = now().getTime() - ORPHAN_SECONDS * 1000
  const names = entries.map(({ name }) => name)
  const known = await store.findKnownNames(db, names)
  let removed = 0
  for (const { name, changedAtMs } of entries) {
    if (known.has(name)) continue
    const atMs = await changedAtMs()
    if (atMs === undefined || atMs >= beforeMs) continue
    await blobStore.remove(name)
    removed++
  }
  if (removed > 0) log.info({ removed }, 'bytes without a row removed')
}

/** Removes uploads that were never finished, and logs files whose bytes are missing. */
async function checkRows(
  context: FilesContext,
  continueAfterBatch: ContinueAfterBatch,
): Promise<void> {
  const { db, blobStore, log, now } = context
  const expired = new Date(now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000).toISOString()
  for (let seq = 0; ; ) {
    const rows = await store.findAfter(db, seq, BATCH_SIZE)
    for (const row of rows)
      if (!row.isComplete && row.createdAt < expired) await removeRow(context, row)
    for (const { id, bucketId, storedName, isComplete } of rows) {
      if (!isComplete || (await blobStore.has(storedName))) continue
      // The file may have been removed with its row meanwhile.
      if ((await store.findKnownNames(db, [storedName])).size > 0)
        log.error({ fileId: id, bucketId }, 'the bytes of a file are missing')
    }
    seq = rows.at(-1)?.seq ?? seq
    if (rows.length < BATCH_SIZE || !(await continueAfterBatch())) return
  }
}
