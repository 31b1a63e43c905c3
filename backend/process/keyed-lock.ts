// A lock by key: work under the same key runs one after another, work under other keys at once.
// Knows nothing of what a key means.
import { type BoundedQueue, makeBoundedQueue } from './bounded-queue.ts'

export type KeyedLock = <Result>(
  key: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

/**
 * @param limits `waiting` is how many may wait for one key
 * @throws (the calls it returns) as those of {@link makeBoundedQueue}
 */
export function makeKeyedLock({
  waiting,
  waitMaxMs,
}: {
  waiting: number
  waitMaxMs?: number
}): KeyedLock {
  const queues = new Map<string, { run: BoundedQueue; length: number }>()
  const limits = { atOnce: 1, waiting, waitMaxMs }
  return async (key, work, signal) => {
    const queue = queues.get(key) ?? { run: makeBoundedQueue(limits), length: 0 }
    queues.set(key, queue)
    queue.length++
    try {
      return await queue.run(work, { signal })
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
