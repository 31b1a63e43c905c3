// Responses with an image: headers, conditional requests and ranges (api.md §4.4, §4.5).
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { isCopyCurrent } from '../http/responses.ts'
import { BlobSizeMismatch, type ByteRange } from './blob-store.ts'

export const FILE_CACHE_SECONDS = 45 * 24 * 60 * 60

/**
 * The description of an image in a response. Shared caches may store it if `isPublic`; browsers
 * revalidate other images each time, so that none is shown after a sign-out (threat-model.md §7).
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
 * The part of a file that a `Range` header requests.
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
 * Sends a stored file, or the part of it that was requested. Calls `open` only to send bytes.
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
  // With an empty text, Fastify would set `content-length` to 0.
  return reply.send(Readable.from([]))
}

/**
 * Throws when there are fewer or more bytes than `content-length`, which closes the connection: the
 * client detects that the file is incomplete.
 */
async function* exactly(bytes: AsyncIterable<Buffer>, lengthBytes: number) {
  let remaining = lengthBytes
  for await (const piece of bytes) {
    remaining -= piece.length
    if (remaining < 0) throw new BlobSizeMismatch('There are more bytes than announced')
    yield piece
  }
  if (remaining > 0) throw new BlobSizeMismatch(`${remaining} bytes are missing`)
}

/** Sends a drawn image. @param draw called only if the client's copy is outdated */
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

/** Headers without those that describe bytes. */
export function withoutContent(headers: Record<string, string>) {
  const { 'content-type': _type, 'content-disposition': _disposition, ...others } = headers
  return others
}

/** The time at which a copy expires: now, unless the image is public. */
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
    // Other sites, such as feed readers, may show public images only.
    'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-site',
    'cache-control': isPublic ? `public, max-age=${cacheSeconds}, immutable` : 'private, no-cache',
    expires: expiryOf(headers),
    etag,
    ...extra,
  }
}
