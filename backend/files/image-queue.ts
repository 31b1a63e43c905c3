// Who may work on an image when: ordinary and large work have places of their own, callers take
// turns, and each pays before anything is decoded. Bytes are read before there is a place to
// decode, so that a slow storage holds no decoder. Knows no file.
import { availableParallelism } from 'node:os'
import { type BoundedQueue, makeBoundedQueue, type QueueCaller } from '../process/bounded-queue.ts'
import type { ImageBudget } from './image-budget.ts'
import type { ImagePrice } from './image-price.ts'
import { startWorkTime, type WorkTime } from './image-work.ts'

/**
 * How much image work may wait, how much of it may be of one address, and how long each may wait at
 * one stage. More: 503 `general_service_disabled`. There is room for feeds of several visitors.
 */
const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
const IMAGE_WAIT_MAX_MS = 30_000
/** Ordinary image work at once, on however many cores; large work is one at a time beside it. */
export const IMAGES_AT_ONCE_MAX = 3

/** For whom an image is worked on. Without payers it is free, as for the API key. */
export type ImageAsker = QueueCaller & {
  payers: readonly string[]
  /** Nobody waits for it: it comes one at a time, and takes no place of those who wait. */
  isAhead?: boolean
}

export const SERVER_ITSELF: ImageAsker = { payers: [] }

/** `reading` bounds the files in memory, `decoding` the work on them. */
type Lane = { reading: BoundedQueue; decoding: BoundedQueue }

export type ImageQueue = { ordinary: Lane; large: Lane; budget: ImageBudget; timeoutMs?: number }

/** @source threat-model.md §3 "Preview", §10 "Overload" */
export function makeImageQueue(budget: ImageBudget, timeoutMs?: number): ImageQueue {
  return {
    ordinary: makeLane(Math.min(availableParallelism(), IMAGES_AT_ONCE_MAX), 3),
    large: makeLane(1, 1),
    budget,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** @param readAhead how many files are read while others are decoded */
function makeLane(atOnce: number, readAhead: number): Lane {
  const waits = {
    waiting: IMAGE_QUEUE_MAX,
    waitingPerKey: IMAGE_QUEUE_SHARE,
    waitMaxMs: IMAGE_WAIT_MAX_MS,
  }
  return {
    reading: makeBoundedQueue({ atOnce: atOnce + readAhead, ...waits }),
    decoding: makeBoundedQueue({ atOnce, ...waits }),
  }
}

/** Resolves once no image is worked on and none waits, or once the signal is aborted. */
export async function whenIdle(
  { ordinary, large }: Pick<ImageQueue, 'ordinary' | 'large'>,
  signal: AbortSignal,
): Promise<void> {
  const queues = [ordinary, large].flatMap(({ reading, decoding }) => [reading, decoding])
  while (!signal.aborted) {
    const busy = queues.find((queue) => queue.numbers().running > 0)
    if (!busy) return
    await busy.whenIdle(signal)
  }
}

type Kind = 'preview' | 'upload'

/** Work on one image whose bytes have to be read. */
export type ImageJob<Content extends { price: ImagePrice }, Result> = {
  kind: Kind
  /** What it will cost at least, as far as it is known before the bytes are there. */
  guess: ImagePrice
  /** Reads the bytes and their header; may be called a second time. */
  read(): Promise<Content>
  work(content: Content, time: WorkTime): Promise<Result>
}

/**
 * Runs a job when its turn comes. What turns out to be large only when it has been read moves to
 * the places of large work. Work ahead, which was begun while nobody waited, is no part of turns.
 *
 * @throws Refusal `general_rate_limit_exceeded` when the asker cannot pay,
 *   `general_service_disabled` when there is no place or the wait is too long; the reason of the
 *   asker's signal; what reading and working throw
 */
export async function workInTurn<Content extends { price: ImagePrice }, Result>(
  queue: ImageQueue,
  asker: ImageAsker,
  { kind, guess, read, work }: ImageJob<Content, Result>,
): Promise<Result> {
  if (asker.isAhead) return await work(await read(), startWorkTime(asker.signal, queue.timeoutMs))
  queue.budget.require(budgetKind(kind, guess), asker.payers, guess.cost)
  const inLane = (lane: 'ordinary' | 'large') =>
    queue[lane].reading(async () => {
      const content = await read()
      const { price } = content
      if (price.isLarge && lane === 'ordinary') return undefined
      const paid = { kind, price, work: (time: WorkTime) => work(content, time) }
      return { result: await workPaid(queue, lane, asker, paid) }
    }, asker)
  const done = (guess.isLarge ? undefined : await inLane('ordinary')) ?? (await inLane('large'))
  if (!done) throw new Error('Large work was not done in the places for large work')
  return done.result
}

type PaidWork<Result> = {
  kind: Kind
  price: ImagePrice
  work: (time: WorkTime) => Promise<Result>
}

/** Work whose bytes are there, or that needs none. */
export async function workPaid<Result>(
  { budget, timeoutMs, ...lanes }: ImageQueue,
  lane: 'ordinary' | 'large',
  asker: ImageAsker,
  { kind, price, work }: PaidWork<Result>,
): Promise<Result> {
  const giveBack = budget.take(budgetKind(kind, price), asker.payers, price.cost)
  let hasBegun = false
  try {
    return await lanes[lane].decoding(() => {
      hasBegun = true
      return work(startWorkTime(asker.signal, timeoutMs))
    }, asker)
  } finally {
    if (!hasBegun) giveBack()
  }
}

function budgetKind(kind: Kind, { isLarge }: ImagePrice) {
  if (kind === 'upload') return 'upload'
  return isLarge ? 'largePreview' : 'ordinaryPreview'
}

/** How many places are taken and how much was refused, by stage. */
export function imageQueueNumbers({ ordinary, large }: ImageQueue) {
  return {
    images: ordinary.decoding.numbers(),
    imagesReading: ordinary.reading.numbers(),
    largeImages: large.decoding.numbers(),
    largeImagesReading: large.reading.numbers(),
  }
}
