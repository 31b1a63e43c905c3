// HTTP of the API key about the database, the collection, its attributes and indexes, and the
// buckets (api.md §6.3): parameters in, answers out.
import type { FastifyInstance } from 'fastify'
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { isRecord } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Collections } from './collections.ts'
import { KINDS, type Kind } from './declared.ts'

type Params = Record<'databaseId' | 'collectionId' | 'bucketId' | 'kind' | 'key', string>
type Of = { Params: Params }

const DATABASE = '/databases/:databaseId'
const COLLECTION = `${DATABASE}/collections/:collectionId`
type What = 'databases' | 'collections' | 'attributes' | 'indexes' | 'buckets'
const reading = (what: What) => ({ config: { scope: `${what}.read` } }) as const
const writing = (what: What) => ({ config: { scope: `${what}.write` } }) as const

export function collectionRoutes(collections: Collections): Routes {
  return async (api) => {
    addDatabases(api, collections)
    addBuckets(api, collections)
    await api.register(async (ofDatabase) => {
      ofDatabase.addHook<Of>('preHandler', async ({ params }) => collections.check(params))
      addCollections(ofDatabase, collections)
      addAttributes(ofDatabase, collections)
      addIndexes(ofDatabase, collections)
    })
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
  answer: (params: Params) => unknown,
): void {
  api.get<Of>(url, reading(what), async ({ params }) => answer(params))
  api.put<Of>(url, writing(what), async ({ params }) => answer(params))
}

function addDatabases(api: FastifyInstance, { database }: Collections): void {
  api.get('/databases', reading('databases'), async () => ({ total: 1, databases: [database()] }))
  api.post('/databases', writing('databases'), async ({ body }) =>
    refuseNew(body, {
      ...{ field: 'databaseId', id: database().$id, type: 'database_already_exists' },
    }),
  )
}

function addCollections(api: FastifyInstance, { database, collection }: Collections): void {
  readOrPut(api, DATABASE, 'databases', database)
  readOrPut(api, COLLECTION, 'collections', collection)
  const path = `${DATABASE}/collections`
  api.get(path, reading('collections'), async () => ({
    ...{ total: 1, collections: [await collection()] },
  }))
  api.post(path, writing('collections'), async ({ body }) => {
    const { $id: id } = await collection()
    return refuseNew(body, { field: 'collectionId', id, type: 'collection_already_exists' })
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
  what: 'attributes' | 'indexes',
  { list, remove, missing }: Declared<One>,
): void {
  const path = `${COLLECTION}/${what}`
  api.get(path, reading(what), async () => {
    const found = await list()
    return { total: found.length, [what]: found }
  })
  api.get<Of>(`${path}/:key`, reading(what), async ({ params }) => {
    const found = (await list()).find(({ key }) => key === params.key)
    if (!found) throw new Refusal(missing)
    return found
  })
  api.delete<Of>(`${path}/:key`, writing(what), async ({ params }, reply) => {
    await remove(params.key)
    return reply.code(204).send()
  })
}

function addAttributes(api: FastifyInstance, collections: Collections): void {
  const { listAttributes: list, remove, declare, change } = collections
  addDeclared(api, 'attributes', { list, remove, missing: 'attribute_not_found' })
  const path = `${COLLECTION}/attributes/:kind`
  api.post<Of>(path, writing('attributes'), async ({ params, body }, reply) =>
    reply.code(202).send(await declare(readKind(params.kind), isRecord(body) ? body : {})),
  )
  api.patch<Of>(`${path}/:key`, writing('attributes'), async ({ params, body }) =>
    change({ kind: readKind(params.kind), key: params.key }, isRecord(body) ? body : {}),
  )
}

/** @throws Refusal `general_route_not_found` */
function readKind(sent: string): Kind {
  const kind = KINDS.find((one) => one === sent)
  if (!kind) throw new Refusal('general_route_not_found')
  return kind
}

function addIndexes(api: FastifyInstance, collections: Collections): void {
  const { listIndexes: list, removeIndex: remove, addIndex } = collections
  addDeclared(api, 'indexes', { list, remove, missing: 'index_not_found' })
  api.post(`${COLLECTION}/indexes`, writing('indexes'), async ({ body }, reply) =>
    reply.code(202).send(await addIndex(body)),
  )
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
