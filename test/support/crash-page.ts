// A page that crashes.
import type { Page } from '@playwright/test'

/** Crashes the renderer of the page, so that its scripts no longer run. */
export async function crashPage(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  void session.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
}
