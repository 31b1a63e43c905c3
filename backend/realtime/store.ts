// SQL for open connections. Knows no rule.
import { sql } from 'kysely'
import type { activeAt } from '../accounts/sessions.ts'
import type { Database } from '../database/schema.ts'

/** The first three are of the post, the last three of a session; each three may all be null. */
export type Standing = {
  status: string | null
  readers: string
  isHidden: number
  /** Null when the author is gone. */
  isAuthorBlocked: number | null
  sessionId: string | null
  secretHash: string
  isVerified: number
}

/**
 * A post and its author as they are now, with each of these sessions that is active and whose
 * person is not blocked. One row at least.
 */
export async function findStanding(
  db: Database,
  { sessionIds, postId, authorId }: { sessionIds: string[]; postId: string; authorId: string },
  at: ReturnType<typeof activeAt>,
): Promise<Standing[]> {
  const lasting = db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    // PostgreSQL takes no empty list.
    .where('session.id', 'in', ['', ...sessionIds])
    .where('session.expiresAt', '>', at.now)
    .where('session.lastUsedAt', '>', at.idleSince)
    .where('user.isBlocked', '=', 0)
    .select(['session.id as sessionId', 'session.secretHash', 'user.isVerified'])
  return db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('post', (join) => join.on('post.id', '=', postId))
    .leftJoin('user as author', (join) => join.on('author.id', '=', authorId))
    .leftJoin(lasting.as('lasting'), (join) => join.onTrue())
    .select(['post.status', 'post.readers', 'post.isHidden', 'author.isBlocked as isAuthorBlocked'])
    .select(['lasting.sessionId', 'lasting.secretHash', 'lasting.isVerified'])
    .$castTo<Standing>()
    .execute()
}
