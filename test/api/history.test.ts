// Versions and deleted posts over HTTP: paths, answers, refusals.
import { expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { CONTENT } from '#test/support/files.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const DELETED = '/databases/blogdb/collections/posts/deleted'

const asKey = (blog: TestBlog) => ({ headers: { 'x-appwrite-key': blog.apiKey } })

/** A post by alice with two versions. */
async function startWithVersions() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const documents = makeDocuments(blog)
  const id = await documents.post(alice, { title: 'One', content: '<p>one</p>' })
  await documents.patch(alice, id, { title: 'Two', content: '<p>two</p>' })
  const versions = `${DOCUMENTS}/${id}/versions`
  const listed = await blog.call('GET', versions, alice)
  const first = `${versions}/${listed.body.versions[1].$id}`
  return { ...blog, ...documents, alice, id, versions, listed, first }
}

test('the versions of a post are listed with how much each changed, and without texts', async () => {
  const { listed } = await startWithVersions()
  expect(listed.status).toBe(200)
  expect(listed.body).toMatchObject({
    total: 2,
    versions: [
      { kind: 'published', title: 'Two', words: 1, wordsAdded: 1, wordsRemoved: 1 },
      { kind: 'published', title: 'One', restoredFrom: '' },
    ],
  })
  expect(JSON.stringify(listed.body)).not.toContain('content')
})

test('a version is returned with its text, and one that does not exist is not found', async () => {
  const { call, alice, versions, first } = await startWithVersions()
  const { status, body } = await call('GET', first, alice)
  expect([status, body.content]).toEqual([200, '<p>one</p>'])
  const missing = await call('GET', `${versions}/none`, alice)
  expect([missing.status, missing.body.type]).toEqual([404, 'document_not_found'])
})

test('other users can neither list, read nor restore versions, and get the refusal of a write', async () => {
  const { call, get, makePerson, id, versions, first } = await startWithVersions()
  const bob = await makePerson('bob')
  for (const [method, path] of [
    ['GET', versions],
    ['GET', first],
    ['POST', `${first}/restore`],
  ] as const)
    for (const caller of [bob, {}]) {
      const { status, body } = await call(method, path, { ...caller })
      expect([status, body.type]).toEqual([401, 'user_unauthorized'])
    }
  expect((await get(undefined, id)).body).toMatchObject({ title: 'Two', content: '<p>two</p>' })
})

test('restoring a version brings back the post’s text and creates a new version', async () => {
  const blog = await startWithVersions()
  const { call, alice, versions, first } = blog
  const { status, body } = await call('POST', `${first}/restore`, { ...alice, body: {} })
  expect([status, body.title, body.content]).toEqual([200, 'One', '<p>one</p>'])
  expect((await call('GET', versions, asKey(blog))).body.total).toBe(3)
})

test('a draft that is saved automatically creates autosaved versions', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const documents = makeDocuments(blog)
  const id = await documents.post(alice, { status: 'inactive' })
  for (const content of ['<p>a</p>', '<p>a b</p>', '<p>a b c</p>']) {
    const { status } = await documents.patch(alice, id, { content }, { autosave: true })
    expect(status).toBe(200)
  }
  const { body } = await blog.call('GET', `${DOCUMENTS}/${id}/versions`, alice)
  expect(body.versions.map(({ kind }: { kind: string }) => kind)).toEqual(['autosaved', 'draft'])
  const invalid = await documents.patch(alice, id, { content: 'x' }, { autosave: 'yes' })
  expect([invalid.status, invalid.body.type]).toEqual([400, 'general_argument_invalid'])
})

/** A deleted post by alice with an image; bob had liked the post. */
async function startWithDeleted() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const featuredImage = await documents.upload(alice)
  const image = `${CONTENT}/${featuredImage}`
  const id = await documents.post(alice, { title: 'One', featuredImage })
  await documents.like(bob, id, [bob.id])
  expect((await documents.remove(alice, id)).status).toBe(204)
  const { body: page } = await blog.call('GET', `${DELETED}?limit=1`, alice)
  return {
    ...blog,
    ...documents,
    alice,
    bob,
    id,
    featuredImage,
    image,
    page,
    path: `${DELETED}/${page.deleted[0].$id}`,
    viewStatus: async (caller: object) =>
      (await blog.call('GET', `${image}/view`, { ...caller })).status,
  }
}

test('only its author can see a deleted post in the list', async () => {
  const { call, get, alice, bob, id, page } = await startWithDeleted()
  expect(page).toMatchObject({ total: 1, next: '', deleted: [{ postId: id, title: 'One' }] })
  expect((await get(alice, id)).status).toBe(404)
  expect((await call('GET', DELETED)).status).toBe(401)
  expect((await call('GET', DELETED, bob)).body).toMatchObject({ total: 0, deleted: [] })
})

test('a list of deleted posts with a wrong limit, cursor or author is refused', async () => {
  const { call, alice } = await startWithDeleted()
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'userid=%20'])
    expect((await call('GET', `${DELETED}?${query}`, alice)).status).toBe(400)
})

test('only its author can see the image of a deleted post', async () => {
  const { call, alice, bob, image, viewStatus } = await startWithDeleted()
  expect([await viewStatus(bob), await viewStatus({}), await viewStatus(alice)]).toEqual([
    404, 404, 200,
  ])
  for (const method of ['PUT', 'DELETE'])
    expect((await call(method, image, { ...bob, body: {} })).status).toBe(404)
  expect(await viewStatus(alice)).toBe(200)
})

test('a deleted post is restored as a draft with its likes, but only by its author', async () => {
  const { call, get, alice, bob, id, path } = await startWithDeleted()
  expect((await call('POST', `${path}/restore`, { ...bob, body: {} })).status).toBe(404)
  expect((await get(alice, id)).status).toBe(404)
  const restored = await call('POST', `${path}/restore`, { ...alice, body: {} })
  expect([restored.status, restored.body]).toMatchObject([
    200,
    { $id: id, status: 'inactive', like: 1, likeId: [bob.id] },
  ])
})

test('a deleted post is restored with its image, even if a program has deleted the image', async () => {
  const blog = await startWithDeleted()
  const { call, alice, bob, image, featuredImage, path, viewStatus } = blog
  expect((await call('DELETE', image, { ...alice, body: {} })).status).toBe(204)
  expect(await viewStatus(alice)).toBe(200)
  const restored = await call('POST', `${path}/restore`, { ...alice, body: {} })
  expect(restored.body).toMatchObject({ featuredImage })
  expect(await viewStatus(bob)).toBe(200)
})

test('erasing a deleted post deletes its image, too', async () => {
  const { call, alice, image, path, viewStatus } = await startWithDeleted()
  expect((await call('DELETE', path, { ...alice, body: {} })).status).toBe(204)
  expect((await call('GET', DELETED, alice)).body).toMatchObject({ total: 0, deleted: [] })
  expect(await viewStatus(alice)).toBe(404)
  expect((await call('DELETE', image, { ...alice, body: {} })).status).toBe(204)
})
