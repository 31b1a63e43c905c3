// After the owner of an email address, or the operator, has taken an account back, nobody else can
// still sign in to it: each way to take it back, on both databases.
import { expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import {
  ALICE,
  chooseAccount,
  currentSession,
  MALLORY,
  openGoogleBlog,
  signIn as signInWithGoogle,
} from '#test/support/google-blog.ts'
import {
  cookieOf,
  finishRecovery,
  finishVerification,
  NEW_PASSWORD,
  requestRecovery,
  requestSignInLink,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { readLink } from '#test/support/mail-text.ts'
import { makeRedirectBrowser, type RedirectBrowser } from '#test/support/openid.ts'
import { makeSmtpSink } from '#test/support/smtp-sink.ts'

/** The password of Mallory, who takes Alice's address for his account. */
const HIS_PASSWORD = 'mallory waits in the dark'

async function openBlogWithMails(database: string) {
  const postgres = database === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const sink = await makeSmtpSink()
  const env = { ...sink.env, ...(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}) }
  const opened = await openGoogleBlog(env)
  return {
    ...opened,
    sink,
    async secretFor(email: string, count = 1) {
      const { searchParams } = readLink(await sink.waitForMail(email, count))
      return { userId: searchParams.get('userId') ?? '', secret: searchParams.get('secret') ?? '' }
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
      await postgres?.drop()
    },
  }
}

const asKey = (blog: TestBlog, method: string, path: string, body: object) =>
  blog.call(method, path, { headers: { 'x-appwrite-key': blog.apiKey }, body })

/** Mallory signs in with Google and changes the address of his account to Alice's. */
async function takeAddress(blog: TestBlog): Promise<{ browser: RedirectBrowser; userId: string }> {
  const browser = makeRedirectBrowser()
  await signInWithGoogle(blog, browser, MALLORY)
  const changed = await blog.call('PATCH', '/account/email', {
    cookie: browser.cookie(),
    body: { email: ALICE.email, password: HIS_PASSWORD },
  })
  expect(changed.status).toBe(200)
  return { browser, userId: changed.body.$id }
}

/** The ID of the account that Mallory's Google identity opens now. */
async function openedByMallory(blog: TestBlog): Promise<string> {
  const browser = makeRedirectBrowser()
  await signInWithGoogle(blog, browser, MALLORY)
  return (await currentSession(blog, browser)).body.userId
}

async function expectNoWayIn(
  blog: TestBlog,
  { browser, userId }: { browser: RedirectBrowser; userId: string },
): Promise<void> {
  expect((await whoAmI(blog, browser.cookie())).status).toBe(401)
  const byPassword = await signIn(blog, { email: ALICE.email, password: HIS_PASSWORD })
  expect(byPassword.body.type).toBe('user_invalid_credentials')
  expect(await openedByMallory(blog)).not.toBe(userId)
}

for (const [database, tags] of DATABASES)
  test(`a recovery ends somebody else’s password, sessions, mailed links and linked identities (${database})`, {
    tags,
  }, async () => {
    await using world = await openBlogWithMails(database)
    const { blog } = world
    const mallory = await takeAddress(blog)
    await requestVerification(blog, mallory.browser.cookie())
    const verification = await world.secretFor(ALICE.email)
    await requestRecovery(blog, ALICE.email)
    expect((await finishRecovery(blog, await world.secretFor(ALICE.email, 2))).status).toBe(200)
    await expectNoWayIn(blog, mallory)
    expect((await finishVerification(blog, verification)).body.type).toBe('user_invalid_token')
    const owner = await signIn(blog, { email: ALICE.email, password: NEW_PASSWORD })
    expect(owner.body.userId).toBe(mallory.userId)
    const identities = await blog.call('GET', '/account/identities', { cookie: cookieOf(owner) })
    expect(identities.body).toEqual({ total: 0, identities: [] })
  })

for (const [database, tags] of DATABASES)
  test(`a new password set by the operator ends every other way to sign in (${database})`, {
    tags,
  }, async () => {
    await using world = await openBlogWithMails(database)
    const { blog } = world
    const mallory = await takeAddress(blog)
    await requestSignInLink(blog, ALICE.email)
    const link = await world.secretFor(ALICE.email)
    const path = `/users/${mallory.userId}/password`
    const reset = await asKey(blog, 'PATCH', path, { password: NEW_PASSWORD })
    expect(reset.body).toMatchObject({ $id: mallory.userId, emailVerification: false })
    await expectNoWayIn(blog, mallory)
    expect((await signInWithLink(blog, link)).body.type).toBe('user_invalid_token')
    expect((await signIn(blog, { email: ALICE.email, password: NEW_PASSWORD })).status).toBe(201)
  })

for (const [database, tags] of DATABASES)
  test(`a sign-in link to an unconfirmed address ends every other way to sign in, with a password or without one (${database})`, {
    tags,
  }, async () => {
    await using world = await openBlogWithMails(database)
    const { blog } = world
    const withPassword = await takeAddress(blog)
    await requestSignInLink(blog, ALICE.email)
    expect((await world.sink.waitForMail(ALICE.email)).text).toContain('every other way to sign in')
    const owner = await signInWithLink(blog, await world.secretFor(ALICE.email))
    expect(owner.body.userId).toBe(withPassword.userId)
    await expectNoWayIn(blog, withPassword)

    // The operator changes the address of an account without a password, which only the identity
    // opens.
    const browser = makeRedirectBrowser()
    await signInWithGoogle(blog, browser, MALLORY)
    const { userId } = (await currentSession(blog, browser)).body
    await asKey(blog, 'PATCH', `/users/${userId}/email`, { email: 'carla@example.test' })
    await requestSignInLink(blog, 'carla@example.test')
    const carla = await signInWithLink(blog, await world.secretFor('carla@example.test'))
    expect(carla.body.userId).toBe(userId)
    expect((await whoAmI(blog, browser.cookie())).status).toBe(401)
    expect(await openedByMallory(blog)).not.toBe(userId)
  })

test('an authorization in progress does not open an account that was taken back meanwhile', async () => {
  await using world = await openBlogWithMails('SQLite')
  const { blog } = world
  const mallory = await takeAddress(blog)
  const elsewhere = makeRedirectBrowser()
  const callback = await chooseAccount(blog, elsewhere, `sub=${MALLORY.sub}`)
  await requestRecovery(blog, ALICE.email)
  await finishRecovery(blog, await world.secretFor(ALICE.email))
  await elsewhere.visit(callback)
  expect((await currentSession(blog, elsewhere)).body.userId).not.toBe(mallory.userId)
})

test.each(['the user', 'the operator'])(
  'links sent to the old address become invalid when %s changes it',
  async (who) => {
    await using world = await openBlogWithMails('SQLite')
    const { blog } = world
    const alice = await blog.makePerson('alice')
    await requestRecovery(blog, alice.email)
    await requestVerification(blog, alice.cookie)
    await requestSignInLink(blog, alice.email)
    const proofs = await Promise.all([1, 2, 3].map((count) => world.secretFor(alice.email, count)))
    const email = 'alice@elsewhere.test'
    const changed =
      who === 'the user'
        ? await blog.call('PATCH', '/account/email', {
            cookie: alice.cookie,
            body: { email, password: alice.password },
          })
        : await asKey(blog, 'PATCH', `/users/${alice.id}/email`, { email })
    expect(changed.body).toMatchObject({ email, emailVerification: false })
    for (const proof of proofs) {
      for (const attempt of [
        finishRecovery(blog, proof),
        finishVerification(blog, proof),
        signInWithLink(blog, proof),
      ])
        expect((await attempt).body.type).toBe('user_invalid_token')
    }
    expect((await whoAmI(blog, alice.cookie)).body.emailVerification).toBe(false)
  },
)
