// When the process has to stop, how quickly and with which exit code: after a signal, an uncaught
// error or a fault after which nothing may be acknowledged.
import type { Log } from './log.ts'
import type { Supervised } from './siblings.ts'
import type { StopHow } from './worker-messages.ts'

/** `code` is 0 after a signal, 1 after an error. */
export type Stop = { code: number; how: StopHow }

export type Stopping = {
  asked: Promise<Stop>
  /** Stops the process at once after an error that it must not survive, like a failed disk. */
  fail(error: unknown): void
}

/**
 * Listens for SIGINT, SIGTERM and uncaught errors. A second signal ends the process at once
 * (threat-model.md §10); not one with a supervisor, which gets the same signal and passes it on.
 */
export function waitForStop(log: Log, supervisor?: Supervised): Stopping {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  let isStopping = false
  function end(error: unknown, how: StopHow): void {
    log.fatal({ err: error }, 'the server stops because of a fault')
    isStopping = true
    resolve({ code: 1, how })
  }
  const drain = (error: unknown) => end(error, 'drain')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping && !supervisor) process.exit(1)
      isStopping = true
      resolve({ code: 0, how: 'drain' })
    })
  }
  supervisor?.whenStopped((how) => resolve({ code: how === 'at once' ? 1 : 0, how }))
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
  return {
    asked: promise,
    fail(error) {
      // What one process has found of the disk holds for all.
      supervisor?.fail()
      end(error, 'at once')
    },
  }
}
