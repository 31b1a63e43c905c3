// Scheduled posts become active at their time, once, on both databases.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addImage, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { type DomainEvent, onDomainEvent } from '../database/domain-events.ts'
import type { RealtimeEvent } from '../database/realtime-events.ts'
import type { Database } from '../database/schema.ts'
import { onCommitted } from '../database/transaction.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { publishScheduled } from './publish-scheduled.ts'

const alice = viewerOf('alice')
const KEY: Viewer = { role: 'key' }
const ALWAYS = { permissions: undefined, unlessNewerThan: undefined }
const at = (second: number) =>
  new Date(Date.UTC(2024, 4, 1, 10, 0, second)).toISOString().replace('Z', '+00:00')

describeEachDatabase('scheduled posts', (open) => {
  async function start() {
    const opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    let second = 0
    const posts = makeTestPosts(db, { now: () => new Date(at(second)) })
    const events: RealtimeEvent[] = []
    onCommitted(db, (committed) => events.push(...committed))
    const problems: DomainEvent[] = []
    onDomainEvent(db, async (_tx, _after, event) => {
      if (event.kind === 'publishFailed') problems.push(event)
    })
    const never = new AbortController().signal
    return {
      ...posts,
      db,
      events,
      problems,
      save: (id: string, data: Record<string, unknown>, viewer: Viewer = alice) =>
        posts.update(viewer, id, { data, ...ALWAYS }),
      setSecond: (next: number) => {
        second = next
      },
      publishAt: async (next: number) => {
        second = next
        await publishScheduled(posts, never)
      },
      actionsOf: (id: string) =>
        events.flatMap((event) => (event.kind === 'post' && event.id === id ? [event.action] : [])),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  /** A draft of 0, scheduled for 30. */
  async function startScheduled(data: Record<string, unknown> = {}) {
    const blog = await start()
    const schedule = { status: 'inactive', publishedAt: at(30), tags: ['lamp'], ...data }
    const scheduled = await blog.write(alice, 'late', schedule)
    return { ...blog, scheduled }
  }

  test('a time with any offset schedules a draft, and its author and the API key see it', async () => {
    await using blog = await startScheduled({ publishedAt: '2024-05-01T14:00:30.000+04:00' })
    expect(blog.scheduled).toMatchObject({ publishedAt: at(30), $createdAt: at(0) })
    for (const viewer of [alice, KEY])
      expect(await blog.read(viewer, 'late')).toMatchObject({ publishedAt: at(30) })
    for (const viewer of [GUEST, viewerOf('bob')])
      await expect(blog.read(viewer, 'late')).rejects.toMatchObject({ type: 'document_not_found' })
  })

  test('a scheduled post becomes active at its time, which is its date, even if the server is late', async () => {
    await using blog = await startScheduled()
    await blog.publishAt(29)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'inactive' })
    await blog.publishAt(33)
    const times = { publishedAt: at(30), $createdAt: at(30), $updatedAt: at(30) }
    expect(await blog.read(GUEST, 'late')).toMatchObject({ status: 'active', ...times })
    expect(await blog.db.selectFrom('postTag').select('createdAt').execute()).toEqual([
      { createdAt: '2024-05-01T10:00:30.000Z' },
    ])
  })

  test('a post saved after its time and before its publication has a later time of change', async () => {
    await using blog = await startScheduled()
    blog.setSecond(31)
    await blog.save('late', { title: 'Later' })
    await blog.publishAt(32)
    expect(await blog.read(GUEST, 'late')).toMatchObject({
      title: 'Later',
      publishedAt: at(30),
      $updatedAt: at(32),
    })
  })

  test('each post is published once, with one event and one version, by any number of sweeps at once', async () => {
    await using blog = await startScheduled()
    blog.setSecond(31)
    const sweeps = Array.from({ length: 5 }, () => blog.publishAt(31))
    await Promise.all(sweeps)
    await blog.publishAt(32)
    expect(blog.actionsOf('late').filter((action) => action === 'publish')).toHaveLength(1)
    expect(blog.actionsOf('late').filter((action) => action === 'update')).toHaveLength(1)
    const { versions } = await blog.listVersions(alice, 'late')
    expect(versions.map(({ kind }) => kind)).toEqual(['published'])
  })

  test('autosaves and other edits keep the time', async () => {
    await using blog = await startScheduled()
    const autosave = { data: { content: '<p>more</p>' }, ...ALWAYS, isAutosave: true }
    expect(await blog.update(alice, 'late', autosave)).toMatchObject({ publishedAt: at(30) })
    expect(await blog.save('late', { title: 'B' })).toMatchObject({ publishedAt: at(30) })
    await blog.publishAt(30)
    expect(await blog.read(GUEST, 'late')).toMatchObject({ title: 'B', content: '<p>more</p>' })
  })

  test('a cancelled post stays a draft, and a moved one waits', async () => {
    await using blog = await startScheduled()
    expect(await blog.save('late', { publishedAt: at(40) })).toMatchObject({ publishedAt: at(40) })
    await blog.publishAt(35)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'inactive' })
    expect(await blog.save('late', { publishedAt: null })).toMatchObject({ publishedAt: null })
    await blog.publishAt(45)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'inactive', publishedAt: null })
  })

  test('publishing a scheduled post by hand takes the present time, and nothing follows', async () => {
    await using blog = await startScheduled()
    blog.setSecond(5)
    const times = { publishedAt: at(5), $createdAt: at(5), $updatedAt: at(5) }
    expect(await blog.save('late', { status: 'active' })).toMatchObject(times)
    await blog.publishAt(31)
    expect(await blog.read(GUEST, 'late')).toMatchObject(times)
    expect(await blog.db.selectFrom('postSchedule').selectAll().execute()).toEqual([])
  })

  test('an earlier publication is replaced only when the new time has come', async () => {
    await using blog = await start()
    await blog.write(alice, 'late')
    blog.setSecond(5)
    const data = { status: 'inactive', publishedAt: at(30) }
    expect(await blog.save('late', data)).toMatchObject({ publishedAt: at(30), $createdAt: at(0) })
    expect(await blog.save('late', { publishedAt: null })).toMatchObject({ publishedAt: at(0) })
    await blog.save('late', data)
    await blog.publishAt(30)
    const times = { publishedAt: at(30), $createdAt: at(30) }
    expect(await blog.read(GUEST, 'late')).toMatchObject(times)
  })

  test('a clock that jumps back keeps a post waiting, and one that jumps ahead publishes it', async () => {
    await using blog = await startScheduled()
    await blog.publishAt(-3600)
    await blog.publishAt(29)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'inactive' })
    await blog.publishAt(7200)
    await blog.publishAt(10)
    await blog.publishAt(31)
    expect(await blog.read(GUEST, 'late')).toMatchObject({ publishedAt: at(30) })
    expect(blog.actionsOf('late').filter((action) => action === 'publish')).toHaveLength(1)
  })

  test('a post whose picture is gone stays scheduled, says so once, and is published with another', async () => {
    await using blog = await startScheduled()
    await blog.db.deleteFrom('file').where('id', '=', 'image-of-late').execute()
    for (const second of [30, 31, 95]) await blog.publishAt(second)
    const problem = { publishProblem: 'imageMissing', publishedAt: at(30), status: 'inactive' }
    expect(await blog.read(alice, 'late')).toMatchObject(problem)
    expect(blog.problems).toMatchObject([
      { id: 'late', authorId: 'alice', problem: 'imageMissing' },
    ])
    await addImage(blog.db, 'alice', 'another')
    await blog.save('late', { featuredImage: 'another' })
    await blog.publishAt(96)
    const published = await blog.read(GUEST, 'late')
    expect(published).toMatchObject({ status: 'active', publishedAt: at(30) })
    expect(published).not.toHaveProperty('publishProblem')
  })

  test.each(['blocked', 'reader'])(
    'a post by an author who is %s is published once they may write',
    async (state) => {
      await using blog = await startScheduled()
      const author = blog.db.updateTable('user').where('id', '=', 'alice')
      await author.set(state === 'blocked' ? { isBlocked: 1 } : { labels: '["reader"]' }).execute()
      await blog.publishAt(30)
      expect(await blog.read(KEY, 'late')).toMatchObject({ publishProblem: 'authorMayNotWrite' })
      await author.set({ isBlocked: 0, labels: '[]' }).execute()
      await blog.publishAt(31)
      expect(await blog.read(KEY, 'late')).toMatchObject({ status: 'inactive' })
      await blog.publishAt(90)
      expect(await blog.read(GUEST, 'late')).toMatchObject({
        status: 'active',
        publishedAt: at(30),
      })
    },
  )

  test('a post that an operator has hidden is published for its author alone', async () => {
    await using blog = await start()
    await blog.write(alice, 'late')
    await blog.hide(KEY, 'late', true)
    await blog.save('late', { status: 'inactive', publishedAt: at(30) })
    await blog.publishAt(30)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'active' })
    await expect(blog.read(GUEST, 'late')).rejects.toMatchObject({ type: 'document_not_found' })
  })

  test('a deleted post is not published, and restoring it does not schedule it again', async () => {
    await using blog = await startScheduled()
    await blog.remove(alice, 'late', { unlessNewerThan: undefined })
    await blog.publishAt(31)
    const page = { userId: undefined, cursor: undefined, limit: 9 }
    const [deleted] = (await blog.listDeleted(alice, page)).deleted
    expect(deleted).toMatchObject({ publishedAt: null })
    await blog.restoreDeleted(alice, deleted?.$id ?? '')
    await blog.publishAt(32)
    expect(await blog.read(alice, 'late')).toMatchObject({ status: 'inactive', publishedAt: null })
  })

  test('lists filter by and order by the scheduled time', async () => {
    await using blog = await startScheduled()
    await blog.write(alice, 'sooner', { status: 'inactive', publishedAt: at(20) })
    await blog.write(alice, 'draft', { status: 'inactive' })
    const listIds = async (...queries: string[]) =>
      (await blog.list(alice, queries, { hasTotal: false })).documents.map(({ $id }) => $id)
    const scheduled = `greaterThan("publishedAt", "${at(0)}")`
    expect(await listIds(scheduled, 'orderAsc("publishedAt")')).toEqual(['sooner', 'late'])
    expect(await listIds('isNull("publishedAt")')).toEqual(['draft'])
    expect((await blog.list(GUEST, [scheduled], { hasTotal: true })).total).toBe(0)
  })

  test('a post that fails for a reason of its own does not keep others waiting', async () => {
    await using blog = await startScheduled()
    await blog.write(alice, 'other', { status: 'inactive', publishedAt: at(30) })
    await makeUnreadable(blog.db, 'late')
    await expect(blog.publishAt(31)).rejects.toThrow()
    expect(await blog.read(GUEST, 'other')).toMatchObject({ status: 'active' })
    await blog.publishAt(32)
  })
})

/** Gives a post permissions that cannot be parsed. */
async function makeUnreadable(db: Database, id: string): Promise<void> {
  await db.updateTable('post').set({ permissions: 'broken' }).where('id', '=', id).execute()
}
