// The list of one's own files over HTTP, the deletion of what nothing uses, and what programs do
// that delete posts and files through the API.
import { expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { AVATARS, CONTENT, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

async function listOwn(blog: TestBlog, { cookie }: Person, query = '') {
  return (await blog.call('GET', `/account/files?${query}`, { cookie })).body
}

const deleteFile = (blog: TestBlog, { cookie }: Person, id: string, bucket = CONTENT) =>
  blog.call('DELETE', `${bucket}/${id}`, { cookie, body: {} }).then(({ status }) => status)

test('the own files come with what uses them, page by page, and with the space they take', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const face = (await upload(blog, alice, photo, { bucket: AVATARS, name: 'face.png' })).body.$id
  const cover = await documents.upload(alice)
  const unused = await documents.upload(alice)
  const body = { prefs: { avatar: face } }
  await blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body })
  const content = `<p><img src="/v1/storage/buckets/content/files/${cover}/view"></p>`
  const written = { title: 'Mine', featuredImage: cover, content }
  const mine = (await documents.create(alice, written)).body.$id
  await documents.post(bob, { status: 'inactive', title: 'Secret', content })

  const first = await listOwn(blog, alice, 'limit=2')
  expect(first).toMatchObject({ total: 3, unused: 1, maxBytes: 1024 * 1024 * 1024 })
  expect(first.files).toMatchObject([
    { $id: unused, bucketId: 'content', isComplete: true, uses: [] },
    {
      $id: cover,
      uses: [
        { place: 'cover', postId: mine, title: 'Mine' },
        { place: 'body', postId: mine, title: 'Mine' },
        { place: 'elsewhere' },
      ],
    },
  ])
  const second = await listOwn(blog, alice, `limit=2&cursor=${first.next}`)
  expect(second).toMatchObject({
    next: '',
    files: [{ name: 'face.png', uses: [{ place: 'avatar' }] }],
  })
  const sizes = [...first.files, ...second.files].map((file) => file.sizeOriginal)
  expect(first.usedBytes).toBe(sizes.reduce((sum, size) => sum + size))
  expect((await listOwn(blog, alice, 'unused=true')).files).toMatchObject([{ $id: unused }])
  expect(JSON.stringify([first, second])).not.toContain('Secret')

  const removing = { cookie: alice.cookie, body: {} }
  const removed = await blog.call('DELETE', '/account/files/unused', removing)
  expect([removed.status, removed.body]).toEqual([200, { removed: 1 }])
  expect(await listOwn(blog, alice)).toMatchObject({ total: 2, unused: 0 })
  expect(await listOwn(blog, bob)).toMatchObject({ total: 1, unused: 0 })
})

test('guests have no files, and wrong values are refused', async () => {
  const blog = await sharedBlog()
  const { cookie } = await blog.makePerson('alice')
  for (const method of ['GET', 'DELETE']) {
    const path = method === 'GET' ? '/account/files' : '/account/files/unused'
    const { status, body } = await blog.call(method, path)
    expect([status, body.type]).toEqual([401, 'general_unauthorized_scope'])
  }
  for (const query of ['limit=0', 'limit=101', 'cursor=x', 'unused=maybe', 'cursor[]=1']) {
    const { status, body } = await blog.call('GET', `/account/files?${query}`, { cookie })
    expect([query, status, body.type]).toEqual([query, 400, 'general_argument_invalid'])
  }
})

test('an old avatar goes with the change of prefs, by its person or the operator', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const ids: string[] = []
  for (const _one of [1, 2, 3])
    ids.push((await upload(blog, alice, photo, { bucket: AVATARS })).body.$id)
  const change = (path: string, avatar: string | undefined, caller: object) =>
    blog.call('PATCH', path, { body: { prefs: { avatar, theme: 'dark' } }, ...caller })
  const left = async () => (await listOwn(blog, alice)).files.map(({ $id }: { $id: string }) => $id)
  await change('/account/prefs', ids[0], alice)
  await change('/account/prefs', ids[1], alice)
  expect(await left()).toEqual([ids[2], ids[1]])
  expect(await deleteFile(blog, alice, ids[0] ?? '', AVATARS)).toBe(204)
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  await change(`/users/${alice.id}/prefs`, ids[2], key)
  expect(await left()).toEqual([ids[2]])
})

test('a program deletes a post and its file, or the file and its post; another post keeps its image', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const shared = await documents.upload(alice)
  const isThere = async (id: string) =>
    (await blog.call('GET', `${CONTENT}/${id}/view`)).status === 200
  const showing = async (featuredImage: string): Promise<string> =>
    (await documents.create(alice, { title: 'A post', featuredImage })).body.$id
  const one = await showing(shared)
  const two = await showing(shared)
  await documents.remove(alice, one)
  expect([await deleteFile(blog, alice, shared), await isThere(shared)]).toEqual([204, true])
  await documents.remove(alice, two)
  expect(await isThere(shared)).toBe(false)
  expect(await deleteFile(blog, bob, shared)).toBe(404)
  expect(await deleteFile(blog, alice, shared)).toBe(204)
  const taken = await upload(blog, bob, await drawPhoto('png'), { id: shared })
  expect([taken.status, taken.body.type]).toEqual([409, 'storage_file_already_exists'])

  const cover = await documents.upload(alice)
  const three = await showing(cover)
  expect([await deleteFile(blog, alice, cover), await isThere(cover)]).toEqual([204, false])
  expect((await documents.remove(alice, three)).status).toBe(204)
})

for (const [database, tags] of DATABASES)
  test(`a file that very many posts show is listed with twenty of them on ${database}`, {
    tags,
  }, async () => {
    const postgres = database === 'PostgreSQL' ? await makePostgresDatabase() : undefined
    await using _dropping = { [Symbol.asyncDispose]: async () => postgres?.drop() }
    await using blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    const documents = makeDocuments(blog)
    const cover = await documents.upload(alice)
    const other = await documents.upload(alice)
    const content = `<p><img src="/v1/storage/buckets/content/files/${other}/view"></p>`
    for (let at = 0; at < 12; at++)
      await documents.create(alice, { title: `Post ${at}`, featuredImage: cover, content })
    for (let at = 0; at < 12; at++)
      await documents.create(alice, { title: `Late ${at}`, featuredImage: cover })
    await documents.post(bob, { content })
    const { files } = await listOwn(blog, alice)
    const uses = (id: string) => files.find((file: { $id: string }) => file.$id === id).uses
    expect(uses(cover)).toHaveLength(20)
    expect(uses(other)).toHaveLength(13)
    expect(uses(other).at(0)).toMatchObject({ place: 'body', title: 'Post 11' })
    expect(uses(other).at(-1)).toEqual({ place: 'elsewhere' })
  })

test('an avatar is used by prefs that call it another way, too', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const { $id } = (await upload(blog, alice, photo, { bucket: AVATARS, name: 'face.png' })).body
  const address = `${blog.url}/v1/storage/buckets/avatars/files/${$id}/view?project=blog`
  const usesWith = async (prefs: Record<string, unknown>) => {
    await blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body: { prefs } })
    return (await listOwn(blog, alice)).files[0].uses
  }
  const used = [{ place: 'avatar' }]
  expect(await usesWith({ theme: $id })).toEqual([])
  expect(await usesWith({ theme: 'dark', profileImageId: $id })).toEqual(used)
  expect(await usesWith({ avatar: address })).toEqual(used)
  expect(await usesWith({ avatar: '', photoURL: address })).toEqual(used)
  expect(await usesWith({ avatar: 'other', picture: $id })).toEqual([])
})
