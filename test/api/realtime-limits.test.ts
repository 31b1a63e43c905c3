// The limits of a realtime connection, and every way in which one is refused (api.md §7.1, §7.2).
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { RATE } from '#contract/limits.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { sendRaw, sendTimes } from '#test/support/raw-request.ts'
import {
  openConnectedSocket,
  openSocket,
  readUntilPong,
  type SocketOptions,
} from '#test/support/realtime.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const LIMITED = { BLOG_RATE_LIMITS: 'on' }

const sharedBlog = shareBlog()
const sharedLimitedBlog = shareBlog(() => makeTestBlog(LIMITED))

test.each<[what: string, options: SocketOptions, message: RegExp]>([
  ['of another project', { project: 'other' }, /project/],
  ['of another site', { headers: { origin: 'https://evil.example' } }, /origin/],
  ['without an origin', { headers: { origin: 'null' } }, /origin/],
  [
    'with too many channels',
    { channels: Array.from({ length: 101 }, (_, at) => `c${at}`) },
    /100 channels/,
  ],
  ['with too long a channel', { channels: ['x'.repeat(256)] }, /too long/],
])(
  'a connection %s receives the reason, and is closed with the same code',
  async (_what, options, message) => {
    using socket = openSocket(await sharedBlog(), options)
    expect(await socket.next()).toEqual({
      type: 'error',
      data: { code: 1008, message: expect.stringMatching(message) },
    })
    expect(await socket.closed).toBe(1008)
  },
)

test('the log names the sites whose connections were refused', async () => {
  await using blog = await makeTestBlog()
  for (const options of [
    { project: 'other' },
    { headers: { origin: 'https://evil.example' } },
    { headers: { origin: 'null' } },
    { channels: ['x'.repeat(256)] },
  ]) {
    using socket = openSocket(blog, options)
    await socket.closed
  }
  const origins = blog.log.flatMap(({ event, origin }) =>
    event === 'refused origin' ? [origin] : [],
  )
  expect(origins).toEqual(['https://evil.example', 'null'])
})

test('a page of the blog itself can connect, also without a channel', async () => {
  const blog = await sharedBlog()
  using socket = await openConnectedSocket(blog, { headers: { origin: blog.url }, channels: [] })
  expect(socket.messages[0]?.data).toEqual({ channels: [], user: null })
})

test('no other path accepts a WebSocket', async () => {
  const blog = await sharedBlog()
  const elsewhere = new WebSocket(`${blog.url.replace('http', 'ws')}/v1/ping`)
  const [, response] = await once(elsewhere, 'unexpected-response')
  expect(response.statusCode).toBe(200)
})

test('a plain GET of the realtime path answers 404', async () => {
  const blog = await sharedBlog()
  expect(await blog.call('GET', '/realtime')).toMatchObject({
    status: 404,
    body: { type: 'general_route_not_found' },
  })
})

test('an invalid message is refused, and the connection stays open', async () => {
  const blog = await sharedBlog()
  using socket = await openConnectedSocket(blog)
  const bad = ['{', '[]', '7', '{"type":"authentication"}', '{"type":"authentication","data":{}}']
  const rows = '{"type":"subscribe","data":[{"subscriptionId":"s","channels":'
  bad.push('{"type":"authentication","data":{"session":"nobody"}}', '{"type":"presence"}')
  bad.push('{"type":"__proto__"}', '{"type":"subscribe","data":{}}', `${rows}[1]}]}`)
  bad.push(
    `${rows}["a"],"queries":["x"]}]}`,
    `${rows}["a"],"queries":["{\\"method\\":\\"raw\\"}"]}]}`,
  )
  for (const text of bad) {
    socket.socket.send(text)
    expect(await socket.next(), text).toMatchObject({ type: 'error', data: { code: 1003 } })
  }
  expect(await readUntilPong(socket)).toEqual([])
})

test('a binary message, or one that is too large, ends the connection with a reason', async () => {
  const blog = await sharedBlog()
  for (const [message, code] of [
    [Buffer.from('{"type":"ping"}'), 1003],
    ['x'.repeat(64 * 1024 + 1), 1009],
    ['x'.repeat(4 * 1024 * 1024), 1009],
  ] as const) {
    using socket = await openConnectedSocket(blog)
    socket.socket.send(message)
    expect(await socket.next()).toMatchObject({ type: 'error', data: { code } })
    expect(await socket.closed).toBe(code)
  }
})

test('the 33rd message in a minute is refused', async () => {
  using socket = await openConnectedSocket(await sharedLimitedBlog())
  for (let count = 0; count < 33; count++) socket.send({ type: 'ping' })
  for (let number = 0; number < 32; number++) expect((await socket.next()).type).toBe('pong')
  expect(await socket.next()).toMatchObject({ type: 'error', data: { code: 1013 } })
})

test('after too many messages, one sent a minute later is answered', async () => {
  await using blog = await makeTestBlog(LIMITED)
  using socket = await openConnectedSocket(blog)
  for (let count = 0; count < 33; count++) socket.send({ type: 'ping' })
  for (let answer = 0; answer < 33; answer++) await socket.next()
  blog.passTime(60_000)
  expect(await readUntilPong(socket)).toEqual([])
})

test('messages far beyond the limit for a minute end the connection', async () => {
  using socket = await openConnectedSocket(await sharedLimitedBlog())
  for (let count = 0; count < 131; count++) socket.send({ type: 'ping' })
  expect(await socket.closed).toBe(1013)
})

test('one address can have 50 connections at once', async () => {
  await using blog = await makeTestBlog(LIMITED)
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openConnectedSocket(blog)))
  for (let attempt = 0; attempt < 3; attempt++) {
    using socket = openSocket(blog)
    expect(await socket.next()).toMatchObject({ data: { code: 1013, message: /open/ } })
    expect(await socket.closed).toBe(1013)
  }
  for (const socket of sockets) socket[Symbol.dispose]()
})

test('one address can open 128 connections in a minute, including refused ones', async () => {
  await using blog = await makeTestBlog(LIMITED)
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openConnectedSocket(blog)))
  for (let attempt = 0; attempt < 78; attempt++) {
    using socket = openSocket(blog)
    expect(await socket.next()).toMatchObject({ data: { code: 1013, message: /open/ } })
    expect(await socket.closed).toBe(1013)
  }
  sockets.pop()?.[Symbol.dispose]()
  using refusedSocket = openSocket(blog)
  expect(await refusedSocket.next()).toMatchObject({
    data: { code: 1013, message: /Too many connections/ },
  })
  for (const socket of sockets) socket[Symbol.dispose]()
})

test('a connected client can name its session in a message', { tags: ['more'] }, async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  using socket = await openConnectedSocket(blog, { channels: ['account'] })
  const session = decodeURIComponent(/^[^=]+=([^;]+)/.exec(alice.cookie)?.[1] ?? '')
  socket.send({ type: 'authentication', data: { session } })
  expect(await socket.next()).toMatchObject({
    type: 'response',
    data: { to: 'authentication', success: true, user: { $id: alice.id } },
  })
  await blog.call('PATCH', '/account/name', { cookie: alice.cookie, body: { name: 'Alicia' } })
  expect(await socket.next()).toMatchObject({
    type: 'event',
    data: { payload: { name: 'Alicia' } },
  })
})

const SUBSCRIPTIONS = [
  { subscriptionId: 'all', channels: ['tablesdb.blogdb.tables.posts.rows'], queries: [] },
  { subscriptionId: 'wild', channels: ['databases.*.collections.*.documents.*'], queries: [] },
  { subscriptionId: 'new', channels: ['rows.create'], queries: [] },
  {
    subscriptionId: 'lamps',
    channels: ['rows'],
    queries: ['{"method":"equal","attribute":"title","values":["Lamps"]}'],
  },
]

describe('subscriptions sent in a message', { tags: ['more'] }, () => {
  /** A guest who has subscribed, and what alice does on the blog. */
  async function subscribe() {
    const blog = await sharedBlog()
    const { post, patch } = makeDocuments(blog)
    const alice = await blog.makePerson('alice')
    const socket = await openConnectedSocket(blog, { channels: [] })
    socket.send({ type: 'subscribe', data: SUBSCRIPTIONS })
    const answer = await socket.next()
    return {
      socket,
      answer,
      post: (title: string) => post(alice, { title }),
      patch: (id: string, title: string) => patch(alice, id, { title }),
      nextEvent: async () => (await socket.next()).data,
      [Symbol.dispose]: () => socket[Symbol.dispose](),
    }
  }

  test('are confirmed', async () => {
    using subscribed = await subscribe()
    expect(subscribed.answer).toEqual({
      type: 'response',
      data: { to: 'subscribe', success: true, subscriptions: SUBSCRIPTIONS },
    })
  })

  test('are named by ID in each event that matches them', async () => {
    using subscribed = await subscribe()
    const { post, nextEvent } = subscribed
    await post('Oil')
    const { subscriptions, channels } = await nextEvent()
    expect(subscriptions).toEqual(['all', 'wild', 'new'])
    expect(channels).toContain('databases.*.collections.*.documents.*')
  })

  test('receive the events that match their queries', async () => {
    using subscribed = await subscribe()
    const { post, patch, nextEvent } = subscribed
    const id = await post('Oil')
    expect((await nextEvent()).subscriptions).toEqual(['all', 'wild', 'new'])
    await patch(id, 'Lamps')
    expect((await nextEvent()).subscriptions).toEqual(['all', 'wild', 'lamps'])
  })

  test('receive nothing once the client has unsubscribed from them', async () => {
    using subscribed = await subscribe()
    const { socket, post, patch, nextEvent } = subscribed
    const id = await post('Lamps')
    await nextEvent()
    socket.send({
      type: 'unsubscribe',
      data: [{ subscriptionId: 'wild' }, { subscriptionId: 'new' }],
    })
    expect(await socket.next()).toMatchObject({ data: { to: 'unsubscribe', success: true } })
    await patch(id, 'Oil')
    expect((await nextEvent()).subscriptions).toEqual(['all'])
  })

  test('to rows alone receive events and posts in the TablesDB form', async () => {
    using subscribed = await subscribe()
    const { socket, post, patch, nextEvent } = subscribed
    const id = await post('Lamps')
    await nextEvent()
    socket.send({ type: 'unsubscribe', data: [{ subscriptionId: 'wild' }] })
    await socket.next()
    await patch(id, 'Oil')
    const { events, payload, channels } = await nextEvent()
    expect(events[0]).toBe(`tablesdb.blogdb.tables.posts.rows.${id}.update`)
    expect(payload).toMatchObject({ $id: id, $tableId: 'posts' })
    expect(payload).not.toHaveProperty('$collectionId')
    expect(channels).not.toContain('documents')
  })
})

test('a client that does not read is cut off at the limit of its buffer, and delays no other client', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  const { post, patch } = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const id = await post(alice)
  using slow = await openConnectedSocket(blog)
  using quick = await openConnectedSocket(blog)
  slow.socket.pause()
  let ticks = 0
  for (; ticks < 60 && !blog.log.some(({ event }) => event === 'realtime reader cut'); ticks++) {
    await patch(alice, id, { content: `<p>${'word '.repeat(150_000)}${ticks}</p>` })
    expect((await quick.next()).data.payload.content).toContain(`${ticks}</p>`)
  }
  expect(ticks).toBeLessThan(60)
  slow.socket.resume()
  expect(await slow.closed).toBe(1006)
})

test('the last value of a repeated parameter counts, as in other calls', async () => {
  const blog = await sharedBlog()
  const open = (query: string) =>
    new WebSocket(`${blog.url.replace('http', 'ws')}/v1/realtime?${query}`)
  const read = async (query: string) => {
    const socket = open(query)
    const [data] = await once(socket, 'message')
    socket.terminate()
    return JSON.parse(String(data))
  }
  expect(await read('project=other&project=blog&channels[1]=b&channels[0]=a')).toEqual({
    type: 'connected',
    data: { channels: ['a', 'b'], user: null },
  })
  expect(await read('project=blog&project=other')).toMatchObject({ data: { code: 1008 } })
})

test('ignored channels and the values of queries are limited, too', {
  tags: ['more'],
}, async () => {
  const blog = await sharedBlog()
  const rows = (channels: string[], values: string[]) => [
    {
      subscriptionId: 's',
      channels,
      queries: [JSON.stringify({ method: 'equal', attribute: 'title', values })],
    },
  ]
  const names = (count: number) => Array.from({ length: count }, (_, at) => `account.u${at}`)
  const nested = JSON.stringify({
    method: 'or',
    values: names(51).map((name) => ({ method: 'contains', attribute: 'title', values: [name] })),
  })
  for (const [data, message] of [
    [rows(names(401), ['a']), /channels/],
    [rows(['documents'], Array(501).fill('a')), /values/],
    [[{ subscriptionId: 's', channels: ['a'], queries: [nested] }], /values/],
  ] as const) {
    using socket = await openConnectedSocket(blog, { channels: [] })
    socket.send({ type: 'subscribe', data: rows(names(400), Array(500).fill('a')) })
    expect((await socket.next()).type).toBe('response')
    socket.send({ type: 'subscribe', data })
    expect(await socket.next()).toMatchObject({
      type: 'error',
      data: { code: 1008, message: expect.stringMatching(message) },
    })
    expect(await socket.closed).toBe(1008)
  }
})

test('no query searches the body of a post', { tags: ['more'] }, async () => {
  const blog = await sharedBlog()
  const { post } = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  using socket = await openConnectedSocket(blog, { channels: [] })
  const listMatches = (attribute: string, word: string) =>
    JSON.stringify({ method: 'contains', attribute, values: [word] })
  socket.send({
    type: 'subscribe',
    data: [
      { subscriptionId: 'title', channels: ['documents'], queries: [listMatches('title', 'amp')] },
      {
        subscriptionId: 'body',
        channels: ['documents'],
        queries: [listMatches('content', 'needle')],
      },
    ],
  })
  await socket.next()
  await post(alice, { title: 'Lamps', content: `<p>${'hay '.repeat(5000)}needle</p>` })
  expect((await socket.next()).data.subscriptions).toEqual(['title'])
})

test('pings of the WebSocket protocol are answered', { tags: ['more'] }, async () => {
  using socket = await openConnectedSocket(await sharedLimitedBlog())
  socket.socket.ping('here')
  expect(String((await once(socket.socket, 'pong'))[0])).toBe('here')
})

test('more than 240 pings of the WebSocket protocol in a minute end the connection', {
  tags: ['more'],
}, async () => {
  using socket = await openConnectedSocket(await sharedLimitedBlog())
  for (let count = 0; count < 240; count++) socket.socket.ping()
  expect(await readUntilPong(socket)).toEqual([])
  socket.socket.ping()
  expect(await socket.closed).toBe(1006)
})

test('a client that does not read its answers is cut off', async () => {
  await using blog = await makeTestBlog()
  using socket = await openConnectedSocket(blog)
  socket.socket.pause()
  const channels = Array.from({ length: 90 }, (_, at) => `${at}${'c'.repeat(250)}`)
  const message = JSON.stringify({
    type: 'subscribe',
    data: [{ subscriptionId: 's', channels, queries: [] }],
  })
  const isCut = () => blog.log.some(({ event }) => event === 'realtime reader cut')
  for (let count = 0; count < 2000 && !isCut(); count++) {
    socket.socket.send(message)
    if (count % 20 === 0) await blog.call('GET', '/ping')
  }
  expect(isCut()).toBe(true)
})

test('a connection with an invalid or expired JWT receives what guests do', {
  tags: ['more'],
}, async () => {
  const blog = await sharedBlog()
  using socket = await openConnectedSocket(blog, { headers: { 'x-appwrite-jwt': 'over' } })
  expect(socket.messages[0]?.data.user).toBe(null)
  expect(await readUntilPong(socket)).toEqual([])
})

test('an upgrade counts as a request: beyond the limit of its address it is answered with 429', async () => {
  await using blog = await makeTestBlog(LIMITED)
  const [limit] = RATE.anythingPerAddress
  await sendTimes(limit, blog.url, ['GET /v1/ping HTTP/1.1', 'x-appwrite-project: blog'])
  const socket = openSocket(blog, { project: 'other' }).socket
  const [, response] = await once(socket, 'unexpected-response')
  expect(response.statusCode).toBe(429)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
})

test('an invalid WebSocket upgrade is refused with an error of the API', async () => {
  const blog = await sharedBlog()
  const start = '/v1/realtime?project=blog HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n'
  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  for (const bytes of [
    `GET ${start}upgrade: websocket\r\nsec-websocket-version: 13\r\n`,
    `GET ${start}upgrade: websocket\r\nsec-websocket-version: 7\r\n${key}`,
    `GET ${start}upgrade: h2c\r\n`,
    `POST ${start}upgrade: websocket\r\nsec-websocket-version: 13\r\n${key}`,
  ]) {
    const { status, headers, body } = await sendRaw(blog.url, `${bytes}\r\n`)
    expect([bytes, status, headers['x-content-type-options']]).toEqual([bytes, 400, 'nosniff'])
    expect(JSON.parse(body)).toMatchObject({ code: 400, type: 'general_argument_invalid' })
  }
})

test('a stop does not wait for refused clients that stay connected', async () => {
  const blog = await makeTestBlog()
  const { port } = new URL(blog.url)
  const start = 'HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'
  const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const refused = [key, ''].map((rest) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(`GET /v1/realtime?project=other ${start}${rest}\r\n`)
    return { socket, answered: once(socket, 'data') }
  })
  for (const { answered: response } of refused) await response
  await blog[Symbol.asyncDispose]()
  // A connection that did not end by itself would be cut off and logged.
  expect(blog.log.filter(({ event }) => event === 'cut off')).toEqual([])
  for (const { socket } of refused) socket.destroy()
})

test('a stop closes connections with 1001', async () => {
  const blog = await makeTestBlog()
  using socket = await openConnectedSocket(blog)
  await blog[Symbol.asyncDispose]()
  expect(await socket.closed).toBe(1001)
})
