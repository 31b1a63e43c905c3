// Who a request is from: what proves a session, how long it lives, and what else ends it.
import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { UserRow } from '#backend/database/schema.ts'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const DAY_MS = 86_400_000

function signIn(
  blog: TestBlog,
  { email, password }: { email: unknown; password: unknown },
  headers: Record<string, string> = {},
) {
  return blog.call('POST', '/account/sessions/email', { body: { email, password }, headers })
}

/** The value of the session cookie in a `name=value; …` header. */
function tokenOf(cookie: string): string {
  return /a_session_blog_\d+=([^;]+)/.exec(cookie)?.[1] ?? ''
}

const cookieOf = (token: string) => `a_session_blog=${token}`

const isSignedIn = async (blog: TestBlog, cookie: string) =>
  (await blog.call('GET', '/account', { cookie })).status === 200

/** Changes a user's row directly in the database. @returns the changed row */
async function changeUser(blog: TestBlog, id: string, change: Partial<UserRow>): Promise<UserRow> {
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  if (Object.keys(change).length > 0)
    await db.updateTable('user').set(change).where('id', '=', id).execute()
  const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await db.destroy()
  return row
}

describe('the viewer of a request', () => {
  test.each<{ name: string; cookie: (alice: Person, bob: Person) => string }>([
    {
      name: 'a changed byte',
      cookie: (alice) =>
        cookieOf(
          tokenOf(alice.cookie).replace(/.(?=.{20}$)/, (byte) => (byte === 'A' ? 'B' : 'A')),
        ),
    },
    {
      name: 'a changed last letter',
      cookie: (alice) =>
        cookieOf(
          tokenOf(alice.cookie).replace(/[^=](?==*$)/, (byte) => (byte === 'A' ? 'B' : 'A')),
        ),
    },
    { name: 'a cut end', cookie: (alice) => cookieOf(tokenOf(alice.cookie).slice(0, -4)) },
    { name: 'eight kibibytes', cookie: () => cookieOf('A'.repeat(8192)) },
    {
      name: 'two cookies',
      cookie: (alice, bob) =>
        `${cookieOf(tokenOf(alice.cookie))}; ${cookieOf(tokenOf(bob.cookie))}`,
    },
    { name: 'an empty one', cookie: () => 'a_session_blog=' },
    { name: 'a broken percent sign', cookie: () => 'a_session_blog=%E0%A4%A' },
    { name: 'JSON instead', cookie: () => 'a_session_blog={"id":"x"}' },
    {
      name: 'another person’s id with the own secret',
      cookie: (alice, bob) => {
        const { secret } = JSON.parse(Buffer.from(tokenOf(bob.cookie), 'base64').toString())
        return cookieOf(Buffer.from(JSON.stringify({ id: alice.id, secret })).toString('base64'))
      },
    },
  ])('is a guest with $name as the cookie', async ({ cookie }) => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const answer = await blog.call('GET', '/account', { cookie: cookie(alice, bob) })
    expect(answer.body).toMatchObject({ code: 401, type: 'general_unauthorized_scope' })
    expect(await isSignedIn(blog, alice.cookie)).toBe(true)
  })

  /** Requests alice's account with other headers than the usual cookie. */
  async function startWithToken() {
    const blog = await sharedBlog()
    const token = tokenOf((await blog.makePerson('alice')).cookie)
    const statusWith = async (headers: Record<string, string>) =>
      (await blog.call('GET', '/account', { headers })).status
    return { token, statusWith }
  }

  test('can also be proved by a session in its headers', async () => {
    const { token, statusWith } = await startWithToken()
    expect(await statusWith({ 'x-appwrite-session': token })).toBe(200)
    const cookies = JSON.stringify({ a_session_blog: token })
    expect(await statusWith({ 'x-fallback-cookies': cookies })).toBe(200)
  })

  test('cannot be proved by the cookie of older clients', async () => {
    const { token, statusWith } = await startWithToken()
    expect(await statusWith({ cookie: `a_session_blog_legacy=${token}` })).toBe(401)
  })

  test('is a guest with an invalid session in a header', async () => {
    const { statusWith } = await startWithToken()
    for (const text of ['', '[]', 'null', '{', '{"a_session_blog":7}', 'x'])
      expect(await statusWith({ 'x-fallback-cookies': text })).toBe(401)
    expect(await statusWith({ 'x-appwrite-session': 'x' })).toBe(401)
  })

  test('is the user of the session rather than the API key', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const headers = { 'x-appwrite-key': blog.apiKey }
    expect((await blog.call('GET', '/account', { cookie: alice.cookie, headers })).status).toBe(200)
    expect((await blog.call('GET', '/account', { headers })).body).toMatchObject({
      code: 401,
      message: 'app (role: applications) missing scope (account)',
    })
  })
})

describe('changes in the database during a session', () => {
  async function startBlocked() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    await changeUser(blog, alice.id, { isBlocked: 1 })
    return { blog, alice, bob }
  }

  test('a block ends only the sessions of the blocked user', async () => {
    const { blog, alice, bob } = await startBlocked()
    expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
    expect(await isSignedIn(blog, bob.cookie)).toBe(true)
  })

  test('a blocked user cannot sign in, and gets the reason only with the correct password', async () => {
    const { blog, alice } = await startBlocked()
    const right = await signIn(blog, alice)
    expect(right.body).toMatchObject({ code: 401, type: 'user_blocked' })
    expect(right.headers.getSetCookie()).toEqual([])
    expect((await signIn(blog, { ...alice, password: 'wrong lamps' })).body).toMatchObject({
      code: 401,
      type: 'user_invalid_credentials',
    })
  })

  test('a deleted user is a guest', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
    await db.deleteFrom('user').where('id', '=', alice.id).execute()
    await db.destroy()
    expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).toMatchObject({
      code: 401,
      type: 'general_unauthorized_scope',
    })
    expect((await signIn(blog, alice)).body.type).toBe('user_invalid_credentials')
  })

  test('a user without a password cannot sign in with one', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    await changeUser(blog, alice.id, { passwordHash: null })
    expect((await signIn(blog, alice)).body).toMatchObject({
      code: 401,
      type: 'user_invalid_credentials',
    })
  })

  test('signing in replaces a hash with weaker parameters by a stronger one', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const weak = await hash(alice.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await changeUser(blog, alice.id, { passwordHash: weak })
    expect((await signIn(blog, { ...alice, password: 'wrong lamps' })).status).toBe(401)
    expect((await changeUser(blog, alice.id, {})).passwordHash).toBe(weak)
    expect((await signIn(blog, alice)).status).toBe(201)
    await expect
      .poll(async () => (await changeUser(blog, alice.id, {})).passwordHash)
      .toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect((await signIn(blog, alice)).status).toBe(201)
  })
})

describe('the lifetime of a session', () => {
  /** Also waits until the use of the session is recorded: the response does not wait for that. */
  async function isSignedInAndRecorded(blog: TestBlog, { id, cookie }: Person): Promise<boolean> {
    const accessedAt = async () => (await changeUser(blog, id, {})).accessedAt
    const before = await accessedAt()
    const isUserSignedIn = await isSignedIn(blog, cookie)
    if (isUserSignedIn) await expect.poll(accessedAt).not.toBe(before)
    return isUserSignedIn
  }

  test('is thirty days at most, however often it is used', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    for (let day = 5; day < 30; day += 5) {
      blog.passTime(5 * DAY_MS)
      expect([day, await isSignedInAndRecorded(blog, alice)]).toEqual([day, true])
    }
    blog.passTime(5 * DAY_MS + 1000)
    expect(await isSignedIn(blog, alice.cookie)).toBe(false)
  })

  test('is fourteen days without use', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    blog.passTime(13 * DAY_MS)
    expect(await isSignedInAndRecorded(blog, alice)).toBe(true)
    blog.passTime(2 * DAY_MS)
    // The server may see a moment later than the database that the session was used.
    await expect.poll(() => isSignedIn(blog, alice.cookie)).toBe(true)
    expect(await isSignedIn(blog, bob.cookie)).toBe(false)
  })
})
