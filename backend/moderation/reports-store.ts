// Cases and reports in SQL, written, the same on both databases. Decides nothing. What lists read
// is in case-list-store.ts.
import type { Insertable, Selectable } from 'kysely'
import { locked } from '../database/dialect.ts'
import type { CaseTable, ReportTable } from '../database/reports-schema.ts'
import type { Database } from '../database/schema.ts'
import type { Page } from '../process/batches.ts'

export type CaseRow = Selectable<CaseTable>
export type ReportRow = Selectable<ReportTable>
/** The one thing of a case. */
export type Thing = { postId: string; commentId: null } | { postId: null; commentId: string }

/** Locked until the transaction ends; the thing, and its post, are locked before. */
export async function lockCaseOf(tx: Database, thing: Thing): Promise<CaseRow | undefined> {
  const cases = tx.selectFrom('reportCase').selectAll()
  const matching =
    thing.postId === null
      ? cases.where('commentId', '=', thing.commentId)
      : cases.where('postId', '=', thing.postId)
  return await locked(tx, matching).executeTakeFirst()
}

export async function addCase(
  tx: Database,
  row: Pick<CaseRow, 'id' | 'isWaiting' | 'place' | 'since'> & Thing,
): Promise<void> {
  const insert = tx.insertInto('reportCase').values(row)
  await insert.onConflict((c) => c.doNothing()).execute()
}

export async function findCase(db: Database, id: string): Promise<CaseRow | undefined> {
  const cases = db.selectFrom('reportCase').selectAll().where('id', '=', id)
  return await cases.executeTakeFirst()
}

export async function changeCase(tx: Database, seq: number, changes: Partial<CaseRow>) {
  await tx.updateTable('reportCase').set(changes).where('seq', '=', seq).execute()
}

/** @throws the database's own unique fault when the person has reported it already */
export async function addReport(tx: Database, report: Insertable<ReportTable>): Promise<void> {
  await tx.insertInto('report').values(report).execute()
  const cases = tx.updateTable('reportCase').where('seq', '=', report.caseSeq)
  await cases.set((eb) => ({ reporters: eb('reporters', '+', 1) })).execute()
}

/** The newest reports of a case. */
export async function listReports(db: Database, caseSeq: number, limit: number) {
  const reports = db.selectFrom('report').selectAll().where('caseSeq', '=', caseSeq)
  return await reports.orderBy('seq', 'desc').limit(limit).execute()
}

/** Cases of some comments, in one order: waiting ones, or of a moment. */
export async function listOfComments(
  tx: Database,
  commentIds: string[],
  are: { isWaiting: 1 } | { decidedAt: string },
): Promise<CaseRow[]> {
  if (commentIds.length === 0) return []
  const cases = tx.selectFrom('reportCase').selectAll().where('commentId', 'in', commentIds)
  return await cases
    .where((eb) => eb.and(are))
    .orderBy('seq')
    .execute()
}

export type OwnReportRow = ReportRow & {
  isWaiting: number
  /** Of the post, or of the comment's post; null while that is in the bin. */
  postId: string | null
  commentId: string | null
}

function selectOwn(db: Database, userId: string) {
  return db
    .selectFrom('report')
    .innerJoin('reportCase', 'reportCase.seq', 'report.caseSeq')
    .leftJoin('comment', 'comment.id', 'reportCase.commentId')
    .leftJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .selectAll('report')
    .select(['reportCase.isWaiting', 'reportCase.commentId'])
    .select((eb) => eb.fn.coalesce('reportCase.postId', 'discussion.postId').as('postId'))
    .where('report.userId', '=', userId)
}

/** Oldest first. */
export async function listOwn(
  db: Database,
  userId: string,
  { after, limit }: Page<OwnReportRow>,
): Promise<OwnReportRow[]> {
  const reports = selectOwn(db, userId).where('report.seq', '>', after?.seq ?? 0)
  return await reports.orderBy('report.seq').limit(limit).execute()
}

/** Of one post and its comments, newest first. */
export async function listOwnOfPost(db: Database, userId: string, postId: string, limit: number) {
  const reports = selectOwn(db, userId).where((eb) =>
    eb.or([eb('reportCase.postId', '=', postId), eb('discussion.postId', '=', postId)]),
  )
  return await reports.orderBy('report.seq', 'desc').limit(limit).execute()
}

/**
 * Some reports of a person stay without a name and without words, if there are many.
 *
 * @returns whether few are left
 */
export async function forgetSome(tx: Database, userId: string, limit: number): Promise<boolean> {
  const theirs = tx.selectFrom('report').select('seq').where('userId', '=', userId)
  const seqs = (await theirs.orderBy('seq').limit(limit).execute()).map(({ seq }) => seq)
  if (seqs.length < limit) return true
  const some = tx.updateTable('report').where('seq', 'in', seqs)
  await some.set({ userId: null, words: '' }).execute()
  return false
}

/** All their reports stay without a name and without words. */
export async function forgetReporter(tx: Database, userId: string): Promise<void> {
  const reports = tx.updateTable('report').where('userId', '=', userId)
  await reports.set({ userId: null, words: '' }).execute()
}

/** Before its case; locked until the transaction ends. */
export async function lockPost(tx: Database, postId: string): Promise<void> {
  await locked(tx, tx.selectFrom('post').select('seq').where('id', '=', postId)).execute()
}
