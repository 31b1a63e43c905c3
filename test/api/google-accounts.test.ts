// Sign-in with Google against a real OpenID provider: which account it signs in to.
import { expect, test } from 'vitest'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import {
  ALICE,
  countRows,
  currentSession,
  errorIn,
  inDatabase,
  MALLORY,
  NO_USERS,
  openGoogleBlog,
  signIn,
} from '#test/support/google-blog.ts'
import { makeRedirectBrowser } from '#test/support/openid.ts'

test('an address that the provider has not verified signs in to no account', async () => {
  await using opened = await openGoogleBlog({}, [{ ...ALICE, email_verified: false }])
  const { blog } = opened
  const alice = await blog.makePerson('alice')
  const before = await countRows(blog)
  const browser = makeRedirectBrowser()
  expect(errorIn(await signIn(blog, browser, ALICE))).toMatchObject({
    type: 'user_email_not_verified',
    code: 401,
  })
  expect(browser.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual(before)
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).status).toBe(200)
})

test('an unverified address creates no account either', async () => {
  await using opened = await openGoogleBlog({}, [{ ...ALICE, email_verified: false }])
  const { blog } = opened
  expect(errorIn(await signIn(blog, makeRedirectBrowser(), ALICE))).toMatchObject({
    type: 'user_email_not_verified',
  })
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

test('an account with a verified address is linked, and keeps its password and sessions', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const alice = await blog.makePerson('alice')
  await inDatabase(blog, (db) => db.updateTable('user').set({ isVerified: 1 }).execute())
  const browser = makeRedirectBrowser()
  await signIn(blog, browser, { ...ALICE })
  expect((await currentSession(blog, browser)).body).toMatchObject({
    userId: alice.id,
    provider: 'google',
  })
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).toMatchObject({
    $id: alice.id,
    name: 'alice',
  })
  const byPassword = await blog.call('POST', '/account/sessions/email', {
    body: { email: alice.email, password: alice.password },
  })
  expect(byPassword.status).toBe(201)
})

for (const [name, tags] of DATABASES)
  test(`a stranger who signed up with another person's address has no access once its owner signs in (${name})`, {
    tags,
  }, async () => {
    const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
    await using opened = await openGoogleBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
    const { blog } = opened
    const squatter = await blog.makePerson('alice')
    const owner = makeRedirectBrowser()
    await signIn(blog, owner, ALICE)
    expect((await blog.call('GET', '/account', { cookie: owner.cookie() })).body).toMatchObject({
      $id: squatter.id,
      emailVerification: true,
      passwordUpdate: '',
    })
    expect((await blog.call('GET', '/account', { cookie: squatter.cookie })).status).toBe(401)
    const byPassword = await blog.call('POST', '/account/sessions/email', {
      body: { email: squatter.email, password: squatter.password },
    })
    expect(byPassword.body.type).toBe('user_invalid_credentials')
    const sessions = await blog.call('GET', '/account/sessions', { cookie: owner.cookie() })
    expect(sessions.body.total).toBe(1)
  })

test("a stranger who signed up with Google and took another person's address loses access, too", async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const mallory = makeRedirectBrowser()
  await signIn(blog, mallory, MALLORY)
  const userId = (await currentSession(blog, mallory)).body.userId
  await inDatabase(blog, (db) =>
    db.updateTable('user').set({ email: ALICE.email, isVerified: 0 }).execute(),
  )

  const owner = makeRedirectBrowser()
  await signIn(blog, owner, ALICE)
  expect((await currentSession(blog, owner)).body.userId).toBe(userId)
  expect((await currentSession(blog, mallory)).status).toBe(401)
  const secondBrowser = makeRedirectBrowser()
  await signIn(blog, secondBrowser, MALLORY)
  expect((await currentSession(blog, secondBrowser)).body.userId).not.toBe(userId)
})

test('nobody can sign in to a blocked account, and no session starts', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  await signIn(blog, makeRedirectBrowser(), ALICE)
  await blog.makePerson('mallory')
  await inDatabase(blog, (db) =>
    db.updateTable('user').set({ isBlocked: 1, isVerified: 1 }).execute(),
  )
  const before = await countRows(blog)
  for (const person of [ALICE, MALLORY]) {
    const browser = makeRedirectBrowser()
    expect(errorIn(await signIn(blog, browser, person))).toEqual({
      message: 'This account has been blocked.',
      type: 'user_blocked',
      code: 401,
    })
    expect(browser.cookie()).not.toContain('a_session_blog')
  }
  expect(await countRows(blog)).toEqual(before)
})

test('while registration is closed a new user cannot sign up', async () => {
  await using opened = await openGoogleBlog({ BLOG_REGISTRATION: 'closed' })
  const { blog } = opened
  expect(errorIn(await signIn(blog, makeRedirectBrowser(), ALICE))).toMatchObject({
    type: 'user_count_exceeded',
    code: 501,
  })
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

test('while registration is closed a user with an account can sign in', async () => {
  await using opened = await openGoogleBlog({ BLOG_REGISTRATION: 'closed' })
  const { blog } = opened
  const time = new Date().toISOString()
  await inDatabase(blog, (db) =>
    db
      .insertInto('user')
      .values({
        id: 'alice',
        name: 'Alice',
        email: ALICE.email,
        passwordHash: null,
        passwordUpdatedAt: null,
        isVerified: 0,
        isBlocked: 0,
        prefs: '{}',
        createdAt: time,
        updatedAt: time,
        accessedAt: time,
      })
      .execute(),
  )
  const browser = makeRedirectBrowser()
  expect(await signIn(blog, browser, ALICE)).toBe(`${blog.url}/verifyOAuth`)
  expect((await currentSession(blog, browser)).body.userId).toBe('alice')
})

test('a name that breaks the rules is cleaned instead of refused', async () => {
  await using opened = await openGoogleBlog({}, [
    { ...ALICE, name: `Al\u0000ice\r\n<b>${'x'.repeat(300)}` },
  ])
  const { blog } = opened
  const browser = makeRedirectBrowser()
  await signIn(blog, browser, ALICE)
  const { body } = await blog.call('GET', '/account', { cookie: browser.cookie() })
  expect(body.name).toBe(`Al ice <b>${'x'.repeat(118)}`)
})
