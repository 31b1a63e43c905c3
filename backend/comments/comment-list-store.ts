// What answers read of comments, in SQL. Every read is a range of an index: it costs the same,
// however many comments there are. Decides nothing: who sees what comes in as a scope.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { hidingsOf } from '../database/comment-hidings.ts'
import { isOneOf, isShared, jsonList, listParameter, textsTable } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import type { StoredComment } from './store.ts'

/** A comment with its writer as they are now. */
export type CommentRow = StoredComment & {
  /** Null while the post is in the bin. */
  postId: string | null
  /** The next four are null when the account is gone. */
  userName: string | null
  isBlocked: number | null
  userSince: string | null
  userAvatar: string | null
  /** Decisions that it has yet to follow: `hidingsOf`. */
  hidings: string
}

/** Everything, or all but what waits, of others than this person. */
export type CommentScope = 'all' | { ownId: string | undefined }

const OPEN = sql<SqlBool>`${sql.ref('comment.status')} in ('shown', 'hidden', 'deleted')`

function inScope(scope: CommentScope): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`1 = 1`
  const { ownId } = scope
  if (ownId === undefined) return OPEN
  return sql<SqlBool>`(${OPEN} or ${sql.ref('comment.userId')} = ${ownId})`
}

export function selectComments(db: Database, avatarBucketId: string) {
  const avatar = avatarOf(sql.ref('comment.userId'), { avatarBucketId, readers: ['any'] })
  return db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .leftJoin('user', 'user.id', 'comment.userId')
    .selectAll('comment')
    .select(['discussion.postId', 'user.name as userName', 'user.isBlocked'])
    .select(['user.createdAt as userSince', avatar.as('userAvatar')])
    .select(hidingsOf(db).as('hidings'))
    .$castTo<CommentRow>()
}

export async function findComment(db: Database, id: string, avatarBucketId: string) {
  return await selectComments(db, avatarBucketId).where('comment.id', '=', id).executeTakeFirst()
}

export type Range = {
  discussionSeq: number
  /** Empty for the top level. */
  parentId: string
  /** The first and the last place. */
  from: number
  to: number
  scope: CommentScope
}

/** As a list, PostgreSQL keeps one plan for all pages; for a range it makes one each time. */
function isBetween(db: Database, { from, to }: Range): RawBuilder<SqlBool> {
  const place = sql.ref('comment.place')
  if (!isShared(db)) return sql<SqlBool>`${place} between ${from} and ${to}`
  const places = Array.from({ length: to - from + 1 }, (_none, at) => from + at)
  return isOneOf(db, place, listParameter(db, places))
}

/** By their places. Not executed: for tests of plans. */
export function selectRange(db: Database, avatarBucketId: string, range: Range) {
  return selectComments(db, avatarBucketId)
    .where('comment.discussionSeq', '=', range.discussionSeq)
    .where('comment.parentId', '=', range.parentId)
    .where(isBetween(db, range))
    .where(inScope(range.scope))
    .orderBy('comment.place')
}

type Replies = { discussionSeq: number; parentIds: string[]; most: number; scope: CommentScope }

/** The numbers of the first replies to some comments. Not executed: for tests of plans. */
export function selectFirstReplies(db: Database, asked: Replies) {
  const { discussionSeq, parentIds, most, scope } = asked
  const seqs = jsonList(db, sql.ref('first.seq'), sql.ref('first.place'))
  return sql<{ seqs: string }>`select (select ${seqs} from (
      select comment.seq, comment.place from comment
      where ${sql.ref('comment.discussionSeq')} = ${discussionSeq}
        and ${sql.ref('comment.parentId')} = asked.value and ${inScope(scope)}
      order by comment.place limit ${most}) as first) as seqs
    from ${textsTable(db, listParameter(db, parentIds), 'asked')}`
}

/** The first replies to each, in the order of their places. */
export async function listFirstReplies(db: Database, avatarBucketId: string, asked: Replies) {
  if (asked.parentIds.length === 0) return []
  const { rows } = await selectFirstReplies(db, asked).execute(db)
  const seqs = rows.flatMap((row): number[] => JSON.parse(row.seqs ?? '[]'))
  if (seqs.length === 0) return []
  const found = selectComments(db, avatarBucketId).where('comment.seq', 'in', seqs)
  return await found.orderBy('comment.place').execute()
}

export type ListAsked = {
  discussionSeq: number
  /** Undefined for all comments of a post, replies included. */
  parentId: string | undefined
  scope: CommentScope
  direction: 'asc' | 'desc'
  /** The numbers, or places, of the cursor's row. */
  cursor: { at: number; side: 'after' | 'before' } | undefined
  limit: number
}

/** One page of a list, in the order of creation. Not executed: for tests of plans. */
export function selectList(db: Database, avatarBucketId: string, asked: ListAsked) {
  const { discussionSeq, parentId, scope, direction, cursor, limit } = asked
  const all = selectComments(db, avatarBucketId)
    .where('comment.discussionSeq', '=', discussionSeq)
    .where(inScope(scope))
  const level = parentId === undefined ? all : all.where('comment.parentId', '=', parentId)
  const by = parentId === undefined ? 'comment.seq' : 'comment.place'
  const isTurned = cursor?.side === 'before'
  const way = (direction === 'asc') === isTurned ? 'desc' : 'asc'
  const rest = cursor ? level.where(by, way === 'asc' ? '>' : '<', cursor.at) : level
  return rest.orderBy(by, way).limit(limit)
}

/** Those that wait for approval, in the whole blog. Not executed: for tests of plans. */
export function selectWaiting(
  db: Database,
  avatarBucketId: string,
  { direction, cursor, limit }: Pick<ListAsked, 'direction' | 'cursor' | 'limit'>,
) {
  const waiting = selectComments(db, avatarBucketId)
    .where(sql<SqlBool>`comment.status = 'waiting'`)
    .where('discussion.postId', 'is not', null)
  const isTurned = cursor?.side === 'before'
  const way = (direction === 'asc') === isTurned ? 'desc' : 'asc'
  const rest = cursor ? waiting.where('comment.seq', way === 'asc' ? '>' : '<', cursor.at) : waiting
  return rest.orderBy('comment.seq', way).limit(limit)
}

/** Counts no further than `most`. */
export async function countWaiting(db: Database, most: number): Promise<number> {
  const waiting = db.selectFrom('comment').select('seq').where(sql<SqlBool>`status = 'waiting'`)
  const counted = db.selectFrom(waiting.limit(most).as('found'))
  const { total } = await counted
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
