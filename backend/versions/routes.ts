// HTTP of versions, deletion and deleted posts (api.md §15.10, §15.11): parameters in, answers out.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { invalidParam } from '#contract/errors.ts'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import { LIST_LIMIT_DEFAULT } from '../database/queries.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { makeApiCharger } from '../posts/charge-work.ts'
import {
  CollectionParams,
  DocumentParams,
  Id,
  PATH,
  readDocumentId,
  readPlace,
  readTimestamp,
  remove,
  write,
} from '../posts/routes.ts'
import * as deleted from './deleted-posts.ts'
import * as versions from './versions.ts'
import { restoreVersion } from './versions.ts'

export function versionRoutes(context: PostsContext): Routes {
  return (api) => {
    addVersionRoutes(api, context)
    addDeletedRoutes(api, context)
    api.delete(
      `${PATH}/:documentId`,
      { config: remove },
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
export const DeletedQuery = Type.Object({
  userid: Type.Optional(Id),
  cursor: Type.Optional(Type.String({ pattern: '^(?:[1-9][0-9]{0,14})?$', ...WHOLE })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', ...WHOLE })),
})

const DELETED = '/databases/:databaseId/collections/:collectionId/deleted'

function addVersionRoutes(api: FastifyInstance, context: PostsContext): void {
  api.get(`${PATH}/:documentId/versions`, async ({ viewer, params }) => {
    const { documentId } = readPlace(context, DocumentParams, params)
    return versions.listVersions(context, viewer, documentId)
  })

  api.get(`${PATH}/:documentId/versions/:versionId`, async (request) => {
    const { viewer, params } = request
    const { documentId, versionId } = readPlace(context, VersionParams, params)
    const pay = makeApiCharger(request, context.rateLimits)?.before
    return versions.readVersion(context, viewer, documentId, { id: versionId, pay })
  })

  api.post(
    `${PATH}/:documentId/versions/:versionId/restore`,
    { config: write },
    async (request) => {
      const { viewer, params, headers } = request
      const unlessNewerThan = readTimestamp(headers['x-appwrite-timestamp'])
      const { documentId, versionId } = readPlace(context, VersionParams, params)
      const pay = makeApiCharger(request, context.rateLimits)?.before
      return restoreVersion(context, viewer, documentId, { versionId, unlessNewerThan, pay })
    },
  )
}

function addDeletedRoutes(api: FastifyInstance, context: PostsContext): void {
  api.get(DELETED, async ({ viewer, params, query }) => {
    const { userid: userId, cursor, limit = LIST_LIMIT_DEFAULT } = readParams(DeletedQuery, query)
    if (Number(limit) > LIST_LIMIT_MAX)
      throw invalidParam('limit', `Value must be a valid range between 1 and ${LIST_LIMIT_MAX}`)
    readPlace(context, CollectionParams, params)
    const page = { cursor: cursor ? Number(cursor) : undefined, limit: Number(limit) }
    return deleted.listDeleted(context, viewer, { userId, ...page })
  })

  api.post(`${DELETED}/:deletedId/restore`, { config: write }, async ({ viewer, params }) => {
    const { deletedId } = readPlace(context, DeletedParams, params)
    return deleted.restoreDeleted(context, viewer, deletedId)
  })

  api.delete(`${DELETED}/:deletedId`, { config: remove }, async ({ viewer, params }, reply) => {
    const { deletedId } = readPlace(context, DeletedParams, params)
    await deleted.endDeleted(context, viewer, deletedId)
    return reply.code(204).send()
  })
}
