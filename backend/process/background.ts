// Work that goes on after an answer has been sent (removal of files, sweeps). The process waits for
// it before it stops.
import type { Log } from './log.ts'

export type Background = {
  /** Starts `work` now; a failure is logged under `name` and goes no further. */
  run(name: string, work: () => Promise<unknown>): void
  /** Resolves once no work runs, nor any that such work has started. */
  drained(): Promise<void>
}

export function makeBackground(log: Log): Background {
  const running = new Set<Promise<unknown>>()
  return {
    run(name, work) {
      const task = Promise.resolve()
        .then(work)
        .catch((error: unknown) => log.error({ err: error, task: name }, 'background work failed'))
        .finally(() => running.delete(task))
      running.add(task)
    },
    async drained() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
