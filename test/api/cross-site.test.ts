// Pages on another site than the API: BLOG_CROSS_SITE=on, used by client packages in a browser that
// blocks third-party cookies.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cookieOf, makeTestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const PAGES = 'https://pages.example'
const CROSS_SITE = { BLOG_CROSS_SITE: 'on', BLOG_ALLOWED_ORIGINS: PAGES }
const EMAIL = 'alice@example.test'
const PASSWORD = 'alice likes lamps'

/** The local storage that the client packages read from `window`. */
const localStorage = new Map<string, string>()
const warn = vi.fn()

beforeEach(() => {
  localStorage.clear()
  warn.mockClear()
  vi.stubGlobal('window', {
    console: { warn },
    localStorage: {
      getItem: (name: string) => localStorage.get(name) ?? null,
      setItem: (name: string, value: string) => void localStorage.set(name, value),
    },
  })
})

afterEach(() => vi.unstubAllGlobals())

/** The calls that a page makes, through each client package. */
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

describe.each(['13.0.2', 'newest'] as const)(
  'a browser without third-party cookies (client %s)',
  (version) => {
    async function start() {
      const blog = await makeTestBlog(CROSS_SITE)
      const client = CLIENTS[version](`${blog.url}/v1`)
      await client.signUp()
      expect(localStorage.get('cookieFallback')).toBe(undefined)
      await client.signIn()
      return { ...client, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
    }

    test('stays signed in with a token in local storage', async () => {
      await using client = await start()
      const stored = JSON.parse(localStorage.get('cookieFallback') ?? '')
      expect(Object.keys(stored)).toEqual(['a_session_blog'])
      expect(await client.whoAmI()).toBe('alice')
      // The client warns that it stores the session in local storage: the cost of this mode.
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining('localStorage for session management')],
      ])
    })

    test('signs out, which removes the token, and a copy of it no longer works', async () => {
      await using client = await start()
      const token = localStorage.get('cookieFallback')
      await client.signOut()
      expect(localStorage.get('cookieFallback')).toBe('[]')
      await expect(client.whoAmI()).rejects.toMatchObject({ type: 'general_unauthorized_scope' })
      localStorage.set('cookieFallback', token ?? '')
      await expect(client.whoAmI()).rejects.toMatchObject({ type: 'general_unauthorized_scope' })
    })
  },
)

const share = shareBlog(() => makeTestBlog(CROSS_SITE))

/** Alice, who signs in from a page of this origin. */
async function startSignedIn(origin: string) {
  const blog = await share()
  const { email } = await blog.makePerson('alice')
  const body = { email, password: PASSWORD }
  const session = await blog.call('POST', '/account/sessions/email', { body, headers: { origin } })
  return { ...blog, session }
}

test('the cookie is sent to other sites, but only over secure connections', async () => {
  const { session } = await startSignedIn(PAGES)
  expect(session.headers.getSetCookie()[0]).toMatch(
    /^a_session_blog_\d+=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=None$/,
  )
})

test('scripts of a listed site may read the cookie’s token from a header', async () => {
  const { session } = await startSignedIn(PAGES)
  const { headers } = session
  expect(headers.get('access-control-allow-origin')).toBe(PAGES)
  expect(headers.get('access-control-expose-headers')).toBe('X-Fallback-Cookies')
  const [cookie = ''] = headers.getSetCookie()
  const value = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
  expect(JSON.parse(headers.get('x-fallback-cookies') ?? '')).toEqual({ a_session_blog: value })
})

test('a site that is not listed gets neither the cookie nor the token', async () => {
  const { session } = await startSignedIn('https://evil.example')
  expect(session.status).toBe(403)
  expect(session.headers.get('x-fallback-cookies')).toBe(null)
  expect(session.headers.getSetCookie()).toEqual([])
})

test('a sign-out invalidates the token and the cookie', async () => {
  const { call, session } = await startSignedIn(PAGES)
  const { status, headers } = await call('DELETE', '/account/sessions/current', {
    body: {},
    cookie: cookieOf(session),
    headers: { origin: PAGES },
  })
  expect(status).toBe(204)
  expect(headers.get('x-fallback-cookies')).toBe('[]')
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^a_session_blog_\d+=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 [^;]+; HttpOnly; Secure; SameSite=None$/,
    ),
  ])
})

test('ending another session leaves the browser its current one', async () => {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  const other = await blog.call('POST', '/account/sessions/email', {
    body: { email: alice.email, password: PASSWORD },
  })
  const deletion = await blog.call('DELETE', `/account/sessions/${other.body.$id}`, {
    body: {},
    cookie: alice.cookie,
  })
  expect(deletion.status).toBe(204)
  expect(deletion.headers.get('x-fallback-cookies')).toBe(null)
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
  const account = await blog.call('GET', '/account', {
    headers: { 'x-fallback-cookies': headers.get('x-fallback-cookies') ?? '' },
  })
  expect(account.body.email).toBe(EMAIL)
})

test('without the setting no token reaches scripts, whatever the origin', async () => {
  await using blog = await makeTestBlog({ BLOG_ALLOWED_ORIGINS: PAGES })
  const alice = await blog.makePerson('alice')
  const headers = { origin: PAGES }
  const signIn = await blog.call('POST', '/account/sessions/email', {
    body: { email: EMAIL, password: PASSWORD },
    headers,
  })
  expect(signIn.status).toBe(201)
  expect(signIn.headers.get('x-fallback-cookies')).toBe(null)
  const signOut = await blog.call('DELETE', '/account/sessions', {
    body: {},
    cookie: alice.cookie,
    headers,
  })
  expect(signOut.status).toBe(204)
  expect(signOut.headers.get('x-fallback-cookies')).toBe(null)
})

const APP = 'appwrite-android://com.example.blog'

/** A blog that lists one phone app. */
const shareListed = shareBlog(() => makeTestBlog({ BLOG_ALLOWED_ORIGINS: APP }))

test('a listed phone app may write; another one is refused', async () => {
  const { call, makePerson } = await shareListed()
  const { cookie } = await makePerson('alice')
  const write = (origin: string) =>
    call('POST', '/databases/blogdb/collections/posts/documents', {
      cookie,
      headers: { origin },
      body: { documentId: 'unique()', data: { title: 'From a phone' } },
    })
  expect(await write('appwrite-ios://com.example.blog')).toMatchObject({
    status: 403,
    body: { type: 'general_unknown_origin' },
  })
  const list = await call('GET', '/databases/blogdb/collections/posts/documents', { cookie })
  expect(list.body.total).toBe(0)
  expect((await write(APP)).status).toBe(201)
})

test('no mail contains a link to a phone app', async () => {
  const { call, makePerson } = await shareListed()
  const { email } = await makePerson('alice')
  const recovery = { email, url: `${APP}/reset` }
  expect((await call('POST', '/account/recovery', { body: recovery })).status).toBe(400)
})
