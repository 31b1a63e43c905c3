// Several processes on one PostgreSQL: a change that one makes is heard on all, also after the
// connection that listens was lost (decision 0035).
import { expect, test } from 'vitest'
import { makeTestBlog, SAME_SECRETS } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { openConnected } from '#test/support/realtime.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'

test('what one process writes is heard on the other, in order, also what came while it was cut off', async () => {
  const { url, drop } = await makePostgresDatabase()
  await using stack = new AsyncDisposableStack()
  stack.defer(drop)
  const proxy = stack.use(await makeTcpProxy(url))
  const here = stack.use(await makeTestBlog({ ...SAME_SECRETS, BLOG_DATABASE_URL: url }))
  const there = stack.use(
    await makeTestBlog({ ...SAME_SECRETS, BLOG_DATABASE_URL: proxy.through(url) }),
  )
  const { post, patch, like } = makeDocuments(here)
  const [alice, bob] = [await here.makePerson('alice'), await here.makePerson('bob')]
  const line = stack.use(await openConnected(there))
  const own = stack.use(await openConnected(there, { cookie: alice.cookie, channels: ['account'] }))

  const id = await post(alice, { title: 'One' })
  const liked = await like(bob, id, [bob.id])
  expect((await line.next()).data.events[0]).toMatch(/\.create$/)
  expect((await line.next()).data.payload).toEqual(liked.body)

  await proxy.refuse()
  await expect.poll(() => there.log.some(({ event }) => event === 'changes unheard')).toBe(true)
  const titles = ['Two', 'Three']
  for (const title of titles) await patch(alice, id, { title })
  const private_ = await post(alice, { status: 'inactive' })
  await here.call('DELETE', '/account/sessions/current', { cookie: alice.cookie })
  await proxy.admit()
  const [two, three] = [await line.next(), await line.next()]
  expect([two, three].map(({ data }) => data.events[0].split('.').at(-1))).toEqual([
    'update',
    'update',
  ])
  expect(three.data.payload).toMatchObject({ $id: id, title: 'Three' })
  expect(await own.closed).toBe(3000)
  await like(bob, id, [])
  expect((await line.next()).data.payload).toMatchObject({ $id: id, like: 0 })
  expect(line.messages.filter(({ data }) => data.payload?.$id === private_)).toEqual([])
})
