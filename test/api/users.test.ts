// The operator's calls over HTTP (api.md §6): with the API key everything, without it nothing.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
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

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/

const BAD = { code: 400, type: 'general_argument_invalid' }

const MISSING = { code: 404, type: 'user_not_found' }

const asKey = (blog: TestBlog, method: string, path: string, body?: unknown) =>
  blog.call(method, path, {
    headers: { 'x-appwrite-key': blog.apiKey },
    ...(body === undefined ? {} : { body }),
  })

test('without the key, with a wrong one or one in the address nothing is told and nothing changes', async () => {
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

describe('making people', () => {
  test('with a password they can sign in; extra fields are ignored', async () => {
    await using blog = await makeTestBlog()
    const sent = {
      userId: 'alice',
      email: 'Alice@Example.test',
      password: 'alice likes lamps',
      name: 'Alice',
    }
    const made = await asKey(blog, 'POST', '/users', {
      ...sent,
      emailVerification: true,
      labels: ['admin'],
      status: false,
      $id: 'x',
    })
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        $id: 'alice',
        email: 'alice@example.test',
        name: 'Alice',
        emailVerification: false,
        labels: ['author'],
        status: true,
        hash: '',
      },
    ])
    expect(made.headers.getSetCookie()).toEqual([])
    expect((await signIn(blog, sent)).status).toBe(201)
    const bare = await asKey(blog, 'POST', '/users', {
      userId: 'unique()',
      email: 'bob@example.test',
    })
    expect(bare.body).toMatchObject({
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
  ])('$name adds no user', async ({ body, refused }) => {
    await using blog = await makeTestBlog()
    await asKey(blog, 'POST', '/users', { userId: 'alice', email: 'alice@example.test' })
    expect((await asKey(blog, 'POST', '/users', body)).body).toMatchObject(refused)
    expect((await asKey(blog, 'GET', '/users')).body.total).toBe(1)
  })
})

describe('changing people', () => {
  test('name, address, confirmation and prefs', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    const path = `/users/${alice.id}`
    expect((await asKey(blog, 'PATCH', `${path}/name`, { name: 'Alice L.' })).body).toMatchObject({
      name: 'Alice L.',
      hash: '',
    })
    expect(
      (await asKey(blog, 'PATCH', `${path}/verification`, { emailVerification: true })).body
        .emailVerification,
    ).toBe(true)
    expect((await whoAmI(blog, alice.cookie)).body).toMatchObject({
      name: 'Alice L.',
      emailVerification: true,
    })
    const moved = await asKey(blog, 'PATCH', `${path}/email`, { email: 'Alice@Elsewhere.test' })
    expect(moved.body).toMatchObject({ email: 'alice@elsewhere.test', emailVerification: false })
    expect((await it.sink.waitForMail(alice.email)).subject).toContain('was changed')
    expect(
      (await asKey(blog, 'PATCH', `${path}/prefs`, { prefs: { theme: 'dark' } })).body,
    ).toEqual({ theme: 'dark' })
    expect((await whoAmI(blog, alice.cookie)).body.prefs).toEqual({ theme: 'dark' })
  })

  test('a new password ends every session and voids links', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    await requestRecovery(blog, alice.email)
    const proof = await it.secretFor(alice.email)
    expect(
      (await asKey(blog, 'PATCH', `/users/${alice.id}/password`, { password: 'a brighter lamp' }))
        .status,
    ).toBe(200)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await finishRecovery(blog, proof)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    expect((await signIn(blog, { ...alice, password: 'a brighter lamp' })).status).toBe(201)
  })

  test('blocking ends every session and voids links; unblocking lets the person in again', async () => {
    await using it = await makeMailBlog()
    const { blog } = it
    const alice = await blog.makePerson('alice')
    await requestVerification(blog, alice.cookie)
    const proof = await it.secretFor(alice.email)
    expect(
      (await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: false })).body.status,
    ).toBe(false)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await signIn(blog, alice)).body).toMatchObject({ code: 401, type: 'user_blocked' })
    expect((await finishVerification(blog, proof)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    expect(
      (await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: true })).body.status,
    ).toBe(true)
    expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  test('what is invalid or names no user changes nothing', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const cases: [what: string, body: object, refused: object][] = [
      ['name', { name: '' }, BAD],
      ['email', { email: bob.email }, { code: 409, type: 'user_email_already_exists' }],
      ['email', { email: 'nonsense' }, BAD],
      ['password', { password: 'short' }, BAD],
      ['status', { status: 'false' }, BAD],
      ['verification', { emailVerification: 1 }, BAD],
      ['prefs', { prefs: ['dark'] }, BAD],
    ]
    const before = (await asKey(blog, 'GET', `/users/${alice.id}`)).body
    for (const [what, body, refused] of cases)
      expect((await asKey(blog, 'PATCH', `/users/${alice.id}/${what}`, body)).body).toMatchObject(
        refused,
      )
    expect((await asKey(blog, 'GET', `/users/${alice.id}`)).body).toEqual(before)
    for (const id of ['nobody', '%00', "'", '..%2falice']) {
      expect((await asKey(blog, 'PATCH', `/users/${id}/name`, { name: 'Eve' })).body).toMatchObject(
        MISSING,
      )
      expect((await asKey(blog, 'DELETE', `/users/${id}/sessions`)).body).toMatchObject(MISSING)
    }
  })
})

test('one session or all of them can be ended', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const second = await signIn(blog, alice)
  const path = `/users/${alice.id}/sessions`
  expect((await asKey(blog, 'DELETE', `${path}/${second.body.$id}`)).status).toBe(204)
  expect([
    (await whoAmI(blog, cookieOf(second))).status,
    (await whoAmI(blog, alice.cookie)).status,
  ]).toEqual([401, 200])
  expect((await asKey(blog, 'DELETE', `${path}/${second.body.$id}`)).body).toMatchObject({
    code: 404,
    type: 'user_session_not_found',
  })
  expect((await asKey(blog, 'DELETE', path)).status).toBe(204)
  expect((await whoAmI(blog, alice.cookie)).status).toBe(401)
})

describe('a sign-in link from the operator', () => {
  test('signs in once, proves no address, and leaves password and sessions as they are', async () => {
    await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
    const alice = await blog.makePerson('alice')
    const token = await asKey(blog, 'POST', `/users/${alice.id}/tokens`, { expire: 3600 })
    expect([token.status, token.body]).toEqual([
      201,
      {
        $id: expect.stringMatching(/^[0-9a-f]{20}$/),
        $createdAt: expect.stringMatching(WIRE_TIME),
        userId: alice.id,
        secret: expect.stringMatching(/^[0-9a-f]{256}$/),
        expire: expect.stringMatching(WIRE_TIME),
      },
    ])
    expect(Date.parse(token.body.expire) - Date.parse(token.body.$createdAt)).toBe(3_600_000)
    const proof = { userId: alice.id, secret: token.body.secret }
    expect((await finishRecovery(blog, proof)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    const session = await blog.call('POST', '/account/sessions/token', { body: proof })
    expect((await whoAmI(blog, cookieOf(session))).body).toMatchObject({
      $id: alice.id,
      emailVerification: false,
    })
    expect((await signInWithLink(blog, proof)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    expect([(await whoAmI(blog, alice.cookie)).status, (await signIn(blog, alice)).status]).toEqual(
      [200, 201],
    )
    expect(JSON.stringify(blog.log)).not.toContain(token.body.secret)
  })

  test('lives a quarter of an hour unless said otherwise, and is for people who may sign in', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const { body } = await asKey(blog, 'POST', `/users/${alice.id}/tokens`, {})
    expect(Date.parse(body.expire) - Date.parse(body.$createdAt)).toBe(900_000)
    for (const expire of [0, 59, 604_801, '900', 60.5]) {
      expect(
        (await asKey(blog, 'POST', `/users/${alice.id}/tokens`, { expire })).body,
      ).toMatchObject(BAD)
    }
    blog.passTime(900_000)
    expect(
      (await signInWithLink(blog, { userId: alice.id, secret: body.secret })).body,
    ).toMatchObject({
      code: 401,
      type: 'user_invalid_token',
    })
    await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: false })
    expect((await asKey(blog, 'POST', `/users/${alice.id}/tokens`, {})).body).toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
    expect((await asKey(blog, 'POST', '/users/nobody/tokens', {})).body).toMatchObject(MISSING)
  })
})
