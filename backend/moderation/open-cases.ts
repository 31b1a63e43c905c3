// Opens and ends cases. The first report of a post or comment opens its case, and so does a comment
// that waits for approval.
import { type Actor, type DomainEvent, emit } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { makeId } from '../process/ids.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './reports-store.ts'

let positionsUsed = 0

/** Opens the case of a post or comment, unless it waits already. Locks the case. */
export async function openCase(
  tx: Database,
  about: store.CaseSubject,
  now: Date,
): Promise<store.CaseRow> {
  const since = now.toISOString()
  const waiting = { isWaiting: 1, place: positionAt(now), since }
  await store.addCase(tx, { id: makeId(now.getTime()), ...waiting, ...about })
  const caseRow = await store.lockCaseOf(tx, about)
  if (!caseRow) throw new Error('A case that was just added is gone')
  if (caseRow.isWaiting === 0) await store.changeCase(tx, caseRow.seq, { ...waiting, ...UNDECIDED })
  return caseRow
}

/** The columns of a decision while the case is undecided. */
export const UNDECIDED = {
  decision: '',
  hasBlocked: 0,
  isByAuthor: 0,
  note: '',
  decidedById: '',
  decidedByName: '',
  decidedAt: '',
}

/** Cases of the same millisecond have different positions. */
export function positionAt(time: Date): number {
  positionsUsed = (positionsUsed + 1) % 1000
  return time.getTime() * 1000 + positionsUsed
}

// --- cases that are opened and ended by other rules

/** Opens a case for a new comment that waits for approval. */
export async function openCaseForApproval(
  { now }: BaseContext,
  tx: Database,
  event: DomainEvent,
): Promise<void> {
  // When an approval is undone, `reopen` makes the case wait again.
  if (event.kind === 'comment' && event.state === 'waiting' && event.isFirst)
    await openCase(tx, { postId: null, commentId: event.id }, now())
}

/** Ends the case of a post or comment, if one waits. */
export async function endCaseOf(
  tx: Database,
  about: store.CaseSubject,
  outcome: CaseOutcome,
): Promise<void> {
  const caseRow = await store.lockCaseOf(tx, about)
  if (caseRow?.isWaiting === 1) await endCase(tx, caseRow, outcome)
}

/** Ends the cases of comments of one user that were hidden at the same time. */
export async function endCasesOfComments(
  tx: Database,
  ids: string[],
  { at, actor }: { at: string; actor: Actor },
): Promise<void> {
  const outcome = { action: 'hidden', actor, isByAuthor: false, now: new Date(at) }
  for (const caseRow of await store.listCasesOfComments(tx, ids, { isWaiting: 1 }))
    await endCase(tx, caseRow, outcome)
}

/** Returns the cases of these comments that were decided at this time to the queue. */
export async function reopenCasesOfComments(tx: Database, ids: string[], at: string) {
  for (const caseRow of await store.listCasesOfComments(tx, ids, { decidedAt: at }))
    await returnToQueue(tx, caseRow)
}

/** Undoes a decision: the case waits in its old position. */
export async function returnToQueue(tx: Database, { seq, since }: store.CaseRow): Promise<void> {
  const waiting = { isWaiting: 1, place: positionAt(new Date(since)) }
  await store.changeCase(tx, seq, { ...UNDECIDED, ...waiting })
}

type CaseOutcome = { action: string; actor: Actor; isByAuthor: boolean; now: Date }

/** Ends a decided case, and notifies the reporters. */
export async function endCase(tx: Database, caseRow: store.CaseRow, outcome: CaseOutcome) {
  const { action, actor, isByAuthor, now } = outcome
  await store.changeCase(tx, caseRow.seq, {
    isWaiting: 0,
    place: positionAt(now),
    decision: action,
    decidedAt: now.toISOString(),
    isByAuthor: Number(isByAuthor),
    decidedById: actor.role === 'user' ? actor.userId : '',
    decidedByName: actor.role === 'user' ? actor.name : '',
  })
  const reports = await store.listReports(tx, caseRow.seq, REPORTERS_NOTIFIED_MAX)
  const reporterIds = reports.flatMap(({ userId }) => userId ?? [])
  if (reporterIds.length === 0) return
  const about = { postId: caseRow.postId ?? '', commentId: caseRow.commentId ?? '' }
  await emit(tx, { kind: 'reviewed', caseId: caseRow.id, ...about, reporterIds, actor })
}

/** The reason shown to the writer: the operator's words, or the most frequent reported reason. */
export async function reasonFor(tx: Database, about: store.CaseSubject): Promise<string> {
  const caseRow = await store.lockCaseOf(tx, about)
  if (!caseRow) return ''
  if (caseRow.note !== '') return caseRow.note
  const counts = new Map<string, number>()
  for (const { reason } of await store.listReports(tx, caseRow.seq, REPORTERS_NOTIFIED_MAX))
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a)
  return mostFrequent?.[0] ?? ''
}

/** Reports of a case that are read to notify the reporters and to count the reasons. */
const REPORTERS_NOTIFIED_MAX = 500
