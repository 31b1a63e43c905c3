// Pages on another site than the API: BLOG_CROSS_SITE=on, driven by client packages in a browser
// that drops foreign cookies.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'

const PAGES = 'https://pages.example'
const CROSS_SITE = { BLOG_CROSS_SITE: 'on', BLOG_ALLOWED_ORIGINS: PAGES }
const EMAIL = 'alice@example.test'
const PASSWORD = 'alice likes lamps'

/** The local storage that the client looks for on `window`. */
const kept = new Map<string, string>()
const warn = vi.fn()

beforeEach(() => {
  kept.clear()
  warn.mockClear()
  vi.stubGlobal('window', {
    console: { warn },
    localStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
  })
})

afterEach(() => vi.unstubAllGlobals())

/** What a page does with each client package, in its own words. */
const CLIENTS = {
  '13.0.2'(url: string) {
    const account = new web13.Account(new web13.Client().setEndpoint(url).setProject('blog'))
    return {
      signUp: async () => account.create('alice', EMAIL, PASSWORD, 'Alice'),
      signIn: async () => account.createEmailSession(EMAIL, PASSWORD),
      whoAmI: async () => (await account.get()).$id,
      signOut: async () => account.deleteSessions(),
    }
  },
  newest(url: string) {
    const account = new webNewest.Account(
      new webNewest.Client().setEndpoint(url).setProject('blog'),
    )
    return {
      signUp: async () =>
        account.create({ userId: 'alice', email: EMAIL, password: PASSWORD, name: 'Alice' }),
      signIn: async () => account.createEmailPasswordSession({ email: EMAIL, password: PASSWORD }),
      whoAmI: async () => (await account.get()).$id,
      signOut: async () => account.deleteSessions(),
    }
  },
} as const

test.each(['13.0.2', 'newest'] as const)(
  'a browser without foreign cookies signs in, stays signed in and signs out (client %s)',
  async (version) => {
    await using blog = await makeTestBlog(CROSS_SITE)
    const client = CLIENTS[version](`${blog.url}/v1`)
    await client.signUp()
    expect(kept.get('cookieFallback')).toBe(undefined)
    await client.signIn()
    expect(Object.keys(JSON.parse(kept.get('cookieFallback') ?? ''))).toEqual(['a_session_blog'])
    expect(await client.whoAmI()).toBe('alice')

    const token = kept.get('cookieFallback')
    await client.signOut()
    expect(kept.get('cookieFallback')).toBe('[]')
    await expect(client.whoAmI()).rejects.toMatchObject({ type: 'general_unauthorized_scope' })
    kept.set('cookieFallback', token ?? '')
    await expect(client.whoAmI()).rejects.toMatchObject({ type: 'general_unauthorized_scope' })
    // The client says that it keeps the session in local storage; that is the cost of this mode.
    expect(warn.mock.calls).toEqual(
      Array(2).fill([expect.stringContaining('localStorage for session management')]),
    )
  },
)

test('the cookie travels to other sites only over safe connections, and scripts of listed sites may read the header', async () => {
  await using blog = await makeTestBlog(CROSS_SITE)
  await blog.makePerson('alice')
  const signIn = (origin: string) =>
    blog.call('POST', '/account/sessions/email', {
      body: { email: EMAIL, password: PASSWORD },
      headers: { origin },
    })
  const { headers } = await signIn(PAGES)
  const [cookie] = headers.getSetCookie()
  expect(cookie).toMatch(
    /^a_session_blog_\d+=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=None$/,
  )
  expect(headers.get('access-control-allow-origin')).toBe(PAGES)
  expect(headers.get('access-control-expose-headers')).toBe('X-Fallback-Cookies')
  const [sent = ''] = cookie?.split(';') ?? []
  const value = sent.slice(sent.indexOf('=') + 1)
  expect(JSON.parse(headers.get('x-fallback-cookies') ?? '')).toEqual({ a_session_blog: value })

  const foreign = await signIn('https://evil.example')
  expect(foreign.status).toBe(403)
  expect(foreign.headers.get('x-fallback-cookies')).toBe(null)
  expect(foreign.headers.getSetCookie()).toEqual([])

  const out = await blog.call('DELETE', '/account/sessions/current', {
    body: {},
    cookie: sent,
    headers: { origin: PAGES },
  })
  expect(out.status).toBe(204)
  expect(out.headers.get('x-fallback-cookies')).toBe('[]')
  expect(out.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^a_session_blog_\d+=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 [^;]+; HttpOnly; Secure; SameSite=None$/,
    ),
  ])
})

test('ending another session than the current one leaves the browser its own', async () => {
  await using blog = await makeTestBlog(CROSS_SITE)
  const alice = await blog.makePerson('alice')
  const other = await blog.call('POST', '/account/sessions/email', {
    body: { email: EMAIL, password: PASSWORD },
  })
  const gone = await blog.call('DELETE', `/account/sessions/${other.body.$id}`, {
    body: {},
    cookie: alice.cookie,
  })
  expect(gone.status).toBe(204)
  expect(gone.headers.get('x-fallback-cookies')).toBe(null)
})

test('the project id keeps its case in the header', async () => {
  await using blog = await makeTestBlog({ ...CROSS_SITE, BLOG_PROJECT_ID: 'MyBlog' })
  await blog.makePerson('alice')
  const { headers } = await blog.call('POST', '/account/sessions/email', {
    body: { email: EMAIL, password: PASSWORD },
  })
  expect(Object.keys(JSON.parse(headers.get('x-fallback-cookies') ?? ''))).toEqual([
    'a_session_MyBlog',
  ])
  const back = await blog.call('GET', '/account', {
    headers: { 'x-fallback-cookies': headers.get('x-fallback-cookies') ?? '' },
  })
  expect(back.body.email).toBe(EMAIL)
})

test('without the switch no token reaches scripts, whatever the origin', async () => {
  await using blog = await makeTestBlog({ BLOG_ALLOWED_ORIGINS: PAGES })
  const alice = await blog.makePerson('alice')
  const headers = { origin: PAGES }
  const signedIn = await blog.call('POST', '/account/sessions/email', {
    body: { email: EMAIL, password: PASSWORD },
    headers,
  })
  expect(signedIn.status).toBe(201)
  expect(signedIn.headers.get('x-fallback-cookies')).toBe(null)
  const out = await blog.call('DELETE', '/account/sessions', {
    body: {},
    cookie: alice.cookie,
    headers,
  })
  expect(out.status).toBe(204)
  expect(out.headers.get('x-fallback-cookies')).toBe(null)
})

test('a program on a phone that is listed signs in and writes; another one is refused', async () => {
  const app = 'appwrite-android://com.example.blog'
  const other = 'appwrite-ios://com.example.blog'
  await using blog = await makeTestBlog({ BLOG_ALLOWED_ORIGINS: app })
  const { cookie } = await blog.makePerson('alice')
  const write = (origin: string) =>
    blog.call('POST', '/databases/blogdb/collections/posts/documents', {
      cookie,
      headers: { origin },
      body: { documentId: 'unique()', data: { title: 'From a phone' } },
    })
  expect((await write(app)).status).toBe(201)
  expect(await write(other)).toMatchObject({
    status: 403,
    body: { type: 'general_unknown_origin' },
  })
  // No mail leads to a program.
  const recovery = { email: 'alice@example.test', url: `${app}/reset` }
  expect((await blog.call('POST', '/account/recovery', { body: recovery })).status).toBe(400)
})
