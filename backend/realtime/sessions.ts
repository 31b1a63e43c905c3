// Connections and sessions: who a connection belongs to, and its end with the session.
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#contract/errors.ts'
import { findLasting } from '../accounts/sessions.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { type Connection, type Connections, list } from './connections.ts'
import { CODE } from './messages.ts'

type Needs = {
  db: Database
  connections: Connections
  now: () => Date
  findViewer: (headers: IncomingHttpHeaders) => Promise<Viewer>
}

/** Looks again at the connections of one person. */
export async function checkSessionsOf(needs: Needs, userId: string): Promise<void> {
  const own = [...(needs.connections.index.get(`account.${userId}`) ?? [])]
  const others = [...needs.connections.all].filter(
    ({ viewer }) => viewer.role === 'user' && viewer.userId === userId,
  )
  await checkSessions(needs, [...new Set([...own, ...others])])
}

/** How many sessions are looked up in one query. */
const AT_ONCE = 200

/** Closes those whose session has ended; of the others, who it is may have changed. */
export async function checkSessions(needs: Needs, connections: Connection[]): Promise<void> {
  const signedIn = connections.filter(({ viewer, jwt }) => viewer.role === 'user' && !jwt)
  for (const connection of connections) if (connection.jwt) await checkJwt(needs, connection)
  for (let at = 0; at < signedIn.length; at += AT_ONCE) {
    const some = signedIn.slice(at, at + AT_ONCE)
    const lasting = await findLasting(needs.db, some.flatMap(sessionOf), needs.now())
    for (const connection of some) {
      const [sessionId = ''] = sessionOf(connection)
      const found = lasting.get(sessionId)
      if (found) Object.assign(connection, found)
      else endSession(needs.connections, connection)
    }
  }
}

async function checkJwt({ connections, findViewer }: Needs, connection: Connection): Promise<void> {
  const viewer = await findViewer({ 'x-appwrite-jwt': connection.jwt }).catch((error: unknown) => {
    if (error instanceof Refusal && error.type !== 'general_service_disabled') return GUEST
    throw error
  })
  if (viewer.role === 'user') connection.viewer = viewer
  else endSession(connections, connection)
}

function sessionOf({ viewer }: Connection): string[] {
  return viewer.role === 'user' ? [viewer.sessionId] : []
}

/** Nothing is sent to it any more, however long its close takes. */
function endSession(connections: Connections, connection: Connection): void {
  connection.viewer = GUEST
  connection.jwt = undefined
  list(connections, connection)
  connection.socket.close(CODE.sessionEnded, 'The session has ended')
}
