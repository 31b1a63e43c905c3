// Versions and deleted posts over HTTP: paths, answers, refusals.
import { expect, test } from 'vitest'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { CONTENT } from '#test/support/files.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

const DELETED = '/databases/blogdb/collections/posts/deleted'

test('versions are listed, read and brought back; others get what a write would tell them', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const id = await documents.post(alice, { title: 'One', content: '<p>one</p>' })
  await documents.patch(alice, id, { title: 'Two', content: '<p>two</p>' })
  const versions = `${DOCUMENTS}/${id}/versions`
  const listed = await blog.call('GET', versions, alice)
  expect(listed.status).toBe(200)
  expect(listed.body).toMatchObject({
    total: 2,
    versions: [
      { kind: 'published', title: 'Two', words: 1, wordsAdded: 1, wordsRemoved: 1 },
      { kind: 'published', title: 'One', restoredFrom: '' },
    ],
  })
  expect(JSON.stringify(listed.body)).not.toContain('content')
  const first = listed.body.versions[1].$id
  const one = await blog.call('GET', `${versions}/${first}`, alice)
  expect([one.status, one.body.content]).toEqual([200, '<p>one</p>'])
  for (const [method, path] of [
    ['GET', versions],
    ['GET', `${versions}/${first}`],
    ['POST', `${versions}/${first}/restore`],
  ] as const)
    for (const caller of [bob, {}]) {
      const { status, body } = await blog.call(method, path, { ...caller })
      expect([status, body.type]).toEqual([401, 'user_unauthorized'])
    }
  const none = await blog.call('GET', `${versions}/none`, alice)
  expect([none.status, none.body.type]).toEqual([404, 'document_not_found'])
  const back = await blog.call('POST', `${versions}/${first}/restore`, { ...alice, body: {} })
  expect([back.status, back.body.title, back.body.content]).toEqual([200, 'One', '<p>one</p>'])
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  expect((await blog.call('GET', versions, key)).body.total).toBe(3)
})

test('a draft that saves itself says so beside the data', async () => {
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
  const wrong = await documents.patch(alice, id, { content: 'x' }, { autosave: 'yes' })
  expect([wrong.status, wrong.body.type]).toEqual([400, 'general_argument_invalid'])
})

test('a deleted post is listed, restored and ended; a program that deletes its image destroys nothing', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const featuredImage = await documents.upload(alice)
  const image = `${CONTENT}/${featuredImage}`
  const id = await documents.post(alice, { title: 'One', featuredImage })
  await documents.like(bob, id, [bob.id])
  const isSeen = async (caller: object) =>
    (await blog.call('GET', `${image}/view`, { ...caller })).status
  expect((await documents.remove(alice, id)).status).toBe(204)
  expect((await blog.call('DELETE', image, { ...alice, body: {} })).status).toBe(204)
  expect((await documents.get(alice, id)).status).toBe(404)
  expect([await isSeen(bob), await isSeen({}), await isSeen(alice)]).toEqual([404, 404, 200])
  for (const method of ['PUT', 'DELETE'])
    expect((await blog.call(method, image, { ...bob, body: {} })).status).toBe(404)

  const { body: page } = await blog.call('GET', `${DELETED}?limit=1`, alice)
  expect(page).toMatchObject({ total: 1, next: '', deleted: [{ postId: id, title: 'One' }] })
  const path = `${DELETED}/${page.deleted[0].$id}`
  for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'userid=%20'])
    expect((await blog.call('GET', `${DELETED}?${wrong}`, alice)).status).toBe(400)
  expect((await blog.call('GET', DELETED)).status).toBe(401)
  expect((await blog.call('GET', DELETED, bob)).body.total).toBe(0)
  expect((await blog.call('POST', `${path}/restore`, { ...bob, body: {} })).status).toBe(404)
  const restored = await blog.call('POST', `${path}/restore`, { ...alice, body: {} })
  expect([restored.status, restored.body]).toMatchObject([
    200,
    { $id: id, status: 'inactive', like: 1, likeId: [bob.id], featuredImage },
  ])
  expect(await isSeen(bob)).toBe(200)

  await documents.remove(alice, id)
  const again = (await blog.call('GET', DELETED, alice)).body.deleted[0].$id
  const ended = await blog.call('DELETE', `${DELETED}/${again}`, { ...alice, body: {} })
  expect(ended.status).toBe(204)
  expect(await isSeen(alice)).toBe(404)
  expect((await blog.call('DELETE', image, { ...alice, body: {} })).status).toBe(204)
})
