// What a realtime connection may cost, and every way in which one is refused (api.md §7.1, §7.2).
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
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
const sharedBlog2 = shareBlog(() => makeTestBlog(LIMITED))

test('a connection that may not be says why, and closes with the same code', async () => {
  await using blog = await makeTestBlog()
  const refusals: [SocketOptions, number, RegExp][] = [
    [{ project: 'other' }, 1008, /project/],
    [{ headers: { origin: 'https://evil.example' } }, 1008, /origin/],
    [{ headers: { origin: 'null' } }, 1008, /origin/],
    [{ channels: Array.from({ length: 101 }, (_, at) => `c${at}`) }, 1008, /100 channels/],
    [{ channels: ['x'.repeat(256)] }, 1008, /too long/],
  ]
  for (const [options, code, message] of refusals) {
    using line = openSocket(blog, options)
    expect(await line.next()).toEqual({
      type: 'error',
      data: { code, message: expect.stringMatching(message) },
    })
    expect(await line.closed).toBe(code)
  }
  const named = blog.log.flatMap(({ event, origin }) =>
    event === 'refused origin' ? [origin] : [],
  )
  expect(named).toEqual(['https://evil.example', 'null'])
  using own = await openConnectedSocket(blog, { headers: { origin: blog.url }, channels: [] })
  expect(own.messages[0]?.data).toEqual({ channels: [], user: null })
})

test('only the one path becomes a WebSocket; a plain GET of it is no route', async () => {
  const blog = await sharedBlog()
  const elsewhere = new WebSocket(`${blog.url.replace('http', 'ws')}/v1/ping`)
  const [, response] = await once(elsewhere, 'unexpected-response')
  expect(response.statusCode).toBe(200)
  expect(await blog.call('GET', '/realtime')).toMatchObject({
    status: 404,
    body: { type: 'general_route_not_found' },
  })
})

test('what cannot be understood is refused, and the connection stays', async () => {
  const blog = await sharedBlog()
  using line = await openConnectedSocket(blog)
  const bad = ['{', '[]', '7', '{"type":"authentication"}', '{"type":"authentication","data":{}}']
  const rows = '{"type":"subscribe","data":[{"subscriptionId":"s","channels":'
  bad.push('{"type":"authentication","data":{"session":"nobody"}}', '{"type":"presence"}')
  bad.push('{"type":"__proto__"}', '{"type":"subscribe","data":{}}', `${rows}[1]}]}`)
  bad.push(
    `${rows}["a"],"queries":["x"]}]}`,
    `${rows}["a"],"queries":["{\\"method\\":\\"raw\\"}"]}]}`,
  )
  for (const text of bad) {
    line.socket.send(text)
    expect(await line.next(), text).toMatchObject({ type: 'error', data: { code: 1003 } })
  }
  expect(await readUntilPong(line)).toEqual([])
})

test('bytes, and a message that is too large, end the connection with a reason', async () => {
  const blog = await sharedBlog()
  for (const [message, code] of [
    [Buffer.from('{"type":"ping"}'), 1003],
    ['x'.repeat(64 * 1024 + 1), 1009],
    ['x'.repeat(4 * 1024 * 1024), 1009],
  ] as const) {
    using line = await openConnectedSocket(blog)
    line.socket.send(message)
    expect(await line.next()).toMatchObject({ type: 'error', data: { code } })
    expect(await line.closed).toBe(code)
  }
})

test('of 33 messages in a minute the last is refused, and the next minute is free', async () => {
  await using blog = await makeTestBlog(LIMITED)
  using line = await openConnectedSocket(blog)
  for (let sent = 0; sent < 33; sent++) line.send({ type: 'ping' })
  for (let sent = 0; sent < 32; sent++) expect((await line.next()).type).toBe('pong')
  expect(await line.next()).toMatchObject({ type: 'error', data: { code: 1013 } })
  blog.passTime(60_000)
  expect(await readUntilPong(line)).toEqual([])
  for (let sent = 0; sent < 130; sent++) line.send({ type: 'ping' })
  expect(await line.closed).toBe(1013)
})

test('one address has 50 connections at once, and opens 128 in a minute', async () => {
  const blog = await sharedBlog2()
  const lines = await Promise.all(Array.from({ length: 50 }, () => openConnectedSocket(blog)))
  for (let more = 0; more < 78; more++) {
    using line = openSocket(blog)
    expect(await line.next()).toMatchObject({ data: { code: 1013, message: /open/ } })
    expect(await line.closed).toBe(1013)
  }
  lines.pop()?.[Symbol.dispose]()
  using line = openSocket(blog)
  expect(await line.next()).toMatchObject({ data: { code: 1013, message: /Too many connections/ } })
  for (const one of lines) one[Symbol.dispose]()
})

test('a session can be named later, by message', { tags: ['more'] }, async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  using line = await openConnectedSocket(blog, { channels: ['account'] })
  const session = decodeURIComponent(/^[^=]+=([^;]+)/.exec(alice.cookie)?.[1] ?? '')
  line.send({ type: 'authentication', data: { session } })
  expect(await line.next()).toMatchObject({
    type: 'response',
    data: { to: 'authentication', success: true, user: { $id: alice.id } },
  })
  await blog.call('PATCH', '/account/name', { cookie: alice.cookie, body: { name: 'Alicia' } })
  expect(await line.next()).toMatchObject({ type: 'event', data: { payload: { name: 'Alicia' } } })
})

test('channels by message: their ids come with each event, and queries choose', {
  tags: ['more'],
}, async () => {
  const blog = await sharedBlog()
  const { post, patch } = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  using line = await openConnectedSocket(blog, { channels: [] })
  const rows = [
    { subscriptionId: 'all', channels: ['tablesdb.blogdb.tables.posts.rows'], queries: [] },
    { subscriptionId: 'wild', channels: ['databases.*.collections.*.documents.*'], queries: [] },
    { subscriptionId: 'new', channels: ['rows.create'], queries: [] },
    {
      subscriptionId: 'lamps',
      channels: ['rows'],
      queries: ['{"method":"equal","attribute":"title","values":["Lamps"]}'],
    },
  ]
  line.send({ type: 'subscribe', data: rows })
  expect(await line.next()).toEqual({
    type: 'response',
    data: { to: 'subscribe', success: true, subscriptions: rows },
  })
  const id = await post(alice, { title: 'Oil' })
  const made = (await line.next()).data
  expect(made.subscriptions).toEqual(['all', 'wild', 'new'])
  expect(made.channels).toContain('databases.*.collections.*.documents.*')
  await patch(alice, id, { title: 'Lamps' })
  expect((await line.next()).data.subscriptions).toEqual(['all', 'wild', 'lamps'])
  line.send({
    type: 'unsubscribe',
    data: rows.slice(1, 3).map(({ subscriptionId }) => ({ subscriptionId })),
  })
  expect(await line.next()).toMatchObject({ data: { to: 'unsubscribe', success: true } })
  await patch(alice, id, { title: 'Oil' })
  const { subscriptions, events, payload, channels } = (await line.next()).data
  expect(subscriptions).toEqual(['all'])
  expect(events[0]).toBe(`tablesdb.blogdb.tables.posts.rows.${id}.update`)
  expect(payload).toMatchObject({ $id: id, $tableId: 'posts' })
  expect(payload).not.toHaveProperty('$collectionId')
  expect(channels).not.toContain('documents')
})

test('one that does not read is cut at the limit of its buffer, and keeps nobody waiting', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  const { post, patch } = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const id = await post(alice)
  using slow = await openConnectedSocket(blog)
  using quick = await openConnectedSocket(blog)
  slow.socket.pause()
  let turns = 0
  for (; turns < 60 && !blog.log.some(({ event }) => event === 'realtime reader cut'); turns++) {
    await patch(alice, id, { content: `<p>${'word '.repeat(150_000)}${turns}</p>` })
    expect((await quick.next()).data.payload.content).toContain(`${turns}</p>`)
  }
  expect(turns).toBeLessThan(60)
  slow.socket.resume()
  expect(await slow.closed).toBe(1006)
})

test('of a repeated parameter the last value counts, also here', async () => {
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

test('channels that are left out, and values of queries, are limited too', {
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
    using line = await openConnectedSocket(blog, { channels: [] })
    line.send({ type: 'subscribe', data: rows(names(400), Array(500).fill('a')) })
    expect((await line.next()).type).toBe('response')
    line.send({ type: 'subscribe', data })
    expect(await line.next()).toMatchObject({
      type: 'error',
      data: { code: 1008, message: expect.stringMatching(message) },
    })
    expect(await line.closed).toBe(1008)
  }
})

test('no query looks through the body of a post', { tags: ['more'] }, async () => {
  const blog = await sharedBlog()
  const { post } = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  using line = await openConnectedSocket(blog, { channels: [] })
  const found = (attribute: string, word: string) =>
    JSON.stringify({ method: 'contains', attribute, values: [word] })
  line.send({
    type: 'subscribe',
    data: [
      { subscriptionId: 'title', channels: ['documents'], queries: [found('title', 'amp')] },
      { subscriptionId: 'body', channels: ['documents'], queries: [found('content', 'needle')] },
    ],
  })
  await line.next()
  await post(alice, { title: 'Lamps', content: `<p>${'hay '.repeat(5000)}needle</p>` })
  expect((await line.next()).data.subscriptions).toEqual(['title'])
})

test('pings of the protocol are answered, and very many end the connection', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog(LIMITED)
  using line = await openConnectedSocket(blog)
  line.socket.ping('here')
  expect(String((await once(line.socket, 'pong'))[0])).toBe('here')
  for (let sent = 1; sent < 240; sent++) line.socket.ping()
  expect(await readUntilPong(line)).toEqual([])
  line.socket.ping()
  expect(await line.closed).toBe(1006)
})

test('answers that are not read are not kept without end', async () => {
  await using blog = await makeTestBlog()
  using line = await openConnectedSocket(blog)
  line.socket.pause()
  const channels = Array.from({ length: 90 }, (_, at) => `${at}${'c'.repeat(250)}`)
  const message = JSON.stringify({
    type: 'subscribe',
    data: [{ subscriptionId: 's', channels, queries: [] }],
  })
  const isCut = () => blog.log.some(({ event }) => event === 'realtime reader cut')
  for (let sent = 0; sent < 2000 && !isCut(); sent++) {
    line.socket.send(message)
    if (sent % 20 === 0) await blog.call('GET', '/ping')
  }
  expect(isCut()).toBe(true)
})

test('whose JWT is none or over hears what guests do', { tags: ['more'] }, async () => {
  const blog = await sharedBlog()
  using line = await openConnectedSocket(blog, { headers: { 'x-appwrite-jwt': 'over' } })
  expect(line.messages[0]?.data.user).toBe(null)
  expect(await readUntilPong(line)).toEqual([])
})

test('an upgrade is a request like any other: beyond the limit of the address it is 429', async () => {
  const blog = await sharedBlog2()
  const [most] = RATE.anythingPerAddress
  await sendTimes(most, blog.url, ['GET /v1/ping HTTP/1.1', 'x-appwrite-project: blog'])
  const socket = openSocket(blog, { project: 'other' }).socket
  const [, response] = await once(socket, 'unexpected-response')
  expect(response.statusCode).toBe(429)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
})

test('what is no upgrade to a WebSocket is refused in the form of the API', async () => {
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

test('a stop waits for nobody who was refused and stays', async () => {
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
  for (const { answered } of refused) await answered
  await blog[Symbol.asyncDispose]()
  // What does not end by itself is cut off in the end, with a line.
  expect(blog.log.filter(({ event }) => event === 'cut off')).toEqual([])
  for (const { socket } of refused) socket.destroy()
})

test('a stop closes with 1001', async () => {
  const blog = await makeTestBlog()
  using line = await openConnectedSocket(blog)
  await blog[Symbol.asyncDispose]()
  expect(await line.closed).toBe(1001)
})
