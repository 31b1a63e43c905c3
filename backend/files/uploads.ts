// Takes uploads: a whole file, or chunks in any order until all are there. Bytes first, then the
// row (threat-model.md §10). In one piece because a chunk's journey is: note the upload, note the
// chunk, and with the last one the way of a whole file.
import { Refusal } from '#contract/errors.ts'
import {
  FILES_PER_USER_MAX,
  STORED_PER_USER_MAX_BYTES,
  UNFINISHED_UPLOAD_SECONDS,
  UNFINISHED_UPLOADS_PER_USER_MAX,
} from '#contract/limits.ts'
import { defaultPermissions, readersOf, readPermissions } from '#contract/permissions.ts'
import { isForeignKeyFault, isUniqueFault } from '../database/faults.ts'
import { lockUser } from '../database/lock-user.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { makeId, makeSecret } from '../process/ids.ts'
import { type Piece, readContentRange } from './content-range.ts'
import { cleanName, readExtension } from './file-names.ts'
import type { ImageQueue } from './image-work.ts'
import { readImage } from './images.ts'
import { type Keeper, readWhole } from './keeper.ts'
import * as store from './store.ts'

/** One upload request as it came, its bytes already received. */
export type Upload = {
  /** Undefined asks for a server-made id. */
  id: string | undefined
  permissions: unknown
  bytes: { storedName: string; sizeBytes: number; name: string } | undefined
  contentRange: string | undefined
  /** The client has hung up: nobody waits for a whole file any more. */
  isGone?: (() => boolean) | undefined
}
export type Bucket = { bucketId: string; maxBytes: number }

type Received = {
  storedName: string
  sizeBytes: number
  name: string
  extension: string
  isGone?: Upload['isGone']
}

export type UploadsNeeds = {
  db: Database
  background: Background
  /** Finished files. */
  keeper: Keeper
  /** What requests brought: whole files until looked at, chunks until the last has come. */
  received: Keeper
  imageQueue: ImageQueue
  /** Ends an upload: row first, then bytes. */
  removeRow: (row: store.FileRow) => Promise<boolean>
  now: () => Date
}

/** A name no row ever had. */
export function makeStoredName(): string {
  return `${makeId()}-${makeSecret(8)}`
}

export function makeUploads({
  db,
  background,
  keeper,
  received,
  imageQueue,
  removeRow,
  now,
}: UploadsNeeds) {
  /**
   * Uploads being put together, by the name of their row: parallel last chunks wait for the same
   * work.
   */
  const finishing = new Map<string, Promise<store.FileRow>>()

  /**
   * Takes the bytes over: they are kept, noted as a chunk or gone afterwards.
   *
   * @returns the file, or the unfinished upload with its count of chunks
   * @throws Refusal as listed in api.md §4.2, in its order of checks
   */
  async function take(bucket: Bucket, viewer: Viewer, upload: Upload): Promise<store.FileRow> {
    let isChunk = false
    try {
      const checked = await check(bucket, viewer, upload)
      if (!checked.piece)
        return await takeWhole(checked.row, checked.maxBytes, {
          ...checked.received,
          isGone: upload.isGone,
        })
      const row = (await store.findFile(db, checked.row)) ?? (await beginUpload(checked.row))
      checkContinues(row, checked.row.userId, viewer, checked.piece)
      const running = finishing.get(row.storedName)
      if (running !== undefined) return await running
      await noteChunk(row, {
        chunkIndex: checked.piece.index,
        storedName: checked.received.storedName,
      })
      isChunk = true
      return await goOn(row)
    } finally {
      if (upload.bytes && !isChunk) await received.remove(upload.bytes.storedName)
    }
  }

  async function check({ bucketId, maxBytes }: Bucket, viewer: Viewer, upload: Upload) {
    if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
    const userId = viewer.role === 'user' ? viewer.userId : null
    const permissions =
      readPermissions(upload.permissions, viewer, userId ?? '') ??
      (userId === null ? ['read("any")'] : defaultPermissions(userId))
    const { bytes } = upload
    if (!bytes || bytes.sizeBytes === 0) throw new Refusal('storage_file_empty')
    const piece = readContentRange(upload.contentRange)
    if (piece && piece.lengthBytes !== bytes.sizeBytes)
      throw new Refusal('storage_invalid_content_range')
    const name = cleanName(bytes.name)
    const extension = readExtension(name)
    const sizeBytes = piece?.sizeBytes ?? bytes.sizeBytes
    if (sizeBytes > maxBytes) throw new Refusal('storage_invalid_file_size')
    const time = now().toISOString()
    const row: store.NewFileRow = {
      id: upload.id ?? makeId(),
      bucketId,
      userId,
      name,
      mimeType: '',
      sizeBytes,
      signature: '',
      width: 0,
      height: 0,
      color: '',
      chunksTotal: piece?.total ?? 1,
      chunksUploaded: 0,
      isComplete: 0,
      storedName: makeStoredName(),
      permissions: JSON.stringify(permissions),
      readers: readersOf(permissions),
      createdAt: time,
      updatedAt: time,
    }
    await dropExpired(userId)
    return { row, piece, maxBytes, received: { ...bytes, extension } }
  }

  async function takeWhole(
    row: store.NewFileRow,
    maxBytes: number,
    bytes: Received,
  ): Promise<store.FileRow> {
    // Asked early to spare the work; the unique key decides.
    if (await store.findFile(db, row)) throw new Refusal('storage_file_already_exists')
    await refuseBeyondQuota(db, row)
    const image = await keepImage(row, maxBytes, bytes.extension, () =>
      readReceived([bytes.storedName]),
    )
    try {
      // A cancelled upload leaves nothing, even when its last byte had come.
      if (bytes.isGone?.())
        throw new Refusal('general_argument_invalid', 'The upload was cut short.')
      return await inTransaction(db, background, async (tx) => {
        await refuseBeyondQuota(tx, row)
        return await store.insertFile(tx, {
          ...row,
          ...image,
          isComplete: 1,
          chunksUploaded: row.chunksTotal,
        })
      })
    } catch (error) {
      await keeper.remove(image.storedName)
      throw isUniqueFault(error)
        ? new Refusal('storage_file_already_exists', undefined, { cause: error })
        : error
    }
  }

  async function noteChunk(upload: store.FileRow, chunk: store.ChunkRow): Promise<void> {
    try {
      await inTransaction(db, background, async (tx, after) => {
        const replaced = await store.saveChunk(tx, upload, chunk)
        if (replaced) after('removal of a replaced chunk', () => received.remove(replaced))
      })
    } catch (error) {
      throw isForeignKeyFault(error)
        ? new Refusal('storage_file_not_found', undefined, { cause: error })
        : error
    }
  }

  /** Counts after the commit: of chunks arriving together, the last one to commit sees all. */
  async function goOn(upload: store.FileRow): Promise<store.FileRow> {
    const chunksUploaded = countFromStart(await store.findChunks(db, upload))
    if (chunksUploaded === upload.chunksTotal) return await finish(upload)
    await store.raiseChunksUploaded(db, upload.storedName, chunksUploaded, now().toISOString())
    return (await store.findFile(db, upload)) ?? missing()
  }

  async function beginUpload(row: store.NewFileRow): Promise<store.FileRow> {
    try {
      return await inTransaction(db, background, async (tx) => {
        await refuseBeyondQuota(tx, row)
        return await store.insertFile(tx, row)
      })
    } catch (error) {
      if (!isUniqueFault(error)) throw error
      return (await store.findFile(db, row)) ?? missing() // another chunk of it came at the same moment
    }
  }

  async function finish(upload: store.FileRow): Promise<store.FileRow> {
    const work =
      finishing.get(upload.storedName) ??
      assemble(upload).finally(() => finishing.delete(upload.storedName))
    finishing.set(upload.storedName, work)
    return await work
  }

  async function assemble(upload: store.FileRow): Promise<store.FileRow> {
    const chunks = await store.findChunks(db, upload)
    const names = chunks.map(({ storedName }) => storedName)
    try {
      const image = await keepImage(upload, upload.sizeBytes, readExtension(upload.name), () =>
        readReceived(names),
      )
      const done = await inTransaction(db, background, async (tx, after) => {
        const file = await store.completeFile(tx, upload.storedName, {
          ...image,
          chunksUploaded: upload.chunksTotal,
          updatedAt: now().toISOString(),
        })
        if (!file) return undefined
        await store.deleteChunks(tx, upload)
        for (const name of names) after('removal of a chunk', () => received.remove(name))
        return file
      })
      if (done) return done
      await keeper.remove(image.storedName)
      return await missing()
    } catch (error) {
      // A picture that is none stays none: nothing of it is kept. Anything else may be tried again.
      if (error instanceof Refusal && error.status < 500) await removeRow(upload)
      throw error
    }
  }

  /** Looks at all the bytes, then keeps what is stored of them. */
  async function keepImage(
    row: store.NewFileRow,
    maxBytes: number,
    extension: string,
    open: () => AsyncIterable<Uint8Array>,
  ) {
    return await imageQueue.run(async () => {
      const bytes = await readWhole(open())
      if (bytes.length !== row.sizeBytes)
        throw new Refusal(
          'storage_invalid_file_size',
          'The size of the file differs from the announced one.',
        )
      const { mimeType, width, height, color, pieces } = await readImage(
        bytes,
        extension,
        imageQueue.runLarge,
      )
      const storedName = makeStoredName()
      // Turning a picture upright encodes it anew, which may make it larger than what came.
      const { sizeBytes, signature } = await keeper.put(
        storedName,
        pieces,
        Math.max(maxBytes, bytes.length) * 2,
      )
      return { mimeType, width, height, color, sizeBytes, signature, storedName }
    })
  }

  async function* readReceived(names: string[]): AsyncIterable<Uint8Array> {
    for (const name of names) {
      const bytes = await received.open(name)
      // A chunk sent again has taken its place meanwhile: the client may try once more.
      if (!bytes)
        throw new Refusal('general_service_disabled', 'A chunk was sent again meanwhile.', {
          headers: { 'retry-after': '1' },
        })
      yield* bytes
    }
  }

  /** What a person left unfinished counts no longer than a day, whenever the sweep runs. */
  async function dropExpired(userId: string | null): Promise<void> {
    if (userId === null) return
    const before = new Date(now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000).toISOString()
    for (const upload of await store.findExpiredUploads(db, before, userId)) await removeRow(upload)
  }

  return { take }
}

function missing(): never {
  throw new Refusal('storage_file_not_found')
}

/** Only the uploader goes on, and only with what was announced. */
function checkContinues(
  upload: store.FileRow,
  userId: string | null,
  viewer: Viewer,
  piece: Piece,
): void {
  if (upload.isComplete) throw new Refusal('storage_file_already_exists')
  if (viewer.role !== 'key' && upload.userId !== userId) throw new Refusal('user_unauthorized')
  if (upload.sizeBytes !== piece.sizeBytes || upload.chunksTotal !== piece.total)
    throw new Refusal('storage_invalid_content_range')
}

/** Length of the gap-free run from chunk 0; chunks come in order of their index. */
function countFromStart(chunks: store.ChunkRow[]): number {
  const gap = chunks.findIndex(({ chunkIndex }, at) => chunkIndex !== at)
  return gap === -1 ? chunks.length : gap
}

async function refuseBeyondQuota(
  db: Database,
  { userId, sizeBytes, chunksTotal }: store.NewFileRow,
): Promise<void> {
  if (userId === null) return
  // The account may have ended while the bytes came; what it had is gone, and nothing may follow.
  if (!(await lockUser(db, userId))) throw new Refusal('user_unauthorized')
  const isInChunks = chunksTotal > 1
  const used = await store.readUsage(db, userId)
  if (used.files >= FILES_PER_USER_MAX)
    throw new Refusal(
      'general_argument_invalid',
      `You keep ${FILES_PER_USER_MAX} files already. Delete some first.`,
    )
  if (used.sizeBytes + sizeBytes > STORED_PER_USER_MAX_BYTES)
    throw new Refusal('storage_invalid_file_size', 'Your storage is full. Delete some files first.')
  if (isInChunks && used.unfinished >= UNFINISHED_UPLOADS_PER_USER_MAX) {
    throw new Refusal(
      'general_argument_invalid',
      `You have ${UNFINISHED_UPLOADS_PER_USER_MAX} unfinished uploads already.`,
    )
  }
}
