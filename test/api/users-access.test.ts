// What the operator sees and changes of the ways into an account.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { ALICE, openGoogleBlog, signIn as signInWithGoogle } from '#test/support/google-blog.ts'
import { makeWalker } from '#test/support/openid.ts'
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

test('none of it works without the key', async () => {
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
    test('reads prefs and sign-ins, starts sessions, and sets labels', async () => {
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
      await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const path = `/users/${alice.id}`
      await asKey(blog, 'PATCH', `${path}/prefs`, { prefs: { theme: 'dark' } })
      expect((await asKey(blog, 'GET', `${path}/prefs`)).body).toEqual({ theme: 'dark' })

      const started = await asKey(blog, 'POST', `${path}/sessions`, {})
      expect([started.status, started.headers.getSetCookie()]).toEqual([201, []])
      expect(started.body).toMatchObject({ userId: alice.id, provider: 'server', current: false })
      expect((await whoIs(blog, started.body.secret)).body.$id).toBe(alice.id)
      expect(JSON.stringify(blog.log)).not.toContain(started.body.secret)
      const { body: list } = await asKey(blog, 'GET', `${path}/sessions`)
      expect([list.total, list.sessions.map(({ $id }: { $id: string }) => $id)[0]]).toEqual([
        2,
        started.body.$id,
      ])
      expect(list.sessions.every((one: object) => !('secret' in one))).toBe(true)
      expect((await asKey(blog, 'GET', `${path}/logs`)).body).toMatchObject({
        total: 2,
        logs: [{ userId: alice.id }, { userEmail: alice.email }],
      })

      const labels = ['editor', 'a1', 'editor']
      const set = await asKey(blog, 'PUT', `${path}/labels`, { labels })
      expect([set.status, set.body.labels]).toEqual([200, ['editor', 'a1']])
      const own = await blog.call('GET', '/account', { cookie: alice.cookie })
      expect(own.body.labels).toEqual(['editor', 'a1'])
      expect((await blog.call('GET', '/account', { cookie: bob.cookie })).body.labels).toEqual([
        'author',
      ])
      for (const wrong of [
        undefined,
        'editor',
        ['a b'],
        [''],
        ['x'.repeat(37)],
        [1],
        Array(101).fill('x'),
      ])
        expect((await asKey(blog, 'PUT', `${path}/labels`, { labels: wrong })).body).toMatchObject(
          BAD,
        )
      expect((await asKey(blog, 'PUT', `${path}/labels`, { labels: [] })).body.labels).toEqual([])
    })

    test('makes tokens of a chosen length that stand side by side', async () => {
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
      await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
      const alice = await blog.makePerson('alice')
      const make = async (body: object) =>
        (await asKey(blog, 'POST', `/users/${alice.id}/tokens`, body)).body.secret
      const secrets = [await make({ length: 4 }), await make({ length: 33 }), await make({})]
      expect(secrets.map(({ length }) => length)).toEqual([4, 33, 256])
      for (const secret of secrets.toReversed())
        expect((await redeem(blog, alice.id, secret)).status).toBe(201)
      for (const length of [3, 129, 6.5, '6'])
        expect(
          (await asKey(blog, 'POST', `/users/${alice.id}/tokens`, { length })).body,
        ).toMatchObject(BAD)

      const short = await make({ length: 6 })
      const long = await make({ length: 64 })
      const wrong = short === '000000' ? '000001' : '000000'
      for (let guess = 0; guess < 5; guess++)
        expect((await redeem(blog, alice.id, wrong)).body).toMatchObject(INVALID)
      expect((await redeem(blog, alice.id, short)).body).toMatchObject(INVALID)
      expect((await redeem(blog, alice.id, long)).status).toBe(201)

      const first = await make({})
      for (let made = 0; made < 20; made++) await make({ length: 32 })
      expect((await redeem(blog, alice.id, first)).body).toMatchObject(INVALID)
    })
  })

test('a JWT of the key stands for a session of the person', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const path = `/users/${alice.id}/jwts`
  const { sessions } = (await asKey(blog, 'GET', `/users/${alice.id}/sessions`)).body
  for (const body of [{}, { sessionId: sessions[0].$id, duration: 60 }]) {
    const made = await asKey(blog, 'POST', path, body)
    expect(made.status).toBe(201)
    const headers = { 'x-appwrite-jwt': made.body.jwt }
    expect((await blog.call('GET', '/account', { headers })).body.$id).toBe(alice.id)
  }
  expect((await asKey(blog, 'POST', path, { sessionId: 'other' })).body).toMatchObject({
    code: 404,
    type: 'user_session_not_found',
  })
  expect((await asKey(blog, 'POST', path, { duration: 3601 })).body).toMatchObject(BAD)
})

test('nobody and blocked people are refused', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  await asKey(blog, 'PATCH', `/users/${alice.id}/status`, { status: false })
  for (const what of ['sessions', 'jwts', 'tokens'])
    expect((await asKey(blog, 'POST', `/users/${alice.id}/${what}`, {})).body).toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
  for (const [method, what] of [
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
            `/users/${id}/${what}`,
            method === 'GET' ? undefined : { labels: [] },
          )
        ).body,
      ).toMatchObject(MISSING)
})

test('identities of all people are listed, searched and removed', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const walker = makeWalker()
  await signInWithGoogle(blog, walker, ALICE)
  const find = async (query: string) =>
    (await asKey(blog, 'GET', `/users/identities?${new URLSearchParams(query)}`)).body
  const all = await find('')
  expect(all).toMatchObject({
    total: 1,
    identities: [{ provider: 'google', providerUid: ALICE.sub, providerAccessToken: '' }],
  })
  expect((await find('search=ALICE@')).total).toBe(1)
  expect((await find('search=mallory')).total).toBe(0)
  expect((await find('queries[0]=equal("provider", ["github"])')).total).toBe(0)
  const path = `/users/identities/${all.identities[0].$id}`
  expect((await asKey(blog, 'DELETE', path)).status).toBe(204)
  expect((await asKey(blog, 'DELETE', path)).body).toMatchObject({
    code: 404,
    type: 'user_identity_not_found',
  })
  expect((await blog.call('GET', '/account', { cookie: walker.cookie() })).body).toMatchObject(
    GUEST,
  )
})
