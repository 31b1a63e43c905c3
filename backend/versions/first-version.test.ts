// A post that was never changed has its current text as its only version, without a row; the first
// change stores that version. On both databases.
import { afterAll, expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addImage, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'

const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const MINUTE_MS = 60_000

describeEachDatabase('first versions', (open) => {
  let opening: ReturnType<typeof open> | undefined
  afterAll(async () => {
    await (await opening)?.[Symbol.asyncDispose]()
  })
  let authors = 0

  /** A new author on the database of all tests, and the ids of two posts. */
  async function start() {
    opening ??= open()
    const { db } = await opening
    const author = `alice${++authors}`
    const [one, two] = [`one-${authors}`, `two-${authors}`]
    await addPeople(db, [author])
    const alice = viewerOf(author)
    let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
    const posts = makeTestPosts(db, { now: () => new Date(nowMs) })
    const page = { userId: undefined, cursor: undefined, limit: 10 }
    return {
      ...posts,
      db,
      alice,
      one,
      two,
      advance: (ms: number) => {
        nowMs += ms
      },
      save: (data: Record<string, unknown>) => posts.update(alice, one, { data, ...ALWAYS }),
      versions: async () => (await posts.listVersions(alice, one)).versions,
      async text(at: number) {
        const version = (await posts.listVersions(alice, one)).versions[at]
        return (await posts.readVersion(alice, one, { id: version?.$id ?? '' })).content
      },
      deleted: async () => (await posts.listDeleted(alice, page)).deleted,
    }
  }

  /** A draft that was not changed, a minute later, and its only version. */
  async function startWithDraft() {
    const blog = await start()
    await blog.write(blog.alice, blog.one, { content: '<p>one two</p>', status: 'inactive' })
    const [only] = await blog.versions()
    blog.advance(MINUTE_MS)
    return {
      ...blog,
      only,
      id: only?.$id ?? '',
      rows: async () =>
        (
          await blog.db
            .selectFrom('postVersion')
            .select('id')
            .where('postId', '=', blog.one)
            .execute()
        ).map(({ id }) => id),
    }
  }
  const DRAFT = {
    kind: 'draft',
    words: 2,
    wordsAdded: 2,
    wordsRemoved: 0,
    restoredFrom: '',
    $createdAt: '2023-11-20T13:37:00.000+00:00',
    $updatedAt: '2023-11-20T13:37:00.000+00:00',
  }

  test('a post that was never changed has one version, and no row of it', async () => {
    const blog = await startWithDraft()
    expect(blog.only).toEqual({ $id: blog.id, title: blog.one, ...DRAFT })
    expect(await blog.readVersion(blog.alice, blog.one, { id: blog.id })).toEqual({
      ...blog.only,
      content: '<p>one two</p>',
    })
    expect(await blog.rows()).toEqual([])
  })

  test('saving the same text, even with another image, adds no version', async () => {
    const blog = await startWithDraft()
    await addImage(blog.db, blog.alice.userId, 'other')
    await blog.save({ featuredImage: 'other', content: '<p>one two</p>' })
    expect(await blog.versions()).toEqual([blog.only])
    expect(await blog.rows()).toEqual([])
  })

  test('the first change stores the version as it was', async () => {
    const blog = await startWithDraft()
    const { id } = blog
    await blog.save({ content: '<p>three</p>' })
    expect(await blog.versions()).toMatchObject([
      { kind: 'saved' },
      { $id: id, title: blog.one, ...DRAFT },
    ])
    expect((await blog.readVersion(blog.alice, blog.one, { id })).content).toBe('<p>one two</p>')
  })

  test('the first version is restored after a change', async () => {
    const blog = await startWithDraft()
    await blog.save({ content: '<p>three</p>' })
    await blog.restoreVersion(blog.alice, blog.one, { versionId: blog.id, ...ALWAYS })
    expect(await blog.text(0)).toBe('<p>one two</p>')
    expect(await blog.rows()).toHaveLength(3)
  })

  test('publishing a post that was never changed publishes its only version', async () => {
    const blog = await startWithDraft()
    await blog.save({ status: 'active' })
    expect(await blog.versions()).toEqual([
      { ...blog.only, kind: 'published', $updatedAt: '2023-11-20T13:38:00.000+00:00' },
    ])
  })

  test('deactivating a published post changes no version', async () => {
    const blog = await startWithDraft()
    await blog.save({ status: 'active' })
    const published = await blog.versions()
    blog.advance(MINUTE_MS)
    await blog.save({ status: 'inactive' })
    expect(await blog.versions()).toEqual(published)
  })

  test('deactivating a post that was published as it was written changes no version', async () => {
    const blog = await start()
    await blog.write(blog.alice, blog.one)
    const before = await blog.versions()
    expect(before).toMatchObject([{ kind: 'published' }])
    await blog.save({ status: 'inactive' })
    expect(await blog.versions()).toEqual(before)
  })

  /** A post with two versions and one with its only version, and what an export has of them. */
  async function startWithTwoPosts() {
    const blog = await start()
    await blog.write(blog.alice, blog.one, { content: '<p>a</p>' })
    blog.advance(MINUTE_MS)
    await blog.write(blog.alice, blog.two, { content: '<p>b</p>' })
    blog.advance(MINUTE_MS)
    await blog.save({ content: '<p>c</p>' })
    const only = (await blog.listVersions(blog.alice, blog.two)).versions
    return {
      ...blog,
      only,
      all: [
        { postId: blog.one, content: '<p>a</p>', kind: 'published' },
        { postId: blog.two, ...only[0], content: '<p>b</p>' },
        { postId: blog.one, content: '<p>c</p>', kind: 'published' },
      ],
      async exported() {
        const versions: unknown[] = []
        for await (const version of blog.streamVersionsOf(blog.alice)) versions.push(version)
        return versions
      },
    }
  }

  test('an export has the only version of a post once', async () => {
    const blog = await startWithTwoPosts()
    expect(await blog.exported()).toMatchObject(blog.all)
  })

  test('an export has the only version of a deleted post', async () => {
    const blog = await startWithTwoPosts()
    await blog.remove(blog.alice, blog.two, { unlessNewerThan: undefined })
    expect(await blog.exported()).toMatchObject(blog.all)
  })

  test('the only version is restored with its post, even when another post has its id', async () => {
    const blog = await startWithTwoPosts()
    await blog.remove(blog.alice, blog.two, { unlessNewerThan: undefined })
    const [deleted] = await blog.deleted()
    // Another post under the same id has another first version.
    await blog.write(blog.alice, blog.two, { content: '<p>d</p>' })
    await blog.update(blog.alice, blog.two, { data: { content: '<p>e</p>' }, ...ALWAYS })
    const { $id } = await blog.restoreDeleted(blog.alice, deleted?.$id ?? '')
    expect((await blog.listVersions(blog.alice, $id)).versions).toEqual(blog.only)
    expect(await blog.exported()).toHaveLength(5)
  })
})
