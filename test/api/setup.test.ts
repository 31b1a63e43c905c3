// Setting up a blog without an operator: who may do it, with which code, and that it happens once.
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { cookieOf, makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

/** A blog without an operator, for calls that are refused and do not set it up. */
const newBlog = shareBlog(() => makeTestBlog({}, { isNew: true }))

const OLGA = { name: 'Olga', email: 'olga@example.test', password: 'lantern meadow quarry' }
const VALUES = { siteName: 'Lamps', about: 'About lamps.', reading: 'everyone' }
const REACHABLE_BY_OTHERS = { BLOG_PUBLIC_URL: 'https://blog.example' }

/** The headers of a browser that has opened the blog at its address on this machine. */
const browserAt = ({ url }: TestBlog) => ({ origin: url, 'sec-fetch-site': 'same-origin' })

/** A blog that was set up with an empty name. */
const withOperator = shareBlog(async () => {
  const blog = await makeTestBlog({}, { isNew: true })
  return { ...blog, cookie: cookieOf(await setUp(blog, { siteName: ' ' })) }
})

type Headers = Record<string, string>
function setUp(blog: TestBlog, extraFields: object = {}, headers: Headers = browserAt(blog)) {
  return blog.call('POST', '/setup', { body: { ...VALUES, ...OLGA, ...extraFields }, headers })
}

async function stateOf(blog: TestBlog, headers: Headers = browserAt(blog)): Promise<string> {
  return (await blog.call('GET', '/setup', { headers })).body.state
}

test('a browser on this machine needs no code if nobody else can reach the blog', async () => {
  await using blog = await makeTestBlog({}, { isNew: true })
  expect(await stateOf(blog)).toBe('open')
  const answer = await setUp(blog)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const cookie = cookieOf(answer)
  expect((await blog.call('GET', '/account', { cookie })).body).toMatchObject({
    name: 'Olga',
    email: OLGA.email,
    labels: ['operator'],
    emailVerification: true,
  })
  expect((await blog.call('GET', '/site', { cookie })).body).toMatchObject(VALUES)
  expect(await stateOf(blog)).toBe('done')
  expect(await blog.makeSetupCode()).toBe(undefined)
  expect((await setUp(blog, { email: 'eve@example.test' })).body.type).toBe('setup_done')
  const people = { headers: { 'x-appwrite-key': blog.apiKey } }
  expect((await blog.call('GET', '/users', people)).body.total).toBe(1)
})

test('an existing account becomes the operator with its password', async () => {
  await using blog = await makeTestBlog({}, { isNew: true })
  const alice = await blog.makePerson('alice')
  const fields = { ...VALUES, email: alice.email }
  const send = (password: string) =>
    blog.call('POST', '/setup', { body: { ...fields, password }, headers: browserAt(blog) })
  const refused = await send('not this one')
  expect([refused.status, refused.body.type]).toEqual([401, 'user_invalid_credentials'])
  expect(await stateOf(blog)).toBe('open')
  const accepted = await send(alice.password)
  expect(accepted.status).toBe(201)
  const { body } = await blog.call('GET', '/account', { cookie: alice.cookie })
  expect(body.labels).toEqual(['operator'])
})

describe('where others can reach the blog', () => {
  test('only the setup code printed last is accepted', async () => {
    await using blog = await makeTestBlog(REACHABLE_BY_OTHERS, { isNew: true })
    const first = await blog.makeSetupCode()
    const second = (await blog.makeSetupCode()) ?? ''
    expect(second).toMatch(/^[A-HJ-NP-Z2-9]{4}(-[A-HJ-NP-Z2-9]{4}){2}$/)
    expect(await stateOf(blog)).toBe('code')
    for (const [code, type] of [
      [undefined, 'setup_code_invalid'],
      ['AAAA-AAAA', 'setup_code_invalid'],
      [first, 'setup_code_replaced'],
    ])
      expect((await setUp(blog, { code }, {})).body.type).toBe(type)
    const typedCode = ` ${second.toLowerCase().replaceAll('-', ' ')} `
    expect((await setUp(blog, { code: typedCode }, {})).status).toBe(201)
    expect(await blog.makeSetupCode()).toBe(undefined)
  })

  test('the right code is accepted however many wrong ones were sent from the same address', async () => {
    await using blog = await makeTestBlog(
      { ...REACHABLE_BY_OTHERS, BLOG_RATE_LIMITS: 'on' },
      { isNew: true },
    )
    const code = await blog.makeSetupCode()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await setUp(blog, { code: 'AAAA-AAAA-AAAA' }, {})).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(2).fill(429)])
    expect((await setUp(blog, { code }, {})).status).toBe(201)
  })

  const REACHABLE: [what: string, env: Record<string, string>][] = [
    ['a trusted proxy', { BLOG_TRUSTED_PROXIES: 'loopback' }],
    ['a host on every network', { HOST: '0.0.0.0' }],
    ['a public address with TLS', { BLOG_PUBLIC_URL: 'https://localhost' }],
    ['a public address at another port', { BLOG_PUBLIC_URL: 'http://localhost' }],
  ]
  for (const [tags, [what, env]] of sampled(REACHABLE, 3))
    test(`${what} requires the code`, { tags }, async () => {
      await using blog = await makeTestBlog(env, { isNew: true })
      expect(await stateOf(blog)).toBe('code')
      const answer = await setUp(
        blog,
        {},
        { ...browserAt(blog), origin: env.BLOG_PUBLIC_URL ?? blog.url },
      )
      expect(answer.body.type).toBe('setup_code_invalid')
    })

  const HEADERS = [
    'forwarded',
    'forwarded-for',
    'via',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-real-ip',
    'x-client-ip',
    'cf-connecting-ip',
    'cdn-loop',
    'true-client-ip',
    'fly-client-ip',
    'x-unknown',
  ]
  for (const [tags, name] of sampled(HEADERS, 4))
    test(`a request with ${name} requires the code`, { tags }, async () => {
      const blog = await newBlog()
      const headers = { ...browserAt(blog), [name]: '203.0.113.7' }
      expect(await stateOf(blog, headers)).toBe('code')
      expect((await setUp(blog, {}, headers)).body.type).toBe('setup_code_invalid')
    })

  test('a program on this machine, such as a proxy or a crawler, needs the code', async () => {
    const blog = await newBlog()
    for (const headers of [{}, { origin: blog.url }] as Headers[]) {
      expect(await stateOf(blog, headers)).toBe('code')
      expect((await setUp(blog, {}, headers)).body.type).toBe('setup_code_invalid')
    }
    const withoutOrigin = { 'sec-fetch-site': 'none' }
    expect((await setUp(blog, {}, withoutOrigin)).body.type).toBe('setup_code_invalid')
  })

  test.each(['evil.example:PORT', 'localhost', 'localhost:1', 'localhost:PORT@x', '127.0.0.1', ''])(
    'a request for the host %j requires the code',
    async (name) => {
      const blog = await newBlog()
      const { port } = new URL(blog.url)
      expect(await sendByHand(blog, name.replace('PORT', port))).toContain('"state":"code"')
    },
  )

  test('a request in HTTP/1.0, as proxies send it, requires the code', async () => {
    const blog = await newBlog()
    const { host } = new URL(blog.url)
    expect(await sendByHand(blog, host, '1.1')).toContain('"state":"open"')
    expect(await sendByHand(blog, host, '1.0')).toContain('"state":"code"')
  })

  test('a request with headers that a browser would not send requires the code', async () => {
    const blog = await newBlog()
    const { host } = new URL(blog.url)
    const headers = ['Connection: close', 'Connection: upgrade', 'X-Requested-With: nothing']
    for (const header of headers)
      expect(await sendByHand(blog, host, '1.1', header)).toContain('"state":"code"')
  })
})

/** @returns the whole answer to a request with any Host header */
async function sendByHand(
  { url }: TestBlog,
  host: string,
  version = '1.1',
  connection = 'Connection: keep-alive',
): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `GET /v1/setup HTTP/${version}`,
    `Host: ${host}`,
    'Sec-Fetch-Site: none',
    'X-Appwrite-Project: blog',
    connection,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    answer += chunk
    if (/"state":"\w+".*\}|^HTTP\/1.1 4/s.test(answer)) break
  }
  return answer
}

test.each([
  { siteName: 'two\nlines' },
  { siteName: 'x'.repeat(61) },
  { about: 'x'.repeat(161) },
  { reading: 'nobody' },
  { email: 'olga' },
  { password: 'short' },
  { password: 'Olga' },
])('%j is refused and changes nothing', async (wrong) => {
  const blog = await newBlog()
  expect((await setUp(blog, wrong)).status).toBe(400)
  const { body } = await blog.call('GET', '/setup', { headers: browserAt(blog) })
  expect(body).toMatchObject({ state: 'open', siteName: 'Web App' })
})

test('an empty name leaves the blog’s name as it is', async () => {
  const { call, cookie } = await withOperator()
  expect((await call('GET', '/site', { cookie })).body).toMatchObject({ siteName: 'Web App' })
})

test('a value that the environment sets stays, and cannot be sent', async () => {
  await using blog = await makeTestBlog({ BLOG_SITE_NAME: 'Fixed' }, { isNew: true })
  const cookie = cookieOf(await setUp(blog))
  const { body } = await blog.call('GET', '/site', { cookie })
  expect(body).toMatchObject({ siteName: 'Fixed', reading: 'everyone', fixed: ['siteName'] })
  const answer = await blog.call('PATCH', '/site', { cookie, body: { siteName: 'Other' } })
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringContaining('on the server'),
  ])
})

test('an accent is a colour of six hex digits; anything else is refused', async () => {
  const { call, cookie } = await withOperator()
  for (const accent of ['red', '#12345', '#1234567', '#12345G', '#123456;}', '#123456\n'])
    expect((await call('PATCH', '/site', { cookie, body: { accent } })).status).toBe(400)
  const answer = await call('PATCH', '/site', { cookie, body: { accent: '#1d5866' } })
  expect(answer.body).toMatchObject({ accent: '#1d5866' })
})

for (const [kind, tags] of DATABASES)
  test(`of ten simultaneous requests on ${kind}, one sets the blog up`, { tags }, async () => {
    const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}, {
      isNew: true,
    })
    const requests = Array.from({ length: 10 }, (_, at) =>
      setUp(blog, { email: `olga${at}@example.test`, siteName: `Lamps ${at}` }),
    )
    const answers = await Promise.all(requests)
    const winner = answers.findIndex(({ status }) => status === 201)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    const { body } = await blog.call('GET', '/users', {
      headers: { 'x-appwrite-key': blog.apiKey },
    })
    expect(body.users.map(({ email }: { email: string }) => email)).toEqual([
      `olga${winner}@example.test`,
    ])
    expect((await blog.call('GET', '/setup')).body.siteName).toBe(`Lamps ${winner}`)
    await blog[Symbol.asyncDispose]()
    await postgres?.drop()
  })
