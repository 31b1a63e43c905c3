// One query of a list call as text -> method, attribute, values. Knows the two notations, but no
// attribute by name. The text notation follows the clients' own parser fact by fact (api.md §3.4
// "Text parsing facts").
import { Refusal } from './errors.ts'

/** A value as written; whether it fits its attribute is checked in queries.ts. */
export type QueryValue = string | number | boolean | null

/** A query as written, nothing checked but its form. */
export type WrittenQuery = {
  /** Any word; whether there is such a method is checked in queries.ts. */
  method: string
  /** Undefined where the method takes none; may be empty text. */
  attribute: string | undefined
  /** A list counts as its members: `equal("a", ["x", "y"])` has two values. */
  values: QueryValue[]
  /** The members of `and` and `or`; only the JSON notation can write them. */
  queries: WrittenQuery[]
}

/** One parameter of the text notation: a value, or a list of them in brackets. */
type Param = QueryValue | QueryValue[]

/**
 * Methods of the text form whose only parameters are values; all others name an attribute first.
 */
const WITHOUT_ATTRIBUTE = ['limit', 'offset', 'cursorAfter', 'cursorBefore', 'select']
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/
const ESCAPABLE = ['"', "'", ',', '[', ']']

/**
 * Parses one query, as JSON if it begins with a brace and in the text notation otherwise:
 * `{"method":"equal","attribute":"status","values":["active"]}` or `equal("status", ["active"])`.
 *
 * @throws Refusal `general_query_invalid` when it cannot be parsed at all
 * @source api.md §3.4
 */
export function parseQuery(text: string): WrittenQuery {
  return text.trimStart().startsWith('{') ? parseJson(text) : parseText(text)
}

function unparsable(): Refusal {
  return new Refusal('general_query_invalid')
}

function parseJson(text: string): WrittenQuery {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw unparsable()
  }
  return fromJson(found)
}

/** The query in parsed JSON; objects among the values are queries of their own. */
function fromJson(found: unknown): WrittenQuery {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw unparsable()
  const { method, attribute, values = [] } = found as Record<string, unknown>
  if (typeof method !== 'string' || !Array.isArray(values)) throw unparsable()
  if (attribute !== undefined && attribute !== null && typeof attribute !== 'string')
    throw unparsable()
  const query: WrittenQuery = { method, attribute: attribute ?? undefined, values: [], queries: [] }
  for (const value of values) {
    if (isQueryValue(value)) query.values.push(value)
    else query.queries.push(fromJson(value))
  }
  return query
}

function isQueryValue(value: unknown): value is QueryValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function parseText(text: string): WrittenQuery {
  const [, method, inside] = /^\s*([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*$/.exec(text) ?? []
  if (method === undefined || inside === undefined) throw unparsable()
  const params = parseParams(inside)
  if (WITHOUT_ATTRIBUTE.includes(method))
    return { method, attribute: undefined, values: params.flat(), queries: [] }
  const [attribute = '', ...values] = params
  if (typeof attribute !== 'string') throw unparsable()
  return { method, attribute, values: values.flat(), queries: [] }
}

/**
 * Splits at commas and brackets outside of quotes. An element is a run of characters in which
 * quoted parts may follow each other. A backslash escapes quotes, commas and brackets, inside
 * quotes only.
 *
 * @throws Refusal `general_query_invalid` for an open quote or bracket, or a misplaced one
 */
function parseParams(text: string): Param[] {
  const params: Param[] = []
  let list: QueryValue[] | undefined
  let element = ''
  let quote = ''
  let hasQuotes = false
  /** After a list has been closed only a comma may follow. */
  let state: 'start' | 'value' | 'closed' = 'start'

  function finish(): void {
    if (state === 'closed') return
    const value = parseElement(element, hasQuotes)
    if (list) list.push(value)
    else params.push(value)
    element = ''
    hasQuotes = false
  }

  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\') {
      const next = text.charAt(++at)
      if (quote === '') throw unparsable()
      element += ESCAPABLE.includes(next) ? next : char + next
    } else if (quote !== '') {
      if (char === quote) quote = ''
      element += char
    } else if (/\s/.test(char) && element === '') {
      // Space before a value means nothing.
    } else if (char === ',') {
      finish()
      state = 'start'
    } else if (char === '[') {
      if (list || state !== 'start' || element !== '') throw unparsable()
      list = []
    } else if (char === ']') {
      if (!list) throw unparsable()
      if (element !== '' || list.length > 0) finish()
      params.push(list)
      list = undefined
      state = 'closed'
    } else {
      if (state === 'closed') throw unparsable()
      if (char === '"' || char === "'") {
        quote = char
        hasQuotes = true
      }
      element += char
      state = 'value'
    }
  }
  if (quote !== '' || list) throw unparsable()
  if (element !== '' || params.length > 0) finish()
  return params
}

/**
 * The value of one element: text in quotes, `true`, `false`, `null` or a number.
 *
 * @throws Refusal `general_query_invalid` for anything else, like a word without quotes
 */
function parseElement(element: string, hasQuotes: boolean): QueryValue {
  const text = element.trimEnd()
  if (hasQuotes) {
    const first = text.charAt(0)
    if (text.length < 2 || !['"', "'"].includes(first) || text.at(-1) !== first) throw unparsable()
    return text.slice(1, -1)
  }
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (!NUMBER.test(text)) throw unparsable()
  return Number(text)
}
