// All files of a person, in both buckets: with what uses each and how much space they take, to take
// with them, and removed with their account. Knows neither HTTP nor SQL.

import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import type { FileModel, FileUse, OwnFile, OwnFiles } from '#contract/files.ts'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import type { After } from '../database/transaction.ts'
import type { Log } from '../process/log.ts'
import { type FindNeeds, type RemovalNeeds, toModel } from './file-access.ts'
import { disownIds } from './file-ids-store.ts'
import { type Keeper, openOriginal } from './keeper.ts'
import { countOwn, findOwnPage, listPlaces, type Place } from './own-files-store.ts'
import { STORED_PER_USER_MAX_BYTES } from './quota.ts'
import * as store from './store.ts'
import { removeStillUnused } from './sweep.ts'
import { findAvatar, type UsesNeeds } from './uses-store.ts'

export type OwnFilesPage = { isUnused: boolean; cursor: number | undefined; limit: number }

export async function listOwnFiles(
  needs: FindNeeds,
  userId: string,
  { isUnused, cursor, limit }: OwnFilesPage,
): Promise<OwnFiles> {
  const { db, contentBucketId } = needs
  const rows = await findOwnPage(db, {
    ...{ userId, contentBucketId, isUnused },
    before: cursor,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const used = await store.sumUsage(db, userId)
  return {
    total: used.files,
    unused: await countOwn(db, { userId, contentBucketId, isUnused: true }),
    usedBytes: used.sizeBytes,
    maxBytes: STORED_PER_USER_MAX_BYTES,
    files: await toOwnFiles(needs, userId, page),
    next: rows.length > limit ? String(page.at(-1)?.seq ?? '') : '',
  }
}

/**
 * Removes this person's complete files that nothing uses, however new.
 *
 * @returns how many
 */
export async function removeOwnUnused(
  needs: FindNeeds & UsesNeeds & RemovalNeeds,
  userId: string,
): Promise<number> {
  const scope = { userId, contentBucketId: needs.contentBucketId, isUnused: true }
  let removed = 0
  for (let before: number | undefined; ; ) {
    const rows = await findOwnPage(needs.db, { ...scope, before, limit: LIST_LIMIT_MAX })
    const last = rows.at(-1)
    if (!last) return removed
    removed += await removeStillUnused(needs, rows)
    before = last.seq
  }
}

async function toOwnFiles(
  { db, contentBucketId }: FindNeeds,
  userId: string,
  rows: store.FileRow[],
): Promise<OwnFile[]> {
  const ids = rows.filter(({ bucketId }) => bucketId === contentBucketId).map(({ id }) => id)
  const places = await listPlaces(db, ids, userId)
  const avatarId = await findAvatar(db, userId)
  return rows.map((row) => {
    const { $id, bucketId, $createdAt, name, mimeType, sizeOriginal } = toModel(row)
    const inPosts = bucketId === contentBucketId ? places.get($id) : undefined
    return {
      ...{ $id, bucketId, $createdAt, name, mimeType, sizeOriginal },
      isComplete: row.isComplete === 1,
      uses: [
        ...(avatarId === $id ? [{ place: 'avatar' } as const] : []),
        ...(inPosts ?? []).map(toUse),
      ],
    }
  })
}

function toUse({ place, postId, title }: Place): FileUse {
  if (place === 'elsewhere') return { place }
  return place === 'deleted' ? { place, title } : { place, postId, title }
}

/** A file of a person. `open` gives undefined when the bytes are gone, which is logged. */
type OwnedFile = { model: FileModel; open: () => Promise<Readable | undefined> }

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
