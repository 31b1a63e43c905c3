// The five document calls of api.md §3.2 over HTTP, and the operator's of api.md §6.1: parameters
// in, answers out. Decides nothing itself.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { LONG_BODY_MAX_BYTES } from '#backend/http/request-params.ts'
import { Reason } from '#contract/accounts.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { ID_PATTERN, ID_RULE, parseTime, UNIQUE_ID } from '#contract/ids.ts'
import { RATE, SEARCH_PAGES_MAX } from '#contract/limits.ts'
import { TAG_KEY_MAX_CHARS } from '#contract/plain-text.ts'
import {
  type Count,
  countBodyPerUser,
  countedAlready,
  countPerUser,
  type RateLimits,
} from '../http/rate-limits.ts'
import {
  cameWithPrototype,
  findQueryList,
  isRecord,
  parseJson,
  readParams,
} from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import { refuseGuests } from './access.ts'
import { invalidStructure, type SentData } from './attributes.ts'
import * as changes from './change-posts.ts'
import type { PostsContext } from './context.ts'
import { removePost } from './deleted-posts.ts'
import { hidePost } from './moderate-posts.ts'
import type { ChargeCost } from './read-posts.ts'
import * as reading from './read-posts.ts'
import { searchPosts } from './search-posts.ts'
import { listTags, TAGS_ASKED_MAX } from './tags-and-files.ts'

export const Id = Type.String({ pattern: ID_PATTERN.source, description: ID_RULE })
export const CollectionParams = Type.Object({ databaseId: Id, collectionId: Id })
export const DocumentParams = Type.Object({ databaseId: Id, collectionId: Id, documentId: Id })
const AuthorParams = Type.Object({ databaseId: Id, collectionId: Id, userId: Id })
export const NewDocument = Type.Object({
  documentId: Type.Union([Type.Literal(UNIQUE_ID), Id], { description: ID_RULE }),
  data: Type.Unknown(),
  permissions: Type.Optional(Type.Unknown()),
})
export const ChangedDocument = Type.Object({
  data: Type.Optional(Type.Unknown()),
  permissions: Type.Optional(Type.Unknown()),
  autosave: Type.Optional(Type.Boolean({ description: 'Value must be a valid boolean' })),
})
export const UnsavedText = Type.Object({ content: Type.String() })
/** Unless the question says how many. */
const TAGS_ASKED_DEFAULT = 10

export const TagQuestion = Type.Object({
  startsWith: Type.Optional(
    Type.String({
      maxLength: TAG_KEY_MAX_CHARS,
      description: `Value must be a valid string and no longer than ${TAG_KEY_MAX_CHARS} chars`,
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,2}$',
      description: 'Value must be a whole number of at least 1',
    }),
  ),
})

export const SetHidden = Type.Object({
  hidden: Type.Boolean({ description: 'Value must be a valid boolean' }),
  reason: Reason,
})

export const PATH = '/databases/:databaseId/collections/:collectionId/documents'

/** Likes count as writes. */
export const write = { counts: countPerUser('document write', RATE.documentWritePerUser) }
/** For calls that send whole posts. */
export const longWrite = {
  config: { counts: countBodyPerUser('document write', RATE.documentWritePerUser) },
  bodyLimit: LONG_BODY_MAX_BYTES,
}
/** For the preview of what a user writes: highlighting takes time. */
const highlight = {
  scope: 'account',
  counts: countBodyPerUser('highlight', RATE.highlightPerUser),
} as const
export const remove = { counts: countPerUser('document delete', RATE.documentDeletePerUser) }

export function postRoutes(context: PostsContext): Routes {
  const { rateLimits, addSharedRead } = context
  return (api) => {
    addPageRoutes(api, context)
    addTags(api, context)
    addSearch(api, context)

    api.post(PATH, longWrite, async ({ viewer, params, body }, reply) => {
      const { data: sent, documentId, permissions } = readParams(NewDocument, body)
      const data = readData(sent)
      if (Object.keys(data).length === 0) throw new Refusal('document_missing_data')
      if (Object.hasOwn(data, '$id'))
        throw invalidStructure('Attribute "$id" is not part of the data: send it as documentId')
      readPlace(context, CollectionParams, params)
      const created = { documentId, data, permissions }
      return reply.code(201).send(await changes.createPost(context, viewer, created))
    })

    addSharedRead(api, PATH, {
      async read({ viewer, params, query }, request) {
        readPlace(context, CollectionParams, params)
        const options = { ...readCounting(query), pay: makeApiCharger(request, rateLimits) }
        return reading.listPosts(context, viewer, findQueryList(query, 'queries'), options)
      },
      ownPosts: async ({ query }) => reading.ownPostsIn(findQueryList(query, 'queries')),
      isShared: ({ documents }) => reading.isShared(documents),
    })

    api.patch(`${PATH}/:documentId`, longWrite, async ({ viewer, params, body, headers }) => {
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
    })

    api.delete(
      `${PATH}/:documentId`,
      { config: remove },
      async ({ viewer, params, headers }, reply) => {
        const documentId = readDocumentId(context, params)
        const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
        await removePost(context, viewer, documentId, { unlessNewerThan })
        return reply.code(204).send()
      },
    )

    api.patch(
      `${PATH}/:documentId/hidden`,
      { config: { scope: 'documents.write', isForOperators: true } },
      async ({ viewer, params, body }) => {
        const documentId = readDocumentId(context, params)
        const { hidden, reason } = readParams(SetHidden, body)
        return hidePost(context, viewer, documentId, hidden, reason)
      },
    )
  }
}

/**
 * The parameters in the address of a call about posts.
 *
 * @throws Refusal `database_not_found`, `collection_not_found`
 */
export function readPlace<Shape extends typeof CollectionParams>(
  context: PostsContext,
  shape: Shape,
  params: unknown,
): Static<Shape> {
  const read = readParams(shape, params)
  if (read.databaseId !== context.databaseId) throw new Refusal('database_not_found')
  if (read.collectionId !== context.collectionId) throw new Refusal('collection_not_found')
  return read
}

function readDocumentId(context: PostsContext, params: unknown): string {
  return readPlace(context, DocumentParams, params).documentId
}

function readCounting(query: unknown): { hasTotal: boolean; hasBefore: boolean } {
  const { total, before } = isRecord(query) ? query : {}
  return {
    hasTotal: total !== 'false' && total !== '0',
    hasBefore: before === 'true' || before === '1',
  }
}

/** One post, what its page shows besides, and the preview of one. */
function addPageRoutes(api: FastifyInstance, context: PostsContext): void {
  const { addSharedRead } = context
  addSharedRead(api, `${PATH}/:documentId`, {
    async read({ viewer, params, query }) {
      const id = readDocumentId(context, params)
      return reading.readPost(context, viewer, id, findQueryList(query, 'queries'))
    },
    isShared: (post) => reading.isShared([post]),
  })
  addSharedRead(api, `${PATH}/:documentId/around`, {
    read: async ({ viewer, params }) =>
      reading.readAdjacentPosts(context, viewer, readDocumentId(context, params)),
  })
  addSharedRead(api, '/databases/:databaseId/collections/:collectionId/authors/:userId', {
    async read({ viewer, params }) {
      await refuseGuests(context, viewer)
      const { userId } = readPlace(context, AuthorParams, params)
      return reading.readAuthor(context, viewer, userId)
    },
    ownPosts: async () => 'active',
  })

  api.post(
    '/databases/:databaseId/collections/:collectionId/highlight',
    { config: highlight, bodyLimit: LONG_BODY_MAX_BYTES },
    async ({ viewer, params, body }) => {
      const { content } = readParams(UnsavedText, body)
      readPlace(context, CollectionParams, params)
      return { content: await reading.highlightUnsaved(context, readUser(viewer), content) }
    },
  )
}

/** Tags in use (api.md §15.14). */
function addTags(api: FastifyInstance, context: PostsContext): void {
  api.get('/databases/:databaseId/collections/:collectionId/tags', async (request) => {
    const { viewer, params, query } = request
    const { startsWith = '', limit: asked } = readParams(TagQuestion, query)
    await refuseGuests(context, viewer)
    readPlace(context, CollectionParams, params)
    const limit = Math.min(Number(asked ?? TAGS_ASKED_DEFAULT), TAGS_ASKED_MAX)
    // A tag of very many posts that the caller may not read takes long.
    return countTime(request, context.rateLimits, () =>
      listTags(context.db, viewer, { startsWith, limit }),
    )
  })
}

const PAGE_RULE = `Value must be a valid number of 1 to ${SEARCH_PAGES_MAX}`
export const Search = Type.Object({
  q: Type.String({ description: 'Value must be a valid string' }),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: PAGE_RULE })),
})

function addSearch(api: FastifyInstance, context: PostsContext): void {
  const { rateLimits, addSharedRead } = context
  const path = '/databases/:databaseId/collections/:collectionId/search'
  addSharedRead(api, path, {
    async read({ viewer, params, query }, request) {
      const { q, page: number = '1' } = readParams(Search, query)
      const page = Number(number)
      if (page > SEARCH_PAGES_MAX) throw invalidParam('page', PAGE_RULE)
      readPlace(context, CollectionParams, params)
      return countTime(request, rateLimits, () => searchPosts(context, viewer, { q, page }))
    },
    ownPosts: async () => 'all',
    hasTag: false,
  })
}

/** Work beyond that of a page is counted; pages, which ask for little, have been counted. */
export function makeApiCharger(
  request: FastifyRequest,
  rateLimits: RateLimits,
): ChargeCost | undefined {
  if (countedAlready.getStore() || request.viewer.role === 'key') return undefined
  return {
    before: (ms) => void rateLimits.take(listWork(request, ms)),
    after: (ms) => rateLimits.add(listWork(request, ms)),
  }
}

/** Counts the time that work takes, also when a page asks for it as its visitor says. */
export async function countTime<Result>(
  request: FastifyRequest,
  rateLimits: RateLimits,
  work: () => Promise<Result>,
): Promise<Result> {
  if (request.viewer.role === 'key') return work()
  rateLimits.take(listWork(request, 1))
  const beganMs = performance.now()
  try {
    return await work()
  } finally {
    rateLimits.add(listWork(request, performance.now() - beganMs))
  }
}

function listWork(request: FastifyRequest, amount: number): Count[] {
  const counts = countPerUser('list work', RATE.listWorkPerUser)(request)
  return counts.map((count) => ({ ...count, amount }))
}

/**
 * The `data` of a call: an object, or the same as JSON text.
 *
 * @throws Refusal `general_argument_invalid` for anything else, `document_invalid_structure` for an
 *   attribute `__proto__`, which is left out of every body
 */
export function readData(sent: unknown): SentData {
  const data = typeof sent === 'string' ? parseJson(sent) : sent
  if (Array.isArray(data) && data.length === 0) return {}
  if (!isRecord(data)) throw invalidParam('data', 'Value must be a valid JSON object')
  if (cameWithPrototype(data)) throw invalidStructure('Unknown attribute: "__proto__"')
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
