// JWTs that represent a session: what they give access to, and what ends them.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const MINUTE_MS = 60_000

async function makeJwt(blog: TestBlog, { cookie }: Person, body: unknown = {}): Promise<string> {
  const answer = await blog.call('POST', '/account/jwt', { cookie, body })
  expect(answer.status).toBe(201)
  return answer.body.jwt
}

const withJwt = (blog: TestBlog, jwt: string, cookie?: string) =>
  blog.call('GET', '/account', {
    headers: { 'x-appwrite-jwt': jwt },
    ...(cookie === undefined ? {} : { cookie }),
  })

const GUEST = { code: 401, type: 'general_unauthorized_scope' }
const INVALID = { code: 401, type: 'user_jwt_invalid' }

describe('a JWT', () => {
  /** A JWT for alice, created at the newer path. */
  async function start() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const answer = await blog.call('POST', '/account/jwts', { cookie: alice.cookie, body: {} })
    return { blog, alice, bob, answer, jwt: String(answer.body.jwt) }
  }

  test('is the only field of the answer, also at the newer path', async () => {
    const { answer } = await start()
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(['jwt'])
  })

  test('names its user, and expires after fifteen minutes', async () => {
    const { alice, jwt } = await start()
    const [header = '', claims = ''] = jwt.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ typ: 'JWT', alg: 'HS256' })
    const { userId, iat, exp } = read(claims)
    expect([userId, exp - iat]).toEqual([alice.id, 900])
  })

  test('acts for its user, even next to a cookie of another user', async () => {
    const { blog, alice, bob, jwt } = await start()
    expect((await withJwt(blog, jwt)).body.$id).toBe(alice.id)
    expect((await withJwt(blog, jwt, bob.cookie)).body.$id).toBe(alice.id)
  })

  test('that is empty is ignored in favour of the cookie', async () => {
    const { blog, bob } = await start()
    expect((await withJwt(blog, '', bob.cookie)).body.$id).toBe(bob.id)
  })

  test('expires after the duration that the call chooses, up to an hour', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const usual = await makeJwt(blog, alice)
    const short = await makeJwt(blog, alice, { duration: 0 })
    const long = await makeJwt(blog, alice, { duration: 3600 })
    expect((await withJwt(blog, short)).status).toBe(200)
    blog.passTime(11_000)
    expect((await withJwt(blog, short, alice.cookie)).body).toMatchObject(INVALID)
    blog.passTime(15 * MINUTE_MS)
    expect((await withJwt(blog, usual)).body).toMatchObject(INVALID)
    expect((await withJwt(blog, long)).status).toBe(200)
    blog.passTime(45 * MINUTE_MS)
    expect((await withJwt(blog, long)).body).toMatchObject(INVALID)
  })

  test('cannot be created for an invalid duration or one of more than an hour', async () => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    for (const duration of [-1, 3601, 1.5, '900', []]) {
      const answer = await blog.call('POST', '/account/jwts', { cookie, body: { duration } })
      expect(answer.body).toMatchObject({ code: 400, type: 'general_argument_invalid' })
    }
  })

  test('that this server did not sign is refused, whatever other credentials the request has', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const jwt = await makeJwt(blog, alice)
    const [header = '', claims = '', signature = ''] = jwt.split('.')
    const unsigned = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url')
    const signedBy = (key: string) =>
      createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url')
    const last = signature.startsWith('A') ? 'B' : 'A'
    for (const bad of [
      'x',
      'a.b.c',
      `${unsigned}.${claims}.`,
      `${unsigned}.${claims}.${signature}`,
      `${header}.${claims}.${last}${signature.slice(1)}`,
      `${header}.${claims}.${signedBy('')}`,
      `${header}.${claims}.${signedBy(blog.apiKey)}`,
      `${jwt}${'A'.repeat(2000)}`,
    ]) {
      expect((await withJwt(blog, bad, alice.cookie)).body).toMatchObject(INVALID)
      const headers = { 'x-appwrite-jwt': bad, 'x-appwrite-key': blog.apiKey }
      expect((await blog.call('GET', '/users', { headers })).body).toMatchObject(INVALID)
    }
  })

  test('has no session of its own: no current session, no provider token, no further JWT', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const headers = { 'x-appwrite-jwt': await makeJwt(blog, alice) }
    const notFound = { code: 404, type: 'user_session_not_found' }
    for (const [method, path] of [
      ['GET', '/account/sessions/current'],
      ['PATCH', '/account/sessions/current'],
      ['DELETE', '/account/sessions/current'],
      ['POST', '/account/jwt'],
    ] as const) {
      const body = method === 'GET' ? undefined : {}
      expect((await blog.call(method, path, { headers, body })).body).toMatchObject(notFound)
    }
    const { sessions } = (await blog.call('GET', '/account/sessions', { headers })).body
    expect(sessions).toMatchObject([{ userId: alice.id, current: false }])
  })

  test('can change the password only with the old one, and gets no session from that', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const headers = { 'x-appwrite-jwt': await makeJwt(blog, alice) }
    const body = { password: 'another lamp at night', oldPassword: alice.password }
    const changed = await blog.call('PATCH', '/account/password', { headers, body })
    expect([changed.status, changed.headers.getSetCookie()]).toEqual([200, []])
    expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).toMatchObject(GUEST)
    expect((await blog.call('GET', '/account', { headers })).body).toMatchObject(GUEST)
  })

  test.each<{ name: string; end: (blog: TestBlog, alice: Person) => Promise<{ status: number }> }>([
    {
      name: 'a sign-out',
      end: (blog, { cookie }) =>
        blog.call('DELETE', '/account/sessions/current', { cookie, body: {} }),
    },
    {
      name: 'a change of the password, although the session goes on',
      end: (blog, { cookie, password }) =>
        blog.call('PATCH', '/account/password', {
          cookie,
          body: { password: 'another lamp at night', oldPassword: password },
        }),
    },
    {
      name: 'a block',
      end: (blog, { id }) =>
        blog.call('PATCH', `/users/${id}/status`, {
          headers: { 'x-appwrite-key': blog.apiKey },
          body: { status: false },
        }),
    },
    {
      name: 'the deletion of the account',
      end: (blog, { id }) =>
        blog.call('DELETE', `/users/${id}`, { headers: { 'x-appwrite-key': blog.apiKey } }),
    },
  ])('counts as a guest after $name', async ({ end }) => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const jwt = await makeJwt(blog, alice)
    expect((await end(blog, alice)).status).toBeLessThan(300)
    expect((await withJwt(blog, jwt)).body).toMatchObject(GUEST)
  })

  test('can be created a hundred times an hour, but not by guests or the key', async () => {
    await using blog = await makeTestBlog(
      { BLOG_RATE_LIMITS: 'on' },
      { startsAt: new Date('2026-03-01T12:00:00Z') },
    )
    const alice = await blog.makePerson('alice')
    const make = () => blog.call('POST', '/account/jwt', { cookie: alice.cookie, body: {} })
    for (let count = 0; count < 100; count++) expect((await make()).status).toBe(201)
    expect((await make()).body).toMatchObject({ code: 429, type: 'general_rate_limit_exceeded' })
    for (const headers of [{}, { 'x-appwrite-key': blog.apiKey }])
      expect((await blog.call('POST', '/account/jwt', { headers, body: {} })).body).toMatchObject(
        GUEST,
      )
  })
})
