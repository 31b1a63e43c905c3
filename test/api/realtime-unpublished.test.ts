// Who learns that a post was published or unpublished while its page is open (api.md §7.3).
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

    /** Subscribes to both events of a post, and to a post that ends the wait. */
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
        return untilDeleted(socket)
      }
    }
    async function untilDeleted(socket: RealtimeSocket) {
      const received: unknown[] = []
      for (;;) {
        const { data } = await socket.next()
        const [event = ''] = data.events
        if (event.endsWith('.delete')) return received
        received.push([event.split('.').at(-1), data.payload])
      }
    }

    test('readers of a post that its author unpublishes learn that, and nothing else of it', async () => {
      const id = await blog.post(alice)
      const [guest, member] = [await subscribe(id), await subscribe(id, bob.cookie)]
      await blog.patch(alice, id, { status: 'inactive', title: 'Secret' })
      const only = { $id: id, $collectionId: undefined }
      expect([await guest(), await member()]).toEqual([
        [['unpublish', only]],
        [['unpublish', only]],
      ])
    })

    test('readers of a post that an operator hides learn that', async () => {
      const id = await blog.post(alice)
      const guest = await subscribe(id)
      await blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, {
        headers: { 'x-appwrite-key': blog.apiKey },
        body: { hidden: true },
      })
      expect(await guest()).toEqual([['unpublish', { $id: id }]])
    })

    test('who can still read the post gets no `unpublish`', async () => {
      const id = await blog.post(alice)
      const author = await subscribe(id, alice.cookie)
      await blog.patch(alice, id, { status: 'inactive' })
      expect((await author()).map((seen) => (seen as string[])[0])).toEqual(['publish'])
    })

    test('a draft that is published is sent to those who can read it now', async () => {
      const id = await blog.post(alice, { status: 'inactive' })
      const guest = await subscribe(id)
      const { body } = await blog.patch(alice, id, { status: 'active' })
      expect(await guest()).toEqual([['publish', body]])
    })

    test('an edit that changes no reader is neither', async () => {
      const id = await blog.post(alice)
      const guest = await subscribe(id)
      await blog.patch(alice, id, { title: 'Edited' })
      expect(await guest()).toEqual([])
    })

    test('a guest learns nothing of a draft that stays one', async () => {
      const id = await blog.post(alice, { status: 'inactive' })
      const guest = await subscribe(id)
      await blog.patch(alice, id, { title: 'Secret' })
      expect(await guest()).toEqual([])
    })
  })
