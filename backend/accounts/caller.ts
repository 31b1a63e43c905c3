// Where a call comes from, and the line that the log keeps of what it did to an account.
import { networkOf } from '../http/rate-limits.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import type { Log } from '../process/log.ts'

/** For rate limits, the session list and the log. */
export type Caller = {
  requestId: string
  /** IP address. */
  address: string
  userAgent: string
  /**
   * A program with the API key: the address is that of a server that many people sign in by.
   */
  isKey?: boolean
  /** The mark of a known browser, if the request carries one. */
  browserMark: string | undefined
  /** Aborted when the caller has gone. */
  signal?: AbortSignal | undefined
}

/** Hashing is paid from the share of the caller's network, and dropped when the caller has gone. */
export function hashingFor({ address, signal }: Pick<Caller, 'address' | 'signal'>): QueueCaller {
  return { key: networkOf(address), signal }
}

export function logEvent(
  log: Log,
  event: string,
  userId: string,
  { requestId, address }: Pick<Caller, 'requestId' | 'address'>,
): void {
  log.info({ event, requestId, userId, address }, event)
}
