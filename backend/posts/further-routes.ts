// The other calls about posts over HTTP: upsert, counting and many posts at once (api.md §3.8),
// versions and deleted posts (api.md §15.10, §15.11), the search (api.md §15.17).
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { LONG_BODY_MAX_BYTES } from '#backend/http/request-params.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { LIST_LIMIT_MAX, SEARCH_PAGES_MAX } from '#contract/limits.ts'
import { LIST_LIMIT_DEFAULT } from '../database/queries.ts'
import { isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import * as deleted from './deleted-posts.ts'
import * as further from './further-writes.ts'
import type { Posts } from './posts.ts'
import {
  ChangedDocument,
  CollectionParams,
  countTime,
  DocumentParams,
  Id,
  longWrite,
  makePay,
  PATH,
  type PostRoutesNeeds,
  readData,
  readMany,
  readPlace,
  readTimestamp,
  remove,
  write,
} from './routes.ts'
import { searchPosts } from './search-posts.ts'
import * as versions from './versions.ts'

const CountParams = Type.Object({
  ...DocumentParams.properties,
  attribute: Type.String({ minLength: 1, maxLength: 255 }),
})
const NUMBER = { description: 'Value must be a valid number' }
const CountBody = Type.Object({
  value: Type.Optional(Type.Number(NUMBER)),
  min: Type.Optional(Type.Number(NUMBER)),
  max: Type.Optional(Type.Number(NUMBER)),
})

/** Not `POST …/documents`, which makes one post or several: see routes.ts. */
export function furtherRoutes(needs: PostRoutesNeeds): Routes {
  const { posts } = needs
  return (api) => {
    api.put(`${PATH}/:documentId`, longWrite, async ({ viewer, params, body }, reply) => {
      const { data: sent, permissions } = readParams(ChangedDocument, body)
      const data = sent === undefined ? undefined : readData(sent)
      const { documentId: id } = readPlace(posts, DocumentParams, params)
      const made = await further.upsertPost(posts, viewer, { id, data, permissions })
      return reply.code(201).send(made)
    })
    addCounting(api, posts)
    addMany(api, posts)
    addVersionRoutes(api, needs)
    addDeletedRoutes(api, posts)
    addSearch(api, needs)
  }
}

function addCounting(api: FastifyInstance, posts: Posts): void {
  for (const [word, sign] of [
    ['increment', 1],
    ['decrement', -1],
  ] as const)
    api.patch(
      `${PATH}/:documentId/:attribute/${word}`,
      { config: write },
      async ({ viewer, params, body }) => {
        const { value = 1, min, max } = readParams(CountBody, body)
        if (value <= 0) throw invalidParam('value', 'Value must be greater than 0')
        const { documentId, attribute } = readPlace(posts, CountParams, params)
        const bound = sign === 1 ? { max } : { min }
        const counting = { attribute, by: sign * value, ...bound }
        return further.countPost(posts, viewer, documentId, counting)
      },
    )
}

const ForKey = {
  config: { scope: 'documents.write' },
  bodyLimit: LONG_BODY_MAX_BYTES,
} as const

function addMany(api: FastifyInstance, posts: Posts): void {
  api.put(PATH, ForKey, async ({ viewer, params, body }, reply) => {
    const documents = readMany(isRecord(body) ? body.documents : undefined)
    readPlace(posts, CollectionParams, params)
    return reply.code(201).send(toList(await further.upsertPosts(posts, viewer, documents)))
  })
  api.patch(PATH, ForKey, async ({ viewer, params, body }) => {
    const data = isRecord(body) && body.data !== undefined ? readData(body.data) : {}
    if (Object.keys(data).length === 0) throw new Refusal('document_missing_payload')
    readPlace(posts, CollectionParams, params)
    return toList(await further.updatePosts(posts, viewer, { queries: readQueryTexts(body), data }))
  })
  api.delete(PATH, ForKey, async ({ viewer, params, body }) => {
    readPlace(posts, CollectionParams, params)
    return toList(await further.removePosts(posts, viewer, readQueryTexts(body)))
  })
}

function toList<Document>(documents: Document[]): { total: number; documents: Document[] } {
  return { total: documents.length, documents }
}

function readQueryTexts(body: unknown): string[] | undefined {
  const sent = isRecord(body) ? (body.queries ?? undefined) : undefined
  if (sent === undefined) return undefined
  if (!Array.isArray(sent)) throw invalidParam('queries', 'Value must be a valid array')
  // A client may send queries as objects: JSON is one of their notations.
  return sent.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
}

// --- versions and deleted posts

const VersionParams = Type.Object({ ...DocumentParams.properties, versionId: Id })
const DeletedParams = Type.Object({ ...CollectionParams.properties, deletedId: Id })
const WHOLE = { description: 'Value must be a valid whole number' }
const DeletedQuery = Type.Object({
  userid: Type.Optional(Id),
  cursor: Type.Optional(Type.String({ pattern: '^(?:[1-9][0-9]{0,14})?$', ...WHOLE })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', ...WHOLE })),
})

const DELETED = '/databases/:databaseId/collections/:collectionId/deleted'

function addVersionRoutes(api: FastifyInstance, { posts, rateLimits }: PostRoutesNeeds): void {
  api.get(`${PATH}/:documentId/versions`, async ({ viewer, params }) => {
    const { documentId } = readPlace(posts, DocumentParams, params)
    return versions.listVersions(posts, viewer, documentId)
  })

  api.get(`${PATH}/:documentId/versions/:versionId`, async (request) => {
    const { viewer, params } = request
    const { documentId, versionId } = readPlace(posts, VersionParams, params)
    const pay = makePay(request, rateLimits)?.before
    return versions.readVersion(posts, viewer, documentId, { id: versionId, pay })
  })

  api.post(
    `${PATH}/:documentId/versions/:versionId/restore`,
    { config: write },
    async (request) => {
      const { viewer, params, headers } = request
      const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
      const { documentId, versionId } = readPlace(posts, VersionParams, params)
      const pay = makePay(request, rateLimits)?.before
      return further.restoreVersion(posts, viewer, documentId, { versionId, unlessNewerThan, pay })
    },
  )
}

function addDeletedRoutes(api: FastifyInstance, posts: Posts): void {
  api.get(DELETED, async ({ viewer, params, query }) => {
    const { userid: userId, cursor, limit = LIST_LIMIT_DEFAULT } = readParams(DeletedQuery, query)
    if (Number(limit) > LIST_LIMIT_MAX)
      throw invalidParam('limit', `Value must be a valid range between 1 and ${LIST_LIMIT_MAX}`)
    readPlace(posts, CollectionParams, params)
    const page = { cursor: cursor ? Number(cursor) : undefined, limit: Number(limit) }
    return deleted.listDeleted(posts, viewer, { userId, ...page })
  })

  api.post(`${DELETED}/:deletedId/restore`, { config: write }, async ({ viewer, params }) => {
    const { deletedId } = readPlace(posts, DeletedParams, params)
    return deleted.restoreDeleted(posts, viewer, deletedId)
  })

  api.delete(`${DELETED}/:deletedId`, { config: remove }, async ({ viewer, params }, reply) => {
    const { deletedId } = readPlace(posts, DeletedParams, params)
    await deleted.endDeleted(posts, viewer, deletedId)
    return reply.code(204).send()
  })
}

// --- search

const PAGE_RULE = `Value must be a valid number of 1 to ${SEARCH_PAGES_MAX}`
const Search = Type.Object({
  q: Type.String({ description: 'Value must be a valid string' }),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: PAGE_RULE })),
})

function addSearch(
  api: FastifyInstance,
  { posts, rateLimits, addSharedRead }: PostRoutesNeeds,
): void {
  const path = '/databases/:databaseId/collections/:collectionId/search'
  addSharedRead(api, path, {
    async read({ viewer, params, query }, request) {
      const { q, page: number = '1' } = readParams(Search, query)
      const page = Number(number)
      if (page > SEARCH_PAGES_MAX) throw invalidParam('page', PAGE_RULE)
      readPlace(posts, CollectionParams, params)
      return countTime(request, rateLimits, () => searchPosts(posts, viewer, { q, page }))
    },
    ownPosts: async () => 'all',
    hasTag: false,
  })
}
