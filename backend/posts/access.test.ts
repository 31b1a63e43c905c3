// Who may do what with one post, by its status and by the decisions of operators about it.
import { expect, test } from 'vitest'
import { viewerOf } from '#test/support/posts.ts'
import { GUEST, readerGroups, type Viewer } from '../http/viewer.ts'
import { can } from './access.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY: Viewer = { role: 'key' }
const SHOWN = { userId: 'alice', readers: 'any', isHidden: 0, isAuthorBlocked: 0 }

test.each([
  { who: 'a guest', viewer: GUEST, may: ['read'] },
  { who: 'the owner', viewer: alice, may: ['read', 'edit', 'delete', 'like'] },
  { who: 'somebody else', viewer: bob, may: ['read', 'like'] },
  { who: 'the API key', viewer: KEY, may: ['read', 'edit', 'delete'] },
])('of an active post $who may $may', ({ viewer, may }) => {
  const post = { ...SHOWN, status: 'active' }
  expect(
    (['read', 'edit', 'delete', 'like'] as const).filter((action) => can(viewer, action, post)),
  ).toEqual(may)
})

test.each([
  { who: 'a guest', viewer: GUEST, may: [] },
  { who: 'the owner', viewer: alice, may: ['read', 'edit', 'delete'] },
  { who: 'somebody else', viewer: bob, may: [] },
  { who: 'the API key', viewer: KEY, may: ['read', 'edit', 'delete'] },
])('of an inactive post $who may $may', ({ viewer, may }) => {
  const post = { ...SHOWN, status: 'inactive' }
  expect(
    (['read', 'edit', 'delete', 'like'] as const).filter((action) => can(viewer, action, post)),
  ).toEqual(may)
})

test.each([
  { who: 'a guest', viewer: GUEST, may: [] },
  { who: 'the owner', viewer: alice, may: ['read', 'edit', 'delete'] },
  { who: 'somebody else', viewer: bob, may: [] },
  { who: 'the API key', viewer: KEY, may: ['read', 'edit', 'delete'] },
])('of a hidden post $who may $may', ({ viewer, may }) => {
  const post = { ...SHOWN, status: 'active', isHidden: 1 }
  expect(
    (['read', 'edit', 'delete', 'like'] as const).filter((action) => can(viewer, action, post)),
  ).toEqual(may)
})

test.each([
  { who: 'a guest', viewer: GUEST, may: [] },
  { who: 'the owner', viewer: alice, may: [] },
  { who: 'the API key', viewer: KEY, may: ['read', 'edit', 'delete'] },
])('of a post by a blocked author $who may $may', ({ viewer, may }) => {
  const post = { ...SHOWN, status: 'active', isAuthorBlocked: 1 }
  expect(
    (['read', 'edit', 'delete', 'like'] as const).filter((action) => can(viewer, action, post)),
  ).toEqual(may)
})

test('a guest is in the group of everybody only, a member is also in the group of users', () => {
  expect(readerGroups(GUEST)).toEqual(['any'])
  expect(readerGroups(alice)).toEqual(['any', 'users', 'unverified'])
  expect(readerGroups(viewerOf('alice', { isVerified: true }))).toEqual([
    'any',
    'users',
    'verified',
  ])
})
