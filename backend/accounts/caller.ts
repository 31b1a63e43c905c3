// Where a call comes from, and the line that the log keeps of what it did to an account.
import type { Log } from '../process/log.ts'

/** For rate limits, the session list and the log. */
export type Caller = {
  requestId: string
  /** IP address. */
  address: string
  userAgent: string
  /** The mark of a known browser, if the request carries one. */
  browserMark: string | undefined
}

export function logEvent(
  log: Log,
  event: string,
  userId: string,
  { requestId, address }: Pick<Caller, 'requestId' | 'address'>,
): void {
  log.info({ event, requestId, userId, address }, event)
}
