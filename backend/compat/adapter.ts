// What the server sees of this room: the routes that only other programs call, and how their
// requests are turned into ours and our answers into theirs: the second spelling of the document
// calls, and the fields of newer formats (api.md §12). A client says in X-Appwrite-Response-Format
// which format it reads; the answers of 1.4 stay as they are.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from '../http/request-params.ts'
import type { Adapter, Routes } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { collectionRoutes } from './collection-routes.ts'
import type { CollectionNeeds } from './collections.ts'
import { type JwtNeeds, jwtRoutes } from './jwt.ts'
import { localeRoutes } from './locale-routes.ts'
import { otherPostRoutes } from './post-routes.ts'
import {
  isRowsCall,
  newAnswer,
  newError,
  oldAddress,
  readInOldWords,
  withLists,
} from './tablesdb.ts'
import { explainUnsupported } from './unsupported-endpoints.ts'

export const adapter: Adapter = {
  explainUnsupported,
  toAddress: (url) => (isRowsCall(url) ? oldAddress(url) : url),
  readRequest(request) {
    if (isRowsCall(request.originalUrl)) readInOldWords(request)
  },
  writeAnswer(request, reply, answer) {
    if (!isRecord(answer)) return answer
    const level = levelOf(request.headers['x-appwrite-response-format'])
    const isRows = isRowsCall(request.originalUrl)
    if (reply.statusCode >= 400) {
      const error = withTypeOf(level, answer)
      return isRows ? newError(error) : error
    }
    const formed = isFreeForm(request) ? answer : inFormat(answer, { level, request, reply })
    return isRows ? newAnswer(formed) : formed
  },
}

export function compatRoutes(needs: CollectionNeeds & JwtNeeds & { posts: Posts }): Routes[] {
  const { posts } = needs
  return [collectionRoutes(needs), jwtRoutes(needs), localeRoutes(), otherPostRoutes(posts)]
}

/** `1.8` is 1.008. */
type Level = number
type Answer = Readonly<Record<string, unknown>>
/** Whom it is for. */
type To = { level: Level; request: FastifyRequest; reply: FastifyReply }
type Model = {
  /** Only answers of this model have all of these fields. */
  marks: readonly string[]
  /** What newer clients are answered besides, where the answer does not have it. */
  added: (answer: Answer, to: To) => Answer
}

const LEVEL_1_5 = levelOf('1.5')
const LEVEL_1_9 = levelOf('1.9')
const LEVEL_2_0 = levelOf('2.0')

/** How a session began is all that it has of factors: there is no second one. */
const FACTORS: Answer = { email: ['password'], 'magic-url': ['email'], google: ['email', 'oauth2'] }

const POST_MARKS = ['$collectionId', '$databaseId']

const MODELS: readonly Model[] = [
  {
    marks: ['$id', 'providerAccessToken', 'osCode', 'current'],
    added: ({ $createdAt, provider, current }, { request, reply }) => ({
      $updatedAt: $createdAt,
      factors: FACTORS[String(provider)] ?? ['email'],
      // For programs of the operator that sign people in; a browser has its cookie.
      secret: (request.viewer.role === 'key' && current === true && reply.newSessionToken) || '',
      mfaUpdatedAt: '',
    }),
  },
  {
    marks: ['$id', 'emailVerification', 'prefs', 'registration'],
    added: () => ({ mfa: false, targets: [] }),
  },
  { marks: ['$id', 'userId', 'secret', 'expire'], added: () => ({ phrase: '' }) },
  {
    marks: ['$id', 'bucketId', 'signature', 'chunksTotal'],
    added: ({ name, sizeOriginal }, { level }) => ({
      ...{ encryption: false, compression: 'none' },
      ...(level >= LEVEL_2_0 ? { folder: '', key: name, sizeActual: sizeOriginal } : {}),
    }),
  },
]

/** Preferences are whatever a program keeps in them. One call answers the account. */
function isFreeForm({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.endsWith('/prefs') && !(method === 'PATCH' && url === '/v1/account/prefs')
}

/** The level that a client speaks; 1.4 for what is none. */
function levelOf(header: unknown): Level {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})(?:\.|$)/.exec(String(header)) ?? []
  return major === undefined ? 1.004 : Number(major) + Number(minor) / 1000
}

/** One error type is spelled in another way since level 1.5. */
function withTypeOf(level: Level, answer: Answer): Answer {
  const isOther = level >= LEVEL_1_5 && answer.type === 'user_email_alread_verified'
  return isOther ? { ...answer, type: 'user_email_already_verified' } : answer
}

/** An answer is one of a model, or a list of some. */
function inFormat(answer: Answer, to: To): Answer {
  const has = (mark: string) => Object.hasOwn(answer, mark)
  // First, and never looked into: a post may have attributes of any name.
  if (POST_MARKS.every(has)) return has('$sequence') ? postInFormat(answer, to.level) : answer
  const model = MODELS.find(({ marks }) => marks.every(has))
  if (model)
    return to.level < LEVEL_1_5 ? answer : { ...answer, ...model.added(answer, to), ...answer }
  if (typeof answer.total !== 'number') return answer
  return withLists(answer, (one) => (isRecord(one) ? inFormat(one, to) : one))
}

/** The number of a post came with level 1.5, and is a text since 1.9. */
function postInFormat(answer: Answer, level: Level): Answer {
  const { $sequence, ...older } = answer
  if (level < LEVEL_1_5) return older
  return level < LEVEL_1_9 ? answer : { ...answer, $sequence: String($sequence) }
}
