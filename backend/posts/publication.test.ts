// The date of a post is the time at which it was active for the first time, on both databases: in
// lists, search, tags, cursors, versions and deleted posts.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY: Viewer = { role: 'key' }
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const PUBLIC_NEWEST_FIRST = ['equal("status", ["active"])', 'orderDesc("$createdAt")']
const FIRST_PAGE = { userId: undefined, cursor: undefined, limit: 10 }
const at = (second: number) => `2024-05-01T10:00:${String(second).padStart(2, '0')}.000+00:00`

describeEachDatabase('the publication of posts', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    let second = 0
    const posts = makeTestPosts(opened.db, { now: () => new Date(at(second)) })
    const save = (id: string, data: Record<string, unknown>, viewer: Viewer = alice) =>
      posts.update(viewer, id, { data, ...ALWAYS })
    return {
      ...posts,
      db: opened.db,
      save,
      setSecond: (next: number) => {
        second = next
      },
      publish: (id: string) => save(id, { status: 'active' }),
      ids: async (queries: string[] = []) => {
        const allQueries = [...PUBLIC_NEWEST_FIRST, ...queries]
        const { documents } = await posts.list(bob, allQueries, { hasTotal: false })
        return documents.map(({ $id }) => $id)
      },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  /** A draft begun at 1, then published at 3; another post at 2. */
  async function startPublished() {
    const blog = await start()
    blog.setSecond(1)
    await blog.write(alice, 'late', { status: 'inactive', tags: ['lamp'], content: '<p>oil</p>' })
    blog.setSecond(2)
    await blog.write(alice, 'other', { tags: ['lamp'], content: '<p>oil</p>' })
    blog.setSecond(3)
    return { ...blog, published: await blog.publish('late') }
  }

  test('a draft has no time of publication; a post that begins active has that of its creation', async () => {
    await using blog = await start()
    expect(await blog.write(alice, 'draft', { status: 'inactive' })).toMatchObject({
      publishedAt: null,
      $createdAt: at(0),
    })
    expect(await blog.write(alice, 'post')).toMatchObject({
      publishedAt: at(0),
      $createdAt: at(0),
    })
  })

  test('the time at which a post is first active is its date from then on', async () => {
    await using blog = await startPublished()
    const times = { publishedAt: at(3), $createdAt: at(3), $updatedAt: at(3) }
    expect(blog.published).toMatchObject(times)
    expect(await blog.read(GUEST, 'late')).toMatchObject(times)
  })

  test('editing, deactivating and reactivating a post do not change its time of publication', async () => {
    await using blog = await startPublished()
    for (const [second, data] of [
      [4, { title: 'Renamed' }],
      [5, { status: 'inactive' }],
      [6, { content: '<p>more</p>' }],
      [7, { status: 'active' }],
    ] as const) {
      blog.setSecond(second)
      expect(await blog.save('late', data)).toMatchObject({
        publishedAt: at(3),
        $createdAt: at(3),
        $updatedAt: at(second),
      })
    }
  })

  test('a time of publication in the future is returned unchanged, and replaced when the post is published', async () => {
    await using blog = await start()
    await blog.write(alice, 'late', { status: 'inactive' })
    const planned = { publishedAt: new Date(at(50)).toISOString() }
    await blog.db.updateTable('post').set(planned).where('id', '=', 'late').execute()
    expect(await blog.save('late', { title: 'Renamed' })).toMatchObject({
      publishedAt: at(50),
      $createdAt: at(0),
    })
    blog.setSecond(5)
    expect(await blog.publish('late')).toMatchObject({ publishedAt: at(5), $createdAt: at(5) })
  })

  test('the post that was published last is the newest in lists of all posts, of an author and of a tag', async () => {
    await using blog = await startPublished()
    expect(await blog.ids()).toEqual(['late', 'other'])
    expect(await blog.ids(['equal("userid", ["alice"])'])).toEqual(['late', 'other'])
    expect(await blog.ids(['equal("tags", ["lamp"])'])).toEqual(['late', 'other'])
    expect(await blog.ids(['equal("tags", ["lamp"])', 'cursorAfter("late")'])).toEqual(['other'])
    expect(await blog.ids(['cursorBefore("other")'])).toEqual(['late'])
  })

  test('posts are neighbours in the order of their publication', async () => {
    await using blog = await startPublished()
    expect(await blog.readAdjacentPosts(bob, 'late')).toMatchObject({
      previous: { $id: 'other' },
      next: null,
    })
    expect(await blog.readAdjacentPosts(bob, 'other')).toMatchObject({
      previous: null,
      next: { $id: 'late' },
    })
  })

  test('the search lists a post before those that were published earlier', async () => {
    await using blog = await startPublished()
    const { documents } = await blog.search(bob, { q: 'oil', page: 1 })
    expect(documents.map(({ $id, $createdAt }) => [$id, $createdAt])).toEqual([
      ['late', at(3)],
      ['other', at(2)],
    ])
  })

  test('of posts published at the same time, those begun first come first', async () => {
    await using blog = await start()
    for (const id of ['one', 'two', 'three'])
      await blog.write(alice, id, { status: 'inactive', tags: ['lamp'] })
    blog.setSecond(1)
    for (const id of ['three', 'one', 'two']) await blog.publish(id)
    expect(await blog.ids()).toEqual(['one', 'two', 'three'])
    expect(await blog.ids(['equal("tags", ["lamp"])'])).toEqual(['one', 'two', 'three'])
    expect(await blog.ids(['cursorAfter("one")', 'limit(1)'])).toEqual(['two'])
    expect(await blog.readAdjacentPosts(bob, 'two')).toMatchObject({
      next: { $id: 'one' },
      previous: { $id: 'three' },
    })
  })

  test.each<[string, Record<string, unknown>]>([
    ['alone', { status: 'active' }],
    ['with another text', { status: 'active', content: '<p>another</p>' }],
  ])(
    'the versions of a draft published %s retain the time at which it was begun',
    async (_, data) => {
      await using blog = await start()
      await blog.write(alice, 'late', { status: 'inactive' })
      blog.setSecond(9)
      await blog.save('late', data)
      const { versions } = await blog.listVersions(alice, 'late')
      expect(versions.at(-1)).toMatchObject({ $createdAt: at(0) })
      expect(versions[0]).toMatchObject({ kind: 'published', $updatedAt: at(9) })
    },
  )

  test('a deleted published post is restored with both times', async () => {
    await using blog = await startPublished()
    await blog.remove(alice, 'late', { unlessNewerThan: undefined })
    const [deleted] = (await blog.listDeleted(alice, FIRST_PAGE)).deleted
    const times = { publishedAt: at(3), $createdAt: at(3) }
    expect(deleted).toMatchObject(times)
    blog.setSecond(8)
    expect(await blog.restoreDeleted(alice, deleted?.$id ?? '')).toMatchObject(times)
    expect(await blog.publish('late')).toMatchObject({ ...times, status: 'active' })
  })

  test('a draft that was deleted and restored gets the time at which it is published', async () => {
    await using blog = await start()
    await blog.write(alice, 'late', { status: 'inactive' })
    await blog.remove(alice, 'late', { unlessNewerThan: undefined })
    const [deleted] = (await blog.listDeleted(alice, FIRST_PAGE)).deleted
    expect(deleted).toMatchObject({ publishedAt: null, $createdAt: at(0) })
    await blog.restoreDeleted(alice, deleted?.$id ?? '')
    blog.setSecond(5)
    expect(await blog.publish('late')).toMatchObject({ publishedAt: at(5), $createdAt: at(5) })
  })

  test('hiding a post and showing it again does not change its times', async () => {
    await using blog = await startPublished()
    blog.setSecond(6)
    for (const isHidden of [true, false])
      expect(await blog.hide(KEY, 'late', isHidden)).toMatchObject({
        publishedAt: at(3),
        $createdAt: at(3),
      })
  })

  test('a past time of publication sent with an active post is checked and ignored', async () => {
    await using blog = await start()
    const data = { publishedAt: '2020-01-01T00:00:00.000+00:00' }
    expect(await blog.write(alice, 'one', data)).toMatchObject({ publishedAt: at(0) })
    expect(await blog.save('one', { title: 'Two', publishedAt: null })).toMatchObject({
      publishedAt: at(0),
    })
    for (const publishedAt of ['yesterday', 5, ['2020-01-01']])
      await expect(blog.save('one', { title: 'Three', publishedAt })).rejects.toMatchObject({
        type: 'document_invalid_structure',
      })
    expect(await blog.read(alice, 'one')).toMatchObject({ title: 'Two' })
  })

  test('lists can filter by, order by and select the time of publication; a draft has none', async () => {
    await using blog = await startPublished()
    await blog.write(alice, 'draft', { status: 'inactive' })
    const listIds = async (...queries: string[]) =>
      (await blog.list(alice, queries, { hasTotal: false })).documents.map(({ $id }) => $id)
    expect(await listIds('isNull("publishedAt")')).toEqual(['draft'])
    expect(await listIds('isNotNull("publishedAt")')).toEqual(['late', 'other'])
    expect(await listIds(`lessThan("publishedAt", "${at(3)}")`)).toEqual(['other'])
    expect(await listIds('orderDesc("publishedAt")')).toEqual(['late', 'other', 'draft'])
    expect(await listIds('orderAsc("publishedAt")', 'cursorAfter("draft")')).toEqual([
      'other',
      'late',
    ])
    const { documents } = await blog.list(
      alice,
      ['select(["publishedAt"])', 'equal("$id", ["late"])'],
      { hasTotal: false },
    )
    expect(documents).toMatchObject([{ publishedAt: at(3) }])
  })
})
