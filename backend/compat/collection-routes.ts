// HTTP of the API key's calls about the database, the collection, its attributes and indexes, and
// the buckets (api.md §6.3).
import type { FastifyInstance } from 'fastify'
import { missingParam, Refusal, type RefusalType } from '#contract/errors.ts'
import { isRecord } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { CollectionNeeds } from './collections.ts'
import * as collections from './collections.ts'
import { KINDS, type Kind } from './declared.ts'

type Of = { Params: Record<string, string> }

const COLLECTIONS = '/databases/:databaseId/collections'
const COLLECTION = `${COLLECTIONS}/:collectionId`
type What = 'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'
const reading = (what: What) => ({ config: { scope: `${what}.read` } }) as const
const writing = (what: What) => ({ config: { scope: `${what}.write` } }) as const

export function collectionRoutes(needs: CollectionNeeds): Routes {
  const listDatabases = () => collections.listDatabases(needs)
  const listCollections = () => collections.listCollections(needs)
  const listBuckets = () => collections.listBuckets(needs)
  return async (api) => {
    await api.register(async (own) => {
      own.addHook<Of>('preHandler', async ({ params: { databaseId, collectionId } }) => {
        if (databaseId !== undefined && databaseId !== needs.databaseId)
          throw new Refusal('database_not_found')
        if (collectionId !== undefined && collectionId !== needs.collectionId)
          throw new Refusal('collection_not_found')
      })
      addSettled(own, '/databases', {
        ...{ what: 'databases', field: 'databaseId', list: listDatabases },
        ...{ missing: 'database_not_found', taken: 'database_already_exists' },
      })
      addSettled(own, COLLECTIONS, {
        ...{ what: 'collections', field: 'collectionId', list: listCollections },
        ...{ missing: 'collection_not_found', taken: 'collection_already_exists' },
      })
      addSettled(own, '/storage/buckets', {
        ...{ what: 'buckets', field: 'bucketId', list: listBuckets },
        ...{ missing: 'storage_bucket_not_found', taken: 'storage_bucket_already_exists' },
      })
      addAttributes(own, needs)
      addIndexes(own, needs)
    })
  }
}

type Listed = { $id?: string; key?: string }
type Listing = { what: What; list: () => Promise<Listed[]>; missing: RefusalType }

/** @returns finds the one that an address names by `field` */
function addListing(
  api: FastifyInstance,
  url: string,
  { what, list, missing, field }: Listing & { field: string },
) {
  api.get(url, reading(what), async () => {
    const found = await list()
    return { total: found.length, [what]: found }
  })
  const find = async (params: Record<string, string>) => {
    const found = (await list()).find(({ $id, key }) => ($id ?? key) === params[field])
    if (!found) throw new Refusal(missing)
    return found
  }
  api.get<Of>(`${url}/:${field}`, reading(what), async ({ params }) => find(params))
  return find
}

/**
 * What the settings name cannot be changed, and nothing can be added to it: a change is answered
 * like a read.
 */
function addSettled(
  api: FastifyInstance,
  url: string,
  { taken, ...listing }: Listing & { field: string; taken: RefusalType },
): void {
  const { what, list, field } = listing
  const find = addListing(api, url, listing)
  api.put<Of>(`${url}/:${field}`, writing(what), async ({ params }) => find(params))
  api.post(url, writing(what), async ({ body }) => {
    const sent = isRecord(body) ? (body[field] ?? undefined) : undefined
    if (sent === undefined) throw missingParam(field)
    const known = (await list()).map(({ $id }) => $id)
    if (known.some((id) => id === sent)) throw new Refusal(taken)
    throw new Refusal(
      'general_argument_invalid',
      `This server has no other than "${known.join('", "')}": its settings name them.`,
    )
  })
}

/** Lists, reads and removes declarations of both kinds. */
function addDeclared(
  api: FastifyInstance,
  listing: Listing & { remove: (key: string) => Promise<void> },
): void {
  const { what, remove } = listing
  addListing(api, `${COLLECTION}/${what}`, { ...listing, field: 'key' })
  api.delete<Of>(`${COLLECTION}/${what}/:key`, writing(what), async ({ params }, reply) => {
    await remove(params.key ?? '')
    return reply.code(204).send()
  })
}

function addAttributes(api: FastifyInstance, needs: CollectionNeeds): void {
  addDeclared(api, {
    ...{ what: 'attributes', missing: 'attribute_not_found' },
    list: () => collections.listAttributes(needs),
    remove: (key) => collections.removeAttribute(needs, key),
  })
  const path = `${COLLECTION}/attributes/:kind`
  api.post<Of>(path, writing('attributes'), async ({ params: { kind }, body }, reply) => {
    const sent = isRecord(body) ? body : {}
    return reply.code(202).send(await collections.declareAttribute(needs, readKind(kind), sent))
  })
  api.patch<Of>(`${path}/:key`, writing('attributes'), async ({ params, body }) => {
    const named = { kind: readKind(params.kind), key: params.key ?? '' }
    return collections.changeAttribute(needs, named, isRecord(body) ? body : {})
  })
}

/** @throws Refusal `general_route_not_found` */
function readKind(sent: unknown): Kind {
  if (typeof sent === 'string' && Object.hasOwn(KINDS, sent)) return sent as Kind
  throw new Refusal('general_route_not_found')
}

function addIndexes(api: FastifyInstance, needs: CollectionNeeds): void {
  addDeclared(api, {
    ...{ what: 'indexes', missing: 'index_not_found' },
    list: () => collections.listIndexes(needs),
    remove: (key) => collections.removeIndex(needs, key),
  })
  api.post(`${COLLECTION}/indexes`, writing('indexes'), async ({ body }, reply) =>
    reply.code(202).send(await collections.addIndex(needs, body)),
  )
}
