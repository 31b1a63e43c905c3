// Likes in SQL, the same on both databases: one row for each person and post (decision 0004),
// counted by triggers in the post's own row (decision 0049).
import { sql } from 'kysely'
import {
  compiledOnce,
  jsonList,
  listParameter,
  locked,
  rawIn,
  textsTable,
} from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/**
 * Says whether a person likes a post. Repeating it changes nothing.
 *
 * @returns whether it changed anything
 * @throws the database's foreign key fault when either is gone
 */
export async function setLike(db: Database, like: Like, liked: boolean): Promise<boolean> {
  const { postId, userId } = like
  const change = liked ? addLike(db, like) : removeLike(db, { postId, userId })
  return ((await change).numAffectedRows ?? 0n) > 0n
}

type Like = { postId: string; userId: string; createdAt: string }
const addLike = compiledOnce((db, like: Like) =>
  db
    .insertInto('postLike')
    .values(like)
    .onConflict((c) => c.columns(['postId', 'userId']).doNothing()),
)

const removeLike = compiledOnce((db, { postId, userId }: Omit<Like, 'createdAt'>) =>
  db.deleteFrom('postLike').where('postId', '=', postId).where('userId', '=', userId),
)

/**
 * Who likes some posts, the oldest likes of each. Reads no more likes than it answers, in the order
 * of an index, each post's as one text: a row for each costs twice. The rows of the posts are not
 * looked at: they may be anywhere.
 *
 * @returns posts without a like are absent
 */
export async function findOldest(
  db: Database,
  ids: readonly string[],
  idsMax: number,
): Promise<Map<string, string[]>> {
  const { rows } = await readOldest(db, { postIds: listParameter(db, ids), idsMax })
  const all = rows.map(({ id, likers }): [string, string[]] => [id, JSON.parse(likers ?? '[]')])
  return new Map(all.filter(([, people]) => people.length > 0))
}

type Asked = { postIds: unknown; idsMax: number }
const readOldest = compiledOnce((db, { postIds, idsMax }: Asked) => {
  const [postId, userId] = [sql.ref('postLike.postId'), sql.ref('postLike.userId')]
  const likers = jsonList(db, sql.ref('oldest.userId'), sql.ref('oldest.seq'))
  return rawIn(
    db,
    sql<{ id: string; likers: string | null }>`
      select asked.value as id, (select ${likers} from (
        select ${userId}, seq from ${sql.table('postLike')} where ${postId} = asked.value
        order by seq limit ${idsMax}) as oldest) as likers
      from ${textsTable(db, postIds, 'asked')}`,
  )
})

/** @returns which of the posts the person likes */
export async function findLikedBy(
  db: Database,
  userId: string,
  postIds: string[],
): Promise<Set<string>> {
  const { rows } = await readLikedBy(db, { userId, postIds: listParameter(db, postIds) })
  return new Set(rows.map(({ postId }) => postId))
}

const readLikedBy = compiledOnce((db, { userId, postIds }: { userId: string; postIds: unknown }) =>
  rawIn(
    db,
    sql<{ postId: string }>`
      select asked.value as "postId" from ${textsTable(db, postIds, 'asked')}
      where exists (select 1 from ${sql.table('postLike')} as own
        where own."postId" = asked.value and own."userId" = ${userId})`,
  ),
)

/**
 * Locks what goes, or loses a like, with a person's account: all of it in one order, so that two
 * accounts that end at once, and like each other's posts, do not wait for each other.
 */
export async function lockPostsOf(tx: Database, userId: string): Promise<void> {
  const posts = tx
    .selectFrom('post')
    .select('seq')
    .where((eb) =>
      eb.or([
        eb('userId', '=', userId),
        eb('id', 'in', eb.selectFrom('postLike').select('postId').where('userId', '=', userId)),
      ]),
    )
  await locked(tx, posts.orderBy('seq')).execute()
}
