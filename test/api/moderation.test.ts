// Moderation over real HTTP: the operator's calls with the key, refused to everybody else, and what
// each path shows of a hidden post and of a blocked person's posts.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { readZip } from '#test/support/zip.ts'

async function start() {
  const blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const key = { 'x-appwrite-key': blog.apiKey }
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    bob,
    hide: (id: string, hidden: unknown, options: object = { headers: key }) =>
      blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { body: { hidden }, ...options }),
    setStatus: (userId: string, status: boolean) =>
      blog.call('PATCH', `/users/${userId}/status`, { headers: key, body: { status } }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('only the key hides a post, and shows it again as it was', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  await blog.like(bob, id, [bob.id])
  const before = await blog.get(undefined, id)
  for (const caller of [undefined, alice, bob]) {
    const options = caller ? { cookie: caller.cookie } : {}
    expect(await blog.hide(id, true, options)).toMatchObject({
      status: 401,
      body: { type: 'general_unauthorized_scope' },
    })
  }
  expect((await blog.hide(id, 'yes')).body.type).toBe('general_argument_invalid')
  expect((await blog.hide('none', true)).body.type).toBe('document_not_found')
  expect((await blog.get(undefined, id)).body).toEqual(before.body)

  expect((await blog.hide(id, true)).body).toMatchObject({ $id: id, hidden: true })
  const missing = await blog.get(bob, 'blog1700000000000l')
  for (const caller of [undefined, bob]) {
    expect((await blog.get(caller, id)).bytes).toEqual(missing.bytes)
    expect((await blog.list(caller)).body).toMatchObject({ total: 0, documents: [] })
    expect((await blog.like(caller, id, [bob.id])).body.type).toBe('document_not_found')
  }
  expect((await blog.get(alice, id, 'select(["hidden"])')).body).toMatchObject({ hidden: true })
  expect((await blog.list(alice)).body.total).toBe(1)

  for (const hidden of [false, true, null])
    expect((await blog.patch(alice, id, { hidden })).body.type).toBe('document_invalid_structure')
  expect((await blog.create(alice, { title: 'x', hidden: false })).status).toBe(400)
  await blog.patch(alice, id, { status: 'inactive' })
  await blog.patch(alice, id, { status: 'active' }, { permissions: ['read("any")'] })
  expect((await blog.get(bob, id)).status).toBe(404)
  const zip = await blog.call('GET', '/account/export', { cookie: alice.cookie })
  const posts = (await readZip(zip.bytes)).find(({ path }) => path === 'posts.json')
  expect(JSON.parse(String(posts?.bytes))).toMatchObject([{ $id: id }])

  expect((await blog.hide(id, false)).body).toMatchObject({ hidden: false, like: 1 })
  expect((await blog.get(undefined, id)).body).toMatchObject({ status: 'active', like: 1 })
})

test('a block takes the posts from view and an unblock brings them back unchanged', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(bob)
  const shown = await blog.post(alice)
  await blog.like(bob, shown, [bob.id])
  const before = (await blog.get(undefined, id)).body
  expect((await blog.setStatus(bob.id, false)).body.status).toBe(false)
  for (const caller of [undefined, alice]) {
    expect((await blog.get(caller, id)).body.type).toBe('document_not_found')
    expect((await blog.list(caller)).body.total).toBe(1)
    expect((await blog.like(caller, id, [alice.id])).body.type).toBe('document_not_found')
  }
  expect((await blog.get(bob, id)).body.type).toBe('document_not_found')
  expect((await blog.get('key', id)).status).toBe(200)
  expect((await blog.get(undefined, shown)).body.likeId).toEqual([bob.id])
  await blog.setStatus(bob.id, true)
  expect((await blog.get(undefined, id)).body).toEqual(before)
})

test('who blocks the own account takes the posts along', async () => {
  await using blog = await start()
  const id = await blog.post(blog.bob)
  await blog.call('PATCH', '/account/status', { cookie: blog.bob.cookie, body: {} })
  expect((await blog.get(undefined, id)).status).toBe(404)
})
