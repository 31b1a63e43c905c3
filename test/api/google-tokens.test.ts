// Sign-in with Google for a program that redeems a token instead of starting a session in this
// browser.
import { expect, test } from 'vitest'
import {
  ALICE,
  chooseAccount,
  inDatabase,
  openGoogleBlog,
  signIn,
  startUrl,
} from '#test/support/google-blog.ts'
import { makeRedirectBrowser } from '#test/support/openid.ts'

const INVALID = { code: 401, type: 'user_invalid_token' }

type GoogleBlog = Awaited<ReturnType<typeof openGoogleBlog>>

/** Signs in for a token. @returns the address on which the browser ends up, and its cookies */
async function signInForToken({ blog }: GoogleBlog, success = `${blog.url}/done?own=1`) {
  const walker = makeRedirectBrowser()
  const start = startUrl(blog, { success }, 'tokens')
  const callback = await chooseAccount(blog, walker, `sub=${ALICE.sub}`, start)
  const answer = await walker.visit(callback)
  const url = new URL(answer.headers.get('location') ?? '')
  return { url, cookies: answer.headers.getSetCookie(), walker }
}

const proofIn = ({ searchParams }: URL) => ({
  userId: searchParams.get('userId') ?? '',
  secret: searchParams.get('secret') ?? '',
})

test('the return address contains a token that signs in once, and the browser gets no session', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const { url, cookies, walker } = await signInForToken(opened)
  expect(url.origin + url.pathname).toBe(`${blog.url}/done`)
  expect([...url.searchParams.keys()]).toEqual(['own', 'userId', 'secret'])
  expect(cookies.filter((cookie) => cookie.startsWith('a_session'))).toEqual([])
  expect((await blog.call('GET', '/account', { cookie: walker.cookie() })).status).toBe(401)
  const body = proofIn(url)
  expect(body.secret).toMatch(/^[0-9a-f]{256}$/)
  expect(JSON.stringify(blog.log)).not.toContain(body.secret)
  const session = await blog.call('POST', '/account/sessions/token', { body })
  expect([session.status, session.body]).toEqual([
    201,
    expect.objectContaining({ provider: 'google', providerUid: ALICE.sub, userId: body.userId }),
  ])
  expect((await blog.call('POST', '/account/sessions/token', { body })).body).toMatchObject(INVALID)
})

test('a token is valid for a minute, but no longer than the identity that it came from', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const first = await signInForToken(opened)
  blog.passTime(60_000)
  expect(
    (await blog.call('POST', '/account/sessions/token', { body: proofIn(first.url) })).body,
  ).toMatchObject(INVALID)

  const walker = makeRedirectBrowser()
  await signIn(blog, walker, ALICE)
  const cookie = walker.cookie()
  const changed = await blog.call('PATCH', '/account/password', {
    cookie,
    body: { password: 'a lamp of her own' },
  })
  expect(changed.status).toBe(200)
  const second = await signInForToken(opened)
  const newCookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { identities } = (await blog.call('GET', '/account/identities', { cookie: newCookie })).body
  const path = `/account/identities/${identities[0].$id}`
  expect((await blog.call('DELETE', path, { cookie: newCookie, body: {} })).status).toBe(204)
  expect(
    (await blog.call('POST', '/account/sessions/token', { body: proofIn(second.url) })).body,
  ).toMatchObject(INVALID)
})

test('no browser is redirected to an origin that is not listed, and a state works only in its browser', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  for (const query of [
    { success: 'https://evil.example/' },
    { failure: 'https://evil.example/' },
  ]) {
    const answer = await fetch(startUrl(blog, query, 'tokens'), { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
  const callback = await chooseAccount(
    blog,
    makeRedirectBrowser(),
    `sub=${ALICE.sub}`,
    startUrl(blog, {}, 'tokens'),
  )
  // This is not the browser that began the sign-in.
  const stolen = await fetch(callback, { redirect: 'manual' })
  expect(stolen.status).toBe(400)
  await inDatabase(blog, async (db) =>
    expect(await db.selectFrom('token').selectAll().execute()).toEqual([]),
  )
})
