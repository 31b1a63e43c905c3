// Query strings as the clients of every major write them.
import Type from 'typebox'
import { expect, test } from 'vitest'
import { findQueryList, QUERY_PARAMS_MAX, readParams, readQueryString } from './request-params.ts'

test.each([
  { name: 'nothing', text: '', params: {} },
  { name: 'texts', text: 'a=1&b=x+y%21&c=&d', params: { a: '1', b: 'x y!', c: '', d: '' } },
  { name: 'a repeated name: the last', text: 'a=1&b=2&a=3', params: { a: '3', b: '2' } },
  {
    name: 'numbered items, in order of the numbers',
    text: 'q[1]=b&q%5B0%5D=a&q[10]=c',
    params: { q: ['a', 'b', 'c'] },
  },
  { name: 'a repeated item: the last', text: 'q[0]=a&q[0]=b', params: { q: ['b'] } },
  { name: 'items without numbers', text: 'q[]=a&q[]=b&q[]=a', params: { q: ['a', 'b', 'a'] } },
  { name: 'both', text: 'q[3]=a&q[]=b', params: { q: ['a', 'b'] } },
  { name: 'a text after a list', text: 'q[]=a&q=b', params: { q: 'b' } },
  { name: 'a list after a text', text: 'q=b&q[]=a', params: { q: ['a'] } },
  {
    name: 'brackets that make no list',
    text: 'q[x]=a&q[-1]=b&q[0=c&q[0][1]=d&[]=e',
    params: { 'q[x]': 'a', 'q[-1]': 'b', 'q[0': 'c', 'q[0][1]': 'd', '[]': 'e' },
  },
  {
    name: 'numbers that are too large',
    text: 'q[1000]=a&q[99999]=b',
    params: { q: [], 'q[99999]': 'b' },
  },
  {
    name: 'names of the prototype',
    text: '__proto__=a&__proto__[]=b&constructor=c&toString[0]=d&a=1',
    params: { a: '1' },
  },
  { name: 'malformed escapes, as they are', text: 'a=%zz&b=%', params: { a: '%zz', b: '%' } },
])('$name', ({ text, params }) => {
  const read = readQueryString(text)
  expect({ ...read }).toEqual(params)
  expect(Object.getPrototypeOf(read)).toBe(null)
})

test('parameters beyond the limit are not read', () => {
  const pairs = Array.from({ length: QUERY_PARAMS_MAX + 5 }, (_, at) => `p${at}=${at}`)
  expect(Object.keys(readQueryString(pairs.join('&')))).toHaveLength(QUERY_PARAMS_MAX)
})

// Reading parameters: declared order, machine-readable texts, lists in query strings.

const SCHEMA = Type.Object({
  first: Type.String({ description: 'Value must be text' }),
  second: Type.Integer({ description: 'Value must be a whole number' }),
  third: Type.Optional(Type.Boolean()),
})

test('only declared parameters are picked, null counts as absent', () => {
  expect(readParams(SCHEMA, { first: 'a', second: 1, third: null, fourth: 'x' })).toEqual({
    first: 'a',
    second: 1,
  })
})

test.each([
  { name: 'nothing', source: undefined, message: 'Param "first" is not optional.' },
  { name: 'a list', source: ['a'], message: 'Param "first" is not optional.' },
  { name: 'a missing second', source: { first: 'a' }, message: 'Param "second" is not optional.' },
  { name: 'a null', source: { first: null, second: 1 }, message: 'Param "first" is not optional.' },
  {
    name: 'both wrong: the first one is reported',
    source: { first: 1, second: 'x' },
    message: 'Invalid `first` param: Value must be text',
  },
  {
    name: 'a wrong second',
    source: { first: 'a', second: '1' },
    message: 'Invalid `second` param: Value must be a whole number',
  },
  {
    name: 'an optional of a wrong kind',
    source: { first: 'a', second: 1, third: 'yes' },
    message: 'Invalid `third` param: Value is not valid',
  },
  {
    name: 'a parameter only inherited',
    source: Object.create({ first: 'a', second: 1 }),
    message: 'Param "first" is not optional.',
  },
])('$name is refused', ({ source, message }) => {
  expect(() => readParams(SCHEMA, source)).toThrow(
    expect.objectContaining({ type: 'general_argument_invalid', message }),
  )
})

test.each([
  { name: 'a list', query: { q: ['a', 'b'] }, list: ['a', 'b'] },
  { name: 'one', query: { q: 'a' }, list: ['a'] },
  { name: 'absent', query: { r: 'a' }, list: undefined },
  { name: 'only inherited', query: Object.create({ q: 'a' }), list: undefined },
  { name: 'no query', query: undefined, list: undefined },
])('a list in a query string: $name', ({ query, list }) => {
  expect(findQueryList(query, 'q')).toEqual(list)
})
