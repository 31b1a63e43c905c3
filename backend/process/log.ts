// The log: one JSON line an entry. Bodies, cookies, keys and secrets never reach it
// (threat-model.md §6).
import pino from 'pino'

export type Log = pino.Logger

/**
 * Standard output whose errors are ignored: the server goes on when the reader of the pipe is gone.
 *
 * @note pino's own writer would block the whole process on a broken pipe
 */
function standardOutput(): NodeJS.WriteStream {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return process.stdout
}

/**
 * @param destination where lines go; standard output when absent
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
