// Methods of newer clients, and the words of a search.
import { Query as Newest } from 'appwrite-newest'
import { expect, test } from 'vitest'
import { type QuerySchema, readQueries } from './queries.ts'

const SCHEMA: QuerySchema = {
  $createdAt: { type: 'datetime' },
  title: { type: 'string' },
  like: { type: 'integer' },
  likeId: { type: 'string', isArray: true },
}
const read = (...texts: string[]) => readQueries(texts, SCHEMA, { role: 'user' })

test('methods of newer clients are translated into basic ones', () => {
  const filtersOf = (query: string) => read(query).filters
  expect(filtersOf(Newest.notContains('title', ['a', 'b']))).toEqual([
    { method: 'not', filters: [{ method: 'contains', attribute: 'title', values: ['a', 'b'] }] },
  ])
  expect(filtersOf(Newest.notBetween('like', 1, 3))).toEqual([
    { method: 'not', filters: [{ method: 'between', attribute: 'like', values: [1, 3] }] },
  ])
  expect(filtersOf(Newest.containsAny('likeId', ['a', 'b']))).toEqual([
    { method: 'contains', attribute: 'likeId', values: ['a', 'b'] },
  ])
  expect(filtersOf(Newest.containsAll('likeId', ['a', 'b']))).toEqual([
    {
      method: 'and',
      filters: [
        { method: 'contains', attribute: 'likeId', values: ['a'] },
        { method: 'contains', attribute: 'likeId', values: ['b'] },
      ],
    },
  ])
  expect(filtersOf(Newest.exists(['title', 'like']))).toEqual([
    {
      method: 'and',
      filters: [
        { method: 'isNotNull', attribute: 'title' },
        { method: 'isNotNull', attribute: 'like' },
      ],
    },
  ])
  expect(filtersOf(Newest.createdBefore('2023-11-20'))).toEqual([
    { method: 'lessThan', attribute: '$createdAt', values: ['2023-11-20T00:00:00.000Z'] },
  ])
  // Clients 19 and 20 send these methods under their own names.
  const on20 = (method: string, ...values: string[]) => JSON.stringify({ method, values })
  expect(filtersOf(on20('createdAfter', '2023-11-20'))).toEqual([
    { method: 'greaterThan', attribute: '$createdAt', values: ['2023-11-20T00:00:00.000Z'] },
  ])
  expect(filtersOf(on20('createdBetween', '2023-11-20', '2023-11-21'))).toEqual([
    {
      method: 'between',
      attribute: '$createdAt',
      values: ['2023-11-20T00:00:00.000Z', '2023-11-21T00:00:00.000Z'],
    },
  ])
  expect(() => read(on20('createdBetween', '2023-11-20'))).toThrow('exactly two values')
  expect(() => read(on20('updatedAfter', '2023-11-20'))).toThrow('$updatedAt')
  expect(read(Newest.orderRandom()).isRandom).toBe(true)
  expect(read('orderRandom()').isRandom).toBe(true)
})

test.each([
  ['Harbour, lamp! lamp', ['Harbour', 'lamp']],
  ['naïve_word 2nd', ['naïve_word', '2nd']],
  ['"a lamp, lit"', ['a lamp, lit']],
  ['!!', []],
  ['""', []],
  [
    Array.from({ length: 30 }, (_, at) => `w${at}`).join(' '),
    'w0 w1 w2 w3 w4 w5 w6 w7 w8 w9'.split(' '),
  ],
])('search for %j looks for %j', (text, values) => {
  expect(read(Newest.search('title', text)).filters).toEqual([
    { method: 'search', attribute: 'title', values },
  ])
})
