// The interface of a store of bytes, on disk (disk.ts) or at an S3 server (s3.ts), and reading the
// bytes of a file from it. Independent of the rows of files.
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import { makeId, makeSecret } from '../process/ids.ts'
import type { Log } from '../process/log.ts'

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Stores bytes under names that the server generates; a stored blob is always complete. */
export type BlobStore = {
  /**
   * Stores all the bytes or nothing.
   *
   * @throws Refusal `storage_invalid_file_size` beyond `maxBytes`
   */
  put(name: string, bytes: Bytes, maxBytes: number): Promise<StoredBlob>
  /**
   * @param range      both ends inclusive
   * @param sizeBytes  the expected number of bytes
   * @returns undefined when nothing is stored under this name
   * @throws {@link BlobSizeMismatch} when another number of bytes is stored
   */
  open(name: string, range?: ByteRange, sizeBytes?: number): Promise<Readable | undefined>
  has(name: string): Promise<boolean>
  /** Succeeds also when nothing is stored under this name. */
  remove(name: string): Promise<void>
  /** Everything stored, unfinished writes included, read a few names at a time. */
  list(): AsyncIterable<BlobEntry>
}

/** `changedAtMs` reads the time of the last change; undefined when the entry is gone. */
export type BlobEntry = { name: string; changedAtMs(): Promise<number | undefined> }

/** More or fewer bytes are stored than expected. */
export class BlobSizeMismatch extends Error {}

/** `signature` is the MD5 of the bytes, hex. */
export type StoredBlob = { sizeBytes: number; signature: string }
export type ByteRange = { start: number; end: number }

/** The refusal for a store that cannot be used: whether it has the bytes is unknown. */
export function storageUnreachable(cause: unknown): Refusal {
  return new Refusal(
    'general_service_disabled',
    'The storage of files can not be reached just now.',
    { headers: { 'retry-after': '10' }, cause },
  )
}

/** A new name for bytes. No name is ever used twice. */
export function makeStoredName(): string {
  return `${makeId()}-${makeSecret(8)}`
}

/** Reads a stream to its end into memory: only for streams of bounded size. */
export async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes))
}

type OpenOptions = { blobStore: BlobStore; log: Log }
type StoredFile = { storedName: string; sizeBytes: number }

/**
 * Opens the bytes of a file, or a range of them. Truncated bytes count as a missing file, so that
 * no response is too short (threat-model.md §10).
 *
 * @throws Refusal `storage_file_not_found` when bytes are missing or truncated, which is logged
 */
export async function openOriginal(options: OpenOptions, file: StoredFile, range?: ByteRange) {
  const { blobStore, log } = options
  const { storedName, sizeBytes } = file
  try {
    const bytes = await blobStore.open(storedName, range, sizeBytes)
    if (bytes) return bytes
    log.error({ storedName }, 'the bytes of a file are missing')
  } catch (error) {
    if (!(error instanceof BlobSizeMismatch)) throw error
    log.error({ storedName, err: error }, 'the bytes of a file are cut short')
  }
  throw new Refusal('storage_file_not_found')
}

/** All bytes of a file. @throws as {@link openOriginal} */
export async function readOriginal(options: OpenOptions, file: StoredFile): Promise<Buffer> {
  return await readWhole(await openOriginal(options, file)).catch((error: unknown) => {
    throw error instanceof Refusal ? error : storageUnreachable(error)
  })
}
