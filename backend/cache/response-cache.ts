// The one cache of responses: bytes that are the same for all who may read them, sent again as long
// as the public version is the one they were made of (decision 0065). In memory, bounded, the least
// recently used goes first. Independent of routes and of what is in a response.
import { hash } from 'node:crypto'
import {
  type IncomingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { PublicVersion, ReadPublicVersion } from '../database/public-version.ts'
import { asExact, chooseEncoding, type Encoding, encode, isCopyCurrent } from '../http/responses.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { makeId, makeSecret } from '../process/ids.ts'

/** Who gets a response: guests, or users with or without a verified address. */
export type Audience = 'guest' | 'verified' | 'unverified'

/** Which posts that others do not see a response would show to their author. */
export type OwnPosts = 'none' | 'active' | 'all'

/** The request that a response was sent to. */
export type SentTo = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'ip'>

/** How a response was sent: its body in an encoding, or 304. */
export type SentForm = Encoding | 'unchanged'

/** A response with status 200 as a route makes it. */
export type MadeResponse = {
  body: Buffer
  /** A weak one of the body when absent; null for a response without one. */
  tag?: string | null
  /** As in HTTP. */
  lastModified?: string
  isCompressible: boolean
  /** All but those of encoding, length and tag; one may hold `FILLED` below. */
  headers: Record<string, string>
  /** Those of an answer that is no 304. */
  bodyHeaders: Record<string, string>
  /** What each response has in place of `FILLED`. */
  piece?: (viewer: Viewer) => string
  /** The route, for the metrics. */
  route: string
  ownPosts?: OwnPosts
  onSent?: (request: SentTo, status: number) => void
}

export type CachedResponse = Omit<MadeResponse, 'body' | 'tag'> & {
  key: string
  tag: string | undefined
  bodies: Map<Encoding, Buffer>
  /** Made when they are first sent. */
  heads: Partial<Record<SentForm, Head>>
  version: PublicVersion
}

export type ResponseCache = ReturnType<typeof makeResponseCache>

const MAX_BYTES = 64 * 1024 * 1024
/** For the bookkeeping of one response. */
const ENTRY_BYTES = 4000
const URL_MAX_CHARS = 2000
/** A longer text names no format. */
const FORMAT_MAX_CHARS = 20

/** What a response depends on besides the public version; empty when it is not to be stored. */
export function keyOf(audience: Audience, url: string, headers: IncomingHttpHeaders): string {
  const format = url.startsWith('/v1/') ? String(headers['x-appwrite-response-format'] ?? '') : ''
  // The router decodes an address, so that `/%761/` is `/v1/`.
  const isEncoded = /^\/[^/?]*%/.test(url)
  if (isEncoded || url.length > URL_MAX_CHARS || format.length > FORMAT_MAX_CHARS) return ''
  const hasWebp = url.startsWith('/v1/storage/') && headers.accept?.includes('image/webp')
  return `${audience} ${format}${hasWebp ? 'webp' : ''} ${url}`
}

export function makeResponseCache(readVersion: ReadPublicVersion, { maxBytes = MAX_BYTES } = {}) {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: sizeOf,
  })
  const making = new Map<string, Promise<CachedResponse | { other: unknown }>>()
  let last = 0

  function find(key: string, { version, likes }: PublicVersion): CachedResponse | undefined {
    const found = responses.get(key)
    return found?.version.version === version && found.version.likes === likes ? found : undefined
  }
  /** @param version was read before anything that the response shows; `key` is empty: not stored */
  function store(key: string, version: PublicVersion, { body, tag, ...made }: MadeResponse) {
    const bytes = asExact(body)
    const response: CachedResponse = {
      ...made,
      key,
      version,
      heads: {},
      tag: tag === null ? undefined : (tag ?? tagOf(bytes)),
      bodies: new Map([['identity', bytes]]),
    }
    if (key !== '') responses.set(key, response)
    return response
  }
  async function readNow(): Promise<PublicVersion> {
    const version = await readVersion()
    // A restored database counts the same numbers again for other posts.
    if (version.version < last) responses.clear()
    last = version.version
    return version
  }
  return {
    readVersion: readNow,
    /** Whether there is one, be it valid or not. */
    has: (key: string) => responses.has(key),
    find,
    store,
    /**
     * The valid response of this key, else a new one, which one of many callers makes.
     *
     * @param make gives `other` for a response that is not the same for everybody
     */
    async readOrMake<Other>(
      key: string,
      make: () => Promise<MadeResponse | { other: Other }>,
    ): Promise<CachedResponse | { other: Other }> {
      const version = await readNow()
      const found = find(key, version)
      if (found) return found
      const turn = `${version.version} ${version.likes} ${key}`
      const others = key === '' ? undefined : making.get(turn)
      const theirs = others && (await others.catch(() => undefined))
      if (theirs && !('other' in theirs)) return theirs
      const mine = make().then((made) => ('other' in made ? made : store(key, version, made)))
      making.set(turn, mine)
      return await mine.finally(() => making.delete(turn))
    },
    async bodyIn(response: CachedResponse, encoding: Encoding): Promise<Buffer> {
      const { key, bodies } = response
      const known = bodies.get(encoding)
      if (known) return known
      const body = await encode(bodies.get('identity') ?? Buffer.alloc(0), encoding)
      bodies.set(encoding, body)
      // Its size is another one now.
      if (responses.peek(key) === response && responses.delete(key)) responses.set(key, response)
      return body
    },
  }
}

function sizeOf({ bodies }: CachedResponse, key: string): number {
  return [...bodies.values()].reduce((sum, { length }) => sum + length, ENTRY_BYTES + key.length)
}

/** Weak, because the same response leaves in several encodings (RFC 9110 §8.8.1). */
export function tagOf(body: Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** How a request gets a response. */
export function formFor(
  { tag, lastModified, isCompressible }: CachedResponse,
  request: Pick<FastifyRequest, 'headers'>,
): SentForm {
  if (tag !== undefined && isCopyCurrent(request, tag, lastModified)) return 'unchanged'
  return isCompressible ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
}

/** The headers of a response but its length, with {@link FILLED} in its place. */
export function headersOf(response: CachedResponse, form: SentForm): Record<string, string> {
  const { tag, headers, bodyHeaders } = response
  return {
    ...headers,
    ...(form === 'unchanged' ? {} : bodyHeaders),
    ...(form === 'unchanged' || form === 'identity' ? {} : { 'content-encoding': form }),
    ...(tag === undefined ? {} : { etag: tag }),
  }
}

/** Sets status and headers. @returns the body to send; null for none */
export async function applyResponse(
  cache: ResponseCache,
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | null> {
  const form = formFor(response, request)
  const piece = response.piece?.(request.viewer ?? GUEST) ?? ''
  for (const [name, value] of Object.entries(headersOf(response, form)))
    reply.header(name, value.replace(FILLED, piece))
  if (form !== 'unchanged') return await cache.bodyIn(response, form)
  reply.code(304).removeHeader('content-type')
  return null
}

/** Sends a response in the way of its route. */
export async function sendResponse(
  cache: ResponseCache,
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = await applyResponse(cache, response, request, reply)
  return reply.send(body ?? undefined)
}

// --- heads of answers that are sent again and again: their headers are checked and joined once,
// and only what differs is put in for each answer. Making them anew costs more than sending them.

/** The place in a header where each answer has a piece of its own. A client cannot guess it. */
export const FILLED = makeSecret(12)

/** The lines around that place, without those that every answer has. */
export type Head = { status: 200 | 304; before: string; after: string }

/** @throws TypeError for what no header may hold */
export function prepareHeaders(status: Head['status'], headers: Record<string, string>): Head {
  let text = ''
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    text += `${name}: ${value}\r\n`
  }
  const [before = '', after = ''] = text.split(FILLED)
  return { status, before, after }
}

/** Where Node keeps the head of an answer once it is made; no function of it takes a whole one. */
type Headed = { _header?: string | null }

/** Sends the head of an answer that leaves its connection open. @param piece is not checked */
export function sendHead(
  response: ServerResponse,
  { status, before, after }: Head,
  { common, piece, keepAliveMs }: { common: Head; piece: string; keepAliveMs: number },
): void {
  response.statusCode = status
  ;(response as Headed)._header =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${common.before}${makeId()}${common.after}${before}${piece}${after}Date: ${new Date().toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`
}
