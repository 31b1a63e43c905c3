// What all answers of the API have in common when they are sent: their type, who may keep them, and
// their bytes, compressed where that is worth it. Knows no route.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMPRESSED_FROM_BYTES } from '#contract/server-limits.ts'
import { VIEWER_HEADER } from '#contract/viewer.ts'
import { JSON_TYPE } from './broken-requests.ts'
import { chooseEncoding, type Encoding, encodeOnce } from './encodings.ts'

/** Of answers that are kept: to be asked for before each use, by the one browser that has it. */
export const KEPT_CACHING = 'private, no-cache'

/** The encoding that an answer of so many bytes is sent in. */
export function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>, bytes: number): Encoding {
  return bytes < COMPRESSED_FROM_BYTES ? 'identity' : chooseEncoding(headers['accept-encoding'])
}

/** The headers that say so, and that it depends on what the reader accepts. */
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

async function compressOnce(text: string | Buffer, reply: FastifyReply): Promise<string | Buffer> {
  const encoding = encodingFor(reply.request, text.length)
  reply.headers(encodingHeaders(encoding, text.length))
  return encoding === 'identity' ? text : encodeOnce(text, encoding)
}

export function finishAnswers(api: FastifyInstance): void {
  api.decorateRequest('keepAnswer', null)
  api.addHook('onSend', (request, reply, payload, done) => {
    // A 204 with a JSON content type breaks every client of this API (api.md §1.3).
    if (reply.statusCode === 204) reply.removeHeader('content-type')
    const isWhole =
      reply.statusCode === 200 && (typeof payload === 'string' || Buffer.isBuffer(payload))
    const sent =
      isWhole && request.keepAnswer
        ? request.keepAnswer(payload)
        : isWhole && payload.length >= COMPRESSED_FROM_BYTES && isCompressible(request, reply)
          ? compressOnce(payload, reply)
          : undefined
    // In what caches give without asking it would name whoever asked first.
    const caching = String(reply.getHeader('cache-control') ?? '')
    const isForGuest = caching === KEPT_CACHING && request.viewer.role === 'guest'
    if (!caching.includes('no-store') && !isForGuest) reply.removeHeader(VIEWER_HEADER)
    if (sent === undefined) done()
    else sent.then((bytes) => done(null, bytes), done)
  })
}
