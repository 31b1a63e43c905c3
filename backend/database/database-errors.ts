// Classifies the errors of both databases by code, never by text, and turns temporary ones into
// 503.
import { Refusal, type RefusalType } from '#contract/errors.ts'

/**
 * How many writes may wait for SQLite, or calls for a connection to PostgreSQL; then 503 at once.
 */
export const DATABASE_WAITING_MAX = 1000

/** The database cannot be read or written at the moment. Nothing was changed. */
export class DatabaseUnavailable extends Refusal {
  constructor(cause: unknown, message = 'The server is busy. Please try again in a moment.') {
    super('general_service_disabled', message, { headers: { 'retry-after': '5' }, cause })
  }
}

/**
 * The answer to a commit was lost: the changes may be saved or not. A caller that has written bytes
 * for a row leaves them; the sweep removes them if there is no row (threat-model.md §10).
 */
export class CommitOutcomeUnknown extends Refusal {
  constructor(cause: unknown) {
    super(
      'general_service_disabled',
      'It is not certain that this was saved. Please look before you try again.',
      { headers: { 'retry-after': '5' }, cause },
    )
  }
}

/** The code of an error; empty without one. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : ''
}

/** A row with this key is already there. */
export function isUniqueViolation(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(
    codeOf(error),
  )
}

/** @throws a refusal of this type when the key is taken, else the error itself */
export function refuseIfTaken(type: RefusalType, cause: unknown): never {
  throw isUniqueViolation(cause) ? new Refusal(type, undefined, { cause }) : cause
}

/** Retries once when another call has just inserted the same key: then the row is found. */
export async function retryIfTaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
  return attempt().catch((error: unknown) => {
    if (isUniqueViolation(error)) return attempt()
    throw error
  })
}

/** The row that this one belongs to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'].includes(codeOf(error))
}

/** The disk is full, which is no fault of the program. Writes are refused, reads continue. */
export function isDiskFull(error: unknown): boolean {
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error))
}

/**
 * The call itself is fine: it failed because of a lock, a deadlock, a time limit, too many
 * connections or a server that is read-only at the moment.
 */
export function isTransientError(error: unknown): boolean {
  const code = codeOf(error)
  return (
    ['40001', '40P01', '55P03', '57014', '25006', '53200', '53300', '53400'].includes(code) ||
    code.startsWith('SQLITE_BUSY') ||
    code.startsWith('SQLITE_READONLY')
  )
}

/** The connection to PostgreSQL is lost or cannot be made. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code.startsWith('08') ||
    code.startsWith('57P') ||
    ['25P03', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'].includes(code) ||
    /^E(CONN|HOST|NET)/.test(code)
  )
}

/** PostgreSQL refuses for good: waiting would not help. */
export function isConfigurationError(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('28') || code === '3D000' || code === '42501'
}

/**
 * SQLite could not write or sync: from then on, nothing may be acknowledged (threat-model.md §10).
 *
 * @param isCommit whether the statement would have made data durable: then any I/O error counts.
 *   Otherwise an unreadable page fails only the request that needs it.
 */
export function isWriteFault(error: unknown, { isCommit }: { isCommit: boolean }): boolean {
  const code = codeOf(error)
  return isCommit
    ? code.startsWith('SQLITE_IOERR')
    : /^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|COMMIT_ATOMIC|SHM)/.test(code)
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  ETIMEDOUT: 'it does not answer in time',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name is not known',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  '28P01': 'it refuses this user name and password',
  '28000': 'it refuses this user',
  '3D000': 'it has no database of this name',
  '42501': 'this user may not do that',
  '53300': 'it has too many connections',
  '57P01': 'it was stopped',
  '57P02': 'it crashed',
  '57P03': 'it is starting up or shutting down',
}

/** Describes the problem with PostgreSQL for its operator. */
export function describePostgresError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const known = REASONS[codeOf(error)]
  return known ? (text ? `${known}: ${text}` : known) : text
}
