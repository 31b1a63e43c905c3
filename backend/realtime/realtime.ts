// Realtime as the composition root sees it: takes upgrades, tells changes, looks after connections.
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { REALTIME_CLOSE_MS, REALTIME_PING_EVERY_MS } from '#contract/server-limits.ts'
import { forgetOldChanges } from '../database/change-log.ts'
import { hearChanges } from '../database/hear-changes.ts'
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { OtherWorkers } from '../process/other-workers.ts'
import { makeConnections } from './connections.ts'
import { type FanOutNeeds, fanOut } from './fan-out.ts'
import { CODE } from './messages.ts'
import { checkSessions, checkSessionsOf } from './sessions.ts'
import { isRealtime, makeUpgrade, type UpgradeNeeds } from './upgrade.ts'

export type RealtimeNeeds = Omit<UpgradeNeeds, 'connections'> &
  Omit<FanOutNeeds, 'connections'> & {
    db: Database
    databaseUrl: string | undefined
    background: Background
    otherWorkers: OtherWorkers
  }

export type Realtime = {
  addTo(server: HttpServer): void
  /** Pings all connections, cuts those that did not answer the last ping, and checks sessions. */
  lookAfter(): Promise<void>
  /** Resolves once every change so far has been told. */
  told(): Promise<void>
  /** Ends all connections with 1001; there are no new ones. */
  stop(): Promise<void>
}

export async function makeRealtime(given: RealtimeNeeds): Promise<Realtime> {
  const connections = makeConnections()
  const needs = { ...given, connections }
  const upgrade = makeUpgrade(needs)
  let isStopping = false
  const hearing = await hearChanges(needs, {
    change: (change) =>
      change.kind === 'access' ? checkSessionsOf(needs, change.userId) : fanOut(needs, change),
    // Clients connect again, and know by that to load what they show.
    missed: () => closeAll('Changes were missed'),
  })
  function closeAll(why: string): void {
    for (const { socket } of connections.all) socket.close(CODE.goingAway, why)
  }
  async function lookAfter(): Promise<void> {
    for (const connection of connections.all) {
      const { socket, isAlive } = connection
      connection.isAlive = false
      if (isAlive) socket.ping()
      else socket.terminate()
    }
    await checkSessions(needs, [...connections.all])
  }
  const timer = setInterval(() => {
    needs.background.run('care for realtime connections', lookAfter)
    needs.background.run('removal of old changes', () => forgetOldChanges(needs.db))
  }, REALTIME_PING_EVERY_MS)
  timer.unref()
  return {
    addTo(server) {
      server.on('upgrade', (request: IncomingMessage, socket, head) => {
        if (!isRealtime(request)) return
        if (isStopping) socket.destroy()
        else upgrade.take(request, socket, head)
      })
    },
    lookAfter,
    told: hearing.drained,
    async stop() {
      isStopping = true
      clearInterval(timer)
      closeAll('The server stops')
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, connections.all.size > 0 ? REALTIME_CLOSE_MS : 0)
      await Promise.all([promise, hearing.stop()])
      upgrade.cutAll()
    },
  }
}
