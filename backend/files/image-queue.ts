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

type State = {
  running: Set<Job>
  waiting: Job[]
  /** Of the job that was begun last. */
  turn: number
  idle: PromiseWithResolvers<void>
  /** From the start: no place, or waited too long; gone. */
  ended: { refused: number; dropped: number }
}

/** @source threat-model.md §3 "Preview", §10 "Overload" */
export function makeImageQueue() {
  const state: State = {
    ...{ running: new Set(), waiting: [], turn: 0, idle: Promise.withResolvers() },
    ended: { refused: 0, dropped: 0 },
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
      refuseTooMany(state, asker)
      const job = await waitForTurn(state, asker, kind)
      try {
        return await work()
      } finally {
        state.running.delete(job)
        startNext(state)
      }
    },
    /** Resolves once no image is worked on and none waits. */
    async whenIdle(): Promise<void> {
      while (state.running.size > 0) await state.idle.promise
    },
    numbers: (): QueueNumbers => ({
      ...{ running: state.running.size, waiting: state.waiting.length, ...state.ended },
    }),
  }
}

function refuseTooMany({ waiting, ended }: State, { key }: ImageAsker): void {
  const ofKey = key === undefined ? 0 : waiting.filter((job) => job.key === key).length
  if (ofKey < IMAGE_QUEUE_SHARE && waiting.length < IMAGE_QUEUE_MAX) return
  ended.refused++
  if (ofKey < IMAGE_QUEUE_SHARE) throw new QueueFull('no place to wait')
  throw new Refusal('general_rate_limit_exceeded', undefined, { headers: { 'retry-after': '2' } })
}

async function waitForTurn(
  state: State,
  { key, signal }: ImageAsker,
  kind: ImageWork,
): Promise<Job> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const turns = state.waiting.filter((job) => job.key === key).map((job) => job.turn + 1)
  const job: Job = {
    ...{ isUpload: false, isHeavy: false, ...kind, key, start: resolve },
    turn: Math.max(state.turn, ...turns),
  }
  const leave = (how: keyof State['ended'], reason: unknown) => {
    if (!state.waiting.includes(job)) return
    state.waiting = state.waiting.filter((one) => one !== job)
    state.ended[how]++
    reject(reason)
  }
  const onAbort = () => leave('dropped', signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const onLate = () => leave('refused', new QueueFull('waited too long'))
  const timer = setTimeout(onLate, IMAGE_WAIT_MAX_MS)
  state.waiting.push(job)
  startNext(state)
  await promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
  return job
}

function startNext(state: State): void {
  for (;;) {
    const free = state.waiting.filter((job) => mayStart(job, state.running))
    const [next] = free.toSorted(inTurn)
    if (!next) break
    state.waiting = state.waiting.filter((job) => job !== next)
    state.turn = Math.max(state.turn, next.turn)
    state.running.add(next)
    next.start()
  }
  if (state.running.size > 0) return
  state.idle.resolve()
  state.idle = Promise.withResolvers()
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
