// The operator's list of users over HTTP (api.md §6).
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const BAD = { code: 400, type: 'general_argument_invalid' }

const asKey = (blog: TestBlog, method: string, path: string, body?: unknown) =>
  blog.call(method, path, {
    headers: { 'x-appwrite-key': blog.apiKey },
    ...(body === undefined ? {} : { body }),
  })

const emails = ({ body }: { body: { users: { email: string }[] } }) =>
  body.users.map(({ email }) => email.split('@')[0])

describe('the list of users', () => {
  /** Alice, bob, who is blocked, and carla, whose address is confirmed. */
  const share = shareBlog(async () => {
    const blog = await makeTestBlog()
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
    const list = (...queries: string[]) => {
      const params = queries.map((query, at) => `queries[${at}]=${encodeURIComponent(query)}`)
      return asKey(blog, 'GET', `/users?${params.join('&')}`)
    }
    return { ...blog, list }
  })

  test('has all attributes of each person, and no secrets', async () => {
    const { list } = await share()
    const { body } = await list()
    expect(Object.keys(body.users[0])).toEqual([
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
    expect(body.users[0]).toMatchObject({ password: '', hash: '', hashOptions: {} })
  })

  test('has everybody in the order of registration, with a total unless that is declined', async () => {
    const blog = await share()
    const all = await blog.list()
    expect(all.body.total).toBe(3)
    expect(emails(all)).toEqual(['alice', 'bob', 'carla'])
    expect((await asKey(blog, 'GET', '/users?total=false')).body).toMatchObject({
      total: 0,
      users: [{}, {}, {}],
    })
  })

  test.each<[queries: string[], expected: string[]]>([
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
  ])('the queries %j find %j', async (queries, expected) => {
    const { list } = await share()
    expect(emails(await list(...queries))).toEqual(expected)
  })

  test.each([
    ['LAMP', 3],
    ['carla@', 1],
    ['%', 0],
    ["' or 1=1 --", 0],
  ])('a search for %j finds %i people', async (search, expected) => {
    const blog = await share()
    const path = `/users?search=${encodeURIComponent(search)}`
    expect((await asKey(blog, 'GET', path)).body.total).toBe(expected)
  })

  test('accepts no queries about secrets', async () => {
    const { list } = await share()
    for (const query of [
      'startsWith("passwordHash", ["$argon"])',
      'equal("password", [""])',
      'orderAsc("secretHash")',
      'select(["email"])',
      'search("secretHash", ["a"])',
    ])
      expect((await list(query)).body).toMatchObject(BAD)
  })

  test('refuses an invalid query, and a search that is too long or not a text', async () => {
    const blog = await share()
    expect((await asKey(blog, 'GET', '/users?queries[0]=nonsense')).body).toMatchObject({
      code: 400,
      type: 'general_query_invalid',
    })
    for (const search of ['a'.repeat(257), '%00'])
      expect((await asKey(blog, 'GET', `/users?search=${search}`)).body).toMatchObject(BAD)
  })
})
