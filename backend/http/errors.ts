// The only place that turns what was thrown into an answer. What is not a Refusal is a bug: logged, answered 500 without details.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, Refusal } from '#contract/errors.ts'
import { API_VERSION } from '#contract/limits.ts'
import { isFatalFault, isFullFault } from '../database/faults.ts'

const NO_STORE = { 'cache-control': 'no-cache, no-store, must-revalidate', expires: '0', pragma: 'no-cache' }

/** Says that the database's disk has failed; the process stops (threat-model §10). */
export type OnFatal = (error: unknown) => void

/** What the client gets to see of an error. */
export function toRefusal(
  error: unknown,
  request: FastifyRequest,
  onFatal: OnFatal,
): { status: number; body: ErrorBody; headers: Record<string, string> } {
  const refusal = error instanceof Refusal ? error : fromFramework(error)
  if (refusal) return shape(refusal.status, refusal.message, refusal.type, refusal.headers)
  if (isFullFault(error)) {
    request.log.error({ err: error, requestId: request.id }, 'no room left on the disk')
    return shape(503, 'The server has no room left. Nothing was saved.', 'general_service_disabled', { 'retry-after': '60' })
  }
  request.log.error({ err: error, requestId: request.id, method: request.method, route: request.routeOptions.url }, 'unexpected error')
  if (isFatalFault(error)) {
    onFatal(error)
    return shape(503, 'The server is stopping. Please try again in a moment.', 'general_service_disabled', { 'retry-after': '5' })
  }
  return shape(500, 'Something went wrong on the server.', 'general_unknown', {})
}

function shape(status: number, message: string, type: string, headers: Record<string, string>) {
  return { status, body: { message, code: status, type, version: API_VERSION }, headers: { ...NO_STORE, ...headers } }
}

/** Fastify's own refusals: a body too large, of a wrong type or cut off, a malformed address. */
function fromFramework(error: unknown): { status: number; message: string; type: string; headers: Record<string, string> } | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return undefined
  const status = error.statusCode
  if (status === 413) return { status, message: 'The request is too large.', type: 'general_argument_invalid', headers: {} }
  if (status === 408) return { status, message: 'The request took too long.', type: 'general_argument_invalid', headers: {} }
  if (status >= 400 && status < 500)
    return { status: 400, message: 'The request could not be understood.', type: 'general_argument_invalid', headers: {} }
  return undefined
}

/** Sends the error in the form of the API. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, onFatal: OnFatal): FastifyReply {
  const { status, body, headers } = toRefusal(error, request, onFatal)
  return reply.code(status).headers(headers).send(body)
}
