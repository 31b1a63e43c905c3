// Which chunk of a file one upload request carries: reads the `content-range` header and the id
// sent with it (api.md §4.3). Pure.
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'

/** One chunk and the rest of its form. More: 413. */
export const UPLOAD_REQUEST_MAX_BYTES = 6 * 1024 * 1024

/**
 * Chunk `index` of `total`: bytes `start` to `start + lengthBytes - 1` of a file of `sizeBytes`.
 */
export type ChunkRange = {
  index: number
  total: number
  start: number
  lengthBytes: number
  sizeBytes: number
}

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** The upload that a chunk after the first belongs to, as its request says. */
export type LaterChunk = { id: string; sizeBytes: number }

/**
 * Parses `content-range`. Chunks are cut every 5 MiB, so the start of a chunk determines its
 * length.
 *
 * @returns undefined without a header: the request carries the whole file
 * @throws Refusal `storage_invalid_content_range`
 */
export function parseContentRange(header: string | undefined): ChunkRange | undefined {
  if (header === undefined) return undefined
  const range = findChunkRange(header)
  if (!range) throw new Refusal('storage_invalid_content_range')
  return range
}

/** @returns undefined for a malformed header, and for bytes that are no whole chunk */
function findChunkRange(header: string): ChunkRange | undefined {
  const [start = 0, sentEnd = 0, sizeBytes = 0] = (CONTENT_RANGE.exec(header) ?? [])
    .slice(1)
    .map(Number)
  // The clients 10 to 12 name the size itself as the end of the last chunk.
  const end = sentEnd === sizeBytes ? sizeBytes - 1 : sentEnd
  const lengthBytes = end + 1 - start
  const isWholeChunk =
    start % CHUNK_BYTES === 0 &&
    start <= end &&
    end < sizeBytes &&
    lengthBytes === Math.min(CHUNK_BYTES, sizeBytes - start)
  if (!isWholeChunk) return undefined
  const index = start / CHUNK_BYTES
  return { index, total: Math.ceil(sizeBytes / CHUNK_BYTES), start, lengthBytes, sizeBytes }
}

/** @returns undefined for a request that begins a file, or is malformed */
export function findLaterChunk({
  'content-range': header,
  'x-appwrite-id': id,
}: IncomingHttpHeaders): LaterChunk | undefined {
  const range = header === undefined ? undefined : findChunkRange(header)
  return range && range.index > 0 && isId(id) ? { id, sizeBytes: range.sizeBytes } : undefined
}
