// The list of one's own files over HTTP, the deletion of unused files, and programs that delete
// posts and files through the API.
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

/** Alice has an avatar, a cover that her post and a draft by bob show, and an unused image. */
async function startWithFiles() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const avatar = (await upload(blog, alice, photo, { bucket: AVATARS, name: 'me.png' })).body.$id
  const cover = await documents.upload(alice)
  const unused = await documents.upload(alice)
  const body = { prefs: { avatar } }
  await blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body })
  const content = `<p><img src="/v1/storage/buckets/content/files/${cover}/view"></p>`
  const post = { title: 'Mine', featuredImage: cover, content }
  const postId = (await documents.create(alice, post)).body.$id
  await documents.post(bob, { status: 'inactive', title: 'Secret', content })
  return { blog, alice, bob, cover, unused, postId }
}

test('users can list their own files page by page, with the uses of each', async () => {
  const { blog, alice, cover, unused, postId } = await startWithFiles()
  const first = await listOwn(blog, alice, 'limit=2')
  expect(first).toMatchObject({ total: 3, unused: 1 })
  expect(first.files).toMatchObject([
    { $id: unused, bucketId: 'content', isComplete: true, uses: [] },
    {
      $id: cover,
      uses: [
        { place: 'cover', postId, title: 'Mine' },
        { place: 'body', postId, title: 'Mine' },
        { place: 'elsewhere' },
      ],
    },
  ])
  expect(await listOwn(blog, alice, `limit=2&cursor=${first.next}`)).toMatchObject({
    next: '',
    files: [{ name: 'me.png', uses: [{ place: 'avatar' }] }],
  })
})

test('a use by another user does not reveal where it is', async () => {
  const { blog, alice } = await startWithFiles()
  const list = await listOwn(blog, alice)
  expect(list.files).toContainEqual(
    expect.objectContaining({ uses: expect.arrayContaining([{ place: 'elsewhere' }]) }),
  )
  expect(JSON.stringify(list)).not.toContain('Secret')
})

test('the list contains how much space all files take, and how much is allowed', async () => {
  const { blog, alice } = await startWithFiles()
  const { files, usedBytes, maxBytes } = await listOwn(blog, alice)
  const sizes: number[] = files.map(({ sizeOriginal }: { sizeOriginal: number }) => sizeOriginal)
  expect(usedBytes).toBe(sizes.reduce((sum, size) => sum + size))
  expect(maxBytes).toBe(1024 * 1024 * 1024)
})

test('unused files are listed separately, and deleted together', async () => {
  const { blog, alice, bob, unused } = await startWithFiles()
  expect((await listOwn(blog, alice, 'unused=true')).files).toMatchObject([{ $id: unused }])
  const { status, body } = await blog.call('DELETE', '/account/files/unused', {
    cookie: alice.cookie,
    body: {},
  })
  expect([status, body]).toEqual([200, { removed: 1 }])
  expect(await listOwn(blog, alice)).toMatchObject({ total: 2, unused: 0 })
  expect(await listOwn(blog, bob)).toMatchObject({ total: 1, unused: 0 })
})

test('guests have no files, and invalid values are refused', async () => {
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

test('an old avatar is deleted when its user or the operator changes the prefs', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const ids: string[] = []
  for (const _ of [1, 2, 3])
    ids.push((await upload(blog, alice, photo, { bucket: AVATARS })).body.$id)
  const change = (path: string, avatar: string | undefined, caller: object) =>
    blog.call('PATCH', path, { body: { prefs: { avatar, theme: 'dark' } }, ...caller })
  const fileIds = async () =>
    (await listOwn(blog, alice)).files.map(({ $id }: { $id: string }) => $id)
  await change('/account/prefs', ids[0], alice)
  await change('/account/prefs', ids[1], alice)
  expect(await fileIds()).toEqual([ids[2], ids[1]])
  expect(await deleteFile(blog, alice, ids[0] ?? '', AVATARS)).toBe(204)
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  await change(`/users/${alice.id}/prefs`, ids[2], key)
  expect(await fileIds()).toEqual([ids[2]])
})

/** Calls by a program that changes posts and files of alice. */
async function startProgram() {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const documents = makeDocuments(blog)
  const image = await documents.upload(alice)
  return {
    blog,
    alice,
    image,
    remove: (id: string) => documents.remove(alice, id),
    deleteImage: () => deleteFile(blog, alice, image),
    isShown: async () => (await blog.call('GET', `${CONTENT}/${image}/view`)).status === 200,
    post: async (): Promise<string> =>
      (await documents.create(alice, { title: 'A post', featuredImage: image })).body.$id,
  }
}

test('an image that a program deletes with its post stays as long as another post uses it', async () => {
  const { post, remove, deleteImage, isShown } = await startProgram()
  const first = await post()
  const second = await post()
  await remove(first)
  expect([await deleteImage(), await isShown()]).toEqual([204, true])
  await remove(second)
  expect([await isShown(), await deleteImage()]).toEqual([false, 204])
})

test('a program may delete the image first, and its post afterwards', async () => {
  const { post, remove, deleteImage, isShown } = await startProgram()
  const id = await post()
  expect([await deleteImage(), await isShown()]).toEqual([204, false])
  expect((await remove(id)).status).toBe(204)
})

test('nobody else can delete the image of a deleted post, and its ID stays taken', async () => {
  const { blog, image, post, remove, deleteImage } = await startProgram()
  const bob = await blog.makePerson('bob')
  await remove(await post())
  expect(await deleteFile(blog, bob, image)).toBe(404)
  expect(await deleteImage()).toBe(204)
  const answer = await upload(blog, bob, await drawPhoto('png'), { id: image })
  expect([answer.status, answer.body.type]).toEqual([409, 'storage_file_already_exists'])
})

for (const [database, tags] of DATABASES)
  test(`a file that is shown by very many posts is listed with twenty of these posts on ${database}`, {
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

test('an avatar is also in use when prefs name it in another key or by its address', async () => {
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
