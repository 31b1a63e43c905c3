// The limits of all image work in this process: which decoders uploaded bytes may reach, how many
// run at once, and for how long.
import { availableParallelism } from 'node:os'
import type sharpModule from 'sharp'
import type { Sharp } from 'sharp'
import { Refusal } from '#contract/errors.ts'
import { IMAGE_QUEUE_MAX, PREVIEW_TIMEOUT_MS } from '#contract/limits.ts'
import { type BoundedQueue, makeBoundedQueue } from '../process/bounded-queue.ts'

/**
 * `run` is for every decode of the process; `runLarge`, used within it, for those that hold a whole
 * large image in memory.
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

/** The image library, loaded with the first image to save memory until then. */
export async function loadSharp(): Promise<typeof sharpModule> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Uploaded bytes reach png, jpeg and gif only; svg is for masks and initials of our own.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Png', 'Jpeg', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
    })
    // Each upload and preview is decoded once: a cache of decoded images would only cost memory.
    sharp.cache(false)
    return sharp
  })
  return await loading
}

/** Sets the time limit on one piece of work. */
export function timed(image: Sharp): Sharp {
  return image.timeout({ seconds: PREVIEW_TIMEOUT_MS / 1000 })
}

/** Whether the time limit was reached, which the library tells by its message only. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout')
}

/**
 * Runs work that decodes an image, and turns its failures into refusals.
 *
 * @throws Refusal `storage_invalid_file` for what cannot be decoded, `general_service_disabled`
 *   after 10 s
 */
export async function decodeOrRefuse<Result>(work: () => Promise<Result>): Promise<Result> {
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
