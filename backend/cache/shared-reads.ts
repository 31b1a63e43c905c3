// API reads whose response is the same for all who may read it: made once for each audience and
// cached. What a user sees besides (own drafts, hidden posts, own likes) is never in the cache:
// such a response is made for that user alone.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/errors.ts'
import { VIEWER_HEADER, viewerMark } from '#contract/ids.ts'
import type { DirectRead } from '../http/direct-reads.ts'
import { COMPRESSED_FROM_BYTES, encodingHeaders, FILLED, JSON_TYPE } from '../http/responses.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { audienceOf, type HasOwnPosts } from './fast-path.ts'
import {
  applyResponse,
  keyOf,
  type MadeResponse,
  type OwnPosts,
  type ResponseCache,
  sendResponse,
} from './response-cache.ts'

type Asked = Parameters<DirectRead>[0]

/** What a route for reading does, and what of a user's own would be in its answer. */
export type SharedRead = {
  read(asked: Asked, request: FastifyRequest): Promise<object>
  /** None when absent; undefined for an answer that is another one each time. */
  ownPosts?: (asked: Asked) => Promise<OwnPosts | undefined>
  /** Whether all users of an audience get this answer; when absent they do. */
  isShared?: (answer: object, asked: Asked) => Promise<boolean>
  /** False: guests keep no copy of it, either. */
  hasTag?: boolean
}

/** Adds a route for reading, which pages call directly. */
export type AddSharedRead = (
  api: FastifyInstance,
  path: string,
  shared: SharedRead & { direct?: DirectRead },
) => void

export function makeAddSharedRead(cache: ResponseCache, hasOwnPosts: HasOwnPosts): AddSharedRead {
  return (api, path, { direct, ...shared }) => {
    const handle = (request: FastifyRequest, reply: FastifyReply) =>
      readShared({ cache, hasOwnPosts, ...shared }, request, reply)
    api.get(path, direct ? { config: { direct } } : {}, handle)
  }
}

type Needs = SharedRead & { cache: ResponseCache; hasOwnPosts: HasOwnPosts }

async function readShared(
  needs: Needs,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { cache, read } = needs
  const { viewer, params, query } = request
  const asked = { viewer, params, query }
  const key =
    viewer.role === 'key' ? '' : keyOf(audienceOf(viewer), request.originalUrl, request.headers)
  if (viewer.role === 'key' || key === '') return await read(asked, request)
  const ownPosts = await findOwnPosts(needs, asked)
  const isOther =
    ownPosts === undefined ||
    (viewer.role === 'user' && ownPosts !== 'none' && (await needs.hasOwnPosts(viewer, ownPosts)))
  if (isOther) return await read(asked, request)
  const version = await cache.readVersion()
  const found = cache.find(key, version)
  if (found) return await sendResponse(cache, found, request, reply)
  const answer = await readForAll(needs, asked, request)
  if (!answer) return await read(asked, request)
  request.cacheResponse = async (text) => {
    const hasTag = viewer.role === 'guest' && needs.hasTag !== false
    const made = toResponse(Buffer.from(text), request, { hasTag, ownPosts })
    return await applyResponse(cache, cache.store(key, version, made), request, reply)
  }
  return answer
}

/** A question that is refused is refused by the read, in its order. */
async function findOwnPosts({ ownPosts }: Needs, asked: Asked): Promise<OwnPosts | undefined> {
  if (!ownPosts) return 'none'
  return await ownPosts(asked).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
}

/** @returns undefined where this user is answered otherwise than others */
async function readForAll(
  { read, isShared = async () => true }: Needs,
  asked: Asked,
  request: FastifyRequest,
): Promise<object | undefined> {
  const { viewer } = asked
  if (viewer.role !== 'user') return await read(asked, request)
  try {
    const answer = await read({ ...asked, viewer: anyUser(viewer) }, request)
    return (await isShared(answer, asked)) ? answer : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** In the same groups of readers, with nothing of their own. */
function anyUser({ isVerified }: UserViewer): UserViewer {
  return { role: 'user', userId: '', email: '', name: '', sessionId: '', isVerified }
}

function toResponse(
  body: Buffer,
  { routeOptions: { url: route = '' } }: FastifyRequest,
  { hasTag, ownPosts }: { hasTag: boolean; ownPosts: OwnPosts },
): MadeResponse {
  return {
    ...{ body, route, ownPosts, isCompressible: body.length >= COMPRESSED_FROM_BYTES },
    ...(hasTag ? {} : { tag: null }),
    piece: (viewer: Viewer) => viewerMark(viewer.role === 'user' ? viewer.userId : undefined),
    headersFor: (form) => ({
      // A copy is asked for before each use, by the one browser that has it.
      'cache-control': hasTag ? 'private, no-cache' : 'no-store',
      ...encodingHeaders(form === 'unchanged' ? 'identity' : form, body.length),
      [VIEWER_HEADER]: FILLED,
      ...(form === 'unchanged' ? {} : { 'content-type': JSON_TYPE }),
    }),
  }
}
