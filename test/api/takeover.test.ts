// Nobody keeps a way into an account that its address's owner, or the operator, has taken back:
// each way there, on both databases.
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

/** Mallory's, until he moves his account to Alice's address. */
const HIS_PASSWORD = 'mallory waits in the dark'

async function openWorld(database: string) {
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

/** Mallory signs in with Google and takes Alice's address for the account that he gets. */
async function squat(blog: TestBlog): Promise<{ browser: RedirectBrowser; userId: string }> {
  const browser = makeRedirectBrowser()
  await signInWithGoogle(blog, browser, MALLORY)
  const moved = await blog.call('PATCH', '/account/email', {
    cookie: browser.cookie(),
    body: { email: ALICE.email, password: HIS_PASSWORD },
  })
  expect(moved.status).toBe(200)
  return { browser: browser, userId: moved.body.$id }
}

/** Which account Mallory's Google opens now. */
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
  test(`a recovery ends password, sessions, mailed secrets and the linked identity (${database})`, {
    tags,
  }, async () => {
    await using world = await openWorld(database)
    const { blog } = world
    const mallory = await squat(blog)
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
  test(`the operator's new password ends them, too (${database})`, { tags }, async () => {
    await using world = await openWorld(database)
    const { blog } = world
    const mallory = await squat(blog)
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
  test(`a sign-in link to an unconfirmed address ends them, with a password or without one (${database})`, {
    tags,
  }, async () => {
    await using world = await openWorld(database)
    const { blog } = world
    const withPassword = await squat(blog)
    await requestSignInLink(blog, ALICE.email)
    expect((await world.sink.waitForMail(ALICE.email)).text).toContain('every other way to sign in')
    const owner = await signInWithLink(blog, await world.secretFor(ALICE.email))
    expect(owner.body.userId).toBe(withPassword.userId)
    await expectNoWayIn(blog, withPassword)

    // The operator moves an account without a password: nothing but the identity opens it.
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

test('an authorization under way opens nothing that was taken back meanwhile', async () => {
  await using world = await openWorld('SQLite')
  const { blog } = world
  const mallory = await squat(blog)
  const elsewhere = makeRedirectBrowser()
  const back = await chooseAccount(blog, elsewhere, `sub=${MALLORY.sub}`)
  await requestRecovery(blog, ALICE.email)
  await finishRecovery(blog, await world.secretFor(ALICE.email))
  await elsewhere.visit(back)
  expect((await currentSession(blog, elsewhere)).body.userId).not.toBe(mallory.userId)
})

test.each(['the person', 'the operator'])(
  'links that went to the old address die when %s changes it',
  async (who) => {
    await using world = await openWorld('SQLite')
    const { blog } = world
    const alice = await blog.makePerson('alice')
    await requestRecovery(blog, alice.email)
    await requestVerification(blog, alice.cookie)
    await requestSignInLink(blog, alice.email)
    const proofs = await Promise.all([1, 2, 3].map((count) => world.secretFor(alice.email, count)))
    const email = 'alice@elsewhere.test'
    const changed =
      who === 'the person'
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
