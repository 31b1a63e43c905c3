// SQL of the lists of posts that operators moderate.
import { type SqlBool, sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { containsTextIgnoringCase, isOneOfNumbers, listParameter } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import { POST_VISIBILITY, type PostScope } from '../database/visible-posts.ts'
import { findSeqs, newestFirst } from '../post-lists/post-list-store.ts'

/** Posts that anybody but their author may read. */
export const FOR_READERS = {
  readers: ['any', 'users', 'verified', 'unverified'],
  ownerId: undefined,
} satisfies PostScope

/** Rows are counted up to this number. */
const COUNTED_MAX = 20_000

type Page = { limit: number; offset: number }
/** `search` is part of the title; undefined for all. */
type TitleFilter = { search: string | undefined }

export function findActive(db: Database, { limit, offset }: Page): Promise<number[]> {
  return findSeqs(db, { query: { ...newestFirst({ limit }), offset }, scope: FOR_READERS })
}

function hiddenIn(db: Database, { search }: TitleFilter) {
  const hidden = db.selectFrom('post').where(sql<SqlBool>`${POST_VISIBILITY} = 'hidden'`)
  const active = hidden.where('status', '=', 'active')
  if (search === undefined) return active
  return active.where(containsTextIgnoringCase(db, sql.ref('post.title'), search))
}

/** Posts with a waiting case that has reports. */
function reportedIn(db: Database, { search }: TitleFilter) {
  const waiting = db
    .selectFrom('post')
    .innerJoin('reportCase', 'reportCase.postId', 'post.id')
    .where('reportCase.isWaiting', '=', 1)
    .where('reportCase.reporters', '>', 0)
    .where('post.status', '=', 'active')
  if (search === undefined) return waiting
  return waiting.where(containsTextIgnoringCase(db, sql.ref('post.title'), search))
}

/** The posts whose cases have waited longest first. */
export async function findReported(db: Database, filter: TitleFilter, { limit, offset }: Page) {
  const oldest = reportedIn(db, filter).select('post.seq').orderBy('reportCase.place')
  return (await oldest.limit(limit).offset(offset).execute()).map(({ seq }) => Number(seq))
}

/** The number of users who reported each post in a waiting case, by post id. */
export async function countReports(db: Database, seqs: readonly number[]) {
  const reports = reportedIn(db, { search: undefined })
    .select(['post.id', 'reportCase.reporters'])
    .where(isOneOfNumbers(db, sql.ref('post.seq'), listParameter(db, seqs)))
  return new Map((await reports.execute()).map(({ id, reporters }) => [id, reporters]))
}

export async function findHidden(db: Database, filter: TitleFilter, { limit, offset }: Page) {
  const newest = hiddenIn(db, filter).select('seq').orderBy('createdAt', 'desc').orderBy('seq')
  return (await newest.limit(limit).offset(offset).execute()).map(({ seq }) => Number(seq))
}

/** `since`: posts that were deleted before this time cannot be restored. */
type RemovedFilter = TitleFilter & { since: string }

function removedIn(db: Database, { search, since }: RemovedFilter) {
  const removed = db.selectFrom('deletedPost').where('isRemoved', '=', 1)
  const restorable = removed.where('deletedAt', '>', since)
  if (search === undefined) return restorable
  return restorable.where(containsTextIgnoringCase(db, sql.ref('deletedPost.title'), search))
}

/** The last removed first. */
export function listRemoved(db: Database, filter: RemovedFilter, { limit, offset }: Page) {
  const author = sql<string>`coalesce((select name from "user"
    where "user".id = ${sql.ref('deletedPost.userId')}), ${UNKNOWN_USER_NAME})`
  const newest = removedIn(db, filter)
    .select(['seq', 'id', 'postId', 'title', 'userId', 'featuredImage', 'createdAt', 'updatedAt'])
    .select(['deletedAt', author.as('userName')])
    .orderBy('seq', 'desc')
  return newest.limit(limit).offset(offset).execute()
}

export async function countAll(db: Database, hidden: TitleFilter, removed: RemovedFilter) {
  const isVisible = sql<SqlBool>`${POST_VISIBILITY} in (${sql.join(FOR_READERS.readers)})`
  const count = async (query: { compile(): unknown }) => {
    const rows = (query as ReturnType<typeof hiddenIn>).select(sql`1`.as('one')).limit(COUNTED_MAX)
    const countedRows = db.selectFrom(rows.as('found')).select((eb) => eb.fn.countAll().as('total'))
    return Number((await countedRows.executeTakeFirstOrThrow()).total)
  }
  return {
    active: await count(db.selectFrom('post').where(isVisible)),
    hidden: await count(hiddenIn(db, hidden)),
    removed: await count(removedIn(db, removed)),
    reported: await count(reportedIn(db, hidden)),
  }
}

/** The ids of the given posts whose comments are closed. */
export async function findClosed(db: Database, seqs: readonly number[]): Promise<Set<string>> {
  const closed = db
    .selectFrom('discussion')
    .innerJoin('post', 'post.id', 'discussion.postId')
    .select('post.id')
    .where(isOneOfNumbers(db, sql.ref('post.seq'), listParameter(db, seqs)))
    .where('discussion.isClosed', '=', 1)
  return new Set((await closed.execute()).map(({ id }) => id))
}
