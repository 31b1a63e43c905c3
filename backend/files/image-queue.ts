// Who may work on an image when: one queue for uploads and previews (decision 0068). Knows no
// image.
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue, type QueueCaller } from '../process/bounded-queue.ts'

/** For whom an image is worked on: an address. Without a key there is no share. */
export type ImageAsker = QueueCaller

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

export type ImageQueue = ReturnType<typeof makeImageQueue>

/**
 * What waits holds no bytes; what its asker has left is dropped.
 *
 * @throws (each call) as any queue; Refusal `general_rate_limit_exceeded` when the asker has too
 *   much waiting
 * @source threat-model.md §3 "Preview", §10 "Overload"
 */
export function makeImageQueue() {
  return makeBoundedQueue<ImageWork>({
    ...{ atOnce: AT_ONCE, waiting: IMAGE_QUEUE_MAX, waitingPerKey: IMAGE_QUEUE_SHARE },
    waitMaxMs: IMAGE_WAIT_MAX_MS,
    refuseShare: () =>
      new Refusal('general_rate_limit_exceeded', undefined, { headers: { 'retry-after': '2' } }),
    isFirst: (work) => work?.isUpload === true,
    mayStart(work, running) {
      if (work?.isHeavy && running.some((other) => other?.isHeavy)) return false
      return !isLong(work) || running.filter(isLong).length < LONG_AT_ONCE
    },
  })
}

function isLong(work: ImageWork | undefined): boolean {
  return work?.isHeavy === true || work?.isUpload === true
}
