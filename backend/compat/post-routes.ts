// HTTP of calls about posts that only other programs make (api.md §3.8): upsert, counting, and many
// posts at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidParam, missingParam, Refusal } from '#contract/errors.ts'
import { isRecord, LONG_BODY_MAX_BYTES, readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import type { SentData } from '../posts/attributes.ts'
import type { PostNeeds } from '../posts/needs.ts'
import {
  ChangedDocument,
  CollectionParams,
  DocumentParams,
  longWrite,
  PATH,
  readData,
  readPlace,
  write,
} from '../posts/routes.ts'
import * as writes from './post-writes.ts'

/** Posts that the API key may send in one call. */
const BULK_DOCUMENTS_MAX = 100

const CountParams = Type.Object({
  ...DocumentParams.properties,
  attribute: Type.String({ minLength: 1, maxLength: 255 }),
})
const number = () => Type.Optional(Type.Number({ description: 'Value must be a valid number' }))
const CountBody = Type.Object({ value: number(), min: number(), max: number() })

const ForKey = { config: { scope: 'documents.write' }, bodyLimit: LONG_BODY_MAX_BYTES } as const

export function otherPostRoutes(posts: PostNeeds): Routes {
  return (api) => {
    api.put(`${PATH}/:documentId`, longWrite, async ({ viewer, params, body }, reply) => {
      const { data: sent, permissions } = readParams(ChangedDocument, body)
      const data = sent === undefined ? undefined : readData(sent)
      const { documentId: id } = readPlace(posts, DocumentParams, params)
      const made = await writes.upsertPost(posts, viewer, { id, data, permissions })
      return reply.code(201).send(made)
    })
    addCounting(api, posts)
    addMany(api, posts)
  }
}

function addCounting(api: FastifyInstance, posts: PostNeeds): void {
  for (const word of ['increment', 'decrement'])
    api.patch(
      `${PATH}/:documentId/:attribute/${word}`,
      { config: write },
      async ({ viewer, params, body }) => {
        const { value = 1, min, max } = readParams(CountBody, body)
        if (value <= 0) throw invalidParam('value', 'Value must be greater than 0')
        const { documentId, attribute } = readPlace(posts, CountParams, params)
        const step = word === 'increment' ? { by: value, max } : { by: -value, min }
        return writes.incrementAttribute(posts, viewer, documentId, { attribute, ...step })
      },
    )
}

function addMany(api: FastifyInstance, posts: PostNeeds): void {
  api.put(PATH, ForKey, async ({ viewer, params, body }, reply) => {
    const documents = readMany(body)
    readPlace(posts, CollectionParams, params)
    const made = await writes.writePosts(posts, viewer, documents, { isUpsert: true })
    return reply.code(201).send(toList(made))
  })
  api.patch(PATH, ForKey, async ({ viewer, params, body }) => {
    const data = isRecord(body) && body.data !== undefined ? readData(body.data) : {}
    if (Object.keys(data).length === 0) throw new Refusal('document_missing_payload')
    readPlace(posts, CollectionParams, params)
    return toList(await writes.updatePosts(posts, viewer, { queries: readQueryTexts(body), data }))
  })
  api.delete(PATH, ForKey, async ({ viewer, params, body }) => {
    readPlace(posts, CollectionParams, params)
    return toList(await writes.removePosts(posts, viewer, readQueryTexts(body)))
  })
}

/** Answers a call that creates several posts: it has the address of one. */
export async function createMany(posts: PostNeeds, request: FastifyRequest, reply: FastifyReply) {
  const { body, viewer, params } = request
  readPlace(posts, CollectionParams, params)
  const made = await writes.writePosts(posts, viewer, readMany(body), { isUpsert: false })
  return reply.code(201).send(toList(made))
}

function toList<Document>(documents: Document[]): { total: number; documents: Document[] } {
  return { total: documents.length, documents }
}

/** The documents of a call about several. @throws Refusal `general_argument_invalid` */
function readMany(body: unknown): SentData[] {
  const sent = isRecord(body) ? (body.documents ?? undefined) : undefined
  if (sent === undefined) throw missingParam('documents')
  const isList = Array.isArray(sent) && sent.length > 0 && sent.length <= BULK_DOCUMENTS_MAX
  if (!isList || !sent.every(isRecord))
    throw invalidParam('documents', `Value must be a list of 1 to ${BULK_DOCUMENTS_MAX} objects`)
  return sent.map(readData)
}

function readQueryTexts(body: unknown): string[] | undefined {
  const sent = isRecord(body) ? (body.queries ?? undefined) : undefined
  if (sent === undefined) return undefined
  if (!Array.isArray(sent)) throw invalidParam('queries', 'Value must be a valid array')
  // A client may send queries as objects: JSON is one of their notations.
  return sent.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
}
