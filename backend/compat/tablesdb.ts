// The second spelling of the document calls: `/tablesdb/{id}/tables/{id}/rows` is answered by the
// routes of `/databases/{id}/collections/{id}/documents`, also by those that come later. Addresses
// and bodies are translated on the way in, answers and errors on the way out (api.md §12). Knows no
// route.
import type { FastifyRequest } from 'fastify'
import { isRecord } from '../http/request-params.ts'

type Answer = Readonly<Record<string, unknown>>

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

export function isRowsCall(url: string): boolean {
  return /^\/v1\/tablesdb(?=[/?]|$)/.test(url)
}

/** The address that has a route. */
export function oldAddress(url: string): string {
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

/** Body and queries of a call, in the words of the route that answers it. */
export function readInOldWords(request: FastifyRequest): void {
  request.body = oldBody(request.body)
  if (isRecord(request.query) && Array.isArray(request.query.queries))
    request.query.queries = request.query.queries.map(oldQuery)
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
export function newAnswer(answer: unknown): unknown {
  if (!isRecord(answer)) return answer
  if (Object.hasOwn(answer, '$collectionId')) return renamed(answer, NEW_ROW_NAMES)
  return renamed(withLists(answer, newAnswer), NEW_NAMES)
}

export function newError(answer: unknown): unknown {
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

/** The answer with each item of its lists changed. */
export function withLists(answer: Answer, change: (item: unknown) => unknown): Answer {
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(change) : value,
  ])
  return Object.fromEntries(lists)
}
