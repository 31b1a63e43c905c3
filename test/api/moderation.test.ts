// Moderation over real HTTP: the operator's calls with the API key, which are refused to everybody
// else, and what each path shows of a hidden post and of a blocked user's posts.
import { expect, test } from 'vitest'
import type { Answer, Person } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { readZip } from '#test/support/zip.ts'

const share = shareBlog()

async function start() {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const key = { 'x-appwrite-key': blog.apiKey }
  const documents = makeDocuments(blog)
  return {
    ...blog,
    ...documents,
    alice,
    bob,
    hide: (id: string, hidden: unknown, options: object = { headers: key }) =>
      blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { body: { hidden }, ...options }),
    setStatus: (userId: string, status: boolean) =>
      blog.call('PATCH', `/users/${userId}/status`, { headers: key, body: { status } }),
    /** How many posts by an author the list shows to a caller. */
    countPosts: async (caller: Person | undefined, author: Person) =>
      (await documents.list(caller, `equal("userid", ["${author.id}"])`)).body.total,
  }
}

/** A post by alice that bob likes, and the answer to a guest who reads it. */
async function startWithPost() {
  const blog = await start()
  const id = await blog.post(blog.alice)
  await blog.like(blog.bob, id, [blog.bob.id])
  const before: Answer['body'] = (await blog.get(undefined, id)).body
  return { ...blog, id, before }
}

test('only the API key can hide a post', async () => {
  const { hide, get, alice, bob, id, before } = await startWithPost()
  for (const caller of [undefined, alice, bob]) {
    const options = caller ? { cookie: caller.cookie } : {}
    expect(await hide(id, true, options)).toMatchObject({
      status: 401,
      body: { type: 'general_unauthorized_scope' },
    })
  }
  expect((await get(undefined, id)).body).toEqual(before)
})

test('hiding requires true or false, and an existing post', async () => {
  const { hide, get, id, before } = await startWithPost()
  expect((await hide(id, 'yes')).body.type).toBe('general_argument_invalid')
  expect((await hide('none', true)).body.type).toBe('document_not_found')
  expect((await get(undefined, id)).body).toEqual(before)
})

test('guests and members get the same answer for a hidden post as for an unknown one', async () => {
  const { hide, get, like, countPosts, alice, bob, id } = await startWithPost()
  expect((await hide(id, true)).body).toMatchObject({ $id: id, hidden: true })
  const missing = await get(bob, 'blog1700000000000l')
  for (const caller of [undefined, bob]) {
    expect((await get(caller, id)).bytes).toEqual(missing.bytes)
    expect(await countPosts(caller, alice)).toBe(0)
    expect((await like(caller, id, [bob.id])).body.type).toBe('document_not_found')
  }
})

test('the author can read a hidden post, sees that it is hidden, and finds it in the export', async () => {
  const { call, hide, get, countPosts, alice, id } = await startWithPost()
  await hide(id, true)
  expect((await get(alice, id, 'select(["hidden"])')).body).toMatchObject({ hidden: true })
  expect(await countPosts(alice, alice)).toBe(1)
  const zip = await call('GET', '/account/export', { cookie: alice.cookie })
  const posts = (await readZip(zip.bytes)).find(({ path }) => path === 'posts.json')
  expect(JSON.parse(String(posts?.bytes))).toMatchObject([{ $id: id }])
})

test('authors cannot show a hidden post again with any attribute', async () => {
  const { hide, get, patch, alice, bob, id } = await startWithPost()
  await hide(id, true)
  for (const hidden of [false, true, null])
    expect((await patch(alice, id, { hidden })).body.type).toBe('document_invalid_structure')
  await patch(alice, id, { status: 'inactive' })
  await patch(alice, id, { status: 'active' }, { permissions: ['read("any")'] })
  expect((await get(bob, id)).status).toBe(404)
})

test('a new post cannot set whether it is hidden', async () => {
  const { create, countPosts, alice } = await start()
  const { status, body } = await create(alice, { title: 'x', hidden: false })
  expect([status, body.type]).toEqual([400, 'document_invalid_structure'])
  expect(await countPosts(alice, alice)).toBe(0)
})

test('the API key can show a hidden post again, unchanged and with its likes', async () => {
  const { hide, get, id, before } = await startWithPost()
  await hide(id, true)
  expect((await hide(id, false)).body).toMatchObject({ hidden: false, like: 1 })
  expect((await get(undefined, id)).body).toEqual(before)
})

/** Alice is blocked; her post, and a post by bob that she likes. */
async function startBlocked() {
  const blog = await startWithPost()
  const { alice, bob } = blog
  const likedId = await blog.post(bob)
  await blog.like(alice, likedId, [alice.id])
  expect((await blog.setStatus(alice.id, false)).body.status).toBe(false)
  return { ...blog, likedId }
}

test('only the API key can find the posts by a blocked user', async () => {
  const { get, like, countPosts, alice, bob, id } = await startBlocked()
  for (const caller of [undefined, bob]) {
    expect((await get(caller, id)).body.type).toBe('document_not_found')
    expect(await countPosts(caller, alice)).toBe(0)
    expect((await like(caller, id, [bob.id])).body.type).toBe('document_not_found')
  }
  expect((await get(alice, id)).body.type).toBe('document_not_found')
  expect((await get('key', id)).status).toBe(200)
})

test('the likes by a blocked user remain', async () => {
  const { get, alice, likedId } = await startBlocked()
  expect((await get(undefined, likedId)).body.likeId).toEqual([alice.id])
})

test('unblocking brings the posts back unchanged', async () => {
  const { get, setStatus, alice, id, before } = await startBlocked()
  await setStatus(alice.id, true)
  expect((await get(undefined, id)).body).toEqual(before)
})

test('users who block their own account hide its posts', async () => {
  const { call, get, alice, id } = await startWithPost()
  await call('PATCH', '/account/status', { cookie: alice.cookie, body: {} })
  expect((await get(undefined, id)).status).toBe(404)
})
