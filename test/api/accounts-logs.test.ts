// The log of a user’s own sign-ins.
import { expect, test } from 'vitest'
import { SIGN_IN_LOGS_PER_USER } from '#backend/accounts/sessions.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { signIn } from '#test/support/mail-calls.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const DAY_MS = 86_400_000

const logsOf = (blog: TestBlog, cookie: string, ...queries: string[]) => {
  const query = new URLSearchParams(queries.map((text, at) => [`queries[${at}]`, text]))
  return blog.call('GET', `/account/logs?${query}`, { cookie })
}

/** Alice has signed in twice, the second time with a browser, and once failed to. */
async function start() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  await blog.call('POST', '/account/sessions/email', {
    body: { email: alice.email, password: alice.password },
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' },
  })
  await signIn(blog, { ...alice, password: 'wrong lamps' })
  return { blog, alice }
}

test('each successful sign-in has one entry, and a failed one has none', async () => {
  const { blog, alice } = await start()
  const { status, body } = await logsOf(blog, alice.cookie)
  expect(status).toBe(200)
  expect([body.total, body.logs.length]).toEqual([2, 2])
})

test('an entry contains the user, the time, the address and the browser', async () => {
  const { blog, alice } = await start()
  const { body } = await logsOf(blog, alice.cookie)
  expect(body.logs[0]).toEqual({
    event: 'session.create',
    userId: alice.id,
    userEmail: alice.email,
    userName: 'alice',
    mode: 'default',
    ip: expect.stringMatching(/127\.0\.0\.1|::1/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
    osCode: 'LIN',
    osName: 'GNU/Linux',
    osVersion: '',
    clientType: 'browser',
    clientCode: 'FF',
    clientName: 'Firefox',
    clientVersion: '140.0',
    clientEngine: '',
    clientEngineVersion: '',
    deviceName: 'desktop',
    deviceBrand: '',
    deviceModel: '',
    countryCode: '--',
    countryName: 'Unknown',
  })
})

test('entries are paged, newest first', async () => {
  const { blog, alice } = await start()
  const [newest, oldest] = (await logsOf(blog, alice.cookie)).body.logs
  expect([newest.clientCode, oldest.clientCode]).toEqual(['FF', ''])
  expect((await logsOf(blog, alice.cookie, 'limit(1)', 'offset(1)')).body).toMatchObject({
    total: 2,
    logs: [{ clientCode: '', userId: alice.id }],
  })
})

test('only the user can see these entries', async () => {
  const { blog } = await start()
  const bob = await blog.makePerson('bob')
  const { body } = await logsOf(blog, bob.cookie)
  expect([body.total, body.logs[0].userId]).toEqual([1, bob.id])
  expect((await blog.call('GET', '/account/logs')).body).toMatchObject({
    code: 401,
    type: 'general_unauthorized_scope',
  })
})
test('queries other than limit and offset are refused', async () => {
  const blog = await sharedBlog()
  const { cookie } = await blog.makePerson('alice')
  for (const query of [
    'equal("ip", ["127.0.0.1"])',
    'orderDesc("")',
    'select(["ip"])',
    'cursorAfter("x")',
    'limit(-1)',
    'limit(0)',
    'nonsense("x")',
  ])
    expect([query, (await logsOf(blog, cookie, query)).body.type]).toEqual([
      query,
      'general_argument_invalid',
    ])
  expect((await logsOf(blog, cookie, '{')).body).toMatchObject({ type: 'general_query_invalid' })
})

test('entries are stored for ninety days', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  blog.passTime(80 * DAY_MS)
  const { headers } = await signIn(blog, alice)
  const cookie = headers.getSetCookie()[0] ?? ''
  expect((await logsOf(blog, cookie)).body.total).toBe(2)
  blog.passTime(11 * DAY_MS)
  expect((await logsOf(blog, cookie)).body.total).toBe(1)
})

test('a user has only so many entries, however often they sign in', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const headers = { 'x-appwrite-key': blog.apiKey, 'x-appwrite-response-format': '1.5.0' }
  for (let count = 0; count < SIGN_IN_LOGS_PER_USER + 3; count++) {
    const { body } = await blog.call('POST', `/users/${alice.id}/tokens`, { headers, body: {} })
    const proof = { userId: alice.id, secret: body.secret }
    expect((await blog.call('POST', '/account/sessions/token', { body: proof })).status).toBe(201)
  }
  const { secret } = (
    await blog.call('POST', '/account/sessions/email', {
      headers,
      body: { email: alice.email, password: alice.password },
    })
  ).body
  const logs = await blog.call('GET', '/account/logs?queries[0]=limit(100)', {
    headers: { 'x-appwrite-session': secret },
  })
  expect([logs.body.total, logs.body.logs.length]).toEqual([
    SIGN_IN_LOGS_PER_USER,
    SIGN_IN_LOGS_PER_USER,
  ])
})
