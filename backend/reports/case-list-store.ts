// What lists of cases read, in SQL: ranges of an index, so that they cost the same however many
// there are. Decides nothing.
import { sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import type { Database } from '../database/schema.ts'
import type { CaseRow } from './store.ts'

/** A case with what it is about, as it is now. */
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
  /** Of the thing; null when the account is gone. */
  writerId: string | null
  writerName: string | null
  writerAvatar: string
  isWriterBlocked: number | null
}

/** Enough of a body for the beginning that is shown. */
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

/** Those that wait are about what readers see, or are to see. */
function waiting(db: Database) {
  return selectCases(db)
    .where('reportCase.isWaiting', '=', 1)
    .where('post.status', '=', 'active')
    .where('post.isHidden', '=', 0)
    .where('author.isBlocked', '=', 0)
    .where((eb) => eb.or([eb('writer.isBlocked', 'is', null), eb('writer.isBlocked', '=', 0)]))
}

type Asked = { isWaiting: boolean; cursor: number | undefined; limit: number }

/** Waiting ones the oldest first, the others the newest first. Not executed: for tests of plans. */
export function selectList(db: Database, avatarBucketId: string, asked: Asked) {
  const { isWaiting, cursor, limit } = asked
  const cases = isWaiting ? waiting(db) : selectCases(db).where('reportCase.isWaiting', '=', 0)
  const rest =
    cursor === undefined ? cases : cases.where('reportCase.place', isWaiting ? '>' : '<', cursor)
  const ordered = rest.orderBy('reportCase.place', isWaiting ? 'asc' : 'desc').limit(limit)
  return withColumns(ordered, avatarBucketId)
}

export async function findListed(db: Database, avatarBucketId: string, id: string) {
  const found = selectCases(db).where('reportCase.id', '=', id)
  return await withColumns(found, avatarBucketId).executeTakeFirst()
}

/** Those that wait, the oldest first; or the reported ones. Not executed: for tests of plans. */
export function selectCounted(db: Database, most: number, isReported: boolean) {
  const cases = waiting(db).select('reportCase.since').limit(most)
  if (!isReported) return cases.orderBy('reportCase.place')
  // Comments that need approval may be many: they are not passed over.
  return cases.where('reportCase.reporters', '>=', 1)
}

/** Counts no further than `most`. `since` is empty without any. */
export async function countWaiting(db: Database, most: number, isReported: boolean) {
  const first = selectCounted(db, most, isReported)
  const { total, since } = await db
    .selectFrom(first.as('found'))
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

/** The newest of each case. */
export async function listReportsOf(
  db: Database,
  caseSeqs: number[],
  most: number,
): Promise<ListedReport[]> {
  const of = (seq: number) =>
    db
      .selectFrom('report')
      .leftJoin('user', 'user.id', 'report.userId')
      .select(['report.caseSeq', 'report.userId', 'user.name as userName'])
      .select(['report.reason', 'report.words', 'report.createdAt'])
      .where('report.caseSeq', '=', seq)
      .orderBy('report.seq', 'desc')
      .limit(most)
      .execute()
  const all: ListedReport[] = []
  for (const seq of caseSeqs) all.push(...(await of(seq)))
  return all
}
