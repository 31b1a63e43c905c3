// Which piece of a file one upload request carries. Pure reading of the header and of the id beside
// it (api.md §4.3).
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'

/** One chunk of `total`; bytes `start` to `start + lengthBytes - 1` of `sizeBytes`. */
export type Piece = {
  index: number
  total: number
  start: number
  lengthBytes: number
  sizeBytes: number
}

const RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** What a request that goes on with an upload says of it: the file's id and its announced size. */
export type LaterPiece = { id: string; sizeBytes: number }

/**
 * Reads `content-range`. Chunks are cut every 5 MiB, so a chunk's place and length follow from each
 * other.
 *
 * @returns undefined when the whole file comes in this request
 * @throws Refusal `storage_invalid_content_range`
 */
export function readContentRange(header: string | undefined): Piece | undefined {
  if (header === undefined) return undefined
  const piece = findPiece(header)
  if (!piece) throw new Refusal('storage_invalid_content_range')
  return piece
}

function findPiece(header: string): Piece | undefined {
  const [start = 0, end = 0, sizeBytes = 0] = (RANGE.exec(header) ?? []).slice(1).map(Number)
  const lengthBytes = end + 1 - start
  const isWhole =
    start % CHUNK_BYTES === 0 &&
    end < sizeBytes &&
    lengthBytes === Math.min(CHUNK_BYTES, sizeBytes - start)
  return isWhole
    ? {
        index: start / CHUNK_BYTES,
        total: Math.ceil(sizeBytes / CHUNK_BYTES),
        start,
        lengthBytes,
        sizeBytes,
      }
    : undefined
}

/**
 * What a request that looks like a later chunk goes on with; undefined for one that begins a file,
 * or is malformed.
 */
export function findLaterPiece({
  'content-range': range,
  'x-appwrite-id': id,
}: IncomingHttpHeaders): LaterPiece | undefined {
  const piece = range === undefined ? undefined : findPiece(range)
  return piece && piece.index > 0 && isId(id) ? { id, sizeBytes: piece.sizeBytes } : undefined
}

/**
 * The id that a client repeats with every chunk but the first.
 *
 * @throws Refusal `storage_invalid_appwrite_id` when it is not an id
 */
export function readUploadId(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!isId(header)) throw new Refusal('storage_invalid_appwrite_id')
  return header
}
