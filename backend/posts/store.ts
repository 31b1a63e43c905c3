// SQL of posts and their likes, the same on both databases. In one piece because all functions
// share the SELECTs at its top.

import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import type { PublishProblem } from '#contract/posts.ts'
import {
  jsonArray,
  jsonList,
  listParameter,
  prepared,
  rawQuery,
  textsTable,
  withRowLock,
} from '../database/dialect.ts'
import type { Database, PostTable } from '../database/schema.ts'
import { AUTHOR_NAME, isBlocked, POST_VISIBILITY } from '../database/visible-posts.ts'
import type { Page } from '../process/batches.ts'
import {
  type ImageSources,
  OPTIONAL_COLUMNS,
  type OptionalColumn,
} from './optional-columns-store.ts'

/**
 * A stored post with the author's current name. Unless requested, `content` is empty, and the
 * optional columns are absent.
 */
export type PostRow = Selectable<PostTable> & {
  userName: string
  /** 0 or 1. */
  isAuthorBlocked: number
  /** Extra attributes as JSON; empty for a post that has none. */
  attributes: string
  /** In order, as JSON; see `unpackTags` of post-texts/tags.ts. */
  tags: string
  /** As JSON (post-details.ts); empty for a post that has none. */
  details: string
  /** 0 or 1. */
  commentsClosed: number
  /** When an inactive post turns active by itself, and why it has not; empty for none. */
  publishAt: string
  publishProblem: string
  imageColor?: string | undefined
  userAvatar?: string | undefined
  ownImage?: string
  words?: number
  comments?: number
}

export type NewPost = Omit<Insertable<PostTable>, 'seq'>

export type PostChanges = Partial<Omit<Selectable<PostTable>, 'seq' | 'id' | 'userId' | 'likes'>>

/** Which parts of a post are read. */
export type PostParts = {
  hasContent: boolean
  optional?: { names: readonly OptionalColumn[]; sources: ImageSources } | undefined
}

const SMALL_COLUMNS = [
  'seq',
  'id',
  'title',
  'featuredImage',
  'status',
  'userId',
  'permissions',
  'readers',
  'isHidden',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'likes',
] as const

export function selectPosts(db: Database, { hasContent, optional }: PostParts) {
  const posts = db
    .selectFrom('post')
    .leftJoin('postExtra', 'postExtra.postId', 'post.id')
    .leftJoin('postDetails', 'postDetails.postId', 'post.id')
    .leftJoin('postSchedule', 'postSchedule.postId', 'post.id')
    .select((eb) => [
      eb.fn.coalesce('postExtra.attributes', sql.lit('')).as('attributes'),
      eb.fn.coalesce('postDetails.details', sql.lit('')).as('details'),
      eb.fn.coalesce('postSchedule.publishAt', sql.lit('')).as('publishAt'),
      eb.fn.coalesce('postSchedule.problem', sql.lit('')).as('publishProblem'),
    ])
    .select(COMMENTS_CLOSED.as('commentsClosed'))
    .select(tagsOfPost(db).as('tags'))
    .select(SMALL_COLUMNS.map((name) => `post.${name}` as const))
    .select([
      (hasContent ? sql.ref<string>('post.content') : sql<string>`''`).as('content'),
      AUTHOR_NAME.as('userName'),
      sql<number>`case when ${isBlocked('post')} then 1 else 0 end`.as('isAuthorBlocked'),
    ])
  const extraColumns = optional?.names.map((name) =>
    OPTIONAL_COLUMNS[name](optional.sources).as(name),
  )
  return posts.select(extraColumns ?? []).$castTo<PostRow>()
}

const COMMENTS_CLOSED = sql<number>`coalesce((select "isClosed" from discussion
  where ${sql.ref('discussion.postId')} = post.id), 0)`

function tagsOfPost(db: Database) {
  const tag = jsonArray(db, sql.ref('name'), sql.ref('isFromText'))
  return sql<string>`(select ${jsonList(db, tag, sql.ref('place'))} from (
    select name, ${sql.ref('isFromText')}, place from ${sql.table('postTag')}
    where ${sql.ref('postTag.postSeq')} = post.seq order by place) as tagged)`
}

const WHOLE: PostParts = { hasContent: true }

export async function findPost(db: Database, id: string, parts: Partial<PostParts> = WHOLE) {
  return (await findOne(db, { id }, parts)).rows[0]
}

const findOne = prepared((db, { id }: { id: string }, parts: Partial<PostParts>) =>
  selectPosts(db, { ...WHOLE, ...parts }).where('post.id', '=', id),
)

/** @returns its `seq`. @throws the database's unique-constraint violation when the id is taken */
export async function insertPost(db: Database, post: NewPost): Promise<number> {
  return Number((await insertOne(db, post)).rows[0]?.seq)
}

const insertOne = prepared((db, post: NewPost) =>
  db.insertInto('post').values(post).returning('seq'),
)

/** @returns its `seq`; undefined when the id is taken */
export async function insertPostUnlessTaken(tx: Database, post: NewPost) {
  const insert = tx.insertInto('post').values(post).returning('seq')
  return (await insert.onConflict((c) => c.column('id').doNothing()).executeTakeFirst())?.seq
}

/** @param attributes as JSON; a post without any has no row */
export async function saveExtras(tx: Database, postId: string, attributes: string): Promise<void> {
  if (attributes === '') await tx.deleteFrom('postExtra').where('postId', '=', postId).execute()
  else
    await tx
      .insertInto('postExtra')
      .values({ postId, attributes })
      .onConflict((c) => c.column('postId').doUpdateSet({ attributes }))
      .execute()
}

/** @param details as JSON; a post without any has no row */
export async function saveDetails(tx: Database, postId: string, details: string): Promise<void> {
  if (details === '') await tx.deleteFrom('postDetails').where('postId', '=', postId).execute()
  else
    await tx
      .insertInto('postDetails')
      .values({ postId, deletedId: null, details })
      .onConflict((c) => c.column('postId').doUpdateSet({ details }))
      .execute()
}

/** @param publishAt empty for none */
export async function saveSchedule(tx: Database, postId: string, publishAt: string) {
  if (publishAt === '') await tx.deleteFrom('postSchedule').where('postId', '=', postId).execute()
  else
    await tx
      .insertInto('postSchedule')
      .values({ postId, publishAt, tryAt: publishAt })
      .onConflict((c) =>
        c.column('postId').doUpdateSet({ publishAt, tryAt: publishAt, problem: '' }),
      )
      .execute()
}

/** Sets when the server tries to publish a scheduled post, and what its last try has shown. */
export async function tryAt(tx: Database, postId: string, time: string, problem?: PublishProblem) {
  const schedule = tx.updateTable('postSchedule').where('postId', '=', postId)
  await schedule.set({ tryAt: time, ...(problem && { problem }) }).execute()
}

/** Scheduled posts that are to be published now, with their authors. */
export async function listDue(db: Database, now: string, limit: number) {
  return (await findDue(db, { now, limit })).rows
}

const findDue = prepared((db, { now, limit }: { now: string; limit: number }) =>
  db
    .selectFrom('postSchedule')
    .innerJoin('post', 'post.id', 'postSchedule.postId')
    .select(['postId', 'userId'])
    .where('tryAt', '<=', now)
    .orderBy('tryAt')
    .limit(limit),
)

export const updatePost = prepared((db, { id, ...changes }: PostChanges & { id: string }) =>
  db.updateTable('post').set(changes).where('id', '=', id),
)

/** Deletes a post and its versions. @returns whether this call deleted it */
export async function deletePost(db: Database, id: string): Promise<boolean> {
  const deleted = db.deleteFrom('post').where('id', '=', id).returning('id')
  return (await deleted.executeTakeFirst()) !== undefined
}

/** Deletes a user's posts and their versions. Locks the posts, always in the same order. */
export async function deletePostsOf(tx: Database, userId: string): Promise<void> {
  const query = tx.selectFrom('post').select('seq').where('userId', '=', userId).orderBy('seq')
  await withRowLock(tx, query).execute()
  await tx.deleteFrom('post').where('userId', '=', userId).execute()
}

/** All posts by a user, oldest first, after `after`. */
export async function listPostsOf(
  db: Database,
  userId: string,
  { after, limit }: Page<PostRow>,
): Promise<PostRow[]> {
  const { createdAt = '', id = '' } = after ?? {}
  return selectPosts(db, WHOLE)
    .where('post.userId', '=', userId)
    .where(sql<SqlBool>`(post."createdAt", post.id) > (${createdAt}, ${id})`)
    .orderBy('post.createdAt')
    .orderBy('post.id')
    .limit(limit)
    .execute()
}

type ReaderScope = { readers: Readers[]; isActive: boolean }

/** Whether a user has posts that these readers cannot see: any posts, or active ones. */
export async function hasPrivatePosts(
  db: Database,
  { userId, ...shape }: ReaderScope & { userId: string },
) {
  return (await findPrivate(db, { userId }, shape)).rows.length > 0
}

const findPrivate = prepared(
  (db, { userId }: { userId: string }, { readers, isActive }: ReaderScope) =>
    rawQuery<{ one: number }>(
      db,
      sql`select 1 as one from post where ${sql.ref('userId')} = ${userId}
        and ${POST_VISIBILITY} in (${sql.join(notVisibleTo(readers).map((shown) => sql.lit(shown)))})
        ${isActive ? sql`and status = 'active'` : sql``} limit 1`,
    ),
)

function notVisibleTo(readers: Readers[]): string[] {
  return ['hidden', 'draft', ...ALL_READERS].filter((shown) => !readers.includes(shown as Readers))
}

const ALL_READERS: readonly Readers[] = ['any', 'users', 'verified', 'unverified', 'owner']

// --- likes: one row for each user and discussion of a post; triggers count them in the row of the
// post (decision 0004)

/**
 * Sets or removes a user's like of a post; idempotent.
 *
 * @returns whether anything changed
 * @throws the database's foreign key fault when the user or the post is gone
 */
export async function setLike(db: Database, like: Like, liked: boolean): Promise<boolean> {
  const { postId, userId } = like
  if (liked) await addDiscussion(db, { postId })
  const change = liked ? addLike(db, like) : removeLike(db, { postId, userId })
  return ((await change).numAffectedRows ?? 0n) > 0n
}

function discussionOf(db: Database, postId: string) {
  return db.selectFrom('discussion').select('seq').where('postId', '=', postId)
}

const addDiscussion = prepared((db, { postId }: { postId: string }) =>
  db
    .insertInto('discussion')
    .values({ postId, deletedId: null })
    .onConflict((c) => c.column('postId').doNothing()),
)

/** Closes the comments of a post, or opens them. The post must be locked. */
export async function setCommentsClosed(tx: Database, postId: string, isClosed: boolean) {
  if (isClosed) await addDiscussion(tx, { postId })
  const discussion = tx.updateTable('discussion').where('postId', '=', postId)
  await discussion.set({ isClosed: Number(isClosed) }).execute()
}

type Like = { postId: string; userId: string; createdAt: string }

const addLike = prepared((db, { postId, userId, createdAt }: Like) =>
  db
    .insertInto('postLike')
    .values({ discussionSeq: discussionOf(db, postId), userId, createdAt })
    .onConflict((c) => c.columns(['discussionSeq', 'userId']).doNothing()),
)

const removeLike = prepared((db, { postId, userId }: Omit<Like, 'createdAt'>) =>
  db
    .deleteFrom('postLike')
    .where('discussionSeq', '=', discussionOf(db, postId))
    .where('userId', '=', userId),
)

/** Whether a user likes a post. */
export async function hasLike(db: Database, like: { postId: string; userId: string }) {
  return (await findLike(db, like)).rows.length > 0
}

const findLike = prepared((db, { postId, userId }: { postId: string; userId: string }) =>
  db
    .selectFrom('discussion')
    .innerJoin('postLike', 'postLike.discussionSeq', 'discussion.seq')
    .select('postLike.seq')
    .where('discussion.postId', '=', postId)
    .where('postLike.userId', '=', userId),
)

/**
 * The ids of the users who like these posts, oldest likes first. Reads no more likes than it
 * returns, in the order of an index; the likes of each post come as one JSON text, because a row
 * for each like costs twice as much. The rows of the posts are not read.
 *
 * @returns by post id; posts without a like are absent
 */
export async function findOldestLikers(db: Database, ids: readonly string[], idsMax: number) {
  const { rows } = await readOldest(db, { postIds: listParameter(db, ids), idsMax })
  const likersById = rows.map(({ id, likers }): [string, string[]] => [
    id,
    JSON.parse(likers ?? '[]'),
  ])
  return new Map(likersById.filter(([, likers]) => likers.length > 0))
}

type LikersRequest = { postIds: unknown; idsMax: number }

const readOldest = prepared((db, { postIds, idsMax }: LikersRequest) => {
  const likers = jsonList(db, sql.ref('oldest.userId'), sql.ref('oldest.seq'))
  return rawQuery(
    db,
    sql<{ id: string; likers: string | null }>`
      select requested.value as id, (select ${likers} from (
        select "userId", seq from "postLike" where "discussionSeq" =
          (select discussion.seq from discussion where discussion."postId" = requested.value)
        order by seq limit ${idsMax}) as oldest) as likers
      from ${textsTable(db, postIds, 'requested')}`,
  )
})

/** @returns the ids of the given posts that the user likes */
export async function findLikedBy(db: Database, userId: string, postIds: string[]) {
  const { rows } = await readLikedBy(db, { userId, postIds: listParameter(db, postIds) })
  return new Set(rows.map(({ postId }) => postId))
}

const readLikedBy = prepared((db, { userId, postIds }: { userId: string; postIds: unknown }) =>
  rawQuery(
    db,
    sql<{ postId: string }>`
      select requested.value as "postId" from ${textsTable(db, postIds, 'requested')}
      where exists (select 1 from discussion join "postLike" as own
        on own."discussionSeq" = discussion.seq
        where discussion."postId" = requested.value and own."userId" = ${userId})`,
  ),
)

/**
 * Locks all posts that are deleted, or lose a like, with an account, always in the same order: two
 * accounts that like each other's posts can be deleted at the same time without a deadlock.
 */
export async function lockPostsOf(tx: Database, userId: string): Promise<void> {
  const liked = tx
    .selectFrom('postLike')
    .innerJoin('discussion', 'discussion.seq', 'postLike.discussionSeq')
    .select('discussion.postId')
    .where('postLike.userId', '=', userId)
    .where('discussion.postId', 'is not', null)
    .$narrowType<{ postId: string }>()
  const posts = tx
    .selectFrom('post')
    .select('seq')
    .where((eb) => eb.or([eb('userId', '=', userId), eb('id', 'in', liked)]))
  await withRowLock(tx, posts.orderBy('seq')).execute()
}

/** Whether the id belongs to another user's deleted post. */
export async function isReservedForOther(tx: Database, postId: string, userId: string) {
  return (await findDeletedOfOther(tx, { postId, userId })).rows.length > 0
}

export const findDeletedOfOther = prepared(
  (tx, { postId, userId }: { postId: string; userId: string }) =>
    tx
      .selectFrom('deletedPost')
      .select('id')
      .where('postId', '=', postId)
      .where('userId', '!=', userId)
      .limit(1),
)
