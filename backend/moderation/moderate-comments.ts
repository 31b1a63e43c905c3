// Hides and shows a comment, for the author of its post or an operator. A decision about a comment
// ends its case (open-cases.ts) in the same transaction.

import type { CommentDocument } from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { recordActivity } from '../activity/activity.ts'
import { hasOperatorRights } from '../comments/access.ts'
import { readChange } from '../comments/comment-data.ts'
import {
  changeComment,
  editComment,
  type LockedComment,
  NOT_HIDDEN,
  publishCommentEvent,
  refuseUnlessModerator,
} from '../comments/comments.ts'
import * as store from '../comments/store.ts'
import { emit } from '../database/domain-events.ts'
import type { Database } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import type { SentData } from '../posts/attributes.ts'
import { endCaseOf } from './open-cases.ts'

/**
 * Changes a comment: its writer may edit the text for a limited time, moderators may hide or show
 * it.
 *
 * @param reason an operator's reason, recorded in Activity
 * @throws Refusal `document_missing_payload`, `document_invalid_structure`, `document_not_found`,
 *   `user_unauthorized`, `user_blocked`, `comments_closed`, `comment_edit_expired`,
 *   `comment_duplicate`
 */
export async function updateComment(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  data: SentData,
  reason?: string,
): Promise<CommentDocument> {
  if (Object.keys(data).length === 0) throw new Refusal('document_missing_payload')
  const change = readChange(data)
  if ('content' in change) return editComment(context, viewer, id, change.content)
  return changeComment(context, viewer, id, async (tx, locked) => {
    const { viewer, post, comment } = locked
    if (comment.status === 'deleted') throw new Refusal('document_not_found')
    refuseUnlessModerator(viewer, post)
    await setHidden(context, tx, { ...locked, ...change, reason })
    return publishCommentEvent(context, tx, viewer, post, { id, action: 'update' })
  })
}

/**
 * Hides or shows a comment. The author of a post may not show what an operator has hidden.
 *
 * @throws Refusal `user_unauthorized`
 */
async function setHidden(
  { now }: PostsContext,
  tx: Database,
  {
    viewer,
    post,
    comment,
    isHidden,
    reason,
  }: Omit<LockedComment, 'isDiscussionClosed'> & { isHidden: boolean; reason?: string | undefined },
): Promise<void> {
  const { id, userId, status } = comment
  const updatedAt = now().toISOString()
  const isOperator = hasOperatorRights(viewer)
  const event = await eventOf(tx, { viewer, post, comment })
  const record = async (action: 'hidden' | 'shown' | 'approved') => {
    if (!isOperator) return
    await recordActivity(tx, viewer, now(), {
      kind: 'comments',
      action,
      subject: { type: 'comment', id, name: post.title },
      details: { reason },
    })
  }
  if (isHidden) {
    if (status !== 'shown' && status !== 'waiting') return
    const hidden = status === 'shown' ? 'hidden' : 'rejected'
    const hiddenBy = isOperator ? 'operator' : 'author'
    const changes = { status: hidden, hiddenBy, hiddenAt: updatedAt, updatedAt, isCounted: 0 }
    await store.changeComments(tx, [id], changes)
    await record('hidden')
    const outcome = { actor: viewer, isByAuthor: !isOperator, now: now() }
    await endCaseOf(tx, { postId: null, commentId: id }, { ...outcome, action: 'hidden' })
    return emit(tx, { ...event, state: 'hidden', isByAuthor: !isOperator })
  }
  if (status === 'shown') return
  if (comment.hiddenBy === 'operator' && !isOperator) throw new Refusal('user_unauthorized')
  // Comments of blocked users are not counted.
  const isBlocked = userId !== null && (await lockUser(tx, userId))?.isBlocked === 1
  const changes = { status: 'shown', ...NOT_HIDDEN, updatedAt, isCounted: Number(!isBlocked) }
  // An approval allows the links of this comment; an operator also allows those of all other
  // comments by its writer.
  const links = status === 'hidden' ? {} : { hasLinks: 1 }
  await store.changeComments(tx, [id], { ...changes, ...links })
  if (userId !== null && isOperator) await store.allowLinks(tx, userId)
  await record(status === 'hidden' ? 'shown' : 'approved')
  if (status !== 'hidden') {
    const outcome = { action: 'approved', actor: viewer, isByAuthor: false, now: now() }
    await endCaseOf(tx, { postId: null, commentId: id }, outcome)
  }
  await emit(tx, { ...event, state: 'shown', isFirst: status !== 'hidden' })
}

/** Hides a comment, or returns it to its previous state. Returning to "waiting" is no approval. */
export async function applyState(
  context: PostsContext,
  tx: Database,
  change: Omit<LockedComment, 'isDiscussionClosed'> & { isHidden: boolean },
): Promise<void> {
  const { comment, isHidden } = change
  if (isHidden || comment.status !== 'rejected') return setHidden(context, tx, change)
  await store.changeComments(tx, [comment.id], { status: 'waiting', ...NOT_HIDDEN })
  const event = await eventOf(tx, change)
  await emit(tx, { ...event, state: 'waiting', isFirst: true })
}

async function eventOf(
  tx: Database,
  { viewer, post, comment }: Pick<LockedComment, 'viewer' | 'post' | 'comment'>,
) {
  const { id, userId: writerId, parentId } = comment
  const parent = parentId === '' ? undefined : await store.findStored(tx, parentId)
  const about = { id, writerId, actor: viewer, postId: post.id, authorId: post.userId }
  return { kind: 'comment' as const, ...about, repliedToId: parent?.userId ?? null }
}

/** The state of a comment that waits for approval: its links do not work yet. */
const WAITING = { status: 'waiting', hasLinks: 0, isCounted: 0, ...NOT_HIDDEN }

/**
 * Undoes an approval, or the hiding of a comment that was not approved.
 *
 * @throws as {@link updateComment}
 */
export async function undoApproval(
  context: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await changeComment(context, viewer, id, async (tx, locked) => {
    refuseUnlessModerator(locked.viewer, locked.post)
    const { status } = locked.comment
    if (status !== 'shown' && status !== 'rejected') return
    const updatedAt = context.now().toISOString()
    // Few people see a waiting comment, so replies by others below it would disappear with it.
    const isAnswered = await store.hasReplies(tx, locked.comment)
    const hidden = { status: 'hidden', isCounted: 0, hiddenBy: 'operator', hiddenAt: updatedAt }
    await store.changeComments(tx, [id], { ...(isAnswered ? hidden : WAITING), updatedAt })
    await emit(tx, {
      ...(await eventOf(tx, locked)),
      state: 'waiting',
      isFirst: false,
    })
    await publishCommentEvent(context, tx, viewer, locked.post, { id, action: 'update' })
  })
}
