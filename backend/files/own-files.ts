// A person's own files in both buckets, with what uses each and how much space all of them take.
// Knows neither HTTP nor SQL.
import type { FileUse, OwnFile, OwnFiles } from '#contract/files.ts'
import {
  FILE_USES_SEARCHED_MAX,
  FILE_USES_SHOWN_MAX,
  LIST_LIMIT_MAX,
  STORED_PER_USER_MAX_BYTES,
} from '#contract/limits.ts'
import { type FindNeeds, toModel } from './file-access.ts'
import {
  countOwn,
  findOwnPage,
  findShownElsewhere,
  type KeptPlace,
  listKeptPlaces,
  listOwnPlaces,
  type OwnPlace,
} from './own-files-store.ts'
import type { RemovalNeeds } from './removal.ts'
import * as store from './store.ts'
import { removeStillUnused, type UsesNeeds } from './uses.ts'
import * as uses from './uses-store.ts'

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
  const own = await listOwnPlaces(db, ids, { userId, most: FILE_USES_SHOWN_MAX })
  const inPosts = Map.groupBy(own, ({ fileId }) => fileId)
  const elsewhere = await findShownElsewhere(db, ids, { userId, most: FILE_USES_SEARCHED_MAX })
  const kept = await listKeptPlaces(db, ids, { userId, most: FILE_USES_SEARCHED_MAX })
  const inKept = Map.groupBy(kept, ({ fileId }) => fileId)
  const avatarId = (await uses.findAvatar(db, userId))?.fileId
  return rows.map((row) => {
    const { $id, bucketId, $createdAt, name, mimeType, sizeOriginal } = toModel(row)
    const isContent = bucketId === contentBucketId
    return {
      ...{ $id, bucketId, $createdAt, name, mimeType, sizeOriginal },
      isComplete: row.isComplete === 1,
      uses: [
        ...(avatarId === $id ? [{ place: 'avatar' } as const] : []),
        ...((isContent && inPosts.get($id)) || []).map(toUse),
        ...((isContent && inKept.get($id)) || []).slice(0, FILE_USES_SHOWN_MAX).map(toKeptUse),
        ...(isContent && elsewhere.has($id) ? [{ place: 'elsewhere' } as const] : []),
      ],
    }
  })
}

function toKeptUse({ place, postId, title }: KeptPlace): FileUse {
  return place === 'version' ? { place, postId, title } : { place: 'deleted', title }
}

function toUse({ place, postId, title }: OwnPlace): FileUse {
  return { place: place === 'cover' ? 'cover' : 'body', postId, title }
}
