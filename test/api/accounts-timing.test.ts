// Answers whose timing could reveal whether an address is known: the work they do and the waits
// they include, counted by spies, which need a module graph of their own.
import { hash, verify } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { OUTDATED_HASH_RESPONSE_STEP_MS } from '#backend/accounts/sign-in.ts'
import { padResponseTime, waitForStep } from '#backend/process/response-time-padding.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { inDatabase } from '#test/support/google-blog.ts'
import { type MailBlog, makeMailBlog } from '#test/support/mail-blog.ts'
import { requestRecovery, signIn } from '#test/support/mail-calls.ts'
import { ID } from '#test/support/one-time-tokens.ts'

vi.mock('@node-rs/argon2', { spy: true })
vi.mock('#backend/process/response-time-padding.ts', { spy: true })

/** Requests two recoveries each for a known, a blocked and two unknown addresses. */
async function requestRecoveries({ blog }: MailBlog) {
  await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  await blog.call('PATCH', '/account/status', { cookie: bob.cookie, body: {} })
  const before = vi.mocked(padResponseTime).mock.calls.length
  const shapes: unknown[] = []
  const userIds = new Set<string>()
  for (let round = 0; round < 2; round++) {
    for (const name of ['alice', 'nobody', 'bob', 'nobody.else']) {
      const answer = await requestRecovery(blog, `${name}@example.test`)
      userIds.add(answer.body.userId)
      const headers = Object.fromEntries(answer.headers)
      shapes.push({
        status: answer.status,
        headers: Object.keys(headers).sort(),
        length: headers['content-length'],
        keys: Object.keys(answer.body),
        body: { ...answer.body, $id: 0, $createdAt: 0, userId: 0, expire: 0 },
        lifeMs: Date.parse(answer.body.expire) - Date.parse(answer.body.$createdAt),
        isUserIdOdd: !ID.test(answer.body.userId),
      })
    }
  }
  return { shapes, userIds, padded: vi.mocked(padResponseTime).mock.calls.length - before }
}

test('known, unknown and blocked addresses get the same answer in uniform time', async () => {
  await using mailBlog = await makeMailBlog()
  const { shapes, userIds, padded } = await requestRecoveries(mailBlog)
  expect(shapes).toEqual(shapes.map(() => shapes[0]))
  expect(userIds.size).toBe(8)
  expect(padded).toBe(shapes.length)
})

test('only the known address gets mail', async () => {
  await using mailBlog = await makeMailBlog()
  const { sink } = mailBlog
  await requestRecoveries(mailBlog)
  await sink.waitForMail('alice@example.test', 2)
  expect(sink.mails.map(({ recipients }) => recipients)).toEqual([
    ['alice@example.test'],
    ['alice@example.test'],
  ])
})

test('a sign-in with an unknown address takes as much work as with a known one', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  async function workOf(email: string) {
    vi.clearAllMocks()
    expect((await signIn(blog, { email, password: 'wrong lamps' })).status).toBe(401)
    const compared = vi.mocked(verify).mock.calls.map(([known]) => String(known))
    return { made: vi.mocked(hash).mock.calls.length, costs: compared.map(costOf) }
  }
  const costOf = (known: string) => known.split('$').slice(0, 4).join('$')
  for (const email of [alice.email, 'nobody@example.test'])
    expect(await workOf(email)).toEqual({ made: 0, costs: ['$argon2id$v=19$m=8,t=1,p=1'] })
})

test('after a wrong password the response time does not reveal an account with a hash of another cost', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const passwordHash = await hash(alice.password, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
  await inDatabase(blog, (db) => db.updateTable('user').set({ passwordHash }).execute())
  for (const email of [alice.email, 'nobody@example.test']) {
    vi.mocked(waitForStep).mockClear()
    const { body } = await signIn(blog, { email, password: 'a wrong lamp' })
    expect(body).toMatchObject({ code: 401, type: 'user_invalid_credentials' })
    // The answer waits until a multiple of a second has passed since the start of the call.
    const steps = vi.mocked(waitForStep).mock.calls.map(([, stepMs]) => stepMs)
    expect(steps).toEqual([OUTDATED_HASH_RESPONSE_STEP_MS])
  }
})
