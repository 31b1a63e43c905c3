// Signing in with a mailed code: what answers reveal, what is counted, how long a code is valid.
import { describe, expect, test } from 'vitest'
import type { Answer, TestBlog } from '#test/support/blog.ts'
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

/** Requests a code with an id chosen by the client, and reads it from the mail. */
async function requestCode(mail: Pick<MailBlog, 'blog' | 'sink'>, userId: string, email: string) {
  const { status, body: token } = await askCode(mail.blog, { userId, email })
  expect(status).toBe(201)
  return { token, code: await codeFor(mail, email) }
}

describe('a code in a mail', () => {
  test('has six digits, and is not in the log', async () => {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    const { code } = await requestCode(mail, 'chosen', alice.email)
    expect(code).toMatch(/^\d{6}$/)
    expect(JSON.stringify(mail.blog.log)).not.toContain(code)
  })

  test('is not in the answer to the request, which contains an id and a time', async () => {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    const { token } = await requestCode(mail, 'chosen', alice.email)
    expect(token).toEqual({
      $id: expect.stringMatching(/^[0-9a-f]{20}$/),
      $createdAt: expect.any(String),
      userId: 'chosen',
      secret: '',
      expire: expect.any(String),
      phrase: '',
    })
    expect(Date.parse(token.expire) - Date.parse(token.$createdAt)).toBe(600_000)
  })

  test.each(['known', 'unknown'])(
    'signs in once with the id from the answer, and verifies a %s address',
    async (kind) => {
      const mail = await openShared()
      const { blog } = mail
      const alice = await blog.makePerson('alice')
      const email = kind === 'known' ? alice.email : 'nina@example.test'
      const userId = `for-${kind}`
      const { code } = await requestCode(mail, userId, email)
      const session = await enterCode(blog, userId, code)
      expect(session.status).toBe(201)
      expect(session.body).toMatchObject({
        userId: kind === 'known' ? alice.id : userId,
        provider: 'email',
        providerUid: email,
        current: true,
      })
      expect(session.body).not.toHaveProperty('secret')
      expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
        email,
        emailVerification: true,
      })
      expect((await enterCode(blog, userId, code)).body).toMatchObject(INVALID)
      expect(JSON.stringify(blog.log)).not.toContain(code)
    },
  )

  test('ends older sessions of an unconfirmed address, because they may be a stranger’s', async () => {
    const mail = await openShared()
    const { blog } = mail
    const stranger = await blog.makePerson('alice')
    const { code } = await requestCode(mail, 'chosen', stranger.email)
    expect((await enterCode(blog, 'chosen', code)).status).toBe(201)
    expect((await whoAmI(blog, stranger.cookie)).status).toBe(401)
  })

  describe('while registration is closed', () => {
    /** The answers for a known, a blocked and an unknown address. */
    async function requestAll() {
      const mail = await makeMailBlog({ BLOG_REGISTRATION: 'closed' })
      const { blog } = mail
      const headers = { 'x-appwrite-key': blog.apiKey }
      for (const [userId, status] of [
        ['known', true],
        ['blocked', false],
      ] as const) {
        const body = { userId, email: `${userId}@example.test` }
        await blog.call('POST', '/users', { headers, body })
        await blog.call('PATCH', `/users/${userId}/status`, { headers, body: { status } })
      }
      const answers: [name: string, answer: Answer][] = []
      for (const name of ['known', 'blocked', 'nobody'])
        answers.push([
          name,
          await askCode(blog, { userId: 'unique()', email: `${name}@example.test` }),
        ])
      return { ...mail, answers, [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose]() }
    }

    test('a request for one is answered alike for known, unknown and blocked addresses', async () => {
      await using mail = await requestAll()
      const shapes = mail.answers.map(([name, { status, body }]) => {
        expect(body.userId).not.toBe(name)
        return [status, Object.keys(body), /^[0-9a-f]{20}$/.test(body.userId)]
      })
      expect(shapes[1]).toEqual(shapes[0])
      expect(shapes[2]).toEqual(shapes[0])
    })

    test('a guess is answered alike for each id', async () => {
      await using mail = await requestAll()
      for (const [name, { body }] of mail.answers)
        for (const userId of [body.userId, name])
          expect((await enterCode(mail.blog, userId, '123456')).body).toMatchObject(INVALID)
    })

    test('only the known address gets one', async () => {
      await using mail = await requestAll()
      await mail.sink.waitForMail('known@example.test')
      expect(mail.sink.mails).toHaveLength(1)
    })
  })

  test('is void after five wrong guesses, however many come at once', async () => {
    const mail = await openShared()
    const { blog } = mail
    const alice = await blog.makePerson('alice')
    const { code } = await requestCode(mail, 'first', alice.email)
    const guesses = Array.from({ length: 12 }, (_, at) =>
      enterCode(blog, 'first', otherThan(code, at + 1)),
    )
    for (const { body } of await Promise.all(guesses)) expect(body).toMatchObject(INVALID)
    expect((await enterCode(blog, 'first', code)).body).toMatchObject(INVALID)
  })

  test('still signs in after four wrong guesses', async () => {
    const mail = await openShared()
    const { blog } = mail
    const alice = await blog.makePerson('alice')
    const { code } = await requestCode(mail, 'second', alice.email)
    for (let at = 1; at <= 4; at++)
      expect((await enterCode(blog, 'second', otherThan(code, at))).body).toMatchObject(INVALID)
    expect((await enterCode(blog, 'second', code)).status).toBe(201)
  })

  test('is void once a newer one is sent', async () => {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    const { code } = await requestCode(mail, 'older', alice.email)
    await askCode(mail.blog, { userId: 'newer', email: alice.email })
    await codeFor(mail, alice.email, 2)
    expect((await enterCode(mail.blog, 'older', code)).body).toMatchObject(INVALID)
  })

  test('signs in only with the id from the answer', async () => {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    const { code } = await requestCode(mail, 'chosen', alice.email)
    expect((await enterCode(mail.blog, alice.id, code)).body).toMatchObject(INVALID)
  })

  test('is void after ten minutes', async () => {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    const { code } = await requestCode(mail, 'late', alice.email)
    mail.blog.passTime(600_000)
    expect((await enterCode(mail.blog, 'late', code)).body).toMatchObject(INVALID)
  })

  test('is void once its user is blocked', async () => {
    const mail = await openShared()
    const { blog } = mail
    const alice = await blog.makePerson('alice')
    const { code } = await requestCode(mail, 'blocked', alice.email)
    await blog.call('PATCH', `/users/${alice.id}/status`, {
      headers: { 'x-appwrite-key': blog.apiKey },
      body: { status: false },
    })
    expect((await enterCode(blog, 'blocked', code)).body).toMatchObject(INVALID)
  })

  test('comes with two words to compare when the request asks for them', async () => {
    const { blog, sink } = await openShared()
    const email = 'nora@example.test'
    const { body } = await askCode(blog, { userId: 'unique()', email, phrase: true })
    expect(body.phrase).toMatch(/^[a-z]+ [a-z]+$/)
    expect((await sink.waitForMail(email)).text).toContain(body.phrase)
  })

  test('is refused while mail is switched off', async () => {
    await using mail = await makeMailBlog({ BLOG_MAIL: 'off' })
    const { body } = await askCode(mail.blog, { userId: 'unique()', email: 'a@example.test' })
    expect(body).toMatchObject({ code: 503, type: 'general_smtp_disabled' })
  })

  test('is refused for invalid requests', async () => {
    const { blog, sink } = await openShared()
    for (const body of [
      { userId: 'unique()' },
      { userId: 'unique()', email: 'a@b@c' },
      { userId: '-x', email: 'a@example.test' },
      { userId: 'unique()', email: 'a@example.test', phrase: 'yes' },
    ])
      expect((await askCode(blog, body)).body).toMatchObject({
        code: 400,
        type: 'general_argument_invalid',
      })
    expect(sink.mails.flatMap(({ recipients }) => recipients)).not.toContain('a@example.test')
  })

  test('is refused after ten requests in an hour, including invalid ones', async () => {
    await using mail = await makeMailBlog({ BLOG_RATE_LIMITS: 'on' })
    const request = (email: string) => askCode(mail.blog, { userId: 'unique()', email })
    for (let at = 0; at < 4; at++) expect((await request('a@b@c')).status).toBe(400)
    for (let at = 4; at < 10; at++) expect((await request(`x${at}@example.test`)).status).toBe(201)
    expect((await request('y@example.test')).body).toMatchObject({
      code: 429,
      type: 'general_rate_limit_exceeded',
    })
  })
})

test('a program with the key gets the secret of the session that it starts', async () => {
  const mail = await openShared()
  const { blog } = mail
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
    body: { userId: 'code', secret: await codeFor(mail, email) },
  })
  const { secret } = byCode.body
  expect(
    (await blog.call('GET', '/account', { headers: { 'x-appwrite-session': secret } })).body.$id,
  ).toBe(alice.id)
  expect(byPassword.body.secret).toMatch(/^[\w+/=]{40,}$/)
  expect(byPassword.body.secret).not.toBe(secret)
})
