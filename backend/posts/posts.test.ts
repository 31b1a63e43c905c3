// The rules of posts on both databases: likes, edits, deletions and who sees what.
import { describe, expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import {
  addImage,
  addLikes,
  addPeople,
  makeTestPosts,
  type TestPosts,
  viewerOf,
} from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { can } from './access.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY: Viewer = { role: 'key' }
/** The same database, but `work` runs before each transaction begins. */
function beforeTransactions(db: Database, work: () => Promise<unknown>): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({
          async execute(inside: (tx: Database) => Promise<unknown>) {
            await work()
            return target.transaction().execute(inside)
          },
        })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const EDIT = { permissions: undefined, unlessNewerThan: undefined }

/** Without the likes of deleted posts. */
async function listLikesOfPosts(db: Database) {
  const likes = db
    .selectFrom('postLike')
    .innerJoin('discussion', 'discussion.seq', 'postLike.discussionSeq')
  return await likes.select('userId').where('postId', 'is not', null).execute()
}

describeEachDatabase('posts', (open) => {
  async function start(people = ['alice', 'bob', 'carla']) {
    const opened = await open()
    await addPeople(opened.db, people)
    return {
      ...makeTestPosts(opened.db),
      db: opened.db,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('two hundred likes at once by fifty people give exactly the expected set and count', async () => {
    const people = Array.from({ length: 50 }, (_, index) =>
      viewerOf(`p${String(index).padStart(2, '0')}`),
    )
    await using posts = await start([...people.map(({ userId }) => userId), 'alice'])
    await posts.write(alice, 'one')
    // Everybody toggles four times; the final state is known, because each user waits for the
    // answer to one call before making the next.
    await Promise.all(
      people.map(async (person, index) => {
        for (const liked of index % 3 === 0
          ? [true, false, true, false]
          : [true, false, true, true])
          await posts.setLike(person, 'one', liked)
      }),
    )
    const expected = people.filter((_person, index) => index % 3 !== 0).map(({ userId }) => userId)
    const post = await posts.read(GUEST, 'one')
    expect(post.like).toBe(expected.length)
    expect(post.likeId?.toSorted()).toEqual(expected)
    expect(
      await posts.db.selectFrom('postLike').select('userId').orderBy('userId').execute(),
    ).toEqual(expected.map((userId) => ({ userId })))
  })

  test('a body written by SQL or import is shown clean, and stays as it was stored', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    const stored = '<p onclick="alert(1)">a<script>alert(1)</script></p>'
    await posts.db.updateTable('post').set({ content: stored }).where('id', '=', 'one').execute()
    expect((await posts.read(GUEST, 'one')).content).toBe('<p>a</p>')
    expect((await posts.setLike(bob, 'one', true)).content).toBe('<p>a</p>')
    expect(await posts.db.selectFrom('post').select('content').execute()).toEqual([
      { content: stored },
    ])
  })

  test('the same like from many tabs is one like', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    await Promise.all(Array.from({ length: 20 }, () => posts.setLike(bob, 'one', true)))
    expect(await posts.read(GUEST, 'one')).toMatchObject({ like: 1, likeId: ['bob'] })
  })

  test('likes are listed oldest first, at most a thousand, the caller’s own always among them', async () => {
    const names = Array.from({ length: 1005 }, (_, index) => `p${String(index).padStart(4, '0')}`)
    await using posts = await start([...names, 'alice'])
    await posts.write(alice, 'one')
    await addLikes(posts.db, 'one', names.toReversed())
    const byGuest = await posts.read(GUEST, 'one')
    expect(byGuest.like).toBe(1005)
    expect(byGuest.likeId).toEqual(names.toReversed().slice(0, 1000))
    const byLast = await posts.read(viewerOf('p0000'), 'one')
    expect(byLast.like).toBe(1005)
    expect(byLast.likeId).toEqual([...names.toReversed().slice(0, 1000), 'p0000'])
    const { documents } = await posts.list(viewerOf('p0001'), undefined, { hasTotal: true })
    expect(documents[0]?.likeId?.at(-1)).toBe('p0001')
  })

  test('of several edits at once the last one wins as a whole', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    // Other posts show the images, too: they stay when this one shows another.
    for (const mark of ['a', 'b', 'c']) {
      await addImage(posts.db, 'alice', mark)
      await posts.write(alice, `of-${mark}`, { featuredImage: mark })
    }
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        ['a', 'b', 'c'].map((mark) =>
          posts.update(alice, 'one', {
            ...EDIT,
            data: { title: mark + round, content: mark + round, featuredImage: mark },
          }),
        ),
      )
      const { title, content, featuredImage } = await posts.read(alice, 'one')
      expect([content, featuredImage]).toEqual([title, title?.charAt(0)])
    }
  })

  test('of many deletions at once one succeeds, the others are 404, and the likes go with it', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    await posts.setLike(bob, 'one', true)
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => posts.remove(alice, 'one', { unlessNewerThan: undefined })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ type: 'document_not_found' })
    expect(await listLikesOfPosts(posts.db)).toEqual([])
    await expect(posts.setLike(bob, 'one', true)).rejects.toMatchObject({
      type: 'document_not_found',
    })
    await expect(
      posts.update(alice, 'one', { ...EDIT, data: { title: 'x' } }),
    ).rejects.toMatchObject({ type: 'document_not_found' })
  })

  test('likes and a deletion at the same time leave no like of a post', async () => {
    const people = Array.from({ length: 10 }, (_, index) => viewerOf(`p${index}`))
    await using posts = await start([...people.map(({ userId }) => userId), 'alice'])
    await posts.write(alice, 'one')
    const results = await Promise.allSettled([
      ...people.map((person) => posts.setLike(person, 'one', true)),
      posts.remove(alice, 'one', { unlessNewerThan: undefined }),
    ])
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ type: 'document_not_found' })
    expect(results.at(-1)?.status).toBe('fulfilled')
    expect(await listLikesOfPosts(posts.db)).toEqual([])
  })

  describe('changes between the first check and the transaction', () => {
    /** The same posts, but `change` happens between the first check and the transaction. */
    function changedMeanwhile(db: Database, change: () => Promise<unknown>): TestPosts {
      return makeTestPosts(beforeTransactions(db, change))
    }

    test.each([
      { what: 'hidden', data: { status: 'inactive' }, by: bob, type: 'document_not_found' },
      { what: 'hidden', data: { status: 'inactive' }, by: alice, type: 'user_unauthorized' },
    ])(
      'a post that was $what meanwhile cannot be liked by $by.userId',
      async ({ data, by, type }) => {
        await using posts = await start()
        await posts.write(alice, 'one')
        const changedPosts = changedMeanwhile(posts.db, () =>
          posts.update(alice, 'one', { ...EDIT, data }),
        )
        await expect(changedPosts.setLike(by, 'one', true)).rejects.toMatchObject({ type })
        expect(await posts.db.selectFrom('postLike').selectAll().execute()).toEqual([])
      },
    )

    test('a like of a post that was hidden meanwhile cannot be removed', async () => {
      await using posts = await start()
      await posts.write(alice, 'one')
      await posts.setLike(bob, 'one', true)
      const data = { status: 'inactive' }
      const changedPosts = changedMeanwhile(posts.db, () =>
        posts.update(alice, 'one', { ...EDIT, data }),
      )
      await expect(changedPosts.setLike(bob, 'one', false)).rejects.toMatchObject({
        type: 'document_not_found',
      })
      expect(await posts.read(alice, 'one')).toMatchObject({ like: 1, likeId: ['bob'] })
    })

    test('a post that was deleted meanwhile can be neither liked nor edited nor deleted', async () => {
      await using posts = await start()
      const calls: ((changedPosts: TestPosts) => Promise<unknown>)[] = [
        (changedPosts) => changedPosts.setLike(bob, 'one', true),
        (changedPosts) => changedPosts.update(alice, 'one', { ...EDIT, data: { title: 'x' } }),
        (changedPosts) => changedPosts.remove(alice, 'one', { unlessNewerThan: undefined }),
      ]
      for (const call of calls) {
        await posts.write(alice, 'one')
        const changedPosts = changedMeanwhile(posts.db, () =>
          posts.remove(alice, 'one', { unlessNewerThan: undefined }),
        )
        await expect(call(changedPosts)).rejects.toMatchObject({ type: 'document_not_found' })
        expect(await posts.db.selectFrom('post').selectAll().execute()).toEqual([])
        expect(await listLikesOfPosts(posts.db)).toEqual([])
      }
    })

    test('an account that was deleted meanwhile can neither write nor like', async () => {
      await using posts = await start()
      await posts.write(alice, 'one')
      const changedPosts = changedMeanwhile(posts.db, () =>
        posts.db.deleteFrom('user').where('id', '=', 'bob').execute(),
      )
      await expect(changedPosts.write(bob, 'two')).rejects.toMatchObject({
        type: 'user_unauthorized',
      })
      await expect(changedPosts.setLike(bob, 'one', true)).rejects.toMatchObject({
        type: 'document_not_found',
      })
      expect(await posts.db.selectFrom('post').select('id').execute()).toEqual([{ id: 'one' }])
      expect(await posts.db.selectFrom('postLike').selectAll().execute()).toEqual([])
    })
  })

  test('a change updates $updatedAt; the same change again and a like do not', async () => {
    await using posts = await start()
    const created = await posts.write(alice, 'one', { content: '<p>a</p>' })
    posts.tick()
    const unchanged = await posts.update(alice, 'one', {
      ...EDIT,
      data: { title: ' one ', content: '<p>a</p><script>x</script>', status: null },
    })
    expect(unchanged).toEqual(created)
    expect((await posts.setLike(bob, 'one', true)).$updatedAt).toBe(created.$updatedAt)
    const changed = await posts.update(alice, 'one', { ...EDIT, data: { title: 'two' } })
    expect(changed).toEqual({
      ...created,
      title: 'two',
      like: 1,
      likeId: ['bob'],
      $updatedAt: '2023-11-20T13:37:01.000+00:00',
    })
    posts.tick()
    const narrowed = await posts.update(alice, 'one', {
      ...EDIT,
      data: undefined,
      permissions: ['read("users")'],
    })
    expect(narrowed).toMatchObject({
      title: 'two',
      $permissions: ['read("users")'],
      $updatedAt: '2023-11-20T13:37:02.000+00:00',
    })
  })

  test('a caller whose copy is older than the stored post cannot change or delete it', async () => {
    await using posts = await start()
    const created = await posts.write(alice, 'one')
    const older = { unlessNewerThan: '2023-11-20T13:36:59.999Z' }
    await expect(
      posts.update(alice, 'one', { data: { title: 'x' }, permissions: undefined, ...older }),
    ).rejects.toMatchObject({
      type: 'document_update_conflict',
    })
    await expect(posts.remove(alice, 'one', older)).rejects.toMatchObject({
      type: 'document_update_conflict',
    })
    expect(await posts.read(alice, 'one')).toEqual(created)
    await posts.remove(alice, 'one', { unlessNewerThan: '2023-11-20T13:37:00.000Z' })
    await expect(posts.read(alice, 'one')).rejects.toMatchObject({ type: 'document_not_found' })
  })

  test('of two changes at once that name the same copy, one is refused', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    for (let round = 0; round < 5; round++) {
      const { $updatedAt = '' } = await posts.read(alice, 'one')
      const unlessNewerThan = new Date($updatedAt).toISOString()
      posts.tick()
      const results = await Promise.allSettled(
        ['a', 'b'].map((mark) =>
          posts.update(alice, 'one', {
            data: { title: mark + round },
            permissions: undefined,
            unlessNewerThan,
          }),
        ),
      )
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ type: 'document_update_conflict' })
    }
  })

  test.each([
    ['has stood still', 0],
    ['has jumped back', -60_000],
  ])('a change of an older copy is refused, also if the clock %s', async (_, passedMs) => {
    await using opened = await start()
    let nowMs = Date.UTC(2024, 4, 1)
    const posts = makeTestPosts(opened.db, { now: () => new Date(nowMs) })
    const { $updatedAt } = await posts.write(alice, 'one')
    const copy = { permissions: undefined, unlessNewerThan: new Date($updatedAt).toISOString() }
    nowMs += passedMs
    await posts.update(alice, 'one', { ...copy, data: { title: 'Mine' } })
    await expect(
      posts.update(alice, 'one', { ...copy, data: { title: 'Yours' } }),
    ).rejects.toMatchObject({ type: 'document_update_conflict' })
    expect(await posts.read(alice, 'one')).toMatchObject({ title: 'Mine' })
  })

  test('of several creations with one id at once, one succeeds', async () => {
    await using posts = await start()
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((title) => posts.write(alice, 'one', { title })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ type: 'document_already_exists' })
    expect(await posts.db.selectFrom('post').select('id').execute()).toEqual([{ id: 'one' }])
  })

  test('the author’s current name is shown, and a placeholder when the account is gone', async () => {
    await using posts = await start()
    await posts.write(alice, 'one')
    await posts.db
      .updateTable('user')
      .set({ name: 'Alice Renamed' })
      .where('id', '=', 'alice')
      .execute()
    expect((await posts.read(GUEST, 'one')).userName).toBe('Alice Renamed')
    await posts.db.deleteFrom('user').where('id', '=', 'alice').execute()
    expect((await posts.read(GUEST, 'one')).userName).toBe('Unknown User')
  })

  test('a list contains exactly the posts that its viewer can read', async () => {
    await using posts = await start()
    const lists: Record<string, string[] | undefined> = {
      plain: undefined,
      public: ['read("any")'],
      members: ['read("users")'],
      unverified: ['read("users/unverified")'],
      nobody: [],
    }
    for (const status of ['active', 'inactive']) {
      for (const [name, permissions] of Object.entries(lists)) {
        const data = { title: name, status }
        await posts.create(alice, { documentId: `${status}-${name}`, data, permissions })
        await posts.create(alice, { documentId: `${status}-${name}-hidden`, data, permissions })
        await posts.hide(KEY, `${status}-${name}-hidden`, true)
        await posts.create(bob, { documentId: `${status}-${name}-blocked`, data, permissions })
      }
    }
    await posts.db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'bob').execute()
    const viewers: Viewer[] = [GUEST, alice, bob, viewerOf('carla', { isVerified: true }), KEY]
    const results = []
    for (const viewer of viewers) {
      const { total, documents } = await posts.list(viewer, ['limit(100)'], { hasTotal: true })
      const listed = documents.map(({ $id }) => $id)
      expect(total).toBe(listed.length)
      for (const { id, ...post } of await posts.db.selectFrom('post').selectAll().execute()) {
        const ownership = { ...post, isAuthorBlocked: Number(post.userId === 'bob') }
        expect([id, can(viewer, 'read', ownership)]).toEqual([id, listed.includes(id)])
      }
      results.push(listed.length)
    }
    expect(results).toEqual([2, 20, 4, 3, 30])
  })
})
