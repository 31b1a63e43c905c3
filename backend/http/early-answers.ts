// Answers that are kept whole in memory, given before a request becomes one of a route: what a
// route does for each request costs many times more than sending them. Only plain reads of guests
// are answered so; whatever is doubtful goes on to the routes. Knows nothing of what is kept.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import { Refusal } from '#contract/errors.ts'
import type { Metrics } from './metrics.ts'
import { type Head, makeSendHead } from './prepared-heads.ts'
import type { Count, RateLimits } from './rate-limits.ts'

/** `route` is for the numbers alone. */
export type EarlyAnswer = {
  head: Head
  /** Is put into the head, see {@link Head}. */
  piece: string
  bytes: Buffer | undefined
  route: string
  /** Is told for which address it was sent. */
  note?: (address: string) => void
}

/**
 * Looks for the whole answer to a plain read of a guest, as a route would give it. Must return at
 * once.
 *
 * @returns undefined to leave it to the routes
 */
export type FindEarly = (request: IncomingMessage) => EarlyAnswer | undefined

export type EarlyNeeds = {
  isHttps: boolean
  trustedProxies: readonly string[]
  rateLimits: Pick<RateLimits, 'take'>
  /** What one request of an address counts as. */
  countsOf: (address: string) => Count[]
  /** Whether somebody may be signed in, or another program: then the routes find out who asks. */
  hasCredentials: (headers: IncomingMessage['headers']) => boolean
  noteAnswer: Metrics['noteAnswer'] | undefined
  isStopping: () => boolean
}

/** Asks `finders`, in their order, before the server's own listeners get a request. */
export function addEarlyAnswers(server: Server, finders: readonly FindEarly[], needs: EarlyNeeds) {
  const later = server.listeners('request')
  server.removeAllListeners('request')
  const trust = proxyAddress.compile([...needs.trustedProxies])
  const addressOf = (request: IncomingMessage) =>
    needs.trustedProxies.length > 0
      ? (proxyAddress(request, trust) ?? '')
      : (request.socket.remoteAddress ?? '')
  const send = makeSend(server, needs)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = !needs.isStopping() && isPlain(request, needs) && findFirst(finders, request)
    const address = answer ? addressOf(request) : ''
    if (answer && isCounted(needs, address)) {
      send(request, response, answer)
      answer.note?.(address)
    } else for (const listener of later) listener.call(server, request, response)
  })
}

function findFirst(finders: readonly FindEarly[], request: IncomingMessage) {
  for (const find of finders) {
    const found = find(request)
    if (found) return found
  }
  return undefined
}

/** A read without a body, of a guest, from no other site, in the form that every browser sends. */
function isPlain(
  { method, httpVersion, headers }: IncomingMessage,
  { hasCredentials }: EarlyNeeds,
): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers.origin === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.upgrade === undefined &&
    headers.expect === undefined &&
    !hasCredentials(headers)
  )
}

/** @returns false when the address has no request left: the routes refuse it in their form */
function isCounted({ rateLimits, countsOf }: EarlyNeeds, address: string): boolean {
  try {
    rateLimits.take(countsOf(address))
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function makeSend(server: Server, { isHttps, noteAnswer }: EarlyNeeds) {
  const sendHead = makeSendHead(isHttps, () => server.keepAliveTimeout)
  return (
    { method = 'GET' }: IncomingMessage,
    response: ServerResponse,
    { head, piece, bytes, route }: EarlyAnswer,
  ): void => {
    const startedMs = noteAnswer ? performance.now() : 0
    sendHead(response, head, piece)
    if (method === 'HEAD' || !bytes) response.end()
    else response.end(bytes)
    const elapsedTime = noteAnswer ? performance.now() - startedMs : 0
    noteAnswer?.({ method, routeOptions: { url: route } }, { statusCode: head.status, elapsedTime })
  }
}
