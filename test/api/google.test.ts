// Sign-in with Google against a real OpenID provider: its redirects and its tokens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import {
  ALICE,
  CALLBACK,
  chooseAccount,
  countRows,
  currentSession,
  inDatabase,
  openGoogleBlog,
  signIn,
  startUrl,
} from '#test/support/google-blog.ts'
import { type Issuer, makeRedirectBrowser, type RedirectBrowser } from '#test/support/openid.ts'

async function userinfo(issuer: Issuer, token: string): Promise<unknown> {
  const answer = await fetch(`${issuer.url}/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status === 200 ? answer.json() : answer.status
}

const refresh = (blog: TestBlog, walker: RedirectBrowser, sessionId: string) =>
  blog.call('PATCH', `/account/sessions/${sessionId}`, { cookie: walker.cookie(), body: {} })

test('the authorization request contains all that binds the answer to this browser', async () => {
  await using opened = await openGoogleBlog()
  const { blog, issuer } = opened
  const answer = await fetch(`${startUrl(blog)}&scopes[0]=calendar`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const target = new URL(answer.headers.get('location') ?? '')
  expect(target.origin + target.pathname).toBe(`${issuer.url}/auth`)
  const params = Object.fromEntries(target.searchParams)
  expect(params).toEqual({
    client_id: 'lamplight-test',
    redirect_uri: blog.url + CALLBACK,
    response_type: 'code',
    scope:
      'openid email profile https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile calendar',
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
    nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^a_oauth_blog_\d+=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect(answer.headers.getSetCookie().join()).not.toContain(params.state)
})

test('on HTTPS the cookie belongs to this host alone', async () => {
  await using opened = await openGoogleBlog({ BLOG_PUBLIC_URL: 'https://blog.example' })
  const query = {
    success: 'https://blog.example/verifyOAuth',
    failure: 'https://blog.example/login',
  }
  const answer = await fetch(startUrl(opened.blog, query), { redirect: 'manual' })
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-a_oauth_blog=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri')).toBe(
    `https://blog.example${CALLBACK}`,
  )
})

/** Alice has signed in with Google for the first time; `address` is where the browser ends up. */
async function openSignedIn() {
  const opened = await openGoogleBlog()
  const walker = makeRedirectBrowser()
  const address = await signIn(opened.blog, walker, ALICE)
  const session = (await currentSession(opened.blog, walker)).body
  return { ...opened, walker, address, session }
}

describe('the first sign-in', () => {
  let opened: Awaited<ReturnType<typeof openSignedIn>>
  beforeAll(async () => {
    opened = await openSignedIn()
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  test('creates an account, and puts no secret in the address', async () => {
    const { blog, walker, address } = opened
    expect(address).toBe(`${blog.url}/verifyOAuth`)
    expect((await blog.call('GET', '/account', { cookie: walker.cookie() })).body).toMatchObject({
      email: 'alice@example.test',
      name: 'Alice of Google',
      emailVerification: true,
      passwordUpdate: '',
      prefs: {},
    })
  })

  test('begins a session, whose cookie replaces that of the request', async () => {
    const { blog, walker, session } = opened
    const { body: account } = await blog.call('GET', '/account', { cookie: walker.cookie() })
    expect(session).toMatchObject({
      provider: 'google',
      providerUid: 'google-alice',
      providerRefreshToken: '',
      current: true,
      userId: account.$id,
    })
    expect(walker.cookie()).not.toContain('a_oauth_blog')
  })

  test('gives the session an access token of Google for an hour', async () => {
    const { issuer, session } = opened
    const lifeMs = Date.parse(session.providerAccessTokenExpiry) - Date.parse(session.$createdAt)
    expect(lifeMs).toBeGreaterThan(3500_000)
    expect(await userinfo(issuer, session.providerAccessToken)).toMatchObject({
      sub: 'google-alice',
      email: 'alice@example.test',
    })
  })

  test('gives the account no password', async () => {
    const { status, body } = await opened.blog.call('POST', '/account/sessions/email', {
      body: { email: ALICE.email, password: 'any password' },
    })
    expect([status, body.type]).toEqual([401, 'user_invalid_credentials'])
  })

  test('stores the access token in plain text neither in the database nor in the log', async () => {
    const { blog, session } = opened
    await inDatabase(blog, async (db) => {
      const rows = JSON.stringify([
        await db.selectFrom('session').selectAll().execute(),
        await db.selectFrom('oauthState').selectAll().execute(),
      ])
      expect(rows).toContain('providerAccessToken')
      expect(rows).not.toContain(session.providerAccessToken)
    })
    expect(JSON.stringify(blog.log)).not.toContain(session.providerAccessToken)
    expect(blog.log.filter(({ event }) => event === 'sign-in')).toHaveLength(1)
  })
})

test('the access token is shown only for the current session of its user', async () => {
  await using opened = await openSignedIn()
  const { blog, walker, session } = opened
  const otherWalker = makeRedirectBrowser()
  await signIn(blog, otherWalker, ALICE)
  expect(session.providerAccessToken).toMatch(/^[\w-]{20,}$/)
  const list = await blog.call('GET', '/account/sessions', { cookie: walker.cookie() })
  expect(
    list.body.sessions.map(
      ({ providerAccessToken }: { providerAccessToken: string }) => providerAccessToken,
    ),
  ).toEqual(['', ''])
  const { $id } = (await currentSession(blog, otherWalker)).body
  const other = await blog.call('GET', `/account/sessions/${$id}`, { cookie: walker.cookie() })
  expect(other.body).toMatchObject({ $id, providerAccessToken: '' })
})

test('the access token is refreshed with the refresh token, which nobody sees', async () => {
  await using opened = await openRefreshable()
  const { blog, issuer, walker, session: first } = opened
  const tokens = [first.providerAccessToken]
  // The second refresh uses the token of the first: the provider accepts each once.
  for (const sessionId of ['current', first.$id]) {
    blog.passTime(60_000)
    const answer = await refresh(blog, walker, sessionId)
    const { providerAccessToken, providerAccessTokenExpiry } = answer.body
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...first, providerAccessToken, providerAccessTokenExpiry },
    ])
    expect(Date.parse(providerAccessTokenExpiry)).toBeGreaterThan(
      Date.parse(first.providerAccessTokenExpiry),
    )
    expect(await userinfo(issuer, providerAccessToken)).toMatchObject({ sub: 'google-alice' })
    expect(answer.headers.getSetCookie()).toEqual([])
    tokens.push(providerAccessToken)
  }
  expect(new Set(tokens).size).toBe(3)
  expect(issuer.refreshTokens).toHaveLength(3)
  await inDatabase(blog, async (db) => {
    const stored =
      JSON.stringify(await db.selectFrom('session').selectAll().execute()) +
      JSON.stringify(blog.log)
    const secrets = [...tokens, ...issuer.refreshTokens]
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([])
  })
})

test('without a refresh token the access token stays as it is', async () => {
  await using opened = await openSignedIn()
  const { blog, issuer, walker, session } = opened
  expect((await refresh(blog, walker, 'current')).body).toMatchObject({
    code: 501,
    type: 'project_provider_unsupported',
  })
  expect((await currentSession(blog, walker)).body).toEqual(session)
  expect(issuer.refreshTokens).toEqual([])
})

test('nobody can refresh the access token of another user', async () => {
  await using opened = await openSignedIn()
  const { blog, issuer, walker, session } = opened
  const bob = await blog.makePerson('bob')
  const { body } = await blog.call('PATCH', `/account/sessions/${session.$id}`, {
    cookie: bob.cookie,
    body: {},
  })
  expect(body).toMatchObject({ code: 404, type: 'user_session_not_found' })
  expect((await currentSession(blog, walker)).body).toEqual(session)
  expect(issuer.refreshTokens).toEqual([])
})

/** Alice with a session that has a refresh token. */
async function openRefreshable() {
  const opened = await openGoogleBlog()
  opened.issuer.givesRefreshTokens = true
  const walker = makeRedirectBrowser()
  await signIn(opened.blog, walker, ALICE)
  return { ...opened, walker, session: (await currentSession(opened.blog, walker)).body }
}

test('a provider that is down leaves the session as it is', async () => {
  await using opened = await openRefreshable()
  const { blog, issuer, walker, session } = opened
  issuer.isDown = true
  expect((await refresh(blog, walker, 'current')).body).toMatchObject({
    type: 'user_oauth2_provider_error',
  })
  expect((await currentSession(blog, walker)).body).toEqual(session)
})

test('a provider that has revoked the token leaves the session as it is', async () => {
  await using opened = await openRefreshable()
  const { blog, issuer, walker, session } = opened
  // The provider forgets all tokens.
  issuer.registerBlog(blog.url)
  expect((await refresh(blog, walker, 'current')).body).toMatchObject({
    code: 400,
    type: 'user_oauth2_bad_request',
  })
  expect((await currentSession(blog, walker)).body).toEqual(session)
})

test('a second sign-in finds the account even when the address at the provider has changed', async () => {
  await using opened = await openGoogleBlog()
  const { blog, issuer } = opened
  const walker = makeRedirectBrowser()
  await signIn(blog, walker, ALICE)
  const first = (await currentSession(blog, walker)).body.userId
  Object.assign(issuer.people[0] ?? {}, { email: 'new@example.test', email_verified: false })
  const secondBrowser = makeRedirectBrowser()
  await signIn(blog, secondBrowser, ALICE)
  expect((await currentSession(blog, secondBrowser)).body.userId).toBe(first)
  expect((await blog.call('GET', '/account', { cookie: secondBrowser.cookie() })).body.email).toBe(
    'alice@example.test',
  )
  expect(await countRows(blog)).toEqual({ user: 1, session: 2, identity: 1, oauthState: 0 })
})

test('four browsers that return at the same moment create one account', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const walkers = Array.from({ length: 4 }, makeRedirectBrowser)
  const callbacks = await Promise.all(
    walkers.map((walker) => chooseAccount(blog, walker, `sub=${ALICE.sub}`)),
  )
  const locations = await Promise.all(
    walkers.map(async (walker, index) =>
      (await walker.visit(callbacks[index] ?? '')).headers.get('location'),
    ),
  )
  expect(locations).toEqual(Array(4).fill(`${blog.url}/verifyOAuth`))
  expect(await countRows(blog)).toEqual({ user: 1, session: 4, identity: 1, oauthState: 0 })
})

test('an answer that is sent as a form, from any site, is redirected to a GET', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const walker = makeRedirectBrowser()
  const callback = new URL(await chooseAccount(blog, walker, `sub=${ALICE.sub}`))
  const answer = await fetch(blog.url + CALLBACK, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://accounts.google.com', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams([...callback.searchParams, ['extra', 'https://evil.example']]),
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.getSetCookie()).toEqual([])
  const visit = new URL(answer.headers.get('location') ?? '', blog.url)
  expect(visit.pathname).toBe(CALLBACK)
  expect(visit.searchParams.has('extra')).toBe(false)
  expect((await walker.visit(visit.href)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
})

test('pages of another site may be the return address when they are listed', async () => {
  await using opened = await openGoogleBlog({
    BLOG_ALLOWED_ORIGINS: 'https://pages.example',
    BLOG_CROSS_SITE: 'on',
  })
  const { blog } = opened
  const walker = makeRedirectBrowser()
  const page = await walker.follow(
    startUrl(blog, { success: 'https://pages.example/in', failure: 'https://pages.example/out' }),
    ({ pathname }) => pathname.startsWith('/interaction/'),
  )
  const callback = await walker.follow(
    `${page}?sub=${ALICE.sub}`,
    ({ pathname }) => pathname === CALLBACK,
  )
  const answer = await walker.visit(callback.href)
  expect(answer.headers.get('location')).toBe('https://pages.example/in')
  expect(answer.headers.getSetCookie().find((cookie) => cookie.startsWith('a_session_'))).toMatch(
    /; HttpOnly; Secure; SameSite=None$/,
  )
})

test('expired authorization requests are deleted', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  for (let call = 0; call < 3; call++) await fetch(startUrl(blog), { redirect: 'manual' })
  expect((await countRows(blog)).oauthState).toBe(3)
  blog.passTime(10 * 60_000)
  await fetch(startUrl(blog), { redirect: 'manual' })
  expect((await countRows(blog)).oauthState).toBe(1)
})
