// HTTP routes for the document calls of api.md §3.2: parameters in, answers out.

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_PATTERN, ID_RULE, parseTime, UNIQUE_ID } from '#contract/ids.ts'
import { RATE } from '#contract/limits.ts'
import { tagOfPost, tagOfUser } from '../database/cache-tags.ts'
import { call, QUERIES_PARAMETER, texts } from '../http/openapi.ts'
import { countBodyPerUser, countPerUser } from '../http/rate-limits.ts'
import {
  findQueryList,
  hadPrototypeKey,
  isRecord,
  LONG_BODY_MAX_BYTES,
  parseJson,
  readParams,
} from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { invalidStructure, type SentData } from './attributes.ts'
import * as changes from './change-posts.ts'
import { readPageId } from './pages.ts'
import * as reading from './read-post.ts'

export const Id = Type.String({ pattern: ID_PATTERN.source, description: ID_RULE })

export const CollectionParams = Type.Object({ databaseId: Id, collectionId: Id })

export const DocumentParams = Type.Object({ databaseId: Id, collectionId: Id, documentId: Id })

const NewDocument = Type.Object({
  documentId: Type.Union([Type.Literal(UNIQUE_ID), Id], { description: ID_RULE }),
  data: Type.Unknown(),
  permissions: Type.Optional(Type.Unknown()),
})

const ChangedDocument = Type.Object({
  data: Type.Optional(Type.Unknown()),
  permissions: Type.Optional(Type.Unknown()),
  autosave: Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' })),
})

const UnsavedText = Type.Object({ content: Type.String() })

const Strings = Type.Array(Type.String())

/** Optional fields are present if `select` names them, or for newer clients. */
export const Document = Type.Object(
  {
    ...texts(
      '$id $createdAt $updatedAt $databaseId $collectionId title content status featuredImage',
    ),
    ...texts('userid userId user_id authorId author_id userName username user_name'),
    publishedAt: Type.Union([Type.String(), Type.Null()]),
    $permissions: Strings,
    like: Type.Integer(),
    likeId: Strings,
    tags: Type.Optional(Strings),
    excerpt: Type.Optional(Type.String()),
    addressWords: Type.Optional(Type.String()),
    metaTitle: Type.Optional(Type.String()),
    metaDescription: Type.Optional(Type.String()),
    canonicalUrl: Type.Optional(Type.String()),
    commentsClosed: Type.Optional(Type.Boolean()),
    publishProblem: Type.Optional(Type.String()),
    words: Type.Optional(Type.Integer()),
    comments: Type.Optional(Type.Integer()),
    hidden: Type.Optional(Type.Boolean()),
    page: Type.Optional(Type.Boolean()),
    imageColor: Type.Optional(Type.String()),
    userAvatar: Type.Optional(Type.String()),
    ownImage: Type.Optional(Type.String()),
    highlightedContent: Type.Optional(Type.String()),
    $sequence: Type.Optional(Type.String()),
  },
  { $id: 'Document' },
)

export const DOCUMENTS_PATH = '/databases/:databaseId/collections/:collectionId/documents'

const OF_PAGES = ['page_address_taken', 'page_address_reserved', 'page_count_exceeded'] as const

const PageParams = Type.Object({ databaseId: Id, collectionId: Id, address: Type.String() })

/** Likes count as writes. */
export const writeConfig = { counts: countPerUser('document write', RATE.documentWritePerUser) }

/** For calls that send whole posts. */
export const longWriteOptions = {
  config: { counts: countBodyPerUser('document write', RATE.documentWritePerUser) },
  bodyLimit: LONG_BODY_MAX_BYTES,
}

/** Previews of unsaved text have a limit of their own, because highlighting takes time. */
const highlightConfig = {
  scope: 'account',
  counts: countBodyPerUser('highlight', RATE.highlightPerUser),
} as const

export const deleteConfig = { counts: countPerUser('document delete', RATE.documentDeletePerUser) }

export function postRoutes(context: PostsContext): Routes {
  return (api) => {
    addReadRoutes(api, context)

    const creatingPost = call(longWriteOptions, 'Creates a post', {
      body: NewDocument,
      201: Document,
      refusals: [
        'user_is_reader',
        'user_unauthorized',
        'document_invalid_structure',
        'document_already_exists',
        'document_missing_data',
        ...OF_PAGES,
      ],
    })
    api.post(DOCUMENTS_PATH, creatingPost, async ({ viewer, params, body }, reply) => {
      const { data: sentData, documentId, permissions } = readParams(NewDocument, body)
      const data = readData(sentData)
      if (Object.keys(data).length === 0) throw new Refusal('document_missing_data')
      if (Object.hasOwn(data, '$id'))
        throw invalidStructure('Attribute "$id" is not part of the data: send it as documentId')
      readPathParams(context, CollectionParams, params)
      const creation = { documentId, data, permissions }
      return reply.code(201).send(await changes.createPost(context, viewer, creation))
    })

    const changingPost = call(longWriteOptions, 'Changes a post or likes it', {
      body: ChangedDocument,
      200: Document,
      refusals: [
        'user_is_reader',
        'user_unauthorized',
        'document_invalid_structure',
        'document_update_conflict',
        'document_missing_payload',
        ...OF_PAGES,
      ],
    })
    api.patch(
      `${DOCUMENTS_PATH}/:documentId`,
      changingPost,
      async ({ viewer, params, body, headers }) => {
        const documentId = readDocumentId(context, params)
        const { data, permissions, autosave } = readParams(ChangedDocument, body)
        const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
        const update = {
          data: data === undefined ? undefined : readData(data),
          permissions,
          unlessNewerThan,
          isAutosave: autosave === true,
        }
        return changes.updatePost(context, viewer, documentId, update)
      },
    )
  }
}

/**
 * Reads and checks the path parameters of a call about posts.
 *
 * @throws Refusal `database_not_found`, `collection_not_found`
 */
export function readPathParams<Shape extends typeof CollectionParams>(
  context: PostsContext,
  shape: Shape,
  params: unknown,
): Static<Shape> {
  const parsed = readParams(shape, params)
  if (parsed.databaseId !== context.databaseId) throw new Refusal('database_not_found')
  if (parsed.collectionId !== context.collectionId) throw new Refusal('collection_not_found')
  return parsed
}

export function readDocumentId(context: PostsContext, params: unknown): string {
  return readPathParams(context, DocumentParams, params).documentId
}

/** Reading one post, and previewing an unsaved text. */
function addReadRoutes(api: FastifyInstance, context: PostsContext): void {
  const { addSharedRead } = context
  const readingPost = call({}, 'A post', { querystring: QUERIES_PARAMETER, 200: Document })
  addSharedRead(api, `${DOCUMENTS_PATH}/:documentId`, readingPost, {
    async read({ viewer, params, query }) {
      const id = readDocumentId(context, params)
      const queries = findQueryList(query, 'queries')
      const { post, authorId } = await reading.readPost(context, viewer, id, queries)
      return { answer: post, tags: [tagOfPost(id), tagOfUser(authorId)] }
    },
    isShared: (post) => reading.isSameForAll([post]),
  })

  const readingPage = call({}, 'A page of the blog by its address, also by an earlier one', {
    querystring: QUERIES_PARAMETER,
    200: Document,
  })
  const pagePath = '/databases/:databaseId/collections/:collectionId/pages/:address'
  addSharedRead(api, pagePath, readingPage, {
    async read({ viewer, params, query }) {
      const { address } = readPathParams(context, PageParams, params)
      const id = await readPageId(context.db, address)
      const queries = findQueryList(query, 'queries')
      const { post, authorId } = await reading.readPost(context, viewer, id, queries)
      return { answer: post, tags: [tagOfPost(id), tagOfUser(authorId), 'site'] }
    },
  })

  const highlighting = call(
    { config: highlightConfig, bodyLimit: LONG_BODY_MAX_BYTES },
    'A text as it would be shown',
    {
      body: UnsavedText,
      200: UnsavedText,
    },
  )
  api.post(
    '/databases/:databaseId/collections/:collectionId/highlight',
    highlighting,
    async ({ viewer, params, body }) => {
      const { content } = readParams(UnsavedText, body)
      readPathParams(context, CollectionParams, params)
      return { content: await reading.highlightUnsaved(context, readUser(viewer), content) }
    },
  )
}

/**
 * The `data` of a call: an object, or the same as JSON text.
 *
 * @throws Refusal `general_argument_invalid` for anything else, `document_invalid_structure` for an
 *   attribute `__proto__`, which the parser has removed
 */
export function readData(sent: unknown): SentData {
  const data = typeof sent === 'string' ? parseJson(sent) : sent
  if (Array.isArray(data) && data.length === 0) return {}
  if (!isRecord(data)) throw invalidParam('data', 'Value must be a valid JSON object')
  if (hadPrototypeKey(data)) throw invalidStructure('Unknown attribute: "__proto__"')
  return data
}

/**
 * The time in `X-Appwrite-Timestamp`; undefined when the header is absent or empty.
 *
 * @throws Refusal `general_argument_invalid` when it is not a time
 */
export function readTimestamp(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  const time = parseTime(header)
  if (time === undefined)
    throw new Refusal('general_argument_invalid', 'Invalid X-Appwrite-Timestamp header value')
  return time
}
