// The rules of files: who uploads, reads, changes and removes what. Knows neither HTTP nor SQL;
// bytes are kept by `Keeper`s.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalidParam, Refusal } from '#contract/errors.ts'
import type { FileList, FileModel } from '#contract/files.ts'
import { wireTime } from '#contract/ids.ts'
import { AVATAR_FILE_MAX_BYTES, CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import { groupsOf, readersOf, readPermissions } from '#contract/permissions.ts'
import type { S3Config } from '../config.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { LaterPiece } from './content-range.ts'
import { makeDisk } from './disk.ts'
import { cleanName, fitName, readExtension } from './file-names.ts'
import { makeImageQueue } from './image-work.ts'
import { type DrawInitials, makeInitials } from './initials.ts'
import type { ByteRange, Keeper } from './keeper.ts'
import { findFiles, type ListParams } from './list.ts'
import type { PreviewParams } from './preview-params.ts'
import { makePreviews, type Preview } from './previews.ts'
import { makeS3 } from './s3.ts'
import * as store from './store.ts'
import { makeSweep } from './sweep.ts'
import { makeUploads, type Upload } from './uploads.ts'

export type FilesNeeds = {
  db: Database
  background: Background
  log: Log
  dataDir: string
  /** Where finished files are kept; undefined means in the data folder. */
  s3: S3Config | undefined
  contentBucketId: string
  avatarBucketId: string
  now: () => Date
}

/**
 * A file whose bytes this viewer may see. `isPublic` says that everybody may, so shared caches may
 * keep them.
 */
export type VisibleFile = Pick<
  store.FileRow,
  'id' | 'name' | 'mimeType' | 'sizeBytes' | 'signature' | 'width' | 'height' | 'storedName'
> & {
  isPublic: boolean
}

export type Files = {
  /**
   * @throws Refusal `storage_bucket_not_found`, or `user_unauthorized` for guests: before any byte
   *   of the form is read
   */
  requireCreator(bucketId: string, viewer: Viewer): void
  /** Where the bytes of an upload request wait until they are looked at. */
  received: Keeper
  /** Says whether such a piece goes on with an unfinished upload of this very person. */
  continues(bucketId: string, viewer: Viewer, piece: LaterPiece): Promise<boolean>
  /**
   * Takes a whole file or one chunk of it, received bytes included.
   * @throws Refusal as listed in api.md §4.2
   */
  create(bucketId: string, viewer: Viewer, upload: Upload): Promise<FileModel>
  list(bucketId: string, viewer: Viewer, params: ListParams): Promise<FileList>
  /** Details: for the uploader and the API key. @throws Refusal `storage_file_not_found` */
  read(bucketId: string, id: string, viewer: Viewer): Promise<FileModel>
  /**
   * A new name keeps an extension of the file's type.
   * @throws Refusal `storage_file_not_found`, `user_unauthorized`
   */
  change(
    bucketId: string,
    id: string,
    viewer: Viewer,
    changes: { name?: string | undefined; permissions?: unknown },
  ): Promise<FileModel>
  /**
   * Also ends an unfinished upload. Row first, then bytes.
   * @throws Refusal `storage_file_not_found`, `user_unauthorized`
   */
  remove(bucketId: string, id: string, viewer: Viewer): Promise<void>
  /** @throws Refusal `storage_file_not_found` when missing, unfinished or not for this viewer */
  readVisible(bucketId: string, id: string, viewer: Viewer): Promise<VisibleFile>
  /** @throws Refusal `storage_file_not_found` when the bytes are gone */
  openBytes(file: VisibleFile, range?: ByteRange): Promise<Readable>
  preview(file: VisibleFile, params: PreviewParams): Promise<Preview>
  drawInitials: DrawInitials
  /**
   * A complete image of the content bucket that this person uploaded (any uploader when `ownerId`
   * is undefined: the API key).
   */
  isUsableImage(fileId: string, ownerId: string | undefined): Promise<boolean>
  /**
   * Removes a content image if this person uploaded it: row first, then bytes. Already gone is
   * fine.
   */
  removeOwnImage(fileId: string, ownerId: string): Promise<void>
  /**
   * All complete files of a person, in both buckets, oldest first; `open` gives undefined when the
   * bytes are gone.
   */
  listAllOf(
    userId: string,
  ): Promise<{ model: FileModel; open: () => Promise<Readable | undefined> }[]>
  /**
   * Removes all files of a person, unfinished uploads too: rows within the transaction that ends
   * the account, bytes after it.
   */
  removeAllOf(tx: Database, after: After, userId: string): Promise<void>
  /**
   * Removes unfinished uploads and bytes without a row older than 24 h, reports rows without bytes.
   */
  sweep(): Promise<void>
}

export function makeFiles({
  db,
  background,
  log,
  dataDir,
  s3,
  contentBucketId,
  avatarBucketId,
  now,
}: FilesNeeds): Files {
  const received = makeDisk(join(dataDir, 'uploads'))
  const keeper = s3 ? makeS3(s3, { spool: received }) : makeDisk(join(dataDir, 'files'))
  const imageQueue = makeImageQueue()
  const uploads = makeUploads({ db, background, keeper, received, imageQueue, removeRow, now })
  const previews = makePreviews({ keeper, imageQueue, log, folder: join(dataDir, 'previews') })

  /** One id for both buckets is allowed (product.md §O19); the larger limit then holds. */
  function maxBytesOf(bucketId: string): number {
    if (bucketId === contentBucketId) return CONTENT_FILE_MAX_BYTES
    if (bucketId === avatarBucketId) return AVATAR_FILE_MAX_BYTES
    throw new Refusal('storage_bucket_not_found')
  }

  async function findIn(bucketId: string, id: string): Promise<store.FileRow> {
    maxBytesOf(bucketId)
    const row = await store.findFile(db, { bucketId, id })
    if (!row) throw new Refusal('storage_file_not_found')
    return row
  }

  /** For a change by somebody else: hidden files are missing, visible ones refuse. */
  async function findOwn(bucketId: string, id: string, viewer: Viewer): Promise<store.FileRow> {
    const row = await findIn(bucketId, id)
    if (isOwn(row, viewer)) return row
    throw new Refusal(canSee(row, viewer) ? 'user_unauthorized' : 'storage_file_not_found')
  }

  /** Row first, then bytes. @returns false when it was already gone */
  async function removeRow(row: store.FileRow): Promise<boolean> {
    return await inTransaction(db, background, async (tx, after) => {
      const chunks = await store.findChunks(tx, row)
      if (!(await store.deleteFile(tx, row.storedName))) return false
      after('removal of a file', () => keeper.remove(row.storedName))
      for (const chunk of chunks)
        after('removal of a chunk', () => received.remove(chunk.storedName))
      return true
    })
  }

  return {
    received,
    requireCreator(bucketId, viewer) {
      maxBytesOf(bucketId)
      if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
    },
    async continues(bucketId, viewer, { id, sizeBytes }) {
      const row = viewer.role === 'user' ? await store.findFile(db, { bucketId, id }) : undefined
      return (
        row?.isComplete === 0 &&
        viewer.role === 'user' &&
        row.userId === viewer.userId &&
        row.sizeBytes === sizeBytes
      )
    },
    async create(bucketId, viewer, upload) {
      return toModel(
        await uploads.take({ bucketId, maxBytes: maxBytesOf(bucketId) }, viewer, upload),
      )
    },
    async list(bucketId, viewer, params) {
      maxBytesOf(bucketId)
      if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
      const { total, rows } = await findFiles(
        db,
        { bucketId, userId: viewer.role === 'user' ? viewer.userId : undefined },
        params,
      )
      return { total, files: rows.map(toModel) }
    },
    async read(bucketId, id, viewer) {
      const row = await findIn(bucketId, id)
      if (!isOwn(row, viewer)) throw new Refusal('storage_file_not_found')
      return toModel(row)
    },
    async change(bucketId, id, viewer, { name, permissions }) {
      const row = await findOwn(bucketId, id, viewer)
      if (name !== undefined && cleanName(name) !== name)
        throw invalidParam(
          'name',
          'Value must not contain control characters, slashes or backslashes',
        )
      const granted =
        viewer.role === 'guest' ? undefined : readPermissions(permissions, viewer, row.userId ?? '')
      const updated = await store.updateFile(db, row.storedName, {
        ...(name === undefined ? {} : { name: fitName(name, extensionOf(row)) }),
        ...(granted ? { permissions: JSON.stringify(granted), readers: readersOf(granted) } : {}),
        updatedAt: now().toISOString(),
      })
      if (!updated) throw new Refusal('storage_file_not_found')
      return toModel(updated)
    },
    async remove(bucketId, id, viewer) {
      if (!(await removeRow(await findOwn(bucketId, id, viewer))))
        throw new Refusal('storage_file_not_found')
    },
    async readVisible(bucketId, id, viewer) {
      const row = await findIn(bucketId, id)
      if (!row.isComplete || !canSee(row, viewer)) throw new Refusal('storage_file_not_found')
      const { name, mimeType, sizeBytes, signature, width, height, storedName } = row
      return {
        id,
        name,
        mimeType,
        sizeBytes,
        signature,
        width,
        height,
        storedName,
        isPublic: row.readers === 'any',
      }
    },
    async openBytes(file, range) {
      const bytes = await keeper.open(file.storedName, range)
      if (bytes) return bytes
      log.error({ fileId: file.id }, 'the bytes of a file are missing')
      throw new Refusal('storage_file_not_found')
    },
    preview: previews.read,
    drawInitials: makeInitials(imageQueue),
    async isUsableImage(fileId, ownerId) {
      const row = await store.findFile(db, { bucketId: contentBucketId, id: fileId })
      return row?.isComplete === 1 && (ownerId === undefined || row.userId === ownerId)
    },
    async removeOwnImage(fileId, ownerId) {
      const row = await store.findFile(db, { bucketId: contentBucketId, id: fileId })
      if (row?.userId === ownerId) await removeRow(row)
    },
    async listAllOf(userId) {
      const rows = await store.listFilesOf(db, userId)
      return rows.map((row) => ({
        model: toModel(row),
        async open() {
          const bytes = await keeper.open(row.storedName)
          if (!bytes) log.error({ fileId: row.id }, 'the bytes of a file are missing')
          return bytes
        },
      }))
    },
    async removeAllOf(tx, after, userId) {
      const { files, chunks } = await store.deleteFilesOf(tx, userId)
      after("removal of a person's files", async () => {
        for (const name of files) await keeper.remove(name)
        for (const name of chunks) await received.remove(name)
      })
    },
    sweep: makeSweep({ db, log, keeper, received, removeRow, now }),
  }
}

function isOwn(row: store.FileRow, viewer: Viewer): boolean {
  return viewer.role === 'key' || (viewer.role === 'user' && row.userId === viewer.userId)
}

/** What the type of a file is called in its name; an unfinished one has but its name. */
function extensionOf({ isComplete, mimeType, name }: store.FileRow): string {
  return isComplete ? mimeType.replace('image/', '') : readExtension(name)
}

/** The one rule of who sees bytes (threat-model.md §5). */
function canSee(row: store.FileRow, viewer: Viewer): boolean {
  if (isOwn(row, viewer)) return true
  const groups: string[] = groupsOf(viewer.role === 'user' ? viewer : undefined)
  return row.isComplete === 1 && groups.includes(row.readers)
}

function toModel(row: store.FileRow): FileModel {
  return {
    $id: row.id,
    bucketId: row.bucketId,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: JSON.parse(row.permissions),
    name: row.name,
    signature: row.signature,
    mimeType: row.mimeType,
    sizeOriginal: row.sizeBytes,
    chunksTotal: row.chunksTotal,
    chunksUploaded: row.chunksUploaded,
  }
}
