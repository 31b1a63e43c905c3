// When an open page begins to hear what the server tells.
import type { Page } from '@playwright/test'

/** Resolves when the page hears of what happens, by the address of its connection. */
export function untilConnected(page: Page, channel: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  page.on('websocket', (socket) => {
    if (!decodeURIComponent(socket.url()).includes(channel)) return
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).startsWith('{"type":"connected"')) resolve()
    })
  })
  return promise
}
