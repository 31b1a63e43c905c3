// When the process has to stop, and with which exit code: after a signal or an uncaught error.
import type { Log } from './log.ts'

export type Stopping = {
  /** Resolves with the exit code: 0 after a signal, 1 after an error. */
  code: Promise<number>
  /** Stops the process after an error that it must not survive, like a failed disk. */
  fail(error: unknown): void
}

/**
 * Listens for SIGINT, SIGTERM and uncaught errors. A second signal ends the process at once
 * (threat-model.md §10).
 */
export function waitForStop(log: Log): Stopping {
  const { promise, resolve } = Promise.withResolvers<number>()
  let isStopping = false
  function fail(error: unknown): void {
    log.fatal({ err: error }, 'the server stops because of a fault')
    isStopping = true
    resolve(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve(0)
    })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  return { code: promise, fail }
}
