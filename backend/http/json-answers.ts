// What all answers of the API have in common when they are sent: their type, who may keep them, and
// their bytes, compressed where that is worth it. Knows no route.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VIEWER_HEADER } from '#contract/viewer.ts'
import { JSON_TYPE } from './broken-requests.ts'
import { COMPRESSED_FROM_BYTES, chooseEncoding, type Encoding, encodeOnce } from './encodings.ts'

/** Stores the text of a response that is the same for others. @returns what is sent of it */
type CacheResponse = (text: string) => Promise<Buffer | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the response that is being made; null for one that is not cached. */
    cacheResponse: CacheResponse | null
  }
}

/** The headers that name an encoding, and that it depends on what the reader accepts. */
export function encodingHeaders(encoding: Encoding, bytes: number): Record<string, string> {
  if (bytes < COMPRESSED_FROM_BYTES) return { vary: 'Origin' }
  const vary = 'Origin, Accept-Encoding'
  return encoding === 'identity' ? { vary } : { vary, 'content-encoding': encoding }
}

/**
 * Answers about an account are not compressed: their length would tell of the secrets in them, to
 * whoever can put in something beside them.
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

export function finishAnswers(api: FastifyInstance): void {
  api.decorateRequest('cacheResponse', null)
  api.addHook('onSend', (request, reply, payload, done) => {
    // A 204 with a JSON content type breaks every client of this API (api.md §1.3).
    if (reply.statusCode === 204) reply.removeHeader('content-type')
    // In what caches give without asking it would name whoever asked first.
    const caching = String(reply.getHeader('cache-control') ?? '')
    const isForGuest = caching === 'private, no-cache' && request.viewer.role === 'guest'
    if (!caching.includes('no-store') && !isForGuest) reply.removeHeader(VIEWER_HEADER)
    // Bytes are sent as they are.
    const isText = reply.statusCode === 200 && typeof payload === 'string'
    const sent = !isText
      ? undefined
      : request.cacheResponse
        ? request.cacheResponse(payload)
        : payload.length >= COMPRESSED_FROM_BYTES && isCompressible(request, reply)
          ? compressOnce(payload, reply)
          : undefined
    if (sent === undefined) done()
    else sent.then((bytes) => done(null, bytes), done)
  })
}
