// Decides which connections may receive an event, and which sessions have ended; contains the SQL
// for both. Rights are read from the database when the event is sent, in one query for many
// connections (decision 0063), never from memory.

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
 * Closes the connections whose session has ended.
 *
 * @returns the other connections that may receive the event; none when there is no event
 */
export async function findRecipients(
  { db, connections: openConnections, now }: Pick<RealtimeContext, 'db' | 'connections' | 'now'>,
  connections: Connection[],
  event?: RealtimeEvent,
): Promise<Connection[]> {
  // A client may authenticate with another session during the query.
  const checked = connections.map(({ viewer, session }) => ({ viewer, session }))
  const sessionIds = checked.flatMap(({ session }) => session?.sessionId ?? [])
  const at = now()
  const query = { sessionIds, ...idsOf(event) }
  const rows = await findRights(db, query, activeSessionBounds(at))
  const rightsBySession = new Map(rows.map((row) => [row.sessionId, row]))
  const [first] = rows
  return connections.filter((connection, index) => {
    const { viewer = GUEST, session } = checked[index] ?? {}
    if (!session) return mayReceive(event, viewer, first)
    const rights = rightsBySession.get(session.sessionId)
    const hasAccount = rights !== undefined && rights.isVerified !== null
    const isAllowed = hasAccount && isOpenerStillOperator(rights) && session.isValid(rights, at)
    if (isAllowed && viewer.role === 'user')
      return mayReceive(event, withCurrentRights(viewer, rights), first)
    if (connection.session === session) endSession(openConnections, connection)
    return false
  })
}

function withCurrentRights(viewer: UserViewer, rights: RightsRow): UserViewer {
  const accountRole = roleOfSession(rights, viewer.proof)
  return { ...viewer, isVerified: rights.isVerified === 1, accountRole }
}

function idsOf(event: RealtimeEvent | undefined) {
  const none = { postId: '', authorId: '', commentId: '' }
  if (event?.kind === 'post') return { ...none, postId: event.id, authorId: event.access.userId }
  if (event?.kind !== 'comment') return none
  return { postId: event.postId, authorId: event.access.userId, commentId: event.id }
}

/** The same rule as for the call that returns this payload (threat-model.md §5). */
function mayReceive(event: RealtimeEvent | undefined, viewer: Viewer, rights?: RightsRow): boolean {
  switch (event?.kind) {
    case 'post': {
      const current = currentAccess(event, rights)
      if (event.action === 'unpublish')
        return can(viewer, 'read', event.access) && !(current && can(viewer, 'read', current))
      // The payload was made with the earlier access, so both must allow it.
      return (
        current !== undefined && can(viewer, 'read', event.access) && can(viewer, 'read', current)
      )
    }
    case 'comment': {
      const { access, isOpen, writerId, payload } = event
      const current = currentAccess({ access, action: 'update' }, rights)
      if (!current || !can(viewer, 'read', access) || !can(viewer, 'read', current)) return false
      // A comment that has been hidden meanwhile is not sent late.
      if (isOpen && (payload.content === '' || rights?.isCounted === 1)) return true
      const isWriter = viewer.role === 'user' && viewer.userId === writerId
      return isWriter || canModerateComments(viewer, access)
    }
    case 'file':
      // As `isOwn` of files: details of a file are for its uploader and the API key.
      return viewer.role === 'key' || (viewer.role === 'user' && viewer.userId === event.ownerId)
    case 'account':
      return viewer.role === 'user' && viewer.userId === event.userId
    default:
      return false
  }
}

/**
 * The current access to the post of an event. People who could see a deleted post receive its
 * event, unless its author is now blocked.
 */
function currentAccess(
  { action, access }: Pick<Extract<RealtimeEvent, { kind: 'post' }>, 'action' | 'access'>,
  { status = null, readers = '', isHidden = 1, isAuthorBlocked }: Partial<RightsRow> = {},
): PostAccess | undefined {
  const author = { userId: access.userId, isAuthorBlocked: isAuthorBlocked ?? 1 }
  if (action === 'delete') return { ...access, ...author }
  return status === null ? undefined : { status, readers, isHidden, ...author }
}

/** From now on nothing is sent to the connection, however long closing takes. */
function endSession(connections: Connections, connection: Connection): void {
  connection.viewer = GUEST
  connection.session = undefined
  updateIndex(connections, connection)
  connection.socket.close(CODE.sessionEnded, 'The session has ended')
}

type RightsRow = {
  /** Whether the comment is shown; null when it is gone. */
  isCounted: number | null
  /** Null when the post is gone. */
  status: string | null
  readers: string
  isHidden: number
  /** Null when the author is gone. */
  isAuthorBlocked: number | null
  /** Null when none of the sessions is active. */
  sessionId: string | null
  secretHash: string
  /** Null when the session's user is blocked. */
  isVerified: number | null
  labels: string
  openedBy: string
  openedRole: string
  openerLabels: string | null
  openerIsBlocked: number | null
}

type RightsQuery = { sessionIds: string[] } & ReturnType<typeof idsOf>

/**
 * The current state of the post, its author and the comment, joined with each active session: at
 * least one row.
 */
async function findRights(
  db: Database,
  { sessionIds, postId, authorId, commentId }: RightsQuery,
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
