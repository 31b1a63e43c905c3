// Sends cached responses before a request reaches the router, which costs many times more than
// sending them. Only plain reads are answered so; every other request goes to the routes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { Metrics } from '../http/metrics.ts'
import { countsOf, type RateLimits } from '../http/rate-limits.ts'
import { type Head, makeSendHead, prepareHead } from '../http/responses.ts'
import { GUEST, isFetchedElsewhere, type UserViewer, type Viewer } from '../http/viewer.ts'
import {
  type Audience,
  type CachedResponse,
  formFor,
  headersOf,
  keyOf,
  type OwnPosts,
  type ResponseCache,
  type SentForm,
} from './response-cache.ts'

export type FastPathNeeds = {
  cache: ResponseCache
  projectId: string
  isHttps: boolean
  trustedProxies: readonly string[]
  rateLimits: Pick<RateLimits, 'take'>
  /** Whether a request may come from a user or from another program. */
  hasCredentials: (headers: IncomingMessage['headers']) => boolean
  findViewer: (request: Pick<IncomingMessage, 'headers'>) => Promise<Viewer>
  /** Whether a user has posts that others of the same audience do not see. */
  hasOwnPosts: HasOwnPosts
  noteAnswer: Metrics['noteAnswer'] | undefined
  isStopping: () => boolean
}
export type HasOwnPosts = (viewer: UserViewer, own: OwnPosts) => Promise<boolean>

/** Comes before the server's own listeners. */
export function addFastPath(server: Server, needs: FastPathNeeds): void {
  const later = server.listeners('request')
  server.removeAllListeners('request')
  const goOn = (request: IncomingMessage, response: ServerResponse) => {
    for (const listener of later) listener.call(server, request, response)
  }
  const addressOf = makeAddressOf(needs)
  const send = makeSend(server, needs)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!mayBeCached(needs, request)) return goOn(request, response)
    const address = addressOf(request)
    find(needs, request)
      .then((found) => {
        if (!found || !isCounted(needs, address)) return goOn(request, response)
        send(request, response, found)
        const { method = '', url = '', headers } = request
        found.response.onSent?.({ method, url, headers, ip: address }, response.statusCode)
      })
      // The routes say what is wrong.
      .catch(() => (response.headersSent ? response.destroy() : goOn(request, response)))
  })
}

/** `bytes` is undefined for what its reader has. */
type Found = {
  response: CachedResponse
  viewer: Viewer
  form: SentForm
  bytes: Buffer | undefined
}

/** A read without a body, from no other site, in the form that every browser sends. */
function isPlain({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers.origin === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined &&
    headers.expect === undefined &&
    headers.range === undefined
  )
}

function mayBeCached(needs: FastPathNeeds, request: IncomingMessage): boolean {
  const { url = '', headers } = request
  if (needs.isStopping() || !isPlain(request) || isFetchedElsewhere(headers)) return false
  const isApi = url.startsWith('/v1/')
  // The `project` of the address goes before that of the header.
  const isOfProject =
    !isApi || /[?&]project=/.test(url) || headers['x-appwrite-project'] === needs.projectId
  if (!isOfProject) return false
  const audiences: readonly Audience[] = needs.hasCredentials(headers) ? USERS : GUESTS
  return audiences.some((audience) => needs.cache.has(keyOf(audience, url, headers)))
}

const GUESTS = ['guest'] as const
const USERS = ['verified', 'unverified'] as const

async function find(needs: FastPathNeeds, request: IncomingMessage): Promise<Found | undefined> {
  const { cache } = needs
  const { url = '', headers } = request
  const [version, viewer] = await Promise.all([
    cache.readVersion(),
    needs.hasCredentials(headers) ? needs.findViewer(request) : GUEST,
  ])
  if (viewer.role === 'key') return undefined
  const response = cache.find(keyOf(audienceOf(viewer), url, headers), version)
  const own = response?.ownPosts ?? 'none'
  if (!response || (viewer.role === 'guest' && needs.hasCredentials(headers))) return undefined
  const isOther = viewer.role === 'user' && own !== 'none' && (await needs.hasOwnPosts(viewer, own))
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
function isCounted({ rateLimits }: FastPathNeeds, address: string): boolean {
  try {
    rateLimits.take(countsOf(address))
    return true
  } catch {
    return false
  }
}

function makeAddressOf({ trustedProxies }: FastPathNeeds): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const trust = proxyAddress.compile([...trustedProxies])
  return (request) => proxyAddress(request, trust) ?? ''
}

function makeSend(server: Server, { isHttps, noteAnswer }: FastPathNeeds) {
  const sendHead = makeSendHead(isHttps, () => server.keepAliveTimeout)
  return (
    { method = 'GET' }: IncomingMessage,
    serverResponse: ServerResponse,
    { response, viewer, form, bytes }: Found,
  ): void => {
    const startedMs = noteAnswer ? performance.now() : 0
    const head = response.heads[form] ?? makeHead(response, form, bytes)
    response.heads[form] = head
    sendHead(serverResponse, head, response.piece?.(viewer) ?? '')
    if (method === 'HEAD' || !bytes) serverResponse.end()
    else serverResponse.end(bytes)
    const elapsedTime = noteAnswer ? performance.now() - startedMs : 0
    noteAnswer?.(
      { method, routeOptions: { url: response.route } },
      { statusCode: head.status, elapsedTime },
    )
  }
}

function makeHead(response: CachedResponse, form: SentForm, bytes: Buffer | undefined): Head {
  return prepareHead(bytes ? 200 : 304, {
    ...headersOf(response, form),
    ...(bytes && { 'content-length': String(bytes.length) }),
  })
}
