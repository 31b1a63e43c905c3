// Answers requests that never become one: headers too large or too slow, broken HTTP. Knows no route.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '#contract/errors.ts'
import { API_VERSION } from '#contract/limits.ts'

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}

/** Sends the error in the form of the API and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [code, message] = ANSWERS[error.code ?? ''] ?? [400, 'The request could not be understood.']
  const body = JSON.stringify({ message, code, type: 'general_argument_invalid', version: API_VERSION } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'connection: close',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
