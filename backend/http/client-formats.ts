// What differs between clients: fields, the second spelling of documents, and what is not offered.

// --- fields: what came with level 1.5 or later is in answers to
// clients that say so in X-Appwrite-Response-Format. The only place that knows which model has
// which newer fields (api.md §12); 1.4 and a missing header stay as they are.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from './request-params.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Of the session that this answer is about, if it has just begun. */
    newSessionToken: string | undefined
  }
}

/** `1.8` is 1.008. */
type Level = number
type Answer = Readonly<Record<string, unknown>>
type Model = {
  /** Only answers of this model have all of these fields. */
  marks: readonly string[]
  /** Fields that are added where the answer does not have them, and since which level. */
  added: Readonly<
    Record<string, readonly [since: Level, value: (answer: Answer, to: To) => unknown]>
  >
  /** Fields that answers have for newer clients alone, and how those write them. */
  newer?: Readonly<Record<string, (value: unknown, level: Level) => unknown>>
}
/** Undefined for level 1.4, to which nothing is added. */
type To = { request: FastifyRequest; reply: FastifyReply } | undefined

const LEVEL_1_5 = levelOf('1.5')
/** Texts since then, before that numbers. */
const LEVEL_OF_TEXT_SEQUENCES = levelOf('1.9')
const LEVEL_2_0 = levelOf('2.0')

/** How a session began is all that it has of factors: there is no second one. */
const FACTORS: Readonly<Record<string, readonly string[]>> = {
  email: ['password'],
  'magic-url': ['email'],
  google: ['email', 'oauth2'],
}

const MODELS: readonly Model[] = [
  {
    // First, and never looked into: a post may have attributes of any name.
    marks: ['$collectionId', '$databaseId'],
    added: {},
    newer: {
      $sequence: (value, level) => (level >= LEVEL_OF_TEXT_SEQUENCES ? String(value) : value),
    },
  },
  {
    marks: ['$id', 'providerAccessToken', 'osCode', 'current'],
    added: {
      $updatedAt: [LEVEL_1_5, ({ $createdAt }) => $createdAt],
      factors: [LEVEL_1_5, ({ provider }) => FACTORS[String(provider)] ?? ['email']],
      // For programs of the operator that sign people in; a browser has its cookie.
      secret: [
        LEVEL_1_5,
        ({ current }, to) =>
          (to?.request.viewer.role === 'key' && current === true && to.reply.newSessionToken) || '',
      ],
      mfaUpdatedAt: [LEVEL_1_5, () => ''],
    },
  },
  {
    marks: ['$id', 'emailVerification', 'prefs', 'registration'],
    added: { mfa: [LEVEL_1_5, () => false], targets: [LEVEL_1_5, () => []] },
  },
  {
    marks: ['$id', 'userId', 'secret', 'expire'],
    added: { phrase: [LEVEL_1_5, () => ''] },
  },
  {
    marks: ['$id', 'bucketId', 'signature', 'chunksTotal'],
    added: {
      encryption: [LEVEL_1_5, () => false],
      compression: [LEVEL_1_5, () => 'none'],
      folder: [LEVEL_2_0, () => ''],
      key: [LEVEL_2_0, ({ name }) => name],
      sizeActual: [LEVEL_2_0, ({ sizeOriginal }) => sizeOriginal],
    },
  },
]

/** Preferences are whatever a program keeps in them. One call answers the account. */
function isFreeForm({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.endsWith('/prefs') && !(method === 'PATCH' && url === '/v1/account/prefs')
}

export function answerByFormat(api: FastifyInstance): void {
  api.addHook('preSerialization', (request, reply, answer, done) => {
    if (!isRecord(answer)) return done(null, answer)
    const level = levelOf(request.headers['x-appwrite-response-format'])
    if (reply.statusCode >= 400)
      return done(null, level >= LEVEL_1_5 ? withNewType(answer) : answer)
    if (isFreeForm(request)) return done(null, answer)
    done(null, inFormat(answer, level, { request, reply }))
  })
}

/** The level that a client speaks; 1.4 for what is none. */
function levelOf(header: unknown): Level {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})(?:\.|$)/.exec(String(header)) ?? []
  return major === undefined ? levelOf('1.4') : Number(major) + Number(minor) / 1000
}

/** One error type is spelled in another way since level 1.5. */
function withNewType(answer: Answer): Answer {
  const isOther = answer.type === 'user_email_alread_verified'
  return isOther ? { ...answer, type: 'user_email_already_verified' } : answer
}

/** As level 1.4 has it. */
export function answerInOldForm(answer: object): object {
  return isRecord(answer) ? inFormat(answer, levelOf('1.4'), undefined) : answer
}

/** An answer is one of a model, or a list of some. */
function inFormat(answer: Answer, level: Level, to: To): Answer {
  const model = MODELS.find(({ marks }) => marks.every((mark) => Object.hasOwn(answer, mark)))
  if (model) return oneInFormat(model, answer, level, to)
  if (typeof answer.total !== 'number') return answer
  return withLists(answer, (one) => (isRecord(one) ? inFormat(one, level, to) : one))
}

/** The answer with each item of its lists changed. */
function withLists(answer: Answer, change: (item: unknown) => unknown): Answer {
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(change) : value,
  ])
  return Object.fromEntries(lists)
}

function oneInFormat({ added, newer = {} }: Model, answer: Answer, level: Level, to: To): Answer {
  const shown: Record<string, unknown> = { ...answer }
  for (const [name, [since, value]] of Object.entries(added))
    if (level >= since && !Object.hasOwn(answer, name)) shown[name] = value(answer, to)
  for (const [name, write] of Object.entries(newer)) {
    if (!Object.hasOwn(answer, name)) continue
    if (level >= LEVEL_1_5) shown[name] = write(answer[name], level)
    else delete shown[name]
  }
  return shown
}

// --- the second spelling of the document calls: `/tablesdb/{id}/tables/{id}/rows` is answered by
// the routes of `/databases/{id}/collections/{id}/documents`, also by those that come later.
// Addresses and bodies are translated on the way in, answers and errors on the way out (api.md
// §12). Knows no route.

/** New word -> old word: parts of the path, by their place in it. */
const SEGMENTS: readonly Readonly<Record<string, string>>[] = [
  { tablesdb: 'databases' },
  {},
  { tables: 'collections' },
  {},
  { rows: 'documents', columns: 'attributes' },
]
/** Parameters of bodies, and names of lists and fields in answers. */
const OLD_NAMES = new Map([
  ['tableId', 'collectionId'],
  ['rowId', 'documentId'],
  ['relatedTableId', 'relatedCollectionId'],
  ['rowSecurity', 'documentSecurity'],
  ['tables', 'collections'],
  ['rows', 'documents'],
  ['columns', 'attributes'],
])
/** Of a row itself; everything else in it are attributes of the program's own. */
const OLD_ROW_NAMES = new Map([['$tableId', '$collectionId']])
/** Beginnings of error types. */
const NEW_TYPES: Readonly<Record<string, string>> = {
  document: 'row',
  collection: 'table',
  attribute: 'column',
  index: 'column_index',
}

const turned = (names: ReadonlyMap<string, string>) =>
  new Map([...names].map(([name, old]) => [old, name]))
const NEW_NAMES = turned(OLD_NAMES)
const NEW_ROW_NAMES = turned(OLD_ROW_NAMES)

const SPELLED = /^\/v1\/tablesdb(?=[/?]|$)/

/** For Fastify's `rewriteUrl`: the address that has a route. */
export function routeAddress({ url = '' }: { url?: string | undefined }): string {
  if (!SPELLED.test(url)) return url
  const [path = '', ...query] = url.split('?')
  const parts = path.slice('/v1/'.length).split('/')
  const old = parts.map((part, at) => {
    const words = SEGMENTS[at] ?? {}
    // The old words have no place in the new spelling.
    if (Object.values(words).includes(part)) return `${part}-of-the-other-spelling`
    return Object.hasOwn(words, part) ? (words[part] ?? part) : part
  })
  return [`/v1/${old.join('/')}`, ...query].join('?')
}

export function translateRows(api: FastifyInstance): void {
  api.addHook('preValidation', async (request) => {
    if (!isSpelled(request)) return
    request.body = oldBody(request.body)
    if (isRecord(request.query) && Array.isArray(request.query.queries))
      request.query.queries = request.query.queries.map(oldQuery)
  })
  api.addHook('preSerialization', (request, reply, answer, done) => {
    if (!isSpelled(request)) return done(null, answer)
    done(null, reply.statusCode >= 400 ? newError(answer) : newAnswer(answer))
  })
}

/** Whether a request has the second spelling. */
export function isSpelled({ originalUrl }: FastifyRequest): boolean {
  return SPELLED.test(originalUrl)
}

/** A name of the old spelling means nothing here, like any other that is not known. */
function oldBody(body: unknown): unknown {
  if (!isRecord(body)) return body
  const kept = Object.entries(body).filter(([name]) => !NEW_NAMES.has(name))
  const old = renamed(Object.fromEntries(kept), OLD_NAMES)
  if (isRecord(old.data)) old.data = renamed(old.data, OLD_ROW_NAMES)
  if (Array.isArray(old.documents))
    old.documents = old.documents.map((row) => (isRecord(row) ? renamed(row, OLD_ROW_NAMES) : row))
  return old
}

/** Of all queries `select` alone can name what a row has and a document has not. */
function oldQuery(query: unknown): unknown {
  const isSelect = /^\s*(?:select\(|\{"method":\s*"select")/.test(String(query))
  return isSelect ? String(query).replaceAll('"$tableId"', '"$collectionId"') : query
}

/** A row, a table, a column, an index, or a list of them. */
function newAnswer(answer: unknown): unknown {
  if (!isRecord(answer)) return answer
  if (Object.hasOwn(answer, '$collectionId')) return renamed(answer, NEW_ROW_NAMES)
  return renamed(withLists(answer, newAnswer), NEW_NAMES)
}

function newError(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer.type !== 'string') return answer
  const [, first = '', rest = ''] = /^([a-z]+)(.*)/.exec(answer.type) ?? []
  const message = String(answer.message).replace(
    /^(Invalid `|Param ")(\w+)(?=` param:|" is not optional)/,
    (all, before: string, name: string) =>
      NEW_NAMES.has(name) ? `${before}${NEW_NAMES.get(name)}` : all,
  )
  return { ...answer, message, type: (NEW_TYPES[first] ?? first) + rest }
}

function renamed(
  from: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}

// --- parts of the hosted API that this server does not have. Their addresses are unknown here like
// any other; the answer says in words that nothing is wrong with the call.

/** Below `/v1`; `*` stands for one part of a path. What begins like one of them is meant, too. */
const NOT_OFFERED: Readonly<Record<string, readonly string[]>> = {
  'Anonymous sign-in': ['/account/sessions/anonymous'],
  'Sign-in by phone': ['/account/sessions/phone', '/account/tokens/phone'],
  'Verification of phones': [
    ...['/account/verification/phone', '/account/verifications/phone'],
    '/users/*/verification/phone',
  ],
  'A phone number': ['/account/phone', '/users/*/phone'],
  'A second factor': ['/account/mfa', '/users/*/mfa'],
  'Push notifications': ['/account/targets', '/users/*/targets'],
  Teams: ['/teams', '/users/*/memberships'],
  'Acting as somebody else': ['/users/*/impersonator'],
  'An import of md5 hashes': ['/users/md5'],
  'An import of sha hashes': ['/users/sha'],
  'An import of phpass hashes': ['/users/phpass'],
  'An import of modified scrypt hashes': ['/users/scrypt-modified'],
  'Usage numbers': ['/users/usage'],
  Functions: ['/functions'],
  'Hosting of sites': ['/sites'],
  Messaging: ['/messaging'],
  GraphQL: ['/graphql'],
  'Tokens of files': ['/tokens'],
  'The console': ['/projects', '/console', '/vcs', '/proxy', '/migrations'],
  'Fetching images of other sites': ['/avatars/favicon', '/avatars/image', '/avatars/screenshots'],
}

const PATTERNS = Object.entries(NOT_OFFERED).map(([what, paths]) => ({
  what,
  pattern: new RegExp(`^/+v1(?:${paths.join('|').replaceAll('*', '[^/]+')})(?:[/?]|$)`),
}))

/** @returns what to say about an unknown address; undefined when it is no part of the hosted API */
export function sayNotOffered(url: string): string | undefined {
  const found = PATTERNS.find(({ pattern }) => pattern.test(url))
  return found && `${found.what}: not offered by this server.`
}
