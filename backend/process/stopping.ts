// When the process has to stop, how quickly and with which exit code: after a signal, an uncaught
// error or a fault after which nothing may be acknowledged.
import type { Log } from './log.ts'

/** `code` is 0 after a signal, 1 after an error. `isAtOnce`: running work is not waited for. */
export type Stop = { code: number; isAtOnce: boolean }

export type Stopping = {
  asked: Promise<Stop>
  /** Stops the process at once after an error that it must not survive, like a failed disk. */
  fail(error: unknown): void
}

/**
 * Listens for SIGINT, SIGTERM and uncaught errors. A second signal ends the process at once
 * (threat-model.md §10).
 */
export function waitForStop(log: Log): Stopping {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  let isStopping = false
  function end(error: unknown, isAtOnce: boolean): void {
    log.fatal({ err: error }, 'the server stops because of a fault')
    isStopping = true
    resolve({ code: 1, isAtOnce })
  }
  const drain = (error: unknown) => end(error, false)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve({ code: 0, isAtOnce: false })
    })
  }
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
  return { asked: promise, fail: (error) => end(error, true) }
}
