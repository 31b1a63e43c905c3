// Work under the same key runs one after another, work under other keys at once. Knows nothing of
// what a key means.
import { type BoundedQueue, makeBoundedQueue } from './bounded-queue.ts'

export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * @param waiting how many may wait for one key
 * @throws Refusal (the calls it returns) `general_service_disabled` when more wait
 */
export function makeTurns({ waiting }: { waiting: number }): InTurn {
  const lines = new Map<string, { inLine: BoundedQueue; length: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { inLine: makeBoundedQueue({ atOnce: 1, waiting }), length: 0 }
    lines.set(key, line)
    line.length++
    try {
      return await line.inLine(work)
    } finally {
      line.length--
      if (line.length === 0) lines.delete(key)
    }
  }
}
