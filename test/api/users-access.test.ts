// The operator's calls about access to an account: sessions, tokens, JWTs, labels and identities.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { ALICE, openGoogleBlog, signIn as signInWithGoogle } from '#test/support/google-blog.ts'
import { makeRedirectBrowser } from '#test/support/openid.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const MISSING = { code: 404, type: 'user_not_found' }
const BAD = { code: 400, type: 'general_argument_invalid' }
const GUEST = { code: 401, type: 'general_unauthorized_scope' }
const INVALID = { code: 401, type: 'user_invalid_token' }

const asKey = (blog: TestBlog, method: string, path: string, body?: unknown) =>
  blog.call(method, path, {
    headers: { 'x-appwrite-key': blog.apiKey },
    ...(body === undefined ? {} : { body }),
  })
const whoIs = (blog: TestBlog, secret: string) =>
  blog.call('GET', '/account', { headers: { 'x-appwrite-session': secret } })
const redeem = (blog: TestBlog, userId: string, secret: string) =>
  blog.call('POST', '/account/sessions/token', { body: { userId, secret } })

test('without the key nothing of an account can be read or changed', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  for (const [method, path] of [
    ['GET', `/users/${alice.id}/prefs`],
    ['GET', `/users/${alice.id}/sessions`],
    ['POST', `/users/${alice.id}/sessions`],
    ['POST', `/users/${alice.id}/jwts`],
    ['PUT', `/users/${alice.id}/labels`],
    ['GET', `/users/${alice.id}/logs`],
    ['GET', '/users/identities'],
    ['DELETE', '/users/identities/x'],
  ] as const)
    for (const caller of [{}, { cookie: alice.cookie }, { headers: { 'x-appwrite-key': 'x' } }]) {
      const body = method === 'GET' ? undefined : {}
      const answer = await blog.call(method, path, { ...caller, ...(body ? { body } : {}) })
      expect([path, answer.body]).toEqual([path, expect.objectContaining(GUEST)])
    }
})

for (const [name, tags] of DATABASES)
  describe(`the key on ${name}`, { tags }, () => {
    const share = shareBlog(async () => {
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      const blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
      return {
        ...blog,
        async [Symbol.asyncDispose]() {
          await blog[Symbol.asyncDispose]()
          await postgres?.drop()
        },
      }
    })

    async function start() {
      const blog = await share()
      const alice = await blog.makePerson('alice')
      const path = `/users/${alice.id}`
      const makeToken = async (body: object): Promise<string> =>
        (await asKey(blog, 'POST', `${path}/tokens`, body)).body.secret
      return { blog, alice, path, makeToken }
    }

    test('reads prefs', async () => {
      const { blog, path } = await start()
      await asKey(blog, 'PATCH', `${path}/prefs`, { prefs: { theme: 'dark' } })
      expect((await asKey(blog, 'GET', `${path}/prefs`)).body).toEqual({ theme: 'dark' })
    })

    test('starts a session, without a cookie and without its secret in the log', async () => {
      const { blog, alice, path } = await start()
      const { status, headers, body } = await asKey(blog, 'POST', `${path}/sessions`, {})
      expect([status, headers.getSetCookie()]).toEqual([201, []])
      expect(body).toMatchObject({ userId: alice.id, provider: 'server', current: false })
      expect((await whoIs(blog, body.secret)).body.$id).toBe(alice.id)
      expect(JSON.stringify(blog.log)).not.toContain(body.secret)
    })

    test('lists sessions without their secrets, and sign-ins', async () => {
      const { blog, alice, path } = await start()
      const { body: session } = await asKey(blog, 'POST', `${path}/sessions`, {})
      const { body: list } = await asKey(blog, 'GET', `${path}/sessions`)
      expect(list).toMatchObject({ total: 2, sessions: [{ $id: session.$id }, {}] })
      for (const listed of list.sessions) expect(listed).not.toHaveProperty('secret')
      expect((await asKey(blog, 'GET', `${path}/logs`)).body).toMatchObject({
        total: 2,
        logs: [{ userId: alice.id }, { userEmail: alice.email }],
      })
    })

    test('sets the labels of one user, without duplicates', async () => {
      const { blog, alice, path } = await start()
      const bob = await blog.makePerson('bob')
      const labels = ['editor', 'a1', 'editor']
      const answer = await asKey(blog, 'PUT', `${path}/labels`, { labels })
      expect([answer.status, answer.body.labels]).toEqual([200, ['editor', 'a1']])
      const readLabels = async ({ cookie }: { cookie: string }) =>
        (await blog.call('GET', '/account', { cookie })).body.labels
      expect(await readLabels(alice)).toEqual(['editor', 'a1'])
      expect(await readLabels(bob)).toEqual(['author'])
      expect((await asKey(blog, 'PUT', `${path}/labels`, { labels: [] })).body.labels).toEqual([])
    })

    test('cannot set labels other than words of up to 36 letters, or more than a hundred', async () => {
      const { blog, alice, path } = await start()
      for (const labels of [
        undefined,
        'editor',
        ['a b'],
        [''],
        ['x'.repeat(37)],
        [1],
        Array(101).fill('x'),
      ])
        expect((await asKey(blog, 'PUT', `${path}/labels`, { labels })).body).toMatchObject(BAD)
      const { body } = await blog.call('GET', '/account', { cookie: alice.cookie })
      expect(body.labels).toEqual(['author'])
    })

    test('creates tokens of a chosen length, each of which signs in', async () => {
      const { blog, alice, path, makeToken } = await start()
      const secrets = [
        await makeToken({ length: 4 }),
        await makeToken({ length: 33 }),
        await makeToken({}),
      ]
      expect(secrets.map(({ length }) => length)).toEqual([4, 33, 256])
      for (const secret of secrets.toReversed())
        expect((await redeem(blog, alice.id, secret)).status).toBe(201)
      for (const length of [3, 129, 6.5, '6'])
        expect((await asKey(blog, 'POST', `${path}/tokens`, { length })).body).toMatchObject(BAD)
    })

    test('a short token becomes invalid at the fifth wrong guess; a long one does not', async () => {
      const { blog, alice, makeToken } = await start()
      const short = await makeToken({ length: 6 })
      const long = await makeToken({ length: 64 })
      const wrong = short === '000000' ? '000001' : '000000'
      for (let guess = 0; guess < 5; guess++)
        expect((await redeem(blog, alice.id, wrong)).body).toMatchObject(INVALID)
      expect((await redeem(blog, alice.id, short)).body).toMatchObject(INVALID)
      expect((await redeem(blog, alice.id, long)).status).toBe(201)
    })

    test('the oldest token becomes invalid when a user has more than twenty', async () => {
      const { blog, alice, makeToken } = await start()
      const first = await makeToken({})
      for (let count = 0; count < 20; count++) await makeToken({ length: 32 })
      expect((await redeem(blog, alice.id, first)).body).toMatchObject(INVALID)
    })
  })

async function startWithJwts() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  return { blog, alice, path: `/users/${alice.id}/jwts` }
}

test('a JWT that the key creates authenticates requests as its user', async () => {
  const { blog, alice, path } = await startWithJwts()
  const { sessions } = (await asKey(blog, 'GET', `/users/${alice.id}/sessions`)).body
  for (const body of [{}, { sessionId: sessions[0].$id, duration: 60 }]) {
    const answer = await asKey(blog, 'POST', path, body)
    expect(answer.status).toBe(201)
    const headers = { 'x-appwrite-jwt': answer.body.jwt }
    expect((await blog.call('GET', '/account', { headers })).body.$id).toBe(alice.id)
  }
})

test('the key cannot create a JWT for an unknown session, or for more than an hour', async () => {
  const { blog, path } = await startWithJwts()
  expect((await asKey(blog, 'POST', path, { sessionId: 'other' })).body).toMatchObject({
    code: 404,
    type: 'user_session_not_found',
  })
  expect((await asKey(blog, 'POST', path, { duration: 3601 })).body).toMatchObject(BAD)
})

test('the key cannot sign in as a blocked user', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: false })
  for (const resource of ['sessions', 'jwts', 'tokens'])
    expect((await asKey(blog, 'POST', `/users/${alice.id}/${resource}`, {})).body).toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
})

test('an unknown account is not found', async () => {
  const blog = await sharedBlog()
  for (const [method, path] of [
    ['GET', 'prefs'],
    ['GET', 'sessions'],
    ['GET', 'logs'],
    ['POST', 'sessions'],
    ['POST', 'jwts'],
    ['PUT', 'labels'],
  ] as const)
    for (const id of ['nobody', '%00', "'--"])
      expect(
        (
          await asKey(
            blog,
            method,
            `/users/${id}/${path}`,
            method === 'GET' ? undefined : { labels: [] },
          )
        ).body,
      ).toMatchObject(MISSING)
})

/** A blog to which Alice has signed in with Google, and the list of identities. */
async function startWithIdentity() {
  const opened = await openGoogleBlog()
  const { blog } = opened
  const browser = makeRedirectBrowser()
  await signInWithGoogle(blog, browser, ALICE)
  return {
    blog,
    cookie: browser.cookie(),
    find: async (query: string) =>
      (await asKey(blog, 'GET', `/users/identities?${new URLSearchParams(query)}`)).body,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

test('identities of all users can be listed and searched', async () => {
  await using started = await startWithIdentity()
  const { find } = started
  expect(await find('')).toMatchObject({
    total: 1,
    identities: [{ provider: 'google', providerUid: ALICE.sub, providerAccessToken: '' }],
  })
  expect((await find('search=ALICE@')).total).toBe(1)
  expect((await find('search=mallory')).total).toBe(0)
  expect((await find('queries[0]=equal("provider", ["github"])')).total).toBe(0)
})

test('an identity is removed once, and its session ends', async () => {
  await using started = await startWithIdentity()
  const { blog, cookie, find } = started
  const path = `/users/identities/${(await find('')).identities[0].$id}`
  expect((await asKey(blog, 'DELETE', path)).status).toBe(204)
  expect((await asKey(blog, 'DELETE', path)).body).toMatchObject({
    code: 404,
    type: 'user_identity_not_found',
  })
  expect((await blog.call('GET', '/account', { cookie })).body).toMatchObject(GUEST)
})
