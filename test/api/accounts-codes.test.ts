// Signing in by a code in a mail: what tells nothing, what is counted, and what a code is good for.
import { describe, expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import { type MailBlog, makeMailBlog, shareMailBlog } from '#test/support/mail-blog.ts'
import { cookieOf, whoAmI } from '#test/support/mail-calls.ts'

const openShared = shareMailBlog()

const INVALID = { code: 401, type: 'user_invalid_token' }

const askCode = (blog: TestBlog, body: object) =>
  blog.call('POST', '/account/tokens/email', { body })
const enterCode = (blog: TestBlog, userId: string, secret: string) =>
  blog.call('POST', '/account/sessions/token', { body: { userId, secret } })

async function codeFor(
  { sink }: Pick<MailBlog, 'sink'>,
  email: string,
  count = 1,
): Promise<string> {
  const { text } = await sink.waitForMail(email, count)
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

const otherThan = (code: string, by: number) =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0')

describe('a code in a mail', () => {
  test('signs in once with the id of the answer, known address or not, and verifies it', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const answers = []
    for (const [userId, email] of [
      ['chosen', alice.email],
      ['new-one', 'nina@example.test'],
    ] as const) {
      const asked = await askCode(blog, { userId, email })
      expect(asked.status).toBe(201)
      const code = await codeFor(it, email)
      expect(code).toMatch(/^\d{6}$/)
      expect(asked.body).toEqual({
        $id: expect.stringMatching(/^[0-9a-f]{20}$/),
        $createdAt: expect.any(String),
        userId,
        secret: '',
        expire: expect.any(String),
        phrase: '',
      })
      expect(Date.parse(asked.body.expire) - Date.parse(asked.body.$createdAt)).toBe(600_000)
      const session = await enterCode(blog, userId, code)
      expect(session.status).toBe(201)
      expect(session.body).toMatchObject({ provider: 'email', providerUid: email, current: true })
      expect('secret' in session.body).toBe(false)
      expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
        email,
        emailVerification: true,
      })
      expect((await enterCode(blog, userId, code)).body).toMatchObject(INVALID)
      expect(JSON.stringify(blog.log)).not.toContain(code)
      answers.push(session.body.userId)
    }
    expect(answers).toEqual([alice.id, 'new-one'])
    // The address had never been confirmed: what was there before may be a stranger's.
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
  })

  test('is answered alike for known, unknown and blocked addresses, and while nobody may join', async () => {
    await using it = await makeMailBlog({ BLOG_REGISTRATION: 'closed' })
    const { blog, sink } = it
    const headers = { 'x-appwrite-key': blog.apiKey }
    for (const [userId, status] of [
      ['known', true],
      ['blocked', false],
    ] as const) {
      const body = { userId, email: `${userId}@example.test` }
      await blog.call('POST', '/users', { headers, body })
      await blog.call('PATCH', `/users/${userId}/status`, { headers, body: { status } })
    }
    const shapes = []
    for (const name of ['known', 'blocked', 'nobody']) {
      const { status, body } = await askCode(blog, {
        userId: 'unique()',
        email: `${name}@example.test`,
      })
      shapes.push([status, Object.keys(body), /^[0-9a-f]{20}$/.test(body.userId)])
      expect(body.userId).not.toBe(name)
      for (const userId of [body.userId, name, 'known', 'nobody'])
        expect((await enterCode(blog, userId, '123456')).body).toMatchObject(INVALID)
    }
    expect(shapes[1]).toEqual(shapes[0])
    expect(shapes[2]).toEqual(shapes[0])
    await sink.waitForMail('known@example.test')
    expect(sink.mails).toHaveLength(1)
  })

  test('is void after five wrong guesses, however many come at once', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    await askCode(blog, { userId: 'first', email: alice.email })
    const code = await codeFor(it, alice.email)
    const guesses = Array.from({ length: 12 }, (_, at) =>
      enterCode(blog, 'first', otherThan(code, at + 1)),
    )
    for (const { body } of await Promise.all(guesses)) expect(body).toMatchObject(INVALID)
    expect((await enterCode(blog, 'first', code)).body).toMatchObject(INVALID)

    await askCode(blog, { userId: 'second', email: alice.email })
    const next = await codeFor(it, alice.email, 2)
    for (let at = 1; at <= 4; at++) await enterCode(blog, 'second', otherThan(next, at))
    expect((await enterCode(blog, 'second', next)).status).toBe(201)
  })

  test('ends with its time, with a newer one, and with a block', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    await askCode(blog, { userId: 'one', email: alice.email })
    const old = await codeFor(it, alice.email)
    await askCode(blog, { userId: 'two', email: alice.email })
    const newer = await codeFor(it, alice.email, 2)
    expect((await enterCode(blog, 'one', old)).body).toMatchObject(INVALID)
    expect((await enterCode(blog, alice.id, newer)).body).toMatchObject(INVALID)
    blog.passTime(600_000)
    expect((await enterCode(blog, 'two', newer)).body).toMatchObject(INVALID)
    await askCode(blog, { userId: 'three', email: alice.email })
    const last = await codeFor(it, alice.email, 3)
    await blog.call('PATCH', `/users/${alice.id}/status`, {
      headers: { 'x-appwrite-key': blog.apiKey },
      body: { status: false },
    })
    expect((await enterCode(blog, 'three', last)).body).toMatchObject(INVALID)
  })

  test('comes with two words to compare, when they are asked for', async () => {
    const it = await openShared()
    const { blog, sink } = it
    const { body } = await askCode(blog, {
      userId: 'unique()',
      email: 'nora@example.test',
      phrase: true,
    })
    expect(body.phrase).toMatch(/^[a-z]+ [a-z]+$/)
    expect((await sink.waitForMail('nora@example.test')).text).toContain(body.phrase)
  })

  test('is refused without mail, for what is no address, and after ten requests an hour', async () => {
    await using off = await makeMailBlog({ BLOG_MAIL: 'off' })
    expect(
      (await askCode(off.blog, { userId: 'unique()', email: 'a@example.test' })).body,
    ).toMatchObject({ code: 503, type: 'general_smtp_disabled' })
    await using it = await makeMailBlog({ BLOG_RATE_LIMITS: 'on' })
    for (const body of [
      { userId: 'unique()' },
      { userId: 'unique()', email: 'a@b@c' },
      { userId: '-x', email: 'a@example.test' },
      { userId: 'unique()', email: 'a@example.test', phrase: 'yes' },
    ])
      expect((await askCode(it.blog, body)).body).toMatchObject({
        code: 400,
        type: 'general_argument_invalid',
      })
    for (let asked = 4; asked < 10; asked++)
      await askCode(it.blog, { userId: 'unique()', email: `x${asked}@example.test` })
    expect(
      (await askCode(it.blog, { userId: 'unique()', email: 'y@example.test' })).body,
    ).toMatchObject({ code: 429, type: 'general_rate_limit_exceeded' })
  })
})

test('a program with the key gets the secret of the session that it starts', async () => {
  const it = await openShared()
  const { blog } = it
  const alice = await blog.makePerson('alice')
  const headers = { 'x-appwrite-key': blog.apiKey, 'x-appwrite-response-format': '1.5.0' }
  const { email, password } = alice
  const byPassword = await blog.call('POST', '/account/sessions/email', {
    headers,
    body: { email, password },
  })
  await askCode(blog, { userId: 'code', email })
  const byCode = await blog.call('POST', '/account/sessions/token', {
    headers,
    body: { userId: 'code', secret: await codeFor(it, email) },
  })
  const { secret } = byCode.body
  expect(
    (await blog.call('GET', '/account', { headers: { 'x-appwrite-session': secret } })).body.$id,
  ).toBe(alice.id)
  expect(byPassword.body.secret).toMatch(/^[\w+/=]{40,}$/)
  expect(byPassword.body.secret).not.toBe(secret)
})
