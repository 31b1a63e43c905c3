// Who may do what with posts over real HTTP, and that refused calls change nothing.
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

function refusal(code: number, type: string, message?: string) {
  return { status: code, body: { code, type, version: '1.4.13', ...(message ? { message } : {}) } }
}

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    bob,
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

/** For tests that do not count posts. */
const share = shareBlog(() => start())

describe('an active post', () => {
  test('can be read and listed by everybody', async () => {
    await using blog = await start()
    const { alice, bob } = blog
    const id = await blog.post(alice)
    for (const caller of [undefined, alice, bob, 'key'] as const) {
      expect((await blog.get(caller, id)).status).toBe(200)
      expect((await blog.list(caller)).body.total).toBe(1)
    }
  })

  test('can be changed and deleted only by its author', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const id = await blog.post(alice)
    const before = await blog.everything()
    const unauthorized = refusal(401, 'user_unauthorized')
    for (const caller of [undefined, bob]) {
      for (const data of [
        { title: 'x' },
        { content: 'x' },
        { status: 'inactive' },
        { featuredImage: 'x' },
        { userid: bob.id },
        { title: 'A post' },
        { foo: 1 },
        { title: 'x', like: 1, likeId: [bob.id] },
      ])
        expect(await blog.patch(caller, id, data)).toMatchObject(unauthorized)
      expect(await blog.patch(caller, id, {}, { permissions: [] })).toMatchObject(unauthorized)
      expect(await blog.remove(caller, id)).toMatchObject(unauthorized)
    }
    expect(await blog.everything()).toEqual(before)
  })

  test('can be changed and deleted with the API key, and keeps its author', async () => {
    const blog = await share()
    const { alice } = blog
    const id = await blog.post(alice)
    expect((await blog.patch('key', id, { title: 'by key' })).body).toMatchObject({
      title: 'by key',
      userid: alice.id,
    })
    expect((await blog.remove('key', id)).status).toBe(204)
    expect((await blog.get(alice, id)).status).toBe(404)
  })
})

describe('an inactive post', () => {
  async function startWithInactive() {
    const blog = await start()
    const { alice, bob } = blog
    const id = await blog.post(alice, { status: 'inactive' })
    const publicPost = await blog.post(alice)
    return { ...blog, id, shown: publicPost, others: [undefined, bob] }
  }

  test('is answered to others byte for byte like an unknown post', async () => {
    await using blog = await startWithInactive()
    const { bob, id } = blog
    const before = await blog.everything()
    const notFound = refusal(404, 'document_not_found')
    for (const caller of blog.others) {
      for (const call of [blog.get, blog.remove]) {
        const answer = await call(caller, id)
        expect(answer).toMatchObject(notFound)
        expect(answer.bytes).toEqual((await call(caller, 'blog1700000000000l')).bytes)
      }
      for (const data of [{ title: 'x' }, { likeId: [bob.id] }, { like: 1, likeId: [] }]) {
        const answer = await blog.patch(caller, id, data)
        expect(answer).toMatchObject(notFound)
        expect(answer.bytes).toEqual((await blog.patch(caller, 'blog1700000000000l', data)).bytes)
      }
    }
    expect(await blog.everything()).toEqual(before)
  })

  test('is neither listed nor counted by any query of others', async () => {
    await using blog = await startWithInactive()
    const { id, shown } = blog
    const lists: [queries: string[], expected: { total: number; documents: object[] }][] = [
      [[], { total: 1, documents: [{ $id: shown }] }],
      [['equal("status", ["inactive"])'], { total: 0, documents: [] }],
      [[`equal("$id", ["${id}"])`], { total: 0, documents: [] }],
      [['orderDesc("$createdAt")', 'limit(1)', 'offset(1)'], { total: 1, documents: [] }],
    ]
    for (const caller of blog.others) {
      for (const [queries, expected] of lists)
        expect((await blog.list(caller, ...queries)).body).toMatchObject(expected)
      expect(await blog.list(caller, `cursorAfter("${id}")`)).toMatchObject(
        refusal(400, 'general_cursor_not_found'),
      )
    }
  })

  test('can be read and listed by its author and the API key', async () => {
    await using blog = await startWithInactive()
    const { alice, id, shown } = blog
    for (const caller of [alice, 'key'] as const) {
      expect((await blog.get(caller, id)).body.status).toBe('inactive')
      expect((await blog.list(caller, `cursorAfter("${id}")`)).body).toMatchObject({
        total: 2,
        documents: [{ $id: shown }],
      })
    }
  })

  test('is not found by others as soon as its author has made it inactive', async () => {
    const blog = await share()
    const id = await blog.post(blog.alice)
    expect((await blog.get(blog.bob, id)).status).toBe(200)
    expect((await blog.patch(blog.alice, id, { status: 'inactive' })).status).toBe(200)
    expect(await blog.get(blog.bob, id)).toMatchObject(refusal(404, 'document_not_found'))
  })
})

test('a guest cannot write posts', async () => {
  const blog = await share()
  const featuredImage = await blog.upload(blog.alice)
  const before = await blog.everything()
  for (const data of [
    { title: 'a', featuredImage },
    { title: 'a', featuredImage, userid: blog.alice.id },
  ])
    expect(await blog.create(undefined, data)).toMatchObject(refusal(401, 'user_unauthorized'))
  expect(await blog.everything()).toEqual(before)
})

describe('a post that the API key writes', () => {
  const viewOf = (imageId: string) => `/storage/buckets/content/files/${imageId}/view?project=blog`

  test('requires an existing author and an existing image', async () => {
    const blog = await share()
    const featuredImage = await blog.upload(blog.bob)
    const before = await blog.everything()
    for (const data of [
      { title: 'a', featuredImage },
      { title: 'a', featuredImage, userid: 'nobody' },
      { title: 'a', featuredImage: 'none', userid: blog.alice.id },
    ])
      expect(await blog.create('key', data)).toMatchObject(
        refusal(400, 'document_invalid_structure'),
      )
    expect(await blog.everything()).toEqual(before)
  })

  test('belongs to the author that it names, and may have any image', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const data = { title: 'a', featuredImage: await blog.upload(bob), userid: alice.id }
    const answer = await blog.create('key', data)
    expect(answer).toMatchObject({ status: 201, body: { userid: alice.id, userName: 'alice' } })
    expect((await blog.patch(alice, answer.body.$id, { title: 'mine' })).status).toBe(200)
    expect((await blog.remove(alice, answer.body.$id)).status).toBe(204)
  })

  test('does not delete the image of another user when it is deleted', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const featuredImage = await blog.upload(bob)
    const answer = await blog.create('key', { title: 'a', featuredImage, userid: alice.id })
    await blog.remove(alice, answer.body.$id)
    expect((await blog.call('GET', viewOf(featuredImage))).status).toBe(200)
  })

  test('does not delete the image of another user when its text no longer shows it', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const view = viewOf(await blog.upload(bob))
    const content = `<p><img src="/v1${view}" alt=""></p>`
    const { body: post } = await blog.create(alice, { title: 'b', content })
    expect((await blog.patch(alice, post.$id, { content: '<p>gone</p>' })).status).toBe(200)
    expect((await blog.call('GET', view)).status).toBe(200)
  })
})

describe('permissions of a post', () => {
  test('restrict who can read it', async () => {
    await using blog = await start()
    const { alice, bob } = blog
    const id = await blog.post(alice, {}, { permissions: ['read("users")'] })
    expect((await blog.get(alice, id)).body.$permissions).toEqual(['read("users")'])
    expect(await blog.get(undefined, id)).toMatchObject(refusal(404, 'document_not_found'))
    expect((await blog.list(undefined)).body.total).toBe(0)
    expect((await blog.get(bob, id)).status).toBe(200)
    expect((await blog.patch(alice, id, {}, { permissions: [] })).body.$permissions).toEqual([])
    expect(await blog.get(bob, id)).toMatchObject(refusal(404, 'document_not_found'))
    expect((await blog.patch(alice, id, { title: 'still mine' })).status).toBe(200)
  })

  test('cannot allow others to write it', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const id = await blog.post(alice, {}, { permissions: [] })
    const before = await blog.everything()
    for (const permission of [
      'delete("users/unverified")',
      `update("user:${bob.id}")`,
      `read("user:${bob.id}")`,
      'write("guests")',
    ])
      expect(
        await blog.patch(alice, id, { title: 'x' }, { permissions: [permission] }),
      ).toMatchObject(refusal(401, 'user_unauthorized'))
    expect(await blog.everything()).toEqual(before)
  })
})

describe('a permission for everybody to write, which programs send by default', () => {
  const permissions = ['read("any")', 'write("any")']
  const authorPermissions = (id: string) => [
    'read("any")',
    `update("user:${id}")`,
    `delete("user:${id}")`,
  ]

  test('is stored for an image as the permission of its uploader', async () => {
    const blog = await share()
    const form = new FormData()
    form.append('fileId', 'unique()')
    form.append('file', new File([new Uint8Array(await drawPhoto('png'))], 'photo.png'))
    for (const [at, permission] of permissions.entries())
      form.append(`permissions[${at}]`, permission)
    const file = await blog.call('POST', '/storage/buckets/content/files', {
      body: form,
      cookie: blog.alice.cookie,
    })
    expect(file).toMatchObject({
      status: 201,
      body: { $permissions: authorPermissions(blog.alice.id) },
    })
  })

  test('is stored for a post as the permission of its author, so that others cannot write it', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const answer = await blog.create(alice, { title: 'a' }, { permissions })
    expect(answer).toMatchObject({
      status: 201,
      body: { $permissions: authorPermissions(alice.id) },
    })
    const { $id } = answer.body
    const byKey = await blog.patch('key', $id, { title: 'b' }, { permissions })
    expect(byKey).toMatchObject({
      status: 200,
      body: { $permissions: authorPermissions(alice.id) },
    })
    expect((await blog.get(bob, $id)).body).toEqual(byKey.body)
    const unauthorized = refusal(401, 'user_unauthorized')
    expect(await blog.patch(bob, $id, { title: 'mine' })).toMatchObject(unauthorized)
    expect(await blog.remove(bob, $id)).toMatchObject(unauthorized)
    expect((await blog.get(bob, $id)).body).toEqual(byKey.body)
  })

  test('the refusal of other permissions names those that are allowed', async () => {
    const blog = await share()
    const { alice } = blog
    const { body } = await blog.create(alice, { title: 'c' }, { permissions: ['write("guests")'] })
    expect(body.message).toBe(`Permissions must be one of: (any, users, user:${alice.id})`)
  })
})

test('writes are counted per user and refused beyond a limit, and deletions have a limit of their own', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  const id = await blog.post(blog.alice)
  let last: Answer | undefined
  for (let call = 0; call < 130 && last?.status !== 429; call++)
    last = await blog.like(blog.alice, id, [blog.alice.id])
  expect(last).toMatchObject(refusal(429, 'general_rate_limit_exceeded'))
  expect(last?.headers.get('x-ratelimit-limit')).toBe('120')
  expect(last?.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await blog.like(blog.alice, id, [])).toMatchObject({ status: 429 })
  expect((await blog.get(undefined, id)).body).toMatchObject({ like: 1, likeId: [blog.alice.id] })
  expect((await blog.like(blog.bob, id, [blog.bob.id])).status).toBe(200)
  expect((await blog.remove(blog.alice, id)).headers.get('x-ratelimit-limit')).toBe('60')
})

test('a write counts once for each 64 KiB of its body, with or without a content-length', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  const id = await blog.post(blog.alice)
  const remaining = async (content: string) => {
    const { status, headers } = await blog.patch(blog.alice, id, { content })
    return [status, headers.get('x-ratelimit-remaining')]
  }
  expect(await remaining('x')).toEqual([200, '118'])
  const long = `<p>${'x '.repeat(100_000)}</p>`
  expect(await remaining(long)).toEqual([200, '114'])
  const streamed = {
    method: 'PATCH',
    duplex: 'half',
    body: new Blob([JSON.stringify({ data: { content: long } })]).stream(),
    headers: {
      cookie: blog.alice.cookie,
      'x-appwrite-project': 'blog',
      'content-type': 'application/json',
    },
  }
  const url = `${blog.url}/v1/databases/blogdb/collections/posts/documents/${id}`
  expect((await fetch(url, streamed)).status).toBe(200)
  expect(await remaining('x')).toEqual([200, '108'])
})
