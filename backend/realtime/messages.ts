// The messages of a connection (api.md §7.2), as text, and the queries in them. Independent of
// sockets.
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/schema'
import type { Account } from '#contract/accounts.ts'

/** Codes of error messages and of close frames. */
export const CODE = {
  goingAway: 1001,
  badMessage: 1003,
  policy: 1008,
  tooBig: 1009,
  tryLater: 1013,
  /** Used for closing only. */
  sessionEnded: 3000,
} as const

export const CHANNEL_MAX_CHARS = 255

const SubscriptionId = Type.String({ minLength: 1, maxLength: 64 })
const Texts = Type.Array(Type.String({ maxLength: 4096 }))
const Subscription = Type.Object({
  subscriptionId: SubscriptionId,
  channels: Texts,
  queries: Type.Optional({ ...Texts, maxItems: 10 }),
})
const oneOrMore = { minItems: 1 }
const ClientMessage = Type.Union([
  Type.Object({ type: Type.Literal('ping') }),
  Type.Object({
    type: Type.Literal('authentication'),
    data: Type.Object({ session: Type.String() }),
  }),
  Type.Object({ type: Type.Literal('subscribe'), data: Type.Array(Subscription, oneOrMore) }),
  Type.Object({
    type: Type.Literal('unsubscribe'),
    data: Type.Array(Type.Object({ subscriptionId: SubscriptionId }), oneOrMore),
  }),
])
export type ClientMessage = Static<typeof ClientMessage>
export type SubscriptionRequest = Static<typeof Subscription>

/** Thrown for a malformed message; the connection stays open. */
export class BadMessage extends Error {}

export function errorMessage(code: number, message: string): string {
  return JSON.stringify({ type: 'error', data: { code, message } })
}

export function connectedMessage(channels: string[], user: Account | null): string {
  return JSON.stringify({ type: 'connected', data: { channels, user } })
}

export function responseMessage(to: string, more: object): string {
  return JSON.stringify({ type: 'response', data: { to, success: true, ...more } })
}

export const PONG = JSON.stringify({ type: 'pong' })

/** @throws BadMessage */
export function readMessage(text: string): ClientMessage {
  const message = parseJson(text, 'Message format is not valid')
  if (!Check(ClientMessage, message)) throw new BadMessage('Payload is not valid')
  return message
}

/** @throws BadMessage */
function parseJson(text: string, problem: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage(problem)
  }
}

// --- queries of a subscription: they filter events by the fields of their payload

type Matches = (payload: Record<string, unknown>) => boolean
/** `values`: how many values a payload is compared with, weighted by the work that each takes. */
export type SubscriptionFilter = { matches: Matches; values: number }

const Query = Type.Object({
  method: Type.String(),
  attribute: Type.Optional(Type.String()),
  values: Type.Optional(Type.Array(Type.Unknown())),
})
type Test = (value: unknown, values: unknown[]) => boolean

const DEPTH_MAX = 3
/** The weight of a value of `contains`, which searches a whole text. */
const VALUES_OF_CONTAINS = 10
/** `contains` never matches longer texts: searching bodies would take too long. */
const SEARCHED_MAX_CHARS = 16 * 1024

const TESTS: Record<string, Test> = {
  equal: (value, values) => values.includes(value),
  notEqual: (value, values) => !values.includes(value),
  lessThan: compare((order) => order < 0),
  lessThanEqual: compare((order) => order <= 0),
  greaterThan: compare((order) => order > 0),
  greaterThanEqual: compare((order) => order >= 0),
  isNull: (value) => value === null || value === undefined,
  isNotNull: (value) => value !== null && value !== undefined,
  contains: (value, values) =>
    values.some((part) =>
      Array.isArray(value)
        ? value.includes(part)
        : typeof value === 'string' &&
          typeof part === 'string' &&
          value.length <= SEARCHED_MAX_CHARS &&
          value.includes(part),
    ),
}

/**
 * All queries must match; `select` has no effect here.
 *
 * @throws BadMessage
 */
export function parseSubscriptionFilter(queries: string[]): SubscriptionFilter | undefined {
  const tests = queries.map((text) => readQuery(parseJson(text, 'Query is not valid'), 1))
  return tests.length === 0 ? undefined : combine(tests, 'every')
}

function combine(parts: SubscriptionFilter[], method: 'every' | 'some'): SubscriptionFilter {
  return {
    matches: (payload) => parts[method](({ matches }) => matches(payload)),
    values: parts.reduce((total, { values }) => total + values, 0),
  }
}

function readQuery(parsed: unknown, depth: number): SubscriptionFilter {
  if (!Check(Query, parsed)) throw new BadMessage('Query is not valid')
  const { method, attribute = '', values = [] } = parsed
  if (method === 'select') return { matches: () => true, values: 0 }
  if (method === 'and' || method === 'or') {
    if (depth === DEPTH_MAX) throw new BadMessage('Queries are too deep')
    const parts = values.map((query) => readQuery(query, depth + 1))
    return combine(parts, method === 'and' ? 'every' : 'some')
  }
  const test = Object.hasOwn(TESTS, method) ? TESTS[method] : undefined
  if (!test) throw new BadMessage(`Query method "${method.slice(0, 40)}" is not supported here`)
  return {
    matches: (payload) =>
      test(Object.hasOwn(payload, attribute) ? payload[attribute] : undefined, values),
    values: Math.max(1, values.length) * (method === 'contains' ? VALUES_OF_CONTAINS : 1),
  }
}

function compare(matches: (order: number) => boolean): Test {
  return (value, [other]) => {
    const isComparable =
      (typeof value === 'number' && typeof other === 'number') ||
      (typeof value === 'string' && typeof other === 'string')
    if (!isComparable) return false
    return matches(value < other ? -1 : value > other ? 1 : 0)
  }
}
