// Answers what never becomes a request: headers too large or too slow, malformed HTTP. Knows no
// route.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '#contract/errors.ts'
import { API_VERSION } from '#contract/limits.ts'
import { makeId } from '../process/ids.ts'
import { STATUS_CODES } from './node-http.ts'

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}

/** The content type of JSON answers (api.md §1.3). */
export const JSON_TYPE = 'application/json; charset=UTF-8'

export type BrokenNeeds = {
  isHttps: boolean
  /** Hears from which address a broken request came. */
  count(address: string): void
}

/** Sends the error in the form of the API and closes the connection. */
export type AnswerBroken = (error: Error & { code?: string }, socket: Duplex) => void

export function makeAnswerBroken(needs: BrokenNeeds): AnswerBroken {
  return (error, socket) => answerBrokenRequest(needs, error, socket)
}

function answerBrokenRequest(
  { isHttps, count }: BrokenNeeds,
  error: Error & { code?: string },
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if ('remoteAddress' in socket && typeof socket.remoteAddress === 'string')
    count(socket.remoteAddress)
  const [code, message] = ANSWERS[error.code ?? ''] ?? [400, 'The request could not be understood.']
  answerOnSocket(socket, { code, message, type: 'general_argument_invalid' }, { isHttps })
  socket.destroy(error)
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

/** What every answer carries, also those that are no answer of a route (threat-model.md §7). */
export function baseHeaders({
  requestId,
  isHttps,
}: {
  requestId: string
  isHttps: boolean
}): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': requestId,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
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
