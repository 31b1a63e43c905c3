// How image work is done in this process: the decoders strangers' bytes may reach, how much at
// once, and for how long.
import { availableParallelism } from 'node:os'
import type sharpModule from 'sharp'
import type { Sharp } from 'sharp'
import { Refusal } from '#contract/errors.ts'
import { IMAGE_QUEUE_MAX, PREVIEW_TIMEOUT_MS } from '#contract/limits.ts'
import { type BoundedQueue, makeBoundedQueue } from '../process/bounded-queue.ts'

/**
 * `run` is for every decode of the process; `runLarge`, inside it, for the few that hold a whole
 * large picture in memory.
 */
export type ImageQueue = { run: BoundedQueue; runLarge: BoundedQueue }

/** @source threat-model.md §3 "Preview", §10 "Overload" */
export function makeImageQueue(): ImageQueue {
  return {
    run: makeBoundedQueue({ atOnce: availableParallelism(), waiting: IMAGE_QUEUE_MAX }),
    runLarge: makeBoundedQueue({ atOnce: 1, waiting: IMAGE_QUEUE_MAX }),
  }
}

let loading: Promise<typeof sharpModule> | undefined

/** The image library, loaded with the first picture: a server without one is spared its memory. */
export async function loadSharp(): Promise<typeof sharpModule> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Strangers' bytes may reach these decoders only; svg draws our own masks and initials, never
    // an upload.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Png', 'Jpeg', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
    })
    // Uploads and previews are each read once: a cache of decoded pictures would only hold memory.
    sharp.cache(false)
    return sharp
  })
  return await loading
}

/** Sets the time limit on one piece of work. */
export function timed(image: Sharp): Sharp {
  return image.timeout({ seconds: PREVIEW_TIMEOUT_MS / 1000 })
}

/** The library tells its time limit only by this text. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout')
}

/**
 * Runs decoding, and says what its failure means.
 *
 * @throws Refusal `storage_invalid_file` for what cannot be decoded, `general_service_disabled`
 *   after 10 s
 */
export async function decoding<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (!isTimeout(error)) throw new Refusal('storage_invalid_file', undefined, { cause: error })
    throw new Refusal('general_service_disabled', 'The image takes too long to work on.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
}
