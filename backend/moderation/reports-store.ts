// SQL that writes cases and reports, the same on both databases. Lists are in case-list-store.ts.
import type { Insertable, Selectable } from 'kysely'
import { withRowLock } from '../database/dialect.ts'
import type { CaseTable, ReportTable } from '../database/report-tables.ts'
import type { Database } from '../database/schema.ts'
import type { Page } from '../process/batches.ts'

export type CaseRow = Selectable<CaseTable>
export type ReportRow = Selectable<ReportTable>
/** The post or comment that a case is about. */
export type CaseSubject = { postId: string; commentId: null } | { postId: null; commentId: string }

/** Locks the case until the transaction ends. The comment and the post must be locked before. */
export async function lockCaseOf(tx: Database, subject: CaseSubject): Promise<CaseRow | undefined> {
  const cases = tx.selectFrom('reportCase').selectAll()
  const matching =
    subject.postId === null
      ? cases.where('commentId', '=', subject.commentId)
      : cases.where('postId', '=', subject.postId)
  return await withRowLock(tx, matching).executeTakeFirst()
}

export async function addCase(
  tx: Database,
  row: Pick<CaseRow, 'id' | 'isWaiting' | 'place' | 'since'> & CaseSubject,
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

/** @throws the database's unique-constraint violation when the user has already reported it */
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

/**
 * The cases about these comments, in a fixed order: either waiting ones, or those decided at the
 * given time.
 */
export async function listCasesOfComments(
  tx: Database,
  commentIds: string[],
  state: { isWaiting: 1 } | { decidedAt: string },
): Promise<CaseRow[]> {
  if (commentIds.length === 0) return []
  const cases = tx.selectFrom('reportCase').selectAll().where('commentId', 'in', commentIds)
  return await cases
    .where((eb) => eb.and(state))
    .orderBy('seq')
    .execute()
}

export type OwnReportRow = ReportRow & {
  isWaiting: number
  /** Of the post, or of the comment's post; null while the post is deleted. */
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

/** All reports by a user, oldest first. */
export async function listReportsByUser(
  db: Database,
  userId: string,
  { after, limit }: Page<OwnReportRow>,
): Promise<OwnReportRow[]> {
  const reports = selectOwn(db, userId).where('report.seq', '>', after?.seq ?? 0)
  return await reports.orderBy('report.seq').limit(limit).execute()
}

/** Reports by a user about a post and its comments, newest first. */
export async function listReportsByUserOnPost(
  db: Database,
  userId: string,
  postId: string,
  limit: number,
) {
  const reports = selectOwn(db, userId).where((eb) =>
    eb.or([eb('reportCase.postId', '=', postId), eb('discussion.postId', '=', postId)]),
  )
  return await reports.orderBy('report.seq', 'desc').limit(limit).execute()
}

/**
 * Anonymises one batch of a user's reports; does nothing when fewer than `limit` are left.
 *
 * @returns whether the rest fits into one transaction
 */
export async function anonymiseBatch(
  tx: Database,
  userId: string,
  limit: number,
): Promise<boolean> {
  const ofUser = tx.selectFrom('report').select('seq').where('userId', '=', userId)
  const seqs = (await ofUser.orderBy('seq').limit(limit).execute()).map(({ seq }) => seq)
  if (seqs.length < limit) return true
  const batch = tx.updateTable('report').where('seq', 'in', seqs)
  await batch.set({ userId: null, words: '' }).execute()
  return false
}

/** Removes the user and the text from all reports by a user; the reports remain. */
export async function anonymiseReports(tx: Database, userId: string): Promise<void> {
  const reports = tx.updateTable('report').where('userId', '=', userId)
  await reports.set({ userId: null, words: '' }).execute()
}

/** Locks the post until the transaction ends; called before its case is locked. */
export async function lockPost(tx: Database, postId: string): Promise<void> {
  await withRowLock(tx, tx.selectFrom('post').select('seq').where('id', '=', postId)).execute()
}
