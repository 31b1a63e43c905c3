// Ends requests whose body comes too slowly, also those already refused. Knows no route.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { UPLOAD_SPEED_MIN_BYTES_PER_SECOND } from '#contract/request-limits.ts'
import type { AnswerBroken } from './broken-requests.ts'

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
