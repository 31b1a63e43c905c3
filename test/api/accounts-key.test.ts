// A server that signs people in with the API key: all of them come from its one address.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'

test('a server that signs people in with the API key is not locked out; guesses of secrets are', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const headers = { 'x-appwrite-key': blog.apiKey }
  const signUp = (at: number) => ({
    userId: `u${at}`,
    email: `p${at}@example.test`,
    password: 'correct horse',
  })
  const asKey = (path: string, body: object, more = {}) =>
    blog.call('POST', path, { body, headers: { ...headers, ...more } })
  for (let at = 0; at < 12; at++) expect((await asKey('/account', signUp(at))).status).toBe(201)
  const { userId, ...right } = signUp(0)
  for (let at = 0; at < 12; at++)
    expect(
      (await asKey('/account/sessions/email', { ...right, password: 'wrong lamps' })).status,
    ).toBe(401)
  const agent = {
    'x-forwarded-user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Firefox/120.0',
  }
  expect((await asKey('/account/sessions/email', right, agent)).body).toMatchObject({
    userId,
    clientName: 'Firefox',
    ip: '127.0.0.1',
  })
  const code = () => asKey('/account/sessions/token', { userId, secret: '123456' })
  for (let at = 0; at < 10; at++) expect((await code()).status).toBe(401)
  expect((await code()).status).toBe(429)
  const guest = await blog.call('POST', '/account/sessions/email', { body: right, headers: agent })
  expect(guest.body.clientName).not.toBe('Firefox')
})
