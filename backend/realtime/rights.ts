// Who may hear of a change, and whose connection ends: asked of the database when it is told, in
// one query for many connections (decision 0063). Nothing that is kept in memory decides.
import { activeAt } from '../accounts/sessions.ts'
import type { Change, PostAccess } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { can } from '../posts/access.ts'
import { type Connection, type Connections, list, type Session } from './connections.ts'
import { CODE } from './messages.ts'
import { findStanding, type Standing } from './store.ts'

export type RightsNeeds = { db: Database; connections: Connections; now: () => Date }

export function sessionOf(viewer: Viewer): Session | undefined {
  if (viewer.role !== 'user') return undefined
  return viewer.proof ?? { sessionId: viewer.sessionId, isStanding: () => true }
}

/**
 * Closes those of these connections whose session has ended.
 *
 * @returns the others that may hear of the change
 */
export async function findHearers(
  { db, connections: all, now }: RightsNeeds,
  connections: Connection[],
  change?: Change,
): Promise<Connection[]> {
  // They may name another session while the database is asked.
  const asked = connections.map(({ viewer, session }) => ({ viewer, session }))
  const post = change?.kind === 'post' ? change : undefined
  const sessionIds = asked.flatMap(({ session }) => session?.sessionId ?? [])
  const named = { sessionIds, postId: post?.id ?? '', authorId: post?.access.userId ?? '' }
  const at = now()
  const rows = await findStanding(db, named, activeAt(at))
  const lasting = new Map(rows.map((row) => [row.sessionId, row]))
  const [first] = rows
  return connections.filter((connection, index) => {
    const { viewer = GUEST, session } = asked[index] ?? {}
    if (!session) return mayHear(change, viewer, first)
    const found = lasting.get(session.sessionId)
    const isThere = found !== undefined && found.isVerified !== null
    if (isThere && viewer.role === 'user' && session.isStanding(found, at))
      return mayHear(change, { ...viewer, isVerified: found.isVerified === 1 }, first)
    if (connection.session === session) endSession(all, connection)
    return false
  })
}

/** The rule of the call that answers the same payload (threat-model.md §5). */
function mayHear(change: Change | undefined, viewer: Viewer, standing?: Standing): boolean {
  switch (change?.kind) {
    case 'post': {
      const now = accessNow(change, standing)
      // Also as it was: the payload is of then.
      return now !== undefined && can(viewer, 'read', change.access) && can(viewer, 'read', now)
    }
    case 'file':
      // As `isOwn` of files: details of a file are for its uploader and the key.
      return viewer.role === 'key' || (viewer.role === 'user' && viewer.userId === change.ownerId)
    case 'account':
      return viewer.role === 'user' && viewer.userId === change.userId
    default:
      return false
  }
}

/** Who could see a post that was deleted may hear of that, unless its author is blocked by now. */
function accessNow(
  { action, access }: Extract<Change, { kind: 'post' }>,
  { status = null, readers = '', isHidden = 1, isAuthorBlocked }: Partial<Standing> = {},
): PostAccess | undefined {
  const author = { userId: access.userId, isAuthorBlocked: isAuthorBlocked ?? 1 }
  if (action === 'delete') return { ...access, ...author }
  return status === null ? undefined : { status, readers, isHidden, ...author }
}

/** Nothing is sent to it any more, however long its close takes. */
function endSession(connections: Connections, connection: Connection): void {
  connection.viewer = GUEST
  connection.session = undefined
  list(connections, connection)
  connection.socket.close(CODE.sessionEnded, 'The session has ended')
}
