// Several processes on one database: a change that one makes is heard on the others; what ends a
// right is seen without being told of (decision 0063).
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, SAME_SECRETS } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { openConnectedSocket } from '#test/support/realtime.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'

test('what one process writes is heard on the other, in order, and after a break clients come anew', {
  tags: ['more'],
}, async () => {
  const { url, drop } = await makePostgresDatabase()
  await using stack = new AsyncDisposableStack()
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
  const { post, patch, like, remove } = makeDocuments(here)
  const alice = await here.makePerson('alice')
  const bob = await here.makePerson('bob')
  const line = stack.use(await openConnectedSocket(there))
  const own = stack.use(
    await openConnectedSocket(there, { cookie: alice.cookie, channels: ['account'] }),
  )

  const id = await post(alice, { title: 'One' })
  const liked = await like(bob, id, [bob.id])
  expect((await line.next()).data.events[0]).toMatch(/\.create$/)
  expect((await line.next()).data.payload).toEqual(liked.body)

  await proxy.refuse()
  await expect.poll(() => there.log.some(({ event }) => event === 'events missed')).toBe(true)
  await patch(alice, id, { title: 'Two' })
  await here.call('DELETE', '/account/sessions/current', { cookie: alice.cookie })
  await proxy.accept()
  expect([await line.closed, await own.closed]).toEqual([1001, expect.toBeOneOf([1001, 3000])])
  const again = stack.use(await openConnectedSocket(there))
  await like(bob, id, [])
  expect((await again.next()).data.payload).toMatchObject({ $id: id, title: 'Two', like: 0 })
  await remove('key', id)
  expect((await again.next()).data.events[0]).toMatch(/\.delete$/)
})

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    test('rights that another program ends in the database are ended for open sockets', async () => {
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
      const shown = await post(alice)
      const hidden = await post(alice)
      const open = async (cookie?: string) => stack.use(await openConnectedSocket(blog, { cookie }))
      const guest = await open()
      const ended = await open(bob.cookie)
      const blocked = await open(carla.cookie)
      await patch(alice, shown, { title: 'Before' })
      for (const line of [guest, ended, blocked])
        while ((await line.next()).data.payload.title !== 'Before');
      const heardBefore = [ended, blocked].map(({ messages }) => messages.length)

      await db.deleteFrom('session').where('userId', '=', bob.id).execute()
      await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', carla.id).execute()
      await db.updateTable('post').set({ isHidden: 1 }).where('id', '=', hidden).execute()
      await patch(alice, hidden, { title: 'Secret' })
      await patch(alice, shown, { title: 'For all' })
      expect((await guest.next()).data.payload.title).toBe('For all')
      expect([await ended.closed, await blocked.closed]).toEqual([3000, 3000])
      expect([ended, blocked].map(({ messages }) => messages.length)).toEqual(heardBefore)
    })
  })
