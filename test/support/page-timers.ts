// Stops the timers of a page, so that a message shown for a limited time stays until a test has
// seen it.
import type { Page } from '@playwright/test'

/** Later than the clock of any page, which may lag behind the test runner. */
const AHEAD_MS = 10_000

/**
 * Stops timers from now on. The page must have been opened after `page.clock.install()`.
 */
export async function stopTimers(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + AHEAD_MS)
}
