// The rules of every change of a comment: who writes, edits, deletes, hides and closes. Each locks
// people, then the post, then its discussion. Independent of HTTP; SQL is in store.ts.

import { COMMENT_EDIT_SECONDS, type CommentDocument } from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { UNIQUE_ID } from '#contract/ids.ts'
import { lowerRole, roleIn } from '#contract/permissions.ts'
import { noteActivity } from '../activity/activity.ts'
import { refuseTaken } from '../database/database-errors.ts'
import { happen } from '../database/happenings.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser, publishOnCommit } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { readPublished, refuseBlocked } from '../posts/access.ts'
import type { SentData } from '../posts/attributes.ts'
import type { PostsContext } from '../posts/context.ts'
import { accessOf } from '../posts/post-serialiser.ts'
import { makeId, secondsBefore } from '../process/ids.ts'
import type { SiteNow } from '../site/site.ts'
import {
  canModerate,
  isClosed,
  isInScope,
  isOperating,
  isOwn,
  NEW_ACCOUNT_SECONDS,
  scopeOf,
  shownTo,
  toComment,
} from './access.ts'
import { readChange, readNewComment } from './comment-data.ts'
import { findComment } from './comment-list-store.ts'
import { render } from './rendered-text.ts'
import { digestOf } from './same-words.ts'
import * as store from './store.ts'

type Post = Awaited<ReturnType<typeof readPublished>>
/** A comment and its post, both locked, and the viewer as they are now. */
type Locked = {
  viewer: Viewer
  post: Post
  comment: store.StoredComment
  isDiscussionClosed: boolean
}

/** The same words of a person are refused for so long in all of the blog. */
const SAME_WORDS_SECONDS = 24 * 60 * 60

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
    const written = { content, discussionSeq: discussion.seq, exceptId: '' }
    const digest = await refuseRepeated(context, tx, writer, written)
    const time = now().toISOString()
    const standing = await standingOf(context, tx, viewer, { writer, post, site })
    await store.insertComment(tx, {
      id,
      discussionSeq: discussion.seq,
      parentId,
      userId: writer.id,
      place: await store.takePlace(tx, discussion.seq, parentId),
      status: standing.status,
      hasLinks: standing.hasLinks,
      digest,
      createdAt: time,
      updatedAt: time,
      content,
      ...render(content),
    })
    // Behind everything that may refuse it: the limit of a post is for what is accepted.
    count(postId)
    const about = { id, writerId: writer.id, postId, authorId: post.userId, repliedToId }
    const is = standing.status === 'waiting' ? 'waiting' : 'shown'
    await happen(tx, { kind: 'comment', is, isFirst: true, by: viewer, ...about })
    return announce(context, tx, viewer, post, { id, action: 'create' })
  }).catch((cause: unknown) => refuseTaken('document_already_exists', cause))
}

/** A reply to a reply joins the same level. */
async function findTopLevel(tx: Database, { seq }: store.Discussion, repliedTo: string) {
  if (repliedTo === '') return { parentId: '', repliedToId: null }
  const found = await store.findStored(tx, repliedTo)
  if (!found || found.discussionSeq !== seq || !found.isCounted)
    throw new Refusal('document_not_found')
  return { parentId: found.parentId || found.id, repliedToId: found.userId }
}

/** @returns the digest of the words. @throws Refusal `comment_duplicate` */
async function refuseRepeated(
  { now }: PostsContext,
  tx: Database,
  { id: userId }: UserRow,
  { content, ...where }: { content: string; discussionSeq: number; exceptId: string },
): Promise<string> {
  const digest = digestOf(content)
  const since = secondsBefore(now(), SAME_WORDS_SECONDS)
  if (await store.hasWritten(tx, { userId, digest, since, ...where }))
    throw new Refusal('comment_duplicate')
  return digest
}

/** Whether what a person writes is shown at once, and its links lead somewhere. */
async function standingOf(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { writer, post, site }: { writer: UserRow; post: Post; site: SiteNow },
) {
  if (canModerate(viewer, post)) return { status: 'shown', hasLinks: 1 }
  const hasLinks = Number(!isYoung(context, writer))
  const isNew = hasLinks === 0 || !(await store.hasShown(tx, writer.id))
  const isApproved = site.approveFirst === 'on' && site.isRegistrationOpen
  return isNew && isApproved ? { status: 'waiting', hasLinks: 0 } : { status: 'shown', hasLinks }
}

function isYoung({ now }: PostsContext, { createdAt }: UserRow): boolean {
  return createdAt > secondsBefore(now(), NEW_ACCOUNT_SECONDS)
}

/**
 * Its writer changes the words for a while; those who moderate hide it, or show it.
 *
 * @param reason for Activity, where operators hide
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
  // Operators decide cases in a transaction, in which the site is not read.
  if ('content' in change && (await context.site.read()).comments === 'off')
    throw new Refusal('comments_closed')
  return changeOne(context, viewer, id, async (tx, locked) => {
    const { viewer, post, comment } = locked
    if (comment.status === 'deleted') throw new Refusal('document_not_found')
    if ('isHidden' in change) {
      refuseUnlessModerator(viewer, post)
      await setHidden(context, tx, { ...locked, ...change, reason })
    } else await edit(context, tx, { ...locked, ...change })
    return announce(context, tx, viewer, post, { id, action: 'update' })
  })
}

/** What was approved stays so; new accounts have no links in what they change. */
async function edit(
  context: PostsContext,
  tx: Database,
  { viewer, post, comment, isDiscussionClosed, content }: Locked & { content: string },
): Promise<void> {
  const { id, userId, status, discussionSeq } = comment
  if (isDiscussionClosed) throw new Refusal('comments_closed')
  const writer = isOwn(viewer, comment) ? await lockUser(tx, userId ?? '') : undefined
  if (!writer || (status !== 'shown' && status !== 'waiting'))
    throw new Refusal('user_unauthorized')
  if (comment.createdAt < secondsBefore(context.now(), COMMENT_EDIT_SECONDS))
    throw new Refusal('comment_edit_expired')
  const written = { content, discussionSeq, exceptId: id }
  const digest = await refuseRepeated(context, tx, writer, written)
  const time = context.now().toISOString()
  const hasLinks = Number(
    status === 'shown' && (canModerate(viewer, post) || !isYoung(context, writer)),
  )
  await store.changeComments(tx, [id], {
    content,
    ...render(content),
    digest,
    hasLinks,
    editedAt: time,
    updatedAt: time,
  })
}

/** @throws Refusal `user_unauthorized` */
export function refuseUnlessModerator(viewer: Viewer, post: Post): void {
  if (!canModerate(viewer, post)) throw new Refusal('user_unauthorized')
}

/**
 * What an operator has hidden, the author of the post does not show again.
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
  }: Omit<Locked, 'isDiscussionClosed'> & { isHidden: boolean; reason?: string | undefined },
): Promise<void> {
  const { id, userId, status } = comment
  const updatedAt = now().toISOString()
  const isOperator = isOperating(viewer)
  const happening = await happeningOf(tx, { viewer, post, comment })
  const note = async (action: 'hidden' | 'shown' | 'approved') => {
    const told = {
      subject: { type: 'comment' as const, id, name: post.title },
      details: { reason },
    }
    if (isOperator) await noteActivity(tx, viewer, now(), { kind: 'comments', action, ...told })
  }
  if (isHidden) {
    if (status !== 'shown' && status !== 'waiting') return
    const hidden = status === 'shown' ? 'hidden' : 'rejected'
    const hiddenBy = isOperator ? 'operator' : 'author'
    const changes = { status: hidden, hiddenBy, hiddenAt: updatedAt, updatedAt, isCounted: 0 }
    await store.changeComments(tx, [id], changes)
    await note('hidden')
    return happen(tx, { ...happening, is: 'hidden', isByAuthor: !isOperator })
  }
  if (status === 'shown') return
  if (comment.hiddenBy === 'operator' && !isOperator) throw new Refusal('user_unauthorized')
  // Of a blocked person nothing counts.
  const isBlocked = userId !== null && (await lockUser(tx, userId))?.isBlocked === 1
  const changes = { status: 'shown', ...NOT_HIDDEN, updatedAt, isCounted: Number(!isBlocked) }
  // An approval opens the links of the comment; that of an operator all of its writer.
  const links = status === 'hidden' ? {} : { hasLinks: 1 }
  await store.changeComments(tx, [id], { ...changes, ...links })
  if (userId !== null && isOperator) await store.allowLinks(tx, userId)
  await note(status === 'hidden' ? 'shown' : 'approved')
  await happen(tx, { ...happening, is: 'shown', isFirst: status !== 'hidden' })
}

/** Hides a comment, or makes it what it was before: that it waits again is no approval. */
export async function setState(
  context: PostsContext,
  tx: Database,
  change: Omit<Locked, 'isDiscussionClosed'> & { isHidden: boolean },
): Promise<void> {
  const { comment, isHidden } = change
  if (isHidden || comment.status !== 'rejected') return setHidden(context, tx, change)
  await store.changeComments(tx, [comment.id], { status: 'waiting', ...NOT_HIDDEN })
  const happening = await happeningOf(tx, change)
  await happen(tx, { ...happening, is: 'waiting', isFirst: true })
}

async function happeningOf(
  tx: Database,
  { viewer, post, comment }: Pick<Locked, 'viewer' | 'post' | 'comment'>,
) {
  const { id, userId: writerId, parentId } = comment
  const parent = parentId === '' ? undefined : await store.findStored(tx, parentId)
  const about = { id, writerId, by: viewer, postId: post.id, authorId: post.userId }
  return { kind: 'comment' as const, ...about, repliedToId: parent?.userId ?? null }
}

const NOT_HIDDEN = { hiddenBy: '', hiddenAt: '' }
/** Takes the words and the links back to before an approval. */
const WAITING = { status: 'waiting', hasLinks: 0, isCounted: 0, ...NOT_HIDDEN }

/**
 * Takes an approval back, or the hiding of what was not approved.
 *
 * @throws as {@link updateComment}
 */
export async function letWait(context: PostsContext, viewer: Viewer, id: string): Promise<void> {
  await changeOne(context, viewer, id, async (tx, locked) => {
    refuseUnlessModerator(locked.viewer, locked.post)
    const { status } = locked.comment
    if (status !== 'shown' && status !== 'rejected') return
    const updatedAt = context.now().toISOString()
    // One that waits is seen by few: replies of others below it would go with it.
    const isAnswered = await store.hasReplies(tx, locked.comment)
    const hidden = { status: 'hidden', isCounted: 0, hiddenBy: 'operator', hiddenAt: updatedAt }
    await store.changeComments(tx, [id], { ...(isAnswered ? hidden : WAITING), updatedAt })
    await happen(tx, {
      ...(await happeningOf(tx, locked)),
      is: 'waiting',
      isFirst: false,
    })
    await announce(context, tx, viewer, locked.post, { id, action: 'update' })
  })
}

/**
 * Deletes a comment; one with replies stays as an empty one.
 *
 * @throws Refusal `document_not_found`, `user_unauthorized`, `user_blocked`
 */
export async function deleteComment(context: PostsContext, viewer: Viewer, id: string) {
  await changeOne(context, viewer, id, async (tx, { viewer, post, comment }) => {
    if (comment.status === 'deleted') throw new Refusal('document_not_found')
    if (!isOwn(viewer, comment) && !isOperating(viewer)) throw new Refusal('user_unauthorized')
    if (comment.parentId === '' && (await store.hasReplies(tx, comment))) {
      const updatedAt = context.now().toISOString()
      await store.changeComments(tx, [id], { ...store.ERASED, ...NOT_HIDDEN, updatedAt })
      await announce(context, tx, viewer, post, { id, action: 'update' })
    } else {
      await announce(context, tx, viewer, post, { id, action: 'delete' })
      await store.deleteComment(tx, id)
    }
  })
}

const FOLLOWING = 'All comments of this person are being changed. Try again in a moment.'
const RETRY = { headers: { 'retry-after': '2' } }

/** A change of one comment that the viewer sees. */
async function changeOne<Result>(
  { db, background }: PostsContext,
  sender: Viewer,
  id: string,
  work: (tx: Database, locked: Locked) => Promise<Result>,
): Promise<Result> {
  if (sender.role === 'guest') throw new Refusal('user_unauthorized')
  return inTransaction(db, background, async (tx) => {
    const { postId, userId } = (await store.findStored(tx, id)) ?? {}
    const viewer = await lockPeople(tx, sender, userId)
    if (!postId) throw new Refusal('document_not_found')
    const post = await readPublished(tx, viewer, postId, { isLocked: true })
    const { isClosed: isDiscussionClosed } = await store.lockDiscussion(tx, postId)
    const comment = await store.findStored(tx, id)
    if (comment?.postId !== postId || !isInScope(scopeOf(viewer, post), comment))
      throw new Refusal('document_not_found')
    if (comment.isFollowing) throw new Refusal('general_service_disabled', FOLLOWING, RETRY)
    return work(tx, { viewer, post, comment, isDiscussionClosed: isDiscussionClosed === 1 })
  })
}

/** Both in one order. @returns the viewer as they are now. @throws Refusal `user_blocked` */
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

/** Closes the comments of a post, or opens them. @throws as {@link updateComment} */
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
    await noteActivity(tx, viewer, now(), { kind: 'posts', action, subject })
  })
}

/** The answer to a change; those who listen hear of it once it is committed. */
export async function announce(
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
  const isOpen = !isClosed(row)
  const shown = toComment(context, row, false)
  const payload = action === 'delete' ? { ...shown, content: '' } : shown
  if (isOpen) publishOnCommit(tx, { ...about, payload, isOpen })
  // After it, so that they keep the words.
  if (!isOpen || row.status === 'hidden')
    publishOnCommit(tx, { ...about, payload: toComment(context, row, true), isOpen: false })
  return shownTo(context, viewer, post)(row)
}
