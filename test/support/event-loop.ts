// How long a piece of work holds the event loop: processor time of this thread alone, so that a
// busy host does not matter.
import { setTimeout as delay } from 'node:timers/promises'

/** The next turn; an idle loop rests until then. What is measured may be so much too long. */
const nextTask = () => delay(1)

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** @returns milliseconds of the longest turn of the loop while the work goes on, and its end */
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
