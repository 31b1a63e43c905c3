// SQL for open connections. Knows no rule.
import { sql } from 'kysely'
import type { activeAt } from '../accounts/sessions.ts'
import type { Database, PostRow, SessionRow, UserRow } from '../database/schema.ts'

export type Standing = {
  /** Undefined when it is gone. */
  post: Pick<PostRow, 'status' | 'readers' | 'isHidden'> | undefined
  /** 1 also when the author is gone. */
  isAuthorBlocked: number
  /** Those that are active, and whose person is not blocked, by id. */
  sessions: Map<string, Pick<SessionRow, 'secretHash'> & Pick<UserRow, 'isVerified'>>
}

/** A post and its author as they are now, and which of these sessions last, in one query. */
export async function findStanding(
  db: Database,
  { sessionIds, postId, authorId }: { sessionIds: string[]; postId: string; authorId: string },
  at: ReturnType<typeof activeAt>,
): Promise<Standing> {
  const lasting = db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    // PostgreSQL takes no empty list.
    .where('session.id', 'in', ['', ...sessionIds])
    .where('session.expiresAt', '>', at.now)
    .where('session.lastUsedAt', '>', at.idleSince)
    .where('user.isBlocked', '=', 0)
    .select(['session.id as sessionId', 'session.secretHash', 'user.isVerified'])
  const rows = await db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('post', (join) => join.on('post.id', '=', postId))
    .leftJoin('user as author', (join) => join.on('author.id', '=', authorId))
    .leftJoin(lasting.as('lasting'), (join) => join.onTrue())
    .select(['post.status', 'post.readers', 'post.isHidden', 'author.isBlocked as isAuthorBlocked'])
    .select(['lasting.sessionId', 'lasting.secretHash', 'lasting.isVerified'])
    .execute()
  const [first] = rows
  const sessions: Standing['sessions'] = new Map()
  for (const { sessionId, secretHash, isVerified } of rows)
    if (sessionId !== null && secretHash !== null)
      sessions.set(sessionId, { secretHash, isVerified: isVerified ?? 0 })
  const { status = null, readers, isHidden } = first ?? {}
  return {
    post: status === null ? undefined : { status, readers: readers ?? '', isHidden: isHidden ?? 1 },
    isAuthorBlocked: first?.isAuthorBlocked ?? 1,
    sessions,
  }
}
