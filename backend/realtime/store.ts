// SQL for open connections. Knows no rule.
import { sql } from 'kysely'
import type { activeAt } from '../accounts/sessions.ts'
import type { Database } from '../database/schema.ts'

/** The first three are of the post. */
export type Standing = {
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
}

/**
 * A post and its author as they are now, with each of these sessions that is active: one row at
 * least.
 */
export async function findStanding(
  db: Database,
  { sessionIds, postId, authorId }: { sessionIds: string[]; postId: string; authorId: string },
  at: ReturnType<typeof activeAt>,
): Promise<Standing[]> {
  // Left joins keep their order, so that all rows are found by their keys.
  return db
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as('always'))
    .leftJoin('post', (join) => join.on('post.id', '=', postId))
    .leftJoin('user as author', (join) => join.on('author.id', '=', authorId))
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
    .select(['post.status', 'post.readers', 'post.isHidden', 'author.isBlocked as isAuthorBlocked'])
    .select(['session.id as sessionId', 'session.secretHash', 'person.isVerified'])
    .$castTo<Standing>()
    .execute()
}
