// A queue for heavy work: `atOnce` tasks run, at most `waiting` wait, and one more is refused with
// 503.
import { Refusal } from '#contract/errors.ts'

export type BoundedQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * @throws Refusal `general_service_disabled` with Retry-After when the queue is full
 *   (threat-model.md §10 "Overload")
 */
export function makeBoundedQueue({
  atOnce,
  waiting,
}: {
  atOnce: number
  waiting: number
}): BoundedQueue {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) {
        throw new Refusal(
          'general_service_disabled',
          'The server is busy. Please try again in a moment.',
          { headers: { 'retry-after': '2' } },
        )
      }
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
