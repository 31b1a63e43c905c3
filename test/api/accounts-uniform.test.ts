// Calls that anybody can make with any user id: their answers reveal nothing about that user.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { lockUser } from '#backend/database/transaction.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeMailBlog } from '#test/support/mail-blog.ts'
import {
  requestRecovery,
  requestSignInLink,
  requestVerification,
} from '#test/support/mail-calls.ts'

const GUESS = 'ab'.repeat(128)
const PASSWORD = 'a brighter lamp'
const CALLS: [method: string, path: string][] = [
  ['PUT', '/account/recovery'],
  ['PUT', '/account/verification'],
  ['PUT', '/account/verifications/email'],
  ['PUT', '/account/sessions/magic-url'],
  ['POST', '/account/sessions/token'],
]
const NO_ID = ['', 'nobody', '../alice', 'a\0b', '.alice', 'é', 'a'.repeat(37), 'a'.repeat(5000)]

const send = (blog: TestBlog, [method, path]: [string, string], userId: string, secret = GUESS) =>
  blog.call(method, path, { body: { userId, secret, password: PASSWORD } })

for (const [database, tags] of DATABASES)
  test(`a wrong secret is refused with the same bytes, whoever the id belongs to (${database})`, {
    tags,
  }, async () => {
    const postgres = database === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
    await using mailBlog = await makeMailBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
    const { blog } = mailBlog
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    await requestRecovery(blog, alice.email)
    await requestVerification(blog, alice.cookie)
    await requestSignInLink(blog, alice.email)
    await requestSignInLink(blog, bob.email)
    const { secret } = await mailBlog.secretFor(bob.email)
    await blog.call('PATCH', '/account/status', { cookie: bob.cookie })
    for (const call of CALLS) {
      const expected = await send(blog, call, 'nobody-at-all')
      expect([expected.status, expected.body.type]).toEqual([401, 'user_invalid_token'])
      const others = [
        await send(blog, call, alice.id),
        await send(blog, call, bob.id),
        await send(blog, call, bob.id, secret),
        ...(await Promise.all(NO_ID.map((id) => send(blog, call, id)))),
      ]
      for (const { status, bytes } of others)
        expect([call, status, bytes.toString()]).toEqual([call, 401, expected.bytes.toString()])
    }
  })

test('a guess does not wait for a concurrent change to the account', {
  tags: ['more'],
}, async () => {
  const postgres = await makePostgresDatabase()
  await using _dropping = { [Symbol.asyncDispose]: () => postgres.drop() }
  await using blog = await makeTestBlog({ BLOG_DATABASE_URL: postgres.url })
  const alice = await blog.makePerson('alice')
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, alice.id)
    for (const call of CALLS) expect((await send(blog, call, alice.id)).status).toBe(401)
  })
})

test('guesses for an unknown id are counted like those for a known one', async () => {
  await using mailBlog = await makeMailBlog({ BLOG_RATE_LIMITS: 'on' })
  const { blog } = mailBlog
  const alice = await blog.makePerson('alice')
  for (const call of CALLS.filter(([method]) => method === 'PUT')) {
    const results = []
    for (const id of [alice.id, 'nobody']) {
      const answers = []
      for (let guess = 0; guess < 11; guess++) answers.push(await send(blog, call, id))
      results.push(
        answers.map(({ status, headers, body }) => [
          status,
          body.type,
          headers.get('x-ratelimit-limit'),
          headers.get('x-ratelimit-remaining'),
        ]),
      )
    }
    expect(results[1]).toEqual(results[0])
    if (call[1] !== '/account/verifications/email')
      expect(results[0]?.map(([status]) => status)).toEqual([...Array(10).fill(401), 429])
  }
})
