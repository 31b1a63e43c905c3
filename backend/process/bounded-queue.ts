// A queue for heavy work: `atOnce` tasks run, the others wait for a bounded time, and callers take
// turns. Rejects what exceeds its bounds with 503.
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
  /** Aborted when the result is not wanted any more: waiting work is dropped. */
  signal?: AbortSignal | undefined
}

/** `refused` (no place, or waited too long) and `dropped` (gone) count from the start. */
export type QueueStats = { running: number; waiting: number; refused: number; dropped: number }

export type BoundedQueue<Kind = undefined> = {
  <Result>(work: () => Promise<Result>, caller?: QueueCaller, kind?: Kind): Promise<Result>
  stats(): QueueStats
  /** Resolves when nothing runs or waits. */
  whenIdle(): Promise<void>
}

export type QueueLimits<Kind> = {
  atOnce: number
  /** All who wait. */
  waiting: number
  /** Those of one key; all when absent. */
  waitingPerKey?: number | undefined
  waitMaxMs?: number | undefined
  /** What a caller hears who has more than their share waiting. */
  refuseShare?: () => Refusal
  /** Whether work of one kind may run beside the others; less than `atOnce` run already. */
  mayStart?: (kind: Kind | undefined, running: (Kind | undefined)[]) => boolean
  /** Goes before every other kind, regardless of turns. */
  isFirst?: (kind: Kind | undefined) => boolean
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

type Job<Kind> = {
  key: string | undefined
  kind: Kind | undefined
  /** Jobs of one key have different turns: who asks for much waits for those who ask for little. */
  turn: number
  start(): void
}

/**
 * @throws (each call) Refusal `general_service_disabled` with Retry-After when there is no place to
 *   wait or the wait was too long (threat-model.md §10 "Overload"); the signal's reason when it is
 *   aborted before the work starts
 */
export function makeBoundedQueue<Kind = undefined>(limits: QueueLimits<Kind>): BoundedQueue<Kind> {
  const { atOnce, waitingPerKey = limits.waiting, waitMaxMs = FOREVER_MS } = limits
  const { refuseShare = () => new QueueFull('no place to wait') } = limits
  const { mayStart = () => true, isFirst = () => false } = limits
  const running = new Set<Job<Kind>>()
  let waiting: Job<Kind>[] = []
  const ended = { refused: 0, dropped: 0 }
  /** Number of the job that was begun last. */
  let turn = 0
  let idle = Promise.withResolvers<void>()

  function canStart({ kind }: Job<Kind>): boolean {
    const kinds = [...running].map((job) => job.kind)
    return kinds.length < atOnce && mayStart(kind, kinds)
  }
  /** Starts what may start: callers take turns, and the first to come goes first. */
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
    const ofKey = waiting.filter(({ key }) => key === job.key)
    const isOverShare = job.key !== undefined && ofKey.length >= waitingPerKey
    if (isOverShare || waiting.length >= limits.waiting) {
      ended.refused++
      throw isOverShare ? refuseShare() : new QueueFull('no place to wait')
    }
    job.turn = Math.max(turn, ...ofKey.map((one) => one.turn + 1))
    waiting.push(job)
    const { promise: started, resolve, reject } = Promise.withResolvers<void>()
    job.start = resolve
    const leave = (how: keyof typeof ended, reason: unknown) => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((one) => one !== job)
      ended[how]++
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

// --- a lock by key: work under the same key runs one after another, work under other keys at once.

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
