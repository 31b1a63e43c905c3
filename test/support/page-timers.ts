// Timers of a page, which tests move: nothing waits for them, and nothing is gone before a test has
// seen it.
import type { Page } from '@playwright/test'

/** Further than any page is behind the runner. */
const AHEAD_MS = 10_000

/**
 * From here on timers stand still, so that what is shown for a while stays. The page was opened
 * after `page.clock.install()`.
 */
export async function stopTimers(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + AHEAD_MS)
}
