// Realtime as the composition root sees it: takes upgrades, tells changes, looks after connections.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { subscribeToEvents } from '../database/event-subscription.ts'
import { type Connection, makeConnections, type RealtimeContext } from './connections.ts'
import { fanOut } from './fan-out.ts'
import { CODE } from './messages.ts'
import { findRecipients } from './rights-store.ts'
import { isRealtimeRequest, makeUpgradeHandler } from './upgrade.ts'

/** How often each connection is asked whether it is there, and its session whether it lasts. */
const PING_EVERY_MS = 30_000
/** How long closing connections may take when the server stops. */
const CLOSE_MS = 1000
/** How many sessions are looked up in one query. */
const SESSIONS_BATCH_SIZE = 200

export type Realtime = Awaited<ReturnType<typeof makeRealtime>>

export async function makeRealtime(given: Omit<RealtimeContext, 'connections'>) {
  const connections = makeConnections()
  const context = { ...given, connections }
  const upgrade = makeUpgradeHandler(context)
  let isStopping = false
  const stopReceiving = await subscribeToEvents(context, {
    async handle(change) {
      if (connections.all.size === 0) return
      await (change.kind === 'access' ? endSessions(change.userId) : fanOut(context, change))
    },
    // Clients connect again, and know by that to load what they show.
    missed: () => closeAll('Changes were missed'),
  })
  function closeAll(why: string): void {
    for (const { socket } of connections.all) socket.close(CODE.goingAway, why)
  }
  /** Closes the connections of ended sessions, of one user or of all. */
  async function endSessions(userId?: string): Promise<void> {
    const isTheirs = ({ viewer }: Connection) =>
      viewer.role === 'user' && (userId === undefined || viewer.userId === userId)
    const theirs = [...connections.all].filter(isTheirs)
    for (let at = 0; at < theirs.length; at += SESSIONS_BATCH_SIZE)
      await findRecipients(context, theirs.slice(at, at + SESSIONS_BATCH_SIZE))
  }
  /** Pings all connections, cuts those that did not answer the last ping, and checks sessions. */
  async function lookAfter(): Promise<void> {
    for (const connection of connections.all) {
      const { socket, isAlive } = connection
      connection.isAlive = false
      if (isAlive) socket.ping()
      else socket.terminate()
    }
    await endSessions()
  }
  const timer = setInterval(() => {
    context.background.run('care for realtime connections', lookAfter)
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
    /** Ends all connections with 1001; there are no new ones. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      closeAll('The server stops')
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, connections.all.size > 0 ? CLOSE_MS : 0)
      await Promise.all([promise, stopReceiving()])
      upgrade.cutAll()
    },
  }
}
