// The end of a server whose place another one has taken: it takes no new connections, and answers
// on those that it has until each was told to close.
import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 50

/**
 * Its answers ask to close their connections by now. Connections that stay silent are left after
 * `limitMs`.
 */
export async function retire(server: HttpServer, limitMs: number): Promise<void> {
  // That of HTTP would cut connections between two requests, while the second is on its way.
  NetServer.prototype.close.call(server)
  const endAtMs = performance.now() + limitMs
  while (performance.now() < endAtMs && (await countConnections(server)) > 0)
    await delay(LOOK_EVERY_MS)
}

function countConnections(server: HttpServer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.getConnections((_error, count) => resolve(count))
  return promise
}
