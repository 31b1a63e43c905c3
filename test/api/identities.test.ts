// Identities over HTTP, with a real OpenID provider: what users see of theirs, what removes
// them, and what a session of an account without a password may do.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import { loadOlderClient, tagsOf } from '#test/support/client-packages.ts'
import {
  ALICE,
  currentSession,
  inDatabase,
  MALLORY,
  openGoogleBlog,
  signIn as signInWithGoogle,
} from '#test/support/google-blog.ts'
import { makeRedirectBrowser, type RedirectBrowser } from '#test/support/openid.ts'

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const PASSWORD = 'alice likes lamps'
const TEN_MINUTES = 10 * 60_000

async function enterWithGoogle(blog: TestBlog, person = ALICE): Promise<RedirectBrowser> {
  const browser = makeRedirectBrowser()
  await signInWithGoogle(blog, browser, person)
  return browser
}

const list = (blog: TestBlog, browser: RedirectBrowser, query = '') =>
  blog.call('GET', `/account/identities${query}`, { cookie: browser.cookie() })
const remove = (blog: TestBlog, browser: RedirectBrowser, id: string) =>
  blog.call('DELETE', `/account/identities/${id}`, { cookie: browser.cookie(), body: {} })

/** Sets a password. @returns the new cookie of the same session */
async function setPassword(blog: TestBlog, browser: RedirectBrowser): Promise<string> {
  const answer = await blog.call('PATCH', '/account/password', {
    cookie: browser.cookie(),
    body: { password: PASSWORD },
  })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

test('users see their own identities: email address, time of linking, last use, and no token', async () => {
  await using opened = await openGoogleBlog()
  const { blog, issuer } = opened
  const alice = await enterWithGoogle(blog)
  await enterWithGoogle(blog, MALLORY)
  const { userId } = (await currentSession(blog, alice)).body
  const first = await list(blog, alice)
  expect([first.status, first.body]).toEqual([
    200,
    {
      total: 1,
      identities: [
        {
          $id: expect.stringMatching(/^[0-9a-f]{20}$/),
          $createdAt: expect.stringMatching(WIRE_TIME),
          $updatedAt: first.body.identities[0].$createdAt,
          userId,
          provider: 'google',
          providerUid: ALICE.sub,
          providerEmail: ALICE.email,
          providerAccessToken: '',
          providerAccessTokenExpiry: '',
          providerRefreshToken: '',
        },
      ],
    },
  ])

  blog.passTime(TEN_MINUTES)
  for (const person of issuer.people)
    if (person.sub === ALICE.sub) person.email = 'Alice.New@example.test'
  await enterWithGoogle(blog)
  const [later] = (await list(blog, alice)).body.identities
  expect(later).toMatchObject({
    $id: first.body.identities[0].$id,
    $createdAt: first.body.identities[0].$createdAt,
    providerEmail: 'alice.new@example.test',
  })
  expect(Date.parse(later.$updatedAt) - Date.parse(later.$createdAt)).toBeGreaterThan(TEN_MINUTES)
})

for (const packageName of ['appwrite', 'appwrite-18', 'appwrite-newest'])
  test(`${packageName} lists and removes identities`, { tags: tagsOf(packageName) }, async () => {
    await using opened = await openGoogleBlog()
    const { blog } = opened
    const alice = await enterWithGoogle(blog)
    await inDatabase(blog, (db) => db.updateTable('user').set({ passwordHash: 'set' }).execute())
    const account = clientOf(packageName, blog.url, alice.cookie())
    const { total, identities } = await account.list()
    expect([total, identities.map(({ provider }) => provider)]).toEqual([1, ['google']])
    const isNewest = packageName === 'appwrite-newest'
    expect(Object.hasOwn(identities[0] ?? {}, 'providerIdToken')).toBe(isNewest)
    await account.remove(identities[0]?.$id ?? '')
    expect(await account.list()).toEqual({ total: 0, identities: [] })
  })

test('queries work as for other lists, but select, unknown attributes and invalid limits are refused', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const alice = await enterWithGoogle(blog)
  const listWith = (query: string) => list(blog, alice, `?queries[0]=${encodeURIComponent(query)}`)
  for (const query of [
    'equal("provider", ["google"])',
    '{"method":"equal","attribute":"providerEmail","values":["alice@example.test"]}',
    'orderDesc("$updatedAt")',
    'limit(1)',
  ])
    expect([query, (await listWith(query)).body.total]).toEqual([query, 1])
  expect((await listWith('equal("provider", ["github"])')).body).toEqual({
    total: 0,
    identities: [],
  })
  expect((await listWith('equal("userId", ["somebody"])')).body.total).toBe(0)
  for (const query of ['select(["$id"])', 'equal("secret", ["x"])', 'limit(-1)'])
    expect([query, (await listWith(query)).status]).toEqual([query, 400])
  expect((await listWith('cursorAfter("nothing")')).body.type).toBe('general_cursor_not_found')
})

test('guests and the API key have no identities; nobody can see or remove those of another user', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const alice = await enterWithGoogle(blog)
  const mallory = await enterWithGoogle(blog, MALLORY)
  const { $id } = (await list(blog, alice)).body.identities[0]
  for (const headers of [{}, { 'x-appwrite-key': blog.apiKey }] as Record<string, string>[]) {
    for (const method of ['GET', 'DELETE']) {
      const path = `/account/identities${method === 'GET' ? '' : `/${$id}`}`
      expect((await blog.call(method, path, { headers })).body.type).toBe(
        'general_unauthorized_scope',
      )
    }
  }
  const missing = await remove(blog, mallory, 'nothing')
  expect(missing.body).toMatchObject({ code: 404, type: 'user_identity_not_found' })
  for (const id of [$id, 'a'.repeat(300), '%00', '..%2f'])
    expect([id, (await remove(blog, mallory, id)).status]).toEqual([id, 404])
  expect((await remove(blog, mallory, $id)).bytes).toEqual(missing.bytes)
  expect((await list(blog, alice)).body.total).toBe(1)
})

test('an identity can be removed only if there is a password, and that ends its other sessions', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const elsewhere = await enterWithGoogle(blog)
  const alice = await enterWithGoogle(blog)
  const { $id } = (await list(blog, alice)).body.identities[0]
  expect((await remove(blog, alice, $id)).body).toMatchObject({
    code: 412,
    type: 'user_password_reset_required',
    message: 'This is your only way in. Set a password first.',
  })
  const second = await enterWithGoogle(blog)
  const cookie = await setPassword(blog, alice)
  const third = await enterWithGoogle(blog)
  const removed = await blog.call('DELETE', `/account/identities/${$id}`, { cookie, body: {} })
  expect([removed.status, removed.bytes.length]).toEqual([204, 0])
  expect((await blog.call('GET', '/account/identities', { cookie })).body.total).toBe(0)
  for (const session of [elsewhere, second, third])
    expect((await currentSession(blog, session)).status).toBe(401)
  expect((await blog.call('GET', '/account/sessions/current', { cookie })).body).toMatchObject({
    provider: 'google',
    providerAccessToken: '',
  })
  const events = blog.log.map(({ event }) => event)
  expect(events).toContain('identity removed')
})

test('a removed identity is linked again only by a sign-in that proves the confirmed address', async () => {
  await using opened = await openGoogleBlog()
  const { blog, issuer } = opened
  const alice = await enterWithGoogle(blog)
  const { userId, $id } = (await list(blog, alice)).body.identities[0]
  const cookie = await setPassword(blog, alice)
  await blog.call('DELETE', `/account/identities/${$id}`, { cookie, body: {} })
  for (const person of issuer.people) {
    if (person.sub === ALICE.sub) person.email = 'alice@elsewhere.test'
    else person.email = ALICE.email
  }
  const otherAccount = await enterWithGoogle(blog)
  const sameAccount = await enterWithGoogle(blog, MALLORY)
  expect((await currentSession(blog, otherAccount)).body.userId).not.toBe(userId)
  expect((await currentSession(blog, sameAccount)).body.userId).toBe(userId)
  const identities = (await blog.call('GET', '/account/identities', { cookie })).body.identities
  expect(identities).toMatchObject([{ providerUid: MALLORY.sub, providerEmail: ALICE.email }])
})

test('removals of identities are rate limited', async () => {
  await using opened = await openGoogleBlog({ BLOG_RATE_LIMITS: 'on' })
  const { blog } = opened
  const alice = await enterWithGoogle(blog)
  const statuses = []
  for (let call = 0; call < 11; call++) statuses.push((await remove(blog, alice, 'nothing')).status)
  expect(statuses).toEqual([...Array(10).fill(404), 429])
})

test.each([
  {
    what: 'address',
    path: '/account/email',
    body: { email: 'new@example.test', password: PASSWORD },
  },
  { what: 'first password', path: '/account/password', body: { password: PASSWORD } },
])(
  'without a password a session that is ten minutes old cannot change the $what',
  async ({ path, body }) => {
    await using opened = await openGoogleBlog()
    const { blog } = opened
    const alice = await enterWithGoogle(blog)
    const before = await blog.call('GET', '/account', { cookie: alice.cookie() })
    blog.passTime(TEN_MINUTES)
    const refusal = await blog.call('PATCH', path, { cookie: alice.cookie(), body })
    expect(refusal.body).toMatchObject({
      code: 401,
      type: 'user_unauthorized',
      message: expect.stringMatching(/^Please sign in again first\./),
    })
    expect((await blog.call('GET', '/account', { cookie: alice.cookie() })).body).toEqual(
      before.body,
    )

    const fresh = await enterWithGoogle(blog)
    const changed = await blog.call('PATCH', path, { cookie: fresh.cookie(), body })
    expect(changed.status).toBe(200)
    const email = 'email' in body ? body.email : ALICE.email
    const signedIn = await blog.call('POST', '/account/sessions/email', {
      body: { email, password: PASSWORD },
    })
    expect(signedIn.status).toBe(201)
  },
)

type IdentityList = { total: number; identities: { $id: string; provider: string }[] }

/** The calls of each package, with the cookie that a browser would send. */
function clientOf(packageName: string, url: string, cookie: string) {
  if (packageName === 'appwrite-newest') {
    const client = new webNewest.Client().setEndpoint(`${url}/v1`).setProject('blog')
    client.headers.cookie = cookie
    const account = new webNewest.Account(client)
    return {
      list: (): Promise<IdentityList> => account.listIdentities(),
      remove: (identityId: string) => account.deleteIdentity({ identityId }),
    }
  }
  const { Account, Client } =
    packageName === 'appwrite' ? web13 : loadOlderClient<typeof web13>(packageName)
  const client = new Client().setEndpoint(`${url}/v1`).setProject('blog')
  client.headers.cookie = cookie
  const account = new Account(client)
  return {
    list: (): Promise<IdentityList> => account.listIdentities(),
    remove: (identityId: string) => account.deleteIdentity(identityId),
  }
}
