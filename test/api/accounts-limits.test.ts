// Rate limits of accounts (threat-model §3): what is counted, for whom, and whom it never locks out.
import { expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'

const HOUR_MS = 3_600_000
const [PER_EMAIL_AND_ADDRESS] = RATE.signInFailuresPerEmailAndAddress
const [PER_EMAIL] = RATE.signInFailuresPerEmail
const [PER_ADDRESS] = RATE.signInFailuresPerAddress

/** Limits on, and a proxy in front, so that a test can call from many addresses. */
async function makeLimitedBlog(env = { BLOG_TRUSTED_PROXIES: 'loopback' }): Promise<TestBlog> {
  const blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on', ...env })
  // Windows end with the hour: no test shall run across its end.
  blog.passTime(HOUR_MS - (Date.now() % HOUR_MS))
  return blog
}

function signIn(blog: TestBlog, { email, password }: { email: string; password: string }, { from = '192.0.2.1', cookie = '' } = {}): Promise<Answer> {
  return blog.call('POST', '/account/sessions/email', { body: { email, password }, headers: { 'x-forwarded-for': from }, cookie })
}

const guess = (blog: TestBlog, { email }: Pick<Person, 'email'>, options: { from?: string; cookie?: string } = {}) =>
  signIn(blog, { email, password: 'wrong lamps' }, options)

async function failTimes(times: number, fail: (index: number) => Promise<Answer>): Promise<void> {
  for (let index = 0; index < times; index++) expect((await fail(index)).status).toBe(401)
}

function expectLimited({ status, headers, body }: Answer, limit: number): void {
  expect(body).toEqual({ message: expect.any(String), code: 429, type: 'general_rate_limit_exceeded', version: '1.4.13' })
  expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([429, String(limit), '0'])
  const retryAfter = Number(headers.get('retry-after'))
  expect(retryAfter >= 1 && retryAfter <= 3600).toBe(true)
  expect(Number(headers.get('x-ratelimit-reset')) % 3600).toBe(0)
  expect(headers.getSetCookie()).toEqual([])
}

test('ten sign-ups an hour from one address, whatever becomes of them; then none', async () => {
  await using blog = await makeLimitedBlog()
  const signUp = (email: string, from = '192.0.2.1') =>
    blog.call('POST', '/account', { body: { userId: 'unique()', email, password: 'correct horse' }, headers: { 'x-forwarded-for': from } })
  const statuses: number[] = []
  for (let index = 0; index < 10; index++) statuses.push((await signUp(index < 5 ? `p${index}@example.test` : 'nonsense')).status)
  expect(statuses).toEqual([201, 201, 201, 201, 201, 400, 400, 400, 400, 400])
  expectLimited(await signUp('late@example.test'), 10)
  expect((await signIn(blog, { email: 'late@example.test', password: 'correct horse' })).status).toBe(401)
  expect((await signUp('late@example.test', '192.0.2.2')).status).toBe(201)
  blog.passTime(HOUR_MS)
  expect((await signUp('later@example.test')).status).toBe(201)
})

test('ten failures for one e-mail from one place; then even the right password must wait', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  const spellings = [alice.email, alice.email.toUpperCase(), `  ${alice.email} `]
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) => guess(blog, { email: spellings[index % 3] ?? '' }))
  expectLimited(await guess(blog, alice), PER_EMAIL_AND_ADDRESS)
  expectLimited(await signIn(blog, alice), PER_EMAIL_AND_ADDRESS)
  expect(blog.log.filter(({ event, userId }) => event === 'lockout' && userId === alice.id)).toHaveLength(2)
  expect((await signIn(blog, alice, { from: '192.0.2.2' })).status).toBe(201)
  blog.passTime(HOUR_MS)
  expect((await signIn(blog, alice)).status).toBe(201)
})

test('the other address of signing in is the same counter', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  const paths = ['/account/sessions', '/account/sessions/email']
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const answers: number[] = []
  for (let index = 0; index <= PER_EMAIL_AND_ADDRESS; index++) {
    const body = { email: alice.email, password: 'wrong lamps' }
    answers.push((await blog.call('POST', paths[index % 2] ?? '', { body, headers })).status)
  }
  expect(answers).toEqual([...Array.from({ length: PER_EMAIL_AND_ADDRESS }, () => 401), 429])
})

test('guesses sent all at once get no further than one after another', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess(blog, alice)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(PER_EMAIL_AND_ADDRESS)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - PER_EMAIL_AND_ADDRESS)
})

test('success counts for nothing and forgets the failures before it', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  for (let round = 0; round < 3; round++) {
    await failTimes(PER_EMAIL_AND_ADDRESS - 1, () => guess(blog, alice))
    const answer = await signIn(blog, alice)
    expect([answer.status, answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]).toEqual([201, '10', '10'])
  }
  const many = await Promise.all(Array.from({ length: PER_EMAIL_AND_ADDRESS + 5 }, () => signIn(blog, alice)))
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 201))
})

test('an unknown e-mail is counted as a known one', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  const [known, unknown] = [await guess(blog, alice), await guess(blog, { email: 'nobody@example.test' })]
  const standing = ({ headers }: Answer) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(standing(known)).toEqual(standing(unknown))
  await failTimes(PER_EMAIL_AND_ADDRESS - 1, () => guess(blog, { email: 'nobody@example.test' }))
  expectLimited(await guess(blog, { email: 'nobody@example.test' }), PER_EMAIL_AND_ADDRESS)
})

test('fifty failures for one e-mail from everywhere stop strangers, but not the browser its owner knows', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const browserOf = (person: Person) => person.cookie.split('; ').find((one) => one.startsWith('a_browser_')) ?? ''
  expect(browserOf(alice)).toMatch(/^a_browser_blog=[0-9a-f]{32}\.[0-9a-f]{64}$/)
  await failTimes(PER_EMAIL, (index) => guess(blog, alice, { from: `192.0.2.${index}` }))

  expectLimited(await guess(blog, alice, { from: '198.51.100.1' }), PER_EMAIL)
  expectLimited(await signIn(blog, alice, { from: '198.51.100.2' }), PER_EMAIL)
  // Somebody else's known browser helps nobody.
  expectLimited(await signIn(blog, alice, { from: '198.51.100.3', cookie: browserOf(bob) }), PER_EMAIL)
  expect((await signIn(blog, bob, { from: '198.51.100.4' })).status).toBe(201)

  const owner = await signIn(blog, alice, { from: '192.0.2.1', cookie: browserOf(alice) })
  expect(owner.status).toBe(201)
  // It carries its mark already.
  expect(owner.headers.getSetCookie()).toHaveLength(1)
  // And it is counted for itself.
  await failTimes(PER_EMAIL_AND_ADDRESS, () => guess(blog, alice, { cookie: browserOf(alice) }))
  expectLimited(await guess(blog, alice, { cookie: browserOf(alice), from: '198.51.100.5' }), PER_EMAIL_AND_ADDRESS)
})

test('a hundred failures from one address, whoever is guessed', async () => {
  await using blog = await makeLimitedBlog()
  const alice = await blog.makePerson('alice')
  await failTimes(PER_ADDRESS, (index) => guess(blog, { email: `p${Math.floor(index / 5)}@example.test` }))
  expectLimited(await guess(blog, { email: 'fresh@example.test' }), PER_ADDRESS)
  expectLimited(await signIn(blog, alice), PER_ADDRESS)
  expect((await signIn(blog, alice, { from: '192.0.2.2' })).status).toBe(201)
})

test('a made-up X-Forwarded-For makes nobody somebody else', async () => {
  await using blog = await makeLimitedBlog({ BLOG_TRUSTED_PROXIES: '' })
  const alice = await blog.makePerson('alice')
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) => guess(blog, alice, { from: `192.0.2.${index}` }))
  expectLimited(await guess(blog, alice, { from: '198.51.100.1' }), PER_EMAIL_AND_ADDRESS)
})

test('a hundred sign-outs an hour from one address', async () => {
  await using blog = await makeLimitedBlog()
  const { cookie } = await blog.makePerson('alice')
  const end = () => blog.call('DELETE', '/account/sessions/nothing', { cookie, body: {} })
  const first = await end()
  expect([first.status, first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual([404, '100', '99'])
  for (let index = 1; index < 100; index++) await end()
  expectLimited(await end(), 100)
  expect((await blog.call('GET', '/account', { cookie })).status).toBe(200)
})
