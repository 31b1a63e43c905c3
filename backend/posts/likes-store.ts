// Likes in SQL, the same on both databases: one row for each person and post (decision 0004).
import type { Database } from '../database/schema.ts'

/** `like` counts every like; `likeId` is cut (api.md §14). */
export type Likes = { like: number; likeId: string[] }

/**
 * Says whether a person likes a post. Repeating it changes nothing.
 *
 * @returns whether it changed anything
 * @throws the database's foreign key fault when either is gone
 */
export async function setLike(
  db: Database,
  like: { postId: string; userId: string; createdAt: string },
  liked: boolean,
): Promise<boolean> {
  if (liked) {
    const added = await db
      .insertInto('postLike')
      .values(like)
      .onConflict((c) => c.columns(['postId', 'userId']).doNothing())
      .executeTakeFirst()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const removed = await db
    .deleteFrom('postLike')
    .where('postId', '=', like.postId)
    .where('userId', '=', like.userId)
    .executeTakeFirst()
  return removed.numDeletedRows > 0n
}

/**
 * Likes of several posts.
 *
 * @param options `idsMax` cuts `likeId` to the oldest; `ownId` is a person whose own like is always
 *   in it, at its end when it is not among the oldest
 * @returns posts without a like are absent
 */
export async function findLikes(
  db: Database,
  postIds: string[],
  { idsMax, ownId }: { idsMax: number; ownId: string | undefined },
): Promise<Map<string, Likes>> {
  const found = new Map<string, Likes>()
  if (postIds.length === 0) return found
  const totals = await countLikes(db, postIds)
  if (totals.size === 0) return found
  for (const { postId, userId } of await findOldest(db, [...totals.keys()], idsMax)) {
    const likes = found.get(postId)
    if (likes) likes.likeId.push(userId)
    else found.set(postId, { like: totals.get(postId) ?? 0, likeId: [userId] })
  }
  const cut = [...totals].filter(([, total]) => total > idsMax).map(([postId]) => postId)
  if (ownId === undefined || cut.length === 0) return found
  for (const postId of await findLikedBy(db, ownId, cut)) {
    const likes = found.get(postId)
    if (likes && !likes.likeId.includes(ownId)) likes.likeId.push(ownId)
  }
  return found
}

async function countLikes(db: Database, postIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('postLike')
    .select(['postId', (eb) => eb.fn.countAll<number>().as('total')])
    .where('postId', 'in', postIds)
    .groupBy('postId')
    .execute()
  return new Map(rows.map(({ postId, total }) => [postId, Number(total)]))
}

/** Reads no more likes than it answers: each post's index is left at its last one. */
async function findOldest(
  db: Database,
  postIds: string[],
  idsMax: number,
): Promise<{ postId: string; userId: string }[]> {
  return db
    .selectFrom('post')
    .innerJoin('postLike', (on) =>
      on.onRef('postLike.postId', '=', 'post.id').on((eb) =>
        eb(
          'postLike.seq',
          '<=',
          eb.fn.coalesce(
            eb
              .selectFrom('postLike as last')
              .select('last.seq')
              .whereRef('last.postId', '=', 'post.id')
              .orderBy('last.seq')
              .limit(1)
              .offset(idsMax - 1),
            eb.lit(Number.MAX_SAFE_INTEGER),
          ),
        ),
      ),
    )
    .select(['postLike.postId', 'postLike.userId'])
    .where('post.id', 'in', postIds)
    .orderBy('postLike.postId')
    .orderBy('postLike.seq')
    .execute()
}

async function findLikedBy(db: Database, userId: string, postIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('postLike')
    .select('postId')
    .where('userId', '=', userId)
    .where('postId', 'in', postIds)
    .execute()
  return rows.map(({ postId }) => postId)
}

/** How many likes there are, of all people or of these. */
export async function countAllLikes(db: Database, userIds?: string[]): Promise<number> {
  const likes = db.selectFrom('postLike').select((eb) => eb.fn.countAll<number>().as('total'))
  const { total } = await (userIds
    ? likes.where('userId', 'in', userIds)
    : likes
  ).executeTakeFirstOrThrow()
  return Number(total)
}
