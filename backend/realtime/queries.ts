// Queries of a subscription: which payloads it wants. Looked up by name in the payload alone.
import Type from 'typebox'
import { Check } from 'typebox/value'
import { BadMessage, parseJson } from './messages.ts'

type Holds = (payload: Record<string, unknown>) => boolean
/** `values` is how many each payload is compared with, weighted: the work it makes. */
export type Wants = { holds: Holds; values: number }

const Query = Type.Object({
  method: Type.String(),
  attribute: Type.Optional(Type.String()),
  values: Type.Optional(Type.Array(Type.Unknown())),
})
type Test = (value: unknown, values: unknown[]) => boolean

const DEPTH_MAX = 3
/** One of `contains` counts as so many, because a text is gone through for it. */
const VALUES_OF_CONTAINS = 10
/** `contains` looks into no longer text: bodies would take too long. */
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
    values.some((one) =>
      Array.isArray(value)
        ? value.includes(one)
        : typeof value === 'string' &&
          typeof one === 'string' &&
          value.length <= SEARCHED_MAX_CHARS &&
          value.includes(one),
    ),
}

/**
 * All of the queries must hold; `select` chooses nothing here.
 *
 * @throws BadMessage
 */
export function readWants(queries: string[]): Wants | undefined {
  const tests = queries.map((text) => read(parseJson(text, 'Query is not valid'), 1))
  return tests.length === 0 ? undefined : joined(tests, 'every')
}

function joined(parts: Wants[], how: 'every' | 'some'): Wants {
  return {
    holds: (payload) => parts[how](({ holds }) => holds(payload)),
    values: parts.reduce((total, { values }) => total + values, 0),
  }
}

function read(sent: unknown, depth: number): Wants {
  if (!Check(Query, sent)) throw new BadMessage('Query is not valid')
  const { method, attribute = '', values = [] } = sent
  if (method === 'select') return { holds: () => true, values: 0 }
  if (method === 'and' || method === 'or') {
    if (depth === DEPTH_MAX) throw new BadMessage('Queries are too deep')
    const parts = values.map((one) => read(one, depth + 1))
    return joined(parts, method === 'and' ? 'every' : 'some')
  }
  const test = Object.hasOwn(TESTS, method) ? TESTS[method] : undefined
  if (!test) throw new BadMessage(`Query method "${method.slice(0, 40)}" is not supported here`)
  return {
    holds: (payload) =>
      test(Object.hasOwn(payload, attribute) ? payload[attribute] : undefined, values),
    values: Math.max(1, values.length) * (method === 'contains' ? VALUES_OF_CONTAINS : 1),
  }
}

function compare(holds: (order: number) => boolean): Test {
  return (value, [other]) => {
    const isComparable =
      (typeof value === 'number' && typeof other === 'number') ||
      (typeof value === 'string' && typeof other === 'string')
    if (!isComparable) return false
    return holds(value < other ? -1 : value > other ? 1 : 0)
  }
}
