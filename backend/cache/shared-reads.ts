// Read routes with the same answer for all permitted readers, which is made once for each audience.
// An answer with content of one user (own drafts, hidden posts, own likes) is never cached: it is
// made for that user alone.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import type { ReadRequest } from '../http/read-calls.ts'
import { COMPRESSED_FROM_BYTES, JSON_TYPE } from '../http/responses.ts'
import type { Adapter } from '../http/server.ts'
import { ANY_USER_ID, type UserViewer, type Viewer } from '../http/viewer.ts'
import {
  type Audience,
  keyOf,
  type NewResponse,
  type ResponseCache,
  sendResponse,
} from './response-cache.ts'

/** An answer with its cache tags. */
export type Tagged<Answer> = { answer: Answer; tags: readonly string[] }

/** A read route, and the viewers for whom its answer differs. */
export type SharedRead<Answer extends object = object> = {
  read(request: ReadRequest): Promise<Tagged<Answer>>
  /** Whether the answer is only for this viewer, or differs each time; if absent, it never is. */
  isPersonal?: (request: ReadRequest) => Promise<boolean>
  /** The same for a page, where the app adds the viewer's own data; defaults to `isPersonal`. */
  isPersonalOnPage?: (request: ReadRequest) => Promise<boolean>
  /** Whether all users of an audience get this answer; if absent, they do. */
  isShared?(answer: Answer): boolean
  /** If false, not even guests' browsers store a copy. */
  hasEtag?: boolean
}

/** Adds a read route, with its description. */
export type AddSharedRead = ReturnType<typeof makeAddSharedRead>

type SharedReadOptions = { cache: ResponseCache; writeAnswer: Adapter['writeAnswer'] }

export function makeAddSharedRead(options: SharedReadOptions) {
  return <Answer extends object>(
    api: FastifyInstance,
    path: string,
    routeOptions: RouteShorthandOptions,
    shared: SharedRead<Answer>,
  ): void => {
    const { read, isPersonal = async () => false, isPersonalOnPage = isPersonal } = shared
    const config = { ...routeOptions.config, read, isPersonalOnPage }
    api.get(path, { ...routeOptions, config }, async (request, reply) =>
      readShared(options, { ...shared, isPersonal }, request, reply),
    )
  }
}

async function readShared<Answer extends object>(
  { cache, writeAnswer }: SharedReadOptions,
  shared: SharedRead<Answer> & Required<Pick<SharedRead, 'isPersonal'>>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { viewer, originalUrl, headers } = request
  const readForViewer = async () => (await shared.read(request)).answer
  const key = viewer.role === 'key' ? '' : keyOf(audienceOf(viewer), originalUrl, headers)
  if (key === '' || (await shared.isPersonal(request).catch(trueIfRefused)))
    return await readForViewer()
  const response = await cache.readOrMake(key, async () => {
    const tagged = await readForAudience(shared, request)
    if (!tagged) return { other: undefined }
    const text = JSON.stringify(writeAnswer(request, reply, tagged.answer))
    const hasEtag = viewer.role === 'guest' && shared.hasEtag !== false
    return toResponse(Buffer.from(text), tagged.tags, hasEtag)
  })
  return 'other' in response
    ? await readForViewer()
    : await sendResponse(cache, response, request, reply)
}

/** The group of viewers that get the same answers. */
export function audienceOf(viewer: Exclude<Viewer, { role: 'key' }>): Audience {
  if (viewer.role === 'guest') return 'guest'
  return viewer.isVerified ? 'verified' : 'unverified'
}

/**
 * Turns a refusal by `isPersonal` into true: the read then refuses in the order of its own checks.
 */
function trueIfRefused(error: unknown): boolean {
  if (error instanceof Refusal) return true
  throw error
}

/** @returns undefined when the answer is not the same for all users of the audience */
async function readForAudience<Answer extends object>(
  { read, isShared = () => true }: SharedRead<Answer>,
  request: ReadRequest,
): Promise<Tagged<Answer> | undefined> {
  const { viewer, params, query, ip } = request
  if (viewer.role !== 'user') return await read(request)
  try {
    const tagged = await read({ params, query, ip, viewer: anyUser(viewer) })
    return isShared(tagged.answer) ? tagged : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** A viewer that stands for all users in the same groups of readers, and owns nothing. */
export function anyUser({ isVerified }: UserViewer): UserViewer {
  const nobody = { email: '', name: '', sessionId: '', accountRole: 'reader' } as const
  return { role: 'user', userId: ANY_USER_ID, ...nobody, isVerified }
}

function toResponse(body: Buffer, tags: readonly string[], hasEtag: boolean): NewResponse {
  const isCompressible = body.length >= COMPRESSED_FROM_BYTES
  return {
    body,
    tags,
    isCompressible,
    ...(hasEtag ? {} : { etag: null }),
    headers: {
      // The browser revalidates its copy before each use.
      'cache-control': hasEtag ? 'private, no-cache' : 'no-store',
      vary: isCompressible ? 'Origin, Accept-Encoding' : 'Origin',
    },
    bodyHeaders: { 'content-type': JSON_TYPE },
  }
}
