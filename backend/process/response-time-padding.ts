// Pads response times, so that they reveal nothing. Independent of accounts.
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Responses that must not reveal whether an address is known take a multiple of this time.
 */
export const RESPONSE_TIME_STEP_MS = 250

/**
 * Runs `work` and ends at a multiple of `RESPONSE_TIME_STEP_MS` after the start, so that the time
 * does not reveal whether an address is known.
 *
 * @source threat-model.md §4
 */
export async function padResponseTime(work: () => Promise<void>): Promise<void> {
  const startMs = performance.now()
  try {
    await work()
  } finally {
    await waitForStep(startMs, RESPONSE_TIME_STEP_MS)
  }
}

/** Waits for the next multiple of `stepMs` after `startMs`. */
export async function waitForStep(startMs: number, stepMs: number): Promise<void> {
  const spentMs = performance.now() - startMs
  await delay(Math.ceil(spentMs / stepMs) * stepMs - spentMs)
}
