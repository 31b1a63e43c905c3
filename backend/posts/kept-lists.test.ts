// What lists found is remembered, apart for each scope, until a change may make it otherwise.
import { describe, expect, test } from 'vitest'
import type { ListQuery } from '#contract/queries.ts'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, openBodies, viewerOf } from '#test/support/posts.ts'
import { setHearing, tellAtOnce, tellMissed } from '../database/change-ears.ts'
import type { Change } from '../database/changes.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { readableBy } from './access.ts'
import { newestFirst } from './found-posts-store.ts'
import { makeKeptLists } from './kept-lists.ts'

const [alice, bob] = [viewerOf('alice'), viewerOf('bob')]
const POSTS = 50
const POST: Change = {
  ...{ kind: 'post', action: 'update', id: 'a', payload: undefined },
  access: { userId: 'alice', status: 'active', readers: 'any', isHidden: 0, isAuthorBlocked: 0 },
}
const SEEN_IN_LISTS: Change[] = [
  POST,
  { kind: 'access', userId: 'alice' },
  { kind: 'public', userIds: ['alice'], isAnyoneGone: false },
]
const SEEN_IN_NONE: Change[] = [
  { ...POST, isLike: true },
  { kind: 'account', userId: 'alice', name: 'update.name', payload: {} },
]

describe.each(DATABASES)('lists of posts on %s', (_name, open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    const posts = makeTestPosts(opened.db)
    const look = async (viewer: Viewer, ...queries: string[]) => {
      const options = { hasTotal: true }
      const { total, documents } = await posts.list(viewer, ['limit(2)', ...queries], options)
      return [total, documents.map(({ $id }) => $id).join(' ')]
    }
    return { ...posts, look, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
  }

  test('show and count each write at once, and for each viewer what they may read', async () => {
    await using posts = await start()
    const { look } = posts
    for (const id of ['a', 'b', 'c']) await posts.write(alice, id)
    expect(await look(GUEST)).toEqual([3, 'a b'])
    await posts.write(alice, 'draft', { status: 'inactive' })
    const all = async () => [await look(alice), await look(bob), await look(GUEST)]
    expect(await all()).toEqual([
      [4, 'a b'],
      [3, 'a b'],
      [3, 'a b'],
    ])
    await posts.remove(alice, 'a', { unlessNewerThan: undefined })
    expect(await all()).toEqual([
      [3, 'b c'],
      [2, 'b c'],
      [2, 'b c'],
    ])
    const byLikes = 'orderDesc("like")'
    expect(await look(GUEST, byLikes)).toEqual([2, 'b c'])
    await posts.setLike(bob, 'c', true)
    expect(await look(GUEST, byLikes)).toEqual([2, 'c b'])
  })
})

describe('what a list found', () => {
  async function start() {
    const [, open] = DATABASES[0] ?? []
    if (!open) throw new Error('There is no database')
    const opened = await openBodies(open, Array<string>(POSTS).fill('<p>One</p>'))
    const { db } = opened
    const lists = makeKeptLists(db)
    const listed = { query: newestFirst({ limit: POSTS }), scope: readableBy(GUEST) }
    const find = async (changes: Partial<ListQuery> = {}) =>
      (await lists.findSeqs({ ...listed, query: { ...listed.query, ...changes } })).length
    let shown = POSTS
    /** Past the program, which tells nobody. */
    const hide = () => {
      const id = `p${String(--shown).padStart(2, '0')}`
      return db.updateTable('post').set({ isHidden: 1 }).where('id', '=', id).execute()
    }
    /** Whether the next look reads the database. */
    const isRead = async (look: () => Promise<number> = find) => {
      await hide()
      return (await look()) === shown
    }
    return {
      ...{ db, lists, find, isRead, count: () => lists.countFound(listed) },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('is remembered until a change that lists may show', async () => {
    await using posts = await start()
    const { db, isRead, count } = posts
    const both = async () => [await isRead(), await isRead(count)]
    expect([await both(), await both()]).toEqual([
      [true, true],
      [false, false],
    ])
    for (const change of SEEN_IN_NONE) {
      tellAtOnce(db, change)
      expect(await both()).toEqual([false, false])
    }
    const changes = SEEN_IN_LISTS.map((one) => () => tellAtOnce(db, one))
    for (const change of [...changes, () => tellMissed(db), posts.lists.forget]) {
      change()
      expect(await both()).toEqual([true, true])
      expect(await both()).toEqual([false, false])
    }
  })

  test('is not remembered where it is another soon, or while changes are not heard', async () => {
    await using posts = await start()
    const { db, find, isRead } = posts
    const likes = { order: [{ attribute: 'like', direction: 'desc' as const }] }
    for (const query of [likes, { isRandom: true }])
      for (let time = 0; time < 2; time++) expect(await isRead(() => find(query))).toBe(true)
    await find()
    setHearing(db, false)
    expect(await isRead()).toBe(true)
    setHearing(db, true)
    tellAtOnce(db, POST)
    const found = [find()]
    tellAtOnce(db, POST)
    await Promise.all(found)
    expect(await isRead()).toBe(true)
    tellAtOnce(db, POST)
    found.push(find())
    setHearing(db, false)
    await Promise.all(found)
    setHearing(db, true)
    expect(await isRead()).toBe(true)
  })
})
