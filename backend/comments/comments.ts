// The rules for writing, editing and deleting comments, and for closing a discussion. Every change
// locks the users, then the post, then its discussion. Independent of HTTP; SQL is in store.ts.

import { COMMENT_EDIT_SECONDS, type CommentDocument } from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { UNIQUE_ID } from '#contract/ids.ts'
import { lowerRole, roleIn } from '#contract/permissions.ts'
import { recordActivity } from '../activity/activity.ts'
import { refuseIfTaken } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser, publishAfterCommit } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readPublished, refuseBlocked } from '../posts/access.ts'
import type { SentData } from '../posts/attributes.ts'
import { accessOf } from '../posts/post-events.ts'
import { makeId, secondsBefore } from '../process/ids.ts'
import type { SiteSnapshot } from '../site/site.ts'
import {
  canModerateComments,
  commentScopeOf,
  hasOperatorRights,
  isInScope,
  isOwn,
  isUnapproved,
  makeCommentSerialiser,
  NEW_ACCOUNT_SECONDS,
  toComment,
} from './access.ts'
import { readNewComment } from './comment-data.ts'
import { digestOf } from './comment-digest.ts'
import { renderContent } from './comment-html.ts'
import { findComment } from './comment-list-store.ts'
import * as store from './store.ts'

type Post = Awaited<ReturnType<typeof readPublished>>

/** A comment and its post, both locked, and the viewer with current rights. */
export type LockedComment = {
  viewer: Viewer
  post: Post
  comment: store.StoredComment
  isDiscussionClosed: boolean
}

/** How long the whole blog refuses the same text by the same user as a duplicate. */
const DUPLICATE_SECONDS = 24 * 60 * 60

/**
 * @param count counts the accepted comment for its post, and may refuse it
 * @throws Refusal `user_unauthorized`, `user_blocked`, `document_invalid_structure`,
 *   `document_not_found` for a missing post or parent, `comments_closed`, `comment_duplicate`,
 *   `document_already_exists`
 */
export async function createComment(
  context: PostsContext,
  viewer: Viewer,
  { documentId, data }: { documentId: string; data: SentData },
  count: (postId: string) => unknown,
): Promise<CommentDocument> {
  if (viewer.role !== 'user') throw new Refusal('user_unauthorized')
  const { userId = viewer.userId, postId, parentId: repliedTo, content } = readNewComment(data)
  if (userId !== viewer.userId) throw new Refusal('user_unauthorized')
  const { db, background, now } = context
  const site = await context.site.read()
  const id = documentId === UNIQUE_ID ? makeId(now().getTime()) : documentId
  return inTransaction(db, background, async (tx) => {
    const writer = await lockUser(tx, viewer.userId)
    if (!writer) throw new Refusal('user_unauthorized')
    if (writer.isBlocked) throw new Refusal('user_blocked')
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    if (site.comments === 'off') throw new Refusal('comments_closed')
    const discussion = await store.lockDiscussion(tx, postId)
    if (discussion.isClosed) throw new Refusal('comments_closed')
    const { parentId, repliedToId } = await findTopLevel(tx, discussion, repliedTo)
    const newText = { content, discussionSeq: discussion.seq, exceptId: '' }
    const digest = await refuseDuplicate(context, tx, writer, newText)
    const time = now().toISOString()
    const state = await findModerationState(context, tx, viewer, { writer, post, site })
    await store.insertComment(tx, {
      id,
      discussionSeq: discussion.seq,
      parentId,
      userId: writer.id,
      place: await store.takePosition(tx, discussion.seq, parentId),
      status: state.status,
      hasLinks: state.hasLinks,
      digest,
      createdAt: time,
      updatedAt: time,
      content,
      ...renderContent(content),
    })
    // After all checks, because the limit of a post counts only accepted comments.
    count(postId)
    const about = { id, writerId: writer.id, postId, authorId: post.userId, repliedToId }
    const eventState = state.status === 'waiting' ? 'waiting' : 'shown'
    await emit(tx, { kind: 'comment', state: eventState, isFirst: true, actor: viewer, ...about })
    return publishCommentEvent(context, tx, viewer, post, { id, action: 'create' })
  }).catch((cause: unknown) => refuseIfTaken('document_already_exists', cause))
}

/** The top-level comment above a reply; a reply to a reply belongs to the same one. */
async function findTopLevel(tx: Database, { seq }: store.Discussion, repliedTo: string) {
  if (repliedTo === '') return { parentId: '', repliedToId: null }
  const repliedToComment = await store.findStored(tx, repliedTo)
  if (!repliedToComment || repliedToComment.discussionSeq !== seq || !repliedToComment.isCounted)
    throw new Refusal('document_not_found')
  return {
    parentId: repliedToComment.parentId || repliedToComment.id,
    repliedToId: repliedToComment.userId,
  }
}

/** @returns the digest of the text. @throws Refusal `comment_duplicate` */
async function refuseDuplicate(
  { now }: PostsContext,
  tx: Database,
  { id: userId }: UserRow,
  { content, ...where }: { content: string; discussionSeq: number; exceptId: string },
): Promise<string> {
  const digest = digestOf(content)
  const since = secondsBefore(now(), DUPLICATE_SECONDS)
  if (await store.hasDuplicate(tx, { userId, digest, since, ...where }))
    throw new Refusal('comment_duplicate')
  return digest
}

/** Whether a new comment is shown at once, and whether its links work. */
async function findModerationState(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { writer, post, site }: { writer: UserRow; post: Post; site: SiteSnapshot },
) {
  if (canModerateComments(viewer, post)) return { status: 'shown', hasLinks: 1 }
  const hasLinks = Number(!isNewAccount(context, writer))
  const isNew = hasLinks === 0 || !(await store.hasShownComment(tx, writer.id))
  const needsApproval = site.approveFirst === 'on' && site.isRegistrationOpen
  return isNew && needsApproval ? { status: 'waiting', hasLinks: 0 } : { status: 'shown', hasLinks }
}

function isNewAccount({ now }: PostsContext, { createdAt }: UserRow): boolean {
  return createdAt > secondsBefore(now(), NEW_ACCOUNT_SECONDS)
}

/**
 * @throws Refusal `document_not_found`, `user_unauthorized`, `user_blocked`, `comments_closed`,
 *   `comment_edit_expired`, `comment_duplicate`
 */
export async function editComment(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  content: string,
): Promise<CommentDocument> {
  if ((await context.site.read()).comments === 'off') throw new Refusal('comments_closed')
  return changeComment(context, viewer, id, async (tx, locked) => {
    if (locked.comment.status === 'deleted') throw new Refusal('document_not_found')
    await edit(context, tx, { ...locked, content })
    return publishCommentEvent(context, tx, locked.viewer, locked.post, { id, action: 'update' })
  })
}

/** An approved comment stays approved; the links of new accounts stop working after an edit. */
export async function edit(
  context: PostsContext,
  tx: Database,
  { viewer, post, comment, isDiscussionClosed, content }: LockedComment & { content: string },
): Promise<void> {
  const { id, userId, status, discussionSeq } = comment
  if (isDiscussionClosed) throw new Refusal('comments_closed')
  const writer = isOwn(viewer, comment) ? await lockUser(tx, userId ?? '') : undefined
  if (!writer || (status !== 'shown' && status !== 'waiting'))
    throw new Refusal('user_unauthorized')
  if (comment.createdAt < secondsBefore(context.now(), COMMENT_EDIT_SECONDS))
    throw new Refusal('comment_edit_expired')
  const newText = { content, discussionSeq, exceptId: id }
  const digest = await refuseDuplicate(context, tx, writer, newText)
  const time = context.now().toISOString()
  const hasLinks = Number(
    status === 'shown' && (canModerateComments(viewer, post) || !isNewAccount(context, writer)),
  )
  await store.changeComments(tx, [id], {
    content,
    ...renderContent(content),
    digest,
    hasLinks,
    editedAt: time,
    updatedAt: time,
  })
}

/** @throws Refusal `user_unauthorized` */
export function refuseUnlessModerator(viewer: Viewer, post: Post): void {
  if (!canModerateComments(viewer, post)) throw new Refusal('user_unauthorized')
}

/**
 * Deletes a comment. A comment with replies remains, without its text.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `user_blocked`
 */
export async function deleteComment(context: PostsContext, viewer: Viewer, id: string) {
  await changeComment(context, viewer, id, async (tx, { viewer, post, comment }) => {
    if (comment.status === 'deleted') throw new Refusal('document_not_found')
    if (!isOwn(viewer, comment) && !hasOperatorRights(viewer))
      throw new Refusal('user_unauthorized')
    if (comment.parentId === '' && (await store.hasReplies(tx, comment))) {
      const updatedAt = context.now().toISOString()
      await store.changeComments(tx, [id], { ...store.ERASED, ...NOT_HIDDEN, updatedAt })
      await publishCommentEvent(context, tx, viewer, post, { id, action: 'update' })
    } else {
      await publishCommentEvent(context, tx, viewer, post, { id, action: 'delete' })
      await store.deleteComment(tx, id)
    }
  })
}

const BEING_UPDATED = 'All comments of this person are being changed. Try again in a moment.'

const RETRY = { headers: { 'retry-after': '2' } }

/** Runs a change of a comment that the viewer can see, in a transaction with all locks. */
export async function changeComment<Result>(
  { db, background }: PostsContext,
  sender: Viewer,
  id: string,
  work: (tx: Database, locked: LockedComment) => Promise<Result>,
): Promise<Result> {
  if (sender.role === 'guest') throw new Refusal('user_unauthorized')
  return inTransaction(db, background, async (tx) => {
    const { postId, userId } = (await store.findStored(tx, id)) ?? {}
    const viewer = await lockPeople(tx, sender, userId)
    if (!postId) throw new Refusal('document_not_found')
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    const { isClosed: isDiscussionClosed } = await store.lockDiscussion(tx, postId)
    const comment = await store.findStored(tx, id)
    if (comment?.postId !== postId || !isInScope(commentScopeOf(viewer, post), comment))
      throw new Refusal('document_not_found')
    if (comment.isBeingUpdated) throw new Refusal('general_service_disabled', BEING_UPDATED, RETRY)
    return work(tx, { viewer, post, comment, isDiscussionClosed: isDiscussionClosed === 1 })
  })
}

/**
 * Locks both users, always in the same order.
 *
 * @returns the viewer with current rights
 * @throws Refusal `user_blocked`
 */
export async function lockPeople(
  tx: Database,
  viewer: Viewer,
  otherId?: string | null,
): Promise<Viewer> {
  const ids = [viewer.role === 'user' ? viewer.userId : '', otherId ?? '']
  for (const id of ids.sort()) await lockUser(tx, id)
  const user = await refuseBlocked(tx, viewer)
  if (!user || viewer.role !== 'user') return viewer
  return { ...viewer, accountRole: lowerRole(viewer.accountRole, roleIn(user)) }
}

/**
 * Closes the comments of a post, or opens them.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `user_blocked`
 */
export async function closeComments(
  { db, background, now }: PostsContext,
  sender: Viewer,
  postId: string,
  isClosed: boolean,
): Promise<void> {
  await inTransaction(db, background, async (tx) => {
    const viewer = await lockPeople(tx, sender)
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    refuseUnlessModerator(viewer, post)
    await store.closeDiscussion(tx, (await store.lockDiscussion(tx, postId)).seq, isClosed)
    if (isOwn(viewer, post)) return
    const action = isClosed ? 'closed' : 'opened'
    const subject = { type: 'post', id: post.id, name: post.title } as const
    await recordActivity(tx, viewer, now(), { kind: 'posts', action, subject })
  })
}

/** Publishes an event after the commit. @returns the comment as the viewer sees it */
export async function publishCommentEvent(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  post: Post,
  { id, action }: { id: string; action: 'create' | 'update' | 'delete' },
): Promise<CommentDocument> {
  const row = await findComment(tx, id, context.avatarBucketId)
  if (!row) throw new Refusal('document_not_found')
  const about = {
    kind: 'comment' as const,
    action,
    id,
    access: accessOf(post),
    postId: post.id,
    writerId: row.userId,
  }
  const isOpen = !isUnapproved(row)
  const publicComment = toComment(context, row, false)
  const payload = action === 'delete' ? { ...publicComment, content: '' } : publicComment
  if (isOpen) publishAfterCommit(tx, { ...about, payload, isOpen })
  // After the public event, so that the writer and moderators end up with the text.
  if (!isOpen || row.status === 'hidden')
    publishAfterCommit(tx, { ...about, payload: toComment(context, row, true), isOpen: false })
  return makeCommentSerialiser(context, viewer, post)(row)
}

export const NOT_HIDDEN = { hiddenBy: '', hiddenAt: '' }
