// Changes to an account by its owner over HTTP (api.md §2.2; threat-model.md §4, §6): what they
// require, and what they end.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog, shareMailBlog } from '#test/support/mail-blog.ts'
import {
  cookieOf,
  finishRecovery,
  finishVerification,
  requestRecovery,
  requestSignInLink,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()
const openShared = shareMailBlog()

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const WRONG = { code: 401, type: 'user_invalid_credentials' }
const BAD = { code: 400, type: 'general_argument_invalid' }

const change = (blog: TestBlog, what: string, cookie: string, body: object = {}) =>
  blog.call('PATCH', `/account/${what}`, { cookie, body })

/** A user who signed up with a sign-in link and has no password. */
async function makeLinkPerson(
  { blog, secretFor }: Awaited<ReturnType<typeof makeMailBlog>>,
  email: string,
): Promise<Pick<Person, 'id' | 'cookie'>> {
  await requestSignInLink(blog, email)
  const proof = await secretFor(email)
  return { id: proof.userId, cookie: cookieOf(await signInWithLink(blog, proof)) }
}

test.each(['name', 'email', 'password', 'status'])('a guest cannot change the %s', async (what) => {
  const blog = await sharedBlog()
  const body = { name: 'Eve', email: 'eve@example.test', password: 'eve likes lamps' }
  const answer = await change(blog, what, '', body)
  expect(answer.body).toEqual({
    message: 'User (role: guests) missing scope (account)',
    code: 401,
    type: 'general_unauthorized_scope',
    version: '1.4.13',
  })
})

describe('name', () => {
  test('can be changed, is stored as text, and everybody sees it', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const before = (await whoAmI(blog, alice.cookie)).body
    blog.passTime(5000)
    const answer = await change(blog, 'name', alice.cookie, { name: '<b>Älice</b> 💡' })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...before,
        name: '<b>Älice</b> 💡',
        $updatedAt: expect.stringMatching(WIRE_TIME),
        accessedAt: expect.stringMatching(WIRE_TIME),
      },
    ])
    expect(answer.body.$updatedAt).not.toBe(before.$updatedAt)
    expect((await blog.call('GET', `/users/${alice.id}`)).body.name).toBe('<b>Älice</b> 💡')
  })

  test('that is empty, too long, on two lines or not a text is refused', async () => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    for (const name of [
      '',
      'a'.repeat(129),
      'Ali\r\nce',
      'Ali\0ce',
      5,
      ['Alice'],
      null,
      undefined,
    ]) {
      expect((await change(blog, 'name', cookie, { name })).body).toMatchObject(BAD)
    }
    expect((await whoAmI(blog, cookie)).body.name).toBe('alice')
  })
})

describe('email', () => {
  /** Alice has changed her confirmed address, and has received a recovery link by mail. */
  async function changeAddress() {
    const mailBlog = await openShared()
    const { blog } = mailBlog
    const alice = await blog.makePerson('alice')
    const email = `at.elsewhere.${alice.email}`
    await requestVerification(blog, alice.cookie)
    await finishVerification(blog, await mailBlog.secretFor(alice.email))
    await requestRecovery(blog, alice.email)
    const recovery = await mailBlog.secretFor(alice.email, 2)
    const answer = await change(blog, 'email', alice.cookie, {
      email: ` ${email.toUpperCase()}`,
      password: alice.password,
    })
    return { ...mailBlog, alice, email, recovery, answer }
  }

  test('can be changed with the password, and is then unverified', async () => {
    const { alice, email, answer } = await changeAddress()
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { $id: alice.id, email, emailVerification: false },
    ])
  })

  test('can be used to sign in after a change, and the old one no longer can', async () => {
    const { blog, alice, email } = await changeAddress()
    expect((await signIn(blog, alice)).body).toMatchObject(WRONG)
    expect((await signIn(blog, { ...alice, email })).status).toBe(201)
  })

  test('when changed sends a mail to the old address only, which does not name the new one', async () => {
    const { sink, alice, email } = await changeAddress()
    const notice = await sink.waitForMail(alice.email, 3)
    expect(notice.subject).toBe('The email address of your account was changed – Web App')
    expect(`${notice.text}${notice.html}`).not.toMatch(/elsewhere|href/)
    expect(sink.mails.filter(({ recipients }) => recipients.includes(email))).toEqual([])
  })

  test('voids the secrets in older mails', async () => {
    const { blog, recovery } = await changeAddress()
    expect((await finishRecovery(blog, recovery)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
  })

  test('stays unchanged with a wrong password or an address that is in use or invalid; no mail is sent', async () => {
    await using mailBlog = await makeMailBlog()
    const { blog } = mailBlog
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const cases = [
      { sent: { email: 'new@example.test', password: 'wrong lamps' }, refused: WRONG },
      // A wrong password is reported before an address in use, so that only the owner can learn
      // which addresses have an account.
      { sent: { email: bob.email, password: 'wrong lamps' }, refused: WRONG },
      {
        sent: { email: bob.email.toUpperCase(), password: alice.password },
        refused: { code: 409, type: 'user_email_already_exists' },
      },
      {
        sent: { email: 'new@example.test\r\nBcc: x@example.test', password: alice.password },
        refused: BAD,
      },
      { sent: { email: 'new@example.test', password: 'short' }, refused: WRONG },
      { sent: { email: 'new@example.test', password: { $ne: '' } }, refused: BAD },
      {
        sent: { email: 'new@example.test' },
        refused: { ...BAD, message: 'Param "password" is not optional.' },
      },
      {
        sent: { password: alice.password },
        refused: { ...BAD, message: 'Param "email" is not optional.' },
      },
    ]
    for (const { sent: body, refused } of cases)
      expect((await change(blog, 'email', alice.cookie, body)).body).toMatchObject(refused)
    expect((await whoAmI(blog, alice.cookie)).body.email).toBe(alice.email)
    expect(mailBlog.sink.mails).toEqual([])
  })

  test('can be set to the same address again, which changes nothing and sends no mail', async () => {
    await using mailBlog = await makeMailBlog()
    const alice = await mailBlog.blog.makePerson('alice')
    await requestVerification(mailBlog.blog, alice.cookie)
    await finishVerification(mailBlog.blog, await mailBlog.secretFor(alice.email))
    const answer = await change(mailBlog.blog, 'email', alice.cookie, {
      email: alice.email,
      password: alice.password,
    })
    expect([answer.status, answer.body.emailVerification, mailBlog.sink.mails.length]).toEqual([
      200,
      true,
      1,
    ])
  })

  test('can be changed without a current password, and the password in the request is then set', async () => {
    await using mailBlog = await makeMailBlog()
    const { blog } = mailBlog
    const { cookie } = await makeLinkPerson(mailBlog, 'link@example.test')
    expect(
      (await change(blog, 'email', cookie, { email: 'new@example.test', password: 'password123' }))
        .body,
    ).toMatchObject(BAD)
    const body = { email: 'new@example.test', password: 'a brighter lamp' }
    const answer = await change(blog, 'email', cookie, body)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { email: body.email, passwordUpdate: expect.stringMatching(WIRE_TIME) },
    ])
    expect((await signIn(blog, body)).status).toBe(201)
  })
})

describe('password', () => {
  /** Alice has changed her password in one of two sessions, and has a recovery link. */
  async function changePassword() {
    const mailBlog = await openShared()
    const { blog } = mailBlog
    const alice = await blog.makePerson('alice')
    const other = cookieOf(await signIn(blog, alice))
    await requestRecovery(blog, alice.email)
    const before = (await blog.call('GET', '/account/sessions/current', { cookie: alice.cookie }))
      .body
    const answer = await change(blog, 'password', alice.cookie, {
      password: 'a brighter lamp',
      oldPassword: alice.password,
    })
    return { ...mailBlog, alice, other, before, answer, renewed: cookieOf(answer) }
  }

  test('can be changed: the new one signs in, and the old one no longer does', async () => {
    const { blog, alice, answer } = await changePassword()
    expect([answer.status, answer.body.$id]).toEqual([200, alice.id])
    expect((await signIn(blog, alice)).body).toMatchObject(WRONG)
    expect((await signIn(blog, { ...alice, password: 'a brighter lamp' })).status).toBe(201)
  })

  test('when changed ends the other sessions, and this one gets a new secret', async () => {
    const { blog, alice, other, before, renewed } = await changePassword()
    for (const [cookie, status] of [
      [renewed, 200],
      [other, 401],
      [alice.cookie, 401],
    ] as const) {
      expect((await whoAmI(blog, cookie)).status).toBe(status)
    }
    expect((await blog.call('GET', '/account/sessions', { cookie: renewed })).body).toMatchObject({
      total: 1,
      sessions: [{ $id: before.$id, current: true }],
    })
  })

  test('voids the secrets in older mails when it changes', async () => {
    const { blog, secretFor, alice } = await changePassword()
    expect((await finishRecovery(blog, await secretFor(alice.email))).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
  })

  test('stays unchanged without the correct old one, or when the new one breaks a rule', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const other = cookieOf(await signIn(blog, alice))
    const good = 'a brighter lamp'
    const cases = [
      { sent: { password: good }, refused: WRONG },
      { sent: { password: good, oldPassword: '' }, refused: WRONG },
      { sent: { password: good, oldPassword: 'wrong lamps' }, refused: WRONG },
      { sent: { password: good, oldPassword: 'short' }, refused: WRONG },
      { sent: { password: good, oldPassword: ['alice likes lamps'] }, refused: BAD },
      { sent: { password: 'short', oldPassword: alice.password }, refused: BAD },
      { sent: { password: 'a'.repeat(257), oldPassword: alice.password }, refused: BAD },
      { sent: { password: 'password123', oldPassword: alice.password }, refused: BAD },
      {
        sent: { password: alice.email, oldPassword: alice.password },
        refused: { code: 400, type: 'password_personal_data' },
      },
      { sent: { oldPassword: alice.password }, refused: BAD },
    ]
    for (const { sent: body, refused } of cases) {
      const answer = await change(blog, 'password', alice.cookie, body)
      expect([answer.body, answer.headers.getSetCookie()]).toEqual([
        expect.objectContaining(refused),
        [],
      ])
    }
    for (const cookie of [alice.cookie, other])
      expect((await whoAmI(blog, cookie)).status).toBe(200)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('can be set without an old one only for the first time', async () => {
    await using mailBlog = await makeMailBlog()
    const { blog } = mailBlog
    const { cookie } = await makeLinkPerson(mailBlog, 'link@example.test')
    const set = await change(blog, 'password', cookie, { password: 'a brighter lamp' })
    expect([set.status, set.body.passwordUpdate]).toEqual([200, expect.stringMatching(WIRE_TIME)])
    expect(
      (await change(blog, 'password', cookieOf(set), { password: 'another lamp' })).body,
    ).toMatchObject(WRONG)
    expect(
      (await signIn(blog, { email: 'link@example.test', password: 'a brighter lamp' })).status,
    ).toBe(201)
  })

  test('can be changed by only one of two concurrent calls with the same old password', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const wishes = ['one bright lamp', 'two bright lamps']
    const answers = await Promise.all(
      wishes.map((password) =>
        change(blog, 'password', alice.cookie, { password, oldPassword: alice.password }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const winner = wishes[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await signIn(blog, { ...alice, password: winner })).status).toBe(201)
  })
})

describe('status', () => {
  /** Alice has blocked her account in one of two sessions. */
  async function blockOwn() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const other = cookieOf(await signIn(blog, alice))
    return { blog, alice, other, answer: await change(blog, 'status', alice.cookie) }
  }

  test('can be set to block the user’s own account', async () => {
    const { alice, answer } = await blockOwn()
    expect([answer.status, answer.body]).toMatchObject([200, { $id: alice.id, status: false }])
  })

  test('that is set to blocked ends every session', async () => {
    const { blog, alice, other, answer } = await blockOwn()
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^a_session_blog_\d+=; .*Expires=Thu, 01 Jan 1970/),
    ])
    for (const cookie of [alice.cookie, other])
      expect((await whoAmI(blog, cookie)).status).toBe(401)
  })

  test('that is blocked refuses sign-ins, and gives the reason only with the correct password', async () => {
    const { blog, alice } = await blockOwn()
    const refused = await signIn(blog, alice)
    expect([refused.body, refused.headers.getSetCookie()]).toEqual([
      expect.objectContaining({ code: 401, type: 'user_blocked' }),
      [],
    ])
    expect((await signIn(blog, { ...alice, password: 'wrong lamps' })).body).toMatchObject(WRONG)
  })
})

describe('a session', () => {
  test('without a provider cannot be refreshed', async () => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    const { $id } = (await blog.call('GET', '/account/sessions/current', { cookie })).body
    for (const id of ['current', $id])
      expect((await change(blog, `sessions/${id}`, cookie)).body).toMatchObject({
        code: 501,
        type: 'project_provider_unsupported',
      })
  })

  test('of another user is not found', async () => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const { $id } = (await blog.call('GET', '/account/sessions/current', { cookie })).body
    expect((await change(blog, `sessions/${$id}`, bob.cookie)).body).toMatchObject({
      code: 404,
      type: 'user_session_not_found',
    })
  })

  test('cannot be refreshed by a guest', async () => {
    const blog = await sharedBlog()
    expect((await change(blog, 'sessions/current', '')).body).toMatchObject({
      code: 401,
      type: 'general_unauthorized_scope',
    })
  })
})
