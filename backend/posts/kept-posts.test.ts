// Whole posts are kept for all readers until something of them changes, and never where a change
// could be missed.
import { expect, test } from 'vitest'
import { PLAIN_ATTRIBUTES, viewerOf } from '#test/support/posts.ts'
import { setHearing, tellAtOnce, tellMissed } from '../database/change-ears.ts'
import type { Database } from '../database/schema.ts'
import { makeChangedTopics } from '../database/topics.ts'
import { GUEST } from '../http/viewer.ts'
import { readableBy } from './access.ts'
import { makeKeptPosts } from './kept-posts.ts'
import { type PostRow, readListed } from './store.ts'

const ATTRIBUTES = { ...PLAIN_ATTRIBUTES, declared: new Map() }
const ACCESS = { userId: 'alice', status: 'active', readers: 'any', isHidden: 0 } as const

function make() {
  const db = {} as Database
  const clock = { ms: 0 }
  const look = makeKeptPosts(makeChangedTopics(db), () => clock.ms)
  const keep = (row: Partial<PostRow> = {}, contentBytes = 10) => {
    const post = { seq: 1, id: 'one', userId: 'alice', likes: 0, ...row } as PostRow
    look(ATTRIBUTES)?.keep({ row: post, contentBytes, listed: { $id: post.id } })
  }
  const isKept = (id = 'one', attributes = ATTRIBUTES) =>
    look(attributes)?.findById(id) !== undefined
  const changePost = (id: string, isLike = false) =>
    tellAtOnce(db, {
      ...{ kind: 'post', action: 'update', id, payload: undefined, isLike },
      access: { ...ACCESS, isAuthorBlocked: 0 },
    })
  return { db, clock, look, keep, isKept, changePost }
}

test('a post is kept until it or its author changes, others change nothing', () => {
  const { db, keep, isKept, changePost } = make()
  keep()
  changePost('two')
  tellAtOnce(db, { kind: 'public', userIds: ['bob'], isAnyoneGone: false })
  expect([isKept(), isKept('two')]).toEqual([true, false])
  const changes = [
    () => changePost('one'),
    () => changePost('one', true),
    () => tellAtOnce(db, { kind: 'public', userIds: ['alice'], isAnyoneGone: false }),
    () => tellAtOnce(db, { kind: 'public', userIds: ['bob'], isAnyoneGone: true }),
    () => tellMissed(db),
  ]
  for (const change of changes) {
    keep()
    expect(isKept()).toBe(true)
    change()
    expect(isKept()).toBe(false)
  }
})

test('what was read before a change is not kept after it', () => {
  const { look, isKept, changePost } = make()
  const before = look(ATTRIBUTES)
  changePost('one')
  const row = { seq: 1, id: 'one', userId: 'alice', likes: 0 } as PostRow
  before?.keep({ row, contentBytes: 1, listed: {} })
  expect(isKept()).toBe(false)
})

test('nothing is kept while changes are not heard, for long, or for other attributes', () => {
  const { db, clock, look, keep, isKept } = make()
  keep()
  setHearing(db, false)
  expect(look(ATTRIBUTES)).toBe(undefined)
  setHearing(db, true)
  expect(isKept('one', { ...PLAIN_ATTRIBUTES, declared: new Map() })).toBe(false)
  expect(isKept()).toBe(true)
  clock.ms = 10_001
  expect(isKept()).toBe(false)
})

test('what is kept for all cannot be changed by one answer', () => {
  const { look } = make()
  const row = { seq: 1, id: 'one', userId: 'alice', likes: 0 } as PostRow
  const listed = { title: 'One', likeId: ['bob'] }
  look(ATTRIBUTES)?.keep({ row, contentBytes: 1, listed })
  expect(() => Object.assign(listed, { title: 'Two' })).toThrow(TypeError)
  expect(() => listed.likeId.push('carla')).toThrow(TypeError)
})

test('long bodies are read each time; all together are bounded', () => {
  const { keep, isKept } = make()
  keep({}, 300_000)
  expect(isKept()).toBe(false)
  for (let seq = 1; seq <= 200; seq++) keep({ seq, id: `post-${seq}`, likes: 100_000 })
  expect([isKept('post-1'), isKept('post-200')]).toEqual([false, true])
  for (let seq = 1; seq <= 200; seq++) keep({ seq, id: `post-${seq}` }, 200_000)
  expect([isKept('post-1'), isKept('post-200')]).toEqual([false, true])
})

test('a kept post is listed for nobody who may not read it', async () => {
  const row = { seq: 1, id: 'one', userId: 'alice', status: 'active', readers: 'any', isHidden: 0 }
  const whose = { bob: readableBy(viewerOf('bob')), alice: readableBy(viewerOf('alice')) }
  const scopes = { guest: readableBy(GUEST), ...whose, key: readableBy({ role: 'key' }) }
  const readersOf = async (changes: Partial<PostRow>) => {
    const found = { row: { ...row, isAuthorBlocked: 0, ...changes } as PostRow, contentBytes: 1 }
    const readers: string[] = []
    for (const [reader, scope] of Object.entries(scopes)) {
      const list = { seqs: [1], scope, hasContent: true, kept: { find: () => found } }
      // Nothing is missing: the database is not asked.
      if ((await readListed({} as Database, list, 1000)).length > 0) readers.push(reader)
    }
    return readers.join(' ')
  }
  expect(await readersOf({})).toBe('guest bob alice key')
  expect(await readersOf({ readers: 'users' })).toBe('bob alice key')
  expect(await readersOf({ status: 'inactive' })).toBe('alice key')
  expect(await readersOf({ isHidden: 1 })).toBe('alice key')
  expect(await readersOf({ isAuthorBlocked: 1 })).toBe('key')
})
