// Invitations over real HTTP: the operator's calls, what a link is good for, and every way of using
// one that must fail.
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
import { signIn, whoAmI } from '#test/support/mail-calls.ts'
import { readLink } from '#test/support/mail-text.ts'

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
const INVALID = { status: 401, body: { type: 'user_invalid_token' } }

function proofIn(url: string) {
  const { searchParams } = new URL(url)
  return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
}

async function proofOf(made: Promise<Answer>) {
  return proofIn((await made).body.url)
}

describe('without a mail server', () => {
  test('the key gets a link that lets the address in while registration is closed, unverified', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const made = await invite(blog, { email: ' Carla@Example.test', name: 'Ines' })
    expect(made).toMatchObject({
      status: 201,
      body: { email: CARLA, name: 'Ines', mailed: false, url: expect.stringContaining(blog.url) },
    })
    const proof = proofIn(made.body.url)
    expect([new URL(made.body.url).pathname, proof.secret.length]).toEqual(['/invitation', 256])
    expect(await ask(blog, proof)).toMatchObject({
      status: 200,
      body: { email: CARLA, name: 'Ines', expire: made.body.expire },
    })
    expect((await accept(blog, { userId: 'unique()' })).body.type).toBe('user_count_exceeded')
    expect(await accept(blog, proof)).toMatchObject({
      status: 201,
      body: { $id: proof.userId, email: CARLA, emailVerification: false, name: 'Carla' },
    })
    expect((await signIn(blog, { email: CARLA, password: PASSWORD })).status).toBe(201)
    expect(JSON.stringify(blog.log)).not.toMatch(new RegExp(`${proof.secret}|carla@`, 'i'))
  })

  test('a link works once, for seven days, and the newest alone', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const old = await proofOf(invite(blog))
    const proof = await proofOf(invite(blog))
    for (const call of [ask, accept]) expect(await call(blog, old)).toMatchObject(INVALID)
    blog.passTime(7 * DAY_MS - 60_000)
    expect((await ask(blog, proof)).status).toBe(200)
    blog.passTime(60_000)
    for (const call of [ask, accept]) expect(await call(blog, proof)).toMatchObject(INVALID)
    const next = await proofOf(invite(blog))
    expect((await accept(blog, next)).status).toBe(201)
    expect(await ask(blog, next)).toMatchObject(INVALID)
    expect(await accept(blog, next, { email: 'other@example.test' })).toMatchObject(INVALID)
    expect(await countUsers(blog)).toBe(1)
  })

  test('a link is good for its address and its id alone, and a bad password does not cost it', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const proof = await proofOf(invite(blog))
    const other = await proofOf(invite(blog, { email: 'dora@example.test' }))
    expect(await accept(blog, proof, { email: 'dora@example.test' })).toMatchObject(INVALID)
    expect(await accept(blog, { ...proof, userId: other.userId })).toMatchObject(INVALID)
    expect(await accept(blog, { ...proof, userId: 'unique()' })).toMatchObject(INVALID)
    const changed = `${proof.secret.slice(0, -1)}${proof.secret.endsWith('0') ? '1' : '0'}`
    expect(await accept(blog, { ...proof, secret: changed })).toMatchObject(INVALID)
    expect((await accept(blog, { ...proof, secret: '' })).status).toBe(400)
    expect((await accept(blog, proof, { password: 'short' })).status).toBe(400)
    expect(await countUsers(blog)).toBe(0)
    expect((await accept(blog, proof)).status).toBe(201)
  })

  test('of many sign-ups with one link one succeeds', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const proof = await proofOf(invite(blog))
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(blog, proof)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect([statuses[0], statuses.filter((status) => status === 201).length]).toEqual([201, 1])
    expect(statuses.slice(1).every((status) => [401, 409].includes(status))).toBe(true)
    expect(await countUsers(blog)).toBe(1)
  })

  test('who has an account is not invited, blocked or not, and cannot be taken over by a link', async () => {
    await using blog = await makeTestBlog()
    const proof = await proofOf(invite(blog))
    const carla = await blog.makePerson('carla')
    expect((await accept(blog, proof)).body.type).toBe('user_already_exists')
    expect((await signIn(blog, carla)).status).toBe(201)
    expect((await invite(blog)).body.type).toBe('user_already_exists')
    await blog.call('PATCH', `/users/${carla.id}/status`, {
      ...asKey(blog),
      body: { status: false },
    })
    expect((await invite(blog)).body.type).toBe('user_already_exists')
    expect((await accept(blog, proof)).body.type).toBe('user_already_exists')
  })

  test('the key lists and revokes; nobody else makes, lists or revokes', async () => {
    await using blog = await makeTestBlog(CLOSED)
    const made = await invite(blog)
    const { url, ...rest } = made.body
    const alice = await blog.call('POST', '/users', {
      ...asKey(blog),
      body: { userId: 'unique()', email: 'alice@example.test', password: PASSWORD },
    })
    const { headers } = await signIn(blog, { email: alice.body.email, password: PASSWORD })
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await whoAmI(blog, cookie)).status).toBe(200)
    for (const options of [{}, { cookie }, { headers: { 'x-appwrite-key': 'wrong' } }]) {
      for (const [method, path] of [
        ['POST', '/invitations'],
        ['GET', '/invitations'],
        ['DELETE', `/invitations/${rest.$id}`],
      ] as const) {
        const body = method === 'GET' ? {} : { body: { email: 'eve@example.test' } }
        const refused = await blog.call(method, path, { ...body, ...options })
        expect(refused.body.type).toBe('general_unauthorized_scope')
      }
    }
    expect((await blog.call('GET', '/invitations', asKey(blog))).body).toEqual({
      total: 1,
      invitations: [{ ...rest, url: '' }],
    })
    const path = `/invitations/${rest.$id}`
    expect((await blog.call('DELETE', path, { body: {}, ...asKey(blog) })).status).toBe(204)
    expect((await blog.call('DELETE', path, { body: {}, ...asKey(blog) })).body.type).toBe(
      'invitation_not_found',
    )
    expect(await accept(blog, proofIn(url))).toMatchObject(INVALID)
    for (const body of [
      { email: 'no address' },
      { email: CARLA, name: 'two\nlines' },
      { email: `${CARLA}\r\nBcc: eve@example.test` },
    ])
      expect((await invite(blog, body)).status).toBe(400)
  })

  test('questions about links are counted', async () => {
    await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
    const proof = { userId: 'nobody', secret: 'x' }
    const statuses = []
    for (let call = 0; call < 51; call++) statuses.push((await ask(blog, proof)).status)
    expect([statuses[0], statuses[49], statuses[50]]).toEqual([401, 401, 429])
  })
})

test('with a mail server the link goes to the address alone, and using it verifies the address', async () => {
  await using it = await makeMailBlog({ ...CLOSED, BLOG_SITE_NAME: 'The Lamp' })
  const made = await invite(it.blog, { email: CARLA, name: 'Ines Duarte' })
  expect(made.body).toMatchObject({ mailed: true, url: '' })
  expect(JSON.stringify(made.body)).not.toMatch(/[0-9a-f]{64}/)
  const mail = await it.sink.waitForMail(CARLA)
  expect(mail.subject).toBe('Ines Duarte invites you to The Lamp')
  expect(mail.text).toContain(
    'You do not know Ines Duarte? Then do nothing: without you no account is made.',
  )
  expect(mail.html.match(/Accept the invitation/g)).toHaveLength(1)
  expect(mail.html.split(readLink(mail).href.replaceAll('&', '&amp;'))).toHaveLength(4)
  const proof = await it.secretFor(CARLA)
  expect((await accept(it.blog, proof)).body.emailVerification).toBe(true)
})

test('without a name the mail says who invites all the same', async () => {
  await using it = await makeMailBlog({ BLOG_SITE_NAME: 'The Lamp' })
  await invite(it.blog)
  const mail = await it.sink.waitForMail(CARLA)
  expect(mail.subject).toBe('An operator invites you to The Lamp')
})
