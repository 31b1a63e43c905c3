// Several processes on one database: each sends the changes that the others make, and notices
// without an event when a right ends (decision 0063).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, SAME_SECRETS } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { openConnectedSocket } from '#test/support/realtime.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'

describe('of two processes on one PostgreSQL', { tags: ['more'] }, () => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  /** The connection of `there` to the database can be cut. */
  async function makeProcesses() {
    const { url, drop } = await makePostgresDatabase()
    stack.defer(drop)
    const proxy = stack.use(await makeTcpProxy(url))
    const here = stack.use(await makeTestBlog({ ...SAME_SECRETS, BLOG_DATABASE_URL: url }))
    const there = stack.use(
      await makeTestBlog({
        ...SAME_SECRETS,
        BLOG_DATABASE_URL: proxy.through(url),
        BLOG_PUBLIC_URL: here.url,
      }),
    )
    const alice = await here.makePerson('alice')
    const bob = await here.makePerson('bob')
    return { ...makeDocuments(here), here, there, proxy, alice, bob }
  }
  let processes: Awaited<ReturnType<typeof makeProcesses>>
  beforeAll(async () => {
    processes = await makeProcesses()
  })

  /** Does `work` while `there` receives no events. */
  async function missEvents(work: () => Promise<unknown>) {
    const { there, proxy } = processes
    const countMissed = () => there.log.filter(({ event }) => event === 'events missed').length
    const before = countMissed()
    await proxy.refuse()
    await expect.poll(countMissed).toBeGreaterThan(before)
    await work()
    await proxy.accept()
  }

  test('each sends the changes made by the other, in order', async () => {
    const { there, alice, bob, post, like } = processes
    using socket = await openConnectedSocket(there)
    const id = await post(alice, { title: 'One' })
    const liked = await like(bob, id, [bob.id])
    expect((await socket.next()).data.events[0]).toMatch(/\.create$/)
    expect((await socket.next()).data.payload).toEqual(liked.body)
  })

  test('one that has missed events closes its connections, so that clients reconnect', async () => {
    const { here, there, bob } = processes
    using socket = await openConnectedSocket(there)
    using accountSocket = await openConnectedSocket(there, {
      cookie: bob.cookie,
      channels: ['account'],
    })
    const { cookie } = bob
    await missEvents(() => here.call('DELETE', '/account/sessions/current', { cookie }))
    expect([await socket.closed, await accountSocket.closed]).toEqual([
      1001,
      expect.toBeOneOf([1001, 3000]),
    ])
  })

  test('one that has missed events sends the later ones, and they include the missed changes', async () => {
    const { here, there, alice, post, patch, like, remove } = processes
    const carla = await here.makePerson('carla')
    const id = await post(alice, { title: 'One' })
    await like(carla, id, [carla.id])
    using socket = await openConnectedSocket(there)
    await missEvents(() => patch(alice, id, { title: 'Two' }))
    await socket.closed
    using newSocket = await openConnectedSocket(there)
    await like(carla, id, [])
    expect((await newSocket.next()).data.payload).toMatchObject({ $id: id, title: 'Two', like: 0 })
    await remove('key', id)
    expect((await newSocket.next()).data.events[0]).toMatch(/\.delete$/)
  })
})

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    test('rights that another program removes in the database end for open sockets', async () => {
      await using stack = new AsyncDisposableStack()
      const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      if (postgres) stack.defer(postgres.drop)
      const blog = stack.use(
        await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}),
      )
      const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: postgres?.url })
      stack.defer(() => db.destroy())
      const { post, patch } = makeDocuments(blog)
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const carla = await blog.makePerson('carla')
      const visiblePost = await post(alice)
      const hidden = await post(alice)
      const open = async (cookie?: string) => stack.use(await openConnectedSocket(blog, { cookie }))
      const guest = await open()
      const endedSocket = await open(bob.cookie)
      const blocked = await open(carla.cookie)
      await patch(alice, visiblePost, { title: 'Before' })
      for (const socket of [guest, endedSocket, blocked])
        while ((await socket.next()).data.payload.title !== 'Before');
      const countsBefore = [endedSocket, blocked].map(({ messages }) => messages.length)

      await db.deleteFrom('session').where('userId', '=', bob.id).execute()
      await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', carla.id).execute()
      await db.updateTable('post').set({ isHidden: 1 }).where('id', '=', hidden).execute()
      await patch(alice, hidden, { title: 'Secret' })
      await patch(alice, visiblePost, { title: 'For all' })
      expect((await guest.next()).data.payload.title).toBe('For all')
      expect([await endedSocket.closed, await blocked.closed]).toEqual([3000, 3000])
      expect([endedSocket, blocked].map(({ messages }) => messages.length)).toEqual(countsBefore)
    })
  })
