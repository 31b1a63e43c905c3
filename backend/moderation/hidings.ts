// Hides all comments by a user, and shows them again. A decision is one row, which the queries for
// readers check, so it takes effect at once. Small transactions then apply it to the comments, in
// any process and with other writers in between; after a crash, the work continues from the
// position in the row. Each transaction locks the user, then the decision, the post and the
// discussion.

import { Refusal } from '#contract/errors.ts'
import { hasOperatorRights } from '../comments/access.ts'
import * as comments from '../comments/comments.ts'
import { type Hiding, stateAfter } from '../comments/hidden-state.ts'
import * as store from '../comments/store.ts'
import type { Actor } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { afterCommitOf, databaseOf, inTransaction, lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { MODERATOR, readPublished } from '../posts/access.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { makeOneAtATime } from '../process/one-at-a-time.ts'
import * as hidings from './hidings-store.ts'
import { applyState } from './moderate-comments.ts'
import { endCasesOfComments, reopenCasesOfComments } from './open-cases.ts'

/** Comments that one transaction updates. */
const BATCH = 50
/** Decisions that may be pending, not yet applied to all of their comments. */
const PENDING_MAX = 100
/** Comments of a decision that get a realtime event. */
const EVENTS_MAX = 100
/** The `seq` of the last updated comment, and the number of published events. */
type Progress = Pick<Hiding, 'position' | 'announced'>

/**
 * Hides all comments by a user on a post, or shows again those that such a decision hid last.
 *
 * @returns the number of changed comments
 * @throws as `updateComment`, and Refusal `general_service_disabled` when too many decisions are
 *   pending
 */
export async function hideCommentsOnPost(
  context: PostsContext,
  sender: Viewer,
  postId: string,
  { userId, isHidden }: { userId: string; isHidden: boolean },
): Promise<number> {
  return inTransaction(context.db, context.background, async (tx) => {
    const viewer = await comments.lockPeople(tx, sender, userId)
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    comments.refuseUnlessModerator(viewer, post)
    const { seq: discussionSeq } = await store.lockDiscussion(tx, postId)
    const scope = { userId, discussionSeq }
    const yieldToEventLoop = makeYieldToEventLoop()
    const { decidedAt, changed } = isHidden
      ? await findOpen(context, tx, scope)
      : await findHiddenLast(tx, scope, !hasOperatorRights(viewer))
    await yieldToEventLoop()
    if (changed > 0)
      await decide(context, tx, viewer, { ...scope, decidedAt, action: isHidden ? 'hide' : 'show' })
    return changed
  })
}

/**
 * Hides all comments by a user in the whole blog, or shows again the ones that an operator hid at
 * `decidedAt`. The user must be locked.
 */
export async function hideCommentsInBlog(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { userId, decidedAt, isHidden }: { userId: string; decidedAt: string; isHidden: boolean },
): Promise<void> {
  const action = isHidden ? 'hide' : 'show'
  await decide(context, tx, viewer, { userId, discussionSeq: null, decidedAt, action })
}

type Scope = Pick<Hiding, 'userId'> & { discussionSeq: number }

/** The number of comments to hide, without those that a pending decision will hide. */
async function findOpen({ now }: PostsContext, tx: Database, scope: Scope) {
  const earlier = await listCovering(tx, scope, 'hide')
  const afterSeq = Math.max(0, ...earlier.map(({ lastSeq }) => lastSeq))
  const range = { ...scope, afterSeq, lastSeq: Number.MAX_SAFE_INTEGER }
  return { decidedAt: now().toISOString(), changed: await hidings.countOpen(tx, range) }
}

/** The time of the decision to undo, and the number of comments that it hid or will hide. */
async function findHiddenLast(tx: Database, scope: Scope, isByAuthor: boolean) {
  const hidden = { ...scope, isByAuthor }
  const covering = await listCovering(tx, scope, 'hide')
  const pending = covering.filter(({ hiddenBy }) => !isByAuthor || hiddenBy === 'author')
  const pendingTimes = pending.map((hiding) => hiding.decidedAt)
  const decidedAt = [await hidings.findLastHidden(tx, hidden), ...pendingTimes].sort().at(-1) ?? ''
  const pendingShows = await listCovering(tx, scope, 'show')
  if (decidedAt === '' || pendingShows.some((hiding) => hiding.decidedAt === decidedAt))
    return { decidedAt, changed: 0 }
  let changed = await hidings.countHiddenAt(tx, decidedAt, hidden)
  for (const { position: afterSeq, lastSeq } of pending.filter(
    (hiding) => hiding.decidedAt === decidedAt,
  ))
    changed += await hidings.countOpen(tx, { ...scope, afterSeq, lastSeq })
  return { decidedAt, changed }
}

async function listCovering(tx: Database, { userId, discussionSeq }: Scope, action: string) {
  const pending = await hidings.listHidingsOf(tx, userId)
  return pending.filter(
    (hiding) =>
      hiding.action === action &&
      (hiding.discussionSeq === null || hiding.discussionSeq === discussionSeq),
  )
}

type Decision = Pick<Hiding, 'action' | 'userId' | 'discussionSeq' | 'decidedAt'>

/** Updates the first batch of comments in the same transaction; most users have no more. */
async function decide(context: PostsContext, tx: Database, viewer: Viewer, decision: Decision) {
  const lastSeq = await hidings.findLastSeq(tx, decision.userId)
  if (lastSeq === undefined) return
  const pending = await hidings.listHidings(tx, PENDING_MAX)
  if (pending.length === PENDING_MAX)
    throw new Refusal('general_service_disabled', 'Too much is being hidden. Try again later.', {
      headers: { 'retry-after': '10' },
    })
  const hiding = await hidings.addHiding(tx, {
    ...decision,
    lastSeq,
    hiddenBy: hasOperatorRights(viewer) ? hiddenByOperator(decision) : 'author',
    actorId: viewer.role === 'user' ? viewer.userId : '',
    actorName: viewer.role === 'user' ? viewer.name : '',
  })
  const isNext = !pending.some(
    ({ userId, action }) => userId === decision.userId && action !== 'count',
  )
  if (!isNext || !(await applyBatch(context, tx, hiding))) continueLater(context, tx)
}

/**
 * The `hiddenBy` of a decision by an operator. Showing comments on a post also shows those that its
 * author hid.
 */
function hiddenByOperator({ action, discussionSeq }: Decision): string {
  return action === 'show' && discussionSeq !== null ? 'anyone' : 'operator'
}

/** Called after a block or unblock, which a trigger has recorded. The user must be locked. */
export async function recountCommentsOf(context: PostsContext, tx: Database, userId: string) {
  const pending = await hidings.listHidingsOf(tx, userId)
  const counting = pending.find(({ action }) => action === 'count')
  if (counting && !(await applyBatch(context, tx, counting))) continueLater(context, tx)
}

function continueLater(context: PostsContext, tx: Database): void {
  const later = { ...context, db: databaseOf(tx) }
  afterCommitOf(tx)('hiding of comments', () => applyAllHidings(later))
}

const oneAtATime = makeOneAtATime()

/**
 * Updates comments until all decisions are applied; decisions about one user are applied in order.
 * In each process only one call runs at a time, and holds at most one connection.
 */
export function applyAllHidings(context: PostsContext, stopping?: AbortSignal): Promise<void> {
  return oneAtATime(context.db, () => applyOneByOne(context, stopping))
}

async function applyOneByOne(context: PostsContext, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    const pending = await hidings.listHidings(context.db, PENDING_MAX)
    if (pending.length === 0) return
    const firstByUser = new Map(pending.toReversed().map(({ userId, seq }) => [userId, seq]))
    for (const [userId, seq] of firstByUser) {
      if (stopping?.aborted) return
      await inTransaction(context.db, context.background, async (tx) => {
        await lockUser(tx, userId)
        const hiding = await hidings.lockHiding(tx, seq)
        if (hiding) await applyBatch(context, tx, hiding)
      })
    }
  }
}

/** Applies a decision to one batch of comments. @returns whether it was the last */
async function applyBatch(context: PostsContext, tx: Database, hiding: Hiding): Promise<boolean> {
  const rows = await hidings.listNext(tx, hiding, BATCH)
  const progress = rows.length > 0 ? await applyToComments(context, tx, hiding, rows) : hiding
  const isDone = rows.length < BATCH
  if (isDone) await hidings.deleteHiding(tx, hiding.seq)
  else await hidings.changeHiding(tx, hiding.seq, progress)
  return isDone
}

async function applyToComments(
  context: PostsContext,
  tx: Database,
  hiding: Hiding,
  rows: store.StoredComment[],
): Promise<Progress> {
  const { discussionSeq, userId } = hiding
  if (discussionSeq !== null) return applyOnPost(context, tx, { ...hiding, discussionSeq }, rows)
  await hidings.lockDiscussions(tx, rows)
  if (hiding.action === 'count') {
    const seqs = rows.map(({ seq }) => seq)
    await hidings.recount(tx, userId, seqs)
  } else await applyInBlog(tx, hiding, rows)
  return { announced: 0, position: rows.at(-1)?.seq ?? hiding.position }
}

/** Applies a decision about the whole blog. The writer is not notified of each comment. */
async function applyInBlog(tx: Database, hiding: Hiding, rows: store.StoredComment[]) {
  const isBlocked = (await lockUser(tx, hiding.userId))?.isBlocked === 1
  const changed = Map.groupBy(rows, (row) => stateAfter(hiding, row)?.status)
  changed.delete(undefined)
  for (const [status, [first, ...others]] of changed) {
    const state = first && stateAfter(hiding, first)
    if (!state) continue
    const ids = [first.id, ...others.map(({ id }) => id)]
    const isCounted = Number(status === 'shown' && !isBlocked)
    const time = hiding.action === 'hide' ? { updatedAt: hiding.decidedAt } : {}
    await store.changeComments(tx, ids, { ...state, ...time, isCounted })
  }
  const ids = [...changed.values()].flat().map(({ id }) => id)
  const at = hiding.decidedAt
  if (hiding.action === 'hide') await endCasesOfComments(tx, ids, { at, actor: actorOf(hiding) })
  else await reopenCasesOfComments(tx, ids, at)
}

async function applyOnPost(
  context: PostsContext,
  tx: Database,
  hiding: Hiding & { discussionSeq: number },
  rows: store.StoredComment[],
): Promise<Progress> {
  const at = new Date(hiding.decidedAt)
  const isHidden = hiding.action === 'hide'
  // Hidden comments get the time of the decision; comments that are shown again, the current time.
  const contextOfDecision = isHidden ? { ...context, now: () => at } : context
  const post = await findPost(tx, hiding.discussionSeq)
  if (post) await store.lockDiscussion(tx, post.id)
  const viewer = actorOf(hiding)
  const yieldToEventLoop = makeYieldToEventLoop()
  let { announced } = hiding
  for (const comment of rows) {
    await yieldToEventLoop()
    const state = stateAfter(hiding, comment)
    if (state && post) {
      await applyState(contextOfDecision, tx, { viewer, post, comment, isHidden })
      if (announced++ < EVENTS_MAX)
        await comments.publishCommentEvent(context, tx, viewer, post, {
          id: comment.id,
          action: 'update',
        })
    } else if (state) {
      const isBlocked = (await lockUser(tx, hiding.userId))?.isBlocked === 1
      const isCounted = Number(state.status === 'shown' && !isBlocked)
      await store.changeComments(tx, [comment.id], { ...state, isCounted })
    }
  }
  return { announced, position: rows.at(-1)?.seq ?? hiding.position }
}

/** Undefined while nobody may read the comments of the post: deleted, a draft, or hidden. */
async function findPost(tx: Database, discussionSeq: number) {
  const postId = await hidings.findPostId(tx, discussionSeq)
  if (postId === undefined) return undefined
  return await readPublished(tx, MODERATOR, postId, { isLocked: true }).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
}

/** The user who decided, with the rights at that time. */
function actorOf({ actorId, actorName, hiddenBy }: Hiding): Viewer & Actor {
  if (actorId === '') return { role: 'key' }
  return {
    role: 'user',
    userId: actorId,
    name: actorName,
    email: '',
    isVerified: true,
    accountRole: hiddenBy === 'author' ? 'author' : 'operator',
    sessionId: '',
  }
}
