// Sign-in with Google against a real OpenID provider: every way in which it must fail, without any
// effect.
import { describe, expect, test } from 'vitest'
import {
  ALICE,
  CALLBACK,
  chooseAccount,
  countRows,
  errorIn,
  MALLORY,
  NO_USERS,
  openGoogleBlog,
  startUrl,
} from '#test/support/google-blog.ts'
import { makeRedirectBrowser } from '#test/support/openid.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

test('a cancelled sign-in returns with a reason in our own words, and has no effect', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const browser = makeRedirectBrowser()
  const answer = await browser.visit(await chooseAccount(blog, browser, 'cancel'))
  expect(answer.status).toBe(302)
  const location = answer.headers.get('location') ?? ''
  expect(location.startsWith(`${blog.url}/login?error=`)).toBe(true)
  expect(errorIn(location)).toEqual({
    message: 'The sign-in was cancelled.',
    type: 'user_oauth2_provider_error',
    code: 424,
  })
  expect(browser.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

test('an answer of the provider works only once', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const browser = makeRedirectBrowser()
  const back = await chooseAccount(blog, browser, `sub=${ALICE.sub}`)
  const cookie = browser.cookie()
  expect((await browser.visit(back)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
  const replay = await fetch(back, { redirect: 'manual', headers: { cookie: cookie } })
  expect(replay.status).toBe(400)
  expect(await replay.json()).toMatchObject({ type: 'user_oauth2_bad_request', code: 400 })
  expect(replay.headers.getSetCookie()).toEqual([])
  expect(await countRows(blog)).toEqual({ user: 1, session: 1, identity: 1, oauthState: 0 })
})

describe('an answer of the provider in another browser', () => {
  /** The answer to alice, and the browser of a stranger who has seen that answer. */
  async function start() {
    const opened = await openGoogleBlog()
    const alice = makeRedirectBrowser()
    const stranger = makeRedirectBrowser()
    const back = await chooseAccount(opened.blog, alice, `sub=${ALICE.sub}`)
    return {
      blog: opened.blog,
      alice,
      stranger,
      back,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test('is refused, with no cookie and with that of another sign-in', async () => {
    await using started = await start()
    const { blog, stranger, back } = started
    expect((await stranger.visit(back)).status).toBe(400)
    await stranger.visit(startUrl(blog))
    expect((await stranger.visit(back)).status).toBe(400)
    expect(stranger.cookie()).not.toContain('a_session_blog')
    expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 2 })
  })

  test('leads a person to a page rather than JSON, and still works for its owner', async () => {
    await using started = await start()
    const { blog, alice, stranger, back } = started
    const readable = await stranger.visit(back, { headers: { accept: 'text/html,*/*' } })
    const location = readable.headers.get('location') ?? ''
    expect(errorIn(location)).toMatchObject({ type: 'user_oauth2_bad_request' })
    expect(location.startsWith(`${blog.url}/login?`)).toBe(true)
    await stranger.visit(startUrl(blog))
    await stranger.visit(back)
    expect((await alice.visit(back)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
  })
})

test('an answer after ten minutes is too late', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const browser = makeRedirectBrowser()
  const back = await chooseAccount(blog, browser, `sub=${ALICE.sub}`)
  blog.passTime(10 * 60_000)
  const location = (await browser.visit(back)).headers.get('location') ?? ''
  expect(errorIn(location)).toMatchObject({ type: 'user_oauth2_bad_request', code: 400 })
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

const NO_ANSWERS = [
  '',
  '?code=abc',
  '?code=abc&state=',
  `?code=abc&state=${'0'.repeat(64)}`,
  '?error=access_denied',
  '?state[]=a&code=b',
]

test('an answer without a matching request is refused', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  for (const query of NO_ANSWERS) {
    const answer = await fetch(blog.url + CALLBACK + query, { redirect: 'manual' })
    expect(answer.status, query).toBe(400)
    expect(answer.headers.get('location'), query).toBe(null)
  }
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

test('a code from another sign-in is refused by the provider', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const mallory = makeRedirectBrowser()
  const alice = makeRedirectBrowser()
  const stolen =
    new URL(await chooseAccount(blog, mallory, `sub=${MALLORY.sub}`)).searchParams.get('code') ?? ''
  const back = new URL(await chooseAccount(blog, alice, `sub=${ALICE.sub}`))
  back.searchParams.set('code', stolen)
  const location = (await alice.visit(back.href)).headers.get('location') ?? ''
  expect(errorIn(location)).toEqual({
    message: 'The provider refused the sign-in.',
    type: 'user_oauth2_bad_request',
    code: 400,
  })
  expect(location).not.toContain(stolen)
  expect(alice.cookie()).not.toContain('a_session_blog')
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 1 })
})

test('an answer in the name of another issuer is refused', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  const browser = makeRedirectBrowser()
  const back = new URL(await chooseAccount(blog, browser, `sub=${ALICE.sub}`))
  back.searchParams.set('iss', 'https://evil.example')
  const location = (await browser.visit(back.href)).headers.get('location') ?? ''
  expect(errorIn(location)).toMatchObject({ type: 'user_oauth2_provider_error' })
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

test('a form is not accepted by another sign-in call', async () => {
  await using opened = await openGoogleBlog()
  const answer = await opened.blog.call('POST', '/account/sessions/email', {
    body: { email: 'a@example.test', password: 'some password' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(400)
})

const FOREIGN_ADDRESSES = [
  'https://evil.example/',
  '//evil.example/',
  'javascript:alert(1)',
  '/verifyOAuth',
  'https://localhost@evil.example/',
  'http://localhost:1/verifyOAuth',
]

test('no browser is sent to another site', async () => {
  await using opened = await openGoogleBlog()
  const { blog } = opened
  for (const url of FOREIGN_ADDRESSES)
    for (const param of ['success', 'failure']) {
      const answer = await fetch(startUrl(blog, { [param]: url }), { redirect: 'manual' })
      expect(answer.status, url).toBe(400)
      expect(await answer.json(), url).toMatchObject({
        type: 'general_argument_invalid',
        message: expect.stringContaining(`Invalid \`${param}\` param: `),
      })
      expect(answer.headers.get('location'), url).toBe(null)
      expect(answer.headers.getSetCookie(), url).toEqual([])
    }
  expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
})

const ELSEWHERE: [what: string, path: string, status: number][] = [
  ['another provider', '/account/sessions/oauth2/github', 400],
  ['another provider coming back', '/account/sessions/oauth2/callback/github/blog', 400],
  ['another project coming back', '/account/sessions/oauth2/callback/google/other', 404],
  ['scopes that are none', '/account/sessions/oauth2/google?scopes[0]=a%20b', 400],
  [
    'too many scopes',
    `/account/sessions/oauth2/google?${Array(101).fill('scopes[]=a').join('&')}`,
    400,
  ],
]

test('other providers, projects and scopes are refused', async () => {
  await using opened = await openGoogleBlog()
  for (const [name, path, status] of ELSEWHERE) {
    const answer = await opened.blog.call('GET', path)
    expect(answer.status, name).toBe(status)
    expect(answer.headers.get('location'), name).toBe(null)
  }
})

describe('a blog without Google', () => {
  const sharedBlog = shareBlog()

  test('answers that in JSON', async () => {
    const blog = await sharedBlog()
    const plain = await blog.call('GET', '/account/sessions/oauth2/google')
    expect(plain.status).toBe(412)
    expect(plain.body.type).toBe('project_provider_disabled')
  })

  test('redirects to the client’s failure address with that error', async () => {
    const blog = await sharedBlog()
    const failure = `${blog.url}/login?next=%2Fpost#top`
    const sentBack = await fetch(startUrl(blog, { failure }), { redirect: 'manual' })
    expect(sentBack.status).toBe(302)
    const location = sentBack.headers.get('location') ?? ''
    expect(errorIn(location)).toEqual({
      message: 'Sign-in with this provider is switched off.',
      type: 'project_provider_disabled',
      code: 412,
    })
    expect(location.startsWith(`${blog.url}/login?next=%2Fpost&error=`)).toBe(true)
    expect(location.endsWith('#top')).toBe(true)
  })

  test('refuses answers of the provider', async () => {
    const blog = await sharedBlog()
    const back = await fetch(`${blog.url}${CALLBACK}?code=a&state=b`, { redirect: 'manual' })
    expect(back.status).toBe(412)
  })
})

describe('a provider that is down', { tags: ['more'] }, () => {
  test('makes the callback redirect the browser to the failure address', async () => {
    await using opened = await openGoogleBlog()
    const { blog, issuer } = opened
    const browser = makeRedirectBrowser()
    const back = await chooseAccount(blog, browser, `sub=${ALICE.sub}`)
    issuer.isDown = true
    const location = (await browser.visit(back)).headers.get('location') ?? ''
    expect(errorIn(location)).toEqual({
      message: 'The provider reported an error.',
      type: 'user_oauth2_provider_error',
      code: 424,
    })
    expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
  })

  test('makes the start redirect the browser to the failure address', async () => {
    await using opened = await openGoogleBlog()
    const { blog, issuer } = opened
    issuer.isDown = true
    const early = await fetch(startUrl(blog), { redirect: 'manual' })
    expect(errorIn(early.headers.get('location') ?? '')).toMatchObject({
      type: 'user_oauth2_provider_error',
    })
    expect(early.headers.getSetCookie()).toEqual([])
    expect(await countRows(blog)).toEqual({ ...NO_USERS, oauthState: 0 })
  })
})

test('the start and the callback are limited to fifty an hour for each address', async () => {
  await using opened = await openGoogleBlog({ BLOG_RATE_LIMITS: 'on' })
  const { blog } = opened
  for (const url of [startUrl(blog), `${blog.url}${CALLBACK}?code=a&state=b`]) {
    const statuses = new Set<number>()
    for (let call = 0; call < 50; call++)
      statuses.add((await fetch(url, { redirect: 'manual' })).status)
    expect([...statuses]).toEqual([url === startUrl(blog) ? 302 : 400])
    const beyond = await fetch(url, { redirect: 'manual' })
    expect(beyond.status).toBe(429)
    expect(beyond.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(beyond.headers.getSetCookie()).toEqual([])
  }
})
