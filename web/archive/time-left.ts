// How long an import still takes, from what has been seen of it.

/** A piece of work at a time: `done` of `total`. */
export type Sample = { atMs: number; done: number }

/** The estimate is shown after this part of the work. */
const FIRST_PART = 0.1
const OBSERVED_MS = 3000

/**
 * @param first where the work was when it was first seen, or when it was continued
 * @returns seconds; undefined while too little is known
 */
export function secondsLeft(first: Sample, latest: Sample, total: number): number | undefined {
  const observedMs = latest.atMs - first.atMs
  const observed = latest.done - first.done
  if (latest.done < total * FIRST_PART || observed <= 0 || observedMs < OBSERVED_MS)
    return undefined
  return ((total - latest.done) * observedMs) / observed / 1000
}
