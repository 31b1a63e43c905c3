// A queue for heavy work: `concurrency` tasks run, the others wait for a bounded time, and callers
// take turns. Work that exceeds the bounds is refused with 503.
import { Refusal } from '#contract/errors.ts'

/** The longest that a timer can wait: 24 days. */
const FOREVER_MS = 2 ** 31 - 1

/** The caller of work. */
export type QueueCaller = {
  /**
   * The network or user, which may use only a share of the waiting slots. Without a key the work is
   * the server's own, and its share is unlimited.
   */
  key?: string | undefined
  /** Aborted when the result is no longer needed: waiting work is dropped. */
  signal?: AbortSignal | undefined
}

/**
 * `refused` (queue full, or waited too long) and `dropped` (aborted) count from the start of the
 * process.
 */
export type QueueStats = { running: number; waiting: number; refused: number; dropped: number }

export type BoundedQueue<Kind = undefined> = {
  <Result>(work: () => Promise<Result>, caller?: QueueCaller, kind?: Kind): Promise<Result>
  stats(): QueueStats
  /** Resolves when nothing runs or waits. */
  whenIdle(): Promise<void>
}

export type QueueLimits<Kind> = {
  concurrency: number
  /** Waiting jobs of all keys, at most. */
  waiting: number
  /** Waiting jobs of one key, at most; `waiting` when absent. */
  waitingPerKey?: number | undefined
  waitMaxMs?: number | undefined
  /** The refusal for a caller that exceeds its share. */
  refuseShare?: () => Refusal
  /**
   * Whether work of this kind may start beside the running kinds; called below `concurrency` only.
   */
  mayStart?: (kind: Kind | undefined, running: (Kind | undefined)[]) => boolean
  /** Whether this kind goes before all others, regardless of turns. */
  isFirst?: (kind: Kind | undefined) => boolean
}

/** The queue was full, or the work waited too long. The work was not started. */
export class QueueFull extends Refusal {
  constructor(why: string) {
    super('general_service_disabled', 'The server is busy. Please try again in a moment.', {
      headers: { 'retry-after': '2' },
      cause: new Error(`A queue is full: ${why}`),
    })
  }
}

type Job<Kind> = {
  key: string | undefined
  kind: Kind | undefined
  /** Jobs of one key get increasing turns, so that a caller with many jobs waits for others. */
  turn: number
  start(): void
}

/**
 * @throws (each call) Refusal `general_service_disabled` with Retry-After when the queue is
 *   full or the wait was too long (threat-model.md §10 "Overload"); the signal's reason when it is
 *   aborted before the work starts
 */
export function makeBoundedQueue<Kind = undefined>(limits: QueueLimits<Kind>): BoundedQueue<Kind> {
  const { concurrency, waitingPerKey = limits.waiting, waitMaxMs = FOREVER_MS } = limits
  const { refuseShare = () => new QueueFull('no place to wait') } = limits
  const { mayStart = () => true, isFirst = () => false } = limits
  const running = new Set<Job<Kind>>()
  let waiting: Job<Kind>[] = []
  const ended = { refused: 0, dropped: 0 }
  /** The turn of the job that was started last. */
  let turn = 0
  let idle = Promise.withResolvers<void>()

  function canStart({ kind }: Job<Kind>): boolean {
    const kinds = [...running].map((job) => job.kind)
    return kinds.length < concurrency && mayStart(kind, kinds)
  }
  /** Starts all jobs that may start: callers take turns, in the order of arrival. */
  function startNext(): void {
    for (;;) {
      const [next] = waiting
        .filter(canStart)
        .toSorted((a, b) => Number(isFirst(b.kind)) - Number(isFirst(a.kind)) || a.turn - b.turn)
      if (!next) break
      waiting = waiting.filter((job) => job !== next)
      turn = Math.max(turn, next.turn)
      running.add(next)
      next.start()
    }
    if (running.size > 0) return
    idle.resolve()
    idle = Promise.withResolvers()
  }
  async function waitForTurn(job: Job<Kind>, signal: AbortSignal | undefined): Promise<void> {
    const jobsOfKey = waiting.filter(({ key }) => key === job.key)
    const isOverShare = job.key !== undefined && jobsOfKey.length >= waitingPerKey
    if (isOverShare || waiting.length >= limits.waiting) {
      ended.refused++
      throw isOverShare ? refuseShare() : new QueueFull('no place to wait')
    }
    job.turn = Math.max(turn, ...jobsOfKey.map((other) => other.turn + 1))
    waiting.push(job)
    const { promise: started, resolve, reject } = Promise.withResolvers<void>()
    job.start = resolve
    const leave = (outcome: keyof typeof ended, reason: unknown) => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((other) => other !== job)
      ended[outcome]++
      reject(reason)
    }
    const onAbort = () => leave('dropped', signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(() => leave('refused', new QueueFull('waited too long')), waitMaxMs)
    await started.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }
  return Object.assign(
    async <Result>(work: () => Promise<Result>, caller: QueueCaller = {}, kind?: Kind) => {
      if (caller.signal?.aborted) {
        ended.dropped++
        throw caller.signal.reason
      }
      const job: Job<Kind> = { key: caller.key, kind, turn, start() {} }
      if (canStart(job)) running.add(job)
      else await waitForTurn(job, caller.signal)
      try {
        return await work()
      } finally {
        running.delete(job)
        startNext()
      }
    },
    {
      stats: () => ({ running: running.size, waiting: waiting.length, ...ended }),
      async whenIdle(): Promise<void> {
        while (running.size > 0) await idle.promise
      },
    },
  )
}

// --- a lock by key: work under the same key runs one after another, work under other keys in
// parallel.

/**
 * @param limits `waiting` is how many may wait for one key
 * @throws (each call of the lock) as {@link makeBoundedQueue}
 */
export function makeKeyedLock({ waiting, waitMaxMs }: { waiting: number; waitMaxMs?: number }) {
  const queues = new Map<string, { run: BoundedQueue; length: number }>()
  const limits = { concurrency: 1, waiting, waitMaxMs }
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
