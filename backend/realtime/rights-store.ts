// Who may hear of a change, and whose connection ends, with its SQL: asked of the database when it
// is told, in one query for many connections (decision 0063). Nothing in memory decides.

import { sql } from 'kysely'
import { activeSessionBounds } from '../accounts/sessions.ts'
import { canModerateComments } from '../comments/access.ts'
import { IS_COUNTED } from '../database/comment-hidings.ts'
import type { PostAccess, RealtimeEvent } from '../database/realtime-events.ts'
import type { Database } from '../database/schema.ts'
import {
  GUEST,
  isOpenerStillOperator,
  roleOfSession,
  type UserViewer,
  type Viewer,
} from '../http/viewer.ts'
import { can } from '../posts/access.ts'
import {
  type Connection,
  type Connections,
  type RealtimeContext,
  type Session,
  updateIndex,
} from './connections.ts'
import { CODE } from './messages.ts'

export function sessionOf(viewer: Viewer): Session | undefined {
  if (viewer.role !== 'user') return undefined
  return viewer.proof ?? { sessionId: viewer.sessionId, isValid: () => true }
}

/**
 * Closes those of these connections whose session has ended.
 *
 * @returns the others that may hear of the change
 */
export async function findRecipients(
  { db, connections: all, now }: Pick<RealtimeContext, 'db' | 'connections' | 'now'>,
  connections: Connection[],
  change?: RealtimeEvent,
): Promise<Connection[]> {
  // They may name another session while the database is asked.
  const asked = connections.map(({ viewer, session }) => ({ viewer, session }))
  const sessionIds = asked.flatMap(({ session }) => session?.sessionId ?? [])
  const named = { sessionIds, ...idsIn(change) }
  const at = now()
  const rows = await findStanding(db, named, activeSessionBounds(at))
  const lasting = new Map(rows.map((row) => [row.sessionId, row]))
  const [first] = rows
  return connections.filter((connection, index) => {
    const { viewer = GUEST, session } = asked[index] ?? {}
    if (!session) return mayReceive(change, viewer, first)
    const found = lasting.get(session.sessionId)
    const isThere = found !== undefined && found.isVerified !== null
    const isAllowed = isThere && isOpenerStillOperator(found) && session.isValid(found, at)
    if (isAllowed && viewer.role === 'user')
      return mayReceive(change, withNow(viewer, found), first)
    if (connection.session === session) endSession(all, connection)
    return false
  })
}

function withNow(viewer: UserViewer, standing: RightsRow): UserViewer {
  const accountRole = roleOfSession(standing, viewer.proof)
  return { ...viewer, isVerified: standing.isVerified === 1, accountRole }
}

function idsIn(change: RealtimeEvent | undefined) {
  const none = { postId: '', authorId: '', commentId: '' }
  if (change?.kind === 'post') return { ...none, postId: change.id, authorId: change.access.userId }
  if (change?.kind !== 'comment') return none
  return { postId: change.postId, authorId: change.access.userId, commentId: change.id }
}

/** The rule of the call that answers the same payload (threat-model.md §5). */
function mayReceive(
  change: RealtimeEvent | undefined,
  viewer: Viewer,
  standing?: RightsRow,
): boolean {
  switch (change?.kind) {
    case 'post': {
      const now = accessNow(change, standing)
      if (change.action === 'unpublish')
        return can(viewer, 'read', change.access) && !(now && can(viewer, 'read', now))
      // Also as it was: the payload is of then.
      return now !== undefined && can(viewer, 'read', change.access) && can(viewer, 'read', now)
    }
    case 'comment': {
      const { access, isOpen, writerId, payload } = change
      const now = accessNow({ access, action: 'update' }, standing)
      if (!now || !can(viewer, 'read', access) || !can(viewer, 'read', now)) return false
      // Words that are hidden by now are not told late.
      if (isOpen && (payload.content === '' || standing?.isCounted === 1)) return true
      const isWriter = viewer.role === 'user' && viewer.userId === writerId
      return isWriter || canModerateComments(viewer, access)
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
  { action, access }: Pick<Extract<RealtimeEvent, { kind: 'post' }>, 'action' | 'access'>,
  { status = null, readers = '', isHidden = 1, isAuthorBlocked }: Partial<RightsRow> = {},
): PostAccess | undefined {
  const author = { userId: access.userId, isAuthorBlocked: isAuthorBlocked ?? 1 }
  if (action === 'delete') return { ...access, ...author }
  return status === null ? undefined : { status, readers, isHidden, ...author }
}

/** Nothing is sent to it any more, however long its close takes. */
function endSession(connections: Connections, connection: Connection): void {
  connection.viewer = GUEST
  connection.session = undefined
  updateIndex(connections, connection)
  connection.socket.close(CODE.sessionEnded, 'The session has ended')
}

/** The first is of the comment, the next four are of the post. */
type RightsRow = {
  /** Whether the comment is shown; null when it is gone. */
  isCounted: number | null
  /** Null when the post is gone. */
  status: string | null
  readers: string
  isHidden: number
  /** Null when the author is gone. */
  isAuthorBlocked: number | null
  /** Null where there is none. */
  sessionId: string | null
  secretHash: string
  /** Null when the person is blocked. */
  isVerified: number | null
  labels: string
  openedBy: string
  openedRole: string
  openerLabels: string | null
  openerIsBlocked: number | null
}

type Named = { sessionIds: string[] } & ReturnType<typeof idsIn>

/**
 * A post and its author as they are now, with each of these sessions that is active: one row at
 * least.
 */
async function findStanding(
  db: Database,
  { sessionIds, postId, authorId, commentId }: Named,
  at: ReturnType<typeof activeSessionBounds>,
): Promise<RightsRow[]> {
  // Left joins keep their order, so that all rows are found by their keys.
  return db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('post', (join) => join.on('post.id', '=', postId))
    .leftJoin('user as author', (join) => join.on('author.id', '=', authorId))
    .leftJoin('comment', (join) => join.on('comment.id', '=', commentId))
    .leftJoin('session', (join) =>
      join
        // PostgreSQL takes no empty list.
        .on('session.id', 'in', ['', ...sessionIds])
        .on('session.expiresAt', '>', at.now)
        .on('session.lastUsedAt', '>', at.idleSince),
    )
    .leftJoin('user as person', (join) =>
      join.onRef('person.id', '=', 'session.userId').on('person.isBlocked', '=', 0),
    )
    .leftJoin('user as opener', (join) => join.onRef('opener.id', '=', 'session.openedBy'))
    .select(['post.status', 'post.readers', 'post.isHidden', 'author.isBlocked as isAuthorBlocked'])
    .select([IS_COUNTED.as('isCounted'), 'session.id as sessionId', 'session.secretHash'])
    .select(['person.isVerified', 'person.labels', 'session.openedBy', 'session.openedRole'])
    .select(['opener.labels as openerLabels', 'opener.isBlocked as openerIsBlocked'])
    .$castTo<RightsRow>()
    .execute()
}
