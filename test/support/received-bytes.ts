// Counts the bytes that the browser receives for a page.
import type { Page } from '@playwright/test'

/** @returns received bytes by path, including headers, as compressed on the wire */
export async function countReceived(page: Page): Promise<Map<string, number>> {
  const received = new Map<string, number>()
  const paths = new Map<string, string>()
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? ''
    received.set(path, (received.get(path) ?? 0) + encodedDataLength)
  })
  await devtools.send('Network.enable')
  return received
}
