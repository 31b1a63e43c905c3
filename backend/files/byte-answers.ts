// Answers that carry a picture: their headers, conditions and ranges (api.md §4.4, §4.5; RFC 9110
// §§13, 14). Knows no rule of files.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type { ByteRange } from './keeper.ts'

/** What goes on the answer beside the bytes; `isPublic` says that shared caches may keep it. */
export type PictureHeaders = {
  contentType: string
  disposition: string
  etag: string
  cacheSeconds: number
  isPublic: boolean
  extra?: Record<string, string>
}

/**
 * Reads a `Range` header.
 *
 * @returns undefined for the whole: none asked, another unit, several ranges, or another version
 *   than `If-Range` names
 * @throws Refusal `storage_invalid_range` with Content-Range for one that is malformed or beyond
 *   the end
 */
export function readRange(range: string | undefined, sizeBytes: number): ByteRange | undefined {
  if (range === undefined || !/^bytes=/i.test(range)) return undefined
  const wanted = range.slice('bytes='.length).trim()
  if (wanted.includes(',')) return undefined
  const [, first = '', last = ''] = /^(\d{0,15})-(\d{0,15})$/.exec(wanted) ?? []
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  const isAsked = first !== '' || Number(last) > 0
  if (!isAsked || start > end) {
    throw new Refusal('storage_invalid_range', undefined, {
      headers: { 'content-range': `bytes */${sizeBytes}`, 'accept-ranges': 'bytes' },
    })
  }
  return { start, end }
}

/**
 * Sends a stored file, or the part of it that was asked for. `open` is only called when bytes are
 * sent.
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: PictureHeaders,
  { sizeBytes, open }: { sizeBytes: number; open: (range?: ByteRange) => Promise<Readable> },
): Promise<FastifyReply> {
  if (isKnown(request, headers.etag)) return sendKnown(reply, headers)
  const ifRange = request.headers['if-range']
  const range =
    ifRange === undefined || ifRange === headers.etag
      ? readRange(request.headers.range, sizeBytes)
      : undefined
  const lengthBytes = range ? range.end - range.start + 1 : sizeBytes
  const bytes = await open(range)
  setHeaders(reply, headers).headers({
    'accept-ranges': 'bytes',
    'content-length': String(lengthBytes),
  })
  if (range)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  if (request.method !== 'HEAD') return reply.send(bytes)
  bytes.destroy()
  // An empty stream, because an empty text would take the length back to 0.
  return reply.send(Readable.from([]))
}

/** Sends a drawn picture. @param draw is only called when the caller has not got it already */
export async function sendDrawn(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: PictureHeaders,
  draw: () => Promise<{ bytes: Buffer; extra?: Record<string, string> }>,
): Promise<FastifyReply> {
  if (isKnown(request, headers.etag)) return sendKnown(reply, headers)
  const { bytes, extra = {} } = await draw()
  return setHeaders(reply, headers).headers(extra).send(bytes)
}

function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  return (
    known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  )
}

function sendKnown(reply: FastifyReply, headers: PictureHeaders): FastifyReply {
  return setHeaders(reply, headers)
    .removeHeader('content-type')
    .removeHeader('content-disposition')
    .code(304)
    .send()
}

function setHeaders(
  reply: FastifyReply,
  { contentType, disposition, etag, cacheSeconds, isPublic, extra = {} }: PictureHeaders,
): FastifyReply {
  return reply.headers({
    'content-type': contentType,
    'content-disposition': disposition,
    'content-security-policy': "default-src 'none'; sandbox",
    // Pictures everybody may see are also shown by feed readers; the others only by this site.
    'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-site',
    'cache-control': `${isPublic ? 'public' : 'private'}, max-age=${cacheSeconds}${isPublic ? ', immutable' : ''}`,
    expires: new Date(Date.now() + cacheSeconds * 1000).toUTCString(),
    etag,
    ...extra,
  })
}
