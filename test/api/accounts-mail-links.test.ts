// Verification and sign-in links over HTTP with a real mail server (api.md §2.2, §2.3;
// threat-model.md §4, §6).
import { describe, expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeMailBlog, shareMailBlog } from '#test/support/mail-blog.ts'
import {
  cookieOf,
  finishVerification,
  requestRecovery,
  requestSignInLink,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { readLink } from '#test/support/mail-text.ts'
import { ID, INVALID, SECRET, TOKEN, WIRE_TIME } from '#test/support/one-time-tokens.ts'

const HOUR_MS = 3_600_000

const openShared = shareMailBlog()

describe('verification', () => {
  test('a link by mail confirms the address, signed in or not', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const asked = await requestVerification(blog, alice.cookie)
    expect([asked.status, asked.body]).toEqual([
      201,
      { ...TOKEN, userId: alice.id, expire: expect.stringMatching(WIRE_TIME) },
    ])
    expect((await whoAmI(blog, alice.cookie)).body.emailVerification).toBe(false)
    const mail = await it.sink.waitForMail(alice.email)
    expect(mail.subject).toBe('Confirm your email address – Web App')
    expect(readLink(mail).href).toMatch(
      new RegExp(
        `^${blog.url}/verification\\?userId=${alice.id}&secret=[0-9a-f]{256}&expire=[\\d-]+\\+[\\d%A.]+$`,
      ),
    )
    const proof = await it.secretFor(alice.email)
    const done = await finishVerification(blog, proof)
    expect([done.status, done.body, done.headers.getSetCookie()]).toEqual([200, asked.body, []])
    expect((await whoAmI(blog, alice.cookie)).body.emailVerification).toBe(true)
    expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
  })

  test('is for signed-in people, and for addresses that are not confirmed yet', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    expect((await requestVerification(blog, '')).body).toMatchObject({
      code: 401,
      type: 'general_unauthorized_scope',
    })
    await requestVerification(blog, alice.cookie)
    await finishVerification(blog, await it.secretFor(alice.email))
    const url = `${blog.url}/verification`
    for (const [format, type] of [
      ['1.4.0', 'user_email_alread_verified'],
      ['1.5.0', 'user_email_already_verified'],
      ['2.0.0', 'user_email_already_verified'],
    ] as const) {
      const headers = { 'x-appwrite-response-format': format }
      const answer = await blog.call('POST', '/account/verifications/email', {
        cookie: alice.cookie,
        body: { url },
        headers,
      })
      expect(answer.body).toMatchObject({ code: 409, type })
    }
    expect((await requestVerification(blog, alice.cookie)).body.type).toBe(
      'user_email_alread_verified',
    )
    expect(it.sink.mails).toHaveLength(1)
  })

  test('a link confirms only the address it was sent to, for its own person, for an hour', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    await requestVerification(blog, alice.cookie)
    const first = await it.secretFor(alice.email)
    expect((await finishVerification(blog, { ...first, userId: bob.id })).body).toMatchObject(
      INVALID,
    )
    expect((await finishVerification(blog, { ...first, userId: 'nobody' })).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    const moved = { email: 'alice@elsewhere.test', password: alice.password }
    expect(
      (await blog.call('PATCH', '/account/email', { cookie: alice.cookie, body: moved })).status,
    ).toBe(200)
    expect((await finishVerification(blog, first)).body).toMatchObject(INVALID)
    await requestVerification(blog, alice.cookie)
    const second = await it.secretFor(moved.email)
    blog.passTime(HOUR_MS)
    expect((await finishVerification(blog, second)).body).toMatchObject(INVALID)
    for (const { cookie } of [alice, bob])
      expect((await whoAmI(blog, cookie)).body.emailVerification).toBe(false)
  })
})

describe('sign-in links', () => {
  test('an unknown address gets an account, which others see only after its owner has signed in', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const asked = await requestSignInLink(blog, 'New@Example.test', 'newcomer')
    expect([asked.status, asked.body]).toEqual([
      201,
      { ...TOKEN, userId: 'newcomer', expire: expect.stringMatching(WIRE_TIME) },
    ])
    expect(Date.parse(asked.body.expire) - Date.parse(asked.body.$createdAt)).toBe(HOUR_MS / 6)
    expect((await blog.call('GET', '/users/newcomer')).status).toBe(404)
    const link = readLink(await it.sink.waitForMail('new@example.test'))
    expect(`${link.origin}${link.pathname}`).toBe(`${blog.url}/auth/magic-url`)
    expect([...link.searchParams]).toEqual([
      ['userId', 'newcomer'],
      ['secret', expect.stringMatching(SECRET)],
      ['expire', asked.body.expire],
      ['project', 'blog'],
    ])
    const proof = await it.secretFor('new@example.test')
    const session = await signInWithLink(blog, proof)
    expect([session.status, session.body]).toEqual([
      201,
      expect.objectContaining({
        userId: 'newcomer',
        provider: 'magic-url',
        providerUid: '',
        current: true,
      }),
    ])
    const account = {
      $id: 'newcomer',
      email: 'new@example.test',
      name: '',
      emailVerification: true,
      passwordUpdate: '',
      status: true,
    }
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject(account)
    expect((await blog.call('GET', '/users/newcomer')).body).toEqual({ $id: 'newcomer', name: '' })
    const again = await signInWithLink(blog, proof)
    expect([again.body, again.headers.getSetCookie()]).toEqual([
      expect.objectContaining(INVALID),
      [],
    ])
  })

  test('a known address keeps its account whatever id is sent, and the answer tells neither', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const known = await requestSignInLink(
      blog,
      alice.email,
      'wished',
      `${blog.url}/anywhere?secret=x#y`,
    )
    const unknown = await requestSignInLink(
      blog,
      'nobody@example.test',
      'wished',
      `${blog.url}/anywhere?secret=x#y`,
    )
    const taken = await requestSignInLink(blog, 'nobody.else@example.test', bob.id)
    expect([known.body.userId, unknown.body.userId, taken.body.userId]).toEqual([
      'wished',
      'wished',
      bob.id,
    ])
    for (const { status, body, headers } of [known, unknown, taken]) {
      expect([status, Object.keys(body), headers.getSetCookie()]).toEqual([
        201,
        ['$id', '$createdAt', 'userId', 'secret', 'expire'],
        [],
      ])
    }
    expect(readLink(await it.sink.waitForMail(alice.email)).href).toMatch(
      new RegExp(
        `/anywhere\\?secret=[0-9a-f]{256}&userId=${alice.id}&expire=[^&]+&project=blog#y$`,
      ),
    )
    const { userId } = await it.secretFor('nobody.else@example.test')
    expect(userId).toMatch(ID)
    expect(userId).not.toBe(bob.id)
  })

  test('a confirmed account keeps its password and its sessions', async () => {
    const it = await openShared()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    await requestVerification(blog, alice.cookie)
    await finishVerification(blog, await it.secretFor(alice.email))
    await requestSignInLink(blog, alice.email)
    expect((await signInWithLink(blog, await it.secretFor(alice.email, 2))).status).toBe(201)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(200)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('a stranger who signed up with an address loses the account when its owner signs in by link', async () => {
    const it = await openShared()
    const { blog } = it
    const squatter = await blog.makePerson('alice')
    await requestSignInLink(blog, squatter.email)
    expect((await it.sink.waitForMail(squatter.email)).text).toContain(
      'removes every other way to sign in',
    )
    const session = await signInWithLink(blog, await it.secretFor(squatter.email))
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
      $id: squatter.id,
      emailVerification: true,
      passwordUpdate: '',
    })
    expect((await whoAmI(blog, squatter.cookie)).status).toBe(401)
    expect((await signIn(blog, squatter)).body.type).toBe('user_invalid_credentials')
  })

  test('ten minutes, one person, one use; blocking voids it', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    await requestSignInLink(blog, alice.email)
    const first = await it.secretFor(alice.email)
    expect((await signInWithLink(blog, { ...first, userId: bob.id })).body).toMatchObject(INVALID)
    expect((await signInWithLink(blog, { ...first, secret: 'guess' })).body).toMatchObject(INVALID)
    expect((await signInWithLink(blog, { userId: alice.id, secret: '' })).body).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
    })
    blog.passTime(HOUR_MS / 6)
    expect((await signInWithLink(blog, first)).body).toMatchObject(INVALID)
    await requestSignInLink(blog, alice.email)
    const second = await it.secretFor(alice.email, 2)
    await blog.call('PATCH', '/account/status', { cookie: alice.cookie, body: {} })
    expect((await signInWithLink(blog, second)).body).toMatchObject(INVALID)
    expect((await requestSignInLink(blog, alice.email)).status).toBe(201)
    expect(it.sink.mails).toHaveLength(2)
  })

  test('the newer spelling of asking and of signing in', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const asked = await blog.call('POST', '/account/tokens/magic-url', {
      body: { userId: 'newcomer', email: 'new@example.test', phrase: true },
    })
    expect([asked.status, asked.body]).toMatchObject([
      201,
      { userId: 'newcomer', secret: '', phrase: '' },
    ])
    const session = await blog.call('POST', '/account/sessions/token', {
      body: await it.secretFor('new@example.test'),
    })
    expect([
      session.status,
      session.body.userId,
      (await whoAmI(blog, cookieOf(session))).status,
    ]).toEqual([201, 'newcomer', 200])
  })
})

test('while registration is closed a sign-in link adds no account, and still does not tell who is known', async () => {
  await using it = await makeMailBlog({ BLOG_REGISTRATION: 'closed' })
  const { blog, sink } = it
  const sent = { userId: 'carla', email: 'carla@example.test', password: 'carla likes lamps' }
  expect((await blog.call('POST', '/account', { body: sent })).body).toMatchObject({
    code: 501,
    type: 'user_count_exceeded',
  })
  const key = { 'x-appwrite-key': blog.apiKey }
  expect(
    (
      await blog.call('POST', '/users', {
        headers: key,
        body: { userId: 'alice', email: 'alice@example.test' },
      })
    ).status,
  ).toBe(201)
  const known = await requestSignInLink(blog, 'alice@example.test', 'wished')
  const unknown = await requestSignInLink(blog, 'carla@example.test', 'wished')
  expect(unknown).toMatchObject({ status: 201, body: { userId: 'wished' } })
  expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body))
  await sink.waitForMail('alice@example.test')
  expect(sink.mails).toHaveLength(1)
  expect((await blog.call('GET', '/users', { headers: key })).body.total).toBe(1)
})

test('with mail switched off nothing is sent or made, whoever asks', async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
  const { cookie, email } = await blog.makePerson('alice')
  const off = { code: 503, type: 'general_smtp_disabled' }
  for (const asked of [email, 'nobody@example.test']) {
    expect((await requestRecovery(blog, asked)).body).toMatchObject(off)
    expect((await requestSignInLink(blog, asked, 'newcomer')).body).toMatchObject(off)
  }
  expect((await requestVerification(blog, cookie)).body).toMatchObject(off)
  const { body } = await blog.call('GET', '/users', { headers: { 'x-appwrite-key': blog.apiKey } })
  expect(body.total).toBe(1)
  const moved = await blog.call('PATCH', '/account/email', {
    cookie,
    body: { email: 'alice@elsewhere.test', password: 'alice likes lamps' },
  })
  expect(moved.status).toBe(200)
})
