// Who reports what, and the cases that it makes. Independent of HTTP; SQL is in store.ts.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { NewReport, OwnReport, OwnReports, ReportReason } from '#contract/reports.ts'
import { readShown } from '../comments/read-comments.ts'
import { refuseTaken } from '../database/database-errors.ts'
import { type Doer, type Happening, happen } from '../database/happenings.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { readPublished, refuseBlocked } from '../posts/access.ts'
import type { PostsContext } from '../posts/context.ts'
import { readBatches } from '../process/batches.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './store.ts'

/** Own reports of one post that are listed. */
const OWN_MAX = 100
const BATCH = 50
/** Reports of a case whose writers are told, and whose reasons count. */
const TOLD_MAX = 500

/**
 * @throws Refusal `user_blocked`, `document_not_found` for what the viewer may not read,
 *   `report_own`, `report_already_exists`
 */
export async function createReport(
  context: PostsContext,
  viewer: UserViewer,
  sent: NewReport,
): Promise<OwnReport> {
  const { db, background, now } = context
  const { comments } = await context.site.read()
  const { postId, commentId = '', reason } = sent
  const words = (sent.words ?? '').toWellFormed().trim()
  if (commentId !== '' && comments === 'off') throw new Refusal('document_not_found')
  return inTransaction(db, background, async (tx) => {
    await refuseBlocked(tx, viewer)
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    const thing = commentId === '' ? post : await readShown(tx, postId, commentId)
    if (thing.userId === viewer.userId) throw new Refusal('report_own')
    const about: store.Thing =
      commentId === '' ? { postId, commentId: null } : { postId: null, commentId }
    const found = await openCase(tx, about, now())
    const report = { id: makeId(now().getTime()), caseSeq: found.seq, userId: viewer.userId }
    const more = { reason, words, createdAt: now().toISOString() }
    await store.addReport(tx, { ...report, ...more })
    await happen(tx, { kind: 'reported', caseId: found.id, postId, commentId, by: viewer })
    return toOwnReport({ ...report, ...more, postId, commentId, isWaiting: 1 })
  }).catch((cause: unknown) => refuseTaken('report_already_exists', cause))
}

/** The case of a thing, which waits from now on if it does not. Locked. */
async function openCase(tx: Database, about: store.Thing, now: Date): Promise<store.CaseRow> {
  const since = now.toISOString()
  const waiting = { isWaiting: 1, place: placeAt(now), since }
  await store.addCase(tx, { id: makeId(now.getTime()), ...waiting, ...about })
  const found = await store.lockCaseOf(tx, about)
  if (!found) throw new Error('A case that was just added is gone')
  if (found.isWaiting === 0) await store.changeCase(tx, found.seq, { ...waiting, ...UNDECIDED })
  return found
}

/** What a case has that waits. */
export const UNDECIDED = {
  decision: '',
  hasBlocked: 0,
  isByAuthor: 0,
  note: '',
  decidedById: '',
  decidedByName: '',
  decidedAt: '',
}

let placed = 0
/** Cases of the same millisecond have different places. */
export function placeAt(time: Date): number {
  placed = (placed + 1) % 1000
  return time.getTime() * 1000 + placed
}

/** The caller's own of a post and its comments. */
export async function listOwnReports(
  { db }: BaseContext,
  { userId }: UserViewer,
  postId: string,
): Promise<OwnReports> {
  const rows = await store.listOwnOfPost(db, userId, postId, OWN_MAX)
  return { total: rows.length, reports: rows.map(toOwnReport) }
}

/** All of a person, oldest first, for their archive. */
export async function* streamReportsOf({ db }: BaseContext, { userId }: UserViewer) {
  const read = (page: Parameters<typeof store.listOwn>[2]) => store.listOwn(db, userId, page)
  for await (const rows of readBatches<store.OwnReportRow>(BATCH, read))
    for (const row of rows) yield toOwnReport(row)
}

const FORGOTTEN_AT_ONCE = 200

/** Forgets who wrote some reports, if they are many. @returns whether few are left */
export async function removeManyReportsOf(tx: Database, userId: string): Promise<boolean> {
  return store.forgetSome(tx, userId, FORGOTTEN_AT_ONCE)
}

/** In the transaction that ends an account. */
export async function removeReportsOf(tx: Database, userId: string): Promise<void> {
  await store.forgetReporter(tx, userId)
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

// --- what happens elsewhere opens and ends cases

/** For `hearHappenings`. */
export async function noteInCases(
  { now }: BaseContext,
  tx: Database,
  happening: Happening,
): Promise<void> {
  if (happening.kind === 'comments') return noteManyInCases(tx, happening)
  if (happening.kind !== 'comment' && happening.kind !== 'post') return
  const { kind, id } = happening
  const about: store.Thing =
    kind === 'post' ? { postId: id, commentId: null } : { postId: null, commentId: id }
  if (happening.is === 'waiting') {
    // An approval that is taken back is a decision that is taken back: the rules of cases do it.
    if (happening.isFirst) await openCase(tx, about, now())
    return
  }
  const found = await store.lockCaseOf(tx, about)
  if (found?.isWaiting !== 1) return
  const isApproved = kind === 'comment' && happening.is === 'shown' && happening.isFirst
  if (happening.is !== 'hidden' && !isApproved) return
  const isByAuthor = kind === 'comment' && 'isByAuthor' in happening && happening.isByAuthor
  const action = happening.is === 'hidden' ? 'hidden' : 'approved'
  await endCase(tx, found, { action, by: happening.by, isByAuthor, now: now() })
}

/** At the moment of the decision: taking it back finds them by it. */
async function noteManyInCases(
  tx: Database,
  { is, ids, at, by }: Extract<Happening, { kind: 'comments' }>,
): Promise<void> {
  const ending = { action: 'hidden', by, isByAuthor: false, now: new Date(at) }
  if (is === 'hidden')
    for (const found of await store.listOfComments(tx, ids, { isWaiting: 1 }))
      await endCase(tx, found, ending)
  else
    for (const found of await store.listOfComments(tx, ids, { decidedAt: at }))
      await waitAgain(tx, found)
}

/** A decision is taken back: the case waits in its old place. */
export async function waitAgain(tx: Database, { seq, since }: store.CaseRow): Promise<void> {
  const waiting = { isWaiting: 1, place: placeAt(new Date(since)) }
  await store.changeCase(tx, seq, { ...UNDECIDED, ...waiting })
}

type Ending = { action: string; by: Doer; isByAuthor: boolean; now: Date }

/** A case is decided; those who reported are told. */
export async function endCase(tx: Database, found: store.CaseRow, ending: Ending) {
  const { action, by, isByAuthor, now } = ending
  await store.changeCase(tx, found.seq, {
    isWaiting: 0,
    place: placeAt(now),
    decision: action,
    decidedAt: now.toISOString(),
    isByAuthor: Number(isByAuthor),
    decidedById: by.role === 'user' ? by.userId : '',
    decidedByName: by.role === 'user' ? by.name : '',
  })
  const reports = await store.listReports(tx, found.seq, TOLD_MAX)
  const reporterIds = reports.flatMap(({ userId }) => userId ?? [])
  if (reporterIds.length === 0) return
  const about = { postId: found.postId ?? '', commentId: found.commentId ?? '' }
  await happen(tx, { kind: 'reviewed', caseId: found.id, ...about, reporterIds, by })
}

/** What the writer of a hidden thing is told: words of the operator, or the commonest reason. */
export async function reasonFor(tx: Database, about: store.Thing): Promise<string> {
  const found = await store.lockCaseOf(tx, about)
  if (!found) return ''
  if (found.note !== '') return found.note
  const counts = new Map<string, number>()
  for (const { reason } of await store.listReports(tx, found.seq, TOLD_MAX))
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? ''
}
