// Verification and sign-in links over HTTP with a real mail server (api.md §2.2, §2.3;
// threat-model.md §4, §6).
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { type MailBlog, makeMailBlog, shareMailBlog } from '#test/support/mail-blog.ts'
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
import { shareBlog } from '#test/support/shared-blog.ts'

const HOUR_MS = 3_600_000

const openShared = shareMailBlog()

/** Alice with a verification mail, and the answer to her request. */
async function startVerification(ownMail?: MailBlog) {
  const mail = ownMail ?? (await openShared())
  const alice = await mail.blog.makePerson('alice')
  const answer = await requestVerification(mail.blog, alice.cookie)
  return { ...mail, alice, answer, proof: await mail.secretFor(alice.email) }
}

const isVerified = async (blog: TestBlog, { cookie }: Person): Promise<boolean> =>
  (await whoAmI(blog, cookie)).body.emailVerification

describe('verification', () => {
  test('sends a mail with a link to the requested page, and no secret in the answer', async () => {
    const { blog, sink, alice, answer } = await startVerification()
    expect([answer.status, answer.body]).toEqual([
      201,
      { ...TOKEN, userId: alice.id, expire: expect.stringMatching(WIRE_TIME) },
    ])
    const mail = await sink.waitForMail(alice.email)
    expect(mail.subject).toBe('Confirm your email address – Web App')
    expect(readLink(mail).href).toMatch(
      new RegExp(
        `^${blog.url}/verification\\?userId=${alice.id}&secret=[0-9a-f]{256}&expire=[\\d-]+\\+[\\d%A.]+$`,
      ),
    )
  })

  test('works once with its link, and needs no session', async () => {
    const { blog, alice, answer, proof } = await startVerification()
    expect(await isVerified(blog, alice)).toBe(false)
    const verification = await finishVerification(blog, proof)
    expect([verification.status, verification.body, verification.headers.getSetCookie()]).toEqual([
      200,
      answer.body,
      [],
    ])
    expect(await isVerified(blog, alice)).toBe(true)
    expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
  })

  test('can be requested only by signed-in users', async () => {
    const { blog } = await openShared()
    expect((await requestVerification(blog, '')).body).toMatchObject({
      code: 401,
      type: 'general_unauthorized_scope',
    })
  })

  test('is refused for a confirmed address, with the error type of the response format', async () => {
    await using mail = await makeMailBlog()
    const { blog, sink, alice, proof } = await startVerification(mail)
    await finishVerification(blog, proof)
    for (const [format, type] of [
      ['1.4.0', 'user_email_alread_verified'],
      ['1.5.0', 'user_email_already_verified'],
      ['2.0.0', 'user_email_already_verified'],
    ] as const) {
      const answer = await blog.call('POST', '/account/verifications/email', {
        cookie: alice.cookie,
        body: { url: `${blog.url}/verification` },
        headers: { 'x-appwrite-response-format': format },
      })
      expect(answer.body).toMatchObject({ code: 409, type })
    }
    expect((await requestVerification(blog, alice.cookie)).body.type).toBe(
      'user_email_alread_verified',
    )
    expect(sink.mails).toHaveLength(1)
  })

  test('confirms only the address of its own user', async () => {
    const { blog, alice, proof } = await startVerification()
    const bob = await blog.makePerson('bob')
    for (const userId of [bob.id, 'nobody'])
      expect((await finishVerification(blog, { ...proof, userId })).body).toMatchObject(INVALID)
    for (const person of [alice, bob]) expect(await isVerified(blog, person)).toBe(false)
  })

  test('confirms only the address that it was sent to', async () => {
    const { blog, alice, proof } = await startVerification()
    const body = { email: `moved.${alice.email}`, password: alice.password }
    const { status } = await blog.call('PATCH', '/account/email', { cookie: alice.cookie, body })
    expect(status).toBe(200)
    expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
    expect(await isVerified(blog, alice)).toBe(false)
  })

  test('expires after an hour', async () => {
    const { blog, alice, proof } = await startVerification()
    blog.passTime(HOUR_MS)
    expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
    expect(await isVerified(blog, alice)).toBe(false)
  })
})

describe('sign-in links', () => {
  let newcomers = 0

  /** Requests a link for an address without an account. */
  async function startNewcomer() {
    newcomers++
    const mail = await openShared()
    const userId = `newcomer-${newcomers}`
    const answer = await requestSignInLink(mail.blog, `New.${newcomers}@Example.test`, userId)
    const email = `new.${newcomers}@example.test`
    const proof = await mail.secretFor(email)
    return { ...mail, userId, email, answer, proof }
  }

  test('contain the id, a secret, the expiry time and the project', async () => {
    const { blog, sink, userId, email, answer } = await startNewcomer()
    expect([answer.status, answer.body]).toEqual([
      201,
      { ...TOKEN, userId, expire: expect.stringMatching(WIRE_TIME) },
    ])
    expect(Date.parse(answer.body.expire) - Date.parse(answer.body.$createdAt)).toBe(HOUR_MS / 6)
    const link = readLink(await sink.waitForMail(email))
    expect(`${link.origin}${link.pathname}`).toBe(`${blog.url}/auth/magic-url`)
    expect([...link.searchParams]).toEqual([
      ['userId', userId],
      ['secret', expect.stringMatching(SECRET)],
      ['expire', answer.body.expire],
      ['project', 'blog'],
    ])
  })

  test('create an account for an unknown address, which is verified and has no password', async () => {
    const { blog, userId, email, proof } = await startNewcomer()
    const session = await signInWithLink(blog, proof)
    expect([session.status, session.body]).toEqual([
      201,
      expect.objectContaining({ userId, provider: 'magic-url', providerUid: '', current: true }),
    ])
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
      $id: userId,
      email,
      name: '',
      emailVerification: true,
      passwordUpdate: '',
      status: true,
    })
  })

  test('can be used once', async () => {
    const { blog, proof } = await startNewcomer()
    expect((await signInWithLink(blog, proof)).status).toBe(201)
    const secondSignIn = await signInWithLink(blog, proof)
    expect([secondSignIn.body, secondSignIn.headers.getSetCookie()]).toEqual([
      expect.objectContaining(INVALID),
      [],
    ])
  })

  test('show the new account to others only after its owner has signed in', async () => {
    const { blog, userId, proof } = await startNewcomer()
    expect((await blog.call('GET', `/users/${userId}`)).status).toBe(404)
    await signInWithLink(blog, proof)
    expect((await blog.call('GET', `/users/${userId}`)).body).toEqual({ $id: userId, name: '' })
  })

  test('are requested with the same answer for known addresses, unknown addresses and taken ids', async () => {
    const { blog } = await openShared()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    for (const [email, userId] of [
      [alice.email, 'wished'],
      ['nobody@example.test', 'wished'],
      ['nobody.too@example.test', bob.id],
    ] as const) {
      const { status, body, headers } = await requestSignInLink(blog, email, userId)
      expect([status, body.userId, Object.keys(body), headers.getSetCookie()]).toEqual([
        201,
        userId,
        ['$id', '$createdAt', 'userId', 'secret', 'expire'],
        [],
      ])
    }
  })

  test('sign in to the account of a known address, whatever id is sent', async () => {
    const { blog, sink } = await openShared()
    const alice = await blog.makePerson('alice')
    await requestSignInLink(blog, alice.email, 'wished', `${blog.url}/anywhere?secret=x#y`)
    expect(readLink(await sink.waitForMail(alice.email)).href).toMatch(
      new RegExp(
        `/anywhere\\?secret=[0-9a-f]{256}&userId=${alice.id}&expire=[^&]+&project=blog#y$`,
      ),
    )
  })

  test('give an unknown address another id when the sent one is taken', async () => {
    const { blog, secretFor } = await openShared()
    const bob = await blog.makePerson('bob')
    const email = 'nobody.else@example.test'
    await requestSignInLink(blog, email, bob.id)
    const { userId } = await secretFor(email)
    expect(userId).toMatch(ID)
    expect(userId).not.toBe(bob.id)
  })

  test('leave a confirmed account its password and its sessions', async () => {
    const mailBlog = await openShared()
    const { blog } = mailBlog
    const alice = await blog.makePerson('alice')
    await requestVerification(blog, alice.cookie)
    await finishVerification(blog, await mailBlog.secretFor(alice.email))
    await requestSignInLink(blog, alice.email)
    expect((await signInWithLink(blog, await mailBlog.secretFor(alice.email, 2))).status).toBe(201)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(200)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('take the account from a stranger who signed up with an address, once its owner signs in', async () => {
    const mailBlog = await openShared()
    const { blog } = mailBlog
    const squatter = await blog.makePerson('alice')
    await requestSignInLink(blog, squatter.email)
    expect((await mailBlog.sink.waitForMail(squatter.email)).text).toContain(
      'removes every other way to sign in',
    )
    const session = await signInWithLink(blog, await mailBlog.secretFor(squatter.email))
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
      $id: squatter.id,
      emailVerification: true,
      passwordUpdate: '',
    })
    expect((await whoAmI(blog, squatter.cookie)).status).toBe(401)
    expect((await signIn(blog, squatter)).body.type).toBe('user_invalid_credentials')
  })

  /** Alice, who has received a link by mail. */
  async function startWithLink() {
    const mail = await openShared()
    const alice = await mail.blog.makePerson('alice')
    await requestSignInLink(mail.blog, alice.email)
    return { ...mail, alice, proof: await mail.secretFor(alice.email) }
  }

  test('sign in only their own user, and nobody who guesses', async () => {
    const { blog, alice, proof } = await startWithLink()
    const bob = await blog.makePerson('bob')
    expect((await signInWithLink(blog, { ...proof, userId: bob.id })).body).toMatchObject(INVALID)
    expect((await signInWithLink(blog, { ...proof, secret: 'guess' })).body).toMatchObject(INVALID)
    expect((await signInWithLink(blog, { userId: alice.id, secret: '' })).body).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
    })
  })

  test('are void after ten minutes', async () => {
    const { blog, proof } = await startWithLink()
    blog.passTime(HOUR_MS / 6)
    expect((await signInWithLink(blog, proof)).body).toMatchObject(INVALID)
  })

  test('are void once their user is blocked, and no others are sent', async () => {
    await using mail = await makeMailBlog()
    const { blog, sink } = mail
    const alice = await blog.makePerson('alice')
    await requestSignInLink(blog, alice.email)
    const proof = await mail.secretFor(alice.email)
    await blog.call('PATCH', '/account/status', { cookie: alice.cookie, body: {} })
    expect((await signInWithLink(blog, proof)).body).toMatchObject(INVALID)
    expect((await requestSignInLink(blog, alice.email)).status).toBe(201)
    expect(sink.mails).toHaveLength(1)
  })

  test('can also be requested and used at their newer paths', async () => {
    await using mailBlog = await makeMailBlog()
    const { blog } = mailBlog
    const answer = await blog.call('POST', '/account/tokens/magic-url', {
      body: { userId: 'newcomer', email: 'new@example.test', phrase: true },
    })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      { userId: 'newcomer', secret: '', phrase: '' },
    ])
    const session = await blog.call('POST', '/account/sessions/token', {
      body: await mailBlog.secretFor('new@example.test'),
    })
    expect([
      session.status,
      session.body.userId,
      (await whoAmI(blog, cookieOf(session))).status,
    ]).toEqual([201, 'newcomer', 200])
  })
})

describe('while registration is closed', () => {
  /** A blog on which the key has created an account for alice. */
  async function startClosed() {
    const mail = await makeMailBlog({ BLOG_REGISTRATION: 'closed' })
    const headers = { 'x-appwrite-key': mail.blog.apiKey }
    const body = { userId: 'alice', email: 'alice@example.test' }
    expect((await mail.blog.call('POST', '/users', { headers, body })).status).toBe(201)
    return {
      ...mail,
      countPeople: async () => (await mail.blog.call('GET', '/users', { headers })).body.total,
      [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
    }
  }

  test('nobody can sign up', async () => {
    await using mail = await startClosed()
    const body = { userId: 'carla', email: 'carla@example.test', password: 'carla likes lamps' }
    expect((await mail.blog.call('POST', '/account', { body })).body).toMatchObject({
      code: 501,
      type: 'user_count_exceeded',
    })
    expect(await mail.countPeople()).toBe(1)
  })

  test('a sign-in link is sent only to a known address, and the answer does not reveal which is known', async () => {
    await using mail = await startClosed()
    const { blog, sink, countPeople } = mail
    const answer = await requestSignInLink(blog, 'alice@example.test', 'wished')
    const unknown = await requestSignInLink(blog, 'carla@example.test', 'wished')
    expect(unknown).toMatchObject({ status: 201, body: { userId: 'wished' } })
    expect(Object.keys(unknown.body)).toEqual(Object.keys(answer.body))
    await sink.waitForMail('alice@example.test')
    expect(sink.mails).toHaveLength(1)
    expect(await countPeople()).toBe(1)
  })
})

describe('with mail switched off', () => {
  const share = shareBlog(() => makeTestBlog({ BLOG_MAIL: 'off' }))

  test('no link is sent or stored, for known and unknown addresses', async () => {
    const blog = await share()
    const { cookie, email } = await blog.makePerson('alice')
    const off = { code: 503, type: 'general_smtp_disabled' }
    for (const address of [email, 'nobody@example.test']) {
      expect((await requestRecovery(blog, address)).body).toMatchObject(off)
      expect((await requestSignInLink(blog, address, 'newcomer')).body).toMatchObject(off)
    }
    expect((await requestVerification(blog, cookie)).body).toMatchObject(off)
    const key = { headers: { 'x-appwrite-key': blog.apiKey } }
    expect((await blog.call('GET', '/users/newcomer', key)).status).toBe(404)
  })

  test('users can still change their address', async () => {
    const blog = await share()
    const { cookie, password } = await blog.makePerson('alice')
    const body = { email: 'alice@elsewhere.test', password }
    expect((await blog.call('PATCH', '/account/email', { cookie, body })).status).toBe(200)
  })
})
