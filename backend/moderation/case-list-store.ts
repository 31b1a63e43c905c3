// SQL of lists of cases. Reads ranges of an index, so that a page costs the same however many cases
// there are.
import { type SqlBool, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { isOneOfNumbers, listParameter } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import {
  findWaitingDiscussions,
  listWaitingIn,
  type WaitingSource,
} from '../database/waiting-discussions.ts'
import type { CaseRow } from './reports-store.ts'

/** A case with the current state of its post or comment. */
export type ListedCase = Omit<CaseRow, 'postId'> & {
  postId: string
  postTitle: string
  postStatus: string
  isPostHidden: number
  /** The beginning of the post's body; empty for a comment. */
  body: string
  /** The next three are null for a post. */
  content: string | null
  status: string | null
  commentedAt: string | null
  postedAt: string
  /** The writer of the post or comment; null when the account is deleted. */
  writerId: string | null
  writerName: string | null
  writerAvatar: string
  isWriterBlocked: number | null
}

/** Characters of a body that are read to show its beginning. */
const BODY_CHARS = 4000

function selectCases(db: Database) {
  return db
    .selectFrom('reportCase')
    .leftJoin('comment', 'comment.id', 'reportCase.commentId')
    .leftJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .innerJoin('post', (join) =>
      join.on((eb) => eb('post.id', '=', eb.fn.coalesce('reportCase.postId', 'discussion.postId'))),
    )
    .innerJoin('user as author', 'author.id', 'post.userId')
    .leftJoin('user as writer', (join) =>
      join.on((eb) =>
        eb(
          'writer.id',
          '=',
          eb
            .case()
            .when('reportCase.commentId', 'is', null)
            .then(eb.ref('post.userId'))
            .else(eb.ref('comment.userId'))
            .end(),
        ),
      ),
    )
}

const WAITING = sql<SqlBool>`${sql.ref('reportCase.isWaiting')} = 1`
const REPORTED = sql<SqlBool>`${WAITING} and ${sql.ref('reportCase.reporters')} >= 1`
/** The post is visible to readers. */
const SHOWN = sql<SqlBool>`post.status = 'active' and ${sql.ref('post.isHidden')} = 0
  and ${sql.ref('author.isBlocked')} = 0`

const WAITING_CASES: WaitingSource = {
  table: 'reportCase',
  index: 'caseWaitingOf',
  isWaiting: WAITING,
}
export const REPORTED_CASES: WaitingSource = {
  table: 'reportCase',
  index: 'caseReportedOf',
  isWaiting: REPORTED,
}
/** In the index, this number replaces the discussion of cases about posts, which have none. */
const OF_POSTS = 0

/** Waiting cases about posts and comments that readers see, or that wait for approval. */
function waitingCases(db: Database, { isWaiting }: WaitingSource) {
  return shownCases(db).where(isWaiting)
}

function shownCases(db: Database) {
  return selectCases(db)
    .where(SHOWN)
    .where((eb) => eb.or([eb('writer.isBlocked', 'is', null), eb('writer.isBlocked', '=', 0)]))
}

type CasesPage = { isWaiting: boolean; cursor: number | undefined; limit: number }

/** Waiting cases, the oldest first, or decided ones, the newest first. */
export async function listCases(db: Database, avatarBucketId: string, page: CasesPage) {
  const discussions = page.isWaiting
    ? await findWaitingDiscussions(db, WAITING_CASES, SHOWN)
    : undefined
  if (!discussions) return await selectList(db, avatarBucketId, page).execute()
  const shownRows = await listShown(db, WAITING_CASES, discussions, page)
  const cases = selectCases(db).where(isAmong(db, shownRows))
  return await withColumns(cases.orderBy('reportCase.place'), avatarBucketId).execute()
}

function isAmong(db: Database, cases: { seq: number }[]) {
  const seqs = cases.map(({ seq }) => seq)
  return isOneOfNumbers(db, sql.ref('reportCase.seq'), listParameter(db, seqs))
}

/** Cases that are read in one query. */
const BATCH_MAX = 500

/** The oldest waiting cases about posts and comments that readers may see. */
async function listShown(
  db: Database,
  kind: WaitingSource,
  discussions: number[],
  { cursor, limit }: { cursor: number | undefined; limit: number },
): Promise<{ seq: number; since: string }[]> {
  const visible: { seq: number; since: string }[] = []
  // More than `limit`, because cases about blocked writers are left out.
  const batch = Math.min(BATCH_MAX, 2 * limit)
  let from = cursor
  for (;;) {
    const range = { sortBy: 'place', direction: 'asc', cursor: from, limit: batch } as const
    const rows = await listWaitingIn(db, [OF_POSTS, ...discussions], kind, range)
    if (rows.length > 0) {
      const candidates = shownCases(db).select(['reportCase.seq', 'reportCase.since'])
      const visibleRows = await candidates
        .where(isAmong(db, rows))
        .orderBy('reportCase.place')
        .execute()
      visible.push(...visibleRows)
    }
    if (rows.length < batch || visible.length >= limit) return visible.slice(0, limit)
    from = rows.at(-1)?.place
  }
}

/** Not executed: for tests of plans. */
export function selectList(db: Database, avatarBucketId: string, page: CasesPage) {
  const { isWaiting, cursor, limit } = page
  const cases = isWaiting
    ? waitingCases(db, WAITING_CASES)
    : selectCases(db).where('reportCase.isWaiting', '=', 0)
  const fromCursor =
    cursor === undefined ? cases : cases.where('reportCase.place', isWaiting ? '>' : '<', cursor)
  const ordered = fromCursor.orderBy('reportCase.place', isWaiting ? 'asc' : 'desc').limit(limit)
  return withColumns(ordered, avatarBucketId)
}

export async function findListed(db: Database, avatarBucketId: string, id: string) {
  const cases = selectCases(db).where('reportCase.id', '=', id)
  return await withColumns(cases, avatarBucketId).executeTakeFirst()
}

/**
 * Counts waiting cases of this kind, up to `countLimit`. `since` is the time from which the oldest
 * one has waited; empty if none waits.
 */
export async function countWaiting(db: Database, countLimit: number, isReported: boolean) {
  const kind = isReported ? REPORTED_CASES : WAITING_CASES
  const discussions = await findWaitingDiscussions(db, kind, SHOWN)
  if (discussions) {
    const shownRows = await listShown(db, kind, discussions, {
      cursor: undefined,
      limit: countLimit,
    })
    return { waiting: shownRows.length, since: shownRows[0]?.since ?? '' }
  }
  const unordered = waitingCases(db, kind).select('reportCase.since').limit(countLimit)
  // Reported cases are not ordered: reading them in order would pass over all comments that need
  // approval, which may be many.
  const cases = isReported ? unordered : unordered.orderBy('reportCase.place')
  const { total, since } = await db
    .selectFrom(cases.as('found'))
    .select((eb) => [eb.fn.countAll<number>().as('total'), eb.fn.min('since').as('since')])
    .executeTakeFirstOrThrow()
  return { waiting: Number(total), since: since ?? '' }
}

function withColumns(cases: ReturnType<typeof selectCases>, avatarBucketId: string) {
  const avatar = avatarOf(sql.ref('writer.id'), { avatarBucketId, readers: ['any'] })
  const isComment = sql.ref('reportCase.commentId')
  return cases
    .selectAll('reportCase')
    .select(['post.id as postId', 'post.title as postTitle', 'post.status as postStatus'])
    .select(['post.isHidden as isPostHidden', 'post.createdAt as postedAt'])
    .select(['comment.content', 'comment.status', 'comment.createdAt as commentedAt'])
    .select(['writer.id as writerId', 'writer.name as writerName'])
    .select(['writer.isBlocked as isWriterBlocked', avatar.as('writerAvatar')])
    .select(
      sql<string>`case when ${isComment} is null
        then substr(${sql.ref('post.content')}, 1, ${sql.lit(BODY_CHARS)}) else '' end`.as('body'),
    )
    .$castTo<ListedCase>()
}

export type ListedReport = {
  caseSeq: number
  userId: string | null
  userName: string | null
  reason: string
  words: string
  createdAt: string
}

/** The newest reports of each case. */
export async function listReportsOf(
  db: Database,
  caseSeqs: number[],
  countLimit: number,
): Promise<ListedReport[]> {
  const listOf = (seq: number) =>
    db
      .selectFrom('report')
      .leftJoin('user', 'user.id', 'report.userId')
      .select(['report.caseSeq', 'report.userId', 'user.name as userName'])
      .select(['report.reason', 'report.words', 'report.createdAt'])
      .where('report.caseSeq', '=', seq)
      .orderBy('report.seq', 'desc')
      .limit(countLimit)
      .execute()
  const reports: ListedReport[] = []
  for (const seq of caseSeqs) reports.push(...(await listOf(seq)))
  return reports
}
