// Who may work on an image when: one queue for uploads and previews (decision 0068). Knows no
// image.
import { Refusal } from '#contract/errors.ts'
import { QueueFull, type QueueNumbers } from '../process/bounded-queue.ts'

/** For whom an image is worked on: an address. Without a key there is no share. */
export type ImageAsker = { key?: string | undefined; signal?: AbortSignal | undefined }

export const SERVER_ITSELF: ImageAsker = {}

/**
 * Uploads come before previews. Heavy work is one at a time: there is memory for one. One place is
 * always for previews that are drawn in a moment.
 */
export type ImageWork = { isUpload?: boolean; isHeavy?: boolean }

const AT_ONCE = 3
/** Uploads and heavy previews. */
const LONG_AT_ONCE = 2
/** How much may wait, of all and of one address: there is room for feeds of several visitors. */
export const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
const IMAGE_WAIT_MAX_MS = 30_000

type Job = Required<ImageWork> & {
  key: string | undefined
  /** Jobs of one key have different turns: who asks for much waits for those who ask for little. */
  turn: number
  start(): void
}

export type ImageQueue = ReturnType<typeof makeImageQueue>

/** @source threat-model.md §3 "Preview", §10 "Overload" */
export function makeImageQueue() {
  const running = new Set<Job>()
  let waiting: Job[] = []
  let turn = 0
  let idle = Promise.withResolvers<void>()
  const ended = { refused: 0, dropped: 0 }

  function startNext(): void {
    for (;;) {
      const next = waiting.filter((job) => mayStart(job, running)).toSorted(inTurn)[0]
      if (!next) break
      waiting = waiting.filter((job) => job !== next)
      turn = next.turn
      running.add(next)
      next.start()
    }
    if (running.size > 0) return
    idle.resolve()
    idle = Promise.withResolvers()
  }

  /** @throws Refusal `general_rate_limit_exceeded`, `general_service_disabled` */
  function refuseTooMany(key: string | undefined, ofKey: number): void {
    const isOverShare = key !== undefined && ofKey >= IMAGE_QUEUE_SHARE
    if (!isOverShare && waiting.length < IMAGE_QUEUE_MAX) return
    ended.refused++
    if (!isOverShare) throw new QueueFull('no place to wait')
    throw new Refusal('general_rate_limit_exceeded', undefined, { headers: { 'retry-after': '2' } })
  }

  async function waitForTurn({ key, signal }: ImageAsker, work: ImageWork): Promise<Job> {
    const ofKey = waiting.filter((job) => job.key === key)
    refuseTooMany(key, ofKey.length)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const job: Job = {
      ...{ isUpload: false, isHeavy: false, ...work, key, start: resolve },
      turn: Math.max(turn, ...ofKey.map((one) => one.turn + 1)),
    }
    const leave = (how: keyof typeof ended, reason: unknown) => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((one) => one !== job)
      ended[how]++
      reject(reason)
    }
    waiting.push(job)
    startNext()
    const timer = setTimeout(
      () => leave('refused', new QueueFull('waited too long')),
      IMAGE_WAIT_MAX_MS,
    )
    const onAbort = () => leave('dropped', signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    await promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
    return job
  }

  return {
    /**
     * Does work when its turn comes. What waits holds no bytes; what its asker has left is dropped.
     *
     * @throws Refusal `general_rate_limit_exceeded` when the asker has too much waiting,
     *   `general_service_disabled` when there is no place or the wait is too long; the reason of
     *   the asker's signal; what the work throws
     */
    async run<Result>(
      asker: ImageAsker,
      kind: ImageWork,
      work: () => Promise<Result>,
    ): Promise<Result> {
      asker.signal?.throwIfAborted()
      const job = await waitForTurn(asker, kind)
      try {
        return await work()
      } finally {
        running.delete(job)
        startNext()
      }
    },
    /** Resolves once no image is worked on and none waits. */
    async whenIdle(): Promise<void> {
      while (running.size > 0) await idle.promise
    },
    numbers: (): QueueNumbers => ({ running: running.size, waiting: waiting.length, ...ended }),
  }
}

function mayStart(job: Job, running: ReadonlySet<Job>): boolean {
  const now = [...running]
  if (now.length >= AT_ONCE || (job.isHeavy && now.some(({ isHeavy }) => isHeavy))) return false
  return !isLong(job) || now.filter(isLong).length < LONG_AT_ONCE
}

function isLong({ isHeavy, isUpload }: Job): boolean {
  return isHeavy || isUpload
}

/** In equal turns whoever came first. */
function inTurn(a: Job, b: Job): number {
  return Number(b.isUpload) - Number(a.isUpload) || a.turn - b.turn
}
