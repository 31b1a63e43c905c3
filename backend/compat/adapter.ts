// Translates requests and responses for other clients: fields of newer response formats, which a
// client names in X-Appwrite-Response-Format; aliases of a post's attributes; and the TablesDB form
// of the document calls (api.md §12). Every response passes through here.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findQueryList, isRecord, parseJson } from '../http/request-params.ts'
import type { Adapter } from '../http/server.ts'
import { DOCUMENTS_PATH } from '../posts/routes.ts'
import {
  translateData,
  translateQuery,
  withAliases,
  withSelectedAliases,
} from './attribute-names.ts'
import { notOffered, refuseUnsupported } from './unsupported-endpoints.ts'

export const adapter: Adapter = {
  refuseUnsupported,
  toAddress: (url) => (isRowsCall(url) ? toDocumentUrl(url) : url),
  readRequest(request) {
    if (isRowsCall(request.originalUrl)) translateRowsRequest(request)
    if (isPostCall(request)) translateAttributes(request)
  },
  writeAnswer(request, reply, answer) {
    if (!isRecord(answer)) return answer
    const level = levelOf(request.headers['x-appwrite-response-format'])
    const isRows = isRowsCall(request.originalUrl)
    if (reply.statusCode >= 400) {
      const error = withTypeOf(level, answer)
      return isRows ? toRowsError(error) : error
    }
    const formatted = isFreeForm(request)
      ? answer
      : inFormat(withAliasesIn(request, answer), { level, request, reply })
    return isRows ? toRowsAnswer(formatted) : formatted
  },
}

// --- aliases of attributes

const POST_URLS = [`/v1${DOCUMENTS_PATH}`, `/v1${DOCUMENTS_PATH}/:documentId`]

function isPostCall({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return POST_URLS.includes(url)
}

/** The aliases that the queries of a request select, for its response. */
const selectedAliases = new WeakMap<FastifyRequest, string[]>()

function translateAttributes(request: FastifyRequest): void {
  const { body, query } = request
  if (isRecord(body) && body.data === undefined && Array.isArray(body.documents))
    throw notOffered('Many posts at once')
  if (isRecord(body) && body.data !== undefined) {
    const data = typeof body.data === 'string' ? parseJson(body.data) : body.data
    if (isRecord(data)) {
      translateData(data)
      body.data = data
    }
  }
  const texts = findQueryList(query, 'queries')
  if (!texts || !isRecord(query)) return
  const translated = texts.map(translateQuery)
  query.queries = translated.map(({ text }) => text)
  selectedAliases.set(
    request,
    translated.flatMap(({ selected }) => selected),
  )
}

function withAliasesIn(request: FastifyRequest, answer: Answer): Answer {
  const selected = selectedAliases.get(request) ?? []
  const addAliases = (post: unknown): unknown => {
    if (!isRecord(post)) return post
    if (isWholePost(post)) return withAliases(post)
    return selected.length === 0 ? post : withSelectedAliases(post, selected)
  }
  if (Array.isArray(answer.documents))
    return { ...answer, documents: answer.documents.map(addAliases) }
  return addAliases(answer) as Answer
}

const WHOLE_POST_MARKS = ['$collectionId', '$permissions', 'userid', 'likeId']

function isWholePost(answer: Answer): boolean {
  return WHOLE_POST_MARKS.every((mark) => Object.hasOwn(answer, mark))
}

// --- newer formats

/** A format version as a number: `1.8` is 1.008. */
type Level = number
type Answer = Readonly<Record<string, unknown>>
/** The client of a response, with its request. */
type Recipient = { level: Level; request: FastifyRequest; reply: FastifyReply }
type Model = {
  /** Fields that together identify the model: no other response has all of them. */
  marks: readonly string[]
  /** Fields for newer clients that the response lacks. */
  added: (answer: Answer, to: Recipient) => Answer
}

const LEVEL_1_5 = levelOf('1.5')
const LEVEL_1_9 = levelOf('1.9')
const LEVEL_2_0 = levelOf('2.0')
const LEVEL_2_3 = levelOf('2.3')

/** The factors of a session, by its provider; there is never a second factor. */
const FACTORS: Answer = { email: ['password'], 'magic-url': ['email'], google: ['email', 'oauth2'] }

const POST_MARKS = ['$collectionId', '$databaseId']

const MODELS: readonly Model[] = [
  {
    marks: ['$id', 'providerAccessToken', 'osCode', 'current'],
    added: ({ $createdAt, provider, current }, { request, reply }) => ({
      $updatedAt: $createdAt,
      factors: FACTORS[String(provider)] ?? ['email'],
      // Only for the API key, whose programs sign users in; a browser has its cookie.
      secret: (request.viewer.role === 'key' && current === true && reply.newSessionToken) || '',
      mfaUpdatedAt: '',
    }),
  },
  {
    marks: ['$id', 'emailVerification', 'prefs', 'registration'],
    added: () => ({ mfa: false, targets: [] }),
  },
  {
    marks: ['$id', 'providerUid', 'providerEmail'],
    added: (_answer, { level }): Answer => (level >= LEVEL_2_3 ? { providerIdToken: '' } : {}),
  },
  { marks: ['$id', 'userId', 'secret', 'expire'], added: () => ({ phrase: '' }) },
  {
    marks: ['$id', 'bucketId', 'signature', 'chunksTotal'],
    added: ({ name, sizeOriginal }, { level }) => ({
      encryption: false,
      compression: 'none',
      ...(level >= LEVEL_2_0 ? { folder: '', key: name, sizeActual: sizeOriginal } : {}),
    }),
  },
]

/**
 * Whether the answer is prefs, which may have any fields. The call that changes the caller's prefs
 * returns the account instead.
 */
function isFreeForm({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.endsWith('/prefs') && !(method === 'PATCH' && url === '/v1/account/prefs')
}

/** The format level that the client names; 1.4 for an unknown one. */
function levelOf(header: unknown): Level {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})(?:\.|$)/.exec(String(header)) ?? []
  return major === undefined ? 1.004 : Number(major) + Number(minor) / 1000
}

/** One error type is spelled differently since level 1.5. */
function withTypeOf(level: Level, answer: Answer): Answer {
  const isSpelledDifferently = level >= LEVEL_1_5 && answer.type === 'user_email_alread_verified'
  return isSpelledDifferently ? { ...answer, type: 'user_email_already_verified' } : answer
}

/** Adds the fields of a newer format to a model, or to a list of models. */
function inFormat(answer: Answer, to: Recipient): Answer {
  const has = (mark: string) => Object.hasOwn(answer, mark)
  // Checked first: a post may have attributes of any name.
  if (POST_MARKS.every(has)) return has('$sequence') ? postInFormat(answer, to.level) : answer
  const model = MODELS.find(({ marks }) => marks.every(has))
  if (model)
    return to.level < LEVEL_1_5 ? answer : { ...answer, ...model.added(answer, to), ...answer }
  if (typeof answer.total !== 'number') return answer
  return withLists(answer, (item) => (isRecord(item) ? inFormat(item, to) : item))
}

/** `$sequence` exists since level 1.5, and is a string since 1.9. */
function postInFormat(answer: Answer, level: Level): Answer {
  const { $sequence, ...older } = answer
  if (level < LEVEL_1_5) return older
  return level < LEVEL_1_9 ? answer : { ...answer, $sequence: String($sequence) }
}

// --- TablesDB: the routes of `/databases/{id}/collections/{id}/documents` also answer
// `/tablesdb/{id}/tables/{id}/rows`

/** TablesDB word -> route's word, for each segment of the path. */
const SEGMENTS: readonly Readonly<Record<string, string>>[] = [
  { tablesdb: 'databases' },
  {},
  { tables: 'collections' },
  {},
  { rows: 'documents' },
]
/** TablesDB name -> route's name: parameters of bodies, lists and fields of answers. */
const DOCUMENT_NAMES = new Map([
  ['tableId', 'collectionId'],
  ['rowId', 'documentId'],
  ['rows', 'documents'],
])
/** The same for fields of a row; its other fields are attributes. */
const DOCUMENT_FIELD_NAMES = new Map([['$tableId', '$collectionId']])
/** Beginnings of error types: route's word -> TablesDB word. */
const TABLES_ERROR_TYPES: Readonly<Record<string, string>> = {
  document: 'row',
  collection: 'table',
}

const invert = (names: ReadonlyMap<string, string>) =>
  new Map([...names].map(([name, old]) => [old, name]))
const TABLES_NAMES = invert(DOCUMENT_NAMES)
const TABLES_FIELD_NAMES = invert(DOCUMENT_FIELD_NAMES)

function isRowsCall(url: string): boolean {
  return /^\/v1\/tablesdb(?=[/?]|$)/.test(url)
}

/** The URL of the route that answers a TablesDB call. */
function toDocumentUrl(url: string): string {
  const [path = '', ...query] = url.split('?')
  const parts = path.slice('/v1/'.length).split('/')
  const translated = parts.map((part, index) => {
    const words = SEGMENTS[index] ?? {}
    // Words of the document calls are unknown in TablesDB URLs, so this must match no route.
    if (Object.values(words).includes(part)) return `${part}-of-the-other-spelling`
    return Object.hasOwn(words, part) ? (words[part] ?? part) : part
  })
  return [`/v1/${translated.join('/')}`, ...query].join('?')
}

/** Translates body and queries of a TablesDB call for its route. */
function translateRowsRequest(request: FastifyRequest): void {
  request.body = toDocumentBody(request.body)
  if (isRecord(request.query) && Array.isArray(request.query.queries))
    request.query.queries = request.query.queries.map(toDocumentQuery)
}

/** TablesDB does not know the names of the document calls: they are dropped. */
function toDocumentBody(body: unknown): unknown {
  if (!isRecord(body)) return body
  const params = Object.entries(body).filter(([name]) => !TABLES_NAMES.has(name))
  const translated = renameFields(Object.fromEntries(params), DOCUMENT_NAMES)
  if (isRecord(translated.data))
    translated.data = renameFields(translated.data, DOCUMENT_FIELD_NAMES)
  return translated
}

/** Only `select` can name `$tableId`, which documents do not have. */
function toDocumentQuery(query: unknown): unknown {
  const isSelect = /^\s*(?:select\(|\{"method":\s*"select")/.test(String(query))
  return isSelect ? String(query).replaceAll('"$tableId"', '"$collectionId"') : query
}

/** Translates a document, or a list of them. */
function toRowsAnswer(answer: unknown): unknown {
  if (!isRecord(answer)) return answer
  if (Object.hasOwn(answer, '$collectionId')) return renameFields(answer, TABLES_FIELD_NAMES)
  return renameFields(withLists(answer, toRowsAnswer), TABLES_NAMES)
}

function toRowsError(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer.type !== 'string') return answer
  const [, first = '', rest = ''] = /^([a-z]+)(.*)/.exec(answer.type) ?? []
  const message = String(answer.message).replace(
    /^(Invalid `|Param ")(\w+)(?=` param:|" is not optional)/,
    (all, before: string, name: string) =>
      TABLES_NAMES.has(name) ? `${before}${TABLES_NAMES.get(name)}` : all,
  )
  return { ...answer, message, type: (TABLES_ERROR_TYPES[first] ?? first) + rest }
}

function renameFields(from: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>) {
  return Object.fromEntries(
    Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}

/** The answer with each item of its lists changed. */
function withLists(answer: Answer, change: (item: unknown) => unknown): Answer {
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(change) : value,
  ])
  return Object.fromEntries(lists)
}
