// Lists the cases that operators handle, and decides them. Every decision locks the users, then the
// post, then the case, and calls the rules that hide posts and comments. Independent of HTTP.

import { Refusal } from '#contract/errors.ts'
import { isId, wireTime } from '#contract/ids.ts'
import { roleIn } from '#contract/permissions.ts'
import { plainText, truncateHtml, truncateText } from '#contract/plain-text.ts'
import {
  CASE_EXCERPT_CHARS,
  CASE_REPORTS,
  CASES_COUNTED_MAX,
  CASES_PAGE,
  type CaseDecision,
  type CasesQuery,
  type DecideCase,
  type ReportCase,
  type ReportCases,
  type ReportReason,
} from '#contract/reports.ts'
import { setBlocked } from '../accounts/account-updates.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import * as lists from './case-list-store.ts'
import { hideCommentsInBlog } from './hidings.ts'
import { undoApproval, updateComment } from './moderate-comments.ts'
import { hidePost } from './moderate-posts.ts'
import { endCase, endCaseOf, returnToQueue, type UNDECIDED } from './open-cases.ts'
import * as store from './reports-store.ts'

export async function listCases(
  { db, avatarBucketId }: PostsContext,
  { state = 'waiting', cursor, limit = String(CASES_PAGE) }: CasesQuery,
): Promise<ReportCases> {
  const pageSize = Number(limit)
  const page = { isWaiting: state === 'waiting', limit: pageSize + 1 }
  const from = cursor === undefined ? undefined : Number(cursor)
  const rows = await lists.listCases(db, avatarBucketId, { ...page, cursor: from })
  const cases = rows.slice(0, pageSize)
  const next = rows.length > pageSize ? String(cases.at(-1)?.place ?? '') : ''
  const list = await withReports(db, cases)
  const { since, waiting } = await countWaiting(db)
  return { waiting, since, list, next }
}

/** Counts waiting cases, or only reported ones, up to `CASES_COUNTED_MAX`, and since when. */
export async function countWaiting(db: Database, isReported = false) {
  const { waiting, since } = await lists.countWaiting(db, CASES_COUNTED_MAX, isReported)
  return { waiting, since: since && wireTime(since) }
}

/** @throws Refusal `report_case_not_found` */
export async function readCase(context: PostsContext, id: string): Promise<ReportCase> {
  const row = isId(id) && (await lists.findListed(context.db, context.avatarBucketId, id))
  const [reportCase] = row ? await withReports(context.db, [row]) : []
  if (!reportCase) throw new Refusal('report_case_not_found')
  return reportCase
}

async function withReports(db: Database, rows: lists.ListedCase[]): Promise<ReportCase[]> {
  const seqs = rows.map(({ seq }) => seq)
  const reports = await lists.listReportsOf(db, seqs, CASE_REPORTS)
  return rows.map((row) => ({
    ...toCase(row),
    reports: reports
      .filter(({ caseSeq }) => caseSeq === row.seq)
      .map(({ userId, userName, reason, words, createdAt }) => ({
        userId: userId ?? '',
        userName: userName ?? '',
        words,
        reason: reason as ReportReason,
        time: wireTime(createdAt),
      })),
  }))
}

function toCase(row: lists.ListedCase): Omit<ReportCase, 'reports'> {
  const { commentId, content, isWaiting, status: stored, writerId, writerName } = row
  const isNeedingApproval = stored === 'waiting' || stored === 'rejected'
  // Operators do not see drafts by others.
  const isReadable = row.postStatus === 'active'
  const excerpt = () => truncateText(plainText(truncateHtml(row.body, 4000)), CASE_EXCERPT_CHARS)
  const isHidden = commentId === null ? row.isPostHidden === 1 : stored !== 'shown'
  return {
    $id: row.id,
    kind: commentId === null ? 'post' : isNeedingApproval ? 'approval' : 'comment',
    state: isWaiting === 1 ? 'waiting' : 'done',
    since: wireTime(row.since),
    postId: row.postId,
    postTitle: isReadable ? row.postTitle : '',
    commentId: commentId ?? '',
    author: {
      id: writerId ?? '',
      name: writerName ?? '',
      avatar: row.writerAvatar ?? '',
      isBlocked: row.isWriterBlocked === 1,
    },
    text: isReadable ? (content ?? excerpt()) : '',
    $createdAt: wireTime(row.commentedAt ?? row.postedAt),
    status: stored === 'waiting' ? 'waiting' : isHidden ? 'hidden' : 'shown',
    reporters: row.reporters,
    ...(isWaiting === 1 ? {} : { decision: toDecision(row) }),
  }
}

function toDecision(row: Pick<store.CaseRow, keyof typeof UNDECIDED>): CaseDecision {
  return {
    action: row.decision as CaseDecision['action'],
    hasBlocked: row.hasBlocked === 1,
    byId: row.decidedById,
    byName: row.decidedByName,
    isByAuthor: row.isByAuthor === 1,
    at: wireTime(row.decidedAt),
  }
}

// --- decisions

type DecisionContext = { context: PostsContext; viewer: Viewer; caseRow: store.CaseRow } & Pick<
  lists.ListedCase,
  'writerId' | 'postTitle'
>

/**
 * @throws Refusal `report_case_not_found`, `report_case_decided` when the case was decided
 *   meanwhile, `general_argument_invalid` when the case does not allow the action,
 *   `user_last_operator`, and the refusals of hiding posts and comments
 */
export async function decideCase(
  context: PostsContext,
  sender: Viewer,
  id: string,
  decision: DecideCase,
): Promise<ReportCase> {
  const { db, background, avatarBucketId } = context
  await inTransaction(db, background, async (tx) => {
    const listed = isId(id) && (await lists.findListed(tx, avatarBucketId, id))
    if (!listed) throw new Refusal('report_case_not_found')
    const { writerId } = listed
    // Activity entries do not show titles of drafts.
    const postTitle = listed.postStatus === 'active' ? listed.postTitle : ''
    const viewer = await lockPeople(tx, sender, writerId)
    await store.lockPost(tx, listed.postId)
    const caseRow = await store.lockCaseOf(tx, aboutOf(listed))
    if (!caseRow) throw new Refusal('report_case_not_found')
    const decisionContext = {
      context: { ...context, db: tx },
      viewer,
      caseRow,
      writerId,
      postTitle,
    }
    if (decision.action === 'reopen') await reopen(decisionContext)
    else if (caseRow.isWaiting === 0) throw alreadyDecided(caseRow)
    else await decide(decisionContext, decision)
    await recordDecision(decisionContext, decision.action)
  })
  return readCase(context, id)
}

function aboutOf({ postId, commentId }: { postId: string | null; commentId: string | null }) {
  return (
    commentId === null ? { postId, commentId } : { postId: null, commentId }
  ) as store.CaseSubject
}

/** Records a decision in Activity; hiding and blocking record their own entries. */
async function recordDecision(
  { context, viewer, caseRow, postTitle: name }: DecisionContext,
  action: string,
) {
  const isReopened = action === 'reopen' && ['dismissed', 'approved'].includes(caseRow.decision)
  if (action !== 'dismiss' && !isReopened) return
  const { commentId, postId } = caseRow
  const subject = commentId
    ? { type: 'comment' as const, id: commentId, name }
    : { type: 'post' as const, id: postId ?? '', name }
  await recordActivity(context.db, viewer, context.now(), {
    kind: 'comments',
    action: isReopened ? 'reopened' : 'reportDismissed',
    subject,
  })
}

const DONE = {
  hidden: 'hidden this',
  dismissed: 'dismissed this report',
  approved: 'approved this',
}

function alreadyDecided(caseRow: store.CaseRow): Refusal {
  const { action, byName } = toDecision(caseRow)
  const decider = byName || (caseRow.isByAuthor ? 'The author of the post' : 'The API key')
  return new Refusal('report_case_decided', `${decider} has already ${DONE[action]}.`)
}

async function decide(
  decisionContext: DecisionContext,
  { action, block, reason = '' }: DecideCase,
) {
  const { context, viewer, caseRow, writerId } = decisionContext
  const { db: tx, now } = context
  const { postId, commentId, seq } = caseRow
  const outcome = { actor: viewer, isByAuthor: false, now: now() }
  if (action === 'dismiss') {
    if (await isWaitingForApproval(decisionContext)) throw impossible(action)
    return endCase(tx, caseRow, { ...outcome, action: 'dismissed' })
  }
  if (action === 'approve') {
    if (commentId === null || !(await isWaitingForApproval(decisionContext)))
      throw impossible(action)
    await updateComment(context, viewer, commentId, { status: 'shown' })
    return
  }
  await store.changeCase(tx, seq, { note: reason.toWellFormed().trim() })
  if (postId === null)
    await updateComment(context, viewer, commentId ?? '', { status: 'hidden' }, reason)
  else await hidePost(context, viewer, postId, true, reason)
  // Ends the case also if the post or comment was already hidden.
  await endCaseOf(tx, aboutOf(caseRow), { ...outcome, action: 'hidden' })
  if (block) await blockWriter(decisionContext, writerId, reason)
}

function impossible(action: string): Refusal {
  return new Refusal(
    'general_argument_invalid',
    `Invalid \`action\` param: Value must be possible for this case, unlike ${action}`,
  )
}

async function isWaitingForApproval({ context, caseRow }: DecisionContext): Promise<boolean> {
  const listed = await lists.findListed(context.db, context.avatarBucketId, caseRow.id)
  return listed?.status === 'waiting'
}

/** A block hides posts while it lasts; comments are hidden individually, and stay hidden. */
async function blockWriter(
  { context, viewer, caseRow }: DecisionContext,
  writerId: string | null,
  reason: string,
) {
  const { db: tx } = context
  const isSelf = viewer.role === 'user' && viewer.userId === writerId
  if (writerId === null || isSelf) throw new Refusal('user_unauthorized')
  const { decidedAt } = (await store.findCase(tx, caseRow.id)) ?? caseRow
  const hiding = { userId: writerId, decidedAt, isHidden: true }
  await hideCommentsInBlog(context, tx, viewer, hiding)
  await setBlocked(context, writerId, true, { actor: viewer, reason })
  await store.changeCase(tx, caseRow.seq, { hasBlocked: 1 })
}

/** Undoes a decision: the post or comment is as before, and the case waits in its old position. */
async function reopen(decisionContext: DecisionContext): Promise<void> {
  const { context, viewer, caseRow, writerId } = decisionContext
  const { db: tx } = context
  const { decidedAt, hasBlocked } = caseRow
  if (caseRow.isWaiting === 1) return
  await returnToQueue(tx, caseRow)
  const isUnblocked = hasBlocked === 1 && writerId !== null
  if (isUnblocked) await setBlocked(context, writerId, false, { actor: viewer })
  await undoDecision(decisionContext)
  if (!isUnblocked) return
  await hideCommentsInBlog(context, tx, viewer, { userId: writerId, decidedAt, isHidden: false })
}

async function undoDecision({ context, viewer, caseRow }: DecisionContext): Promise<void> {
  const { postId, commentId, decision } = caseRow
  const { db: tx } = context
  if (decision === 'dismissed') return
  if (postId !== null) {
    await hidePost(context, viewer, postId, false)
    return
  }
  const listed = await lists.findListed(tx, context.avatarBucketId, caseRow.id)
  if (commentId === null || !listed) return
  if (decision === 'approved' || listed.status === 'rejected')
    return undoApproval(context, viewer, commentId)
  await updateComment(context, viewer, commentId, { status: 'shown' })
}

/**
 * Locks both users, always in the same order. @returns the viewer, re-read. @throws Refusal
 * `user_unauthorized`
 */
async function lockPeople(tx: Database, viewer: Viewer, otherId: string | null): Promise<Viewer> {
  const ownId = viewer.role === 'user' ? viewer.userId : ''
  for (const id of [ownId, otherId ?? ''].sort()) await lockUser(tx, id)
  if (viewer.role !== 'user') return viewer
  const user = await lockUser(tx, ownId)
  const isOperator = user && !user.isBlocked && roleIn(user) === 'operator'
  if (!isOperator) throw new Refusal('user_unauthorized')
  return { ...viewer, name: user.name, accountRole: 'operator' }
}
