// How often users may change their own account, and which changes cause pages to be re-rendered.
import { expect, test } from 'vitest'
import { makeReadTagVersions } from '#backend/database/cache-tags.ts'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

async function setPrefs(blog: TestBlog, { cookie }: Person, prefs: object): Promise<number> {
  return (await blog.call('PATCH', '/account/prefs', { cookie, body: { prefs } })).status
}

test('changing preferences that nobody else sees leaves cached responses as they are', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const readVersions = makeReadTagVersions(db)
  const read = () => readVersions(['all', `user:${alice.id}`])
  await setPrefs(blog, alice, { about: 'On lamps', avatar: 'face' })
  const before = await read()
  for (const theme of ['dark', 'light'])
    expect(await setPrefs(blog, alice, { about: 'On lamps', avatar: 'face', theme })).toBe(200)
  expect(await read()).toEqual(before)
  for (const prefs of [{ about: 'On lanterns', avatar: 'face' }, { about: 'On lanterns' }]) {
    const versions = await read()
    await setPrefs(blog, alice, prefs)
    for (const [tag, version] of await read()) expect(versions.get(tag)).not.toBe(version)
  }
})

test('users can change what readers see (name, about line or avatar) at most thirty times an hour', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const rename = async (person: Person, name: string) =>
    (await blog.call('PATCH', '/account/name', { cookie: person.cookie, body: { name } })).status
  for (let round = 0; round < 10; round++) {
    expect(await rename(alice, `Alice ${round}`)).toBe(200)
    expect(await setPrefs(blog, alice, { about: `Line ${round}` })).toBe(200)
    expect(await setPrefs(blog, alice, { about: `Line ${round}`, avatar: `face${round}` })).toBe(
      200,
    )
  }
  expect(await rename(alice, 'Alice')).toBe(429)
  const last = { about: 'Line 9', avatar: 'face9' }
  expect(await setPrefs(blog, alice, { ...last, avatar: 'other' })).toBe(429)
  expect(await setPrefs(blog, alice, { ...last, theme: 'dark' })).toBe(200)
  expect(await rename(bob, 'Bob')).toBe(200)
})

const WRITES: [method: string, path: string, body: object][] = [
  ['PATCH', '/account/prefs', { prefs: {} }],
  ['PATCH', '/notifications', { seen: true }],
  ['PATCH', '/notifications/mails', {}],
  ['PATCH', '/notifications/none', { read: true }],
  ['DELETE', '/notifications/muted/none', {}],
]
const limitedBlog = shareBlog(() => makeTestBlog({ BLOG_RATE_LIMITS: 'on' }))

test.each(WRITES)('%s %s counts towards 120 calls a minute', async (method, path, body) => {
  const blog = await limitedBlog()
  const { cookie } = await blog.makePerson('alice')
  const { status, headers } = await blog.call(method, path, { cookie, body })
  expect(status).toBeLessThan(300)
  const counts = ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(counts).toEqual(['120', '119'])
})

for (const [tags, [method, path, body]] of sampled(WRITES, WRITES.length))
  test(`${method} ${path} is refused after 120 calls in a minute`, { tags }, async () => {
    const blog = await limitedBlog()
    const { cookie } = await blog.makePerson('alice')
    const call = async () => (await blog.call(method, path, { cookie, body })).status
    for (let attempt = 0; attempt < 120; attempt++) expect(await call()).toBeLessThan(300)
    expect(await call()).toBe(429)
  })
