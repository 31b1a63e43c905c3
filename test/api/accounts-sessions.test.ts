// Sessions over HTTP: signing in, the cookie, listing sessions, ending one or all of them.
import { describe, expect, test } from 'vitest'
import { SESSIONS_PER_USER } from '#backend/accounts/sessions.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const DAY_MS = 86_400_000

const SESSION_KEYS =
  '$id $createdAt userId expire provider providerUid providerAccessToken providerAccessTokenExpiry providerRefreshToken ip osCode osName osVersion clientType clientCode clientName clientVersion clientEngine clientEngineVersion deviceName deviceBrand deviceModel countryCode countryName current'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36'

function signIn(
  blog: TestBlog,
  { email, password }: { email: unknown; password: unknown },
  headers: Record<string, string> = {},
) {
  return blog.call('POST', '/account/sessions/email', { body: { email, password }, headers })
}

/** The value of the session cookie in a `name=value; …` header. */
function tokenOf(cookie: string): string {
  return /a_session_blog_\d+=([^;]+)/.exec(cookie)?.[1] ?? ''
}

const cookieOf = (token: string) => `a_session_blog=${token}`

const isSignedIn = async (blog: TestBlog, cookie: string) =>
  (await blog.call('GET', '/account', { cookie })).status === 200

describe('signing in', () => {
  /** Alice signs in with the browser of that name. */
  async function signInByChrome() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const answer = await signIn(blog, alice, { 'user-agent': CHROME })
    const [cookie = ''] = answer.headers.getSetCookie()
    return { alice, answer, cookie }
  }

  test('returns the session that api.md describes', async () => {
    const { alice, answer } = await signInByChrome()
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body)).toEqual(SESSION_KEYS.split(' '))
    expect(answer.body).toMatchObject({
      userId: alice.id,
      provider: 'email',
      providerUid: alice.email,
      providerAccessToken: '',
      ip: '127.0.0.1',
      osCode: 'LIN',
      clientName: 'Chrome',
      countryCode: '--',
      countryName: 'Unknown',
      current: true,
    })
    expect(Date.parse(answer.body.expire) - Date.parse(answer.body.$createdAt)).toBe(30 * DAY_MS)
  })

  test('sets a cookie that scripts cannot read and that ends with the session', async () => {
    const { answer, cookie } = await signInByChrome()
    expect(cookie).toMatch(
      /^a_session_blog_\d+=[A-Za-z0-9+/=]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
    expect(Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '')).toBe(
      Math.floor(Date.parse(answer.body.expire) / 1000) * 1000,
    )
  })

  test('returns the secret only in the cookie', async () => {
    const { alice, answer, cookie } = await signInByChrome()
    expect(JSON.parse(Buffer.from(tokenOf(cookie), 'base64').toString())).toEqual({
      id: alice.id,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(answer.headers.get('x-fallback-cookies')).toBe(null)
    expect(JSON.stringify(answer.body)).not.toContain(tokenOf(cookie))
  })

  describe('on https', () => {
    const share = shareBlog(() => makeTestBlog({ BLOG_PUBLIC_URL: 'https://blog.example' }))

    test('sets cookies that are bound to the host', async () => {
      const blog = await share()
      const alice = await blog.makePerson('alice')
      const cookies = (await signIn(blog, alice)).headers.getSetCookie()
      expect(cookies).toHaveLength(2)
      for (const cookie of cookies)
        expect(cookie).toMatch(
          /^__Host-a_\w+_blog=[^;]+;.* Path=\/;.* HttpOnly; Secure; SameSite=Lax$/,
        )
      expect(await isSignedIn(blog, alice.cookie)).toBe(true)
    })

    test('accepts no session cookie that is not bound to the host', async () => {
      const blog = await share()
      const { cookie } = await blog.makePerson('alice')
      const plain = cookie.replaceAll('__Host-', '')
      expect(plain).toContain('a_session_blog=')
      expect(await isSignedIn(blog, plain)).toBe(false)
      expect(await isSignedIn(blog, plain.replace('=', '_legacy='))).toBe(false)
      expect(await isSignedIn(blog, `${plain.replace('=', '=x')}; ${cookie}`)).toBe(true)
    })

    test('is undone by a sign-out, which removes the secure cookie', async () => {
      const blog = await share()
      const { cookie } = await blog.makePerson('alice')
      const out = await blog.call('DELETE', '/account/sessions/current', { cookie, body: {} })
      expect(out.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-a_session_blog=;.* Expires=Thu, 01 Jan 1970 .*Secure/),
      ])
    })
  })

  test('works at the shorter path, too', async () => {
    const blog = await sharedBlog()
    const { email, password } = await blog.makePerson('alice')
    expect(
      (await blog.call('POST', '/account/sessions', { body: { email, password } })).body,
    ).toMatchObject({ provider: 'email', current: true })
  })

  test('ignores the letter case of the email address', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    expect((await signIn(blog, { ...alice, email: ` ${alice.email.toUpperCase()} ` })).status).toBe(
      201,
    )
  })

  test('with a wrong password or an unknown address gets exactly the same answer, and starts no session', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const wrong = await signIn(blog, { ...alice, password: 'wrong lamps' })
    const unknown = await signIn(blog, { ...alice, email: 'nobody@example.test' })
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401)
      expect(answer.bytes.toString()).toBe(
        '{"message":"Email or password is not correct.","code":401,"type":"user_invalid_credentials","version":"1.4.13"}',
      )
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect([...wrong.headers.keys()].toSorted()).toEqual([...unknown.headers.keys()].toSorted())
    expect((await blog.call('GET', '/account/sessions', { cookie: alice.cookie })).body.total).toBe(
      1,
    )
  })

  test.each(['', 'short', 'a'.repeat(257)])(
    'with %j, which cannot be a password, gets the answer for a wrong password',
    async (password) => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const wrong = await signIn(blog, { ...alice, password: 'wrong lamps' })
      const answer = await signIn(blog, { ...alice, password })
      expect([answer.status, answer.bytes]).toEqual([401, wrong.bytes])
    },
  )

  test.each([
    { name: 'no password', password: undefined },
    { name: 'an object', password: { $gt: '' } },
    { name: 'a list', password: ['alice likes lamps'] },
    { name: 'true', password: true },
  ])('with $name as the password is answered 400', async ({ password }) => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const answer = await signIn(blog, { ...alice, password })
    expect(answer.body).toMatchObject({ code: 400, type: 'general_argument_invalid' })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('creates a new secret each time, whatever cookie the browser had', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const preset = cookieOf(
      Buffer.from(JSON.stringify({ id: alice.id, secret: 'ab'.repeat(32) })).toString('base64'),
    )
    const secondSignIn = await signIn(blog, alice, { cookie: preset })
    const token = tokenOf(secondSignIn.headers.getSetCookie()[0] ?? '')
    expect(token).not.toBe(tokenOf(preset))
    expect(token).not.toBe(tokenOf(alice.cookie))
    expect(await isSignedIn(blog, preset)).toBe(false)
    expect(await isSignedIn(blog, cookieOf(token))).toBe(true)
  })

  test('leaves a user only the newest sessions, even when many start at once', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const answers = await Promise.all(
      Array.from({ length: SESSIONS_PER_USER + 4 }, () => signIn(blog, alice)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(await isSignedIn(blog, alice.cookie)).toBe(false)
    const alive = await Promise.all(
      answers.map((answer) =>
        isSignedIn(blog, cookieOf(tokenOf(answer.headers.getSetCookie()[0] ?? ''))),
      ),
    )
    expect(alive.filter(Boolean)).toHaveLength(SESSIONS_PER_USER)
  })
})

describe('two blogs on one host', () => {
  /** Cookies as browsers store them: shared by all ports of a host. */
  function makeJar() {
    const cookies = new Map<string, string>()
    return {
      cookies,
      header: () => [...cookies].map((pair) => pair.join('=')).join('; '),
      keep({ headers }: Pick<Answer, 'headers'>) {
        for (const line of headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
      },
    }
  }

  test('signing in to one and out again leaves the session on the other', async () => {
    await using first = await makeTestBlog()
    await using second = await makeTestBlog()
    const jar = makeJar()
    const isIn = (blog: TestBlog) => isSignedIn(blog, jar.header())
    for (const blog of [first, second]) {
      const alice = await blog.makePerson('alice')
      jar.keep(await signIn(blog, alice, { cookie: jar.header() }))
    }
    expect([await isIn(first), await isIn(second)]).toEqual([true, true])
    const out = { cookie: jar.header(), body: {} }
    jar.keep(await first.call('DELETE', '/account/sessions/current', out))
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
  })

  describe('a session cookie whose name contains no port', () => {
    const shareFirst = shareBlog()
    const shareSecond = shareBlog()

    /** A browser with such a session cookie of the first blog, and its known-browser cookie. */
    async function start() {
      const first = await shareFirst()
      const second = await shareSecond()
      const alice = await first.makePerson('alice')
      const token = tokenOf((await signIn(first, alice)).headers.getSetCookie()[0] ?? '')
      const jar = makeJar()
      const [browser = ''] = /a_browser_blog_\d+=[^;]+/.exec(alice.cookie) ?? []
      jar.cookies.set('a_session_blog', token)
      jar.cookies.set('a_browser_blog', browser.slice(browser.indexOf('=') + 1))
      return { first, second, alice, token, jar }
    }

    test('stays valid, even when the browser signs in to the other blog', async () => {
      const { first, second, token, jar } = await start()
      expect(await isSignedIn(first, jar.header())).toBe(true)
      const bob = await second.makePerson('bob')
      jar.keep(await signIn(second, bob, { cookie: jar.header() }))
      expect(jar.cookies.get('a_session_blog')).toBe(token)
      expect(await isSignedIn(first, jar.header())).toBe(true)
    })

    test('is removed by a sign-in, which still recognises the browser', async () => {
      const { first, alice, jar } = await start()
      jar.keep(await signIn(first, alice, { cookie: jar.header() }))
      const { port } = new URL(first.url)
      expect(jar.cookies.has('a_session_blog')).toBe(false)
      expect(jar.cookies.has(`a_browser_blog_${port}`)).toBe(false)
    })

    test('is removed by a sign-out, which leaves the session on the other blog', async () => {
      const { first, second, jar } = await start()
      const bob = await second.makePerson('bob')
      jar.keep(await signIn(second, bob, { cookie: jar.header() }))
      const out = { cookie: jar.header(), body: {} }
      jar.keep(await first.call('DELETE', '/account/sessions/current', out))
      expect([...jar.cookies.keys()].filter((name) => name.startsWith('a_session'))).toEqual([
        `a_session_blog_${new URL(second.url).port}`,
      ])
      expect(await isSignedIn(first, jar.header())).toBe(false)
    })

    test('is no longer valid after a sign-in followed by a sign-out', async () => {
      const { first, alice, token, jar } = await start()
      jar.keep(await signIn(first, alice, { cookie: jar.header() }))
      jar.cookies.set('a_session_blog', token)
      jar.cookies.delete(`a_session_blog_${new URL(first.url).port}`)
      const out = { cookie: jar.header(), body: {} }
      jar.keep(await first.call('DELETE', '/account/sessions/current', out))
      expect(await isSignedIn(first, jar.header())).toBe(false)
      expect(jar.cookies.has('a_session_blog')).toBe(false)
    })
  })
})

describe('the sessions of a user', () => {
  /** Two sessions of alice; the first one makes the calls. */
  async function startWithTwo() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const other = await signIn(blog, alice)
    const { body } = await blog.call('GET', '/account/sessions', { cookie: alice.cookie })
    return {
      blog,
      alice,
      bob,
      list: body,
      current: body.sessions.find(({ current }: { current: boolean }) => current),
      other: other.body,
      otherCookie: cookieOf(tokenOf(other.headers.getSetCookie()[0] ?? '')),
      read: async (id: string, who: Person) =>
        (await blog.call('GET', `/account/sessions/${id}`, { cookie: who.cookie })).body,
      end: (id: string, cookie: string) =>
        blog.call('DELETE', `/account/sessions/${id}`, { cookie, body: {} }),
    }
  }

  test('are listed, and the current one is marked', async () => {
    const { list, current, other } = await startWithTwo()
    expect(list.total).toBe(2)
    expect(list.sessions.map((one: { $id: string }) => one.$id).toSorted()).toEqual(
      [current.$id, other.$id].toSorted(),
    )
  })

  test('can be read by id or as current', async () => {
    const { alice, current, other, read } = await startWithTwo()
    expect(await read('current', alice)).toEqual(current)
    expect(await read(current.$id, alice)).toEqual(current)
    expect(await read(other.$id, alice)).toEqual({ ...other, current: false })
  })

  test('can be read neither by others nor by an invalid id', async () => {
    const { bob, other, read } = await startWithTwo()
    for (const id of [other.$id, 'nothing', '%00', 'Current'])
      expect(await read(id, bob)).toMatchObject({ code: 404, type: 'user_session_not_found' })
  })

  test('cannot be ended by other users', async () => {
    const { blog, bob, other, otherCookie, end } = await startWithTwo()
    expect((await end(other.$id, bob.cookie)).body).toMatchObject({
      code: 404,
      type: 'user_session_not_found',
    })
    expect(await isSignedIn(blog, otherCookie)).toBe(true)
  })

  test('can be ended one by one', async () => {
    const { blog, alice, other, otherCookie, end } = await startWithTwo()
    const answer = await end(other.$id, alice.cookie)
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.getSetCookie(),
    ]).toEqual([204, null, []])
    expect([await isSignedIn(blog, otherCookie), await isSignedIn(blog, alice.cookie)]).toEqual([
      false,
      true,
    ])
  })

  test('include the current one, and ending it signs out and clears the cookie', async () => {
    const { blog, alice, end } = await startWithTwo()
    const current = await end('current', alice.cookie)
    expect(current.status).toBe(204)
    expect(current.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^a_session_blog_\d+=; .*Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly/,
      ),
    ])
    expect(await isSignedIn(blog, alice.cookie)).toBe(false)
    expect((await end('current', alice.cookie)).status).toBe(401)
  })

  test('can all be ended together, without ending those of other users', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const otherCookie = cookieOf(
      tokenOf((await signIn(blog, alice)).headers.getSetCookie()[0] ?? ''),
    )
    const out = await blog.call('DELETE', '/account/sessions', {
      cookie: alice.cookie,
      body: {},
    })
    expect([out.status, out.bytes.length]).toEqual([204, 0])
    expect(out.headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual([
      `a_session_blog_${new URL(blog.url).port}=`,
    ])
    expect([
      await isSignedIn(blog, alice.cookie),
      await isSignedIn(blog, otherCookie),
      await isSignedIn(blog, bob.cookie),
    ]).toEqual([false, false, true])
    expect((await signIn(blog, alice)).status).toBe(201)
  })

  /** Sends what the sign-out button of a page without scripts sends. */
  async function startWithForm() {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    const submit = (origin: string, headers: Record<string, string> = { cookie }) =>
      fetch(`${blog.url}/v1/account/sign-out`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: '',
      })
    return { blog, cookie, submit }
  }

  test('can be ended by the form of a page without scripts, which leads to the home page', async () => {
    const { blog, cookie, submit } = await startWithForm()
    const response = await submit(blog.url)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    expect(response.headers.getSetCookie().join()).toMatch(/a_session_blog_\d+=;/)
    expect(await isSignedIn(blog, cookie)).toBe(false)
  })

  test('cannot be ended by a form on another site', async () => {
    const { blog, cookie, submit } = await startWithForm()
    expect((await submit('https://other.example')).status).toBe(403)
    expect(await isSignedIn(blog, cookie)).toBe(true)
  })

  test('need not exist for the form to lead to the home page', async () => {
    const { blog, submit } = await startWithForm()
    expect((await submit(blog.url, {})).status).toBe(303)
  })

  test('cannot be ended by a call from another site', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { referer: 'https://evil.example/' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await blog.call('DELETE', '/account/sessions', {
        cookie: alice.cookie,
        body: {},
        headers: headers as Record<string, string>,
      })
      expect(answer.body).toMatchObject({ code: 403, type: 'general_unknown_origin' })
    }
    expect(await isSignedIn(blog, alice.cookie)).toBe(true)
  })
})
