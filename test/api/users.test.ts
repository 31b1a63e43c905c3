// The operator's calls over HTTP (api.md §6): all work with the API key, none without it.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { shareMailBlog } from '#test/support/mail-blog.ts'
import {
  cookieOf,
  finishRecovery,
  finishVerification,
  requestRecovery,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()
const openShared = shareMailBlog()

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/

const INVALID = { code: 401, type: 'user_invalid_token' }

const BAD = { code: 400, type: 'general_argument_invalid' }

const MISSING = { code: 404, type: 'user_not_found' }

const asKey = (blog: TestBlog, method: string, path: string, body?: unknown) =>
  blog.call(method, path, {
    headers: { 'x-appwrite-key': blog.apiKey },
    ...(body === undefined ? {} : { body }),
  })

test('calls without the key, with a wrong key or with the key in the address are refused and change nothing', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const path = `/users/${alice.id}`
  const calls: [method: string, path: string, body?: object][] = [
    ['GET', '/users'],
    ['GET', `/users?key=${blog.apiKey}&x-appwrite-key=${blog.apiKey}`],
    ['POST', '/users', { userId: 'eve', email: 'eve@example.test' }],
    ['PATCH', `${path}/name`, { name: 'Eve' }],
    ['PATCH', `${path}/email`, { email: 'eve@example.test' }],
    ['PATCH', `${path}/password`, { password: 'eve likes lamps' }],
    ['PATCH', `${path}/status`, { status: false }],
    ['PATCH', `${path}/verification`, { emailVerification: true }],
    ['PATCH', `${path}/prefs`, { prefs: { theme: 'dark' } }],
    ['POST', `${path}/tokens`, {}],
    ['DELETE', `${path}/sessions`],
    ['DELETE', `${path}/sessions/current`],
    ['DELETE', path],
  ]
  const before = (await asKey(blog, 'GET', path)).body
  for (const [method, target, body = undefined] of calls) {
    for (const caller of [
      {},
      { cookie: bob.cookie },
      { cookie: alice.cookie },
      { headers: { 'x-appwrite-key': 'wrong' } },
      { headers: { 'x-appwrite-key': '' } },
    ]) {
      const answer = await blog.call(method, target, {
        ...caller,
        ...(method === 'GET' ? {} : { body: body ?? {} }),
      })
      expect([method, target, answer.status, answer.body.type]).toEqual([
        method,
        target,
        401,
        'general_unauthorized_scope',
      ])
    }
  }
  expect((await asKey(blog, 'GET', path)).body).toEqual(before)
  expect((await asKey(blog, 'GET', '/users')).body.total).toBe(2)
  expect((await whoAmI(blog, alice.cookie)).status).toBe(200)
})

describe('an account that the API key creates', () => {
  test('signs in with its password', async () => {
    await using blog = await makeTestBlog()
    const account = {
      userId: 'alice',
      email: 'Alice@Example.test',
      password: 'alice likes lamps',
      name: 'Alice',
    }
    const { status, body, headers } = await asKey(blog, 'POST', '/users', account)
    expect([status, body]).toMatchObject([
      201,
      { $id: 'alice', email: 'alice@example.test', name: 'Alice', hash: '' },
    ])
    expect(headers.getSetCookie()).toEqual([])
    expect((await signIn(blog, account)).status).toBe(201)
  })

  test('is unverified, an author and not blocked, whatever else the request contains', async () => {
    const blog = await sharedBlog()
    const { status, body } = await asKey(blog, 'POST', '/users', {
      userId: 'nora',
      email: 'nora@example.test',
      emailVerification: true,
      labels: ['admin'],
      status: false,
      $id: 'x',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      $id: 'nora',
      emailVerification: false,
      labels: ['author'],
      status: true,
    })
  })

  test('needs neither ID, name nor password', async () => {
    const blog = await sharedBlog()
    const account = { userId: 'unique()', email: 'olga@example.test' }
    expect((await asKey(blog, 'POST', '/users', account)).body).toMatchObject({
      $id: expect.stringMatching(/^[0-9a-f]{20}$/),
      name: '',
      passwordUpdate: '',
    })
  })

  test.each([
    {
      name: 'an id in use',
      body: { userId: 'alice', email: 'new@example.test' },
      refused: { code: 409, type: 'user_already_exists' },
    },
    {
      name: 'an address in use',
      body: { userId: 'bob', email: 'ALICE@example.test' },
      refused: { code: 409, type: 'user_already_exists' },
    },
    { name: 'no address', body: { userId: 'bob' }, refused: BAD },
    { name: 'a bad id', body: { userId: '../bob', email: 'bob@example.test' }, refused: BAD },
    {
      name: 'a bad password',
      body: { userId: 'bob', email: 'bob@example.test', password: 'short' },
      refused: BAD,
    },
    {
      name: 'a name on two lines',
      body: { userId: 'bob', email: 'bob@example.test', name: 'a\nb' },
      refused: BAD,
    },
  ])('is not created with $name', async ({ body, refused }) => {
    await using blog = await makeTestBlog()
    await asKey(blog, 'POST', '/users', { userId: 'alice', email: 'alice@example.test' })
    expect((await asKey(blog, 'POST', '/users', body)).body).toMatchObject(refused)
    expect((await asKey(blog, 'GET', '/users')).body.total).toBe(1)
  })
})

describe('the API key changes', () => {
  /** Alice on a blog that sends mail, and calls with the key that change her account. */
  async function start() {
    const mail = await openShared()
    const { blog } = mail
    const alice = await blog.makePerson('alice')
    const change = (attribute: string, value: unknown) =>
      asKey(blog, 'PATCH', `/users/${alice.id}/${attribute}`, {
        [attribute === 'verification' ? 'emailVerification' : attribute]: value,
      })
    const readAccount = async () => (await whoAmI(blog, alice.cookie)).body
    return { ...mail, alice, change, readAccount }
  }

  test('a name', async () => {
    const { change, readAccount } = await start()
    expect((await change('name', 'Alice L.')).body).toMatchObject({ name: 'Alice L.', hash: '' })
    expect((await readAccount()).name).toBe('Alice L.')
  })

  test('whether an email address is verified', async () => {
    const { change, readAccount } = await start()
    expect((await change('verification', true)).body.emailVerification).toBe(true)
    expect((await readAccount()).emailVerification).toBe(true)
  })

  test('an email address, which is then unverified; the old address gets a mail', async () => {
    const { alice, sink, change } = await start()
    await change('verification', true)
    expect((await change('email', `Moved.${alice.email}`)).body).toMatchObject({
      email: `moved.${alice.email}`,
      emailVerification: false,
    })
    expect((await sink.waitForMail(alice.email)).subject).toContain('was changed')
  })

  test('prefs', async () => {
    const { change, readAccount } = await start()
    expect((await change('prefs', { theme: 'dark' })).body).toEqual({ theme: 'dark' })
    expect((await readAccount()).prefs).toEqual({ theme: 'dark' })
  })

  test('a password, which ends every session and invalidates mailed links', async () => {
    const { blog, secretFor, alice, change } = await start()
    await requestRecovery(blog, alice.email)
    const proof = await secretFor(alice.email)
    expect((await change('password', 'a brighter lamp')).status).toBe(200)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await finishRecovery(blog, proof)).body).toMatchObject(INVALID)
    expect((await signIn(blog, { ...alice, password: 'a brighter lamp' })).status).toBe(201)
  })

  test('the status of a user: blocking ends every session and invalidates mailed links', async () => {
    const { blog, secretFor, alice, change } = await start()
    await requestVerification(blog, alice.cookie)
    const proof = await secretFor(alice.email)
    expect((await change('status', false)).body.status).toBe(false)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await signIn(blog, alice)).body).toMatchObject({ code: 401, type: 'user_blocked' })
    expect((await finishVerification(blog, proof)).body).toMatchObject(INVALID)
  })

  test('the status of a user: an unblocked user can sign in again', async () => {
    const { blog, alice, change } = await start()
    await change('status', false)
    expect((await change('status', true)).body.status).toBe(true)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('nothing when the call is invalid', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const cases: [attribute: string, body: object, refused: object][] = [
      ['name', { name: '' }, BAD],
      ['email', { email: bob.email }, { code: 409, type: 'user_email_already_exists' }],
      ['email', { email: 'nonsense' }, BAD],
      ['password', { password: 'short' }, BAD],
      ['status', { status: 'false' }, BAD],
      ['verification', { emailVerification: 1 }, BAD],
      ['prefs', { prefs: ['dark'] }, BAD],
    ]
    const path = `/users/${alice.id}`
    const before = (await asKey(blog, 'GET', path)).body
    for (const [attribute, body, refused] of cases)
      expect((await asKey(blog, 'PATCH', `${path}/${attribute}`, body)).body).toMatchObject(refused)
    expect((await asKey(blog, 'GET', path)).body).toEqual(before)
  })

  test.each(['nobody', '%00', "'", '..%2falice'])('nothing of the unknown user %j', async (id) => {
    const blog = await sharedBlog()
    for (const [method, path, body] of [
      ['PATCH', 'name', { name: 'Eve' }],
      ['DELETE', 'sessions', undefined],
    ] as const)
      expect((await asKey(blog, method, `/users/${id}/${path}`, body)).body).toMatchObject(MISSING)
  })
})

describe('the API key ends', () => {
  /** Alice with two sessions. */
  async function start() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const second = await signIn(blog, alice)
    const statuses = async () => [
      (await whoAmI(blog, alice.cookie)).status,
      (await whoAmI(blog, cookieOf(second))).status,
    ]
    return { blog, path: `/users/${alice.id}/sessions`, second, statuses }
  }

  test('one session, once', async () => {
    const { blog, path, second, statuses } = await start()
    expect((await asKey(blog, 'DELETE', `${path}/${second.body.$id}`)).status).toBe(204)
    expect(await statuses()).toEqual([200, 401])
    expect((await asKey(blog, 'DELETE', `${path}/${second.body.$id}`)).body).toMatchObject({
      code: 404,
      type: 'user_session_not_found',
    })
  })

  test('all sessions', async () => {
    const { blog, path, statuses } = await start()
    expect((await asKey(blog, 'DELETE', path)).status).toBe(204)
    expect(await statuses()).toEqual([401, 401])
  })
})

describe('a sign-in link from the operator', () => {
  const shareMailless = shareBlog(() => makeTestBlog({ BLOG_MAIL: 'off' }))

  /** Alice, and the answer to a request for a link for an hour. */
  async function startWithLink() {
    const blog = await shareMailless()
    const alice = await blog.makePerson('alice')
    const answer = await asKey(blog, 'POST', `/users/${alice.id}/tokens`, { expire: 3600 })
    return { blog, alice, answer, proof: { userId: alice.id, secret: answer.body.secret } }
  }

  test('is returned with its secret, also without mail, and the log does not contain the secret', async () => {
    const { blog, alice, answer } = await startWithLink()
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        $id: expect.stringMatching(/^[0-9a-f]{20}$/),
        $createdAt: expect.stringMatching(WIRE_TIME),
        userId: alice.id,
        secret: expect.stringMatching(/^[0-9a-f]{256}$/),
        expire: expect.stringMatching(WIRE_TIME),
      },
    ])
    expect(Date.parse(answer.body.expire) - Date.parse(answer.body.$createdAt)).toBe(3_600_000)
    expect(JSON.stringify(blog.log)).not.toContain(answer.body.secret)
  })

  test('signs in once, and does not verify the address', async () => {
    const { blog, alice, proof } = await startWithLink()
    const session = await blog.call('POST', '/account/sessions/token', { body: proof })
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
      $id: alice.id,
      emailVerification: false,
    })
    expect((await signInWithLink(blog, proof)).body).toMatchObject(INVALID)
    expect(JSON.stringify(blog.log)).not.toContain(proof.secret)
  })

  test('leaves password and sessions as they are', async () => {
    const { blog, alice, proof } = await startWithLink()
    expect((await finishRecovery(blog, proof)).body).toMatchObject(INVALID)
    await signInWithLink(blog, proof)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(200)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('is valid for a quarter of an hour when the request names no time', async () => {
    const { blog, alice } = await startWithLink()
    const { body } = await asKey(blog, 'POST', `/users/${alice.id}/tokens`, {})
    expect(Date.parse(body.expire) - Date.parse(body.$createdAt)).toBe(900_000)
    blog.passTime(900_000)
    const proof = { userId: alice.id, secret: body.secret }
    expect((await signInWithLink(blog, proof)).body).toMatchObject(INVALID)
  })

  test.each([0, 59, 604_801, '900', 60.5])('is not valid for %j seconds', async (expire) => {
    const { blog, alice } = await startWithLink()
    const { body } = await asKey(blog, 'POST', `/users/${alice.id}/tokens`, { expire })
    expect(body).toMatchObject(BAD)
  })

  test('is only for users who may sign in', async () => {
    const { blog, alice } = await startWithLink()
    await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: false })
    expect((await asKey(blog, 'POST', `/users/${alice.id}/tokens`, {})).body).toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
    expect((await asKey(blog, 'POST', '/users/nobody/tokens', {})).body).toMatchObject(MISSING)
  })
})
