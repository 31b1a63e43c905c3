// Realtime through published clients, unmodified: the one of our own pages and the newest, side by
// side; and when they reconnect after our server has refused or ended a connection (api.md §7.1).
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { FakeSocket, fakePage, makeWindow } from '#test/support/fake-socket.ts'
import { openConnectedSocket, openSocket } from '#test/support/realtime.ts'

const PROJECT = 'blog'
const DOCUMENTS = 'databases.blogdb.collections.posts.documents'
const ROWS = 'tablesdb.blogdb.tables.posts.rows'

type ReceivedEvent = { events: string[]; payload: { title?: string; name?: string } }
type Subscribe = (
  channels: string[],
  handle: (event: ReceivedEvent) => void,
) => Promise<() => Promise<void> | void>

/** The name of a client, and how it subscribes. */
type Client = [name: string, connect: (url: string) => Subscribe]
const CLIENTS: [Client, Client] = [
  [
    'appwrite 13.0.2',
    (url) => {
      const client = new web13.Client().setEndpoint(`${url}/v1`).setProject(PROJECT)
      return async (channels, handle) => {
        const end = client.subscribe(channels, handle as (event: unknown) => void)
        return () => {
          end()
          // This client never closes its socket by itself.
          Object.assign(Reflect.get(client, 'realtime'), { reconnect: false }).socket?.close()
        }
      }
    },
  ],
  [
    'appwrite, newest',
    (url) => {
      const client = new webNewest.Client().setEndpoint(`${url}/v1`).setProject(PROJECT)
      const realtime = new webNewest.Realtime(client)
      return async (channels, handle) => {
        await realtime.subscribe(channels, handle as (event: unknown) => void)
        return () => realtime.disconnect()
      }
    },
  ],
]

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Silences the console, to which clients write that they reconnect. */
function letPrint(): void {
  for (const method of ['error', 'log'] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined)
}

describe('two clients and a guest, side by side', () => {
  /** The events that each client received, from the first change after all had subscribed. */
  async function receiveEvents() {
    await using blog = await makeTestBlog()
    const { post, patch, like, remove } = makeDocuments(blog)
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const session = decodeURIComponent(/^[^=]+=([^;]+)/.exec(alice.cookie)?.[1] ?? '')
    const cookieFallback = JSON.stringify({ [`a_session_${PROJECT}`]: session })
    const id = await post(alice, { title: 'The mark' })
    let marks = 0
    await using stack = new AsyncDisposableStack()
    /** A client that has received a change of the marked post receives all later events. */
    async function subscribe(connect: (url: string) => Subscribe, channels: string[]) {
      const received: string[] = []
      const end = await connect(blog.url)(channels, ({ events: [name = ''], payload }) => {
        received.push(`${name.split('.').at(-1)} ${payload.title ?? payload.name}`)
      })
      stack.defer(end)
      await expect
        .poll(async () => {
          await patch(alice, id, { title: `The mark ${marks++}` })
          return received
        })
        .not.toEqual([])
      return received
    }
    vi.stubGlobal('window', makeWindow({ cookieFallback }))
    const [[, connect13], [, connectNewest]] = CLIENTS
    const own13 = await subscribe(connect13, [DOCUMENTS, 'account'])
    const ownNewest = await subscribe(connectNewest, [ROWS, 'account'])
    vi.stubGlobal('window', makeWindow())
    const guest = await subscribe(connectNewest, ['rows', 'account'])

    await patch(alice, id, { title: 'Begin' })
    await like(bob, id, [bob.id])
    await patch(alice, id, { title: 'Second' })
    await blog.call('PATCH', '/account/name', { cookie: alice.cookie, body: { name: 'Alicia' } })
    await patch(alice, id, { status: 'inactive', title: 'Secret' })
    await patch(alice, id, { status: 'active', title: 'Shown' })
    await remove(alice, id)
    const last = 'delete Shown'
    const all = [own13, ownNewest, guest]
    await expect.poll(() => all.map((events) => events.at(-1))).toEqual([last, last, last])
    const [own13Since, ownNewestSince, guestSince] = all.map((events) =>
      events.slice(events.indexOf('update Begin')),
    )
    return { own13: own13Since, ownNewest: ownNewestSince, guest: guestSince }
  }

  let received: ReturnType<typeof receiveEvents> | undefined
  const receiveOnce = () => {
    received ??= receiveEvents()
    return received
  }

  const EXPECTED = [
    'update Begin',
    'update Begin',
    'update Second',
    'update Alicia',
    'update Secret',
    'update Shown',
    'delete Shown',
  ]

  test('each client receives the writes of its user once and in order', async () => {
    const { own13, ownNewest } = await receiveOnce()
    expect(own13).toEqual(EXPECTED)
    expect(ownNewest).toEqual(EXPECTED)
  })

  test('a guest receives no events of drafts or accounts', async () => {
    const { guest } = await receiveOnce()
    expect(guest).toEqual(EXPECTED.filter((event) => !/Alicia|Secret/.test(event)))
  })
})

type Ending = { frames: object[]; code: number }
type LineOf = Parameters<typeof openSocket>[1]

async function endingOf(blog: TestBlog, options: LineOf): Promise<Ending> {
  using socket = openSocket(blog, options)
  const code = await socket.closed
  return { frames: socket.messages, code }
}

/** Ends an established connection. */
async function endedBy(
  blog: TestBlog,
  end: (socket: Awaited<ReturnType<typeof openConnectedSocket>>['socket']) => unknown,
  options: LineOf = {},
): Promise<Ending> {
  using socket = await openConnectedSocket(blog, options)
  await end(socket.socket)
  const code = await socket.closed
  return { frames: socket.messages, code }
}

/** Every way in which our server ends a connection, as recorded from a real server. */
async function collectEndings(): Promise<Map<string, Ending>> {
  const blog = await makeTestBlog()
  const { cookie } = await blog.makePerson('alice')
  const foreign = { headers: { origin: 'https://evil.example' } }
  const channels = Array.from({ length: 101 }, (_, at) => `c${at}`)
  const signOut = () => blog.call('DELETE', '/account/sessions/current', { cookie })
  const endings = new Map([
    ['unknown project', await endingOf(blog, { project: 'other' })],
    ['foreign origin', await endingOf(blog, foreign)],
    ['too many channels', await endingOf(blog, { channels: channels })],
    ['bytes', await endedBy(blog, (socket) => socket.send(Buffer.from('{}')))],
    ['large message', await endedBy(blog, (socket) => socket.send('x'.repeat(70_000)))],
    ['end of the session', await endedBy(blog, signOut, { cookie })],
  ])
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openConnectedSocket(blog)))
  endings.set('too many connections', await endingOf(blog, {}))
  const [firstSocket] = sockets
  await blog[Symbol.asyncDispose]()
  endings.set('stop', {
    frames: firstSocket?.messages ?? [],
    code: (await firstSocket?.closed) ?? 0,
  })
  return endings
}

test.each(CLIENTS)(
  '%s reconnects after every ending except a policy violation',
  async (_name, connect) => {
    letPrint()
    const endings = await collectEndings()
    const cameBack: Record<string, [code: number, seconds: number]> = {}
    for (const [name, { frames, code }] of endings) {
      fakePage()
      void connect('http://localhost:3000')(['documents'], () => {})
      await vi.advanceTimersByTimeAsync(100)
      const socket = FakeSocket.latest()
      socket.open()
      for (const frame of frames) socket.receive(frame)
      socket.close(code)
      cameBack[name] = [code, await secondsUntilNext()]
    }
    expect(cameBack).toEqual({
      'unknown project': [1008, Number.POSITIVE_INFINITY],
      'foreign origin': [1008, Number.POSITIVE_INFINITY],
      'too many channels': [1008, Number.POSITIVE_INFINITY],
      bytes: [1003, 1],
      'large message': [1009, 1],
      'end of the session': [3000, 1],
      'too many connections': [1013, 1],
      stop: [1001, 1],
    })
    vi.mocked(console.error).mockClear()
  },
)

test.each(CLIENTS)('%s reconnects after 1, 5, 10 and finally 60 s', async (_name, connect) => {
  letPrint()
  fakePage()
  connect('http://localhost:3000')(['documents'], () => {}).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(100)
  const seconds: number[] = []
  for (let attempt = 0; attempt < 102; attempt++) {
    FakeSocket.latest().fail()
    seconds.push(await secondsUntilNext())
  }
  const countByDelay = [1, 5, 10, 60].map((time) => seconds.filter((one) => one === time).length)
  expect(countByDelay).toEqual([5, 10, 85, 2])
  FakeSocket.latest().acceptConnection()
  FakeSocket.latest().close(1001)
  expect(await secondsUntilNext()).toBe(1)
  vi.mocked(console.error).mockClear()
})

/** Seconds of the fake clock until the client opens another socket. */
async function secondsUntilNext(): Promise<number> {
  const before = FakeSocket.instances.length
  for (let seconds = 1; seconds <= 90; seconds++) {
    await vi.advanceTimersByTimeAsync(1000)
    if (FakeSocket.instances.length > before) return seconds
  }
  return Number.POSITIVE_INFINITY
}
