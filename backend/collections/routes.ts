// HTTP of the API key about the database, the collection, its attributes and indexes, and the
// buckets (api.md §6.3): parameters in, answers out.
import type { FastifyInstance } from 'fastify'
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { isRecord } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Collections } from './collections.ts'
import { KINDS, type Kind } from './declared.ts'

type OfDatabase = { Params: { databaseId: string } }
type OfCollection = { Params: { databaseId: string; collectionId: string } }
type OfKey = { Params: { databaseId: string; collectionId: string; key: string } }
type OfKind = { Params: { databaseId: string; collectionId: string; kind: string; key: string } }

const DATABASE = '/databases/:databaseId'
const COLLECTION = `${DATABASE}/collections/:collectionId`
type What = 'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'
const reading = (what: What) => ({ config: { scope: `${what}.read` } }) as const
const writing = (what: What) => ({ config: { scope: `${what}.write` } }) as const

export function collectionRoutes(collections: Collections): Routes {
  return (api) => {
    addDatabases(api, collections)
    addCollections(api, collections)
    addAttributes(api, collections)
    addIndexes(api, collections)
    addBuckets(api, collections)
  }
}

/** What there is cannot be made again, and nothing can be made beside it. */
function refuseNew(
  body: unknown,
  { field, id, type }: { field: string; id: string | string[]; type: RefusalType },
): never {
  const sent = isRecord(body) ? body[field] : undefined
  if (sent === undefined || sent === null)
    throw new Refusal('general_argument_invalid', `Param "${field}" is not optional.`)
  const known = [id].flat()
  if (typeof sent === 'string' && known.includes(sent)) throw new Refusal(type)
  throw new Refusal(
    'general_argument_invalid',
    `This server has no other than "${known.join('", "')}": its settings name them.`,
  )
}

/** What the settings say cannot be changed: a write of it is answered like a read. */
function readOrPut(
  api: FastifyInstance,
  url: string,
  what: What,
  answer: (params: Record<'databaseId' | 'collectionId' | 'bucketId', string>) => unknown,
): void {
  type Of = { Params: Parameters<typeof answer>[0] }
  api.get<Of>(url, reading(what), async ({ params }) => answer(params))
  api.put<Of>(url, writing(what), async ({ params }) => answer(params))
}

function addDatabases(api: FastifyInstance, collections: Collections): void {
  const { database, checkDatabase } = collections
  api.get('/databases', reading('databases'), async () => ({ total: 1, databases: [database()] }))
  api.post('/databases', writing('databases'), async ({ body }) =>
    refuseNew(body, {
      field: 'databaseId',
      id: database().$id,
      type: 'database_already_exists',
    }),
  )
  readOrPut(api, DATABASE, 'databases', ({ databaseId }) => {
    checkDatabase(databaseId)
    return database()
  })
}

function addCollections(api: FastifyInstance, collections: Collections): void {
  const { collection, checkDatabase, checkCollection } = collections
  api.get<OfDatabase>(`${DATABASE}/collections`, reading('collections'), async ({ params }) => {
    checkDatabase(params.databaseId)
    return { total: 1, collections: [await collection()] }
  })
  api.post<OfDatabase>(
    `${DATABASE}/collections`,
    writing('collections'),
    async ({ params, body }) => {
      checkDatabase(params.databaseId)
      const { $id: id } = await collection()
      return refuseNew(body, { field: 'collectionId', id, type: 'collection_already_exists' })
    },
  )
  readOrPut(api, COLLECTION, 'collections', ({ databaseId, collectionId }) => {
    checkCollection(databaseId, collectionId)
    return collection()
  })
}

type Declared<One> = {
  list: () => Promise<One[]>
  remove: (key: string) => Promise<void>
  missing: RefusalType
}

/** Listing, reading and removing what is declared is the same for both kinds. */
function addDeclared<One extends { key: string }>(
  api: FastifyInstance,
  { checkCollection }: Collections,
  what: 'attributes' | 'indexes',
  { list, remove, missing }: Declared<One>,
): void {
  const path = `${COLLECTION}/${what}`
  api.get<OfCollection>(path, reading(what), async ({ params }) => {
    checkCollection(params.databaseId, params.collectionId)
    const found = await list()
    return { total: found.length, [what]: found }
  })
  api.get<OfKey>(`${path}/:key`, reading(what), async ({ params }) => {
    checkCollection(params.databaseId, params.collectionId)
    const found = (await list()).find(({ key }) => key === params.key)
    if (!found) throw new Refusal(missing)
    return found
  })
  api.delete<OfKey>(`${path}/:key`, writing(what), async ({ params }, reply) => {
    checkCollection(params.databaseId, params.collectionId)
    await remove(params.key)
    return reply.code(204).send()
  })
}

function addAttributes(api: FastifyInstance, collections: Collections): void {
  const { checkCollection, listAttributes: list, remove, declare, change } = collections
  addDeclared(api, collections, 'attributes', { list, remove, missing: 'attribute_not_found' })
  const path = `${COLLECTION}/attributes/:kind`
  api.post<OfKind>(path, writing('attributes'), async ({ params, body }, reply) => {
    const kind = readKind(params.kind)
    checkCollection(params.databaseId, params.collectionId)
    return reply.code(202).send(await declare(kind, isRecord(body) ? body : {}))
  })
  api.patch<OfKind>(`${path}/:key`, writing('attributes'), async ({ params, body }) => {
    const kind = readKind(params.kind)
    checkCollection(params.databaseId, params.collectionId)
    return change({ kind, key: params.key }, isRecord(body) ? body : {})
  })
}

/** @throws Refusal `general_route_not_found` */
function readKind(sent: string): Kind {
  const kind = KINDS.find((one) => one === sent)
  if (!kind) throw new Refusal('general_route_not_found')
  return kind
}

function addIndexes(api: FastifyInstance, collections: Collections): void {
  const { checkCollection, listIndexes: list, removeIndex: remove, addIndex } = collections
  addDeclared(api, collections, 'indexes', { list, remove, missing: 'index_not_found' })
  const path = `${COLLECTION}/indexes`
  api.post<OfCollection>(path, writing('indexes'), async ({ params, body }, reply) => {
    checkCollection(params.databaseId, params.collectionId)
    return reply.code(202).send(await addIndex(isRecord(body) ? body : {}))
  })
}

function addBuckets(api: FastifyInstance, { buckets }: Collections): void {
  api.get('/storage/buckets', reading('buckets'), async () => {
    const found = buckets()
    return { total: found.length, buckets: found }
  })
  api.post('/storage/buckets', writing('buckets'), async ({ body }) =>
    refuseNew(body, {
      field: 'bucketId',
      id: buckets().map(({ $id }) => $id),
      type: 'storage_bucket_already_exists',
    }),
  )
  readOrPut(api, '/storage/buckets/:bucketId', 'buckets', ({ bucketId }) => {
    const found = buckets().find(({ $id }) => $id === bucketId)
    if (!found) throw new Refusal('storage_bucket_not_found')
    return found
  })
}
