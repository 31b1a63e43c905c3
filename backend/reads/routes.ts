// The HTTP side of reads (api.md §15.16), and which pages count as one.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
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

const NOTING = { counts: countPerUser('read', RATE.readPerUser) }
const ASKING = {
  scope: 'account',
  counts: countPerUser('read numbers', RATE.readNumbersPerUser),
} as const

export function readRoutes(context: ReadsContext): Routes {
  const { reads } = context
  return (api) => {
    const noting = call({ config: NOTING }, 'Counts a read', { 204: NO_BODY })
    api.post(`${DOCUMENTS_PATH}/:documentId/reads`, noting, async (request, reply) => {
      const { viewer, params } = request
      const { documentId: id } = readPathParams(context, DocumentParams, params)
      await readPost(context, viewer, id, [ID_ONLY])
      if (isHumanRequest(request)) noteReader(reads, request, { viewer, id })
      return reply.code(204).send()
    })
    const asking = call({ config: ASKING }, 'How often the posts of the caller are read', {
      200: ReadNumbers,
    })
    addReadRoute(
      api,
      '/databases/:databaseId/collections/:collectionId/reads',
      asking,
      async ({ viewer, params }) => {
        readPathParams(context, CollectionParams, params)
        return reads.readNumbers(readUser(viewer))
      },
    )
  }
}

const ID_ONLY = JSON.stringify({ method: 'select', values: ['$id'] })

/** What is looked at of the request for a page. */
type PageRequest = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'ip'>

/** A page that was sent, or that its reader still had: both were read. */
export type RecordPageView = (
  request: PageRequest,
  page: { viewer: Viewer; status: number },
) => void

export function makePageViewRecorder(reads: Pick<Reads, 'record'>): RecordPageView {
  return (request, { viewer, status }) => {
    if ((status !== 200 && status !== 304) || !isOpenedInTab(request) || !isHumanRequest(request))
      return
    const id = postIdInPath(request.url.split('?')[0] ?? '')
    if (id) noteReader(reads, request, { viewer, id })
  }
}

/** The key is a program. Reads of one's own post are left out when they are written. */
function noteReader(
  reads: Pick<Reads, 'record'>,
  request: PageRequest,
  { viewer, id }: { viewer: Viewer; id: string },
): void {
  if (viewer.role === 'key') return
  const guest = { address: request.ip, userAgent: userAgentOf(request) }
  reads.record(id, viewer.role === 'user' ? { userId: viewer.userId } : guest)
}
