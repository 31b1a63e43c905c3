// Hidden posts and posts of blocked authors on both databases: who can still read them, that
// nothing else about them changes, and that a block also holds for requests that have begun.
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { setBlocked } from '../accounts/account-updates.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY: Viewer = { role: 'key' }

async function start(open: () => Promise<TestDatabase>) {
  const opened = await open()
  await addPeople(opened.db, ['alice', 'bob'])
  const posts = makeTestPosts(opened.db)
  return {
    ...posts,
    db: opened.db,
    setBlocked: (userId: string, isBlocked: boolean) => setBlocked(posts, userId, isBlocked),
    ids: async (viewer: Viewer, ...queries: string[]) => {
      const { total, documents } = await posts.list(viewer, queries, { hasTotal: true })
      return [total, documents.map(({ $id }) => $id).join('')]
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const edit = (data: Record<string, unknown>, permissions?: string[]) => ({
  data,
  permissions,
  unlessNewerThan: undefined,
})

describeEachDatabase('moderation', (open) => {
  /** A post by alice that bob likes and the key has hidden, and another one. */
  async function startWithHidden() {
    const posts = await start(open)
    await posts.write(alice, 'a')
    await posts.write(alice, 'b')
    await posts.setLike(bob, 'a', true)
    const before = await posts.read(KEY, 'a')
    const hidden = await posts.hide(KEY, 'a', true)
    return { ...posts, before, hidden }
  }

  test('the API key gets a hidden post unchanged, marked as hidden', async () => {
    await using posts = await startWithHidden()
    expect(posts.hidden).toEqual({ ...posts.before, hidden: true })
  })

  test('others neither read nor list a hidden post, nor use it as a cursor', async () => {
    await using posts = await startWithHidden()
    for (const viewer of [GUEST, bob]) {
      await expect(posts.read(viewer, 'a')).rejects.toMatchObject({ type: 'document_not_found' })
      expect(await posts.ids(viewer)).toEqual([1, 'b'])
      expect(await posts.ids(viewer, 'equal("$id", ["a"])')).toEqual([0, ''])
      await expect(posts.ids(viewer, 'cursorAfter("a")')).rejects.toMatchObject({
        type: 'general_cursor_not_found',
      })
    }
  })

  test('nobody can like a hidden post, or remove a like', async () => {
    await using posts = await startWithHidden()
    await expect(posts.setLike(bob, 'a', false)).rejects.toMatchObject({
      type: 'document_not_found',
    })
    await expect(posts.setLike(alice, 'a', true)).rejects.toMatchObject({
      type: 'user_unauthorized',
    })
    expect(await posts.read(KEY, 'a')).toMatchObject({ like: 1, likeId: ['bob'] })
  })

  test('its author reads and lists a hidden post, and sees that it is hidden if `select` names that', async () => {
    await using posts = await startWithHidden()
    expect(await posts.ids(alice)).toEqual([2, 'ab'])
    expect(await posts.read(alice, 'a', ['select(["$id", "hidden"])'])).toMatchObject({
      $id: 'a',
      hidden: true,
    })
    expect(await posts.read(alice, 'a')).toEqual(posts.before)
  })

  test('no change by its author makes a hidden post visible', async () => {
    await using posts = await startWithHidden()
    await posts.update(alice, 'a', edit({ status: 'inactive' }))
    await posts.update(alice, 'a', edit({ status: 'active', title: 'new' }, ['read("any")']))
    await expect(posts.update(alice, 'a', edit({ hidden: false }))).rejects.toMatchObject({
      type: 'document_invalid_structure',
    })
    await expect(posts.hide(alice, 'a', false)).rejects.toMatchObject({
      type: 'document_not_found',
    })
    await expect(posts.read(bob, 'a')).rejects.toMatchObject({ type: 'document_not_found' })
  })

  test('a post that is shown again is as its author left it, with its likes', async () => {
    await using posts = await startWithHidden()
    await posts.update(alice, 'a', edit({ title: 'new' }))
    const ofAuthor = await posts.read(alice, 'a')
    await posts.hide(KEY, 'a', false)
    expect(await posts.read(bob, 'a')).toEqual({ ...ofAuthor, like: 1, likeId: ['bob'] })
  })

  test('a post that does not exist is not hidden', async () => {
    await using posts = await start(open)
    await expect(posts.hide(KEY, 'none', true)).rejects.toMatchObject({
      type: 'document_not_found',
    })
  })

  test('only the API key can read posts by a blocked author', async () => {
    await using posts = await start(open)
    await posts.write(alice, 'a')
    await posts.write(bob, 'b')
    await posts.setBlocked('bob', true)
    for (const viewer of [GUEST, alice, bob]) {
      await expect(posts.read(viewer, 'b')).rejects.toMatchObject({ type: 'document_not_found' })
      expect(await posts.ids(viewer)).toEqual([1, 'a'])
    }
    await expect(posts.setLike(alice, 'b', true)).rejects.toMatchObject({
      type: 'document_not_found',
    })
    expect(await posts.ids(KEY)).toEqual([2, 'ab'])
  })

  test('the likes by a blocked user remain', async () => {
    await using posts = await start(open)
    await posts.write(alice, 'a')
    await posts.setLike(bob, 'a', true)
    await posts.setBlocked('bob', true)
    expect(await posts.read(GUEST, 'a')).toMatchObject({ like: 1, likeId: ['bob'] })
  })

  test('posts by an unblocked author are visible again, unchanged', async () => {
    await using posts = await start(open)
    await posts.write(bob, 'b')
    const before = await posts.read(GUEST, 'b')
    await posts.setBlocked('bob', true)
    await posts.setBlocked('bob', false)
    expect(await posts.read(GUEST, 'b')).toEqual(before)
  })

  test('a request that began before the block writes nothing after it', async () => {
    await using posts = await start(open)
    await posts.write(alice, 'a')
    await posts.write(bob, 'b')
    await posts.setBlocked('bob', true)
    const refused = { type: expect.stringMatching(/^(user_blocked|document_not_found)$/) }
    await expect(posts.write(bob, 'c')).rejects.toMatchObject(refused)
    await expect(posts.update(bob, 'b', edit({ title: 'late' }))).rejects.toMatchObject(refused)
    await expect(posts.setLike(bob, 'a', true)).rejects.toMatchObject(refused)
    const remove = posts.remove(bob, 'b', { unlessNewerThan: undefined })
    await expect(remove).rejects.toMatchObject(refused)
    expect(await posts.ids(KEY)).toEqual([2, 'ab'])
  })

  test('of many writes at the moment of a block, none is visible afterwards', async () => {
    await using posts = await start(open)
    await posts.write(bob, 'b')
    const writes = Array.from({ length: 12 }, (_, index) => posts.write(bob, `n${index}`))
    const edits = Array.from({ length: 4 }, (_, index) =>
      posts.update(bob, 'b', edit({ title: `late ${index}` })),
    )
    const likes = [posts.setLike(bob, 'b', true), posts.setLike(alice, 'b', true)]
    await Promise.all([
      posts.setBlocked('bob', true),
      Promise.allSettled([...writes, ...edits, ...likes]),
    ])
    expect(await posts.ids(GUEST)).toEqual([0, ''])
    expect(await posts.ids(alice)).toEqual([0, ''])
  })
})
