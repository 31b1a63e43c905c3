// Holds requests of a browser back until the test releases them.
import type { Page } from '@playwright/test'

/** @returns a function that releases the held requests and lets later ones pass */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
