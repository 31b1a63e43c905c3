// HTTP routes for comments (api.md §15.18): parameters in, answers out. Comments are the documents
// of their own collection; the page of comments is a call about its post.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import {
  COMMENT_FORMATS,
  COMMENT_ORDERS,
  COMMENTS_COLLECTION_ID,
  type CommentDocument,
} from '#contract/comments.ts'
import { Refusal } from '#contract/errors.ts'
import { UNIQUE_ID } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { tagOfPost, tagOfUser } from '../database/cache-tags.ts'
import { call, listOf, NO_BODY, OBJECT, QUERIES_PARAMETER, texts } from '../http/openapi.ts'
import { type CountCalls, countPerAddress, countPerUser } from '../http/rate-limits.ts'
import { findQueryList, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import {
  DOCUMENTS_PATH,
  DocumentParams,
  deleteConfig,
  Id,
  readData,
  readPathParams,
  writeConfig,
} from '../posts/routes.ts'
import { readCommentPage, readPersonalView } from './comment-page.ts'
import { closeComments, createComment, deleteComment } from './comments.ts'
import { listComments, readComment } from './read-comments.ts'

export const COMMENTS_PATH = `/databases/:databaseId/collections/${COMMENTS_COLLECTION_ID}/documents`
export const COMMENT_PATH = `${COMMENTS_PATH}/:documentId`
const POST_COMMENTS_PATH = `${DOCUMENTS_PATH}/:documentId/comments`

const ListParams = Type.Object({ databaseId: Id })
const CommentParams = Type.Object({ databaseId: Id, documentId: Id })
const NewCommentDocument = Type.Object({
  documentId: Type.Union([Type.Literal(UNIQUE_ID), Id]),
  data: Type.Unknown(),
})
export const ChangedComment = Type.Object({ data: Type.Optional(Type.Unknown()) })
const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description: `Value must be one of (${words.join(', ')})` },
  )
const CommentPageQuery = Type.Object({
  page: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Value must be a valid number' }),
  ),
  order: Type.Optional(oneOf(COMMENT_ORDERS)),
  comment: Type.Optional(Type.String()),
  thread: Type.Optional(Type.String()),
  texts: Type.Optional(oneOf(COMMENT_FORMATS)),
})
const BOOLEAN = { description: 'Value must be a valid boolean' }
const SetClosed = Type.Object({ closed: Type.Boolean(BOOLEAN) })

export const Comment = Type.Object(
  {
    ...texts('$id $createdAt $updatedAt $databaseId $collectionId postId parentId userId userName'),
    ...texts('userAvatar content status hiddenBy hiddenAt editedAt'),
    $permissions: Type.Array(Type.String()),
    html: Type.Optional(Type.String()),
    imported: Type.Optional(Type.Boolean()),
    hasLinks: Type.Boolean(),
    replies: Type.Integer(),
    place: Type.Integer(),
  },
  { $id: 'Comment' },
)

const perUser = countPerUser('comment', RATE.commentPerUser)
const perDay = countPerUser('comment of a day', RATE.commentPerUserAndDay)
const perAddress = countPerAddress('comment', RATE.commentPerAddress)
const countNewComment: CountCalls = (request) =>
  [perUser, perDay, perAddress].flatMap((counts) => counts(request))

function tagsOfWriters(comments: Pick<CommentDocument, 'userId'>[]): string[] {
  return [...new Set(comments.map(({ userId }) => tagOfUser(userId)))]
}

/** Members see their own waiting comments. */
const isPersonal = async ({ viewer }: { viewer: Viewer }) => viewer.role === 'user'

export function commentRoutes(context: PostsContext): Routes {
  return (api) => {
    addDocumentRoutes(api, context)
    addPostRoutes(api, context)
  }
}

export function readCommentId(context: PostsContext, params: unknown): string {
  const { databaseId, documentId } = readParams(CommentParams, params)
  if (databaseId !== context.databaseId) throw new Refusal('database_not_found')
  return documentId
}

function addDocumentRoutes(api: FastifyInstance, context: PostsContext): void {
  const { rateLimits, addSharedRead } = context
  const requireDatabase = (params: unknown) => {
    if (readParams(ListParams, params).databaseId !== context.databaseId)
      throw new Refusal('database_not_found')
  }
  const listing = call({}, 'Comments of a post', {
    querystring: QUERIES_PARAMETER,
    200: listOf('documents', Comment),
    refusals: ['general_cursor_not_found'],
  })
  addSharedRead(api, COMMENTS_PATH, listing, {
    async read({ viewer, params, query }) {
      requireDatabase(params)
      const answer = await listComments(context, viewer, findQueryList(query, 'queries'))
      return { answer, tags: ['posts', 'counts', ...tagsOfWriters(answer.documents)] }
    },
    isPersonal,
  })
  addSharedRead(api, COMMENT_PATH, call({}, 'A comment', { 200: Comment }), {
    async read({ viewer, params }) {
      const comment = await readComment(context, viewer, readCommentId(context, params))
      return { answer: comment, tags: [tagOfPost(comment.postId), tagOfUser(comment.userId)] }
    },
    isPersonal,
  })
  const writing = call({ config: { counts: countNewComment } }, 'Writes a comment', {
    body: NewCommentDocument,
    201: Comment,
    refusals: [
      'user_unauthorized',
      'document_not_found',
      'document_invalid_structure',
      'document_already_exists',
      'document_missing_data',
      'comments_closed',
      'comment_duplicate',
    ],
  })
  api.post(COMMENTS_PATH, writing, async (request, reply) => {
    const { viewer, params, body } = request
    const { documentId, data } = readParams(NewCommentDocument, body)
    requireDatabase(params)
    const newComment = { documentId, data: readData(data) }
    let isCounted = false
    // The post is known only after the comment is checked, so this limit is not in `config`. It
    // counts once, even if the transaction is retried.
    const count = (postId: string) => {
      if (!isCounted)
        rateLimits.take([{ name: 'comment', rule: RATE.commentPerPost, key: `of ${postId}` }])
      isCounted = true
    }
    return reply.code(201).send(await createComment(context, viewer, newComment, count))
  })
  const deleting = call({ config: deleteConfig }, 'Deletes a comment', {
    204: NO_BODY,
    refusals: ['user_unauthorized'],
  })
  api.delete(COMMENT_PATH, deleting, async ({ viewer, params }, reply) => {
    await deleteComment(context, viewer, readCommentId(context, params))
    return reply.code(204).send()
  })
}

function addPostRoutes(api: FastifyInstance, context: PostsContext): void {
  const { addSharedRead } = context
  const readPostId = (params: unknown) => readPathParams(context, DocumentParams, params).documentId
  const readingPage = call({}, 'A page of comments', { querystring: CommentPageQuery, 200: OBJECT })
  addSharedRead(api, POST_COMMENTS_PATH, readingPage, {
    async read({ viewer, params, query }) {
      const request = readParams(CommentPageQuery, query)
      const postId = readPostId(params)
      const answer = await readCommentPage(context, viewer, postId, {
        page: request.page === undefined ? undefined : Number(request.page),
        order: request.order ?? 'oldest',
        commentId: request.comment,
        threadId: request.thread,
        texts: request.texts ?? 'plain',
      })
      const replies = answer.comments.flatMap(({ replyList }) => replyList)
      const tags = tagsOfWriters([...answer.comments, ...replies])
      return { answer, tags: [tagOfPost(postId), ...tags] }
    },
    async isPersonal({ viewer, params }) {
      const view = await readPersonalView(context.db, viewer, readPostId(params))
      return view.mayModerate || view.seesUnlisted
    },
    // Moderators get the shared page, too: the app reads their rights itself.
    async isPersonalOnPage({ viewer, params }) {
      return (await readPersonalView(context.db, viewer, readPostId(params))).seesUnlisted
    },
  })
  const closing = call({ config: writeConfig }, 'Closes or opens the comments', {
    body: SetClosed,
    200: SetClosed,
    refusals: ['user_unauthorized'],
  })
  api.patch(POST_COMMENTS_PATH, closing, async ({ viewer, params, body }) => {
    const postId = readPostId(params)
    const { closed } = readParams(SetClosed, body)
    await closeComments(context, viewer, postId, closed)
    return { closed }
  })
}
