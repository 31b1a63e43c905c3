// List queries that are arbitrary text or too much work (api.md §3.4, §15.4).
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { type QuerySchema, readQueries } from './queries.ts'

const SCHEMA: QuerySchema = {
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $permissions: { type: 'string', isSelectOnly: true },
  title: { type: 'string' },
  status: { type: 'string' },
  like: { type: 'integer' },
  likeId: { type: 'string', isArray: true },
  isPinned: { type: 'boolean' },
}

const read = (...texts: string[]) => readQueries(texts, SCHEMA, { role: 'user' })
const readAsKey = (...texts: string[]) => readQueries(texts, SCHEMA, { role: 'key' })

function refusalOf(work: () => unknown): { type: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return { type: error.type, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

test('any text is either understood or throws a Refusal', () => {
  const parts = [
    'equal',
    'limit',
    'or',
    '(',
    ')',
    '[',
    ']',
    ',',
    '"',
    "'",
    '\\',
    '{',
    '}',
    ':',
    '"title"',
    '"like"',
    '"method"',
    '"values"',
    '1',
    '-',
    'null',
    ' ',
    '\0',
    '😀',
  ]
  let seed = 1
  const random = (max: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % max
  }
  let understood = 0
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + random(14) }, () => parts[random(parts.length)]).join('')
    try {
      read(round % 3 === 0 ? `equal("title", [${text}])` : text)
      understood++
    } catch (error) {
      if (!(error instanceof Refusal))
        throw new Error(`${JSON.stringify(text)} threw something else`, { cause: error })
    }
  }
  expect(understood).toBeGreaterThan(0)
})

describe('the cost of one call', () => {
  const values = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_value, at) => `${at}`))

  test('all queries of a call can have 200 values together, and those of the API key any number', () => {
    const queriesAtLimit = [
      `equal("title", ${values(100)})`,
      `equal("status", ${values(98)})`,
      'isNull("like")',
      'notEqual("like", [1])',
    ]
    expect(read(...queriesAtLimit).filters).toHaveLength(4)
    const more = [...queriesAtLimit, 'isNotNull("title")']
    expect(refusalOf(() => read(...more))).toEqual({
      type: 'general_argument_invalid',
      message: 'Invalid query: Queries have greater than 200 values in all.',
    })
    expect(readAsKey(...more).filters).toHaveLength(5)
  })

  test('values within groups count as well', () => {
    const equal = `{"method":"equal","attribute":"title","values":${values(67)}}`
    expect(
      refusalOf(() =>
        read(`{"method":"or","values":[${equal},{"method":"and","values":[${equal},${equal}]}]}`),
      ).message,
    ).toBe('Invalid query: Queries have greater than 200 values in all.')
  })

  test.each([
    { role: 'guest', max: 10 },
    { role: 'user', max: 30 },
    { role: 'key', max: 100 },
  ] as const)('$role may send $max conditions, including those inside groups', ({ role, max }) => {
    const readAs = (...texts: string[]) => readQueries(texts, SCHEMA, { role })
    const plain = Array.from({ length: max - 2 }, () => 'isNull("title")')
    const condition = '{"method":"isNull","attribute":"title","values":[]}'
    const group = `{"method":"or","values":[${condition},{"method":"and","values":[${condition}]}]}`
    expect(readAs(...plain, group).filters).toHaveLength(max - 1)
    expect(refusalOf(() => readAs(...plain, group, 'isNull("like")'))).toEqual({
      type: 'general_argument_invalid',
      message: `Invalid query: Queries have greater than ${max} conditions in all.`,
    })
  })

  test('an attribute that is repeated in the order counts once, in its first direction', () => {
    expect(
      read('orderAsc("title")', 'orderDesc("title")', 'orderDesc("status")', 'orderAsc("title")')
        .order,
    ).toEqual([
      { attribute: 'title', direction: 'asc' },
      { attribute: 'status', direction: 'desc' },
    ])
  })
})
