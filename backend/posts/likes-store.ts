// Likes in SQL, the same on both databases: one row for each person and post (decision 0004),
// counted by triggers in the post's own row (decision 0049).
import { sql } from 'kysely'
import { compiledOnce, rawIn } from '../database/compiled.ts'
import { jsonList, listParameter, locked, textsTable } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/**
 * Says whether a person likes a post. Repeating it changes nothing.
 *
 * @returns whether it changed anything
 * @throws the database's foreign key fault when either is gone
 */
export async function setLike(db: Database, like: Like, liked: boolean): Promise<boolean> {
  if (liked) {
    const { numAffectedRows = 0n } = await addLike(db, like)
    return numAffectedRows > 0n
  }
  const { postId, userId } = like
  const { numAffectedRows = 0n } = await removeLike(db, { postId, userId })
  return numAffectedRows > 0n
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
 * Who likes some posts, the oldest likes first.
 *
 * @param options `idsMax` cuts each list to the oldest; `ownId` is a person whose own like is
 *   always in it, at its end when it is not among the oldest
 * @returns posts without a like are absent
 */
export async function findLikers(
  db: Database,
  posts: readonly { id: string; likes: number }[],
  { idsMax, ownId }: { idsMax: number; ownId: string | undefined },
): Promise<Map<string, string[]>> {
  const liked = posts.filter(({ likes }) => likes > 0)
  if (liked.length === 0) return new Map()
  const ids = liked.map(({ id }) => id)
  const { rows } = await findOldest(db, { postIds: listParameter(db, ids), idsMax })
  const found = new Map(rows.map(({ id, likers }) => [id, JSON.parse(likers) as string[]]))
  const cut = liked.flatMap(({ id, likes }) => (likes > idsMax ? [id] : []))
  if (ownId === undefined || cut.length === 0) return found
  for (const postId of await findLikedBy(db, ownId, cut)) {
    const likers = found.get(postId)
    if (likers && !likers.includes(ownId)) likers.push(ownId)
  }
  return found
}

/**
 * Reads no more likes than it answers, each post's as one text: a row for each costs twice. The
 * rows of the posts are not looked at: they may be anywhere.
 */
const findOldest = compiledOnce((db, asked: { postIds: unknown; idsMax: number }) => {
  const [postId, userId] = [sql.ref('postLike.postId'), sql.ref('postLike.userId')]
  return rawIn(
    db,
    sql<{ id: string; likers: string }>`
      select asked.value as id, (select ${jsonList(db, sql.ref('oldest.userId'), sql.ref('oldest.seq'))} from
        (select ${userId}, seq from ${sql.table('postLike')} where ${postId} = asked.value
          order by seq limit ${asked.idsMax}) as oldest) as likers
      from ${textsTable(db, asked.postIds, 'asked')}`,
  )
})

async function findLikedBy(db: Database, userId: string, postIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('postLike')
    .select('postId')
    .where('userId', '=', userId)
    .where('postId', 'in', postIds)
    .execute()
  return rows.map(({ postId }) => postId)
}

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
