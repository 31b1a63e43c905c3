// The input of a request: query strings, parameters, JSON bodies, their content type and speed.

// --- query strings: the last value of a repeated parameter counts, `name[0]` and
// `name[]` are lists (api.md §1.2).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import { invalidParam, missingParam, Refusal } from '#contract/errors.ts'
import { isReading } from './viewer.ts'

/** Body size for whole posts: only on routes that declare it, for signed-in, counted callers. */
export const LONG_BODY_MAX_BYTES = 4 * 1024 * 1024
/** Bounds of what a JSON body holds, so that reading it stays cheap. */
export const JSON_MAX_DEPTH = 32
export const JSON_MAX_KEYS = 1000
/** Digits of one number. */
const JSON_MAX_DIGITS = 1000
/** Enough for the posts of one call with a thousand likes each; counts commas and brackets. */
export const JSON_MAX_VALUES = 150_000
/** Parameters of one query string that are read, and the largest number in `name[7]`. */
export const QUERY_PARAMS_MAX = 1000
const QUERY_LIST_INDEX_MAX = 999

/** Texts as sent; a parameter with brackets is a list. Has no prototype. */
export type QueryParams = Record<string, string | string[]>

/** `name[]` and `name[7]`. */
const LIST_ITEM = /^([^[\]]+)\[(\d{0,4})\]$/

/**
 * Never throws. Parameters beyond `QUERY_PARAMS_MAX` are ignored, and so are names that objects
 * inherit, which a reader could take for a parameter.
 */
export function readQueryString(text: string): QueryParams {
  const params: QueryParams = Object.create(null)
  if (text === '') return params
  let count = 0
  for (const [key, value] of new URLSearchParams(text)) {
    if (++count > QUERY_PARAMS_MAX) break
    const [, name = key, index] = LIST_ITEM.exec(key) ?? []
    if (name === '' || name in Object.prototype) continue
    const existing = params[name]
    const list = Array.isArray(existing) ? existing : []
    params[name] = index === undefined ? value : list
    if (index === undefined) continue
    // An item without a number is appended.
    const at = index === '' ? list.length : Number(index)
    if (at <= QUERY_LIST_INDEX_MAX) list[at] = value
  }
  // Removes the holes of missing indexes.
  for (const [name, value] of Object.entries(params))
    if (Array.isArray(value)) params[name] = value.flat()
  return params
}

// --- the parameters of a call: checked in their declared order, refused with the texts of api.md
// §1.4. Unknown ones are ignored.

const NOT_VALID = 'Value is not valid'

/**
 * Picks the schema's own keys from a body or a query.
 *
 * @param source as sent; anything but an object counts as empty. `null` counts as absent
 * @throws Refusal `general_argument_invalid`: ``Param "x" is not optional.`` or ``Invalid `x`
 *   param: <the schema's description>``
 */
export function readParams<Schema extends TObject>(
  schema: Schema,
  source: unknown,
): Static<Schema> {
  const from = isRecord(source) ? source : {}
  const required: readonly string[] = schema.required ?? []
  const params: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined
    if (value === undefined || value === null) {
      if (required.includes(name)) throw missingParam(name)
    } else if (Check(part, value)) params[name] = value
    else throw invalidParam(name, 'description' in part ? String(part.description) : NOT_VALID)
  }
  return params as Static<Schema>
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A list in a query string; a parameter without brackets is a list of one (api.md §1.2).
 *
 * @returns undefined when the name is absent. Values are texts as sent
 */
export function findQueryList(query: unknown, name: string): string[] | undefined {
  const value = isRecord(query) && Object.hasOwn(query, name) ? query[name] : undefined
  if (value === undefined) return undefined
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** Length of the text by which a list is searched. */
const SEARCH_MAX_CHARS = 256

/** @throws Refusal `general_argument_invalid` */
export function readSearch(query: unknown): string | undefined {
  const search = isRecord(query) ? query.search : undefined
  if (search === undefined || search === '') return undefined
  if (typeof search === 'string' && search.length <= SEARCH_MAX_CHARS && !search.includes('\0'))
    return search
  throw invalidParam('search', `Value must be a valid string of 1 to ${SEARCH_MAX_CHARS} chars`)
}

// --- JSON bodies: limits on depth, keys and values, no prototype keys. A broken body counts as
// `{}` (api.md §1.2).

/** Objects whose key `__proto__` was removed. */
const withPrototype = new WeakSet<object>()

/** Whether an object of a body was sent with a key `__proto__`, which is always removed. */
export function hadPrototypeKey(value: object): boolean {
  return withPrototype.has(value)
}

/** Matches `__proto__`, also written with escapes. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u/

/**
 * @returns undefined for invalid JSON
 * @throws Refusal `general_argument_invalid` for a body that exceeds the bounds above
 */
export function parseJson(text: string): unknown {
  checkBounds(text)
  try {
    const value: unknown = JSON.parse(text)
    if (MAY_NAME_PROTOTYPE.test(text)) dropPrototypes(value)
    return value
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const ESCAPE = 0x5c
/** Turns the code of a square bracket into that of a brace. */
const BRACE_BIT = 0x20
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Runs before the text is parsed, because parsing costs many times more. */
function checkBounds(text: string): void {
  let depth = 0
  let keys = 0
  let values = 0
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    digits = code >= ZERO && code <= NINE ? digits + 1 : 0
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) keys++
    else if (code === COMMA) values++
    else if ((code | BRACE_BIT) === OPENING_BRACE) {
      depth++
      values++
    } else if ((code | BRACE_BIT) === CLOSING_BRACE) depth--
    if (depth > JSON_MAX_DEPTH) throw tooMuch(`is nested deeper than ${JSON_MAX_DEPTH} levels`)
    if (keys > JSON_MAX_KEYS) throw tooMuch(`has more than ${JSON_MAX_KEYS} keys`)
    if (digits > JSON_MAX_DIGITS)
      throw tooMuch(`has a number of more than ${JSON_MAX_DIGITS} digits`)
    if (values > JSON_MAX_VALUES) throw tooMuch(`has more than ${JSON_MAX_VALUES} values`)
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) break
    if (code === ESCAPE) at++
  }
  return at
}

function tooMuch(excess: string): Refusal {
  return new Refusal('general_argument_invalid', `The body ${excess}.`)
}

function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) {
    Reflect.deleteProperty(value, '__proto__')
    withPrototype.add(value)
  }
  for (const member of Object.values(value)) dropPrototypes(member)
}

// --- content types: the grammar of RFC 9110 §8.3.1 without tabs, so that no proxy reads a type
// differently.

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
const QUOTED = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"`
/** Clients omit the quotes that some characters of a multipart boundary need. */
const VALUE = String.raw`(?:${QUOTED}|[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+)`
/** Unambiguous, so that matching takes linear time. */
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN} *(?:;(?: *${TOKEN}=${VALUE})? *)*$`)

/** The content type cannot be parsed. */
export class MalformedContentType extends Error {
  readonly statusCode = 415
}

/** @throws MalformedContentType; not for reads, whose body is ignored */
export function refuseMalformedType(request: Pick<FastifyRequest, 'method' | 'headers'>): void {
  const { method, headers } = request
  const type = headers['content-type']
  if (type === undefined || type === '' || isReading(method)) return
  if (!CONTENT_TYPE.test(type)) throw new MalformedContentType()
}

// --- bodies that arrive too slowly, also of refused requests

/** How long a body may take. An upload must progress by this much in each window. */
export const BODY_WINDOW_MS = 30_000
const UPLOAD_MIN_BYTES = 30 * 1024
const UPLOAD_TYPE = /^(?:multipart\/|application\/octet-stream$)/

/**
 * Closes the connection of a request whose body arrives too slowly, after a 408 if no response has
 * begun (threat-model.md §3). Costs nothing for a request without a body, and never
 * keeps the process alive.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  rejectMalformed: (error: Error, socket: Socket) => void,
): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return
  const isUpload = UPLOAD_TYPE.test(headers['content-type'] ?? '')
  let bytesBefore = socket.bytesRead
  let hadUnreadBytes = false
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const isFastEnough = socket.bytesRead - bytesBefore >= UPLOAD_MIN_BYTES
    bytesBefore = socket.bytesRead
    // Bytes that have arrived but are not read yet: the server is slow, not the client. Afterwards
    // the client gets one more whole window.
    const hasUnreadBytes = request.readableLength > 0
    const isExcused = hasUnreadBytes || hadUnreadBytes
    hadUnreadBytes = hasUnreadBytes
    if (isUpload && (isFastEnough || isExcused)) return
    clearInterval(timer)
    const tooSlow = new Error('The body took too long')
    if (response.headersSent) socket.destroy()
    else rejectMalformed(Object.assign(tooSlow, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, BODY_WINDOW_MS)
  timer.unref()
  request.once('end', () => clearInterval(timer))
  request.once('close', () => {
    if (request.complete || socket.destroyed) clearInterval(timer)
  })
}
