// Reading parameters: declared order, machine-readable texts, lists in query strings.
import Type from 'typebox'
import { expect, test } from 'vitest'
import { findQueryList, readParams } from './params.ts'

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
    name: 'both wrong: the first one tells',
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
