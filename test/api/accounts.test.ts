// Accounts over HTTP: reading one's own account, prefs, profiles (api.md §2, §6, §10.5;
// threat-model.md §3, §4).
import { describe, expect, test } from 'vitest'
import { PREFS_MAX_BYTES } from '#backend/accounts/users.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const WIRE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)

const ANN = {
  userId: 'unique()',
  email: 'ann@example.com',
  password: 'correct horse',
  name: 'Ann Example',
}

const DECLARED = 'Attributes that are declared'

/** What appwrite 13.0.2 sends with every call. */
const CAPTURED = {
  'x-appwrite-response-format': '1.4.0',
  'x-sdk-language': 'web',
  'x-sdk-version': '13.0.2',
  'x-sdk-name': 'Web',
  'x-sdk-platform': 'client',
  'content-type': 'application/json',
  'x-fallback-cookies': '',
}

const signUp = (blog: TestBlog, body: unknown = ANN) => blog.call('POST', '/account', { body })

const signIn = (blog: TestBlog, { email, password }: { email: string; password: string }) =>
  blog.call('POST', '/account/sessions/email', { body: { email, password } })

describe('one’s own account', () => {
  test('a guest has no account', async () => {
    const blog = await sharedBlog()
    for (const [method, path] of [
      ['GET', '/account'],
      ['GET', '/account/prefs'],
      ['PATCH', '/account/prefs'],
      ['GET', '/account/sessions'],
      ['GET', '/account/sessions/current'],
      ['DELETE', '/account/sessions'],
      ['DELETE', '/account/sessions/current'],
    ] as const) {
      const answer = await blog.call(method, path, method === 'GET' ? {} : { body: {} })
      expect(answer.body).toEqual({
        message: 'User (role: guests) missing scope (account)',
        code: 401,
        type: 'general_unauthorized_scope',
        version: '1.4.13',
      })
    }
  })

  test('reading one’s own account returns the same as signing up', async () => {
    const blog = await sharedBlog()
    const account = (await signUp(blog)).body
    const cookie = (await signIn(blog, ANN)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const answer = await blog.call('GET', '/account', { cookie, headers: CAPTURED })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...account, accessedAt: WIRE_TIME })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('writing several posts in one call is not offered', async () => {
    const blog = await sharedBlog()
    const headers = { 'x-appwrite-key': blog.apiKey }
    const body = { documents: [{ title: 'a' }] }
    expect((await blog.call('POST', DOCUMENTS, { headers, body })).body).toMatchObject({
      code: 501,
      type: 'general_not_implemented',
    })
  })

  test('a call that is not offered is answered 501 with a message that says so', async () => {
    const blog = await sharedBlog()
    const { cookie, id } = await blog.makePerson('alice')
    for (const [method, path, text] of [
      ['POST', '/account/sessions/anonymous', 'Anonymous sign-in'],
      ['POST', '/account/tokens/phone', 'Sign-in by phone'],
      ['PUT', '/account/sessions/phone', 'Sign-in by phone'],
      ['POST', '/account/sessions/id-token', 'Sign-in with an ID token'],
      ['PUT', '/account/recovery/otp', 'A code instead of a link'],
      ['POST', '/account/verifications/email/otp', 'A code instead of a link'],
      ['POST', '/account/verification/phone', 'Verification of phones'],
      ['PATCH', '/account/phone', 'A phone number'],
      ['PATCH', '/account/mfa', 'A second factor'],
      ['POST', '/account/mfa/challenges', 'A second factor'],
      ['GET', '/account/mfa/factors?project=blog', 'A second factor'],
      ['POST', '/account/targets/push', 'Push notifications'],
      ['GET', `/users/${id}/targets`, 'Push notifications'],
      ['POST', '/users/md5', 'An import of password hashes'],
      ['POST', '/users/bcrypt', 'An import of password hashes'],
      ['POST', '/users/scrypt', 'An import of password hashes'],
      ['POST', '/graphql', 'GraphQL'],
      ['GET', '/locale', 'Lists of countries, languages and currencies'],
      ['GET', '/locale/countries/eu', 'Lists of countries, languages and currencies'],
      ['GET', '/teams?queries[0]=limit(1)', 'Teams'],
      ['POST', '/functions/f1/executions', 'Functions'],
      ['POST', '/messaging/topics', 'Messaging'],
      ['GET', '/avatars/qr?text=a', 'Flags, QR codes and icons of browsers and credit cards'],
      ['GET', '/avatars/flags/de', 'Flags, QR codes and icons of browsers and credit cards'],
      ['GET', '/avatars/favicon?url=http://localhost', 'Fetching images of other sites'],
      ['GET', '/databases', 'Databases, collections and buckets'],
      ['POST', '/tablesdb/blogdb/tables', 'Databases, collections and buckets'],
      ['GET', '/storage/buckets/content', 'Databases, collections and buckets'],
      ['POST', '/databases/blogdb/collections/posts/attributes/string', DECLARED],
      ['GET', '/tablesdb/blogdb/tables/posts/columns', DECLARED],
      ['POST', '/tablesdb/blogdb/tables/posts/indexes', 'Indexes that are declared'],
      ['PUT', `${DOCUMENTS}/one`, 'An upsert, or a change of many posts'],
      ['PUT', '/tablesdb/blogdb/tables/posts/rows', 'An upsert, or a change of many posts'],
      ['PATCH', DOCUMENTS, 'An upsert, or a change of many posts'],
      ['DELETE', DOCUMENTS, 'An upsert, or a change of many posts'],
      ['PATCH', `${DOCUMENTS}/one/views/increment`, 'Counting an attribute up or down'],
    ] as const) {
      const body = method === 'GET' ? undefined : {}
      expect((await blog.call(method, path, { cookie, body })).body).toMatchObject({
        code: 501,
        type: 'general_not_implemented',
        message: `${text}: not offered by this server.`,
      })
    }
  })

  test('an unknown path is not found', async () => {
    const blog = await sharedBlog()
    for (const path of ['/teamsters', '/account/mfax', '/nothing'])
      expect((await blog.call('GET', path)).body).toMatchObject({
        code: 404,
        message: 'There is no such address in this API.',
      })
  })
})

describe('prefs', () => {
  const PREFS = { avatar: '65f0c0ffee', theme: 'dark', own: { deep: [1, null, '💡\0'] } }

  /** Alice has set preferences. */
  async function startWithPrefs() {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const setPrefs = (prefs: unknown) =>
      blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body: { prefs } })
    const readPrefs = async () =>
      (await blog.call('GET', '/account/prefs', { cookie: alice.cookie })).body
    return { alice, first: await setPrefs(PREFS), setPrefs, readPrefs }
  }

  test('are returned with the account when they are set', async () => {
    const { alice, first } = await startWithPrefs()
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      $id: alice.id,
      email: alice.email,
      prefs: { avatar: '65f0c0ffee', theme: 'dark' },
    })
  })

  test('can be read as they were set', async () => {
    const { readPrefs } = await startWithPrefs()
    expect(await readPrefs()).toEqual(PREFS)
  })

  test('are replaced as a whole', async () => {
    const { setPrefs, readPrefs } = await startWithPrefs()
    await setPrefs({ theme: 'light' })
    expect(await readPrefs()).toEqual({ theme: 'light' })
    await setPrefs({})
    expect(await readPrefs()).toEqual({})
  })

  test('can have keys like __proto__ and constructor', async () => {
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const response = await fetch(`${blog.url}/v1/account/prefs`, {
      method: 'PATCH',
      headers: {
        'x-appwrite-project': 'blog',
        'content-type': 'application/json',
        cookie: alice.cookie,
      },
      body: '{"prefs":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"avatar":"../../etc/passwd"}}',
    })
    expect(response.status).toBe(200)
    expect((await blog.call('GET', '/account/prefs', { cookie: alice.cookie })).body).toEqual({
      constructor: { prototype: { isAdmin: true } },
      avatar: '../../etc/passwd',
    })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined)
    expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body).not.toHaveProperty(
      'isAdmin',
    )
  })

  test.each([
    { name: 'nothing', prefs: undefined, status: 400 },
    { name: 'null', prefs: null, status: 400 },
    { name: 'a list', prefs: [], status: 400 },
    { name: 'a text', prefs: '{}', status: 400 },
    { name: 'a number', prefs: 1, status: 400 },
    { name: 'as much as fits', prefs: { a: 'x'.repeat(PREFS_MAX_BYTES - 8) }, status: 200 },
    { name: 'a byte too much', prefs: { a: 'x'.repeat(PREFS_MAX_BYTES - 7) }, status: 400 },
    {
      name: 'few characters of many bytes',
      prefs: { a: '💡'.repeat(PREFS_MAX_BYTES / 4) },
      status: 400,
    },
  ])('set to $name are answered $status', async ({ prefs, status }) => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    await blog.call('PATCH', '/account/prefs', { cookie, body: { prefs: { before: true } } })
    const answer = await blog.call('PATCH', '/account/prefs', { cookie, body: { prefs } })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.type).toBe('general_argument_invalid')
    expect((await blog.call('GET', '/account/prefs', { cookie })).body).toEqual(
      status === 200 ? prefs : { before: true },
    )
  })

  test('cannot be set for another user', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    await blog.call('PATCH', '/account/prefs', {
      cookie: bob.cookie,
      body: { prefs: { mine: true }, userId: alice.id, $id: alice.id },
    })
    expect((await blog.call('GET', '/account/prefs', { cookie: alice.cookie })).body).toEqual({})
    expect((await blog.call('GET', '/account/prefs', { cookie: bob.cookie })).body).toEqual({
      mine: true,
    })
  })
})

describe('reading a profile', () => {
  test('shows anyone the id and the name, and nothing else', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    for (const caller of [{}, { cookie: bob.cookie }, { cookie: alice.cookie }]) {
      const answer = await blog.call('GET', `/users/${alice.id}`, caller)
      expect([answer.status, answer.body]).toEqual([200, { $id: alice.id, name: 'alice' }])
    }
  })

  test('shows the API key the account, but no hash', async () => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const { body } = await blog.call('GET', `/users/${alice.id}`, {
      headers: { 'x-appwrite-key': blog.apiKey },
    })
    expect(body).toMatchObject({
      $id: alice.id,
      name: 'alice',
      email: alice.email,
      password: '',
      hash: '',
      hashOptions: {},
    })
    expect(Object.keys(body)).toHaveLength(17)
  })

  test.each([
    {
      name: 'a wrong key',
      headers: (key: string) => ({ 'x-appwrite-key': `${key}x` }),
      query: () => '',
    },
    { name: 'an empty key', headers: () => ({ 'x-appwrite-key': '' }), query: () => '' },
    {
      name: 'the key in the query',
      headers: () => ({}),
      query: (key: string) => `?key=${key}&x-appwrite-key=${key}&X-Appwrite-Key=${key}`,
    },
    {
      name: 'the key as bearer',
      headers: (key: string) => ({ authorization: `Bearer ${key}` }),
      query: () => '',
    },
  ])('with $name reveals nothing more', async ({ headers, query }) => {
    const blog = await sharedBlog()
    const alice = await blog.makePerson('alice')
    const answer = await blog.call('GET', `/users/${alice.id}${query(blog.apiKey)}`, {
      headers: headers(blog.apiKey) as Record<string, string>,
    })
    expect(answer.body).toEqual({ $id: alice.id, name: 'alice' })
  })

  test.each(['nobody', '..%2faccount', '%00', '_', 'a'.repeat(37), '%F0%9F%92%A1'])(
    'of %s, which is not a user, is answered 404',
    async (id) => {
      const blog = await sharedBlog()
      const answer = await blog.call('GET', `/users/${id}`)
      expect(answer.body).toMatchObject({ code: 404, type: 'user_not_found' })
    },
  )
})

for (const [name, tags] of DATABASES)
  describe(`hostile values on ${name}`, { tags }, () => {
    test('are refused or stored, and never cause a server error', async () => {
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
      await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
      const alice = await blog.makePerson('alice')
      const nasty = [
        '\0',
        '\ud800',
        "' or 1=1 --",
        '%',
        '_',
        '<%= 1 %>',
        '{{1}}',
        '../',
        '\u202e',
        'a'.repeat(5000),
        { a: 1 },
        [1],
        1,
        true,
        -0,
        1e308,
      ]
      const statuses = new Set<number>()
      for (const value of nasty) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        const id = encodeURIComponent(text.toWellFormed())
        const calls = [
          ...['userId', 'email', 'password', 'name'].map((field) =>
            blog.call('POST', '/account', { body: { ...ANN, [field]: value } }),
          ),
          ...['email', 'password'].map((field) =>
            blog.call('POST', '/account/sessions/email', { body: { ...ANN, [field]: value } }),
          ),
          blog.call('PATCH', '/account/prefs', {
            cookie: alice.cookie,
            body: { prefs: { [text]: value } },
          }),
          blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body: { prefs: value } }),
          blog.call('GET', `/users/${id}`),
          blog.call('GET', `/account/sessions/${id}`, { cookie: alice.cookie }),
          blog.call('DELETE', `/account/sessions/${id}`, { cookie: alice.cookie, body: value }),
          blog.call('POST', '/account', { body: value }),
        ]
        for (const { status } of await Promise.all(calls)) statuses.add(status)
      }
      expect([...statuses].toSorted()).toEqual([200, 201, 400, 401, 404, 409])
      const { body } = await blog.call('GET', '/account', { cookie: alice.cookie })
      expect(body).toMatchObject({ $id: alice.id, name: 'alice', email: alice.email })
    })
  })
