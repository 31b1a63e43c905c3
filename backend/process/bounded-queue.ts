// A queue for heavy work: `atOnce` tasks run, the others wait for a bounded time, and callers take
// turns. What is too much is refused with 503. Knows nothing of what a caller is.
import { Refusal } from '#contract/errors.ts'

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

type Waiter = { start: () => void }

type State = QueueLimits & {
  counts: QueueNumbers
  /** Those who wait, by key; the key whose turn is next comes first. */
  waiters: Map<string, Waiter[]>
  /** Those who want to know when nothing runs any more. */
  idle: Set<() => void>
}

/**
 * @throws (each call) Refusal `general_service_disabled` with Retry-After when there is no place to
 *   wait or the wait was too long (threat-model.md §10 "Overload"); the signal's reason when it is
 *   aborted before the work starts
 */
export function makeBoundedQueue(limits: QueueLimits): BoundedQueue {
  const counts: QueueNumbers = { running: 0, waiting: 0, refused: 0, dropped: 0 }
  const state: State = { ...limits, counts, waiters: new Map(), idle: new Set() }
  const run: RunInQueue = async (work, caller = {}) => {
    if (caller.signal?.aborted) {
      counts.dropped++
      throw caller.signal.reason
    }
    if (counts.running < state.atOnce) counts.running++
    else await waitForTurn(state, caller)
    try {
      return await work()
    } finally {
      startNext(state)
    }
  }
  return Object.assign(run, {
    numbers: () => ({ ...counts }),
    whenIdle: (signal: AbortSignal) => whenIdle(state, signal),
  })
}

async function whenIdle({ counts, idle }: State, signal: AbortSignal): Promise<void> {
  if (counts.running === 0 || signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  idle.add(resolve)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  await promise
  signal.removeEventListener('abort', onAbort)
  idle.delete(resolve)
}

async function waitForTurn(state: State, { key = '', signal }: QueueCaller): Promise<void> {
  const { counts, waiters, waiting, waitMaxMs } = state
  const waitingPerKey = (key && state.waitingPerKey) || waiting
  const ofKey = waiters.get(key) ?? []
  if (counts.waiting >= waiting || ofKey.length >= waitingPerKey) {
    counts.refused++
    throw new QueueFull('no place to wait')
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiter: Waiter = { start: resolve }
  ofKey.push(waiter)
  waiters.set(key, ofKey)
  counts.waiting++
  const leave = (count: 'refused' | 'dropped', reason: unknown) => {
    // Started already, in this very moment.
    if (!waiters.get(key)?.includes(waiter)) return
    counts[count]++
    removeWaiter(state, key, waiter)
    reject(reason)
  }
  const timer =
    waitMaxMs === undefined
      ? undefined
      : setTimeout(() => leave('refused', new QueueFull('waited too long')), waitMaxMs)
  const onAbort = () => leave('dropped', signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Hands the place of finished work on: the next key in turn, and of it whoever came first. */
function startNext(state: State): void {
  const [first] = state.waiters
  if (!first) {
    state.counts.running--
    if (state.counts.running === 0) for (const tell of state.idle) tell()
    return
  }
  const [key, [waiter]] = first
  if (!waiter) throw new Error('A key without waiters is still in the queue')
  const others = removeWaiter(state, key, waiter)
  if (others.length > 0) {
    state.waiters.delete(key)
    state.waiters.set(key, others)
  }
  waiter.start()
}

/** @returns those of the key that still wait */
function removeWaiter({ counts, waiters }: State, key: string, waiter: Waiter): Waiter[] {
  const others = (waiters.get(key) ?? []).filter((one) => one !== waiter)
  counts.waiting--
  if (others.length > 0) waiters.set(key, others)
  else waiters.delete(key)
  return others
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
