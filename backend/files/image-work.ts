// The image library of this process: which decoders uploaded bytes may reach, and for how long. Who
// may use it when is in image-queue.ts.
import type sharpModule from 'sharp'
import type { Sharp } from 'sharp'
import { Refusal } from '#contract/errors.ts'

const PREVIEW_TIMEOUT_MS = 10_000

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
    // One core for each piece of work: a large one must not take the cores of the others.
    sharp.concurrency(1)
    return sharp
  })
  return await loading
}

/** The time that one piece of work has, in all its steps together. */
export type WorkTime = {
  /** Sets what is left of the time on a step. @throws the signal's reason when nobody waits */
  timed(image: Sharp): Sharp
  isOver(): boolean
  /** Aborted when nobody waits any more. */
  signal?: AbortSignal | undefined
  /** A share of the time that is left, for a try that may fail. */
  part(share: number): WorkTime
}

/** @param signal aborted when nobody wants the result any more: the next step does not begin */
export function startWorkTime(signal?: AbortSignal, limitMs = PREVIEW_TIMEOUT_MS): WorkTime {
  const endMs = performance.now() + limitMs
  const leftMs = () => endMs - performance.now()
  return {
    timed(image) {
      signal?.throwIfAborted()
      // The library counts whole seconds.
      return image.timeout({ seconds: Math.max(1, Math.ceil(leftMs() / 1000)) })
    },
    isOver: () => leftMs() <= 0,
    signal,
    part: (share) => startWorkTime(signal, Math.max(0, leftMs() * share)),
  }
}

/**
 * Runs work that decodes an image, and turns its failures into refusals.
 *
 * @note whether the time is over is told by the clock: the library's message is one for the whole
 *   process, so of two images that fail at once each may get the message of the other
 * @throws Refusal `storage_invalid_file` for what cannot be decoded, `general_service_disabled`
 *   when the time is over; the signal's reason when nobody waits any more
 */
export async function decodeOrRefuse<Result>(
  time: Pick<WorkTime, 'isOver' | 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    time.signal?.throwIfAborted()
    if (!time.isOver()) throw new Refusal('storage_invalid_file', undefined, { cause: error })
    throw new Refusal('general_service_disabled', 'The image takes too long to work on.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
}
