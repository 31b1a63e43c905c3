// The log: one JSON line an entry. Bodies, cookies, keys and secrets never reach it
// (threat-model.md §6).
import pino from 'pino'

export type Log = pino.Logger

/**
 * Standard output, whether anybody reads it or not: the server goes on when its reader is gone.
 *
 * @note pino's own writer waits for a broken pipe for ever, with the whole process standing still
 */
function standardOutput(): NodeJS.WriteStream {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {})
  return process.stdout
}

/** @param destination where lines go; standard output when absent */
export function makeLog(level: string, destination?: { write(line: string): void }): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['headers.cookie', 'headers.authorization', '*.password', '*.secret'],
  }
  return pino(options, destination ?? standardOutput())
}
