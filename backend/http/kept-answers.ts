// Answers to guests, kept as they were sent and sent again as long as nothing has changed that they
// were made of (database/topics.ts), with a tag by which a browser asks whether its copy still
// holds. In memory, bounded, the answer given longest ago goes first. Answers to everybody else are
// made anew each time (decision 0056).
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { KEPT_ANSWERS_MAX_BYTES, KEPT_ANSWERS_MS } from '#contract/server-limits.ts'
import { VIEWER_HEADER, viewerMark } from '#contract/viewer.ts'
import { type ChangedTopics, gatherTopics, noteTopics, type Topic } from '../database/topics.ts'
import { JSON_TYPE } from './broken-requests.ts'
import { isCopyCurrent } from './conditional.ts'
import type { EarlyAnswer, FindEarly } from './early-answers.ts'
import { asKept, type Encoding, encode } from './encodings.ts'
import { encodingFor, encodingHeaders, KEPT_CACHING } from './json-answers.ts'
import { type Head, prepareHead } from './prepared-heads.ts'

/** Keeps the text of an answer. @returns what is sent of it: nothing that its reader has */
type KeepAnswer = (text: string | Buffer) => Promise<Buffer | null>

declare module 'fastify' {
  interface FastifyRequest {
    /** Keeps the answer that is being made; null for one that is not the same for all guests. */
    keepAnswer: KeepAnswer | null
  }
}

type Kept = {
  tag: string
  route: string
  identity: Buffer
  packed: Map<Encoding, Buffer>
  heads: Partial<Record<Encoding | 'unchanged', Head>>
  topics: ReadonlySet<Topic>
  /** When it was made: a mark of the changes up to then, and how long it may be used. */
  mark: number
  untilMs: number
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export type KeptAnswers = {
  /**
   * Wraps the handler of a route for reading whose answer depends, for guests, on its address
   * alone.
   */
  forGuests(handler: Handler): Handler
  /** Finds what is kept without asking a route. */
  findEarly: FindEarly
}

/** For the bookkeeping of one answer. */
const ENTRY_BYTES = 2000
/** Of the level that a client speaks, on which answers depend, too; what is longer is none. */
const LEVEL_MAX_CHARS = 20

type KeptNeeds = {
  projectId: string
  /** Of what answers are made of besides what changes tell of. */
  version: () => number
  nowMs?: () => number
}

function sizeOf({ identity, packed }: Kept, key: string): number {
  const bytes = [...packed.values()].reduce((sum, { length }) => sum + length, identity.length)
  return ENTRY_BYTES + key.length + bytes
}

export function makeKeptAnswers(
  changed: ChangedTopics,
  { projectId, version, nowMs = () => performance.now() }: KeptNeeds,
): KeptAnswers {
  const answers = new LRUCache<string, Kept>({
    maxSize: KEPT_ANSWERS_MAX_BYTES,
    maxEntrySize: KEPT_ANSWERS_MAX_BYTES / 4,
    sizeCalculation: sizeOf,
  })
  const keyOf = (address: string, headers: IncomingHttpHeaders): string => {
    const level = String(headers['x-appwrite-response-format'] ?? '')
    // Empty for what is not kept.
    return level.length > LEVEL_MAX_CHARS ? '' : `${version()} ${level} ${address}`
  }
  const isCurrent = ({ mark, topics, untilMs }: Kept): boolean =>
    changed.isHearing() && nowMs() < untilMs && !changed.hasChanged(mark, topics)
  const find = (key: string): Kept | undefined => {
    const known = answers.get(key)
    return known && isCurrent(known) ? known : undefined
  }

  async function finish(kept: Kept, key: string, reply: FastifyReply): Promise<Buffer | null> {
    const { identity, packed, tag } = kept
    const encoding = encodingFor(reply.request, identity.length)
    reply.headers({ 'cache-control': KEPT_CACHING, etag: tag })
    if (isCopyCurrent(reply.request, tag)) {
      reply.headers(encodingHeaders('identity', identity.length))
      reply.code(304).removeHeader('content-type')
      return null
    }
    reply.headers(encodingHeaders(encoding, identity.length))
    const there = encoding === 'identity' ? identity : packed.get(encoding)
    if (there) return there
    const made = await encode(identity, encoding)
    packed.set(encoding, made)
    // Its size is another one now.
    if (answers.peek(key) === kept) answers.set(key, kept)
    return made
  }
  return {
    forGuests: (handler) => async (request, reply) => {
      const key = request.viewer.role === 'guest' ? keyOf(request.originalUrl, request.headers) : ''
      if (key === '') return handler(request, reply)
      const kept = find(key)
      if (kept) {
        // Whoever renders a page of it learns what it is made of.
        noteTopics(...kept.topics)
        reply.header('content-type', JSON_TYPE)
        return reply.send((await finish(kept, key, reply)) ?? undefined)
      }
      // Whatever changes from here on makes what is read now old.
      const made = { topics: new Set<Topic>(), mark: changed.mark() }
      const untilMs = nowMs() + KEPT_ANSWERS_MS
      const answer = await gatherTopics(made.topics, () => handler(request, reply))
      noteTopics(...made.topics)
      request.keepAnswer = (text) => {
        const identity = asKept(typeof text === 'string' ? Buffer.from(text) : text)
        const tag = `W/"${hash('sha1', identity, 'base64url')}"`
        const route = request.routeOptions.url ?? ''
        const kept = { ...made, tag, route, identity, packed: new Map(), heads: {}, untilMs }
        if (isCurrent(kept)) answers.set(key, kept)
        return finish(kept, key, reply)
      }
      return answer
    },
    findEarly(request) {
      const { url = '', headers } = request
      // One that the address names in its place was right when the answer was kept.
      if (headers['x-appwrite-project'] !== projectId) return undefined
      const kept = find(keyOf(url, headers))
      return kept && toEarlyAnswer(kept, request)
    },
  }
}

/** Undefined where the bytes must be packed first, which the routes do. */
function toEarlyAnswer(kept: Kept, request: IncomingMessage): EarlyAnswer | undefined {
  const { identity, packed, heads, tag, route } = kept
  if (isCopyCurrent(request, tag)) {
    heads.unchanged ??= makeHead(kept, undefined)
    return { head: heads.unchanged, piece: '', bytes: undefined, route }
  }
  const encoding = encodingFor(request, identity.length)
  const bytes = encoding === 'identity' ? identity : packed.get(encoding)
  if (!bytes) return undefined
  heads[encoding] ??= makeHead(kept, { encoding, bytes })
  return { head: heads[encoding], piece: '', bytes, route }
}

function makeHead(
  { identity, tag }: Kept,
  sent: { encoding: Encoding; bytes: Buffer } | undefined,
): Head {
  return prepareHead(sent ? 200 : 304, {
    'cache-control': KEPT_CACHING,
    ...encodingHeaders(sent?.encoding ?? 'identity', identity.length),
    [VIEWER_HEADER]: viewerMark(undefined),
    etag: tag,
    ...(sent && { 'content-type': JSON_TYPE, 'content-length': String(sent.bytes.length) }),
  })
}
