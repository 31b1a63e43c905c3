// A post that was never changed has its current text as its only version, without a row; the first
// change stores that version. On both databases.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addImage, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'

const alice = viewerOf('alice')
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const MINUTE_MS = 60_000

describeEachDatabase('first versions', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
    const posts = makeTestPosts(opened.db, { now: () => new Date(nowMs) })
    const page = { userId: undefined, cursor: undefined, limit: 10 }
    return {
      ...posts,
      db: opened.db,
      advance: (ms: number) => {
        nowMs += ms
      },
      save: (data: Record<string, unknown>) => posts.update(alice, 'one', { data, ...ALWAYS }),
      versions: async () => (await posts.listVersions(alice, 'one')).versions,
      async text(at: number) {
        const version = (await posts.listVersions(alice, 'one')).versions[at]
        return (await posts.readVersion(alice, 'one', { id: version?.$id ?? '' })).content
      },
      deleted: async () => (await posts.listDeleted(alice, page)).deleted,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  /** A draft that was not changed, a minute later, and its only version. */
  async function startWithDraft() {
    const blog = await start()
    await blog.write(alice, 'one', { content: '<p>one two</p>', status: 'inactive' })
    const [only] = await blog.versions()
    blog.advance(MINUTE_MS)
    return {
      ...blog,
      only,
      id: only?.$id ?? '',
      rows: async () =>
        (await blog.db.selectFrom('postVersion').select('id').execute()).map(({ id }) => id),
      [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
    }
  }
  const DRAFT = {
    kind: 'draft',
    title: 'one',
    words: 2,
    wordsAdded: 2,
    wordsRemoved: 0,
    restoredFrom: '',
    $createdAt: '2023-11-20T13:37:00.000+00:00',
    $updatedAt: '2023-11-20T13:37:00.000+00:00',
  }

  test('a post that was never changed has one version, and no row of it', async () => {
    await using blog = await startWithDraft()
    expect(blog.only).toEqual({ $id: blog.id, ...DRAFT })
    expect(await blog.readVersion(alice, 'one', { id: blog.id })).toEqual({
      ...blog.only,
      content: '<p>one two</p>',
    })
    expect(await blog.rows()).toEqual([])
  })

  test('saving the same text, also with another image, adds no version', async () => {
    await using blog = await startWithDraft()
    await addImage(blog.db, 'alice', 'other')
    await blog.save({ featuredImage: 'other', content: '<p>one two</p>' })
    expect(await blog.versions()).toEqual([blog.only])
    expect(await blog.rows()).toEqual([])
  })

  test('the first change stores the version as it was', async () => {
    await using blog = await startWithDraft()
    const { id } = blog
    await blog.save({ content: '<p>three</p>' })
    expect(await blog.versions()).toMatchObject([{ kind: 'saved' }, { $id: id, ...DRAFT }])
    expect((await blog.readVersion(alice, 'one', { id })).content).toBe('<p>one two</p>')
  })

  test('the first version is restored after a change', async () => {
    await using blog = await startWithDraft()
    await blog.save({ content: '<p>three</p>' })
    await blog.restoreVersion(alice, 'one', { versionId: blog.id, ...ALWAYS })
    expect(await blog.text(0)).toBe('<p>one two</p>')
    expect(await blog.rows()).toHaveLength(3)
  })

  test('publishing a post that was never changed publishes its only version', async () => {
    await using blog = await startWithDraft()
    await blog.save({ status: 'active' })
    expect(await blog.versions()).toEqual([
      { ...blog.only, kind: 'published', $updatedAt: '2023-11-20T13:38:00.000+00:00' },
    ])
  })

  test('deactivating a published post changes no version', async () => {
    await using blog = await startWithDraft()
    await blog.save({ status: 'active' })
    const published = await blog.versions()
    blog.advance(MINUTE_MS)
    await blog.save({ status: 'inactive' })
    expect(await blog.versions()).toEqual(published)
  })

  test('deactivating a post that was published as it was written changes no version', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    const before = await blog.versions()
    expect(before).toMatchObject([{ kind: 'published' }])
    await blog.save({ status: 'inactive' })
    expect(await blog.versions()).toEqual(before)
  })

  /** A post with two versions and one with its only version, and what an export has of them. */
  async function startWithTwoPosts() {
    const blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>' })
    blog.advance(MINUTE_MS)
    await blog.write(alice, 'two', { content: '<p>b</p>' })
    blog.advance(MINUTE_MS)
    await blog.save({ content: '<p>c</p>' })
    const only = (await blog.listVersions(alice, 'two')).versions
    return {
      ...blog,
      only,
      all: [
        { postId: 'one', content: '<p>a</p>', kind: 'published' },
        { postId: 'two', ...only[0], content: '<p>b</p>' },
        { postId: 'one', content: '<p>c</p>', kind: 'published' },
      ],
      async exported() {
        const versions: unknown[] = []
        for await (const version of blog.streamVersionsOf(alice)) versions.push(version)
        return versions
      },
      [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
    }
  }

  test('an export has the only version of a post once', async () => {
    await using blog = await startWithTwoPosts()
    expect(await blog.exported()).toMatchObject(blog.all)
  })

  test('an export has the only version of a deleted post', async () => {
    await using blog = await startWithTwoPosts()
    await blog.remove(alice, 'two', { unlessNewerThan: undefined })
    expect(await blog.exported()).toMatchObject(blog.all)
  })

  test('the only version is restored with its post, also when another post has its id', async () => {
    await using blog = await startWithTwoPosts()
    await blog.remove(alice, 'two', { unlessNewerThan: undefined })
    const [deleted] = await blog.deleted()
    // Another post under the same id has another first version.
    await blog.write(alice, 'two', { content: '<p>d</p>' })
    await blog.update(alice, 'two', { data: { content: '<p>e</p>' }, ...ALWAYS })
    const { $id } = await blog.restoreDeleted(alice, deleted?.$id ?? '')
    expect((await blog.listVersions(alice, $id)).versions).toEqual(blog.only)
    expect(await blog.exported()).toHaveLength(5)
  })
})
