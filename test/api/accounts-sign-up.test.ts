// Signing up over HTTP (api.md §2.2; threat-model.md §3, §4).
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const WIRE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)

const ANN = {
  userId: 'unique()',
  email: 'ann@example.com',
  password: 'correct horse',
  name: 'Ann Example',
}

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

describe('signing up', () => {
  test('with an address of imported authors is refused, and a sign-in link makes no account', async () => {
    await using blog = await makeTestBlog()
    const email = 'aaaaaaaaaaaaaaaaaaaaaaaa@No-Address.invalid'
    expect((await signUp(blog, { ...ANN, email })).body.type).toBe('general_argument_invalid')
    await blog.call('POST', '/account/sessions/magic-url', { body: { userId: 'someone', email } })
    expect((await blog.call('GET', '/users/someone')).status).toBe(404)
  })

  test('returns the account that api.md describes, with no session and no cookie', async () => {
    await using blog = await makeTestBlog()
    const answer = await blog.call('POST', '/account', {
      body: ANN,
      headers: { ...CAPTURED, origin: blog.url },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('set-cookie')).toBe(null)
    expect(Object.keys(answer.body)).toEqual(
      '$id $createdAt $updatedAt name registration status labels passwordUpdate email phone emailVerification phoneVerification prefs accessedAt'.split(
        ' ',
      ),
    )
    expect(answer.body).toEqual({
      $id: expect.stringMatching(/^[0-9a-f]{20}$/),
      $createdAt: WIRE_TIME,
      $updatedAt: WIRE_TIME,
      name: 'Ann Example',
      registration: answer.body.$createdAt,
      status: true,
      labels: ['author'],
      passwordUpdate: answer.body.$createdAt,
      email: 'ann@example.com',
      phone: '',
      emailVerification: false,
      phoneVerification: false,
      prefs: {},
      accessedAt: WIRE_TIME,
    })
  })

  test('stores a chosen id, markup in the name as text, and the address in lower case', async () => {
    const blog = await sharedBlog()
    const name = '<script>alert(1)</script>'
    const { body } = await signUp(blog, {
      ...ANN,
      userId: 'Ann_1.x-y',
      email: ' ANNE@Example.com ',
      name,
    })
    expect(body).toMatchObject({ $id: 'Ann_1.x-y', email: 'anne@example.com', name })
  })

  test('requires no name', async () => {
    const blog = await sharedBlog()
    for (const nameless of [{ name: '' }, { name: null }, {}]) {
      const { status, body } = await signUp(blog, {
        ...ANN,
        email: `n${Math.random()}@example.com`,
        name: undefined,
        ...nameless,
      })
      expect([status, body.name]).toEqual([201, ''])
    }
  })

  test('ignores fields that only the server decides', async () => {
    const blog = await sharedBlog()
    const { status, body } = await signUp(blog, {
      ...ANN,
      email: 'annie@example.com',
      emailVerification: true,
      labels: ['admin'],
      status: false,
      $id: 'mine',
      prefs: { admin: true },
      registration: 'never',
      passwordHash: 'x',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      emailVerification: false,
      labels: ['author'],
      status: true,
      prefs: {},
    })
    expect(body.$id).not.toBe('mine')
  })

  test.each([
    { name: 'nothing', body: {}, says: 'Param "userId" is not optional.' },
    {
      name: 'no email',
      body: { ...ANN, email: undefined },
      says: 'Param "email" is not optional.',
    },
    {
      name: 'no password',
      body: { ...ANN, password: null },
      says: 'Param "password" is not optional.',
    },
    {
      name: 'an id with a slash',
      body: { ...ANN, userId: '../ann' },
      says: 'Invalid `userId` param: UID must contain',
    },
    { name: 'an empty id', body: { ...ANN, userId: '' }, says: 'Invalid `userId` param' },
    { name: 'a long id', body: { ...ANN, userId: 'a'.repeat(37) }, says: 'Invalid `userId` param' },
    {
      name: 'an object as id',
      body: { ...ANN, userId: { $ne: 1 } },
      says: 'Invalid `userId` param',
    },
    { name: 'no address', body: { ...ANN, email: 'ann' }, says: 'Invalid `email` param' },
    {
      name: 'a list of addresses',
      body: { ...ANN, email: ['ann@example.com'] },
      says: 'Invalid `email` param',
    },
    {
      name: 'a mail header in the address',
      body: { ...ANN, email: 'ann@example.com\r\nBcc: x@example.com' },
      says: 'Invalid `email` param',
    },
    {
      name: 'a long address',
      body: { ...ANN, email: `${'a'.repeat(60)}@${'b.'.repeat(100)}com` },
      says: 'Invalid `email` param',
    },
    {
      name: 'a short password',
      body: { ...ANN, password: 'seven77' },
      says: 'Invalid `password` param',
    },
    {
      name: 'a number as password',
      body: { ...ANN, password: 1234567890 },
      says: 'Invalid `password` param',
    },
    {
      name: 'a long password',
      body: { ...ANN, password: 'a'.repeat(257) },
      says: 'Invalid `password` param',
    },
    {
      name: 'a common password',
      body: { ...ANN, password: 'password123' },
      says: 'Invalid `password` param',
    },
    {
      name: 'a line end in the name',
      body: { ...ANN, name: 'Ann\r\nExample' },
      says: 'Invalid `name` param',
    },
    { name: 'a NUL in the name', body: { ...ANN, name: 'Ann\0' }, says: 'Invalid `name` param' },
    { name: 'a long name', body: { ...ANN, name: 'a'.repeat(129) }, says: 'Invalid `name` param' },
    { name: 'an object as name', body: { ...ANN, name: {} }, says: 'Invalid `name` param' },
    {
      name: 'the address as password',
      body: { ...ANN, password: ANN.email },
      says: 'The password must not',
      type: 'password_personal_data',
    },
    {
      name: 'the name as password',
      body: { ...ANN, password: 'ANN EXAMPLE' },
      says: 'The password must not',
      type: 'password_personal_data',
    },
  ])(
    'with $name is refused and adds no account',
    async ({ body, says, type = 'general_argument_invalid' }) => {
      const blog = await sharedBlog()
      const answer = await signUp(blog, body)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        message: expect.stringContaining(says),
        code: 400,
        type,
        version: '1.4.13',
      })
      expect((await signIn(blog, ANN)).status).toBe(401)
    },
  )

  test.each([
    { name: 'the same address', body: ANN },
    { name: 'the address in capitals', body: { ...ANN, email: 'ANN@EXAMPLE.COM' } },
    { name: 'the same id', body: { ...ANN, userId: 'ann', email: 'other@example.com' } },
  ])('twice with $name is 409, and the first account stays as it was', async ({ body }) => {
    await using blog = await makeTestBlog()
    await signUp(blog, { ...ANN, userId: 'ann' })
    const answer = await signUp(blog, { ...body, password: 'another horse', name: 'Somebody else' })
    expect(answer.body).toMatchObject({ code: 409, type: 'user_already_exists' })
    expect((await blog.call('GET', '/users/ann')).body).toEqual({ $id: 'ann', name: 'Ann Example' })
    expect((await signIn(blog, ANN)).status).toBe(201)
    expect((await signIn(blog, { ...ANN, password: 'another horse' })).status).toBe(401)
  })

  test('twenty times at once with one address succeeds exactly once', async () => {
    await using blog = await makeTestBlog()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signUp(blog, { ...ANN, email: index % 2 ? ANN.email : 'Ann@Example.Com' }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ])
  })

  test('is logged with the request, without the address and the password', async () => {
    await using blog = await makeTestBlog()
    const { body } = await signUp(blog)
    await signIn(blog, ANN)
    await signIn(blog, { ...ANN, password: 'wrong horse' })
    const events = blog.log.filter(({ event }) => event)
    expect(events).toMatchObject([
      {
        event: 'sign-up',
        userId: body.$id,
        requestId: expect.stringMatching(/^[0-9a-f]{20}$/),
        address: '127.0.0.1',
      },
      { event: 'sign-in', userId: body.$id },
      { event: 'sign-in failed', userId: body.$id },
    ])
    const text = JSON.stringify(blog.log)
    for (const secret of [ANN.password, 'wrong horse', ANN.email, 'a_session'])
      expect(text).not.toContain(secret)
  })
})
