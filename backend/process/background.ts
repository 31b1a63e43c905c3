// Runs work after the response, such as removing files. The process waits for it before it stops.
import { type Log, makeThrottledLog } from './log.ts'

/** Failures of one kind of work are logged at most this often. */
const BACKGROUND_LOG_EVERY_MS = 1000

export type Background = ReturnType<typeof makeBackground>

export function makeBackground(log: Log) {
  const running = new Set<Promise<unknown>>()
  const logFailure = makeThrottledLog<unknown>(
    BACKGROUND_LOG_EVERY_MS,
    'other work',
    (task, count, err) => log.error({ task, count, err }, 'background work failed'),
  )
  return {
    /**
     * Starts `work` now. A failure is only logged, under `name`: one line a second at most, with a
     * count and the last error, because on a full disk every request may fail in the same way.
     */
    run(name: string, work: () => Promise<unknown>): void {
      const task = Promise.resolve()
        .then(work)
        .catch((error: unknown) => logFailure(name, error))
        .finally(() => running.delete(task))
      running.add(task)
    },
    /** Resolves once no work runs, including work that it has started. */
    async drained(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
