// When the process has to stop, how quickly and with which exit code: after a signal, an uncaught
// error or a fault after which nothing may be acknowledged.
import type { Log } from './log.ts'
import type { WorkerProcess } from './workers.ts'

/**
 * `code` is 0 after a signal, 1 after an error. `replaced`: another worker has taken its place, so
 * that it need not hurry.
 */
export type Stop = { code: number; how: 'drain' | 'replaced' | 'at once' }

export type Stopping = {
  asked: Promise<Stop>
  /** Stops the process at once after an error that it must not survive, like a failed disk. */
  fail(error: unknown): void
}

/**
 * Listens for SIGINT, SIGTERM and uncaught errors. A second signal ends the process at once
 * (threat-model.md §10); not a worker, whose primary gets the same signal and passes it on.
 */
export function waitForStop(log: Log, worker?: WorkerProcess): Stopping {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  let isStopping = false
  function end(error: unknown, how: Stop['how']): void {
    log.fatal({ err: error }, 'the server stops because of a fault')
    isStopping = true
    resolve({ code: 1, how })
  }
  const drain = (error: unknown) => end(error, 'drain')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping && !worker) process.exit(1)
      isStopping = true
      resolve({ code: 0, how: 'drain' })
    })
  }
  if (worker) process.on('SIGHUP', () => resolve({ code: 0, how: 'replaced' }))
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
  return {
    asked: promise,
    fail(error) {
      worker?.fail()
      end(error, 'at once')
    },
  }
}
