// Connections: malformed requests, clients that disconnect, and draining at a stop.

// --- headers too large or too slow, malformed HTTP
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { type ErrorBody, Refusal } from '#contract/errors.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { makeId } from '../process/ids.ts'
import { networkOf } from './rate-limits.ts'
import { API_VERSION, baseHeaders, JSON_TYPE } from './responses.ts'

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}
const NOT_UNDERSTOOD = [400, 'The request could not be understood.'] as const

/** Sends the error in the form of the API and closes the connection. */
export type RejectMalformed = (error: Error & { code?: string }, socket: Duplex) => void

/** @param count is called with the address that a malformed request came from */
export function makeRejectMalformed(
  isHttps: boolean,
  count: (address: string) => void,
): RejectMalformed {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if ('remoteAddress' in socket && typeof socket.remoteAddress === 'string')
      count(socket.remoteAddress)
    const [code, message] = ANSWERS[error.code ?? ''] ?? NOT_UNDERSTOOD
    answerOnSocket(socket, { code, message, type: 'general_argument_invalid' }, { isHttps })
    socket.destroy(error)
  }
}

/** Sends an error in the form of the API on a connection without a request. */
export function answerOnSocket(
  socket: Duplex,
  error: Omit<ErrorBody, 'version'>,
  { isHttps, ...more }: { isHttps: boolean; headers?: Record<string, string> },
): void {
  const body = JSON.stringify({ ...error, version: API_VERSION } satisfies ErrorBody)
  const headers = {
    ...baseHeaders(makeId(), isHttps),
    ...more.headers,
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${error.code} ${STATUS_CODES[error.code]}`, ...lines].join('\r\n')
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`)
}

/**
 * Refuses, in the form of the API, an unknown `Expect` header and the method CONNECT, which Node
 * would answer in its own form.
 */
export function rejectUnsupported(server: Server, rejectMalformed: RejectMalformed): void {
  const refuse = ({ socket }: IncomingMessage): void => {
    socket.on('error', () => {})
    rejectMalformed(new Error('The request asks for what this server does not do'), socket)
  }
  server.on('checkExpectation', refuse)
  server.on('connect', refuse)
}

// --- draining a replaced process: it accepts no new connections, and answers on existing ones
// until each has closed

const CHECK_EVERY_MS = 50

/**
 * Waits until all connections are closed: responses already have `Connection: close`. Idle
 * connections are abandoned after `limitMs`.
 */
export async function drainConnections(server: Server, limitMs: number): Promise<void> {
  // HTTP's own `close` would cut idle connections while the next request is on its way.
  NetServer.prototype.close.call(server)
  const endAtMs = performance.now() + limitMs
  const countConnections = promisify(server.getConnections.bind(server))
  while (performance.now() < endAtMs && (await countConnections()) > 0) await delay(CHECK_EVERY_MS)
}

// --- detecting disconnected clients, whose work is dropped (threat-model.md §9 "Costs")

/**
 * A signal that is aborted when the client of this reply closes its connection before the answer is
 * sent. The reason is a refusal that is never sent.
 *
 * @note Fastify's own `request.signal` is aborted as soon as the body of a request has been read
 */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () =>
    controller.abort(new Refusal('general_argument_invalid', 'The client has gone.'))
  if (raw.destroyed || raw.socket?.destroyed) abort()
  else
    raw.once('close', () => {
      if (!raw.writableFinished) abort()
    })
  return controller.signal
}

/** The caller in queues: its network has a share of each, and a disconnect drops its work. */
export function queueCallerOf({ ip }: FastifyRequest, reply: FastifyReply): QueueCaller {
  return { key: networkOf(ip), signal: disconnectSignal(reply) }
}

/**
 * Headers that proxies, tunnels and content delivery networks add. The exceptions are headers that
 * clients of the API or a collector of metrics send.
 */
const FORWARDING =
  /^(?:x-(?!appwrite-|sdk-|fallback-cookies$|requested-with$|prometheus-)|forwarded(?:-|$)|via$|front-end-https$|early-data$|max-forwards$|(?:akamai|cdn|cf|client|fastly|fly|incap|ngrok|proxy|remote|ssl|surrogate|tailscale|true-client|wl-proxy)-)/

/**
 * Whether a request comes from this host itself. Proxies on it mostly add headers, or use HTTP/1.0.
 */
export function isFromThisHost({ socket, headers, raw }: FastifyRequest): boolean {
  const { remoteAddress = '' } = socket
  if (raw.httpVersion !== '1.1') return false
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}
