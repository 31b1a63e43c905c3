// Queries of a subscription: which payloads it wants. Looked up by name in the payload alone.
import { BadMessage } from './messages.ts'

export type Wants = (payload: Record<string, unknown>) => boolean

type Query = { method: string; attribute: string; values: unknown[] }
type Test = (value: unknown, values: unknown[]) => boolean

const DEPTH_MAX = 3
const VALUES_MAX = 100

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
        : typeof value === 'string' && typeof one === 'string' && value.includes(one),
    ),
}

/**
 * All of the queries must hold; `select` chooses nothing here.
 *
 * @throws BadMessage
 */
export function readWants(queries: string[]): Wants | undefined {
  const tests = queries.map((text) => read(parse(text), 1))
  return tests.length === 0 ? undefined : (payload) => tests.every((test) => test(payload))
}

function read(sent: unknown, depth: number): Wants {
  const { method, attribute, values } = readQuery(sent)
  if (method === 'select') return () => true
  if (method === 'and' || method === 'or') {
    if (depth === DEPTH_MAX) throw new BadMessage('Queries are too deep')
    const parts = values.map((one) => read(one, depth + 1))
    return method === 'and'
      ? (payload) => parts.every((part) => part(payload))
      : (payload) => parts.some((part) => part(payload))
  }
  const test = Object.hasOwn(TESTS, method) ? TESTS[method] : undefined
  if (!test) throw new BadMessage(`Query method "${method.slice(0, 40)}" is not supported here`)
  return (payload) =>
    test(Object.hasOwn(payload, attribute) ? payload[attribute] : undefined, values)
}

function readQuery(sent: unknown): Query {
  if (typeof sent !== 'object' || sent === null) throw new BadMessage('Query is not valid')
  const { method, attribute = '', values = [] } = sent as Record<string, unknown>
  const isRead =
    typeof method === 'string' &&
    typeof attribute === 'string' &&
    Array.isArray(values) &&
    values.length <= VALUES_MAX
  if (!isRead) throw new BadMessage('Query is not valid')
  return { method, attribute, values }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage('Query is not valid')
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
