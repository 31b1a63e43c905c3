// The published client packages, unmodified, drive every flow of accounts against a real server and
// a real mail server.
import * as nodeNewest from 'node-appwrite'
import { expect, test } from 'vitest'
import { ACCOUNT_CLIENTS } from '#test/support/account-clients.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { tagsOf } from '#test/support/client-packages.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'

const ALICE = { email: 'alice@example.test', password: 'alice likes lamps', name: 'Alice Anders' }
const SIGNED_OUT = { code: 401, type: 'general_unauthorized_scope' }

for (const [packageName, make] of ACCOUNT_CLIENTS)
  test(`${packageName}: verification, changes, recovery, sign-in link, sessions, blocking`, {
    tags: tagsOf(packageName),
  }, async () => {
    await using it = await makeMailBlog()
    const { url } = it.blog
    const alice = make(url)
    const { $id } = await alice.signUp(ALICE)
    await alice.signIn(ALICE)

    expect(await alice.startVerification(`${url}/verification`)).toMatchObject({
      userId: $id,
      secret: '',
    })
    expect(await alice.finishVerification(await it.secretFor(ALICE.email))).toMatchObject({
      userId: $id,
    })
    expect(await alice.get()).toMatchObject({ $id, emailVerification: true })
    const isOldSpelling = packageName === 'appwrite'
    const spelling = isOldSpelling ? 'user_email_alread_verified' : 'user_email_already_verified'
    await expect(alice.startVerification(`${url}/verification`)).rejects.toMatchObject({
      code: 409,
      type: spelling,
    })

    expect(await alice.updateName('Alice Berg')).toMatchObject({ name: 'Alice Berg' })
    expect(await alice.updatePrefs({ theme: 'dark' })).toMatchObject({ prefs: { theme: 'dark' } })
    const moved = { email: 'alice@elsewhere.test', password: ALICE.password }
    expect(await alice.updateEmail(moved)).toMatchObject({
      email: moved.email,
      emailVerification: false,
    })
    expect(await alice.updatePassword('a brighter lamp', ALICE.password)).toMatchObject({ $id })
    expect(await alice.get()).toMatchObject({ $id, email: moved.email })
    await expect(alice.refreshSession()).rejects.toMatchObject({
      code: 501,
      type: 'project_provider_unsupported',
    })

    const stranger = make(url)
    expect(await stranger.startRecovery(moved.email, `${url}/verifyUserEmailLink`)).toMatchObject({
      secret: '',
    })
    expect(
      await stranger.finishRecovery(await it.secretFor(moved.email), 'the brightest lamp'),
    ).toMatchObject({ userId: $id })
    await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)
    await expect(
      stranger.finishRecovery(await it.secretFor(moved.email), 'a third lamp'),
    ).rejects.toMatchObject({ type: 'user_invalid_token' })

    await stranger.startMagicUrl(moved.email, `${url}/welcome`)
    expect(await stranger.finishMagicUrl(await it.secretFor(moved.email, 2))).toMatchObject({
      userId: $id,
      provider: 'magic-url',
      current: true,
    })
    expect(await stranger.get()).toMatchObject({ $id, emailVerification: true })
    await alice.signIn({ ...moved, password: 'the brightest lamp' })
    expect(await alice.listSessions()).toMatchObject({ total: 2 })
    await stranger.signOutEverywhere()
    await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)

    await alice.signIn({ ...moved, password: 'the brightest lamp' })
    expect(await alice.block()).toMatchObject({ status: false })
    await expect(alice.get()).rejects.toMatchObject(SIGNED_OUT)
    await expect(alice.signIn({ ...moved, password: 'the brightest lamp' })).rejects.toMatchObject({
      code: 401,
      type: 'user_blocked',
    })
  })

test('node-appwrite, newest, with the API key: the operator’s calls', async () => {
  await using blog = await makeTestBlog()
  const { Account, Client, Query, Users } = nodeNewest
  const client = () => new Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  const users = new Users(client().setKey(blog.apiKey))
  expect(await users.create({ userId: 'alice', ...ALICE })).toMatchObject({
    $id: 'alice',
    email: ALICE.email,
    hash: '',
  })
  await users.create({ userId: 'bob', email: 'bob@example.test' })
  expect(await users.list({ queries: [Query.equal('email', ALICE.email)] })).toMatchObject({
    total: 1,
    users: [{ $id: 'alice' }],
  })
  expect(
    await users.list({ queries: [Query.orderDesc('registration'), Query.limit(1)], search: 'b' }),
  ).toMatchObject({ users: [{ $id: 'bob' }] })
  expect(await users.updateName({ userId: 'alice', name: 'Alice B.' })).toMatchObject({
    name: 'Alice B.',
  })
  expect(await users.updateEmail({ userId: 'alice', email: 'a@example.test' })).toMatchObject({
    email: 'a@example.test',
  })
  expect(
    await users.updateEmailVerification({ userId: 'alice', emailVerification: true }),
  ).toMatchObject({ emailVerification: true })
  expect(
    await users.updatePassword({ userId: 'alice', password: 'a brighter lamp' }),
  ).toMatchObject({ $id: 'alice' })
  expect(await users.updatePrefs({ userId: 'alice', prefs: { theme: 'light' } })).toEqual({
    theme: 'light',
  })
  const token = await users.createToken({ userId: 'alice', length: 32, expire: 600 })
  const session = await new Account(client()).createSession({
    userId: token.userId,
    secret: token.secret,
  })
  expect(session).toMatchObject({ userId: 'alice', current: true })
  await users.deleteSession({ userId: 'alice', sessionId: session.$id })
  await users.deleteSessions({ userId: 'alice' })
  expect(await users.updateStatus({ userId: 'alice', status: false })).toMatchObject({
    status: false,
  })
  await users.delete({ userId: 'alice' })
  await expect(users.get({ userId: 'alice' })).rejects.toMatchObject({
    code: 404,
    type: 'user_not_found',
  })
  await expect(new Users(client()).list()).rejects.toMatchObject(SIGNED_OUT)
})
