// SQL that reads comments for answers. Every read is a range of an index, so its cost does not
// depend on how many comments there are, were deleted or wait.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { selectPendingHidings } from '../database/comment-hidings.ts'
import {
  isOneOfNumbers,
  jsonList,
  listParameter,
  prepared,
  rawQuery,
  textsTable,
  usingIndex,
} from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import {
  findWaitingDiscussions,
  listWaitingIn,
  type WaitingSource,
} from '../database/waiting-discussions.ts'
import type { StoredComment } from './store.ts'

/** A comment with the current data of its writer. */
export type CommentRow = Omit<StoredComment, 'html' | 'renderer'> & Writer
/** The same without its long text: `listContents` reads the texts that a page shows. */
export type PageRow = Omit<CommentRow, 'content'> & { contentBytes: number; htmlBytes: number }

type Writer = {
  /** Null while the post is deleted. */
  postId: string | null
  /** The next four are null when the account is gone. */
  userName: string | null
  isBlocked: number | null
  userSince: string | null
  userAvatar: string | null
  /** The name of a writer in another blog, whose comment was imported; else null. */
  importedName: string | null
  /** Decisions that are not yet applied to the row, from `selectPendingHidings`. */
  hidings: string
}

/** All comments, or all except waiting and rejected ones by other users. */
export type CommentScope = 'all' | { ownId: string | undefined }

/** Positions that one row of `commentBlock` covers (see 0100-schema/comment-triggers.ts). */
const BLOCK_SIZE = 1000
/** The conditions of the partial indexes (0100-schema/comments.ts). */
const LISTED = sql<SqlBool>`(${sql.ref('comment.isCounted')} = 1 or comment.replies > 0)`
const UNLISTED = sql<SqlBool>`${sql.ref('comment.isCounted')} = 0 and comment.replies = 0`
const OPEN = sql<SqlBool>`comment.status in ('shown', 'hidden', 'deleted')`
const CLOSED = sql<SqlBool>`comment.status in ('waiting', 'rejected')`
const OPEN_STATUSES = ['shown', 'hidden', 'deleted']
const STATUSES = [...OPEN_STATUSES, 'waiting', 'rejected']

const COLUMNS = [
  'comment.seq',
  'comment.id',
  'comment.discussionSeq',
  'comment.parentId',
  'comment.place',
  'comment.lastPlace',
  'comment.replies',
  'comment.userId',
  'comment.status',
  'comment.isCounted',
  'comment.hasLinks',
  'comment.hiddenBy',
  'comment.hiddenAt',
  'comment.editedAt',
  'comment.digest',
  'comment.createdAt',
  'comment.updatedAt',
] as const

function selectWithoutContent(db: Database, avatarBucketId: string) {
  const avatar = avatarOf(sql.ref('comment.userId'), { avatarBucketId, readers: ['any'] })
  return db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .leftJoin('user', 'user.id', 'comment.userId')
    .leftJoin('commentAuthor', 'commentAuthor.commentSeq', 'comment.seq')
    .select(COLUMNS)
    .select('commentAuthor.name as importedName')
    .select(['discussion.postId', 'user.name as userName', 'user.isBlocked'])
    .select(['user.createdAt as userSince', avatar.as('userAvatar')])
    .select(selectPendingHidings(db).as('hidings'))
}

export function selectComments(db: Database, avatarBucketId: string) {
  return selectWithoutContent(db, avatarBucketId).select('comment.content').$castTo<CommentRow>()
}

function selectPageRows(db: Database, avatarBucketId: string) {
  return selectWithoutContent(db, avatarBucketId)
    .select(sql<number>`octet_length(comment.content)`.as('contentBytes'))
    .select(sql<number>`octet_length(comment.html)`.as('htmlBytes'))
    .$castTo<PageRow>()
}

export async function findComment(db: Database, id: string, avatarBucketId: string) {
  return await selectComments(db, avatarBucketId).where('comment.id', '=', id).executeTakeFirst()
}

export async function findPageRow(db: Database, id: string, avatarBucketId: string) {
  return await selectPageRows(db, avatarBucketId).where('comment.id', '=', id).executeTakeFirst()
}

function isAmong(db: Database, seqs: number[]) {
  return isOneOfNumbers(db, sql.ref('comment.seq'), listParameter(db, seqs))
}

/** The comments with these `seqs`, in order of their positions. */
export async function listPageRows(db: Database, avatarBucketId: string, seqs: number[]) {
  if (seqs.length === 0) return []
  const rows = await selectPageRows(db, avatarBucketId).where(isAmong(db, seqs)).execute()
  return rows.sort((a, b) => a.place - b.place)
}

/** The texts of comments, as they were written. */
export async function listContents(db: Database, comments: { seq: number }[]) {
  if (comments.length === 0) return []
  const contents = db.selectFrom('comment').select(['seq', 'content'])
  return await contents.where(isAmong(db, comments.map(seqOf))).execute()
}

/** The HTML of comments if this version of the renderer has rendered it, else their text. */
export async function listRendered(db: Database, comments: { seq: number }[], renderer: string) {
  if (comments.length === 0) return []
  const isCurrent = sql<SqlBool>`comment.renderer = ${renderer}`
  const html = sql<string | null>`case when ${isCurrent} then comment.html end`
  const content = sql<string | null>`case when not ${isCurrent} then comment.content end`
  const rendered = db
    .selectFrom('comment')
    .select(['seq', html.as('html'), content.as('content')])
    .where(isAmong(db, comments.map(seqOf)))
  return await rendered.execute()
}

function seqOf({ seq }: { seq: number }): number {
  return seq
}

/** A comment by its `seq` and its position on its level. */
export type Position = { seq: number; place: number }

type Part = {
  index: string
  where: readonly RawBuilder<unknown>[]
  sortBy: 'seq' | 'place'
  direction: 'asc' | 'desc'
  limit: number
}

/** A range of one index, in the order of that index. */
function selectPart(db: Database, { index, where, sortBy, direction, limit }: Part) {
  return sql<Position>`select seq, place from (select comment.seq, comment.place
    from ${usingIndex(db, 'comment', index)} where ${sql.join(where, sql` and `)}
    order by ${sql.ref(`comment.${sortBy}`)} ${sql.raw(direction)} limit ${limit}) as part`
}

function union(parts: RawBuilder<Position>[]) {
  return sql<Position>`${sql.join(parts, sql` union all `)}`
}

type Level = {
  discussionSeq: number
  /** Empty for the top level. */
  parentId: RawBuilder<unknown>
}

function isOnLevel({ discussionSeq, parentId }: Level): RawBuilder<unknown> {
  return sql`${sql.ref('comment.discussionSeq')} = ${discussionSeq}
    and ${sql.ref('comment.parentId')} = ${parentId}`
}

// --- pages

/** The number of listed comments in each block of positions of a level. */
export async function listBlocks(db: Database, discussionSeq: number, parentId: string) {
  return await db
    .selectFrom('commentBlock')
    .select(['block', 'listed'])
    .where('discussionSeq', '=', discussionSeq)
    .where('parentId', '=', parentId)
    .where('listed', '>', 0)
    .orderBy('block')
    .execute()
}

export type Blocks = Awaited<ReturnType<typeof listBlocks>>

type ListedRange = {
  discussionSeq: number
  parentId: string
  blocks: Blocks
  /** The number of listed comments before the range. */
  skip: number
  limit: number
}

/** A range of the listed comments. Not executed: for tests of plans. */
export function selectListed(
  db: Database,
  { discussionSeq, parentId, blocks, skip, limit }: ListedRange,
) {
  let before = 0
  let from = 0
  for (const { block, listed } of blocks) {
    from = block * BLOCK_SIZE
    if (before + listed > skip) break
    before += listed
  }
  const level = isOnLevel({ discussionSeq, parentId: sql`${parentId}` })
  const rows = sql<Position>`select comment.seq, comment.place
    from ${usingIndex(db, 'comment', 'commentListed')}
    where ${level} and ${LISTED} and comment.place >= ${from}
    order by comment.place limit ${limit} offset ${skip - before}`
  return rawQuery(db, rows)
}

export async function listListed(db: Database, range: ListedRange): Promise<Position[]> {
  return (await db.executeQuery(selectListed(db, range).compile())).rows
}

/** The number of listed comments before a comment on its level. */
export async function countListedBefore(
  db: Database,
  { discussionSeq, parentId, place }: PageRow,
  blocks: Blocks,
): Promise<number> {
  const block = Math.floor(place / BLOCK_SIZE)
  const level = isOnLevel({ discussionSeq, parentId: sql`${parentId}` })
  const { rows } = await sql<{ total: number }>`select count(*) as total
    from ${usingIndex(db, 'comment', 'commentListed')} where ${level} and ${LISTED}
      and comment.place >= ${block * BLOCK_SIZE} and comment.place < ${place}`.execute(db)
  const earlier = blocks.filter((row) => row.block < block)
  return earlier.reduce((sum, { listed }) => sum + listed, Number(rows[0]?.total ?? 0))
}

type Unlisted = Level & { scope: CommentScope; limit: number; isInRange?: RawBuilder<unknown> }

/** Unlisted comments in the scope, up to `limit` of each status. */
function unlistedParts(db: Database, { scope, limit, isInRange, ...level }: Unlisted) {
  const range = [isOnLevel(level), ...(isInRange ? [isInRange] : [])]
  const order = { sortBy: 'place', limit } as const
  const statuses = scope === 'all' ? STATUSES : OPEN_STATUSES
  const parts = statuses.map((status) => {
    const where = [...range, sql`comment.status = ${sql.lit(status)}`, UNLISTED]
    return selectPart(db, { index: 'commentUnlisted', where, direction: 'asc', ...order })
  })
  if (scope === 'all' || scope.ownId === undefined) return parts
  const where = [sql`${sql.ref('comment.userId')} = ${scope.ownId}`, ...range, CLOSED]
  const closedOfViewer = {
    index: 'commentClosedByPlace',
    where,
    direction: 'desc',
    ...order,
  } as const
  return [...parts, selectPart(db, closedOfViewer)]
}

export type UnlistedRange = {
  discussionSeq: number
  parentId: string
  /** The first and the last position. */
  from: number
  to: number
  scope: CommentScope
  limit: number
}

/** The unlisted comments of a page. Not executed: for tests of plans. */
export function selectUnlisted(db: Database, { from, to, parentId, ...range }: UnlistedRange) {
  const isInRange = sql`comment.place between ${from} and ${to}`
  const parts = unlistedParts(db, { ...range, parentId: sql`${parentId}`, isInRange })
  return rawQuery(db, union(parts))
}

export async function listUnlisted(db: Database, range: UnlistedRange): Promise<Position[]> {
  return (await db.executeQuery(selectUnlisted(db, range).compile())).rows
}

type RepliesRequest = {
  discussionSeq: number
  parentIds: string[]
  limit: number
  scope: CommentScope
}

/**
 * For each comment, the `seq` of its first replies, its newest one and unlisted ones. Not executed:
 * for tests of plans.
 */
export function selectFirstReplies(
  db: Database,
  { discussionSeq, parentIds, limit, scope }: RepliesRequest,
) {
  const level = { discussionSeq, parentId: sql`parent.value` }
  const listed = {
    index: 'commentListed',
    where: [isOnLevel(level), LISTED],
    sortBy: 'place',
  } as const
  const parts = union([
    selectPart(db, { ...listed, direction: 'asc', limit }),
    selectPart(db, { ...listed, direction: 'desc', limit: 1 }),
    ...unlistedParts(db, { ...level, scope, limit }),
  ])
  const seqs = jsonList(db, sql.ref('reply.seq'), sql.ref('reply.place'))
  return sql<{ seqs: string }>`select (select ${seqs} from (${parts}) as reply) as seqs
    from ${textsTable(db, listParameter(db, parentIds), 'parent')}`
}

/** The first replies to each comment and the newest one, in order of their positions. */
export async function listFirstReplies(
  db: Database,
  avatarBucketId: string,
  request: RepliesRequest,
) {
  if (request.parentIds.length === 0) return []
  const { rows } = await selectFirstReplies(db, request).execute(db)
  const seqs = rows.flatMap((row): number[] => JSON.parse(row.seqs ?? '[]'))
  return await listPageRows(db, avatarBucketId, [...new Set(seqs)])
}

// --- lists

export type CommentListRequest = {
  discussionSeq: number
  /** Undefined for all comments of a post, replies included. */
  parentId: string | undefined
  scope: CommentScope
  direction: 'asc' | 'desc'
  /** The `seq`, or the position, of the comment at the cursor. */
  cursor: { at: number; side: 'after' | 'before' } | undefined
  limit: number
}

function directionOf({ direction, cursor }: Pick<CommentListRequest, 'direction' | 'cursor'>) {
  return (direction === 'asc') === (cursor?.side === 'before') ? 'desc' : 'asc'
}

/** One page of a list, as ranges in order of creation. Not executed: for tests of plans. */
export function selectList(db: Database, request: CommentListRequest) {
  const { discussionSeq, parentId, scope, cursor, limit } = request
  const direction = directionOf(request)
  const sortBy = parentId === undefined ? 'seq' : 'place'
  const order = { sortBy, direction, limit } as const
  const afterCursor = cursor
    ? [
        sql`${sql.ref(`comment.${sortBy}`)} ${sql.raw(direction === 'asc' ? '>' : '<')} ${cursor.at}`,
      ]
    : []
  const discussion = sql`${sql.ref('comment.discussionSeq')} = ${discussionSeq}`
  const range =
    parentId === undefined
      ? [discussion, ...afterCursor]
      : [isOnLevel({ discussionSeq, parentId: sql`${parentId}` }), ...afterCursor]
  const name = parentId === undefined ? 'InOrder' : 'ByPlace'
  const part = (index: string, ...where: RawBuilder<unknown>[]) =>
    selectPart(db, { index, where: [...where, ...range], ...order })
  if (scope === 'all') return rawQuery(db, part(`comment${name}`))
  const open =
    parentId === undefined
      ? [0, 1].map((isCounted) =>
          part('commentOpenInOrder', OPEN, sql`${sql.ref('comment.isCounted')} = ${isCounted}`),
        )
      : [part('commentOpenByPlace', OPEN)]
  const { ownId } = scope
  const isOwn = sql`${sql.ref('comment.userId')} = ${ownId}`
  const closedOfViewer = ownId === undefined ? [] : [part(`commentClosed${name}`, CLOSED, isOwn)]
  return rawQuery(db, union([...open, ...closedOfViewer]))
}

/** One page of a list, in the order of creation. */
export async function listComments(
  db: Database,
  avatarBucketId: string,
  request: CommentListRequest,
) {
  const { rows } = await db.executeQuery(selectList(db, request).compile())
  return await listInOrder(db, avatarBucketId, { rows, ...request })
}

type Ordered = Pick<CommentListRequest, 'direction' | 'cursor' | 'limit'> & { rows: Position[] }

/** On every level, positions and `seq` have the same order. */
async function listInOrder(
  db: Database,
  avatarBucketId: string,
  { rows, limit, ...order }: Ordered,
) {
  const sign = directionOf(order) === 'asc' ? 1 : -1
  const bySeq = (a: { seq: number }, b: { seq: number }) => sign * (a.seq - b.seq)
  const seqs = rows.sort(bySeq).slice(0, limit).map(seqOf)
  if (seqs.length === 0) return []
  const list = await selectComments(db, avatarBucketId).where(isAmong(db, seqs)).execute()
  return list.sort(bySeq)
}

type Newest = { discussionSeq: number; limit: number }

/** The newest comments that everybody may read. Not executed: for tests of plans. */
export function selectNewest(db: Database, { discussionSeq, limit }: Newest) {
  const isInDiscussion = sql`${sql.ref('comment.discussionSeq')} = ${discussionSeq}`
  const where = [isInDiscussion, sql`${sql.ref('comment.isCounted')} = 1`, OPEN]
  const index = 'commentOpenInOrder'
  return rawQuery(db, selectPart(db, { index, where, sortBy: 'seq', direction: 'desc', limit }))
}

export async function listNewest(db: Database, avatarBucketId: string, newest: Newest) {
  const { rows } = await db.executeQuery(selectNewest(db, newest).compile())
  const order = { direction: 'desc', cursor: undefined, limit: newest.limit } as const
  return await listInOrder(db, avatarBucketId, { rows, ...order })
}

/** `isReadable` is the condition on the joined post. */
type Own = { userId: string; isReadable: RawBuilder<SqlBool> }

/** The comments by a user on posts that they may read. Not executed: for tests of plans. */
export function selectOwn(
  db: Database,
  avatarBucketId: string,
  {
    userId,
    isReadable,
    direction,
    cursor,
    limit,
  }: Own & Omit<CommentListRequest, 'discussionSeq' | 'parentId' | 'scope'>,
) {
  const comments = selectComments(db, avatarBucketId)
    .innerJoin('post', 'post.id', 'discussion.postId')
    .where('comment.userId', '=', userId)
    .where('comment.status', '!=', 'deleted')
    .where(isReadable)
  const readDirection = directionOf({ direction, cursor })
  const operator = readDirection === 'asc' ? '>' : '<'
  const fromCursor = cursor ? comments.where('comment.seq', operator, cursor.at) : comments
  return fromCursor.orderBy('comment.seq', readDirection).limit(limit)
}

/** Counts up to `countLimit`. */
export async function countOwn(db: Database, { userId, isReadable }: Own, countLimit: number) {
  const comments = db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .innerJoin('post', 'post.id', 'discussion.postId')
    .select('comment.seq')
    .where('comment.userId', '=', userId)
    .where('comment.status', '!=', 'deleted')
    .where(isReadable)
  const { total } = await db
    .selectFrom(comments.limit(countLimit).as('own'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

const WAITING = sql<SqlBool>`comment.status = 'waiting'`
export const WAITING_COMMENTS: WaitingSource = {
  table: 'comment',
  index: 'commentWaitingOf',
  isWaiting: WAITING,
}

type WaitingRequest = Pick<CommentListRequest, 'direction' | 'cursor' | 'limit'>

/** Comments that wait for approval, in the whole blog. Not executed: for tests of plans. */
export function selectWaiting(
  db: Database,
  avatarBucketId: string,
  { direction, cursor, limit }: WaitingRequest,
) {
  const waiting = selectComments(db, avatarBucketId)
    .where(WAITING)
    .where('discussion.postId', 'is not', null)
  const readDirection = directionOf({ direction, cursor })
  const operator = readDirection === 'asc' ? '>' : '<'
  const fromCursor = cursor ? waiting.where('comment.seq', operator, cursor.at) : waiting
  return fromCursor.orderBy('comment.seq', readDirection).limit(limit)
}

/** Leaves out comments on deleted posts; `total` is counted up to `countLimit`. */
export async function listWaiting(
  db: Database,
  avatarBucketId: string,
  request: WaitingRequest & { countLimit: number },
): Promise<{ total: number; rows: CommentRow[] }> {
  const { cursor, limit, countLimit } = request
  const hasPost = sql<SqlBool>`${sql.ref('discussion.postId')} is not null`
  const discussions = await findWaitingDiscussions(db, WAITING_COMMENTS, hasPost)
  const total = await countWaiting(db, discussions, countLimit)
  if (!discussions)
    return { total, rows: await selectWaiting(db, avatarBucketId, request).execute() }
  const range = {
    sortBy: 'seq',
    direction: directionOf(request),
    cursor: cursor?.at,
    limit,
  } as const
  const rows = await listWaitingIn(db, discussions, WAITING_COMMENTS, range)
  const list = await listInOrder(db, avatarBucketId, { rows, ...request })
  return { total, rows: list.filter(({ postId }) => postId !== null) }
}

async function countWaiting(db: Database, discussions: number[] | undefined, countLimit: number) {
  const waiting = db.selectFrom('comment').select('comment.seq').where(WAITING).limit(countLimit)
  const discussionSeq = sql.ref('comment.discussionSeq')
  const countedRows = discussions
    ? waiting.where(isOneOfNumbers(db, discussionSeq, listParameter(db, discussions)))
    : waiting
        .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
        .where('discussion.postId', 'is not', null)
  const { total } = await db
    .selectFrom(countedRows.as('found'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

type PersonalViewRequest = { postId: string; userId: string }

/**
 * Why this user may see other comments of a post than everybody does: whether the user is the
 * author of the post, and whether they see comments that are not shown to everybody.
 */
export async function findPersonalView(
  db: Database,
  { isOperator, ...request }: PersonalViewRequest & { isOperator: boolean },
): Promise<{ isAuthor: boolean; seesUnlisted: boolean }> {
  const { rows } = await findDifferences(db, request, isOperator)
  const differences = new Set(rows.map(({ difference }) => difference))
  return { isAuthor: differences.has('author'), seesUnlisted: differences.has('unlisted') }
}

/**
 * Writers see their own comments that are hidden or wait; moderators see all of these, and comments
 * of blocked users. Not executed: for tests of plans.
 */
export function selectPersonalView(
  db: Database,
  { postId, userId }: PersonalViewRequest,
  isOperator: boolean,
) {
  const isTheirs = sql`${sql.ref('userId')} = ${userId}`
  const isAuthor = sql`exists (select 1 from post where id = ${postId} and ${isTheirs})`
  const mayModerate = isOperator ? sql`1 = 1` : isAuthor
  const hidings = sql`select 1 from ${sql.table('commentHiding')}`
  // Ordered like an index, because PostgreSQL might otherwise scan all comments.
  const exists = (where: RawBuilder<unknown>, ...order: string[]) =>
    sql`(select seq from comment where comment.${sql.ref('discussionSeq')} = discussion.seq
      and ${where} order by ${sql.join(order.map((name) => sql.ref(name)))} limit 1) is not null`
  return rawQuery<{ difference: string }>(
    db,
    sql`select 'author' as difference where ${isAuthor}
      union all select 'unlisted' from discussion where ${sql.ref('postId')} = ${postId} and (
        ${exists(sql`${isTheirs} and status <> 'shown'`, 'seq')}
        or exists (${hidings} where ${isTheirs})
        or (${mayModerate} and (
          ${exists(sql`${sql.ref('isCounted')} = 0 and ${OPEN}`, 'seq')}
          or ${exists(UNLISTED, 'parentId', 'status', 'place')}
          or exists (${hidings}))))`,
  )
}

const findDifferences = prepared(selectPersonalView)
