// Shared by all responses: base headers, content type, compression, conditional requests.
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  constants,
  crc32,
  deflateRawSync,
  gunzip,
  gzip,
  gzipSync,
  deflateRaw as zlibDeflateRaw,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VIEWER_HEADER } from '#contract/ids.ts'

/** The version of the `/v1` API that responses name. Not the product's own version. */
export const API_VERSION = '1.4.13'

/** The content type of JSON answers (api.md §1.3). */
export const JSON_TYPE = 'application/json; charset=UTF-8'

/** The headers of every response, even if it has no route (threat-model.md §7). */
export function baseHeaders(requestId: string, isHttps: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': requestId,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

declare module 'fastify' {
  interface FastifyReply {
    /** The token of the session that this call has started. */
    newSessionToken: string | undefined
  }
}

/** The headers that name an encoding, and that it was negotiated. */
export function encodingHeaders(encoding: Encoding, bytes: number): Record<string, string> {
  if (bytes < COMPRESSED_FROM_BYTES) return { vary: 'Origin' }
  const vary = 'Origin, Accept-Encoding'
  return encoding === 'identity' ? { vary } : { vary, 'content-encoding': encoding }
}

/**
 * Responses about an account are not compressed: their length would reveal secrets to an attacker
 * who can put text next to them.
 */
function isCompressible({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    routeOptions.config?.scope !== 'account' &&
    reply.getHeader('content-type') === JSON_TYPE
  )
}

async function compressOnce(text: string, reply: FastifyReply): Promise<string | Buffer> {
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'])
  reply.headers(encodingHeaders(encoding, text.length))
  return encoding === 'identity' ? text : encodeOnce(text, encoding)
}

export function addResponseHooks(api: FastifyInstance): void {
  api.addHook('onSend', (request, reply, payload, done) => {
    // A 204 with a JSON content type breaks every client of this API (api.md §1.3).
    if (reply.statusCode === 204) reply.removeHeader('content-type')
    // A cached response would carry the header of another viewer.
    const caching = String(reply.getHeader('cache-control') ?? '')
    const isForGuest = caching === 'private, no-cache' && request.viewer.role === 'guest'
    if (!caching.includes('no-store') && !isForGuest) reply.removeHeader(VIEWER_HEADER)
    // Bytes are sent as they are.
    const isText = reply.statusCode === 200 && typeof payload === 'string'
    const isLong = isText && payload.length >= COMPRESSED_FROM_BYTES
    if (isLong && isCompressible(request, reply))
      compressOnce(payload, reply).then((compressed) => done(null, compressed), done)
    else done()
  })
}

// --- compression

/** The content encoding of a response. */
export type Encoding = 'br' | 'gzip' | 'identity'

type Levels = { brotli: number; gzip: number }

/**
 * Each like or comment re-renders a page. Brotli at 5 takes 50 % more time for 7 % fewer bytes,
 * gzip at 6 for 3 %.
 */
const LEVELS_OF_CACHED: Levels = { brotli: 4, gzip: 4 }
/** The next higher levels take twice the time for 10 % fewer bytes. */
const LEVELS_ONCE: Levels = { brotli: 1, gzip: 1 }
const MIN_WINDOW_BITS = 14
/** Compressing this takes a millisecond at most; another thread would add half of that. */
const SYNC_MAX_BYTES = 64 * 1024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const decompressBrotli = promisify(brotliDecompress)
const decompressGzip = promisify(gunzip)

/** Shorter bodies are sent as they are. */
export const COMPRESSED_FROM_BYTES = 1024

/**
 * The best encoding that a request accepts.
 *
 * @source RFC 9110 §12.5.3
 */
export function chooseEncoding(accepted = ''): Encoding {
  const isAccepted = readAccepted(accepted)
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}

/** @returns whether a request accepts an encoding */
export function readAccepted(accepted = ''): (encoding: string) => boolean {
  const refused = new Set<string>()
  const acceptedNames = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    ;(isRefused ? refused : acceptedNames).add(name)
  }
  return (name) => acceptedNames.has(name) || (acceptedNames.has('*') && !refused.has(name))
}

/** For cached bytes: the result takes no more memory than its length. */
export async function encode(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compactBuffer(await compress(text, encoding, LEVELS_OF_CACHED))
}

/** Decompresses the result of `encode`. */
export async function decode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return bytes
  return await (encoding === 'br' ? decompressBrotli(bytes) : decompressGzip(bytes))
}

/** For bytes that are sent once. */
export function encodeOnce(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compress(text, encoding, LEVELS_ONCE)
}

async function compress(text: string | Buffer, encoding: Encoding, levels: Levels) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (encoding === 'identity') return bytes
  const isSync = bytes.length <= SYNC_MAX_BYTES
  // Most results fit in one piece; each further piece is another trip to the thread.
  const pieces = isSync ? {} : { chunkSize: SYNC_MAX_BYTES }
  if (encoding === 'gzip') {
    const options = { level: levels.gzip, ...pieces }
    return isSync ? gzipSync(bytes, options) : compressGzip(bytes, options)
  }
  const options = { ...brotliOptions(bytes, levels), ...pieces }
  return isSync ? brotliCompressSync(bytes, options) : compressBrotli(bytes, options)
}

function brotliOptions({ length }: Buffer, { brotli }: Levels): BrotliOptions {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: windowBits(length),
  }
  return { params }
}

/**
 * Bytes that take no more memory than their length. Compression returns the beginning of a larger
 * buffer, and short texts share one.
 */
export function compactBuffer(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/**
 * The window that holds the whole body, as a power of two: the default of 4 MB is counted as memory
 * of the heap, and its garbage collection costs more than compressing a page.
 */
function windowBits(bytes: number): number {
  const bits = Math.ceil(Math.log2(bytes + 1))
  return Math.min(Math.max(bits, MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW)
}

// --- bodies that differ only at the start: their common end is compressed once

const deflateRaw = promisify(zlibDeflateRaw)
/** Method 8 (deflate), no flags, no time, an unknown system. @source RFC 1952 §2.3 */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const GZIP_END_BYTES = 8

export function compressEnd(end: Buffer): Promise<Buffer> {
  return deflateRaw(end, { level: LEVELS_OF_CACHED.gzip })
}

/**
 * The gzip of a body.
 *
 * @param compressedEnd the result of {@link compressEnd}
 */
export function gzipWithEnd(start: Buffer, end: Buffer, compressedEnd: Buffer): Buffer {
  const flushed = { level: LEVELS_ONCE.gzip, finishFlush: constants.Z_SYNC_FLUSH }
  const compressedStart = deflateRawSync(start, flushed)
  const trailer = Buffer.alloc(GZIP_END_BYTES)
  trailer.writeUInt32LE(crc32(end, crc32(start)))
  trailer.writeUInt32LE(start.length + end.length, GZIP_END_BYTES / 2)
  return Buffer.concat([GZIP_HEADER, compressedStart, compressedEnd, trailer])
}

// --- conditional requests: whether the caller's copy is still current

/**
 * Whether `If-None-Match` names this entity tag, weak or strong, or `*`; without that header,
 * whether the answer was last changed after `If-Modified-Since`.
 *
 * @note a request's own `Cache-Control: no-cache` is for caches; this is the origin
 * @source RFC 9110 §13.1.2, §13.2.2
 */
export function isCopyCurrent(
  { headers }: Pick<FastifyRequest, 'headers'>,
  etag: string,
  lastModified?: string,
): boolean {
  const ifNoneMatch = headers['if-none-match']
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  if (ifNoneMatch !== undefined)
    return ifNoneMatch.split(',').some((tag) => ['*', plain(etag)].includes(plain(tag)))
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return lastModified !== undefined && Date.parse(lastModified) <= since
}
