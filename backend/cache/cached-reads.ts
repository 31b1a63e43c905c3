// Reads that are answered with cached responses: before a request reaches the router, and by the
// routes that fill the cache. What a user sees besides what all readers get (own drafts, hidden
// posts, own likes) is never in it: such a response is made for that user alone.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { VIEWER_HEADER, viewerFingerprint } from '#contract/ids.ts'
import type { Metrics } from '../http/metrics.ts'
import { countsOf, type RateLimits } from '../http/rate-limits.ts'
import {
  baseHeaders,
  COMPRESSED_FROM_BYTES,
  encodingHeaders,
  JSON_TYPE,
} from '../http/responses.ts'
import { answerEarly } from '../http/server.ts'
import { GUEST, isFetchedElsewhere, type UserViewer, type Viewer } from '../http/viewer.ts'
import {
  type Audience,
  applyResponse,
  FILLED,
  formFor,
  headersOf,
  keyOf,
  type MadeResponse,
  type OwnPosts,
  prepareHeaders,
  type ResponseCache,
  sendHead,
  sendResponse,
} from './response-cache.ts'

// --- before the router

export type FastPathOptions = {
  cache: ResponseCache
  projectId: string
  isHttps: boolean
  trustedProxies: readonly string[]
  rateLimits: Pick<RateLimits, 'take'>
  /** Whether a request may come from a user or from another program. */
  hasCredentials: (headers: IncomingMessage['headers']) => boolean
  resolveViewer: (request: Pick<IncomingMessage, 'headers'>) => Promise<Viewer>
  /** Whether a user has posts that others of the same audience do not see. */
  hasOwnPosts: HasOwnPosts
  recordResponse: Metrics['recordResponse'] | undefined
  isStopping: () => boolean
}
export type HasOwnPosts = (viewer: UserViewer, own: OwnPosts) => Promise<boolean>

export function addFastPath(server: Server, context: FastPathOptions): void {
  const trust = proxyAddress.compile([...context.trustedProxies])
  const send = makeSend(server, context)
  answerEarly(server, (request, response, goOn) => {
    // Node makes the heads of those that close their connection.
    if (!response.shouldKeepAlive || !mayBeCached(context, request)) return goOn()
    const address = proxyAddress(request, trust) ?? ''
    find(context, request)
      .then((found) => {
        if (!found || !isCounted(context, address)) return goOn()
        send(request, response, found)
        const { method = '', url = '', headers } = request
        found.response.onSent?.({ method, url, headers, ip: address }, response.statusCode)
      })
      // The routes say what is wrong.
      .catch(() => (response.headersSent ? response.destroy() : goOn()))
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof find>>>

function mayBeCached(context: FastPathOptions, request: IncomingMessage): boolean {
  const { url = '', headers } = request
  if (context.isStopping() || isFetchedElsewhere(headers)) return false
  const isApi = url.startsWith('/v1/')
  // The `project` of the address goes before that of the header.
  const isOfProject =
    !isApi || /[?&]project=/.test(url) || headers['x-appwrite-project'] === context.projectId
  if (!isOfProject) return false
  const audiences: readonly Audience[] = context.hasCredentials(headers) ? USERS : GUESTS
  return audiences.some((audience) => context.cache.has(keyOf(audience, url, headers)))
}

const GUESTS = ['guest'] as const
const USERS = ['verified', 'unverified'] as const

/** `bytes` is undefined for what its reader has. */
async function find(context: FastPathOptions, request: IncomingMessage) {
  const { cache } = context
  const { url = '', headers } = request
  const [version, viewer] = await Promise.all([
    cache.readVersion(),
    context.hasCredentials(headers) ? context.resolveViewer(request) : GUEST,
  ])
  if (viewer.role === 'key') return undefined
  const response = cache.find(keyOf(audienceOf(viewer), url, headers), version)
  const own = response?.ownPosts ?? 'none'
  if (!response || (viewer.role === 'guest' && context.hasCredentials(headers))) return undefined
  const isOther =
    viewer.role === 'user' && own !== 'none' && (await context.hasOwnPosts(viewer, own))
  if (isOther) return undefined
  const form = formFor(response, request)
  const bytes = form === 'unchanged' ? undefined : await cache.bodyIn(response, form)
  return { response, viewer, form, bytes }
}

export function audienceOf(viewer: Exclude<Viewer, { role: 'key' }>): Audience {
  if (viewer.role === 'guest') return 'guest'
  return viewer.isVerified ? 'verified' : 'unverified'
}

/** @returns false when the address has no request left: the routes refuse it in their form */
function isCounted({ rateLimits }: FastPathOptions, address: string): boolean {
  try {
    rateLimits.take(countsOf(address))
    return true
  } catch {
    return false
  }
}

function makeSend(server: Server, { isHttps, recordResponse }: FastPathOptions) {
  const common = prepareHeaders(200, baseHeaders(FILLED, isHttps))
  return (
    { method = 'GET' }: IncomingMessage,
    serverResponse: ServerResponse,
    { response, viewer, form, bytes }: Found,
  ): void => {
    const startedMs = performance.now()
    response.heads[form] ??= prepareHeaders(bytes ? 200 : 304, {
      ...headersOf(response, form),
      ...(bytes && { 'content-length': String(bytes.length) }),
    })
    const piece = response.piece?.(viewer) ?? ''
    const { keepAliveTimeout: keepAliveMs } = server
    sendHead(serverResponse, response.heads[form], { common, piece, keepAliveMs })
    serverResponse.end(method === 'HEAD' ? undefined : bytes)
    const { statusCode } = serverResponse
    const sent = { statusCode, elapsedTime: performance.now() - startedMs }
    recordResponse?.({ method, routeOptions: { url: response.route } }, sent)
  }
}

// --- API reads whose response is the same for all who may read it: made once for each audience.

/** What an answer depends on. */
export type Asked = Pick<FastifyRequest, 'viewer' | 'params' | 'query'>

/** What a route for reading does, and what of a user's own would be in its answer. */
export type SharedRead<Answer extends object = object> = {
  read(asked: Asked, request: FastifyRequest): Promise<Answer>
  /** None when absent; undefined for an answer that is another one each time. */
  ownPosts?: (asked: Asked) => Promise<OwnPosts | undefined>
  /** Whether all users of an audience get this answer; when absent they do. */
  isShared?(answer: Answer): boolean
  /** False: guests keep no copy of it, either. */
  hasTag?: boolean
}

/** Adds a route for reading, with its description; a function makes a reading for each request. */
export type AddSharedRead = ReturnType<typeof makeAddSharedRead>

export function makeAddSharedRead(cache: ResponseCache, hasOwnPosts: HasOwnPosts) {
  return <Answer extends object>(
    api: FastifyInstance,
    path: string,
    options: RouteShorthandOptions,
    shared: SharedRead<Answer> | (() => SharedRead<Answer>),
  ): void => {
    api.get(path, options, (request, reply) => {
      const read = typeof shared === 'function' ? shared() : shared
      return readShared({ cache, hasOwnPosts, ...read }, request, reply)
    })
  }
}

type CachedReadOptions = SharedRead & { cache: ResponseCache; hasOwnPosts: HasOwnPosts }

async function readShared(
  context: CachedReadOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { cache, read } = context
  const { viewer, params, query } = request
  const asked = { viewer, params, query }
  const key =
    viewer.role === 'key' ? '' : keyOf(audienceOf(viewer), request.originalUrl, request.headers)
  if (viewer.role === 'key' || key === '') return await read(asked, request)
  // Before anything that the response shows is read.
  const version = await cache.readVersion()
  const ownPosts = await findOwnPosts(context, asked)
  const isOther =
    ownPosts === undefined ||
    (viewer.role === 'user' && ownPosts !== 'none' && (await context.hasOwnPosts(viewer, ownPosts)))
  if (isOther) return await read(asked, request)
  const found = cache.find(key, version)
  if (found) return await sendResponse(cache, found, request, reply)
  const answer = await readForAll(context, asked, request)
  if (!answer) return await read(asked, request)
  request.cacheResponse = async (text) => {
    const hasTag = viewer.role === 'guest' && context.hasTag !== false
    const made = toResponse(Buffer.from(text), request, { hasTag, ownPosts })
    return await applyResponse(cache, cache.store(key, version, made), request, reply)
  }
  return answer
}

/** A question that is refused is refused by the read, in its order. */
async function findOwnPosts(
  { ownPosts }: CachedReadOptions,
  asked: Asked,
): Promise<OwnPosts | undefined> {
  if (!ownPosts) return 'none'
  return await ownPosts(asked).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
}

/** @returns undefined where this user is answered otherwise than others */
async function readForAll(
  { read, isShared = () => true }: CachedReadOptions,
  asked: Asked,
  request: FastifyRequest,
): Promise<object | undefined> {
  const { viewer } = asked
  if (viewer.role !== 'user') return await read(asked, request)
  try {
    const answer = await read({ ...asked, viewer: anyUser(viewer) }, request)
    return isShared(answer) ? answer : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** In the same groups of readers, with nothing of their own. */
function anyUser({ isVerified }: UserViewer): UserViewer {
  const nobody = { userId: '', email: '', name: '', sessionId: '', accountRole: 'reader' } as const
  return { role: 'user', ...nobody, isVerified }
}

function toResponse(
  body: Buffer,
  { routeOptions: { url: route = '' } }: FastifyRequest,
  { hasTag, ownPosts }: { hasTag: boolean; ownPosts: OwnPosts },
): MadeResponse {
  return {
    body,
    route,
    ownPosts,
    isCompressible: body.length >= COMPRESSED_FROM_BYTES,
    ...(hasTag ? {} : { tag: null }),
    piece: (viewer: Viewer) =>
      viewerFingerprint(viewer.role === 'user' ? viewer.userId : undefined),
    headers: {
      // A copy is asked for before each use, by the one browser that has it.
      'cache-control': hasTag ? 'private, no-cache' : 'no-store',
      ...encodingHeaders('identity', body.length),
      [VIEWER_HEADER]: FILLED,
    },
    bodyHeaders: { 'content-type': JSON_TYPE },
  }
}
