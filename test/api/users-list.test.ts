// The operator's list of users over HTTP (api.md §6).
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'

const BAD = { code: 400, type: 'general_argument_invalid' }

const asKey = (blog: TestBlog, method: string, path: string, body?: unknown) =>
  blog.call(method, path, {
    headers: { 'x-appwrite-key': blog.apiKey },
    ...(body === undefined ? {} : { body }),
  })

const emails = ({ body }: { body: { users: { email: string }[] } }) =>
  body.users.map(({ email }) => email.split('@')[0])

describe('the list', () => {
  test('pages, filters, orders and searches', async () => {
    await using blog = await makeTestBlog()
    for (const name of ['alice', 'bob', 'carla']) {
      await asKey(blog, 'POST', '/users', {
        userId: name,
        email: `${name}@example.test`,
        name: `${name} Lamp`,
        password: `${name} likes lamps`,
      })
      blog.passTime(1000)
    }
    await asKey(blog, 'PATCH', '/users/bob/status', { status: false })
    await asKey(blog, 'PATCH', '/users/carla/verification', { emailVerification: true })
    const list = (...queries: string[]) =>
      asKey(
        blog,
        'GET',
        `/users?${queries.map((query, index) => `queries[${index}]=${encodeURIComponent(query)}`).join('&')}`,
      )

    const all = await list()
    expect(all.body.total).toBe(3)
    expect(emails(all)).toEqual(['alice', 'bob', 'carla'])
    expect(Object.keys(all.body.users[0])).toEqual([
      '$id',
      '$createdAt',
      '$updatedAt',
      'name',
      'registration',
      'status',
      'labels',
      'passwordUpdate',
      'email',
      'phone',

      'emailVerification',
      'phoneVerification',
      'prefs',
      'accessedAt',
      'password',
      'hash',
      'hashOptions',
    ])
    expect(all.body.users[0]).toMatchObject({ password: '', hash: '', hashOptions: {} })

    const cases: [queries: string[], found: string[]][] = [
      [['equal("email", ["bob@example.test"])'], ['bob']],
      [['equal("status", [true])'], ['alice', 'carla']],
      [['equal("emailVerification", [true])'], ['carla']],
      [['equal("phoneVerification", [true])'], []],
      [['equal("phone", [""])', 'limit(1)'], ['alice']],
      [['startsWith("name", ["bo"])'], ['bob']],
      [['{"method":"notEqual","attribute":"name","values":["bob Lamp"]}'], ['alice', 'carla']],
      [
        ['orderDesc("")', 'limit(2)'],
        ['carla', 'bob'],
      ],
      [
        ['orderDesc("email")', 'offset(1)'],
        ['bob', 'alice'],
      ],
      [
        ['orderAsc("phone")', 'orderDesc("registration")'],
        ['carla', 'bob', 'alice'],
      ],
      [['cursorAfter("alice")', 'limit(1)'], ['bob']],
      [['cursorBefore("carla")', 'orderDesc("name")'], []],
      [
        ['greaterThan("passwordUpdate", ["2020-01-01T00:00:00.000+00:00"])'],
        ['alice', 'bob', 'carla'],
      ],
    ]
    for (const [queries, found] of cases)
      expect([queries, emails(await list(...queries))]).toEqual([queries, found])
    for (const [search, found] of [
      ['LAMP', 3],
      ['carla@', 1],
      ['%', 0],
      ["' or 1=1 --", 0],
    ] as const) {
      expect([
        search,
        (await asKey(blog, 'GET', `/users?search=${encodeURIComponent(search)}`)).body.total,
      ]).toEqual([search, found])
    }
    expect((await asKey(blog, 'GET', '/users?total=false')).body).toMatchObject({
      total: 0,
      users: [{}, {}, {}],
    })
  })

  test('cannot be queried by secrets, nor by a malformed query', async () => {
    await using blog = await makeTestBlog()
    for (const query of [
      'startsWith("passwordHash", ["$argon"])',
      'equal("password", [""])',
      'orderAsc("secretHash")',
      'select(["email"])',
      'search("secretHash", ["a"])',
    ]) {
      expect(
        (await asKey(blog, 'GET', `/users?queries[0]=${encodeURIComponent(query)}`)).body,
      ).toMatchObject(BAD)
    }
    expect((await asKey(blog, 'GET', '/users?queries[0]=nonsense')).body).toMatchObject({
      code: 400,
      type: 'general_query_invalid',
    })
    expect((await asKey(blog, 'GET', `/users?search=${'a'.repeat(257)}`)).body).toMatchObject(BAD)
    expect((await asKey(blog, 'GET', '/users?search=%00')).body).toMatchObject(BAD)
  })
})
