// Responses that carry an image: their headers, conditions and ranges (api.md §4.4, §4.5).
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isCopyCurrent } from '../http/responses.ts'
import { type ByteRange, TruncatedBlob } from './blob-store.ts'

export const FILE_CACHE_SECONDS = 45 * 24 * 60 * 60

/**
 * How a response describes its bytes. `isPublic` lets shared caches store them; other images are
 * revalidated each time, so that no copy is shown after a sign-out (threat-model.md §7).
 */
export type ImageHeaders = {
  contentType: string
  disposition: string
  etag: string
  cacheSeconds: number
  isPublic: boolean
  extra?: Record<string, string>
}

/**
 * The part of a file that a `Range` header asks for.
 *
 * @returns undefined for the whole file: no range, another unit, or several ranges
 * @throws Refusal `storage_invalid_range` with Content-Range for one that is malformed or beyond
 *   the end
 * @source api.md §4.5, RFC 9110 §14.2
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  if (header === undefined || !/^bytes=/i.test(header) || header.includes(',')) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.replaceAll(' ', '')) ?? []
  const end = sizeBytes - 1
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const range = { start, end: first === '' || last === '' ? end : Math.min(Number(last), end) }
  if (first + last !== '' && range.start <= range.end) return range
  throw new Refusal('storage_invalid_range', undefined, {
    headers: { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' },
  })
}

/**
 * Sends a stored file, or the part of it that was asked for. `open` is only called when bytes are
 * sent.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ImageHeaders,
  { sizeBytes, open }: { sizeBytes: number; open: (range?: ByteRange) => Promise<Readable> },
): Promise<FastifyReply> {
  if (isCopyCurrent(request, headers.etag)) return sendNotModified(reply, headers)
  const ifRange = request.headers['if-range']
  const range =
    ifRange === undefined || ifRange === headers.etag
      ? parseRange(request.headers.range, sizeBytes)
      : undefined
  const lengthBytes = range ? range.end - range.start + 1 : sizeBytes
  const bytes = await open(range)
  reply.headers({
    ...imageHeaders(headers),
    'accept-ranges': 'bytes',
    'content-length': String(lengthBytes),
  })
  if (range)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  const exact = (source: AsyncIterable<Buffer>) => exactly(source, lengthBytes)
  if (request.method !== 'HEAD') return reply.send(pipeline(bytes, exact, () => {}))
  bytes.destroy()
  // An empty stream: an empty text would set the length to 0.
  return reply.send(Readable.from([]))
}

/**
 * Fails when there are fewer or more bytes than were announced, so that the connection is cut and
 * the client sees that the file is not whole.
 */
async function* exactly(bytes: AsyncIterable<Buffer>, lengthBytes: number) {
  let left = lengthBytes
  for await (const piece of bytes) {
    left -= piece.length
    if (left < 0) throw new TruncatedBlob('There are more bytes than announced')
    yield piece
  }
  if (left > 0) throw new TruncatedBlob(`${left} bytes are missing`)
}

/** Sends a drawn image. @param draw is only called when the caller's copy is not current */
export async function sendDrawn(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: ImageHeaders,
  draw: () => Promise<{ bytes: Buffer; extra?: Record<string, string> }>,
): Promise<FastifyReply> {
  if (isCopyCurrent(request, headers.etag)) return sendNotModified(reply, headers)
  const { bytes, extra = {} } = await draw()
  return reply.headers({ ...imageHeaders(headers), ...extra }).send(bytes)
}

function sendNotModified(reply: FastifyReply, headers: ImageHeaders): FastifyReply {
  return reply
    .code(304)
    .headers(withoutContent(imageHeaders(headers)))
    .send()
}

/** The headers of a response without bytes. */
export function withoutContent(headers: Record<string, string>) {
  const { 'content-type': _type, 'content-disposition': _disposition, ...others } = headers
  return others
}

/** When a copy expires: now, unless the image is public. */
export function expiryOf({
  cacheSeconds,
  isPublic,
}: Pick<ImageHeaders, 'cacheSeconds' | 'isPublic'>): string {
  return new Date(Date.now() + (isPublic ? cacheSeconds * 1000 : 0)).toUTCString()
}

export function imageHeaders(headers: ImageHeaders): Record<string, string> {
  const { cacheSeconds, isPublic, etag, extra } = headers
  return {
    'content-type': headers.contentType,
    'content-disposition': headers.disposition,
    'content-security-policy': "default-src 'none'; sandbox",
    // Feed readers on other sites show public images; other images are for this site alone.
    'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-site',
    'cache-control': isPublic ? `public, max-age=${cacheSeconds}, immutable` : 'private, no-cache',
    expires: expiryOf(headers),
    etag,
    ...extra,
  }
}
