// The realtime service: accepts upgrades, sends events, checks connections and sessions.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { subscribeToEvents } from '../database/event-subscription.ts'
import { type Connection, makeConnections, type RealtimeContext } from './connections.ts'
import { fanOut } from './fan-out.ts'
import { CODE } from './messages.ts'
import { findRecipients } from './rights-store.ts'
import { isRealtimeRequest, makeUpgradeHandler } from './upgrade.ts'

/** How often connections are pinged and their sessions checked. */
const PING_EVERY_MS = 30_000
/** How long closing connections may take when the server stops. */
const CLOSE_MS = 1000
/** How many sessions are looked up in one query. */
const SESSIONS_BATCH_SIZE = 200

export type Realtime = Awaited<ReturnType<typeof makeRealtime>>

export async function makeRealtime(options: Omit<RealtimeContext, 'connections'>) {
  const connections = makeConnections()
  const context = { ...options, connections }
  const upgrade = makeUpgradeHandler(context)
  let isStopping = false
  const stopReceiving = await subscribeToEvents(context, {
    async handle(event) {
      if (connections.all.size === 0) return
      await (event.kind === 'access' ? closeEnded(event.userId) : fanOut(context, event))
    },
    // Clients reconnect, and then reload their data.
    missed: () => closeAll('Changes were missed'),
  })
  function closeAll(why: string): void {
    for (const { socket } of connections.all) socket.close(CODE.goingAway, why)
  }
  /** Closes the connections of ended sessions, of one user or of all. */
  async function closeEnded(userId?: string): Promise<void> {
    const isAffected = ({ viewer }: Connection) =>
      viewer.role === 'user' && (userId === undefined || viewer.userId === userId)
    const affected = [...connections.all].filter(isAffected)
    for (let start = 0; start < affected.length; start += SESSIONS_BATCH_SIZE)
      await findRecipients(context, affected.slice(start, start + SESSIONS_BATCH_SIZE))
  }
  /** Pings all connections, ends those that did not answer the last ping, and checks sessions. */
  async function checkConnections(): Promise<void> {
    for (const connection of connections.all) {
      const { socket, isAlive } = connection
      connection.isAlive = false
      if (isAlive) socket.ping()
      else socket.terminate()
    }
    await closeEnded()
  }
  const timer = setInterval(() => {
    context.background.run('check of realtime connections', checkConnections)
  }, PING_EVERY_MS)
  timer.unref()
  return {
    addTo(server: HttpServer): void {
      server.on('upgrade', (request: IncomingMessage, socket, head) => {
        if (!isRealtimeRequest(request)) return
        if (isStopping) socket.destroy()
        else upgrade.take(request, socket, head)
      })
    },
    /** Closes all connections with 1001 and accepts no new ones. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      closeAll('The server stops')
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, connections.all.size > 0 ? CLOSE_MS : 0)
      await Promise.all([promise, stopReceiving()])
      upgrade.terminateAll()
    },
  }
}
