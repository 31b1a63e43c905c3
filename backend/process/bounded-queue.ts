// A queue for heavy work: `atOnce` tasks run, the others wait for a bounded time, and callers take
// turns. What is too much is refused with 503. Knows nothing of what a caller is.
import { EventEmitter, once } from 'node:events'
import { Refusal } from '#contract/errors.ts'

/** The longest that a timer can wait: 24 days. */
const FOREVER_MS = 2 ** 31 - 1

/** For whom work is done. */
export type QueueCaller = {
  /**
   * An address or a person: one key holds only its share of the waiting places. Without it the work
   * is the server's own, and has no share.
   */
  key?: string | undefined
  /** Aborted when nobody wants the result any more: work that still waits is dropped. */
  signal?: AbortSignal | undefined
}

/** `refused` (no place, or waited too long) and `dropped` (gone) count from the start. */
export type QueueNumbers = { running: number; waiting: number; refused: number; dropped: number }

export type RunInQueue = <Result>(
  work: () => Promise<Result>,
  caller?: QueueCaller,
) => Promise<Result>
export type BoundedQueue = RunInQueue & {
  numbers(): QueueNumbers
  /** Resolves when nothing runs or waits, or once the signal is aborted. */
  whenIdle(signal: AbortSignal): Promise<void>
}

export type QueueLimits = {
  atOnce: number
  /** All who wait. */
  waiting: number
  /** Those of one key; all when absent. */
  waitingPerKey?: number | undefined
  waitMaxMs?: number | undefined
}

/** There is no place for this caller's work, or it waited too long: it was not begun. */
export class QueueFull extends Refusal {
  constructor(why: string) {
    super('general_service_disabled', 'The server is busy. Please try again in a moment.', {
      headers: { 'retry-after': '2' },
      cause: new Error(`A queue is full: ${why}`),
    })
  }
}

/**
 * @throws (each call) Refusal `general_service_disabled` with Retry-After when there is no place to
 *   wait or the wait was too long (threat-model.md §10 "Overload"); the signal's reason when it is
 *   aborted before the work starts
 */
export function makeBoundedQueue({
  atOnce,
  waiting,
  waitingPerKey = waiting,
  waitMaxMs = FOREVER_MS,
}: QueueLimits): BoundedQueue {
  const counts: QueueNumbers = { running: 0, waiting: 0, refused: 0, dropped: 0 }
  /** Those who wait, by key; the key whose turn is next comes first. */
  const waiters = new Map<string, Set<() => void>>()
  const events = new EventEmitter().setMaxListeners(0)

  function refuse(why: string): QueueFull {
    counts.refused++
    return new QueueFull(why)
  }
  /** @returns false when it waits no longer */
  function remove(key: string, ofKey: Set<() => void>, start: () => void): boolean {
    if (!ofKey.delete(start)) return false
    counts.waiting--
    if (ofKey.size === 0) waiters.delete(key)
    return true
  }
  async function waitForTurn({ key = '', signal }: QueueCaller): Promise<void> {
    const ofKey = waiters.get(key) ?? new Set()
    if (counts.waiting >= waiting || (key && ofKey.size >= waitingPerKey))
      throw refuse('no place to wait')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiters.set(key, ofKey.add(resolve))
    counts.waiting++
    const timer = setTimeout(() => {
      if (remove(key, ofKey, resolve)) reject(refuse('waited too long'))
    }, waitMaxMs)
    const onAbort = () => {
      if (!remove(key, ofKey, resolve)) return
      counts.dropped++
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }
  /** Hands the place of finished work on: the next key in turn, and of it whoever came first. */
  function startNext(): void {
    const [next] = waiters
    const [key, ofKey] = next ?? ['', new Set<() => void>()]
    const [start] = ofKey
    if (!start) {
      counts.running--
      if (counts.running === 0) events.emit('idle')
      return
    }
    remove(key, ofKey, start)
    if (waiters.delete(key)) waiters.set(key, ofKey)
    start()
  }
  const run: RunInQueue = async (work, caller = {}) => {
    if (caller.signal?.aborted) {
      counts.dropped++
      throw caller.signal.reason
    }
    if (counts.running < atOnce) counts.running++
    else await waitForTurn(caller)
    try {
      return await work()
    } finally {
      startNext()
    }
  }
  return Object.assign(run, {
    numbers: () => ({ ...counts }),
    whenIdle: async (signal: AbortSignal) => {
      // Rejects once the signal is aborted.
      if (counts.running > 0) await once(events, 'idle', { signal }).catch(() => undefined)
    },
  })
}

// --- a lock by key: work under the same key runs one after another, work under other keys at once.
// Knows nothing of what a key means.

/**
 * @param limits `waiting` is how many may wait for one key
 * @throws (the calls it returns) as those of {@link makeBoundedQueue}
 */
export function makeKeyedLock({ waiting, waitMaxMs }: { waiting: number; waitMaxMs?: number }) {
  const queues = new Map<string, { run: BoundedQueue; length: number }>()
  const limits = { atOnce: 1, waiting, waitMaxMs }
  return async <Result>(
    key: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
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
