// Versions of posts and deleted posts, on both databases: when a save begins a version, how many
// stay, who reads them, and how a deleted post comes back.
import { expect, test } from 'vitest'
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
      pass: (ms: number) => {
        nowMs += ms
      },
      save: (data: Record<string, unknown>, isAutosave = false, viewer: Viewer = alice) =>
        posts.update(viewer, 'one', { data, isAutosave, ...ALWAYS }),
      versions: async () => (await posts.listVersions(alice, 'one')).versions,
      async text(at: number) {
        const found = (await posts.listVersions(alice, 'one')).versions[at]
        return (await posts.readVersion(alice, 'one', { id: found?.$id ?? '' })).content
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

  test('a post tells its number of words where it is asked for', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>One two</p>' })
    await blog.write(alice, 'two', { content: '' })
    await blog.save({ content: '<p>One two three</p>' })
    const asked = ['select(["$id","words"])', 'orderAsc("$id")']
    const { documents } = await blog.list(alice, asked, { hasTotal: false })
    expect(documents).toMatchObject([
      { $id: 'one', words: 3 },
      { $id: 'two', words: 0 },
    ])
    expect(await blog.read(GUEST, 'one', ['select(["words"])'])).toMatchObject({ words: 3 })
    expect(await blog.read(alice, 'one', undefined)).not.toHaveProperty('words')
    await expect(blog.list(alice, ['orderAsc("words")'], { hasTotal: false })).rejects.toThrow()
  })

  test('a draft that saves itself has one version for ten minutes, compared with the one before', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>', status: 'inactive' })
    for (const content of ['<p>a b</p>', '<p>a b c</p>', '<p>b c d</p>']) {
      blog.pass(MINUTE_MS)
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
    blog.pass(8 * MINUTE_MS)
    await blog.save({ content: '<p>later</p>' }, true)
    expect((await blog.versions()).map(({ kind }) => kind)).toEqual([
      'autosaved',
      'autosaved',
      'draft',
    ])
    await blog.save({ content: '<p>later</p>' })
    await blog.save({ content: '<p>after it</p>' }, true)
    expect((await blog.versions()).map(({ kind }) => kind)).toEqual([
      'autosaved',
      'saved',
      'autosaved',
      'draft',
    ])
    await blog.save({ status: 'active' })
    await blog.save({ content: '<p>x</p>' }, true)
    await blog.save({ content: '<p>y</p>' }, true)
    const kinds = (await blog.versions()).map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['published', 'published', 'published', 'saved'])
  })

  test('the last fifty stay, fewer when they are very long, and always the newest', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    for (let save = 1; save <= VERSIONS_MAX + 5; save += 1)
      await blog.save({ content: `<p>text ${save}</p>` })
    const kept = await blog.versions()
    expect(kept).toHaveLength(VERSIONS_MAX)
    expect(await blog.text(0)).toBe(`<p>text ${VERSIONS_MAX + 5}</p>`)
    expect(await blog.text(VERSIONS_MAX - 1)).toBe('<p>text 6</p>')
    const large = Math.ceil(VERSIONS_MAX_BYTES / 3)
    await blog.db.updateTable('postVersion').set({ sizeBytes: large }).execute()
    await blog.save({ content: '<p>new</p>' })
    expect(await blog.versions()).toHaveLength(3)
    await blog.db.updateTable('postVersion').set({ sizeBytes: VERSIONS_MAX_BYTES }).execute()
    await blog.save({ content: '<p>newest</p>' })
    expect(await blog.text(0)).toBe('<p>newest</p>')
    expect(await blog.versions()).toHaveLength(1)
  })

  test('an older version comes back as a version of its own, and nothing is lost', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { title: 'First', content: '<p>first</p>' })
    blog.pass(MINUTE_MS)
    await blog.save({ title: 'Second', content: '<p>second</p>' })
    const [, first] = await blog.versions()
    const versionId = first?.$id ?? ''
    blog.pass(MINUTE_MS)
    const restored = await blog.restoreVersion(alice, 'one', { versionId, ...ALWAYS })
    expect(restored).toMatchObject({ title: 'First', content: '<p>first</p>', status: 'active' })
    expect(await blog.versions()).toMatchObject([
      { kind: 'restored', restoredFrom: '2023-11-20T13:37:00.000+00:00', title: 'First' },
      { kind: 'published', title: 'Second' },
      { kind: 'published', title: 'First' },
    ])
    const old = { versionId, unlessNewerThan: '2023-11-20T13:38:00.000Z' }
    await expect(blog.restoreVersion(alice, 'one', old)).rejects.toMatchObject({
      type: 'document_update_conflict',
    })
  })

  test('a version is shown by the rules of today, whatever was stored', async () => {
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
    const [found] = await blog.versions()
    await blog.restoreVersion(alice, 'one', { versionId: found?.$id ?? '', ...ALWAYS })
    expect((await blog.read(GUEST, 'one')).content).toBe('<p>b</p>')
  })

  test('versions are for the author and the key; others meet what a write would tell them', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    await blog.write(bob, 'two')
    const [version] = await blog.versions()
    const id = version?.$id ?? ''
    expect((await blog.listVersions(KEY, 'one')).total).toBe(1)
    const asked = [
      (viewer: Viewer) => blog.listVersions(viewer, 'one'),
      (viewer: Viewer) => blog.readVersion(viewer, 'one', { id }),
      (viewer: Viewer) => blog.restoreVersion(viewer, 'one', { versionId: id, ...ALWAYS }),
    ]
    for (const ask of asked)
      for (const other of [bob, GUEST]) await expect(ask(other)).rejects.toMatchObject(refused)
    await blog.save({ status: 'inactive' })
    for (const ask of asked)
      for (const other of [bob, GUEST]) await expect(ask(other)).rejects.toMatchObject(missing)
    for (const post of ['two', 'none'])
      await expect(blog.readVersion(KEY, post, { id })).rejects.toMatchObject(missing)
    await expect(blog.readVersion(alice, 'one', { id: 'none' })).rejects.toMatchObject(missing)
  })

  test('a deleted post is gone for every call, and comes back inactive with likes and versions', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { content: '<p>a</p>' })
    await blog.save({ content: '<p>b</p>' })
    for (const person of [bob, alice]) await blog.setLike(person, 'one', true)
    blog.pass(MINUTE_MS)
    await blog.remove(alice, 'one', ALWAYS)
    for (const viewer of [alice, bob, GUEST, KEY]) {
      await expect(blog.read(viewer, 'one')).rejects.toMatchObject(missing)
      expect(await blog.list(viewer, undefined, { hasTotal: true })).toMatchObject({ total: 0 })
      await expect(blog.listVersions(viewer, 'one')).rejects.toMatchObject(missing)
    }
    const [found] = await blog.deleted()
    expect(found).toMatchObject({
      postId: 'one',
      status: 'active',
      userid: 'alice',
      deletedAt: '2023-11-20T13:38:00.000+00:00',
      expire: '2023-12-20T13:38:00.000+00:00',
    })
    expect(found).not.toHaveProperty('content')
    const back = await blog.restoreDeleted(alice, found?.$id ?? '')
    expect(back).toMatchObject({
      $id: 'one',
      status: 'inactive',
      content: '<p>b</p>',
      like: 2,
      likeId: ['bob', 'alice'],
      $createdAt: '2023-11-20T13:37:00.000+00:00',
    })
    expect(await blog.versions()).toHaveLength(2)
    expect(await blog.deleted()).toEqual([])
    await expect(blog.restoreDeleted(alice, found?.$id ?? '')).rejects.toMatchObject(missing)
  })

  test('a post comes back without the like of an account that is deleted at that moment', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    for (const person of [bob, alice]) await blog.setLike(person, 'one', true)
    await blog.remove(alice, 'one', ALWAYS)
    const [found] = await blog.deleted()
    let restoring: Promise<unknown> = Promise.resolve()
    await blog.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('user').where('id', '=', 'bob').execute()
      restoring = blog.restoreDeleted(alice, found?.$id ?? '')
      restoring.catch(() => undefined)
      if (blog.url) await untilLockWaits(blog.db)
    })
    expect(await restoring).toMatchObject({ $id: 'one', like: 1, likeId: ['alice'] })
  })

  test('a featured image that its author has not uploaded is none of what a restored post shows', async () => {
    await using blog = await start()
    await addImage(blog.db, 'bob', 'of-bob')
    for (const featuredImage of ['of-bob', 'https://example.test/a.png']) {
      await blog.write(alice, 'one')
      await blog.remove(alice, 'one', ALWAYS)
      await blog.db.updateTable('deletedPost').set({ featuredImage }).execute()
      const [found] = await blog.deleted()
      await blog.restoreDeleted(alice, found?.$id ?? '')
      const shown = await blog.db.selectFrom('postFile').selectAll().execute()
      expect(shown).toEqual([])
      await blog.remove(alice, 'one', ALWAYS)
      for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    }
  })

  test('the id of a deleted post is free for its author alone; then the old post gets a new one', async () => {
    await using blog = await start()
    await blog.write(alice, 'one', { title: 'Old' })
    await blog.remove(alice, 'one', ALWAYS)
    const taken = { type: 'document_already_exists' }
    await expect(blog.write(bob, 'one', { featuredImage: '' })).rejects.toMatchObject(taken)
    await blog.write(alice, 'one', { title: 'New' })
    const [found] = await blog.deleted()
    const back = await blog.restoreDeleted(alice, found?.$id ?? '')
    expect(back.title).toBe('Old')
    expect(back.$id).not.toBe('one')
    expect((await blog.read(GUEST, 'one')).title).toBe('New')
    for (const id of ['one', back.$id]) await blog.remove(alice, id, ALWAYS)
    for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    await blog.write(bob, 'one', { featuredImage: '' })
  })

  test('deleted posts are for their author and the key', async () => {
    await using blog = await start()
    await blog.write(alice, 'one')
    await blog.remove(alice, 'one', ALWAYS)
    const [found] = await blog.deleted()
    const id = found?.$id ?? ''
    expect(await blog.deleted(bob)).toEqual([])
    await expect(blog.deleted(GUEST)).rejects.toMatchObject(refused)
    for (const ask of [blog.restoreDeleted, blog.purgeDeleted]) {
      await expect(ask(bob, id)).rejects.toMatchObject(missing)
      await expect(ask(GUEST, id)).rejects.toMatchObject(refused)
    }
    expect(await blog.deleted(KEY)).toHaveLength(1)
    const ofBob = { ...FIRST_PAGE, userId: 'bob' }
    expect((await blog.listDeleted(KEY, ofBob)).deleted).toEqual([])
    await blog.purgeDeleted(KEY, id)
    expect(await blog.deleted()).toEqual([])
    expect(await blog.db.selectFrom('postVersion').selectAll().execute()).toEqual([])
  })

  test('what the operator takes from view or deletes comes back hidden', async () => {
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

  test('after thirty days a deleted post is gone, before the sweep and after it', async () => {
    await using blog = await start()
    for (let at = 0; at < 25; at += 1) {
      await blog.write(alice, `post-${at}`)
      await blog.remove(alice, `post-${at}`, ALWAYS)
    }
    blog.pass(30 * DAY_MS - MINUTE_MS)
    await blog.write(alice, 'young')
    await blog.remove(alice, 'young', ALWAYS)
    const first = await blog.listDeleted(alice, FIRST_PAGE)
    expect([first.total, first.deleted.length, first.deleted[0]?.postId]).toEqual([26, 10, 'young'])
    const cursor = Number(first.next)
    const second = await blog.listDeleted(alice, { ...FIRST_PAGE, cursor, limit: 100 })
    expect([second.deleted.length, second.next]).toEqual([16, ''])
    blog.pass(2 * MINUTE_MS)
    expect((await blog.deleted()).map(({ postId }) => postId)).toEqual(['young'])
    const old = second.deleted.at(-1)?.$id ?? ''
    await expect(blog.restoreDeleted(alice, old)).rejects.toMatchObject(missing)
    expect(await blog.sweepDeleted()).toBe(25)
    expect(await blog.sweepDeleted()).toBe(0)
    expect(await blog.deleted()).toHaveLength(1)
  })

  test('of a restore and an end at the same moment one happens', async () => {
    await using blog = await start()
    for (let round = 0; round < 5; round += 1) {
      await blog.write(alice, 'one')
      await blog.remove(alice, 'one', ALWAYS)
      const [found] = await blog.deleted()
      const id = found?.$id ?? ''
      const [restored, ended] = await Promise.allSettled([
        blog.restoreDeleted(alice, id),
        blog.purgeDeleted(KEY, id),
      ])
      expect([restored.status, ended.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      if (restored.status === 'fulfilled') await blog.remove(alice, 'one', ALWAYS)
      for (const { $id } of await blog.deleted()) await blog.purgeDeleted(alice, $id)
    }
  })
})
