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

  test('a post that was never changed has one version and no row; the first change stores that version', async () => {
    await using blog = await start()
    const rows = async () =>
      (await blog.db.selectFrom('postVersion').select('id').execute()).map(({ id }) => id)
    await blog.write(alice, 'one', { content: '<p>one two</p>', status: 'inactive' })
    const [only] = await blog.versions()
    const id = only?.$id ?? ''
    const shown = {
      kind: 'draft',
      title: 'one',
      words: 2,
      wordsAdded: 2,
      wordsRemoved: 0,
      restoredFrom: '',
      $createdAt: only?.$createdAt,
      $updatedAt: only?.$createdAt,
    }
    expect(only).toEqual({ $id: id, ...shown })
    expect(only?.$createdAt).toBe('2023-11-20T13:37:00.000+00:00')
    blog.advance(MINUTE_MS)
    await addImage(blog.db, 'alice', 'other')
    await blog.save({ featuredImage: 'other', content: '<p>one two</p>' })
    expect(await blog.versions()).toEqual([only])
    expect(await blog.readVersion(alice, 'one', { id })).toEqual({
      ...only,
      content: '<p>one two</p>',
    })
    expect(await rows()).toEqual([])
    await blog.save({ content: '<p>three</p>' })
    expect(await blog.versions()).toMatchObject([{ kind: 'saved' }, { $id: id, ...shown }])
    expect((await blog.readVersion(alice, 'one', { id })).content).toBe('<p>one two</p>')
    await blog.restoreVersion(alice, 'one', { versionId: id, ...ALWAYS })
    expect(await blog.text(0)).toBe('<p>one two</p>')
    expect(await rows()).toHaveLength(3)
  })

  test('publishing a post that was never changed publishes its only version, and deactivating the post changes no version', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { status: 'inactive' })
    const [only] = await blog.versions()
    blog.advance(MINUTE_MS)
    await blog.save({ status: 'active' })
    const published = {
      ...only,
      kind: 'published',
      $updatedAt: '2023-11-20T13:38:00.000+00:00',
    }
    expect(await blog.versions()).toEqual([published])
    blog.advance(MINUTE_MS)
    await blog.save({ status: 'inactive' })
    expect(await blog.versions()).toEqual([published])
    await blog.write(alice, 'two')
    const listVersionsOfTwo = async () => (await blog.listVersions(alice, 'two')).versions
    const before = await listVersionsOfTwo()
    expect(before).toMatchObject([{ kind: 'published' }])
    const update = { data: { status: 'inactive' }, ...ALWAYS }
    await blog.update(alice, 'two', update)
    expect(await listVersionsOfTwo()).toEqual(before)
  })

  test('the only version is deleted and restored with its post, and exported once', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>' })
    blog.advance(MINUTE_MS)
    await blog.write(alice, 'two', { content: '<p>b</p>' })
    blog.advance(MINUTE_MS)
    await blog.save({ content: '<p>c</p>' })
    const before = (await blog.listVersions(alice, 'two')).versions
    const exported = async () => {
      const versions: unknown[] = []
      for await (const version of blog.streamVersionsOf(alice)) versions.push(version)
      return versions
    }
    const all = [
      { postId: 'one', content: '<p>a</p>', kind: 'published' },
      { postId: 'two', ...before[0], content: '<p>b</p>' },
      { postId: 'one', content: '<p>c</p>', kind: 'published' },
    ]
    expect(await exported()).toMatchObject(all)
    await blog.remove(alice, 'two', { unlessNewerThan: undefined })
    expect(await exported()).toMatchObject(all)
    const [deleted] = await blog.deleted()
    // Another post under the same id has another first version.
    await blog.write(alice, 'two', { content: '<p>d</p>' })
    await blog.update(alice, 'two', { data: { content: '<p>e</p>' }, ...ALWAYS })
    const { $id } = await blog.restoreDeleted(alice, deleted?.$id ?? '')
    expect((await blog.listVersions(alice, $id)).versions).toEqual(before)
    expect(await exported()).toHaveLength(5)
  })
})
