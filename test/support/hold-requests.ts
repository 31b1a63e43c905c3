// What a browser asks for stays on its way until a test lets it go.
import type { Page } from '@playwright/test'

/** @returns lets go what was held back, and what comes later */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
