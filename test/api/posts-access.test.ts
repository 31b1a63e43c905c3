// Who may do what with documents, over real HTTP, and what must not have happened otherwise.
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

/** For tests that count no posts. */
const share = shareBlog(() => start())

describe('who may do what', () => {
  test('with an active post', async () => {
    await using blog = await start()
    const { alice, bob } = blog
    const id = await blog.post(alice)
    for (const caller of [undefined, alice, bob, 'key'] as const) {
      expect((await blog.get(caller, id)).status).toBe(200)
      expect((await blog.list(caller)).body.total).toBe(1)
    }
    const before = await blog.everything()
    for (const caller of [undefined, bob]) {
      for (const data of [
        { title: 'x' },
        { content: 'x' },
        { status: 'inactive' },
        { featuredImage: 'x' },
        { userid: bob.id },
        { title: 'A post' },
        { foo: 1 },
      ]) {
        expect(await blog.patch(caller, id, data)).toMatchObject(refusal(401, 'user_unauthorized'))
      }
      expect(await blog.patch(caller, id, {}, { permissions: [] })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
      expect(await blog.patch(caller, id, { title: 'x', like: 1, likeId: [bob.id] })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
      expect(await blog.remove(caller, id)).toMatchObject(refusal(401, 'user_unauthorized'))
    }
    expect(await blog.everything()).toEqual(before)
    expect((await blog.patch('key', id, { title: 'by key' })).body).toMatchObject({
      title: 'by key',
      userid: alice.id,
    })
    expect((await blog.remove('key', id)).status).toBe(204)
  })

  test('an inactive post is for its owner and the key; to others it looks missing, byte for byte', async () => {
    await using blog = await start()
    const { alice, bob } = blog
    const id = await blog.post(alice, { status: 'inactive' })
    const shown = await blog.post(alice)
    const before = await blog.everything()
    for (const caller of [undefined, bob]) {
      for (const call of [blog.get, blog.remove]) {
        const hidden = await call(caller, id)
        expect(hidden).toMatchObject(refusal(404, 'document_not_found'))
        expect(hidden.bytes).toEqual((await call(caller, 'blog1700000000000l')).bytes)
      }
      for (const data of [{ title: 'x' }, { likeId: [bob.id] }, { like: 1, likeId: [] }]) {
        const hidden = await blog.patch(caller, id, data)
        expect(hidden).toMatchObject(refusal(404, 'document_not_found'))
        expect(hidden.bytes).toEqual((await blog.patch(caller, 'blog1700000000000l', data)).bytes)
      }
      for (const queries of [
        [],
        ['equal("status", ["inactive"])'],
        [`equal("$id", ["${id}"])`],
        ['orderDesc("$createdAt")', 'limit(1)', 'offset(1)'],
      ]) {
        const { documents, total } = (await blog.list(caller, ...queries)).body
        expect([documents.map(({ $id }: { $id: string }) => $id).includes(id), total <= 1]).toEqual(
          [false, true],
        )
      }
      expect(await blog.list(caller, `cursorAfter("${id}")`)).toMatchObject(
        refusal(400, 'general_cursor_not_found'),
      )
    }
    expect(await blog.everything()).toEqual(before)
    for (const caller of [alice, 'key'] as const) {
      expect((await blog.get(caller, id)).body.status).toBe('inactive')
      expect((await blog.list(caller, `cursorAfter("${id}")`)).body).toMatchObject({
        total: 2,
        documents: [{ $id: shown }],
      })
    }
    expect((await blog.patch(alice, shown, { status: 'inactive' })).status).toBe(200)
    expect(await blog.get(bob, shown)).toMatchObject(refusal(404, 'document_not_found'))
  })

  test('a guest writes nothing', async () => {
    const blog = await share()
    const featuredImage = await blog.upload(blog.alice)
    const before = await blog.everything()
    expect(await blog.create(undefined, { title: 'a', featuredImage })).toMatchObject(
      refusal(401, 'user_unauthorized'),
    )
    expect(
      await blog.create(undefined, { title: 'a', featuredImage, userid: blog.alice.id }),
    ).toMatchObject(refusal(401, 'user_unauthorized'))
    expect(await blog.everything()).toEqual(before)
  })

  test('the API key writes in the name of an existing person, with any image', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const featuredImage = await blog.upload(bob)
    const before = await blog.everything()
    expect(await blog.create('key', { title: 'a', featuredImage })).toMatchObject(
      refusal(400, 'document_invalid_structure'),
    )
    expect(await blog.create('key', { title: 'a', featuredImage, userid: 'nobody' })).toMatchObject(
      refusal(400, 'document_invalid_structure'),
    )
    expect(
      await blog.create('key', { title: 'a', featuredImage: 'none', userid: alice.id }),
    ).toMatchObject(refusal(400, 'document_invalid_structure'))
    expect(await blog.everything()).toEqual(before)
    const made = await blog.create('key', { title: 'a', featuredImage, userid: alice.id })
    expect(made).toMatchObject({ status: 201, body: { userid: alice.id, userName: 'alice' } })
    expect((await blog.patch(alice, made.body.$id, { title: 'mine' })).status).toBe(200)
    expect((await blog.remove(alice, made.body.$id)).status).toBe(204)
    // The image is another user's: it is kept, and readable as before.
    const view = `/storage/buckets/content/files/${featuredImage}/view?project=blog`
    expect((await blog.call('GET', view)).status).toBe(200)
    const content = `<p><img src="/v1${view}" alt=""></p>`
    const shown = await blog.create(alice, { title: 'b', content })
    expect((await blog.patch(alice, shown.body.$id, { content: '<p>gone</p>' })).status).toBe(200)
    expect((await blog.call('GET', view)).status).toBe(200)
  })

  test('permissions narrow who reads and widen nothing', async () => {
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
    const before = await blog.everything()
    for (const wide of [
      'delete("users/unverified")',
      `update("user:${bob.id}")`,
      `read("user:${bob.id}")`,
      'write("guests")',
    ]) {
      expect(await blog.patch(alice, id, { title: 'x' }, { permissions: [wide] })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
    }
    expect(await blog.everything()).toEqual(before)
  })

  test('the right of everybody to write, a default of programs, is kept as the author’s own', async () => {
    const blog = await share()
    const { alice, bob } = blog
    const asked = { permissions: ['read("any")', 'write("any")'] }
    const ownOf = (id: string) => ['read("any")', `update("user:${id}")`, `delete("user:${id}")`]
    const form = new FormData()
    form.append('fileId', 'cover')
    form.append('file', new File([new Uint8Array(await drawPhoto('png'))], 'photo.png'))
    for (const [at, text] of asked.permissions.entries()) form.append(`permissions[${at}]`, text)
    const file = await blog.call('POST', '/storage/buckets/content/files', {
      body: form,
      cookie: alice.cookie,
    })
    expect(file).toMatchObject({ status: 201, body: { $permissions: ownOf(alice.id) } })
    const made = await blog.create(alice, { title: 'a' }, { documentId: 'a', ...asked })
    expect(made).toMatchObject({ status: 201, body: { $permissions: ownOf(alice.id) } })
    const byKey = await blog.patch('key', 'a', { title: 'b' }, asked)
    expect(byKey).toMatchObject({ status: 200, body: { $permissions: ownOf(alice.id) } })
    expect((await blog.get(bob, 'a')).body.$permissions).toEqual(ownOf(alice.id))
    expect(await blog.patch(bob, 'a', { title: 'mine' })).toMatchObject(
      refusal(401, 'user_unauthorized'),
    )
    expect(await blog.remove(bob, 'a')).toMatchObject(refusal(401, 'user_unauthorized'))
    const refused = await blog.create(alice, { title: 'c' }, { permissions: ['write("guests")'] })
    expect(refused.body.message).toBe(`Permissions must be one of: (any, users, user:${alice.id})`)
  })
})

test('writes are counted per person and refused past the limit, deletions by themselves', async () => {
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

test('a write with a long body counts once for each 64 KiB of it, whether it says its length or not', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  const id = await blog.post(blog.alice)
  const left = async (content: string) => {
    const { status, headers } = await blog.patch(blog.alice, id, { content })
    return [status, headers.get('x-ratelimit-remaining')]
  }
  expect(await left('x')).toEqual([200, '118'])
  const long = `<p>${'x '.repeat(100_000)}</p>`
  expect(await left(long)).toEqual([200, '114'])
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
  expect(await left('x')).toEqual([200, '108'])
})
