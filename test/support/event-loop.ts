// Measures how long a piece of work blocks the event loop, in processor time of this thread, so
// that other load of the host does not matter.
import { setTimeout as delay } from 'node:timers/promises'

/** Waits a millisecond for the next task of the loop: measurements may be that much too long. */
const nextTask = () => delay(1)

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** @returns the longest task in milliseconds while the work runs, and the outcome of the work */
export async function measureLongestTask<Result>(
  work: () => Promise<Result>,
): Promise<{ ms: number; outcome: PromiseSettledResult<Result> }> {
  let outcome: PromiseSettledResult<Result> | undefined
  let ms = 0
  await nextTask()
  let startMs = usedMs()
  void Promise.allSettled([work()]).then(([settled]) => {
    outcome = settled
  })
  for (; outcome === undefined; startMs = usedMs()) {
    await nextTask()
    ms = Math.max(ms, usedMs() - startMs)
  }
  return { ms, outcome }
}
