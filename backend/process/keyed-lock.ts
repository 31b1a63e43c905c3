// A lock by key: work under the same key runs one after another, work under other keys at once.
// Knows nothing of what a key means.
import { type BoundedQueue, makeBoundedQueue } from './bounded-queue.ts'

export type KeyedLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * @param waiting how many may wait for one key
 * @throws Refusal (the calls it returns) `general_service_disabled` when more wait
 */
export function makeKeyedLock({ waiting }: { waiting: number }): KeyedLock {
  const queues = new Map<string, { run: BoundedQueue; length: number }>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { run: makeBoundedQueue({ atOnce: 1, waiting }), length: 0 }
    queues.set(key, queue)
    queue.length++
    try {
      return await queue.run(work)
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
