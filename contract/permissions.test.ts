// Permission lists, and which readers they allow.

import { expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { defaultPermissions, type Grantor, readersOf, readPermissions } from './permissions.ts'

const ALICE: Grantor = { role: 'user', isVerified: false }
const KEY: Grantor = { role: 'key' }

function refusalOf(sent: unknown, grantor = ALICE): string {
  try {
    readPermissions(sent, grantor, 'alice')
  } catch (error) {
    if (error instanceof Refusal) return error.type
    throw error
  }
  return 'let through'
}

test('by default everybody can read and only the owner can write', () => {
  expect(defaultPermissions('alice')).toEqual([
    'read("any")',
    'update("user:alice")',
    'delete("user:alice")',
  ])
  expect(readPermissions(defaultPermissions('alice'), ALICE, 'alice')).toEqual(
    defaultPermissions('alice'),
  )
})

test('write is expanded, and duplicates are removed', () => {
  expect(readPermissions(['write("user:alice")', 'delete("user:alice")'], ALICE, 'alice')).toEqual([
    'update("user:alice")',
    'delete("user:alice")',
  ])
})

test.each([
  [['read("any")', 'write("any")']],
  [['read("any")', 'update("users")', 'delete("any")', 'write("user:alice")']],
])('%j, the default of some programs, lets only the owner write', (sent) => {
  for (const grantor of [ALICE, KEY])
    expect(readPermissions(sent, grantor, 'alice')).toEqual(defaultPermissions('alice'))
  expect(readPermissions(sent.slice(0, 2), KEY, '')).toEqual(['read("any")'])
  expect(readPermissions(sent.slice(1), ALICE, 'alice')).not.toContain('read("any")')
})

test.each([undefined, null])('%s is not a list', (sent) => {
  expect(readPermissions(sent, ALICE, 'alice')).toBe(undefined)
})

test.each([
  ['read("any")'],
  ['read("users")'],
  ['read("users/unverified")'],
  ['read("user:alice")'],
  ['update("user:alice/unverified")'],
])('%s is granted', (text) => {
  expect(readPermissions([text], ALICE, 'alice')).toEqual([text])
})

test.each([
  ['a text', 'read("any")'],
  ['a record', {}],
  ['create on a row', ['create("any")']],
  ['a label, which is no role', ['read("label:vip")']],
  ['a team, which is no role', ['read("team:t1/owner")']],
  ['an unknown action', ['read_all("any")']],
  ['an unknown role', ['read("everyone")']],
  ['single quotes', ["read('any')"]],
  ['a number', [1]],
  ['a text with an appendix', ['read("any") ']],
  ['too many', Array.from({ length: 101 }, () => 'read("any")')],
])('%s is malformed', (_name, sent) => {
  expect(refusalOf(sent)).toBe('general_argument_invalid')
})

test.each([
  ['delete("users/unverified")'],
  ['write("guests")'],
  ['read("user:bob")'],
  ['update("user:bob")'],
  ['update("user:alicebob")'],
  ['read("guests")'],
])('%s is wider than the policy allows, for a user and for the key', (text) => {
  expect(refusalOf([text])).toBe('user_unauthorized')
  expect(refusalOf([text], KEY)).toBe('user_unauthorized')
})

test('a user cannot grant rights to a group that they are not in, but the key can', () => {
  expect(refusalOf(['read("users/verified")'])).toBe('user_unauthorized')
  expect(readPermissions(['read("users/verified")'], KEY, 'alice')).toEqual([
    'read("users/verified")',
  ])
})

test.each([
  { list: ['read("any")', 'read("users")'], readers: 'any' },
  { list: ['read("users")'], readers: 'users' },
  { list: ['read("users/verified")', 'read("users/unverified")'], readers: 'users' },
  { list: ['read("users/verified")'], readers: 'verified' },
  { list: ['read("users/unverified")'], readers: 'unverified' },
  { list: ['read("user:alice")'], readers: 'owner' },
  { list: ['update("user:alice")'], readers: 'owner' },
  { list: [], readers: 'owner' },
])('$list can be read by $readers', ({ list, readers }) => {
  expect(readersOf(list)).toBe(readers)
})
