// Sign-in with Google against a real OpenID provider: whose account it becomes, and every way in which it must not work.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Database } from '#backend/database/schema.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { type GooglePerson, type Issuer, makeWalker, startIssuer, type Walker } from '#test/support/openid.ts'

const ALICE: GooglePerson = { sub: 'google-alice', email: 'alice@example.test', email_verified: true, name: 'Alice of Google' }
const MALLORY: GooglePerson = { sub: 'google-mallory', email: 'mallory@example.test', email_verified: true, name: 'Mallory' }
const CALLBACK = '/v1/account/sessions/oauth2/callback/google/blog'

/** A blog whose Google is the test provider. */
async function openBlog(env: Record<string, string> = {}, people: GooglePerson[] = [ALICE, MALLORY]) {
  const issuer = await startIssuer(people.map((person) => ({ ...person })))
  const blog = await makeTestBlog({ ...issuer.env, ...env })
  issuer.admit(blog.url)
  return {
    blog,
    issuer,
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

function startUrl(blog: TestBlog, query: Record<string, string> = {}): string {
  const params = { success: `${blog.url}/verifyOAuth`, failure: `${blog.url}/login`, project: 'blog', ...query }
  return `${blog.url}/v1/account/sessions/oauth2/google?${new URLSearchParams(params)}`
}

/** Goes to the provider and chooses an account there, or cancels. @returns the address with which the provider sends the browser back */
async function chooseAt(blog: TestBlog, walker: Walker, choice: string): Promise<string> {
  const page = await walker.walk(startUrl(blog), ({ pathname }) => pathname.startsWith('/interaction/'))
  const back = await walker.walk(`${page}?${choice}`, ({ pathname }) => pathname === CALLBACK)
  expect(back.origin + back.pathname).toBe(blog.url + CALLBACK)
  return back.href
}

/** The whole way. @returns where the browser ends up */
async function signIn(blog: TestBlog, walker: Walker, { sub }: GooglePerson): Promise<string> {
  const back = await chooseAt(blog, walker, `sub=${sub}`)
  return (await walker.visit(back)).headers.get('location') ?? ''
}

function errorIn(location: string): unknown {
  return JSON.parse(new URL(location).searchParams.get('error') ?? 'null')
}

/** Changes rows behind the server's back. */
async function inDatabase(blog: TestBlog, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await work(db)
  await db.destroy()
}

async function countRows(blog: TestBlog): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await inDatabase(blog, async (db) => {
    for (const table of ['user', 'session', 'identity', 'oauthState'] as const) {
      const { count } = await db
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      counts[table] = Number(count)
    }
  })
  return counts
}

const nobody = { user: 0, session: 0, identity: 0 }

/** The session of the walker's browser, as `GET /account/sessions/current` shows it. */
function currentSession(blog: TestBlog, walker: Walker) {
  return blog.call('GET', '/account/sessions/current', { cookie: walker.cookie() })
}

async function userinfo(issuer: Issuer, token: string): Promise<unknown> {
  const answer = await fetch(`${issuer.url}/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status === 200 ? answer.json() : answer.status
}

test('the way to the provider carries all that binds the answer to this browser', async () => {
  await using opened = await openBlog()
  const { blog, issuer } = opened
  const answer = await fetch(`${startUrl(blog)}&scopes[0]=calendar`, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const target = new URL(answer.headers.get('location') ?? '')
  expect(target.origin + target.pathname).toBe(`${issuer.url}/auth`)
  const sent = Object.fromEntries(target.searchParams)
  expect(sent).toEqual({
    client_id: 'lamplight-test',
    redirect_uri: blog.url + CALLBACK,
    response_type: 'code',
    scope: 'openid email profile https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile calendar',
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
    nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^a_oauth_blog=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)])
  expect(answer.headers.getSetCookie().join()).not.toContain(sent.state)
})

test('a new person gets an account, a session and nothing in the address', async () => {
  await using opened = await openBlog()
  const { blog, issuer } = opened
  const walker = makeWalker()
  expect(await signIn(blog, walker, ALICE)).toBe(`${blog.url}/verifyOAuth`)

  const { body: account } = await blog.call('GET', '/account', { cookie: walker.cookie() })
  expect(account).toMatchObject({ email: 'alice@example.test', name: 'Alice of Google', emailVerification: true, passwordUpdate: '', prefs: {} })
  const { body: session } = await currentSession(blog, walker)
  expect(session).toMatchObject({ provider: 'google', providerUid: 'google-alice', providerRefreshToken: '', current: true, userId: account.$id })
  expect(Date.parse(session.providerAccessTokenExpiry) - Date.now()).toBeGreaterThan(3500_000)
  expect(await userinfo(issuer, session.providerAccessToken)).toMatchObject({ sub: 'google-alice', email: 'alice@example.test' })
  expect(walker.cookie()).not.toContain('a_oauth_blog')

  // Nobody signs in to an account without a password by guessing one.
  const byPassword = await blog.call('POST', '/account/sessions/email', { body: { email: ALICE.email, password: 'any password' } })
  expect(byPassword.body.type).toBe('user_invalid_credentials')
})

test('the access token is shown only for the own current session, and nobody can read it in the database or the log', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const [one, other] = [makeWalker(), makeWalker()]
  await signIn(blog, one, ALICE)
  await signIn(blog, other, ALICE)
  const { body: mine } = await currentSession(blog, one)
  expect(mine.providerAccessToken).toMatch(/^[\w-]{20,}$/)
  const list = await blog.call('GET', '/account/sessions', { cookie: one.cookie() })
  expect(list.body.sessions.map((session: { providerAccessToken: string }) => session.providerAccessToken)).toEqual(['', ''])
  const otherId = (await currentSession(blog, other)).body.$id
  const theOther = await blog.call('GET', `/account/sessions/${otherId}`, { cookie: one.cookie() })
  expect(theOther.body).toMatchObject({ $id: otherId, providerAccessToken: '' })

  await inDatabase(blog, async (db) => {
    const kept = JSON.stringify([await db.selectFrom('session').selectAll().execute(), await db.selectFrom('oauthState').selectAll().execute()])
    expect(kept).toContain('providerAccessToken')
    expect(kept).not.toContain(mine.providerAccessToken)
  })
  expect(JSON.stringify(blog.log)).not.toContain(mine.providerAccessToken)
  expect(blog.log.filter(({ event }) => event === 'sign-in')).toHaveLength(2)
})

test('the second time it is the same account, also after the address at the provider has changed', async () => {
  await using opened = await openBlog()
  const { blog, issuer } = opened
  const walker = makeWalker()
  await signIn(blog, walker, ALICE)
  const first = (await currentSession(blog, walker)).body.userId
  Object.assign(issuer.people[0] ?? {}, { email: 'new@example.test', email_verified: false })
  const again = makeWalker()
  await signIn(blog, again, ALICE)
  expect((await currentSession(blog, again)).body.userId).toBe(first)
  expect((await blog.call('GET', '/account', { cookie: again.cookie() })).body.email).toBe('alice@example.test')
  expect(await countRows(blog)).toEqual({ user: 1, session: 2, identity: 1, oauthState: 0 })
})

test('two browsers coming back at the same moment make one account', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walkers = Array.from({ length: 4 }, makeWalker)
  const backs = await Promise.all(walkers.map((walker) => chooseAt(blog, walker, `sub=${ALICE.sub}`)))
  const ends = await Promise.all(walkers.map(async (walker, index) => (await walker.visit(backs[index] ?? '')).headers.get('location')))
  expect(ends).toEqual(Array(4).fill(`${blog.url}/verifyOAuth`))
  expect(await countRows(blog)).toEqual({ user: 1, session: 4, identity: 1, oauthState: 0 })
})

test('who cancels comes back with the reason in our words, and nothing has happened', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walker = makeWalker()
  const answer = await walker.visit(await chooseAt(blog, walker, 'cancel'))
  expect(answer.status).toBe(302)
  const location = answer.headers.get('location') ?? ''
  expect(location.startsWith(`${blog.url}/login?error=`)).toBe(true)
  expect(errorIn(location)).toEqual({ message: 'The sign-in was cancelled.', type: 'user_oauth2_provider_error', code: 424 })
  expect(walker.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test('an answer counts once', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walker = makeWalker()
  const back = await chooseAt(blog, walker, `sub=${ALICE.sub}`)
  const browser = walker.cookie()
  expect((await walker.visit(back)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
  const replay = await fetch(back, { redirect: 'manual', headers: { cookie: browser } })
  expect(replay.status).toBe(400)
  expect(await replay.json()).toMatchObject({ type: 'user_oauth2_bad_request', code: 400 })
  expect(replay.headers.getSetCookie()).toEqual([])
  expect(await countRows(blog)).toEqual({ user: 1, session: 1, identity: 1, oauthState: 0 })
})

test("another browser can neither use nor spoil somebody's answer", async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const [alice, stranger] = [makeWalker(), makeWalker()]
  const back = await chooseAt(blog, alice, `sub=${ALICE.sub}`)
  // Without any cookie, and with the cookie of a sign-in of the stranger's own.
  const withNone = await stranger.visit(back)
  expect(withNone.status).toBe(400)
  await stranger.visit(startUrl(blog))
  const withOwn = await stranger.visit(back)
  expect(withOwn.status).toBe(400)
  expect(stranger.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 2 })
  // A person gets a page rather than JSON.
  const readable = await stranger.visit(back, { headers: { accept: 'text/html,*/*' } })
  expect(errorIn(readable.headers.get('location') ?? '')).toMatchObject({ type: 'user_oauth2_bad_request' })
  expect(readable.headers.get('location')?.startsWith(`${blog.url}/login?`)).toBe(true)

  expect((await alice.visit(back)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
})

test('after ten minutes the answer is too late', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walker = makeWalker()
  const back = await chooseAt(blog, walker, `sub=${ALICE.sub}`)
  blog.passTime(10 * 60_000)
  const location = (await walker.visit(back)).headers.get('location') ?? ''
  expect(errorIn(location)).toMatchObject({ type: 'user_oauth2_bad_request', code: 400 })
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test.each(['', '?code=abc', '?code=abc&state=', `?code=abc&state=${'0'.repeat(64)}`, '?error=access_denied', '?state[]=a&code=b'])(
  'an answer that nobody asked for is refused: %s',
  async (query) => {
    await using opened = await openBlog()
    const { blog } = opened
    const answer = await fetch(blog.url + CALLBACK + query, { redirect: 'manual' })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBe(null)
    expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
  },
)

test('a code of another sign-in is refused by the provider', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const [mallory, alice] = [makeWalker(), makeWalker()]
  const stolen = new URL(await chooseAt(blog, mallory, `sub=${MALLORY.sub}`)).searchParams.get('code') ?? ''
  const back = new URL(await chooseAt(blog, alice, `sub=${ALICE.sub}`))
  back.searchParams.set('code', stolen)
  const location = (await alice.visit(back.href)).headers.get('location') ?? ''
  expect(errorIn(location)).toEqual({ message: 'The provider refused the sign-in.', type: 'user_oauth2_bad_request', code: 400 })
  expect(location).not.toContain(stolen)
  expect(alice.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 1 })
})

test('an answer in the name of another issuer is refused', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walker = makeWalker()
  const back = new URL(await chooseAt(blog, walker, `sub=${ALICE.sub}`))
  back.searchParams.set('iss', 'https://evil.example')
  const location = (await walker.visit(back.href)).headers.get('location') ?? ''
  expect(errorIn(location)).toMatchObject({ type: 'user_oauth2_provider_error' })
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test('an answer sent as a form becomes a visit, from any site', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const walker = makeWalker()
  const back = new URL(await chooseAt(blog, walker, `sub=${ALICE.sub}`))
  const posted = await fetch(blog.url + CALLBACK, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://accounts.google.com', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams([...back.searchParams, ['extra', 'https://evil.example']]),
  })
  expect(posted.status).toBe(303)
  expect(posted.headers.getSetCookie()).toEqual([])
  const visit = new URL(posted.headers.get('location') ?? '', blog.url)
  expect(visit.pathname).toBe(CALLBACK)
  expect(visit.searchParams.has('extra')).toBe(false)
  expect((await walker.visit(visit.href)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
})

test('forms are taken nowhere else', async () => {
  await using opened = await openBlog()
  const answer = await opened.blog.call('POST', '/account/sessions/email', {
    body: { email: 'a@example.test', password: 'some password' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(400)
})

test('an address that the provider has not verified opens nothing', async () => {
  await using opened = await openBlog({}, [{ ...ALICE, email_verified: false }])
  const { blog } = opened
  const alice = await blog.makePerson('alice')
  const before = await countRows(blog)
  const walker = makeWalker()
  expect(errorIn(await signIn(blog, walker, ALICE))).toMatchObject({ type: 'user_email_not_verified', code: 401 })
  expect(walker.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual(before)
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).status).toBe(200)
})

test('an unverified address makes no account either', async () => {
  await using opened = await openBlog({}, [{ ...ALICE, email_verified: false }])
  const { blog } = opened
  expect(errorIn(await signIn(blog, makeWalker(), ALICE))).toMatchObject({ type: 'user_email_not_verified' })
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test('an account whose address is verified is linked and keeps its password and sessions', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const alice = await blog.makePerson('alice')
  await inDatabase(blog, (db) => db.updateTable('user').set({ isVerified: 1 }).execute())
  const walker = makeWalker()
  await signIn(blog, walker, { ...ALICE })
  expect((await currentSession(blog, walker)).body).toMatchObject({ userId: alice.id, provider: 'google' })
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).toMatchObject({ $id: alice.id, name: 'alice' })
  const byPassword = await blog.call('POST', '/account/sessions/email', { body: { email: alice.email, password: alice.password } })
  expect(byPassword.status).toBe(201)
})

test.each(DATABASES.map(([name]) => name))("who signed up with somebody else's address has no way in once its owner comes (%s)", async (name) => {
  const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
  await using opened = await openBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
  const { blog } = opened
  const squatter = await blog.makePerson('alice')
  const owner = makeWalker()
  await signIn(blog, owner, ALICE)
  expect((await blog.call('GET', '/account', { cookie: owner.cookie() })).body).toMatchObject({
    $id: squatter.id,
    emailVerification: true,
    passwordUpdate: '',
  })
  expect((await blog.call('GET', '/account', { cookie: squatter.cookie })).status).toBe(401)
  const byPassword = await blog.call('POST', '/account/sessions/email', { body: { email: squatter.email, password: squatter.password } })
  expect(byPassword.body.type).toBe('user_invalid_credentials')
  const sessions = await blog.call('GET', '/account/sessions', { cookie: owner.cookie() })
  expect(sessions.body.total).toBe(1)
})

test("who moved an own Google account to somebody else's address loses that way in too", async () => {
  await using opened = await openBlog()
  const { blog } = opened
  const mallory = makeWalker()
  await signIn(blog, mallory, MALLORY)
  const taken = (await currentSession(blog, mallory)).body.userId
  await inDatabase(blog, (db) => db.updateTable('user').set({ email: ALICE.email, isVerified: 0 }).execute())

  const owner = makeWalker()
  await signIn(blog, owner, ALICE)
  expect((await currentSession(blog, owner)).body.userId).toBe(taken)
  expect((await currentSession(blog, mallory)).status).toBe(401)
  const again = makeWalker()
  await signIn(blog, again, MALLORY)
  expect((await currentSession(blog, again)).body.userId).not.toBe(taken)
})

test('a blocked account stays closed, and no session starts', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  await signIn(blog, makeWalker(), ALICE)
  await blog.makePerson('mallory')
  await inDatabase(blog, (db) => db.updateTable('user').set({ isBlocked: 1, isVerified: 1 }).execute())
  const before = await countRows(blog)
  for (const person of [ALICE, MALLORY]) {
    const walker = makeWalker()
    expect(errorIn(await signIn(blog, walker, person))).toEqual({ message: 'This account has been blocked.', type: 'user_blocked', code: 401 })
    expect(walker.cookie()).not.toContain('a_session_blog')
  }
  expect(await countRows(blog)).toEqual(before)
})

test('while registration is closed only those who have an account come in', async () => {
  await using opened = await openBlog({ BLOG_REGISTRATION: 'closed' })
  const { blog } = opened
  expect(errorIn(await signIn(blog, makeWalker(), ALICE))).toMatchObject({ type: 'user_count_exceeded', code: 501 })
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
  const time = new Date().toISOString()
  await inDatabase(blog, (db) =>
    db
      .insertInto('user')
      .values({
        ...{ id: 'alice', name: 'Alice', email: ALICE.email, passwordHash: null, passwordUpdatedAt: null, isVerified: 0, isBlocked: 0, prefs: '{}' },
        ...{ createdAt: time, updatedAt: time, accessedAt: time },
      })
      .execute(),
  )
  const walker = makeWalker()
  expect(await signIn(blog, walker, ALICE)).toBe(`${blog.url}/verifyOAuth`)
  expect((await currentSession(blog, walker)).body.userId).toBe('alice')
})

test('a name that breaks our rules is put right instead of refused', async () => {
  await using opened = await openBlog({}, [{ ...ALICE, name: `Al\u0000ice\r\n<b>${'x'.repeat(300)}` }])
  const { blog } = opened
  const walker = makeWalker()
  await signIn(blog, walker, ALICE)
  const { body } = await blog.call('GET', '/account', { cookie: walker.cookie() })
  expect(body.name).toBe(`Al ice <b>${'x'.repeat(118)}`)
})

test.each([
  'https://evil.example/',
  '//evil.example/',
  'javascript:alert(1)',
  '/verifyOAuth',
  'https://localhost@evil.example/',
  'http://localhost:1/verifyOAuth',
])('nobody is sent to %s', async (url) => {
  await using opened = await openBlog()
  const { blog } = opened
  for (const param of ['success', 'failure']) {
    const answer = await fetch(startUrl(blog, { [param]: url }), { redirect: 'manual' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ type: 'general_argument_invalid', message: expect.stringContaining(`Invalid \`${param}\` param: `) })
    expect(answer.headers.get('location')).toBe(null)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test.each([
  ['another provider', '/account/sessions/oauth2/github', 400],
  ['another provider coming back', '/account/sessions/oauth2/callback/github/blog', 400],
  ['another project coming back', '/account/sessions/oauth2/callback/google/other', 404],
  ['scopes that are none', '/account/sessions/oauth2/google?scopes[0]=a%20b', 400],
  ['too many scopes', `/account/sessions/oauth2/google?${Array(101).fill('scopes[]=a').join('&')}`, 400],
])('%s is refused', async (_name, path, status) => {
  await using opened = await openBlog()
  const answer = await opened.blog.call('GET', path)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBe(null)
})

test('a blog without Google says so: in JSON, or at the failure address', async () => {
  await using blog = await makeTestBlog()
  const plain = await blog.call('GET', '/account/sessions/oauth2/google')
  expect(plain.status).toBe(412)
  expect(plain.body.type).toBe('project_provider_disabled')
  const sentBack = await fetch(startUrl(blog, { failure: `${blog.url}/login?next=%2Fpost#top` }), { redirect: 'manual' })
  expect(sentBack.status).toBe(302)
  const location = sentBack.headers.get('location') ?? ''
  expect(errorIn(location)).toEqual({ message: 'Sign-in with this provider is switched off.', type: 'project_provider_disabled', code: 412 })
  expect(location.startsWith(`${blog.url}/login?next=%2Fpost&error=`)).toBe(true)
  expect(location.endsWith('#top')).toBe(true)
  const back = await fetch(`${blog.url}${CALLBACK}?code=a&state=b`, { redirect: 'manual' })
  expect(back.status).toBe(412)
})

test('a provider that is down is told at the failure address, before and after', async () => {
  await using opened = await openBlog()
  const { blog, issuer } = opened
  const walker = makeWalker()
  const back = await chooseAt(blog, walker, `sub=${ALICE.sub}`)
  issuer.isDown = true
  const late = (await walker.visit(back)).headers.get('location') ?? ''
  expect(errorIn(late)).toEqual({ message: 'The provider reported an error.', type: 'user_oauth2_provider_error', code: 424 })
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })

  // What is known of the provider is asked again after a day.
  blog.passTime(25 * 3600_000)
  const early = await fetch(startUrl(blog), { redirect: 'manual' })
  expect(errorIn(early.headers.get('location') ?? '')).toMatchObject({ type: 'user_oauth2_provider_error' })
  expect(early.headers.getSetCookie()).toEqual([])
  expect(await countRows(blog)).toEqual({ ...nobody, oauthState: 0 })
})

test('start and callback are counted, fifty an hour for each address', async () => {
  await using opened = await openBlog({ BLOG_RATE_LIMITS: 'on' })
  const { blog } = opened
  for (const url of [startUrl(blog), `${blog.url}${CALLBACK}?code=a&state=b`]) {
    const statuses = new Set<number>()
    for (let call = 0; call < 50; call++) statuses.add((await fetch(url, { redirect: 'manual' })).status)
    expect([...statuses]).toEqual([url === startUrl(blog) ? 302 : 400])
    const beyond = await fetch(url, { redirect: 'manual' })
    expect(beyond.status).toBe(429)
    expect(beyond.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(beyond.headers.getSetCookie()).toEqual([])
  }
})

test('departures that nobody came back from are cleared away', async () => {
  await using opened = await openBlog()
  const { blog } = opened
  for (let call = 0; call < 3; call++) await fetch(startUrl(blog), { redirect: 'manual' })
  expect((await countRows(blog)).oauthState).toBe(3)
  blog.passTime(10 * 60_000)
  await fetch(startUrl(blog), { redirect: 'manual' })
  expect((await countRows(blog)).oauthState).toBe(1)
})

test('pages of another site may be the way back when they are listed', async () => {
  await using opened = await openBlog({ BLOG_ALLOWED_ORIGINS: 'https://pages.example', BLOG_CROSS_SITE: 'on' })
  const { blog } = opened
  const walker = makeWalker()
  const page = await walker.walk(startUrl(blog, { success: 'https://pages.example/in', failure: 'https://pages.example/out' }), ({ pathname }) =>
    pathname.startsWith('/interaction/'),
  )
  const back = await walker.walk(`${page}?sub=${ALICE.sub}`, ({ pathname }) => pathname === CALLBACK)
  const answer = await walker.visit(back.href)
  expect(answer.headers.get('location')).toBe('https://pages.example/in')
  expect(answer.headers.getSetCookie().find((line) => line.startsWith('a_session_blog='))).toMatch(/; HttpOnly; Secure; SameSite=None$/)
})
