// Connections: what never becomes a request, bodies that come too slowly, clients that have gone,
// and the end. Knows no route.

// --- headers too large or too slow, malformed HTTP
import {
  type Server as HttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type ErrorBody, Refusal } from '#contract/errors.ts'
import { makeId } from '../process/ids.ts'
import { API_VERSION, baseHeaders, JSON_TYPE } from './responses.ts'

/** On average over `UPLOAD_SPEED_WINDOW_MS`; slower uploads are cut off. */
const UPLOAD_SPEED_MIN_BYTES_PER_SECOND = 1024

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}

/** Sends the error in the form of the API and closes the connection. */
export type AnswerBroken = (error: Error & { code?: string }, socket: Duplex) => void

/** @param count hears from which address a broken request came */
export function makeAnswerBroken(isHttps: boolean, count: (address: string) => void): AnswerBroken {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if ('remoteAddress' in socket && typeof socket.remoteAddress === 'string')
      count(socket.remoteAddress)
    const [code, message] = ANSWERS[error.code ?? ''] ?? [
      400,
      'The request could not be understood.',
    ]
    answerOnSocket(socket, { code, message, type: 'general_argument_invalid' }, { isHttps })
    socket.destroy(error)
  }
}

/** An error in the form of the API, where there is no request to answer. */
export function answerOnSocket(
  socket: Duplex,
  error: Omit<ErrorBody, 'version'>,
  { isHttps, ...more }: { isHttps: boolean; headers?: Record<string, string> },
): void {
  const body = JSON.stringify({ ...error, version: API_VERSION } satisfies ErrorBody)
  const headers = {
    ...baseHeaders({ requestId: makeId(), isHttps }),
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
export function rejectUnsupported(server: Server, answerBroken: AnswerBroken): void {
  const refuse = ({ socket }: IncomingMessage): void => {
    socket.on('error', () => {})
    answerBroken(new Error('The request asks for what this server does not do'), socket)
  }
  server.on('checkExpectation', refuse)
  server.on('connect', refuse)
}

// --- bodies that come too slowly, also of requests already refused

export type BodyTimes = {
  /** How long a body may take, uploads excepted. */
  jsonMs: number
  /** The time over which the speed of an upload is averaged. */
  speedWindowMs: number
}

/**
 * Watches one request until its body is there: 408 if nothing has been answered yet, and the
 * connection closes (threat-model.md §3). Costs nothing for a request without a body, and never
 * keeps the process alive.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  { jsonMs, speedWindowMs }: BodyTimes,
  answerBroken: AnswerBroken,
): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
  const isUpload = headers['content-type']?.startsWith('multipart/') === true
  const windowMs = isUpload ? speedWindowMs : jsonMs
  let bytesBefore = socket.bytesRead
  let hadToWait = false
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const bytes = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    const isFastEnough = bytes >= (UPLOAD_SPEED_MIN_BYTES_PER_SECOND * windowMs) / 1000
    // Bytes that have arrived but are not read yet: the server is slow, not the client. Afterwards
    // the client gets one more whole window.
    const hasToWait = request.readableLength > 0
    const isExcused = hasToWait || hadToWait
    hadToWait = hasToWait
    if (isUpload && (isFastEnough || isExcused)) return
    clearInterval(timer)
    const tooSlow = Object.assign(new Error('The body took too long'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    })
    if (response.headersSent) socket.destroy()
    else answerBroken(tooSlow, socket)
  }, windowMs)
  timer.unref()
  request.once('end', () => clearInterval(timer))
  request.once('close', () => {
    if (request.complete || socket.destroyed) clearInterval(timer)
  })
}

// --- the end of a server whose place another one has taken: it takes no new connections, and
// answers on those that it has until each was told to close.

const LOOK_EVERY_MS = 50

/**
 * Its answers ask to close their connections by now. Connections that stay silent are left after
 * `limitMs`.
 */
export async function retire(server: HttpServer, limitMs: number): Promise<void> {
  // That of HTTP would cut connections between two requests, while the second is on its way.
  NetServer.prototype.close.call(server)
  const endAtMs = performance.now() + limitMs
  while (performance.now() < endAtMs && (await countConnections(server)) > 0)
    await delay(LOOK_EVERY_MS)
}

function countConnections(server: HttpServer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count))
  return promise
}

// --- whether the client still waits for its answer. Work that nobody waits for is dropped
// (threat-model.md §9 "Costs").

const signals = new WeakMap<FastifyReply, AbortSignal>()

/**
 * A signal that is aborted when the client of this reply closes its connection before the answer is
 * sent. The reason is a refusal that nobody gets to see.
 *
 * @note Fastify's own `request.signal` is aborted as soon as the body of a request has been read
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply)
  if (known) return known
  const controller = new AbortController()
  const { raw } = reply
  const abort = () =>
    controller.abort(new Refusal('general_argument_invalid', 'The client has gone.'))
  if (raw.destroyed || raw.socket?.destroyed) abort()
  else
    raw.once('close', () => {
      if (!raw.writableFinished) abort()
    })
  signals.set(reply, controller.signal)
  return controller.signal
}
