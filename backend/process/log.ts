// The log: one JSON line an entry. Bodies, cookies, keys and secrets never reach it (threat-model §6).
import pino from 'pino'

export type Log = pino.Logger

/** @param destination where lines go; standard output when absent */
export function makeLog(level: string, destination?: { write(line: string): void }): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['headers.cookie', 'headers.authorization', '*.password', '*.secret'],
  }
  return destination ? pino(options, destination) : pino(options)
}
