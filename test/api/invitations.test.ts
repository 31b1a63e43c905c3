// Invitations over real HTTP: the operator's calls, what a link allows, and every way of using
// one that must fail.
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
import { signIn, whoAmI } from '#test/support/mail-calls.ts'
import { readLink } from '#test/support/mail-text.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const DAY_MS = 86_400_000
const CLOSED = { BLOG_REGISTRATION: 'closed' }
const CARLA = 'carla@example.test'
const PASSWORD = 'a lamp for carla'

const asKey = (blog: TestBlog) => ({ headers: { 'x-appwrite-key': blog.apiKey } })
const invite = (blog: TestBlog, body: object = { email: CARLA }) =>
  blog.call('POST', '/invitations', { body, ...asKey(blog) })
const ask = (blog: TestBlog, body: object) => blog.call('POST', '/account/invitation', { body })
const accept = (blog: TestBlog, proof: object, more: object = {}) =>
  blog.call('POST', '/account', {
    body: { email: CARLA, password: PASSWORD, name: 'Carla', ...proof, ...more },
  })
const countUsers = async (blog: TestBlog) =>
  (await blog.call('GET', '/users', asKey(blog))).body.total
const listInvitations = async (blog: TestBlog) =>
  (await blog.call('GET', '/invitations', asKey(blog))).body.invitations
const INVALID = { status: 401, body: { type: 'user_invalid_token' } }

function proofIn(url: string) {
  const { searchParams } = new URL(url)
  return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
}

async function proofOf(invitation: Promise<Answer>) {
  return proofIn((await invitation).body.url)
}

describe('without a mail server, while registration is closed', () => {
  const sharedBlog = shareBlog(() => makeTestBlog(CLOSED))
  let invited = 0

  /** An invitation by the key, for an address that no other test uses. */
  async function start(more: object = {}) {
    const blog = await sharedBlog()
    const email = `carla${++invited}@example.test`
    const invitation = await invite(blog, { email, ...more })
    return {
      blog,
      email,
      invitation,
      proof: proofIn(invitation.body.url),
      inviteAgain: () => proofOf(invite(blog, { email })),
      accept: (proof: object, other: object = {}) => accept(blog, proof, { email, ...other }),
    }
  }

  test('the key gets a link to the invitation, with a secret', async () => {
    const blog = await sharedBlog()
    const invitation = await invite(blog, { email: ' Carla@Example.test', name: 'Ines' })
    expect(invitation).toMatchObject({
      status: 201,
      body: { email: CARLA, name: 'Ines', mailed: false, url: expect.stringContaining(blog.url) },
    })
    const { secret } = proofIn(invitation.body.url)
    expect([new URL(invitation.body.url).pathname, secret.length]).toEqual(['/invitation', 256])
  })

  test('anyone with the link sees whom it is for, who invited them, and when it expires', async () => {
    const { blog, email, invitation, proof } = await start({ name: 'Ines' })
    expect(await ask(blog, proof)).toMatchObject({
      status: 200,
      body: { email, name: 'Ines', expire: invitation.body.expire },
    })
  })

  test('the link lets its address sign up, unverified, and nobody can sign up without one', async () => {
    const { blog, email, proof, accept } = await start()
    expect((await accept({ userId: 'unique()' })).body.type).toBe('user_count_exceeded')
    expect(await accept(proof)).toMatchObject({
      status: 201,
      body: { $id: proof.userId, email, emailVerification: false, name: 'Carla' },
    })
    expect((await signIn(blog, { email, password: PASSWORD })).status).toBe(201)
  })

  test('neither the secret nor the address is in the log', async () => {
    const { blog, email, proof, accept } = await start()
    await ask(blog, proof)
    await accept(proof)
    await signIn(blog, { email, password: PASSWORD })
    expect(JSON.stringify(blog.log)).not.toMatch(new RegExp(`${proof.secret}|carla\\d*@`, 'i'))
  })

  test('a newer link for the same address replaces the older one', async () => {
    const { blog, proof, inviteAgain, accept } = await start()
    const newer = await inviteAgain()
    for (const answer of [await ask(blog, proof), await accept(proof)])
      expect(answer).toMatchObject(INVALID)
    expect((await accept(newer)).status).toBe(201)
  })

  test('a link is valid for seven days', async () => {
    const { blog, proof, accept } = await start()
    blog.passTime(7 * DAY_MS - 60_000)
    expect((await ask(blog, proof)).status).toBe(200)
    blog.passTime(60_000)
    for (const answer of [await ask(blog, proof), await accept(proof)])
      expect(answer).toMatchObject(INVALID)
  })

  test('a link creates only one account', async () => {
    const { blog, proof, accept } = await start()
    expect((await accept(proof)).status).toBe(201)
    const before = await countUsers(blog)
    expect(await ask(blog, proof)).toMatchObject(INVALID)
    expect(await accept(proof, { email: 'other@example.test' })).toMatchObject(INVALID)
    expect(await countUsers(blog)).toBe(before)
  })

  test('a link works only for its address and its id', async () => {
    const { blog, proof, accept } = await start()
    const other = await start()
    const before = await countUsers(blog)
    expect(await accept(proof, { email: other.email })).toMatchObject(INVALID)
    expect(await accept({ ...proof, userId: other.proof.userId })).toMatchObject(INVALID)
    expect(await accept({ ...proof, userId: 'unique()' })).toMatchObject(INVALID)
    expect(await countUsers(blog)).toBe(before)
  })

  test('a changed or empty secret creates no account', async () => {
    const { blog, proof, accept } = await start()
    const before = await countUsers(blog)
    const changed = `${proof.secret.slice(0, -1)}${proof.secret.endsWith('0') ? '1' : '0'}`
    expect(await accept({ ...proof, secret: changed })).toMatchObject(INVALID)
    expect((await accept({ ...proof, secret: '' })).status).toBe(400)
    expect(await countUsers(blog)).toBe(before)
  })

  test('a link still works after a bad password or a wrong address', async () => {
    const { blog, proof, accept } = await start()
    const before = await countUsers(blog)
    expect((await accept(proof, { password: 'short' })).status).toBe(400)
    expect(await accept(proof, { email: 'dora@example.test' })).toMatchObject(INVALID)
    expect(await countUsers(blog)).toBe(before)
    expect((await accept(proof)).status).toBe(201)
  })

  test('of many sign-ups with one link only one succeeds', async () => {
    const { blog, proof, accept } = await start()
    const before = await countUsers(blog)
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(proof)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect([statuses[0], statuses.filter((status) => status === 201).length]).toEqual([201, 1])
    expect(statuses.slice(1).every((status) => [401, 409].includes(status))).toBe(true)
    expect(await countUsers(blog)).toBe(before + 1)
  })

  test('only the key and operators can create, list or revoke invitations', async () => {
    const { blog, invitation } = await start()
    const person = { email: `alice${invited}@example.test`, password: PASSWORD }
    await blog.call('POST', '/users', { ...asKey(blog), body: { userId: 'unique()', ...person } })
    const { headers } = await signIn(blog, person)
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await whoAmI(blog, cookie)).status).toBe(200)
    for (const options of [{}, { cookie }, { headers: { 'x-appwrite-key': 'wrong' } }]) {
      for (const [method, path] of [
        ['POST', '/invitations'],
        ['GET', '/invitations'],
        ['DELETE', `/invitations/${invitation.body.$id}`],
      ] as const) {
        const body = method === 'GET' ? {} : { body: { email: 'eve@example.test' } }
        const refused = await blog.call(method, path, { ...body, ...options })
        expect(refused.body.type).toBe('general_unauthorized_scope')
      }
    }
    expect(await listInvitations(blog)).toContainEqual({ ...invitation.body, url: '' })
  })

  test('the key can list invitations, without their links', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const invitation = await invite(blog)
    expect((await blog.call('GET', '/invitations', asKey(blog))).body).toEqual({
      total: 1,
      invitations: [{ ...invitation.body, url: '' }],
    })
  })

  test('the key can revoke an invitation once, and its link is then void', async () => {
    const { blog, invitation, proof, accept } = await start()
    const revoke = () =>
      blog.call('DELETE', `/invitations/${invitation.body.$id}`, { body: {}, ...asKey(blog) })
    expect((await revoke()).status).toBe(204)
    expect((await revoke()).body.type).toBe('invitation_not_found')
    expect(await accept(proof)).toMatchObject(INVALID)
  })

  test('an invitation with an invalid address or name is refused', async () => {
    const blog = await sharedBlog()
    for (const body of [
      { email: 'no address' },
      { email: CARLA, name: 'two\nlines' },
      { email: `${CARLA}\r\nBcc: eve@example.test` },
    ])
      expect((await invite(blog, body)).status).toBe(400)
  })
})

describe('an invited person who has signed up without the link', () => {
  const sharedBlog = shareBlog()
  let people = 0

  async function start() {
    const blog = await sharedBlog()
    const email = `dora${++people}@example.test`
    const proof = await proofOf(invite(blog, { email }))
    const person = { email, password: 'dora likes lamps' }
    const account = await blog.call('POST', '/account', { body: { userId: 'unique()', ...person } })
    return {
      blog,
      person,
      accept: () => accept(blog, proof, { email }),
      inviteAgain: () => invite(blog, { email }),
      block: () =>
        blog.call('PATCH', `/users/${account.body.$id}/status`, {
          ...asKey(blog),
          body: { status: false },
        }),
    }
  }

  test('does not lose the account to the link', async () => {
    const { blog, person, accept } = await start()
    expect((await accept()).body.type).toBe('user_already_exists')
    expect((await signIn(blog, person)).status).toBe(201)
  })

  test('does not lose the account to the link when blocked, either', async () => {
    const { accept, block } = await start()
    await block()
    expect((await accept()).body.type).toBe('user_already_exists')
  })

  test('cannot be invited again, whether blocked or not', async () => {
    const { inviteAgain, block } = await start()
    expect((await inviteAgain()).body.type).toBe('user_already_exists')
    await block()
    expect((await inviteAgain()).body.type).toBe('user_already_exists')
  })
})

test('calls that read an invitation are rate limited', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const proof = { userId: 'nobody', secret: 'x' }
  const statuses = []
  for (let call = 0; call < 51; call++) statuses.push((await ask(blog, proof)).status)
  expect([statuses[0], statuses[49], statuses[50]]).toEqual([401, 401, 429])
})

describe('with a mail server', () => {
  async function inviteByMail() {
    const mailBlog = await makeMailBlog({ ...CLOSED, BLOG_SITE_NAME: 'The Lamp' })
    const invitation = await invite(mailBlog.blog, { email: CARLA, name: 'Ines Duarte' })
    return { ...mailBlog, invitation, [Symbol.asyncDispose]: () => mailBlog[Symbol.asyncDispose]() }
  }

  test('the link is sent only to the address', async () => {
    await using mailBlog = await inviteByMail()
    expect(mailBlog.invitation.body).toMatchObject({ mailed: true, url: '' })
    expect(JSON.stringify(mailBlog.invitation.body)).not.toMatch(/[0-9a-f]{64}/)
    const mail = await mailBlog.sink.waitForMail(CARLA)
    expect(mail.html.match(/Accept the invitation/g)).toHaveLength(1)
    expect(mail.html.split(readLink(mail).href.replaceAll('&', '&amp;'))).toHaveLength(4)
  })

  test('the mail says who sent the invitation, and what to do if they are a stranger', async () => {
    await using mailBlog = await inviteByMail()
    const mail = await mailBlog.sink.waitForMail(CARLA)
    expect(mail.subject).toBe('Ines Duarte invites you to The Lamp')
    expect(mail.text).toContain(
      'You do not know Ines Duarte? Then do nothing: without you no account is made.',
    )
  })

  test('using the link verifies the address', async () => {
    await using mailBlog = await inviteByMail()
    const proof = await mailBlog.secretFor(CARLA)
    expect((await accept(mailBlog.blog, proof)).body.emailVerification).toBe(true)
  })
})

test('an invitation without a name says who sent it, too', async () => {
  await using mailBlog = await makeMailBlog({ BLOG_SITE_NAME: 'The Lamp' })
  await invite(mailBlog.blog)
  const mail = await mailBlog.sink.waitForMail(CARLA)
  expect(mail.subject).toBe('An operator invites you to The Lamp')
})
