// What posts and accounts ask of files: may a post use this image, and what happens to the files of
// a person. Knows neither HTTP nor SQL.
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import type { FileModel } from '#contract/files.ts'
import type { Database } from '../database/schema.ts'
import type { After } from '../database/transaction.ts'
import type { Log } from '../process/log.ts'
import type { Buckets } from './buckets.ts'
import { openOriginal } from './cut-short.ts'
import { toModel } from './file-access.ts'
import type { Keeper } from './keeper.ts'
import type { RemovalNeeds } from './removal.ts'
import * as store from './store.ts'
import { disownIds } from './uses-store.ts'

type ContentBucket = Pick<Buckets, 'contentBucketId'>

/** A file of a person. `open` gives undefined when the bytes are gone, which is logged. */
export type OwnedFile = { model: FileModel; open: () => Promise<Readable | undefined> }

/**
 * Whether this is a complete image of the content bucket that this person uploaded.
 *
 * @param ownerId undefined for the API key, which may use anybody's
 */
export async function isUsableImage(
  { contentBucketId }: ContentBucket,
  db: Database,
  fileId: string,
  ownerId: string | undefined,
): Promise<boolean> {
  const row = await store.findFile(db, { bucketId: contentBucketId, id: fileId })
  return row?.isComplete === 1 && (ownerId === undefined || row.userId === ownerId)
}

/** All complete files of a person, in both buckets, oldest first. */
export async function listAllOf(
  { db, keeper, log }: { db: Database; keeper: Keeper; log: Log },
  userId: string,
): Promise<OwnedFile[]> {
  const rows = await store.listFilesOf(db, userId)
  return rows.map((row) => ({
    model: toModel(row),
    async open() {
      try {
        return await openOriginal({ keeper, log }, row)
      } catch (error) {
        if (error instanceof Refusal && error.type === 'storage_file_not_found') return undefined
        throw error
      }
    },
  }))
}

/**
 * Removes all files of a person, unfinished uploads too: rows within the transaction that deletes
 * the account, bytes after it. Nobody else can ever upload under their ids.
 */
export async function removeAllOf(
  { keeper, chunks }: Pick<RemovalNeeds, 'keeper' | 'chunks'>,
  tx: Database,
  after: After,
  userId: string,
): Promise<void> {
  const { files, chunks: parts } = await store.deleteFilesOf(tx, userId)
  await disownIds(tx, userId)
  after("removal of a person's files", async () => {
    for (const name of files) await keeper.remove(name)
    for (const name of parts) await chunks.remove(name)
  })
}
