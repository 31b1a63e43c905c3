// Calls about comments (api.md §15.18).
import { Query } from 'appwrite'
import {
  COMMENTS_COLLECTION_ID,
  type CommentDocument,
  type CommentFormat,
  type CommentOrder,
  type CommentPage,
} from '#contract/comments.ts'
import type { CommentsQuery } from '#contract/post-url.ts'
import { type Api, callPath, type Result } from '../api/client.ts'
import { callCollection } from '../posts/posts-api.ts'

/**
 * A page of comments on the screen. If the server rendered it, the texts are only in the HTML. With
 * `isServed`, on a visitor's page, the comments themselves are only there, too.
 */
export type ShownComments = CommentPage & { isServed?: true }

export function readComments(
  api: Api,
  postId: string,
  query: CommentsQuery & { order: CommentOrder; texts?: CommentFormat },
): Promise<Result<CommentPage>> {
  return callCollection(api, 'get', `/documents/${postId}/comments`, query)
}

/** A page of the viewer's own comments, newest first. @param after id of the last comment shown */
export function listOwnComments(
  api: Api,
  { userId, size, after }: { userId: string; size: number; after: string | undefined },
): Promise<Result<{ total: number; documents: CommentDocument[] }>> {
  const queries = [Query.equal('userId', userId), Query.orderDesc('$createdAt'), Query.limit(size)]
  if (after !== undefined) queries.push(Query.cursorAfter(after))
  return callComments(api, 'get', '', { queries })
}

export type NewComment = { id: string; postId: string; parentId: string; content: string }

export function createComment(
  api: Api,
  { id, ...data }: NewComment,
): Promise<Result<CommentDocument>> {
  return callComments(api, 'post', '', { documentId: id, data })
}

export function readComment(api: Api, id: string): Promise<Result<CommentDocument>> {
  return callComments(api, 'get', `/${id}`)
}

export function updateComment(
  api: Api,
  id: string,
  data: { content: string } | { status: 'hidden' | 'shown' },
): Promise<Result<CommentDocument>> {
  return callComments(api, 'patch', `/${id}`, { data })
}

export function deleteComment(api: Api, id: string): Promise<Result<unknown>> {
  return callComments(api, 'delete', `/${id}`)
}

export function setCommentsClosed(
  api: Api,
  postId: string,
  closed: boolean,
): Promise<Result<unknown>> {
  return callCollection(api, 'patch', `/documents/${postId}/comments`, { closed })
}

/** Hides or shows all comments by one person on this post. */
export function setAllHidden(
  api: Api,
  postId: string,
  change: { userId: string; hidden: boolean },
): Promise<Result<unknown>> {
  return callCollection(api, 'patch', `/documents/${postId}/comments/hidden`, change)
}

function callComments<Value>(
  api: Api,
  method: string,
  path: string,
  values: object = {},
): Promise<Result<Value>> {
  const { databaseId } = api.settings
  const documents = `/databases/${databaseId}/collections/${COMMENTS_COLLECTION_ID}/documents`
  return callPath(api, method, documents + path, values)
}
