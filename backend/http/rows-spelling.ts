// The second spelling of the document calls: `/tablesdb/{id}/tables/{id}/rows` is answered by the
// routes of `/databases/{id}/collections/{id}/documents`, also by those that come later. Addresses
// and bodies are translated on the way in, answers and errors on the way out (api.md §12). Knows no
// route.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRecord } from './params.ts'

/** New word -> old word: parts of the path, by their place in it. */
const SEGMENTS: readonly Readonly<Record<string, string>>[] = [
  { tablesdb: 'databases' },
  {},
  { tables: 'collections' },
  {},
  { rows: 'documents', columns: 'attributes' },
]
/** Parameters of bodies, and names of lists and fields in answers. */
const NAMES: Readonly<Record<string, string>> = {
  tableId: 'collectionId',
  rowId: 'documentId',
  relatedTableId: 'relatedCollectionId',
  rowSecurity: 'documentSecurity',
  tables: 'collections',
  rows: 'documents',
  columns: 'attributes',
}
/** Of a row itself; everything else in it are attributes of the program's own. */
const ROW_NAMES: Readonly<Record<string, string>> = { $tableId: '$collectionId' }
/** Beginnings of error types. */
const TYPES: Readonly<Record<string, string>> = {
  row: 'document',
  table: 'collection',
  column: 'attribute',
  column_index: 'index',
}

const toOld = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names))
const toNew = (names: Readonly<Record<string, string>>) =>
  new Map(Object.entries(names).map(([name, old]) => [old, name]))
const OLD_NAMES = toOld(NAMES)
const NEW_NAMES = toNew(NAMES)
const OLD_ROW_NAMES = toOld(ROW_NAMES)
const NEW_ROW_NAMES = toNew(ROW_NAMES)
const NEW_TYPES = toNew(TYPES)

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
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(newAnswer) : value,
  ])
  return renamed(Object.fromEntries(lists), NEW_NAMES)
}

function newError(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer.type !== 'string') return answer
  const [, first = '', rest = ''] = /^([a-z]+)(.*)/.exec(answer.type) ?? []
  const message = String(answer.message).replace(
    /^(Invalid `|Param ")(\w+)(?=` param:|" is not optional)/,
    (all, before: string, name: string) =>
      NEW_NAMES.has(name) ? `${before}${NEW_NAMES.get(name)}` : all,
  )
  return { ...answer, message, type: (NEW_TYPES.get(first) ?? first) + rest }
}

function renamed(
  from: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}
