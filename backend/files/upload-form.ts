// Reads an upload request: the multipart form, which may have fields after its bytes (api.md §1.2,
// §13 trap 2), and the number of the chunk (api.md §4.3). The bytes are written to disk as they
// arrive.

import type { IncomingHttpHeaders } from 'node:http'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalidParam, missingParam, Refusal } from '#contract/errors.ts'
import { ID_RULE, isId, UNIQUE_ID } from '#contract/ids.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { PERMISSIONS_MAX } from '#contract/permissions.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { type BlobStore, makeStoredName } from './blob-store.ts'

/** Enough for one chunk and the rest of its form; larger requests get 413. */
export const UPLOAD_REQUEST_MAX_BYTES = 6 * 1024 * 1024

/** An upload request whose bytes have been received. */
export type Upload = {
  /** If undefined, the server generates the id. */
  id: string | undefined
  permissions: unknown
  bytes: { storedName: string; sizeBytes: number; name: string } | undefined
  contentRange: string | undefined
  /** Whether the client has closed the connection. */
  isDisconnected?: (() => boolean) | undefined
  /** The network whose share of the image queue the decoding takes. */
  caller?: QueueCaller | undefined
}
/**
 * Limits of one form; the limit of the request bounds the file itself. The form may have more
 * permissions than are allowed, so that the rule of permissions refuses them.
 */
export const FORM_LIMITS = {
  fileSize: UPLOAD_REQUEST_MAX_BYTES,
  files: 1,
  fields: PERMISSIONS_MAX + 10,
  parts: PERMISSIONS_MAX + 11,
  fieldSize: 4096,
  fieldNameSize: 100,
  headerPairs: 20,
}

/**
 * @throws Error (413) before the body is read, when the `content-length` of the request is too
 *   large
 */
export function refuseTooLong(request: FastifyRequest): void {
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD_REQUEST_MAX_BYTES) {
    throw Object.assign(new Error('The request is too large'), { statusCode: 413 })
  }
}

/**
 * Reads the whole form.
 *
 * @param received the store for the bytes, which the caller has to remove from it
 * @throws Refusal `storage_invalid_appwrite_id`, `general_argument_invalid`; then `received` has no
 *   bytes of the request
 */
export async function readUploadForm(request: FastifyRequest, received: BlobStore) {
  // The client repeats the id with every chunk but the first.
  const headerId = request.headers['x-appwrite-id']
  if (headerId !== undefined && !isId(headerId)) throw new Refusal('storage_invalid_appwrite_id')
  const form: Form = { id: undefined, permissions: undefined, bytes: undefined }
  try {
    if (request.isMultipart())
      for await (const part of request.parts({ limits: FORM_LIMITS }))
        await readPart(form, part, received)
    return {
      ...form,
      id: headerId ?? parseFileId(form.id),
      contentRange: request.headers['content-range'],
      isDisconnected: () => request.raw.socket.destroyed,
    }
  } catch (error) {
    // Discards the rest without parsing it: after the fault, thousands of parts may follow.
    request.raw.unpipe()
    request.raw.resume()
    if (form.bytes) await received.remove(form.bytes.storedName)
    if (
      error instanceof Refusal ||
      !(error instanceof Error) ||
      'statusCode' in error ||
      'syscall' in error
    )
      throw error
    // Any other error of the parser: the form is malformed, or its client has disconnected.
    throw new Refusal('general_argument_invalid', 'The form is malformed or was cut short.', {
      cause: error,
    })
  }
}

type Form = Pick<Upload, 'id' | 'bytes'> & { permissions: string[] | undefined }

async function readPart(form: Form, part: MultipartFile | MultipartValue, received: BlobStore) {
  if (part.type === 'file') {
    if (part.fieldname !== 'file') {
      part.file.resume()
      return
    }
    const storedName = makeStoredName()
    const putting = received.put(storedName, part.file, UPLOAD_REQUEST_MAX_BYTES)
    const { sizeBytes } = await putting.catch((error: unknown) => {
      // Otherwise the response would wait for the end of the form.
      part.file.resume()
      throw error
    })
    // Undefined for an empty name, although the type of the parser excludes that.
    form.bytes = { storedName, sizeBytes, name: part.filename ?? '' }
    return
  }
  if (part.fieldname === 'fileId') form.id = String(part.value)
  else if (/^permissions(\[\d{0,3}\])?$/.test(part.fieldname)) {
    // A form sends an empty list as one empty text.
    form.permissions ??= []
    if (part.value !== '') form.permissions.push(String(part.value))
  }
}

/** @returns undefined for `unique()`: the server generates the id */
function parseFileId(text: string | undefined): string | undefined {
  if (text === undefined) throw missingParam('fileId')
  if (text === UNIQUE_ID) return undefined
  if (!isId(text)) throw invalidParam('fileId', ID_RULE)
  return text
}

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

/** The upload that a chunk after the first continues, by its request headers. */
export type LaterChunk = { id: string; sizeBytes: number }

/**
 * Parses `content-range`. Every chunk but the last has 5 MiB, so its start determines its length.
 *
 * @returns undefined without a header: the request has the whole file
 * @throws Refusal `storage_invalid_content_range`
 */
export function parseContentRange(header: string | undefined): ChunkRange | undefined {
  if (header === undefined) return undefined
  const range = findChunkRange(header)
  if (!range) throw new Refusal('storage_invalid_content_range')
  return range
}

/** @returns undefined for a malformed header, and for a range that is no whole chunk */
function findChunkRange(header: string): ChunkRange | undefined {
  const [start = 0, sentEnd = 0, sizeBytes = 0] = (CONTENT_RANGE.exec(header) ?? [])
    .slice(1)
    .map(Number)
  // Clients 10 to 12 send the size as the end of the last chunk.
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
export function findLaterChunk(headers: IncomingHttpHeaders): LaterChunk | undefined {
  const { 'content-range': header, 'x-appwrite-id': id } = headers
  const range = header === undefined ? undefined : findChunkRange(header)
  return range && range.index > 0 && isId(id) ? { id, sizeBytes: range.sizeBytes } : undefined
}
