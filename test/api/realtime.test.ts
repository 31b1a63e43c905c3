// Realtime over real WebSockets: who receives which events (api.md §7.3), on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, type Documents, makeDocuments } from '#test/support/documents.ts'
import {
  type Message,
  openConnectedSocket,
  type RealtimeSocket,
  type SocketOptions,
} from '#test/support/realtime.ts'

type Stage = TestBlog &
  Documents & {
    alice: Person
    bob: Person
    /** Opens a socket of a user, or of a guest, which is closed with the stage. */
    openSocket(options?: SocketOptions): Promise<RealtimeSocket>
    /** All messages that these sockets have received so far, except earlier marks. */
    messagesOf(...sockets: RealtimeSocket[]): Promise<Message[][]>
  }

const MARK = 'the mark'

async function makeStage(kind: string): Promise<Stage & AsyncDisposable> {
  const database = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const blog = await makeTestBlog(database ? { BLOG_DATABASE_URL: database.url } : {})
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const sockets: RealtimeSocket[] = []
  const mark = await documents.post(alice, { title: MARK })
  const stage: Stage & AsyncDisposable = {
    ...blog,
    ...documents,
    alice,
    bob,
    async openSocket(options) {
      const socket = await openConnectedSocket(blog, {
        ...options,
        channels: [...(options?.channels ?? ['documents']), `${CHANNELS}.${mark}`],
      })
      sockets.push(socket)
      await stage.messagesOf(socket)
      return socket
    },
    async messagesOf(...wanted) {
      const marked = await documents.patch(alice, mark, { title: `${MARK} ${Math.random()}` })
      return Promise.all(wanted.map((socket) => untilTitle(socket, marked.body.title)))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket[Symbol.dispose]()
      await blog[Symbol.asyncDispose]()
      await database?.drop()
    },
  }
  return stage
}

const CHANNELS = 'databases.blogdb.collections.posts.documents'

async function untilTitle(socket: RealtimeSocket, title: string): Promise<Message[]> {
  const before: Message[] = []
  for (;;) {
    const message = await socket.next()
    const received = String(message.data?.payload?.title ?? '')
    if (received === title) return before
    if (!received.startsWith(MARK)) before.push(message)
  }
}

function eventsOf(messages: Message[] = []): string[] {
  return messages.map(({ data }) => data.events[0])
}

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    let stage: Stage & AsyncDisposable
    beforeAll(async () => {
      stage = await makeStage(kind)
    })
    afterAll(() => stage[Symbol.asyncDispose]())

    test('the first message names the channels and the viewer', async () => {
      const guest = await stage.openSocket({ channels: ['documents', 'account'] })
      expect(guest.messages[0]).toMatchObject({
        type: 'connected',
        data: { channels: ['documents', 'account', expect.any(String)], user: null },
      })
    })

    test('each change of a post is one event with the post as the call returned it', async () => {
      const { alice, bob } = stage
      const guest = await stage.openSocket()
      const featuredImage = await stage.upload(alice)
      const created = await stage.create(alice, { title: 'Created', featuredImage })
      const id: string = created.body.$id
      const liked = await stage.like(bob, id, [bob.id])
      const saved = await stage.patch(alice, id, { title: 'Changed' })
      const [changes = []] = await stage.messagesOf(guest)
      await stage.remove(alice, id)
      const [deletion = []] = await stage.messagesOf(guest)
      const events = [...changes, ...deletion]
      const name = `${CHANNELS}.${id}`
      expect(eventsOf(events)).toEqual([
        `${name}.create`,
        `${name}.update`,
        `${name}.update`,
        `${name}.delete`,
      ])
      expect(events.map(({ data }) => data.payload)).toEqual([
        created.body,
        liked.body,
        saved.body,
        saved.body,
      ])
    })

    test('a call that changes nothing sends no event', async () => {
      const { alice, bob } = stage
      const id = await stage.post(alice, { title: 'Unchanged' })
      await stage.like(bob, id, [bob.id])
      const guest = await stage.openSocket()
      await stage.like(bob, id, [bob.id])
      await stage.patch(alice, id, { title: 'Unchanged' })
      expect((await stage.patch(bob, id, { title: 'Not mine' })).status).toBe(401)
      expect(await stage.messagesOf(guest)).toEqual([[]])
    })

    test('an event has a time, its channels and all its names', async () => {
      const { alice } = stage
      const guest = await stage.openSocket({ channels: ['documents'] })
      const id = await stage.post(alice)
      const [events = []] = await stage.messagesOf(guest)
      const name = `${CHANNELS}.${id}`
      const event = events[0]?.data
      expect(event?.channels).toEqual(['documents', CHANNELS, name])
      expect(event?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
      expect(event?.events).toHaveLength(22)
      expect(event?.events.slice(0, 3)).toEqual([
        `${name}.create`,
        'databases.*.collections.*.documents.*.create',
        `databases.blogdb.collections.*.documents.${id}.create`,
      ])
      expect(event?.events.slice(-2)).toEqual(['databases.blogdb', 'databases.*'])
    })

    describe('only the author receives events, on every channel,', () => {
      /** The author, another member and a guest, each on every channel of a post. */
      async function subscribe(id: string) {
        const { alice, bob } = stage
        const channels = [
          'documents',
          'rows',
          'documents.update',
          CHANNELS,
          `${CHANNELS}.${id}`,
          `tablesdb.blogdb.tables.posts.rows.${id}`,
        ]
        const author = await stage.openSocket({ cookie: alice.cookie, channels })
        const other = await stage.openSocket({ cookie: bob.cookie, channels })
        const guest = await stage.openSocket({ channels })
        return async () => {
          const [authors, others, guests] = await stage.messagesOf(author, other, guest)
          expect([others, guests]).toEqual([[], []])
          return eventsOf(authors)
        }
      }

      test('of a draft', async () => {
        const { alice } = stage
        const id = await stage.post(alice, { status: 'inactive' })
        const readEvents = await subscribe(id)
        await stage.patch(alice, id, { title: 'Secret' })
        // A deleted post has no readers any more: what has not been sent by then is not sent.
        expect(await readEvents()).toEqual([expect.stringMatching(/\.update$/)])
        await stage.remove(alice, id)
        expect(await readEvents()).toEqual([expect.stringMatching(/\.delete$/)])
      })

      test('of a post that becomes inactive', async () => {
        const { alice } = stage
        const id = await stage.post(alice)
        const readEvents = await subscribe(id)
        await stage.patch(alice, id, { status: 'inactive' })
        await stage.patch(alice, id, { title: 'Secret too' })
        expect(await readEvents()).toEqual([
          expect.stringMatching(/\.update$/),
          expect.stringMatching(/\.update$/),
        ])
      })

      test('of a post that is hidden', async () => {
        const { alice, apiKey } = stage
        const id = await stage.post(alice)
        const readEvents = await subscribe(id)
        const hide = { headers: { 'x-appwrite-key': apiKey }, body: { hidden: true } }
        await stage.call('PATCH', `${DOCUMENTS}/${id}/hidden`, hide)
        await stage.patch(alice, id, { title: 'Secret as well' })
        expect((await readEvents()).length).toBeGreaterThan(0)
      })
    })

    test('a call that is refused or rolled back sends no event', async () => {
      const { alice, bob } = stage
      const id = await stage.post(alice)
      const guest = await stage.openSocket()
      await stage.create(alice, { title: 'No such image', featuredImage: 'missing' })
      await stage.create(alice, { title: 'Taken' }, { documentId: id })
      await stage.remove(bob, id)
      await stage.like(undefined, id, ['somebody'])
      expect(await stage.messagesOf(guest)).toEqual([[]])
    })

    test('only the user of an account receives the events of its channel', async () => {
      const { alice, bob } = stage
      const socket = await stage.openSocket({ cookie: alice.cookie, channels: ['account'] })
      expect(socket.messages[0]?.data).toMatchObject({
        channels: ['account', expect.any(String), `account.${alice.id}`],
        user: { $id: alice.id },
      })
      const channels = ['account', `account.${alice.id}`]
      const other = await stage.openSocket({ cookie: bob.cookie, channels })
      expect(other.messages[0]?.data.channels).not.toContain(`account.${alice.id}`)
      const guest = await stage.openSocket({ channels })
      const body = { prefs: { theme: 'light' } }
      await stage.call('PATCH', '/account/prefs', { cookie: alice.cookie, body })
      expect(await stage.messagesOf(other, guest)).toEqual([[], []])
    })

    test('a change of an account is an event with the account as the call returned it', async () => {
      const { alice } = stage
      const socket = await stage.openSocket({ cookie: alice.cookie, channels: ['account'] })
      const prefs = await stage.call('PATCH', '/account/prefs', {
        cookie: alice.cookie,
        body: { prefs: { theme: 'dark' } },
      })
      const [events = []] = await stage.messagesOf(socket)
      expect(events.map(({ data }) => data)).toMatchObject([
        {
          events: [
            `users.${alice.id}.update`,
            'users.*.update',
            `users.${alice.id}.update.prefs`,
            'users.*.update.prefs',
            `users.${alice.id}`,
            'users.*',
          ],
          payload: prefs.body,
          channels: ['account', `account.${alice.id}`],
        },
      ])
    })

    test('a sign-in sends an event without secrets, and a mailed secret sends none', async () => {
      const { alice } = stage
      const { email, password } = alice
      const socket = await stage.openSocket({ cookie: alice.cookie, channels: ['account'] })
      const recovery = { email, url: `${stage.url}/reset` }
      await stage.call('POST', '/account/recovery', { body: recovery })
      await stage.call('POST', '/account/sessions/email', { body: { email, password } })
      const [events = []] = await stage.messagesOf(socket)
      expect(events.map(({ data }) => data.events)).toEqual([
        expect.arrayContaining([
          expect.stringMatching(/^users\.[^.*]+\.sessions\.[^.*]+\.create$/),
          'users.*.sessions.*.create',
        ]),
      ])
      expect(events[0]?.data.payload).toMatchObject({
        userId: alice.id,
        providerAccessToken: '',
      })
    })

    test('only its uploader receives the events of a file', async () => {
      const { alice, bob } = stage
      const uploader = await stage.openSocket({ cookie: alice.cookie, channels: ['files'] })
      const other = await stage.openSocket({
        cookie: bob.cookie,
        channels: ['files', 'buckets.content.files'],
      })
      const id = await stage.upload(alice)
      const path = `/storage/buckets/content/files/${id}`
      const renamed = await stage.call('PUT', path, {
        cookie: alice.cookie,
        body: { name: 'lamp.png' },
      })
      await stage.call('DELETE', path, { cookie: alice.cookie })
      const [messages = [], others] = await stage.messagesOf(uploader, other)
      expect(others).toEqual([])
      const name = `buckets.content.files.${id}`
      expect(eventsOf(messages)).toEqual([`${name}.create`, `${name}.update`, `${name}.delete`])
      expect(messages[0]?.data.events).toHaveLength(10)
      expect(messages[0]?.data.channels).toEqual(['files', 'buckets.content.files', name])
      expect(messages[1]?.data.payload).toEqual(renamed.body)
    })

    test.for<[string, (stage: Stage) => Promise<unknown>]>([
      [
        'signing out',
        ({ call, alice }) => call('DELETE', '/account/sessions/current', { cookie: alice.cookie }),
      ],
      [
        'signing out everywhere',
        ({ call, alice }) => call('DELETE', '/account/sessions', { cookie: alice.cookie }),
      ],
      ['blocking', ({ call, alice }) => call('PATCH', '/account/status', { cookie: alice.cookie })],
      [
        'a block by the operator',
        ({ call, alice, apiKey }) =>
          call('PATCH', `/users/${alice.id}/status`, {
            headers: { 'x-appwrite-key': apiKey },
            body: { status: false },
          }),
      ],
      [
        'deleting the account',
        ({ call, alice }) =>
          call('DELETE', '/account', { cookie: alice.cookie, body: { password: alice.password } }),
      ],
      [
        'a password of the operator',
        ({ call, alice, apiKey }) =>
          call('PATCH', `/users/${alice.id}/password`, {
            headers: { 'x-appwrite-key': apiKey },
            body: { password: 'another one entirely' },
          }),
      ],
    ])('%s ends the connections of the session', async ([name, end]) => {
      const alice = await stage.makePerson(name.replaceAll(' ', '-'))
      const socket = await stage.openSocket({ cookie: alice.cookie, channels: ['account'] })
      const other = await stage.openSocket({ cookie: stage.bob.cookie })
      const answer = await end({ ...stage, alice })
      expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 204]) })
      expect(await socket.closed).toBe(3000)
      expect(other.socket.readyState).toBe(other.socket.OPEN)
    })

    test('a new password closes the connections of the other sessions, but not that of the current one', async () => {
      const { email, password, cookie } = await stage.makePerson('nora')
      const session = await stage.call('POST', '/account/sessions/email', {
        body: { email, password },
      })
      const second = session.headers.getSetCookie()[0]?.split(';')[0]
      const current = await stage.openSocket({ cookie })
      const other = await stage.openSocket({ cookie: second })
      await stage.call('PATCH', '/account/password', {
        cookie,
        body: { password: 'another one entirely', oldPassword: password },
      })
      expect(await other.closed).toBe(3000)
      expect(await stage.messagesOf(current)).toEqual([[]])
    })
  })
