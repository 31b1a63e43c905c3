// Versions of posts and deleted posts, on both databases: when a save begins a version, how many
// are retained, who reads them, and how a deleted post is restored.
import { describe, expect, test } from 'vitest'
import { describeEachDatabase, untilLockWaits } from '#test/support/databases.ts'
import { addImage, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { VERSIONS_MAX, VERSIONS_MAX_BYTES } from '../posts/record-version.ts'
import { compressText } from '../posts/versions-store.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const KEY: Viewer = { role: 'key' }
const FIRST_PAGE = { userId: undefined, cursor: undefined, limit: 10 }
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const missing = { type: 'document_not_found' }
const refused = { type: 'user_unauthorized' }

describeEachDatabase('the history of posts', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice', 'bob'])
    let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
    const posts = makeTestPosts(opened.db, { now: () => new Date(nowMs) })
    return {
      ...posts,
      db: opened.db,
      url: opened.url,
      advance: (ms: number) => {
        nowMs += ms
      },
      save: (data: Record<string, unknown>, isAutosave = false, viewer: Viewer = alice) =>
        posts.update(viewer, 'one', { data, isAutosave, ...ALWAYS }),
      versions: async () => (await posts.listVersions(alice, 'one')).versions,
      kinds: async () => (await posts.listVersions(alice, 'one')).versions.map(({ kind }) => kind),
      async text(at: number) {
        const version = (await posts.listVersions(alice, 'one')).versions[at]
        return (await posts.readVersion(alice, 'one', { id: version?.$id ?? '' })).content
      },
      deleted: async (viewer: Viewer = alice) =>
        (await posts.listDeleted(viewer, FIRST_PAGE)).deleted,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('each save of a changed title or text is a version, counted in words', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>one two</p>', status: 'inactive' })
    await blog.save({ content: '<p>one three four</p>' })
    await blog.save({ title: 'renamed' })
    await blog.save({ title: 'renamed', content: '<p>one three four</p>' })
    await addImage(blog.db, 'alice', 'other')
    await blog.save({ featuredImage: 'other' })
    await blog.setLike(alice, 'one', true).catch(() => {})
    await blog.save({ status: 'active', content: '<p>five</p>' })
    expect(await blog.versions()).toMatchObject([
      { kind: 'published', title: 'renamed', words: 1, wordsAdded: 1, wordsRemoved: 3 },
      { kind: 'saved', title: 'renamed', words: 3, wordsAdded: 0, wordsRemoved: 0 },
      { kind: 'saved', title: 'one', words: 3, wordsAdded: 2, wordsRemoved: 1 },
      { kind: 'draft', title: 'one', words: 2, wordsAdded: 2, wordsRemoved: 0 },
    ])
    expect(await blog.text(0)).toBe('<p>five</p>')
    expect(await blog.text(3)).toBe('<p>one two</p>')
  })

  test('select adds the number of words to a post', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>One two</p>' })
    await blog.write(alice, 'two', { content: '' })
    await blog.save({ content: '<p>One two three</p>' })
    const queries = ['select(["$id","words"])', 'orderAsc("$id")']
    const { documents } = await blog.list(alice, queries, { hasTotal: false })
    expect(documents).toMatchObject([
      { $id: 'one', words: 3 },
      { $id: 'two', words: 0 },
    ])
    expect(await blog.read(GUEST, 'one', ['select(["words"])'])).toMatchObject({ words: 3 })
    expect(await blog.read(alice, 'one', undefined)).not.toHaveProperty('words')
    await expect(blog.list(alice, ['orderAsc("words")'], { hasTotal: false })).rejects.toThrow()
  })

  test('automatic saves of a draft share one version, which is compared with the one before', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>', status: 'inactive' })
    for (const content of ['<p>a b</p>', '<p>a b c</p>', '<p>b c d</p>']) {
      blog.advance(MINUTE_MS)
      await blog.save({ content }, true)
    }
    expect(await blog.versions()).toMatchObject([
      {
        kind: 'autosaved',
        $createdAt: '2023-11-20T13:38:00.000+00:00',
        $updatedAt: '2023-11-20T13:40:00.000+00:00',
        words: 3,
        wordsAdded: 3,
        wordsRemoved: 1,
      },
      { kind: 'draft' },
    ])
  })

  test('after ten minutes an automatic save of a draft begins another version', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>', status: 'inactive' })
    for (const content of ['<p>a b</p>', '<p>a b c</p>', '<p>later</p>']) {
      await blog.save({ content }, true)
      blog.advance(5 * MINUTE_MS)
    }
    expect(await blog.kinds()).toEqual(['autosaved', 'autosaved', 'draft'])
  })

  test('a manual save of an unchanged text ends the version of the automatic saves', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>', status: 'inactive' })
    for (const content of ['<p>a b</p>', '<p>later</p>']) {
      await blog.save({ content }, true)
      blog.advance(10 * MINUTE_MS)
    }
    await blog.save({ content: '<p>later</p>' })
    await blog.save({ content: '<p>after it</p>' }, true)
    expect(await blog.kinds()).toEqual(['autosaved', 'saved', 'autosaved', 'draft'])
  })

  test('each save of a published post is a version, even an automatic one', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>', status: 'inactive' })
    await blog.save({ content: '<p>b</p>' })
    await blog.save({ status: 'active' })
    await blog.save({ content: '<p>x</p>' }, true)
    await blog.save({ content: '<p>y</p>' }, true)
    expect(await blog.kinds()).toEqual(['published', 'published', 'published', 'draft'])
  })

  test('the last fifty versions are stored', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    for (let save = 1; save <= VERSIONS_MAX + 5; save += 1)
      await blog.save({ content: `<p>text ${save}</p>` })
    expect(await blog.versions()).toHaveLength(VERSIONS_MAX)
    expect(await blog.text(0)).toBe(`<p>text ${VERSIONS_MAX + 5}</p>`)
    expect(await blog.text(VERSIONS_MAX - 1)).toBe('<p>text 6</p>')
  })

  test('fewer versions are stored when they are very long, but always the newest', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    for (let save = 1; save <= 5; save += 1) await blog.save({ content: `<p>text ${save}</p>` })
    const large = Math.ceil(VERSIONS_MAX_BYTES / 3)
    await blog.db.updateTable('postVersion').set({ sizeBytes: large }).execute()
    await blog.save({ content: '<p>new</p>' })
    expect(await blog.versions()).toHaveLength(3)
    await blog.db.updateTable('postVersion').set({ sizeBytes: VERSIONS_MAX_BYTES }).execute()
    await blog.save({ content: '<p>newest</p>' })
    expect(await blog.text(0)).toBe('<p>newest</p>')
    expect(await blog.versions()).toHaveLength(1)
  })

  /** A post with two versions, and the id of the first. */
  async function startWithVersions() {
    const blog = await start()
    await blog.write(alice, 'one', { title: 'First', content: '<p>first</p>' })
    blog.advance(MINUTE_MS)
    await blog.save({ title: 'Second', content: '<p>second</p>' })
    const [, first] = await blog.versions()
    blog.advance(MINUTE_MS)
    return {
      ...blog,
      versionId: first?.$id ?? '',
      [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
    }
  }

  test('a restored version is a version of its own, and nothing is lost', async () => {
    await using blog = await startWithVersions()
    const { versionId } = blog
    const restored = await blog.restoreVersion(alice, 'one', { versionId, ...ALWAYS })
    expect(restored).toMatchObject({ title: 'First', content: '<p>first</p>', status: 'active' })
    expect(await blog.versions()).toMatchObject([
      { kind: 'restored', restoredFrom: '2023-11-20T13:37:00.000+00:00', title: 'First' },
      { kind: 'published', title: 'Second' },
      { kind: 'published', title: 'First' },
    ])
  })

  test('no version replaces a text that was saved in the meantime', async () => {
    await using blog = await startWithVersions()
    await blog.save({ title: 'Third' })
    const request = { versionId: blog.versionId, unlessNewerThan: '2023-11-20T13:38:00.000Z' }
    await expect(blog.restoreVersion(alice, 'one', request)).rejects.toMatchObject({
      type: 'document_update_conflict',
    })
    expect((await blog.read(GUEST, 'one')).title).toBe('Third')
  })

  test('a version is sanitised by the current rules, whatever was stored', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>' })
    await blog.save({ content: '<p>a b</p>' })
    const { body } = await blog.db
      .selectFrom('postVersion')
      .select('body')
      .executeTakeFirstOrThrow()
    expect(body).toBeInstanceOf(Uint8Array)
    const hostile = await compressText('<p onclick="alert(1)">b<script>alert(1)</script></p>')
    await blog.db.updateTable('postVersion').set({ body: hostile.body }).execute()
    expect(await blog.text(0)).toBe('<p>b</p>')
    const [version] = await blog.versions()
    await blog.restoreVersion(alice, 'one', { versionId: version?.$id ?? '', ...ALWAYS })
    expect((await blog.read(GUEST, 'one')).content).toBe('<p>b</p>')
  })

  describe('the versions of a post', () => {
    /** A post by alice and its version, each call with it, and a post by bob. */
    async function startWithCalls() {
      const blog = await start()
      await blog.write(alice, 'one')
      await blog.write(bob, 'two')
      const id = (await blog.versions())[0]?.$id ?? ''
      const calls = [
        (viewer: Viewer) => blog.listVersions(viewer, 'one'),
        (viewer: Viewer) => blog.readVersion(viewer, 'one', { id }),
        (viewer: Viewer) => blog.restoreVersion(viewer, 'one', { versionId: id, ...ALWAYS }),
      ]
      return { ...blog, id, calls, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
    }

    test('can be used with the API key', async () => {
      await using blog = await startWithCalls()
      expect((await blog.listVersions(KEY, 'one')).total).toBe(1)
    })

    test('are refused to others who may read the post', async () => {
      await using blog = await startWithCalls()
      for (const call of blog.calls)
        for (const viewer of [bob, GUEST]) await expect(call(viewer)).rejects.toMatchObject(refused)
    })

    test('are not found by others who may not read the post', async () => {
      await using blog = await startWithCalls()
      await blog.save({ status: 'inactive' })
      for (const call of blog.calls)
        for (const viewer of [bob, GUEST]) await expect(call(viewer)).rejects.toMatchObject(missing)
    })

    test('are not found under another post, or another id', async () => {
      await using blog = await startWithCalls()
      const { id } = blog
      for (const postId of ['two', 'none'])
        await expect(blog.readVersion(KEY, postId, { id })).rejects.toMatchObject(missing)
      await expect(blog.readVersion(alice, 'one', { id: 'none' })).rejects.toMatchObject(missing)
    })
  })

  /** A post with two versions and two likes, which alice has deleted. */
  async function startDeleted() {
    const blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>' })
    await blog.save({ content: '<p>b</p>' })
    for (const person of [bob, alice]) await blog.setLike(person, 'one', true)
    blog.advance(MINUTE_MS)
    await blog.remove(alice, 'one', ALWAYS)
    return { ...blog, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
  }

  test('no call can find a deleted post', async () => {
    await using blog = await startDeleted()
    for (const viewer of [alice, bob, GUEST, KEY]) {
      await expect(blog.read(viewer, 'one')).rejects.toMatchObject(missing)
      expect(await blog.list(viewer, undefined, { hasTotal: true })).toMatchObject({ total: 0 })
      await expect(blog.listVersions(viewer, 'one')).rejects.toMatchObject(missing)
    }
  })

  test('a deleted post is listed for its author with its expiry date, without its text', async () => {
    await using blog = await startDeleted()
    const [deletedPost] = await blog.deleted()
    expect(deletedPost).toMatchObject({
      postId: 'one',
      status: 'active',
      userid: 'alice',
      deletedAt: '2023-11-20T13:38:00.000+00:00',
      expire: '2023-12-20T13:38:00.000+00:00',
    })
    expect(deletedPost).not.toHaveProperty('content')
  })

  test('a deleted post is restored once, inactive, with likes and versions', async () => {
    await using blog = await startDeleted()
    const id = (await blog.deleted())[0]?.$id ?? ''
    expect(await blog.restoreDeleted(alice, id)).toMatchObject({
      $id: 'one',
      status: 'inactive',
      content: '<p>b</p>',
      like: 2,
      likeId: ['bob', 'alice'],
      $createdAt: '2023-11-20T13:37:00.000+00:00',
    })
    expect(await blog.versions()).toHaveLength(2)
    expect(await blog.deleted()).toEqual([])
    await expect(blog.restoreDeleted(alice, id)).rejects.toMatchObject(missing)
  })

  test('a post is restored without the like of an account that is deleted at that moment', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    for (const person of [bob, alice]) await blog.setLike(person, 'one', true)
    await blog.remove(alice, 'one', ALWAYS)
    const [deletedPost] = await blog.deleted()
    let restoring: Promise<unknown> = Promise.resolve()
    await blog.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('user').where('id', '=', 'bob').execute()
      restoring = blog.restoreDeleted(alice, deletedPost?.$id ?? '')
      restoring.catch(() => undefined)
      if (blog.url) await untilLockWaits(blog.db)
    })
    expect(await restoring).toMatchObject({ $id: 'one', like: 1, likeId: ['alice'] })
  })

  test('a restored post shows no featured image that its author has not uploaded', async () => {
    await using blog = await start()
    await addImage(blog.db, 'bob', 'of-bob')
    for (const featuredImage of ['of-bob', 'https://example.test/a.png']) {
      await blog.write(alice, 'one')
      await blog.remove(alice, 'one', ALWAYS)
      await blog.db.updateTable('deletedPost').set({ featuredImage }).execute()
      const [deletedPost] = await blog.deleted()
      await blog.restoreDeleted(alice, deletedPost?.$id ?? '')
      const fileRows = await blog.db.selectFrom('postFile').selectAll().execute()
      expect(fileRows).toEqual([])
      await blog.remove(alice, 'one', ALWAYS)
      for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    }
  })

  test('only its author may reuse the id of a deleted post', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { title: 'Old' })
    await blog.remove(alice, 'one', ALWAYS)
    const refusal = { type: 'document_already_exists' }
    await expect(blog.write(bob, 'one', { featuredImage: '' })).rejects.toMatchObject(refusal)
    await blog.write(alice, 'one', { title: 'New' })
    expect((await blog.read(GUEST, 'one')).title).toBe('New')
  })

  test('a deleted post whose id is reused is restored under a new one', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { title: 'Old' })
    await blog.remove(alice, 'one', ALWAYS)
    await blog.write(alice, 'one', { title: 'New' })
    const [deletedPost] = await blog.deleted()
    const restored = await blog.restoreDeleted(alice, deletedPost?.$id ?? '')
    expect(restored.title).toBe('Old')
    expect(restored.$id).not.toBe('one')
    expect((await blog.read(GUEST, 'one')).title).toBe('New')
  })

  test('everybody may reuse the id of a purged post', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    await blog.remove(alice, 'one', ALWAYS)
    for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    expect(await blog.write(bob, 'one', { featuredImage: '' })).toBeDefined()
  })

  /** A deleted post by alice, and its id in the list of deleted posts. */
  async function startWithDeletedPost() {
    const blog = await start()
    await blog.write(alice, 'one')
    await blog.remove(alice, 'one', ALWAYS)
    const id = (await blog.deleted())[0]?.$id ?? ''
    return { ...blog, id, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
  }

  test('only their author can restore or purge deleted posts', async () => {
    await using blog = await startWithDeletedPost()
    expect(await blog.deleted(bob)).toEqual([])
    await expect(blog.deleted(GUEST)).rejects.toMatchObject(refused)
    for (const call of [blog.restoreDeleted, blog.purgeDeleted]) {
      await expect(call(bob, blog.id)).rejects.toMatchObject(missing)
      await expect(call(GUEST, blog.id)).rejects.toMatchObject(refused)
    }
    expect(await blog.deleted()).toHaveLength(1)
  })

  test('the API key lists deleted posts, all or those of one author', async () => {
    await using blog = await startWithDeletedPost()
    expect(await blog.deleted(KEY)).toHaveLength(1)
    const ofBob = { ...FIRST_PAGE, userId: 'bob' }
    expect((await blog.listDeleted(KEY, ofBob)).deleted).toEqual([])
  })

  test('the API key purges a deleted post with its versions', async () => {
    await using blog = await startWithDeletedPost()
    await blog.purgeDeleted(KEY, blog.id)
    expect(await blog.deleted()).toEqual([])
    expect(await blog.db.selectFrom('postVersion').selectAll().execute()).toEqual([])
  })

  test('a post that the operator has hidden or deleted is restored hidden', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    await blog.write(alice, 'two')
    await blog.hide(KEY, 'one', true)
    await blog.remove(alice, 'one', ALWAYS)
    await blog.remove(KEY, 'two', ALWAYS)
    for (const { $id } of await blog.deleted()) {
      const { $id: id } = await blog.restoreDeleted(alice, $id)
      await blog.update(alice, id, { data: { status: 'active' }, ...ALWAYS })
      await expect(blog.read(bob, id)).rejects.toMatchObject(missing)
    }
  })

  /** Deletes `count` posts by alice. */
  async function deletePosts(blog: Awaited<ReturnType<typeof start>>, count: number) {
    for (let at = 0; at < count; at += 1) {
      await blog.write(alice, `post-${at}`)
      await blog.remove(alice, `post-${at}`, ALWAYS)
    }
  }

  test('deleted posts are listed page by page, newest first', async () => {
    await using blog = await start()
    await deletePosts(blog, 12)
    const first = await blog.listDeleted(alice, FIRST_PAGE)
    expect([first.total, first.deleted.length, first.deleted[0]?.postId]).toEqual([
      12,
      10,
      'post-11',
    ])
    const cursor = Number(first.next)
    const second = await blog.listDeleted(alice, { ...FIRST_PAGE, cursor, limit: 100 })
    expect([second.deleted.length, second.next]).toEqual([2, ''])
  })

  test('after thirty days a deleted post cannot be restored, before the sweep and after it', async () => {
    await using blog = await start()
    await deletePosts(blog, 25)
    const oldest = (await blog.listDeleted(alice, { ...FIRST_PAGE, limit: 100 })).deleted.at(-1)
    blog.advance(30 * DAY_MS - MINUTE_MS)
    await blog.write(alice, 'young')
    await blog.remove(alice, 'young', ALWAYS)
    expect((await blog.listDeleted(alice, FIRST_PAGE)).total).toBe(26)
    blog.advance(2 * MINUTE_MS)
    expect((await blog.deleted()).map(({ postId }) => postId)).toEqual(['young'])
    await expect(blog.restoreDeleted(alice, oldest?.$id ?? '')).rejects.toMatchObject(missing)
    expect(await blog.sweepDeleted()).toBe(25)
    expect(await blog.sweepDeleted()).toBe(0)
    expect(await blog.deleted()).toHaveLength(1)
  })

  test('of a restore and a purge at the same moment one succeeds', async () => {
    await using blog = await start()
    for (let round = 0; round < 5; round += 1) {
      await blog.write(alice, 'one')
      await blog.remove(alice, 'one', ALWAYS)
      const [deletedPost] = await blog.deleted()
      const id = deletedPost?.$id ?? ''
      const [restored, purged] = await Promise.allSettled([
        blog.restoreDeleted(alice, id),
        blog.purgeDeleted(KEY, id),
      ])
      expect([restored.status, purged.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      if (restored.status === 'fulfilled') await blog.remove(alice, 'one', ALWAYS)
      for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    }
  })
})
