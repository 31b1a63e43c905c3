// Who receives the events `publish` and `unpublish` of a post (api.md §7.3).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, type Documents, makeDocuments } from '#test/support/documents.ts'
import { openConnectedSocket, type RealtimeSocket } from '#test/support/realtime.ts'

const CHANNEL = 'databases.blogdb.collections.posts.documents'

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    const stack = new AsyncDisposableStack()
    let blog: TestBlog & Documents
    let alice: Person
    let bob: Person
    beforeAll(async () => {
      const database = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      if (database) stack.defer(database.drop)
      const server = stack.use(
        await makeTestBlog(database ? { BLOG_DATABASE_URL: database.url } : {}),
      )
      blog = Object.assign(server, makeDocuments(server))
      alice = await blog.makePerson('alice')
      bob = await blog.makePerson('bob')
    })
    afterAll(() => stack.disposeAsync())

    function hide(id: string) {
      const headers = { 'x-appwrite-key': blog.apiKey }
      return blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { headers, body: { hidden: true } })
    }

    /**
     * Subscribes to both events of a post. @returns a function that reads the events received so
     * far
     */
    async function subscribe(id: string, cookie?: string) {
      const end = await blog.post(alice, { title: 'End' })
      const channels = [
        `${CHANNEL}.${id}.publish`,
        `${CHANNEL}.${id}.unpublish`,
        `${CHANNEL}.${end}`,
      ]
      const socket = stack.use(
        await openConnectedSocket(blog, cookie === undefined ? { channels } : { cookie, channels }),
      )
      return async () => {
        await blog.remove(alice, end)
        return readUntilDeleted(socket, end)
      }
    }
    /** Over PostgreSQL the creation of `end` may still arrive after the subscription. */
    async function readUntilDeleted(socket: RealtimeSocket, end: string) {
      const received: unknown[] = []
      for (;;) {
        const { data } = await socket.next()
        const [event = ''] = data.events
        if (event.endsWith(`.${end}.delete`)) return received
        if (!event.includes(end)) received.push([event.split('.').at(-1), data.payload])
      }
    }

    test('readers receive `unpublish` when an author unpublishes a post, without its contents', async () => {
      const id = await blog.post(alice)
      const [readAsGuest, readAsMember] = [await subscribe(id), await subscribe(id, bob.cookie)]
      await blog.patch(alice, id, { status: 'inactive', title: 'Secret' })
      const payload = { $id: id, $collectionId: undefined }
      expect([await readAsGuest(), await readAsMember()]).toEqual([
        [['unpublish', payload]],
        [['unpublish', payload]],
      ])
    })

    test('readers receive `unpublish` when an operator hides a post', async () => {
      const id = await blog.post(alice)
      const readAsGuest = await subscribe(id)
      await hide(id)
      expect(await readAsGuest()).toEqual([['unpublish', { $id: id }]])
    })

    test('viewers who could not read a hidden post receive nothing when it becomes a draft', async () => {
      const id = await blog.post(alice)
      await hide(id)
      const readAsGuest = await subscribe(id)
      await blog.patch(alice, id, { status: 'inactive' })
      expect(await readAsGuest()).toEqual([])
    })

    test('viewers who can still read the post receive no `unpublish`', async () => {
      const id = await blog.post(alice)
      const readAsAuthor = await subscribe(id, alice.cookie)
      await blog.patch(alice, id, { status: 'inactive' })
      expect((await readAsAuthor()).map((seen) => (seen as string[])[0])).toEqual(['publish'])
    })

    test('a published draft is sent to all who can read it now', async () => {
      const id = await blog.post(alice, { status: 'inactive' })
      const readAsGuest = await subscribe(id)
      const { body } = await blog.patch(alice, id, { status: 'active' })
      expect(await readAsGuest()).toEqual([['publish', body]])
    })

    test('an edit that does not change who may read the post sends neither event', async () => {
      const id = await blog.post(alice)
      const readAsGuest = await subscribe(id)
      await blog.patch(alice, id, { title: 'Edited' })
      expect(await readAsGuest()).toEqual([])
    })

    test('a guest receives nothing about a draft that remains a draft', async () => {
      const id = await blog.post(alice, { status: 'inactive' })
      const readAsGuest = await subscribe(id)
      await blog.patch(alice, id, { title: 'Secret' })
      expect(await readAsGuest()).toEqual([])
    })
  })
