// A server that signs users in with the API key: all their requests come from its one address.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog(() => makeTestBlog({ BLOG_RATE_LIMITS: 'on' }))
let people = 0

const AGENT = {
  'x-forwarded-user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Firefox/120.0',
}

/** Calls with the key, and a user whom it has signed up. */
async function start() {
  const blog = await sharedBlog()
  const asKey = (path: string, body: object, more: Record<string, string> = {}) =>
    blog.call('POST', path, { body, headers: { 'x-appwrite-key': blog.apiKey, ...more } })
  const signUp = async () => {
    const userId = `u${++people}`
    const right = { email: `p${people}@example.test`, password: 'correct horse' }
    expect((await asKey('/account', { userId, ...right })).status).toBe(201)
    return { userId, right }
  }
  return { blog, asKey, signUp, ...(await signUp()) }
}

test('a server can sign up more users than a single address otherwise may', async () => {
  const { signUp } = await start()
  for (let count = 1; count < 12; count++) await signUp()
})

test('wrong passwords passed on by a server lock nobody out', async () => {
  const { asKey, userId, right } = await start()
  for (let count = 0; count < 12; count++)
    expect(
      (await asKey('/account/sessions/email', { ...right, password: 'wrong lamps' })).status,
    ).toBe(401)
  expect((await asKey('/account/sessions/email', right)).body).toMatchObject({ userId })
})

test('a session records the browser that a server passes on', async () => {
  const { asKey, userId, right } = await start()
  expect((await asKey('/account/sessions/email', right, AGENT)).body).toMatchObject({
    userId,
    clientName: 'Firefox',
    ip: '127.0.0.1',
  })
})

test('a guest cannot pass on another browser', async () => {
  const { blog, right } = await start()
  const guest = await blog.call('POST', '/account/sessions/email', { body: right, headers: AGENT })
  expect(guest.body.clientName).not.toBe('Firefox')
})

test('guesses of a secret are limited, even with the key', async () => {
  const { asKey, userId } = await start()
  const guess = () => asKey('/account/sessions/token', { userId, secret: '123456' })
  for (let count = 0; count < 10; count++) expect((await guess()).status).toBe(401)
  expect((await guess()).status).toBe(429)
})
