// Answers what never becomes a request: headers too large or too slow, malformed HTTP. Knows no
// route.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '#contract/errors.ts'
import { API_VERSION } from '#contract/limits.ts'

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}

/** The content type of JSON answers (api.md §1.3). */
export const JSON_TYPE = 'application/json; charset=UTF-8'

/** Sends the error in the form of the API and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [code, message] = ANSWERS[error.code ?? ''] ?? [400, 'The request could not be understood.']
  const body = JSON.stringify({
    message,
    code,
    type: 'general_argument_invalid',
    version: API_VERSION,
  } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

/**
 * Refuses, in the form of the API, an unknown `Expect` header and the method CONNECT, which Node
 * would answer in its own form.
 */
export function rejectUnsupported(server: Server): void {
  const refuse = ({ socket }: IncomingMessage): void => {
    socket.on('error', () => {})
    answerBrokenRequest(new Error('The request asks for what this server does not do'), socket)
  }
  server.on('checkExpectation', refuse)
  server.on('connect', refuse)
}
