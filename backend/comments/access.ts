// Rights on the comments of a readable post (threat-model.md §5), and comments as one viewer sees
// them. Independent of HTTP.

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

/** How long an account counts as new. */
export const NEW_ACCOUNT_SECONDS = 24 * 60 * 60
const DELETED_PERSON = 'deleted person'

/** A post or comment with its writer. */
type Owned = { userId: string | null }

export function isOwn(viewer: Viewer, { userId }: Owned): boolean {
  return viewer.role === 'user' && viewer.userId === userId
}

/** Whether the viewer is an operator or the API key. */
export function hasOperatorRights(viewer: Viewer): boolean {
  return viewer.role === 'key' || isOperator(viewer)
}

/** Whether the viewer may hide and show the comments of a post, and close them. */
export function canModerateComments(viewer: Viewer, post: Owned): boolean {
  return hasOperatorRights(viewer) || isOwn(viewer, post)
}

export function commentScopeOf(viewer: Viewer, post: Owned): CommentScope {
  if (canModerateComments(viewer, post)) return 'all'
  return { ownId: viewer.role === 'user' ? viewer.userId : undefined }
}

/** Waiting or rejected: only its writer and moderators can see the comment. */
export function isUnapproved({ status }: { status: string }): boolean {
  return status === 'waiting' || status === 'rejected'
}

export function isInScope(scope: CommentScope, comment: { status: string } & Owned): boolean {
  if (scope === 'all' || !isUnapproved(comment)) return true
  return scope.ownId !== undefined && scope.ownId === comment.userId
}

/** @param mayReadHidden whether the viewer may read a hidden comment and its writer's name */
export function toComment(
  { databaseId, now }: PostsContext,
  stored: CommentRow,
  mayReadHidden: boolean,
): CommentDocument {
  const row = applyHidings(stored, stored.hidings)
  // All comments by a blocked user are hidden until the block ends.
  const isByBlockedUser = row.status === 'shown' && row.isBlocked === 1
  const isHidden = isByBlockedUser || row.status === 'rejected'
  const status = isHidden ? 'hidden' : (row.status as CommentStatus)
  const isReadable = status === 'shown' || (mayReadHidden && status !== 'deleted')
  const isImported = row.importedName !== null
  const isEstablishedAccount =
    row.userSince !== null && row.userSince < secondsBefore(now(), NEW_ACCOUNT_SECONDS)
  return {
    postId: row.postId ?? '',
    parentId: row.parentId,
    userId: isReadable ? (row.userId ?? '') : '',
    userName: nameOfWriter(row, isReadable),
    ...(isImported && isReadable ? { imported: true } : {}),
    userAvatar: isReadable ? (row.userAvatar ?? '') : '',
    content: isReadable ? row.content : '',
    status,
    hiddenBy: isByBlockedUser ? 'operator' : (row.hiddenBy as CommentDocument['hiddenBy']),
    hiddenAt: row.hiddenAt && wireTime(row.hiddenAt),
    hasLinks: row.hasLinks === 1 || (isEstablishedAccount && status === 'shown'),
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

function nameOfWriter(row: CommentRow, isReadable: boolean): string {
  const hasName = row.userId !== null || (row.importedName !== null && row.status !== 'deleted')
  if (!hasName) return DELETED_PERSON
  return isReadable ? (row.importedName ?? row.userName ?? '') : ''
}

/** Returns a function that serialises comments of this post as the viewer sees them. */
export function makeCommentSerialiser(context: PostsContext, viewer: Viewer, post: Owned) {
  const isModerator = canModerateComments(viewer, post)
  return (row: CommentRow) => toComment(context, row, isModerator || isOwn(viewer, row))
}
