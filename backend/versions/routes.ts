// HTTP routes for versions, deletion and deleted posts (api.md §15.10, §15.11): parameters in,
// answers out.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { invalidParam } from '#contract/errors.ts'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import { LIST_LIMIT_DEFAULT } from '../database/queries.ts'
import { call, listOf, NO_BODY, texts } from '../http/openapi.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { makeCharge } from '../posts/charge-work.ts'
import {
  CollectionParams,
  DOCUMENTS_PATH,
  Document,
  DocumentParams,
  deleteConfig,
  Id,
  readDocumentId,
  readPathParams,
  readTimestamp,
  writeConfig,
} from '../posts/routes.ts'
import * as deleted from './deleted-posts.ts'
import * as versions from './versions.ts'
import { restoreVersion } from './versions.ts'

export function versionRoutes(context: PostsContext): Routes {
  return (api) => {
    addVersionRoutes(api, context)
    addDeletedRoutes(api, context)
    const deletingPost = call({ config: deleteConfig }, 'Moves a post to the deleted ones', {
      204: NO_BODY,
      refusals: ['user_unauthorized', 'document_update_conflict'],
    })
    api.delete(
      `${DOCUMENTS_PATH}/:documentId`,
      deletingPost,
      async ({ viewer, params, headers }, reply) => {
        const documentId = readDocumentId(context, params)
        const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
        await deleted.removePost(context, viewer, documentId, { unlessNewerThan })
        return reply.code(204).send()
      },
    )
  }
}

const VersionParams = Type.Object({ ...DocumentParams.properties, versionId: Id })
const DeletedParams = Type.Object({ ...CollectionParams.properties, deletedId: Id })
const WHOLE = { description: 'Value must be a valid whole number' }
const DeletedQuery = Type.Object({
  userid: Type.Optional(Id),
  cursor: Type.Optional(Type.String({ pattern: '^(?:[1-9][0-9]{0,14})?$', ...WHOLE })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', ...WHOLE })),
})

const versionFields = {
  ...texts('$id $createdAt $updatedAt kind restoredFrom title'),
  words: Type.Integer(),
  wordsAdded: Type.Integer(),
  wordsRemoved: Type.Integer(),
}
const Version = Type.Object(versionFields, { $id: 'Version' })
const VersionWithText = Type.Object(
  { ...versionFields, content: Type.String() },
  { $id: 'VersionWithText' },
)
const Deleted = Type.Object(
  {
    ...texts('$id $createdAt $updatedAt postId title featuredImage userid status deletedAt expire'),
    ownImage: Type.Optional(Type.String()),
    publishedAt: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: 'Deleted' },
)

const DELETED = '/databases/:databaseId/collections/:collectionId/deleted'

function addVersionRoutes(api: FastifyInstance, context: PostsContext): void {
  const listingVersions = call({}, 'Versions of a post', {
    200: listOf('versions', Version),
    refusals: ['user_unauthorized'],
  })
  addReadRoute(
    api,
    `${DOCUMENTS_PATH}/:documentId/versions`,
    listingVersions,
    async ({ viewer, params }) => {
      const { documentId } = readPathParams(context, DocumentParams, params)
      return versions.listVersions(context, viewer, documentId)
    },
  )

  const readingVersion = call({}, 'A version with its text', {
    200: VersionWithText,
    refusals: ['user_unauthorized'],
  })
  api.get(`${DOCUMENTS_PATH}/:documentId/versions/:versionId`, readingVersion, async (request) => {
    const { viewer, params } = request
    const { documentId, versionId } = readPathParams(context, VersionParams, params)
    const charge = makeCharge(request, context.rateLimits).take
    return versions.readVersion(context, viewer, documentId, { id: versionId, charge })
  })

  const restoringVersion = call({ config: writeConfig }, 'Restores a version', {
    200: Document,
    refusals: ['user_is_reader', 'user_unauthorized', 'document_update_conflict'],
  })
  api.post(
    `${DOCUMENTS_PATH}/:documentId/versions/:versionId/restore`,
    restoringVersion,
    async (request) => {
      const { viewer, params, headers } = request
      const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
      const { documentId, versionId } = readPathParams(context, VersionParams, params)
      const charge = makeCharge(request, context.rateLimits).take
      return restoreVersion(context, viewer, documentId, { versionId, unlessNewerThan, charge })
    },
  )
}

function addDeletedRoutes(api: FastifyInstance, context: PostsContext): void {
  const listingDeleted = call({}, 'Deleted posts of the caller', {
    querystring: DeletedQuery,
    200: Type.Object({
      total: Type.Integer(),
      deleted: Type.Array(Deleted),
      next: Type.String(),
    }),
    refusals: ['user_unauthorized'],
  })
  addReadRoute(api, DELETED, listingDeleted, async ({ viewer, params, query }) => {
    const { userid: userId, cursor, limit = LIST_LIMIT_DEFAULT } = readParams(DeletedQuery, query)
    if (Number(limit) > LIST_LIMIT_MAX)
      throw invalidParam('limit', `Value must be a valid range between 1 and ${LIST_LIMIT_MAX}`)
    readPathParams(context, CollectionParams, params)
    const page = { cursor: cursor ? Number(cursor) : undefined, limit: Number(limit) }
    return deleted.listDeleted(context, viewer, { userId, ...page })
  })

  const restoringDeleted = call({ config: writeConfig }, 'Restores a deleted post', {
    200: Document,
    refusals: ['user_unauthorized'],
  })
  api.post(`${DELETED}/:deletedId/restore`, restoringDeleted, async ({ viewer, params }) => {
    const { deletedId } = readPathParams(context, DeletedParams, params)
    return deleted.restoreDeleted(context, viewer, deletedId)
  })

  const purgingDeleted = call({ config: deleteConfig }, 'Deletes a deleted post for good', {
    204: NO_BODY,
    refusals: ['user_unauthorized'],
  })
  api.delete(`${DELETED}/:deletedId`, purgingDeleted, async ({ viewer, params }, reply) => {
    const { deletedId } = readPathParams(context, DeletedParams, params)
    await deleted.purgeDeleted(context, viewer, deletedId)
    return reply.code(204).send()
  })
}
