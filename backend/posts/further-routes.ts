// Upsert, counting and many posts at once over HTTP (api.md §3.8): parameters in, answers out.
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { LONG_BODY_MAX_BYTES } from '#backend/http/request-params.ts'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { isRecord, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { Posts } from './posts.ts'
import {
  ChangedDocument,
  CollectionParams,
  DocumentParams,
  longWrite,
  PATH,
  readData,
  readMany,
  readPlace,
  write,
} from './routes.ts'

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
export function furtherRoutes(posts: Posts): Routes {
  return (api) => {
    api.put(`${PATH}/:documentId`, longWrite, async ({ viewer, params, body }, reply) => {
      const { documentId: id } = readPlace(posts, DocumentParams, params)
      const { data: sent, permissions } = readParams(ChangedDocument, body)
      const data = sent === undefined ? undefined : readData(sent)
      return reply.code(201).send(await posts.upsert(viewer, { id, data, permissions }))
    })
    addCounting(api, posts)
    addMany(api, posts)
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
        const { documentId, attribute } = readPlace(posts, CountParams, params)
        const { value = 1, min, max } = readParams(CountBody, body)
        if (value <= 0) throw invalidParam('value', 'Value must be greater than 0')
        const bound = sign === 1 ? { max } : { min }
        return posts.count(viewer, documentId, { attribute, by: sign * value, ...bound })
      },
    )
}

const ForKey = {
  config: { scope: 'documents.write' },
  bodyLimit: LONG_BODY_MAX_BYTES,
} as const

function addMany(api: FastifyInstance, posts: Posts): void {
  api.put(PATH, ForKey, async ({ viewer, params, body }, reply) => {
    readPlace(posts, CollectionParams, params)
    const documents = readMany(isRecord(body) ? body.documents : undefined)
    return reply.code(201).send(toList(await posts.upsertMany(viewer, documents)))
  })
  api.patch(PATH, ForKey, async ({ viewer, params, body }) => {
    readPlace(posts, CollectionParams, params)
    const data = isRecord(body) && body.data !== undefined ? readData(body.data) : {}
    if (Object.keys(data).length === 0) throw new Refusal('document_missing_payload')
    return toList(await posts.updateMany(viewer, { queries: readQueryTexts(body), data }))
  })
  api.delete(PATH, ForKey, async ({ viewer, params, body }) => {
    readPlace(posts, CollectionParams, params)
    return toList(await posts.removeMany(viewer, readQueryTexts(body)))
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
