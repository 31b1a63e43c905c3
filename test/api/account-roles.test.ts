// Account roles and the site settings of operators: what a guest, a reader, an author, an operator,
// a blocked user and the API key may do, and that a blog always has an operator.
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { Person, TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'

const DOCUMENTS = '/databases/blogdb/collections/posts/documents'

function setRole(blog: TestBlog, { id }: Person, role: string) {
  const headers = { 'x-appwrite-key': blog.apiKey }
  return blog.call('PUT', `/users/${id}/labels`, { headers, body: { labels: [role] } })
}

function write(blog: TestBlog, { cookie }: { cookie?: string }, title = 'A post') {
  const body = { documentId: 'unique()', data: { title, content: '<p>text</p>' } }
  return blog.call('POST', DOCUMENTS, { ...(cookie ? { cookie } : {}), body })
}

test('an operator who loses the role while the request body is being sent changes nothing', async () => {
  await using blog = await openBlogOn('SQLite')
  const { alice, bob } = blog
  const dave = await blog.makePerson('dave')
  for (const person of [alice, dave]) await setRole(blog, person, 'operator')
  const body = JSON.stringify({ role: 'operator' })
  const sending = request(`${blog.url}/v1/users/${bob.id}/role`, {
    method: 'PATCH',
    headers: {
      'x-appwrite-project': 'blog',
      'content-type': 'application/json',
      cookie: dave.cookie,
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  const response = once(sending, 'response')
  const continued = once(sending, 'continue')
  sending.flushHeaders()
  await continued
  await setRole(blog, dave, 'author')
  sending.end(body)
  const [{ statusCode }] = await response
  expect(statusCode).toBe(401)
  expect((await blog.call('GET', `/users/${bob.id}`, blog.asKey)).body.labels).toEqual(['author'])
})

for (const [kind, tags] of DATABASES) {
  test(`only operators and the key can read and change site settings on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn(kind)
    const { alice, bob } = blog
    const carol = await blog.makePerson('carol')
    const dave = await blog.makePerson('dave')
    await setRole(blog, alice, 'operator')
    await setRole(blog, carol, 'reader')
    await setRole(blog, dave, 'operator')
    await blog.call('PATCH', `/users/${dave.id}/status`, { ...blog.asKey, body: { status: false } })
    for (const [name, options, status] of [
      ['guest', {}, 401],
      ['reader', { cookie: carol.cookie }, 401],
      ['author', { cookie: bob.cookie }, 401],
      ['blocked operator', { cookie: dave.cookie }, 401],
      ['operator', { cookie: alice.cookie }, 200],
      ['key', blog.asKey, 200],
    ] as const) {
      const read = await blog.call('GET', '/site', options)
      const set = await blog.call('PATCH', '/site', { ...options, body: { about: name } })
      expect([name, read.status, set.status]).toEqual([name, status, status])
    }
    expect((await blog.call('GET', '/site', blog.asKey)).body.about).toBe('key')
  })

  test(`users who become readers cannot write posts from the next request on, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn(kind)
    const { alice } = blog
    const first = await write(blog, alice)
    expect(first.status).toBe(201)
    await setRole(blog, alice, 'reader')
    for (const answer of [
      await write(blog, alice),
      await blog.call('PATCH', `${DOCUMENTS}/${first.body.$id}`, {
        cookie: alice.cookie,
        body: { data: { title: 'Other' } },
      }),
    ])
      expect([answer.status, answer.body.type]).toEqual([403, 'user_is_reader'])
    const like = { data: { like: 1, likeId: [alice.id] } }
    expect(
      (
        await blog.call('PATCH', `${DOCUMENTS}/${first.body.$id}`, {
          cookie: alice.cookie,
          body: like,
        })
      ).status,
    ).toBe(200)
    await setRole(blog, alice, 'author')
    expect((await write(blog, alice)).status).toBe(201)
  })

  test(`when two operators demote each other at once on ${kind}, one remains an operator`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn(kind)
    const { alice, bob } = blog
    for (const person of [alice, bob]) await setRole(blog, person, 'operator')
    const answers = await Promise.all([
      setRole(blog, alice, 'author'),
      setRole(blog, bob, 'author'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
}

test('the last operator cannot lose the role, be blocked or be deleted', async () => {
  await using blog = await openBlogOn('SQLite')
  const { alice, asKey } = blog
  await setRole(blog, alice, 'operator')
  const calls = [
    setRole(blog, alice, 'reader'),
    blog.call('PATCH', `/users/${alice.id}/status`, { ...asKey, body: { status: false } }),
    blog.call('DELETE', `/users/${alice.id}`, asKey),
    blog.call('PATCH', '/account/status', { cookie: alice.cookie }),
    blog.call('DELETE', '/account', { cookie: alice.cookie, body: { password: alice.password } }),
  ]
  for (const { status, body } of await Promise.all(calls))
    expect([status, body.type]).toEqual([409, 'user_last_operator'])
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).body.labels).toEqual([
    'operator',
  ])
})

test('a site setting applies to new accounts from the next request on, however they are created', async () => {
  await using blog = await openBlogOn('SQLite')
  const set = (body: object) => blog.call('PATCH', '/site', { ...blog.asKey, body })
  await set({ newRole: 'reader' })
  const eve = await blog.makePerson('eve')
  expect((await write(blog, eve)).body.type).toBe('user_is_reader')
  const created = await blog.call('POST', '/users', {
    ...blog.asKey,
    body: { userId: 'unique()', email: 'fay@example.test' },
  })
  expect(created.body.labels).toEqual(['reader'])
  await set({ registration: 'invitation' })
  await expect(blog.makePerson('gus')).rejects.toThrow('user_count_exceeded')
  expect((await set({ registration: 'never' })).status).toBe(400)
  expect((await set({})).body.type).toBe('document_missing_data')
})
