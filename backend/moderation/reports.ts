// Reports of posts and comments, which open cases. Independent of HTTP; SQL is in reports-store.ts.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { NewReport, OwnReport, OwnReports, ReportReason } from '#contract/reports.ts'
import { readShown } from '../comments/read-comments.ts'
import { refuseIfTaken } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readPublished, refuseBlocked } from '../posts/access.ts'
import { readBatches } from '../process/batches.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import { openCase } from './open-cases.ts'
import * as store from './reports-store.ts'

/** Reports by the caller that are listed for one post. */
const OWN_MAX = 100

/** Reports that are in memory at once during an export. */
const EXPORT_BATCH_SIZE = 50

/**
 * @throws Refusal `user_blocked`, `document_not_found` when the viewer may not read it,
 *   `report_own`, `report_already_exists`
 */
export async function createReport(
  context: PostsContext,
  viewer: UserViewer,
  newReport: NewReport,
): Promise<OwnReport> {
  const { db, background, now } = context
  const { comments } = await context.site.read()
  const { postId, commentId = '', reason } = newReport
  const words = (newReport.words ?? '').toWellFormed().trim()
  if (commentId !== '' && comments === 'off') throw new Refusal('document_not_found')
  return inTransaction(db, background, async (tx) => {
    await refuseBlocked(tx, viewer)
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    const target = commentId === '' ? post : await readShown(tx, postId, commentId)
    if (target.userId === viewer.userId) throw new Refusal('report_own')
    const about: store.CaseSubject =
      commentId === '' ? { postId, commentId: null } : { postId: null, commentId }
    const caseRow = await openCase(tx, about, now())
    const report = { id: makeId(now().getTime()), caseSeq: caseRow.seq, userId: viewer.userId }
    const details = { reason, words, createdAt: now().toISOString() }
    await store.addReport(tx, { ...report, ...details })
    await emit(tx, { kind: 'reported', caseId: caseRow.id, postId, commentId, actor: viewer })
    return toOwnReport({ ...report, ...details, postId, commentId, isWaiting: 1 })
  }).catch((cause: unknown) => refuseIfTaken('report_already_exists', cause))
}

/** The caller's reports of a post and its comments. */
export async function listOwnReports(
  { db }: BaseContext,
  { userId }: UserViewer,
  postId: string,
): Promise<OwnReports> {
  const rows = await store.listReportsByUserOnPost(db, userId, postId, OWN_MAX)
  return { total: rows.length, reports: rows.map(toOwnReport) }
}

/** All reports by a user, oldest first, for their data export. */
export async function* streamReportsOf({ db }: BaseContext, { userId }: UserViewer) {
  const read = (page: Parameters<typeof store.listReportsByUser>[2]) =>
    store.listReportsByUser(db, userId, page)
  for await (const rows of readBatches<store.OwnReportRow>(EXPORT_BATCH_SIZE, read))
    for (const row of rows) yield toOwnReport(row)
}

const ANONYMISED_AT_ONCE = 200

/**
 * Anonymises one batch of reports, if there are many. @returns whether the rest fits into one
 * transaction
 */
export async function anonymiseReportBatchOf(tx: Database, userId: string): Promise<boolean> {
  return store.anonymiseBatch(tx, userId, ANONYMISED_AT_ONCE)
}

/** Called in the transaction that deletes an account. */
export async function anonymiseReportsOf(tx: Database, userId: string): Promise<void> {
  await store.anonymiseReports(tx, userId)
}

type Own = Pick<store.OwnReportRow, 'id' | 'reason' | 'words' | 'createdAt' | 'isWaiting'> &
  Pick<store.OwnReportRow, 'postId' | 'commentId'>

function toOwnReport(row: Own): OwnReport {
  const { id: $id, postId, commentId, reason, words, createdAt } = row
  return {
    $id,
    postId: postId ?? '',
    commentId: commentId ?? '',
    reason: reason as ReportReason,
    words,
    $createdAt: wireTime(createdAt),
    state: row.isWaiting === 1 ? 'waiting' : 'reviewed',
  }
}
