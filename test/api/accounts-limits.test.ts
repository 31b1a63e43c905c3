// Rate limits of accounts (threat-model.md §3): what is counted, for whom, and who is never locked
// out.
import { describe, expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { shareMailBlog } from '#test/support/mail-blog.ts'
import { sampled } from '#test/support/sampled.ts'

const HOUR_MS = 3_600_000
const [PER_EMAIL_AND_ADDRESS] = RATE.signInFailuresPerEmailAndAddress
const [PER_EMAIL] = RATE.signInFailuresPerEmail
const [PER_ADDRESS] = RATE.signInFailuresPerAddress

/** Limits are on and a proxy is trusted, so that a test can call from many addresses. */
const shareLimited = shareMailBlog({ BLOG_RATE_LIMITS: 'on', BLOG_TRUSTED_PROXIES: 'loopback' })

/** An hour later than in the last test: all counters have expired. */
async function openLimited() {
  const limited = await shareLimited()
  limited.blog.passTime(HOUR_MS)
  return limited
}

function signIn(
  blog: TestBlog,
  { email, password }: { email: string; password: string },
  { from = '192.0.2.1', cookie = '' } = {},
): Promise<Answer> {
  return blog.call('POST', '/account/sessions/email', {
    body: { email, password },
    headers: { 'x-forwarded-for': from },
    cookie,
  })
}

const guess = (
  blog: TestBlog,
  { email }: Pick<Person, 'email'>,
  options: { from?: string; cookie?: string } = {},
) => signIn(blog, { email, password: 'wrong lamps' }, options)

async function failTimes(times: number, fail: (index: number) => Promise<Answer>): Promise<void> {
  for (let index = 0; index < times; index++) expect((await fail(index)).status).toBe(401)
}

function expectLimited({ status, headers, body }: Answer, limit: number): void {
  expect(body).toEqual({
    message: expect.any(String),
    code: 429,
    type: 'general_rate_limit_exceeded',
    version: '1.4.13',
  })
  expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
    429,
    String(limit),
    '0',
  ])
  const retryAfter = Number(headers.get('retry-after'))
  expect(retryAfter >= 1 && retryAfter <= 3600).toBe(true)
  expect(Number(headers.get('x-ratelimit-reset')) % 3600).toBe(0)
  expect(headers.getSetCookie()).toEqual([])
}

test('one address can sign up ten times an hour, successfully or not', async () => {
  const { blog } = await openLimited()
  const signUp = (email: string, from = '192.0.2.1') =>
    blog.call('POST', '/account', {
      body: { userId: 'unique()', email, password: 'correct horse' },
      headers: { 'x-forwarded-for': from },
    })
  const statuses: number[] = []
  for (let index = 0; index < 10; index++)
    statuses.push((await signUp(index < 5 ? `p${index}@example.test` : 'nonsense')).status)
  expect(statuses).toEqual([201, 201, 201, 201, 201, 400, 400, 400, 400, 400])
  expectLimited(await signUp('late@example.test'), 10)
  expect(
    (await signIn(blog, { email: 'late@example.test', password: 'correct horse' })).status,
  ).toBe(401)
  expect((await signUp('late@example.test', '192.0.2.2')).status).toBe(201)
  blog.passTime(HOUR_MS)
  expect((await signUp('later@example.test')).status).toBe(201)
})

test('after ten failures for one email from one network even the right password must wait', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  const spellings = [alice.email, alice.email.toUpperCase(), `  ${alice.email} `]
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) =>
    guess(blog, { email: spellings[index % 3] ?? '' }),
  )
  expectLimited(await guess(blog, alice), PER_EMAIL_AND_ADDRESS)
  expectLimited(await signIn(blog, alice), PER_EMAIL_AND_ADDRESS)
  expect(
    blog.log.filter(({ event, userId }) => event === 'lockout' && userId === alice.id),
  ).toHaveLength(2)
  expect((await signIn(blog, alice, { from: '192.0.2.2' })).status).toBe(201)
  blog.passTime(HOUR_MS)
  expect((await signIn(blog, alice)).status).toBe(201)
})

test('both sign-in paths share one counter', async () => {
  const { blog } = await openLimited()
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

test('concurrent guesses are limited like consecutive ones', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  const guesses = 2 * PER_EMAIL_AND_ADDRESS
  const answers = await Promise.all(Array.from({ length: guesses }, () => guess(blog, alice)))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(PER_EMAIL_AND_ADDRESS)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(PER_EMAIL_AND_ADDRESS)
})

test('a success does not count and resets the failures before it', { tags: ['more'] }, async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  for (let round = 0; round < 3; round++) {
    await failTimes(PER_EMAIL_AND_ADDRESS - 1, () => guess(blog, alice))
    const answer = await signIn(blog, alice)
    expect([
      answer.status,
      answer.headers.get('x-ratelimit-limit'),
      answer.headers.get('x-ratelimit-remaining'),
    ]).toEqual([201, '10', '10'])
  }
  const answers = await Promise.all(
    Array.from({ length: PER_EMAIL_AND_ADDRESS + 5 }, () => signIn(blog, alice)),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
})

test('an unknown email is counted like a known one', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  const answer = await guess(blog, alice)
  const unknown = await guess(blog, { email: 'nobody@example.test' })
  const limits = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(limits(answer)).toEqual(limits(unknown))
  await failTimes(PER_EMAIL_AND_ADDRESS - 1, () => guess(blog, { email: 'nobody@example.test' }))
  expectLimited(await guess(blog, { email: 'nobody@example.test' }), PER_EMAIL_AND_ADDRESS)
})

/** The cookie that identifies a known browser of a user. */
const browserOf = (person: Person) =>
  person.cookie.split('; ').find((one) => one.startsWith('a_browser_')) ?? ''

/** Fifty failures for alice’s email, from as many addresses. */
async function failEverywhere() {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  await failTimes(PER_EMAIL, (index) => guess(blog, alice, { from: `192.0.2.${index}` }))
  return { blog, alice, bob }
}

test('fifty failures for one email from many addresses lock out strangers, even with a known browser', async () => {
  const { blog, alice, bob } = await failEverywhere()
  expectLimited(await guess(blog, alice, { from: '198.51.100.1' }), PER_EMAIL)
  expectLimited(await signIn(blog, alice, { from: '198.51.100.2' }), PER_EMAIL)
  // A browser that is known to another account does not help.
  expectLimited(
    await signIn(blog, alice, { from: '198.51.100.3', cookie: browserOf(bob) }),
    PER_EMAIL,
  )
  expect((await signIn(blog, bob, { from: '198.51.100.4' })).status).toBe(201)
})

test('fifty failures from many addresses do not lock out a browser that the owner has used', async () => {
  const { blog, alice } = await failEverywhere()
  expect(browserOf(alice)).toMatch(/^a_browser_blog_\d+=[0-9a-f]{32}\.[0-9a-f]{64}$/)
  const owner = await signIn(blog, alice, { from: '192.0.2.1', cookie: browserOf(alice) })
  expect(owner.status).toBe(201)
  // The browser already has its cookie, and gets only that of the session.
  expect(owner.headers.getSetCookie()).toHaveLength(1)
  // Failures of this browser have a counter of their own.
  await failTimes(PER_EMAIL_AND_ADDRESS, () => guess(blog, alice, { cookie: browserOf(alice) }))
  expectLimited(
    await guess(blog, alice, { cookie: browserOf(alice), from: '198.51.100.5' }),
    PER_EMAIL_AND_ADDRESS,
  )
})

test('one address can fail a hundred times, whichever accounts it guesses', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  await failTimes(PER_ADDRESS, (index) =>
    guess(blog, { email: `p${Math.floor(index / 5)}@example.test` }),
  )
  expectLimited(await guess(blog, { email: 'fresh@example.test' }), PER_ADDRESS)
  expectLimited(await signIn(blog, alice), PER_ADDRESS)
  expect((await signIn(blog, alice, { from: '192.0.2.2' })).status).toBe(201)
})

test('a forged X-Forwarded-For does not change the address', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on', BLOG_TRUSTED_PROXIES: '' })
  const alice = await blog.makePerson('alice')
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) =>
    guess(blog, alice, { from: `192.0.2.${index}` }),
  )
  expectLimited(await guess(blog, alice, { from: '198.51.100.1' }), PER_EMAIL_AND_ADDRESS)
})

test('the addresses of one IPv6 network are counted together', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) =>
    guess(blog, alice, { from: `2001:db8:1:2::${index + 1}` }),
  )
  expectLimited(await signIn(blog, alice, { from: '2001:db8:1:2:ffff::' }), PER_EMAIL_AND_ADDRESS)
  const elsewhere = await signIn(blog, alice, { from: '2001:db8:1:3::1' })
  expect([elsewhere.status, elsewhere.body.ip]).toEqual([201, '2001:db8:1:3::1'])
})

test('both spellings of an IPv4 address are counted together', async () => {
  const { blog } = await openLimited()
  const bob = await blog.makePerson('bob')
  await failTimes(PER_EMAIL_AND_ADDRESS, (index) =>
    guess(blog, bob, { from: index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1' }),
  )
  expectLimited(await signIn(blog, bob), PER_EMAIL_AND_ADDRESS)
})

test('one address can sign out a hundred times an hour', { tags: ['more'] }, async () => {
  const { blog } = await openLimited()
  const { cookie } = await blog.makePerson('alice')
  const end = () => blog.call('DELETE', '/account/sessions/nothing', { cookie, body: {} })
  const first = await end()
  expect([
    first.status,
    first.headers.get('x-ratelimit-limit'),
    first.headers.get('x-ratelimit-remaining'),
  ]).toEqual([404, '100', '99'])
  for (let index = 1; index < 100; index++) await end()
  expectLimited(await end(), 100)
  expect((await blog.call('GET', '/account', { cookie })).status).toBe(200)
})

describe('mailed links', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const ask = (blog: TestBlog, path: string, email: unknown, address: string) =>
    blog.call('POST', path, {
      body: { userId: 'unique()', email, url: `${blog.url}/somewhere` },
      headers: from(address),
    })

  for (const [tags, path] of sampled(['/account/recovery', '/account/sessions/magic-url'], 2))
    test(`ten requests an hour are allowed for one email, known or not, from all addresses: POST ${path}`, {
      tags,
    }, async () => {
      const { blog, sink } = await openLimited()
      const alice = await blog.makePerson('alice')
      for (const email of [alice.email, 'nobody@example.test']) {
        const spellings = [email, ` ${email.toUpperCase()} `]
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            ask(blog, path, spellings[index % 2], `192.0.2.${index}`),
          ),
        )
        expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
        expectLimited(await ask(blog, path, email, '192.0.2.99'), 10)
      }
      await sink.waitForMail(alice.email, 10)
      expect(sink.mails.filter(({ recipients }) => recipients.includes(alice.email))).toHaveLength(
        10,
      )
      blog.passTime(HOUR_MS)
      expect((await ask(blog, path, alice.email, '192.0.2.1')).status).toBe(201)
    })

  for (const [tags, path] of sampled(['/account/sessions/magic-url', '/account/recovery'], 2))
    test(`ten requests an hour are allowed from one address, valid or not: POST ${path}`, {
      tags,
    }, async () => {
      const { blog } = await openLimited()
      const emailAt = (index: number) => (index % 2 ? `p${index}@example.test` : 'nonsense')
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => ask(blog, path, emailAt(index), '192.0.2.1')),
      )
      expect(answers.map(({ status }) => status)).toEqual(
        Array.from({ length: 10 }, (_, index) => (index % 2 ? 201 : 400)),
      )
      expectLimited(await ask(blog, path, 'late@example.test', '192.0.2.1'), 10)
      // The newer path shares the counter.
      if (path.includes('magic'))
        expectLimited(
          await ask(blog, '/account/tokens/magic-url', 'late@example.test', '192.0.2.1'),
          10,
        )
      expect((await ask(blog, path, 'late@example.test', '192.0.2.2')).status).toBe(201)
    })

  const SECRETS = [
    { kind: 'recovery', start: '/account/recovery', calls: [['PUT', '/account/recovery']] },
    {
      kind: 'verification',
      start: '/account/verification',
      calls: [
        ['PUT', '/account/verification'],
        ['PUT', '/account/verifications/email'],
      ],
    },
    {
      kind: 'magic-url',
      start: '/account/sessions/magic-url',
      calls: [
        ['PUT', '/account/sessions/magic-url'],
        ['POST', '/account/sessions/token'],
      ],
    },
  ] as const
  for (const [tags, { kind, start, calls }] of sampled(SECRETS, 3))
    test(`one user’s ${kind} secret can be guessed ten times an hour, from all addresses; other users are not affected`, {
      tags,
    }, async () => {
      const { blog, secretFor } = await openLimited()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      for (const { cookie, email } of [alice, bob]) {
        await blog.call('POST', start, {
          cookie,
          body: { userId: 'unique()', email, url: `${blog.url}/somewhere` },
        })
      }
      const redeem = (proof: object, index: number) => {
        const [method, path] = calls[index % calls.length] ?? calls[0]
        return blog.call(method, path, {
          body: { ...proof, password: 'a brighter lamp' },
          headers: from(`192.0.2.${index}`),
        })
      }
      for (let index = 0; index < 10; index++) {
        const { body } = await redeem({ userId: alice.id, secret: `guess ${index}` }, index)
        expect(body).toMatchObject({ code: 401, type: 'user_invalid_token' })
      }
      expectLimited(await redeem(await secretFor(alice.email), 20), 10)
      expect(
        (await blog.call('GET', '/account', { cookie: alice.cookie })).body.emailVerification,
      ).toBe(false)
      expect((await redeem(await secretFor(bob.email), 21)).status).toBeLessThan(300)
    })
})

for (const [tags, attribute] of sampled(['email', 'password'], 2))
  test(`a user can try to change the ${attribute} ten times an hour, successfully or not`, {
    tags,
  }, async () => {
    const { blog } = await openLimited()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const change = ({ cookie }: Person, oldPassword: string, address = '192.0.2.1') => {
      const body =
        attribute === 'email'
          ? { email: 'new@example.test', password: oldPassword }
          : { password: 'a brighter lamp', oldPassword }
      return blog.call('PATCH', `/account/${attribute}`, {
        cookie,
        body,
        headers: { 'x-forwarded-for': address },
      })
    }
    for (let index = 0; index < 10; index++)
      expect((await change(alice, 'wrong lamps', `192.0.2.${index}`)).status).toBe(401)
    expectLimited(await change(alice, alice.password), 10)
    expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body.email).toBe(
      alice.email,
    )
    expect((await signIn(blog, alice)).status).toBe(201)
    expect((await change(bob, bob.password)).status).toBe(200)
  })

test('a user can request ten verification mails an hour', async () => {
  const { blog } = await openLimited()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const ask = ({ cookie }: Person) =>
    blog.call('POST', '/account/verification', {
      cookie,
      body: { url: `${blog.url}/verification` },
    })
  for (let index = 0; index < 10; index++) expect((await ask(alice)).status).toBe(201)
  expectLimited(await ask(alice), 10)
  expect((await ask(bob)).status).toBe(201)
})

test('a flood from one address holds up nobody else', { tags: ['more'] }, async () => {
  await using blog = await makeTestBlog(
    { BLOG_TRUSTED_PROXIES: 'loopback' },
    { hashesSlowly: true },
  )
  const alice = await blog.makePerson('alice')
  const flood = Array.from({ length: 100 }, (_, index) =>
    guess(blog, { email: `nobody${index}@example.test` }, { from: '192.0.2.9' }),
  )
  expect((await signIn(blog, alice, { from: '192.0.2.1' })).status).toBe(201)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401, 503]))
  expect((await signIn(blog, alice, { from: '192.0.2.9' })).status).toBe(201)
})
