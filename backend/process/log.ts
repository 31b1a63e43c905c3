// The log: one JSON line per entry. Bodies, cookies, keys and secrets never reach it
// (threat-model.md §6).
import pino from 'pino'

export type Log = pino.Logger

/**
 * Standard output, ignoring errors: the server goes on when the reader of the pipe has closed it.
 *
 * @note pino's own writer would block the whole process on a broken pipe
 */
function standardOutput(): NodeJS.WriteStream {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return process.stdout
}

/**
 * @param destination receives the lines; standard output when absent
 * @param worker      the number of this process, in every line; absent where there is one process
 */
export function makeLog(
  level: string,
  destination?: { write(line: string): void },
  worker?: number,
): Log {
  const options: pino.LoggerOptions = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['headers.cookie', 'headers.authorization', '*.password', '*.secret'],
  }
  return pino(options, destination ?? standardOutput())
}

// --- throttled lines: one for each group in an interval, with a count, so that frequent events do
// not fill the disk

/** Groups that are logged separately; all further groups share one. */
const LOG_GROUPS_MAX = 100

/** Records an event of a group; the line has the details of the last one. */
export type ThrottledLog<Details> = (group: string, details: Details) => void

/** @param others the group of all events beyond `LOG_GROUPS_MAX` */
export function makeThrottledLog<Details>(
  everyMs: number,
  others: string,
  write: (group: string, count: number, details: Details) => void,
): ThrottledLog<Details> {
  /** Events since the last line of each group. */
  const pending = new Map<string, { count: number; details: Details }>()

  function writeNow(group: string, count: number, details: Details): void {
    write(group, count, details)
    pending.set(group, { count: 0, details })
    setTimeout(() => {
      const more = pending.get(group)
      pending.delete(group)
      if (more && more.count > 0) writeNow(group, more.count, more.details)
    }, everyMs).unref()
  }
  return (eventGroup, details) => {
    const hasLine = pending.has(eventGroup) || pending.size < LOG_GROUPS_MAX
    const group = hasLine ? eventGroup : others
    const waiting = pending.get(group)
    if (waiting) pending.set(group, { count: waiting.count + 1, details })
    else writeNow(group, 1, details)
  }
}
