// The only place that turns thrown errors into responses. Anything but a Refusal is a bug: logged,
// and answered with 500 without details.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, Refusal, type RefusalType } from '#contract/errors.ts'
import { truncateText } from '#contract/plain-text.ts'
import { isDiskFull } from '../database/database-errors.ts'
import { type Log, makeThrottledLog } from '../process/log.ts'
import { MalformedContentType } from './request-params.ts'
import { API_VERSION } from './responses.ts'
import { isReading } from './viewer.ts'

const NO_STORE = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  expires: '0',
  pragma: 'no-cache',
}

/** Refusals that are logged, by the name of the event (threat-model.md §11). */
const SECURITY_EVENTS: Partial<Record<RefusalType, string>> = {
  general_rate_limit_exceeded: 'rate limit',
  general_unauthorized_scope: 'denied write',
  user_unauthorized: 'denied write',
  storage_file_type_unsupported: 'refused upload',
  storage_invalid_file: 'refused upload',
  storage_invalid_file_size: 'refused upload',
  storage_invalid_content_range: 'refused upload',
}

/** Logged only for writes: refused reads are normal. */
const ONLY_WRITES = ['denied write', 'refused upload']

type Failure = Pick<Refusal, 'status' | 'message' | 'headers'> & { type: string }

/** Messages may quote sent names of any length. */
const MESSAGE_MAX_CHARS = 1000

/** Sends the error in the form of the API. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { headers, body } = toErrorAnswer(error, request)
  reply.code(body.code).headers(headers)
  return reply.send(body)
}

/** The response to a failed call; logs bugs and security events. */
export function toErrorAnswer(error: unknown, request: FastifyRequest) {
  if (error instanceof Refusal) logDenial(error, request)
  const failure = error instanceof Refusal ? error : toFailure(error, request)
  const { status, type, headers } = failure
  if (status === 503) request.server.logUnavailable(error, request.routeOptions.url)
  // No retry when a setting has switched the feature off.
  const retry =
    status === 503 && type === 'general_service_disabled' ? { 'retry-after': '5' } : undefined
  const message = truncateText(failure.message, MESSAGE_MAX_CHARS)
  const body: ErrorBody = { message, code: status, type, version: API_VERSION }
  return { headers: { ...NO_STORE, ...retry, ...headers }, body }
}

function toFailure(error: unknown, request: FastifyRequest): Failure {
  const known = fromFramework(error, request)
  if (known) return known
  if (isDiskFull(error)) {
    const message = 'The server has no room left. Nothing was saved.'
    return new Refusal('general_service_disabled', message, { headers: { 'retry-after': '60' } })
  }
  const { id: requestId, method, routeOptions } = request
  const details = { err: error, requestId, method, route: routeOptions.url }
  request.log.error(details, 'unexpected error')
  const message = 'Something went wrong on the server.'
  return { status: 500, message, type: 'general_unknown', headers: {} }
}

function logDenial({ type, setting, message }: Refusal, request: FastifyRequest): void {
  if (setting) request.log.warn({ event: 'setting', setting, requestId: request.id }, message)
  const event = SECURITY_EVENTS[type]
  if (!event || (ONLY_WRITES.includes(event) && isReading(request.method))) return
  const { id: requestId, method, ip: address, viewer } = request
  const userId = viewer.role === 'user' ? viewer.userId : undefined
  const route = request.routeOptions.url
  request.log.warn({ event, type, requestId, method, route, userId, address }, event)
}

/** Errors of Fastify: a body too large, of a wrong type or cut off, a malformed address. */
function fromFramework(error: unknown, request: FastifyRequest): Failure | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return undefined
  const { statusCode } = error
  // An unknown URL is reported before every other error of the request.
  if (request.is404 && [400, 415].includes(statusCode))
    return new Refusal('general_route_not_found')
  if (statusCode < 400 || statusCode >= 500) return undefined
  const message =
    error instanceof MalformedContentType
      ? 'The content type of the body is malformed.'
      : MESSAGES[statusCode]
  const problem = message ? { status: statusCode, message } : NOT_UNDERSTOOD
  return { ...problem, type: 'general_argument_invalid', headers: {} }
}

const NOT_UNDERSTOOD = { status: 400, message: 'The request could not be understood.' }
const MESSAGES: Record<number, string> = {
  413: 'The request is too large.',
  408: 'The request took too long.',
}

// --- the log of 503: one line a second for each cause, with a count, so that an outage under load
// does not fill the disk.

/** How often one cause is logged. */
const UNAVAILABLE_LOG_EVERY_MS = 1000

declare module 'fastify' {
  interface FastifyInstance {
    logUnavailable: LogUnavailable
  }
}

/** Logs one 503. @param place the route, or the part of the server that answered */
type LogUnavailable = (error: unknown, place: string | undefined) => void

export function makeUnavailableLog(log: Log): LogUnavailable {
  const write = (cause: string, count: number, route: string | undefined) =>
    log.warn({ event: 'unavailable', cause, count, route }, 'answered 503')
  const logThrottled = makeThrottledLog(UNAVAILABLE_LOG_EVERY_MS, 'other causes', write)
  return (error, place) => logThrottled(describeCause(error), place)
}

/** The innermost cause, with its code where it has one. */
export function describeCause(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return code + cause.message
}
