// Waits until an open page receives realtime events.
import type { Page } from '@playwright/test'

/** Resolves when the page's socket for this channel is connected. */
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
