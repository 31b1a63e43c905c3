// The one cache of responses: bytes that are the same for everyone who may read them. A response is
// reused while each cache tag of its content has the version that it had before the response was
// made (decision 0082). The cache is in memory and bounded; the least recently used responses are
// dropped first. Independent of routes and of the content of responses.
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ReadTagVersions, TagVersions } from '../database/cache-tags.ts'
import {
  chooseEncoding,
  compactBuffer,
  decode,
  type Encoding,
  encode,
  isCopyCurrent,
} from '../http/responses.ts'
import type { Viewer } from '../http/viewer.ts'

/** Who gets a response: guests, or users with or without a verified address. */
export type Audience = 'guest' | 'verified' | 'unverified'

/** A response with status 200 from a route. */
export type NewResponse = {
  body: Buffer
  /** Cache tags of its content; the tag `site` is added. */
  tags: readonly string[]
  /** By default a weak tag computed from the body; null for a response without one. */
  etag?: string | null
  /** The Last-Modified header. */
  lastModified?: string
  isCompressible: boolean
  /** Headers except those of encoding, length and entity tag. */
  headers: Record<string, string>
  /** Headers that a 304 does not have. */
  bodyHeaders: Record<string, string>
  /** Whether this viewer must get other content; if absent, nobody must. */
  isPersonal?: (viewer: Viewer) => Promise<boolean>
}

export type CachedResponse = Omit<NewResponse, 'body' | 'etag'> & {
  key: string
  etag: string | undefined
  /** The body by its encoding, and parts of it by their names. */
  bodies: Map<string, Buffer>
  /** Versions of the tags, read before any of the content was read. */
  versions: TagVersions
}

/** The result of `make` for a response that is not the same for everybody. */
export type Uncached<Other> = { other: Other }

export type ResponseCache = ReturnType<typeof makeResponseCache>

const MAX_BYTES = 64 * 1024 * 1024
/** Overhead of one entry. */
const ENTRY_BYTES = 4000
const URL_MAX_CHARS = 2000
/** No response format has a longer name. */
const FORMAT_MAX_CHARS = 20
/** The tag of every response. */
const SITE = 'site'
/** The version of this tag changes with that of any other tag. */
const ALL = 'all'
const COMPRESSED: Encoding[] = ['br', 'gzip']
/**
 * How many times a request waits for another that makes the same response, before it does so
 * itself.
 */
const WAITS = 2

/** The key of a response; empty when it must not be stored. */
export function keyOf(audience: Audience, url: string, headers: IncomingHttpHeaders): string {
  const format = url.startsWith('/v1/') ? String(headers['x-appwrite-response-format'] ?? '') : ''
  // The router decodes addresses: it takes `/%761/` for `/v1/`.
  const isEncoded = /^\/[^/?]*%/.test(url)
  if (isEncoded || url.length > URL_MAX_CHARS || format.length > FORMAT_MAX_CHARS) return ''
  const hasWebp = url.startsWith('/v1/storage/') && headers.accept?.includes('image/webp')
  return `${audience} ${format}${hasWebp ? 'webp' : ''} ${url}`
}

export function makeResponseCache(readVersions: ReadTagVersions, { maxBytes = MAX_BYTES } = {}) {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: sizeOf,
  })
  const making = new Map<string, Promise<unknown>>()

  async function makeNow<Other>(
    key: string,
    before: TagVersions,
    make: () => Promise<NewResponse | Uncached<Other>>,
  ): Promise<CachedResponse | Uncached<Other>> {
    const newResponse = await make()
    if ('other' in newResponse) return newResponse
    const { body, etag, ...rest } = newResponse
    const tags = [SITE, ...newResponse.tags]
    const bytes = compactBuffer(body)
    const response: CachedResponse = {
      ...rest,
      key,
      tags,
      versions: await versionsBefore(readVersions, tags, before),
      etag: etag === null ? undefined : (etag ?? etagOf(bytes)),
      bodies: new Map([['identity', bytes]]),
    }
    if (key !== '') responses.set(key, response)
    return response
  }
  return {
    /**
     * Returns the valid response for this key, else a new one, which only one of concurrent callers
     * makes.
     *
     * @param key empty for a response that must not be stored
     */
    async readOrMake<Other>(
      key: string,
      make: () => Promise<NewResponse | Uncached<Other>>,
    ): Promise<CachedResponse | Uncached<Other>> {
      for (let waits = 0; ; waits++) {
        const cached = responses.get(key)
        const versions = await readVersions([ALL, SITE, ...(cached?.tags ?? [])])
        if (cached && isValid(cached, versions)) return cached
        const running = making.get(key)
        if (running && waits < WAITS) {
          await running.catch(() => undefined)
          continue
        }
        const ownRun = makeNow(key, versions, make)
        if (key !== '') making.set(key, ownRun)
        return await ownRun.finally(() => {
          if (making.get(key) === ownRun) making.delete(key)
        })
      }
    },
    /**
     * @param form an encoding, whose bytes then replace the plain body; or the name of a part
     * @param make makes this form, once
     */
    async bodyVariant(
      response: CachedResponse,
      form: string,
      make: () => Promise<Buffer>,
    ): Promise<Buffer> {
      const { key, bodies } = response
      const cached = bodies.get(form)
      if (cached) return cached
      const variant = compactBuffer(await make())
      bodies.set(form, variant)
      if (COMPRESSED.some((encoding) => encoding === form)) bodies.delete('identity')
      // Stored again, because the size of the entry has changed.
      if (responses.peek(key) === response && responses.delete(key)) responses.set(key, response)
      return variant
    },
  }
}

/** The body, not encoded. */
export async function bodyOf({ bodies }: Pick<CachedResponse, 'bodies'>): Promise<Buffer> {
  for (const encoding of ['identity', ...COMPRESSED] as const) {
    const body = bodies.get(encoding)
    if (body) return await decode(body, encoding)
  }
  throw new Error('A cached response has no body')
}

/**
 * The tags of a response are known only once it is made. If some of its tags were not read before,
 * and anything has changed meanwhile, their versions are missing, and the response is not valid.
 *
 * @param before read before the response was made
 */
async function versionsBefore(
  readVersions: ReadTagVersions,
  tags: string[],
  before: TagVersions,
): Promise<TagVersions> {
  if (tags.every((tag) => before.has(tag))) return before
  const after = await readVersions([ALL, ...tags])
  return after.get(ALL) === before.get(ALL) ? after : before
}

function isValid({ tags, versions }: CachedResponse, current: TagVersions): boolean {
  return tags.every((tag) => current.get(tag) === versions.get(tag))
}

function sizeOf({ bodies }: CachedResponse, key: string): number {
  return [...bodies.values()].reduce((sum, { length }) => sum + length, ENTRY_BYTES + key.length)
}

/** Weak, because a response is sent in several encodings (RFC 9110 §8.8.1). */
export function etagOf(body: Buffer): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** Sends a response in an accepted encoding, or 304. */
export async function sendResponse(
  cache: ResponseCache,
  response: CachedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { etag, lastModified, isCompressible, headers, bodyHeaders } = response
  reply.headers(headers)
  if (etag !== undefined) {
    reply.header('etag', etag)
    if (isCopyCurrent(request, etag, lastModified)) return reply.code(304).send()
  }
  const accepted = request.headers['accept-encoding']
  const encoding = isCompressible ? chooseEncoding(accepted) : 'identity'
  reply.headers(bodyHeaders)
  if (encoding === 'identity') return reply.send(await bodyOf(response))
  const encoded = await cache.bodyVariant(response, encoding, async () =>
    encode(await bodyOf(response), encoding),
  )
  return reply.header('content-encoding', encoding).send(encoded)
}
