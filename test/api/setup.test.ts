// Setting up a blog without an operator: who may, with what, and that it happens once.
import { describe, expect, test } from 'vitest'
import { cookieOf, makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { BLOG_DATABASES, makePostgresDatabase } from '#test/support/databases.ts'

const OLGA = { name: 'Olga', email: 'olga@example.test', password: 'lantern meadow quarry' }
const VALUES = { siteName: 'Lamps', about: 'About lamps.', reading: 'everyone' }
const OPEN_TO_ALL = { BLOG_PUBLIC_URL: 'https://blog.example' }

function setUp(blog: TestBlog, more: object = {}, headers: Record<string, string> = {}) {
  return blog.call('POST', '/setup', { body: { ...VALUES, ...OLGA, ...more }, headers })
}

test('on this host alone nobody needs a code, and the operator is signed in', async () => {
  await using blog = await makeTestBlog({}, { isNew: true })
  expect(await blog.makeSetupCode()).toBe(undefined)
  expect((await blog.call('GET', '/setup')).body).toMatchObject({ state: 'open', fixed: [] })
  const done = await setUp(blog)
  expect(done.status, JSON.stringify(done.body)).toBe(201)
  const cookie = cookieOf(done)
  expect((await blog.call('GET', '/account', { cookie })).body).toMatchObject({
    ...{ name: 'Olga', email: OLGA.email, labels: ['operator'], emailVerification: true },
  })
  expect((await blog.call('GET', '/site', { cookie })).body).toMatchObject(VALUES)
  expect((await blog.call('GET', '/setup')).body.state).toBe('done')
  expect((await setUp(blog, { email: 'eve@example.test' })).body.type).toBe('setup_done')
  const people = { headers: { 'x-appwrite-key': blog.apiKey } }
  expect((await blog.call('GET', '/users', people)).body.total).toBe(1)
})

test('an account that exists becomes the operator with its password, and keeps its labels', async () => {
  await using blog = await makeTestBlog({}, { isNew: true })
  const alice = await blog.makePerson('alice')
  const sent = { ...VALUES, email: alice.email }
  const wrong = await blog.call('POST', '/setup', { body: { ...sent, password: 'not this one' } })
  expect([wrong.status, wrong.body.type]).toEqual([401, 'user_invalid_credentials'])
  expect((await blog.call('GET', '/setup')).body.state).toBe('open')
  const done = await blog.call('POST', '/setup', { body: { ...sent, password: alice.password } })
  expect(done.status).toBe(201)
  const { body } = await blog.call('GET', '/account', { cookie: alice.cookie })
  expect(body.labels).toEqual(['operator'])
})

describe('where others can reach the blog', () => {
  test('only the code of the last start sets it up', async () => {
    await using blog = await makeTestBlog(OPEN_TO_ALL, { isNew: true })
    const first = await blog.makeSetupCode()
    const second = (await blog.makeSetupCode()) ?? ''
    expect(second).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
    expect((await blog.call('GET', '/setup')).body.state).toBe('code')
    for (const [code, type] of [
      [undefined, 'setup_code_invalid'],
      ['AAAA-AAAA', 'setup_code_invalid'],
      [first, 'setup_code_replaced'],
    ])
      expect((await setUp(blog, { code })).body.type).toBe(type)
    const typed = ` ${second.toLowerCase().replace('-', ' ')} `
    expect((await setUp(blog, { code: typed })).status).toBe(201)
    expect(await blog.makeSetupCode()).toBe(undefined)
  })

  test('five codes a minute may be tried, right ones too', async () => {
    await using blog = await makeTestBlog(
      { ...OPEN_TO_ALL, BLOG_RATE_LIMITS: 'on' },
      { isNew: true },
    )
    const code = await blog.makeSetupCode()
    for (let turn = 0; turn < 5; turn++)
      expect((await setUp(blog, { code: 'AAAA-AAAA' })).status).toBe(401)
    expect((await setUp(blog, { code })).status).toBe(429)
    blog.passTime(60_000)
    expect((await setUp(blog, { code })).status).toBe(201)
  })

  test.each([
    ['a trusted proxy', { BLOG_TRUSTED_PROXIES: 'loopback' }, {}],
    ['a proxy that is not known', {}, { 'x-forwarded-for': '203.0.113.7' }],
    ['a host on every network', { HOST: '0.0.0.0' }, {}],
  ])('%s asks for the code', async (_what, env: Record<string, string>, headers) => {
    await using blog = await makeTestBlog(env, { isNew: true })
    expect((await blog.call('GET', '/setup', { headers })).body.state).toBe('code')
    expect((await setUp(blog, {}, headers)).body.type).toBe('setup_code_invalid')
  })

  test('a name that another site leads to this host asks for the code', async () => {
    await using blog = await makeTestBlog({}, { isNew: true })
    const { hostname, port } = new URL(blog.url)
    const { promise, resolve } = Promise.withResolvers<string>()
    const { request } = await import('node:http')
    request(
      {
        ...{ host: hostname, port, path: '/v1/setup' },
        headers: { host: `evil.example:${port}`, 'x-appwrite-project': 'blog' },
      },
      (answer) => answer.setEncoding('utf8').on('data', resolve),
    ).end()
    expect(JSON.parse(await promise)).toMatchObject({ state: 'code' })
  })
})

test.each([
  { siteName: ' ' },
  { siteName: 'two\nlines' },
  { siteName: 'x'.repeat(61) },
  { about: 'x'.repeat(161) },
  { reading: 'nobody' },
  { email: 'olga' },
  { password: 'short' },
  { password: 'Olga' },
])('%j changes nothing', async (wrong) => {
  await using blog = await makeTestBlog({}, { isNew: true })
  expect((await setUp(blog, wrong)).status).toBe(400)
  expect((await blog.call('GET', '/setup')).body).toMatchObject({
    ...{ state: 'open', siteName: 'Web App' },
  })
})

test('a value that the environment sets stays, and cannot be sent', async () => {
  await using blog = await makeTestBlog({ BLOG_SITE_NAME: 'Fixed' }, { isNew: true })
  const cookie = cookieOf(await setUp(blog))
  const { body } = await blog.call('GET', '/site', { cookie })
  expect(body).toMatchObject({ siteName: 'Fixed', reading: 'everyone', fixed: ['siteName'] })
  const sent = await blog.call('PATCH', '/site', { cookie, body: { siteName: 'Other' } })
  expect([sent.status, sent.body.message]).toEqual([400, expect.stringContaining('on the server')])
})

test('an accent is a colour in six digits; what is none is refused', async () => {
  await using blog = await makeTestBlog({}, { isNew: true })
  const cookie = cookieOf(await setUp(blog))
  for (const accent of ['red', '#12345', '#1234567', '#12345G', '#123456;}', '#123456\n'])
    expect((await blog.call('PATCH', '/site', { cookie, body: { accent } })).status).toBe(400)
  const sent = await blog.call('PATCH', '/site', { cookie, body: { accent: '#1d5866' } })
  expect(sent.body).toMatchObject({ accent: '#1d5866' })
})

for (const [kind, tags] of BLOG_DATABASES)
  test(`of ten at once on ${kind} one sets the blog up`, { tags }, async () => {
    const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}, {
      isNew: true,
    })
    const sent = Array.from({ length: 10 }, (_, at) =>
      setUp(blog, { email: `olga${at}@example.test`, siteName: `Lamps ${at}` }),
    )
    const done = await Promise.all(sent)
    const won = done.findIndex(({ status }) => status === 201)
    expect(done.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    const { body } = await blog.call('GET', '/users', {
      headers: { 'x-appwrite-key': blog.apiKey },
    })
    expect(body.users.map(({ email }: { email: string }) => email)).toEqual([
      `olga${won}@example.test`,
    ])
    expect((await blog.call('GET', '/setup')).body.siteName).toBe(`Lamps ${won}`)
    await blog[Symbol.asyncDispose]()
    await postgres?.drop()
  })
