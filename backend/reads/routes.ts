// HTTP routes for reads (api.md §15.16), and which requests for a page count as a read.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { postIdInPath } from '#contract/post-url.ts'
import { call, NO_BODY, OBJECT, texts } from '../http/openapi.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import type { Routes } from '../http/server.ts'
import { readUser, type Viewer } from '../http/viewer.ts'
import { readPost } from '../posts/read-post.ts'
import {
  CollectionParams,
  DOCUMENTS_PATH,
  DocumentParams,
  readPathParams,
} from '../posts/routes.ts'
import type { ReadsContext } from './context.ts'
import type { Reads } from './reads.ts'
import { isHumanRequest, isOpenedInTab, userAgentOf } from './unique-readers.ts'

const Day = Type.Object({ ...texts('day'), reads: Type.Integer() }, { $id: 'Day' })
const ReadNumbers = Type.Object(
  { isCounted: Type.Boolean(), days: Type.Array(Day), posts: Type.Array(OBJECT) },
  { $id: 'Reads' },
)

const RECORDING = { counts: countPerUser('read', RATE.readPerUser) }
const READING_NUMBERS = {
  scope: 'account',
  counts: countPerUser('read numbers', RATE.readNumbersPerUser),
} as const

export function readRoutes(context: ReadsContext): Routes {
  const { reads } = context
  return (api) => {
    const recording = call({ config: RECORDING }, 'Counts a read', { 204: NO_BODY })
    api.post(`${DOCUMENTS_PATH}/:documentId/reads`, recording, async (request, reply) => {
      const { viewer, params } = request
      const { documentId: id } = readPathParams(context, DocumentParams, params)
      const { post } = await readPost(context, viewer, id, [PAGE_ONLY])
      if (post.page) throw new Refusal('document_not_found')
      if (isHumanRequest(request)) recordReader(reads, request, { viewer, id })
      return reply.code(204).send()
    })
    const readingNumbers = call(
      { config: READING_NUMBERS },
      'How often the posts of the caller are read',
      {
        200: ReadNumbers,
      },
    )
    addReadRoute(
      api,
      '/databases/:databaseId/collections/:collectionId/reads',
      readingNumbers,
      async ({ viewer, params }) => {
        readPathParams(context, CollectionParams, params)
        return reads.readNumbers(readUser(viewer))
      },
    )
  }
}

const PAGE_ONLY = JSON.stringify({ method: 'select', values: ['page'] })

/** The parts of a request for a page that decide whether it counts. */
type PageRequest = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'ip'>

/** Both a page that was sent and one that the browser still had (304) count as read. */
export type RecordPageView = (
  request: PageRequest,
  page: { viewer: Viewer; status: number },
) => void

export function makePageViewRecorder(reads: Pick<Reads, 'record'>): RecordPageView {
  return (request, { viewer, status }) => {
    if ((status !== 200 && status !== 304) || !isOpenedInTab(request) || !isHumanRequest(request))
      return
    const id = postIdInPath(request.url.split('?')[0] ?? '')
    if (id) recordReader(reads, request, { viewer, id })
  }
}

/** The API key is no reader. An author's own reads are left out when they are written. */
function recordReader(
  reads: Pick<Reads, 'record'>,
  request: PageRequest,
  { viewer, id }: { viewer: Viewer; id: string },
): void {
  if (viewer.role === 'key') return
  const guest = { address: request.ip, userAgent: userAgentOf(request) }
  reads.record(id, viewer.role === 'user' ? { userId: viewer.userId } : guest)
}
