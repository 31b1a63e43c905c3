// Who may do what with the comments of a post that they may read (threat-model.md §5), and how one
// comment looks to them. Independent of HTTP.

import {
  COMMENTS_COLLECTION_ID,
  type CommentDocument,
  type CommentStatus,
} from '#contract/comments.ts'
import { wireTime } from '#contract/ids.ts'
import { isOperator, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { secondsBefore } from '../process/ids.ts'
import type { CommentRow, CommentScope } from './comment-list-store.ts'
import { applyHidings } from './hidden-state.ts'

/** An account is new for so long. */
export const NEW_ACCOUNT_SECONDS = 24 * 60 * 60
const DELETED_PERSON = 'deleted person'

/** The writer of a post, or of a comment. */
type Owned = { userId: string | null }

export function isOwn(viewer: Viewer, { userId }: Owned): boolean {
  return viewer.role === 'user' && viewer.userId === userId
}

/** Whether the viewer runs the blog. */
export function hasOperatorRights(viewer: Viewer): boolean {
  return viewer.role === 'key' || isOperator(viewer)
}

/** Hides and shows comments of others, closes them. */
export function canModerateComments(viewer: Viewer, post: Owned): boolean {
  return hasOperatorRights(viewer) || isOwn(viewer, post)
}

export function commentScopeOf(viewer: Viewer, post: Owned): CommentScope {
  if (canModerateComments(viewer, post)) return 'all'
  return { ownId: viewer.role === 'user' ? viewer.userId : undefined }
}

/** Only its writer and those who moderate know of such a comment. */
export function isUnapproved({ status }: { status: string }): boolean {
  return status === 'waiting' || status === 'rejected'
}

export function isInScope(scope: CommentScope, comment: { status: string } & Owned): boolean {
  if (scope === 'all' || !isUnapproved(comment)) return true
  return scope.ownId !== undefined && scope.ownId === comment.userId
}

/** As one viewer reads it; words and names that were hidden are for few. */
export function toComment(
  { databaseId, now }: PostsContext,
  stored: CommentRow,
  isInsider: boolean,
): CommentDocument {
  const row = applyHidings(stored, stored.hidings)
  // Of a blocked person all comments are hidden until that ends.
  const isOfBlocked = row.status === 'shown' && row.isBlocked === 1
  const isHidden = isOfBlocked || row.status === 'rejected'
  const status = isHidden ? 'hidden' : (row.status as CommentStatus)
  const isRead = status === 'shown' || (isInsider && status !== 'deleted')
  const isOld = row.userSince !== null && row.userSince < secondsBefore(now(), NEW_ACCOUNT_SECONDS)
  return {
    postId: row.postId ?? '',
    parentId: row.parentId,
    userId: isRead ? (row.userId ?? '') : '',
    userName: row.userId === null ? DELETED_PERSON : isRead ? (row.userName ?? '') : '',
    userAvatar: isRead ? (row.userAvatar ?? '') : '',
    content: isRead ? row.content : '',
    status,
    hiddenBy: isOfBlocked ? 'operator' : (row.hiddenBy as CommentDocument['hiddenBy']),
    hiddenAt: row.hiddenAt && wireTime(row.hiddenAt),
    hasLinks: row.hasLinks === 1 || (isOld && status === 'shown'),
    editedAt: row.editedAt && wireTime(row.editedAt),
    replies: row.replies,
    place: row.parentId === '' ? row.place : 0,
    $id: row.id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.updatedAt),
    $permissions: [],
    $databaseId: databaseId,
    $collectionId: COMMENTS_COLLECTION_ID,
  }
}

/** As a viewer reads a comment of this post. */
export function visibleTo(context: PostsContext, viewer: Viewer, post: Owned) {
  const isModerator = canModerateComments(viewer, post)
  return (row: CommentRow) => toComment(context, row, isModerator || isOwn(viewer, row))
}
