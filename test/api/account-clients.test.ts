// The published client packages, unmodified, go through every account flow against a real server
// and a real mail server.
import * as nodeNewest from 'node-appwrite'
import { describe, expect, test } from 'vitest'
import { ACCOUNT_CLIENTS } from '#test/support/account-clients.ts'
import { tagsOf } from '#test/support/client-packages.ts'
import { shareMailBlog } from '#test/support/mail-blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const PASSWORD = 'alice likes lamps'
const SIGNED_OUT = { code: 401, type: 'general_unauthorized_scope' }

const shareMails = shareMailBlog()
let people = 0

for (const [packageName, make] of ACCOUNT_CLIENTS)
  describe(packageName, { tags: tagsOf(packageName) }, () => {
    /** A new user who is signed in with this package. */
    async function start() {
      const { blog, secretFor } = await shareMails()
      const login = { email: `alice.${++people}@example.test`, password: PASSWORD }
      const alice = make(blog.url)
      const { $id } = await alice.signUp({ ...login, name: 'Alice Anders' })
      await alice.signIn(login)
      return { url: blog.url, secretFor, login, alice, $id }
    }

    test('confirms an email address with the mailed link, once', async () => {
      const { url, secretFor, login, alice, $id } = await start()
      const link = `${url}/verification`
      expect(await alice.startVerification(link)).toMatchObject({ userId: $id, secret: '' })
      const proof = await secretFor(login.email)
      expect(await alice.finishVerification(proof)).toMatchObject({ userId: $id })
      expect(await alice.get()).toMatchObject({ $id, emailVerification: true })
      const hasMisspeltType = packageName === 'appwrite'
      await expect(alice.startVerification(link)).rejects.toMatchObject({
        code: 409,
        type: hasMisspeltType ? 'user_email_alread_verified' : 'user_email_already_verified',
      })
    })

    test('changes the name, prefs and password', async () => {
      const { alice, login, $id } = await start()
      expect(await alice.updateName('Alice Berg')).toMatchObject({ name: 'Alice Berg' })
      const prefs = { theme: 'dark' }
      expect(await alice.updatePrefs(prefs)).toMatchObject({ prefs })
      const password = 'a brighter lamp'
      expect(await alice.updatePassword(password, PASSWORD)).toMatchObject({ $id })
      await alice.signIn({ ...login, password })
      expect(await alice.get()).toMatchObject({ $id, name: 'Alice Berg', prefs })
    })

    test('changes the email address, which must then be confirmed', async () => {
      const { alice, login, $id } = await start()
      const email = login.email.replace('example', 'elsewhere')
      expect(await alice.updateEmail({ email, password: PASSWORD })).toMatchObject({
        email,
        emailVerification: false,
      })
      expect(await alice.get()).toMatchObject({ $id, email })
    })

    test('is refused when it refreshes a session of another provider', async () => {
      const { alice } = await start()
      await expect(alice.refreshSession()).rejects.toMatchObject({
        code: 501,
        type: 'project_provider_unsupported',
      })
    })

    test('sets a new password with the mailed link, once, which ends all sessions', async () => {
      const { url, secretFor, login, alice, $id } = await start()
      const stranger = make(url)
      const recovery = await stranger.startRecovery(login.email, `${url}/verifyUserEmailLink`)
      expect(recovery).toMatchObject({ secret: '' })
      const proof = await secretFor(login.email)
      const password = 'the brightest lamp'
      expect(await stranger.finishRecovery(proof, password)).toMatchObject({ userId: $id })
      await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)
      await expect(stranger.finishRecovery(proof, 'a third lamp')).rejects.toMatchObject({
        type: 'user_invalid_token',
      })
      await alice.signIn({ ...login, password })
      expect(await alice.get()).toMatchObject({ $id })
    })

    test('signs in with the mailed link, which confirms the address', async () => {
      const { url, secretFor, login, $id } = await start()
      const stranger = make(url)
      await stranger.startMagicUrl(login.email, `${url}/welcome`)
      expect(await stranger.finishMagicUrl(await secretFor(login.email))).toMatchObject({
        userId: $id,
        provider: 'magic-url',
        current: true,
      })
      expect(await stranger.get()).toMatchObject({ $id, emailVerification: true })
    })

    test('lists all sessions, and ends them together', async () => {
      const { url, login, alice } = await start()
      const elsewhere = make(url)
      await elsewhere.signIn(login)
      expect(await alice.listSessions()).toMatchObject({ total: 2 })
      await elsewhere.signOutEverywhere()
      await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)
    })

    test('blocks its account, which then cannot sign in', async () => {
      const { login, alice } = await start()
      expect(await alice.block()).toMatchObject({ status: false })
      await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)
      await expect(alice.signIn(login)).rejects.toMatchObject({ code: 401, type: 'user_blocked' })
    })
  })

describe('node-appwrite, newest, with the API key', () => {
  const share = shareBlog()
  const { Account, Client, Query, Users } = nodeNewest

  /** A new account that was created with the API key. */
  async function start() {
    const { url, apiKey } = await share()
    const client = () => new Client().setEndpoint(`${url}/v1`).setProject('blog')
    const users = new Users(client().setKey(apiKey))
    const userId = `alice${++people}`
    const email = `${userId}@example.test`
    const user = await users.create({ userId, email, password: PASSWORD, name: 'Alice Anders' })
    return { client, users, userId, email, user }
  }

  test('creates accounts, with a password or without', async () => {
    const { users, userId, email, user } = await start()
    expect(user).toMatchObject({ $id: userId, email, hash: '' })
    const bob = { userId: `${userId}-bob`, email: `bob.${email}` }
    expect(await users.create(bob)).toMatchObject({ $id: bob.userId, email: bob.email })
  })

  test('finds users by email address, and by a word, in a chosen order', async () => {
    const { users, userId, email } = await start()
    expect(await users.list({ queries: [Query.equal('email', email)] })).toMatchObject({
      total: 1,
      users: [{ $id: userId }],
    })
    await users.create({ userId: `${userId}-bob`, email: `bob.${email}` })
    const queries = [Query.orderDesc('registration'), Query.limit(1)]
    expect(await users.list({ queries, search: 'bob' })).toMatchObject({
      users: [{ $id: `${userId}-bob` }],
    })
  })

  test('changes the name, email address, verification, password and prefs of a user', async () => {
    const { users, userId } = await start()
    expect(await users.updateName({ userId, name: 'Alice B.' })).toMatchObject({ name: 'Alice B.' })
    const email = `${userId}@elsewhere.test`
    expect(await users.updateEmail({ userId, email })).toMatchObject({ email })
    expect(await users.updateEmailVerification({ userId, emailVerification: true })).toMatchObject({
      emailVerification: true,
    })
    expect(await users.updatePassword({ userId, password: 'a brighter lamp' })).toMatchObject({
      $id: userId,
    })
    const prefs = { theme: 'light' }
    expect(await users.updatePrefs({ userId, prefs })).toEqual(prefs)
  })

  test('creates a token that signs a user in, and ends sessions', async () => {
    const { client, users, userId } = await start()
    const token = await users.createToken({ userId, length: 32, expire: 600 })
    const account = new Account(client())
    const session = await account.createSession({ userId: token.userId, secret: token.secret })
    expect(session).toMatchObject({ userId, current: true })
    await users.deleteSession({ userId, sessionId: session.$id })
    expect(await users.listSessions({ userId })).toMatchObject({ total: 0 })
    await users.deleteSessions({ userId })
  })

  test('blocks and deletes a user', async () => {
    const { users, userId } = await start()
    expect(await users.updateStatus({ userId, status: false })).toMatchObject({ status: false })
    await users.delete({ userId })
    await expect(users.get({ userId })).rejects.toMatchObject({ code: 404, type: 'user_not_found' })
  })

  test('refuses to list users without the key', async () => {
    const { client } = await start()
    await expect(new Users(client()).list()).rejects.toMatchObject(SIGNED_OUT)
  })
})
