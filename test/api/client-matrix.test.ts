// One published web client of each major, unmodified, uses every call of a blog on one shared
// server. clients.test.ts checks the details; here each client only has to succeed.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { tagsOf } from '#test/support/client-packages.ts'
import type { ImageFile } from '#test/support/clients.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { type PostCalls, WEB_CLIENTS, type WebClient } from '#test/support/web-clients.ts'

const MIB = 1024 * 1024
const GUEST = { code: 401, type: 'general_unauthorized_scope' }
/** These clients send the last chunk in three different ways. */
const UPLOAD_IN_CHUNKS = ['appwrite-10', 'appwrite-16', 'appwrite-newest']
const LISTENING_CLIENTS = ['appwrite-10', 'appwrite', 'appwrite-newest']

let blog: TestBlog
let bob: Person
let photo: ImageFile
let large: ImageFile

beforeAll(async () => {
  blog = await makeTestBlog()
  bob = await blog.makePerson('bob')
  photo = { name: 'harbour.jpg', type: 'image/jpeg', bytes: await drawPhoto('jpeg') }
  large = { name: 'attic.png', type: 'image/png', bytes: await drawNoise(6 * MIB) }
})
afterAll(() => {
  // Clients that have a socket log an error when the server stops.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return blog[Symbol.asyncDispose]()
})
afterEach(() => vi.unstubAllGlobals())

for (const { name, version, make } of WEB_CLIENTS)
  test(`appwrite ${version} uses every call of a blog`, { tags: tagsOf(name) }, async () => {
    const client = make(blog.url)
    const major = version.split('.')[0]
    const login = { email: `m${major}@example.test`, password: `major ${major} likes lamps` }
    const { $id: userId } = await client.signUp({ ...login, name: `Major ${major}` })
    await expect(client.whoAmI()).rejects.toMatchObject(GUEST)
    expect(await client.signIn(login)).toMatchObject({ userId, current: true })
    expect(await client.whoAmI()).toMatchObject({ $id: userId, email: login.email, prefs: {} })
    expect(await client.savePrefs({ theme: 'dark' })).toMatchObject({ prefs: { theme: 'dark' } })
    expect(plain(await client.readPrefs())).toEqual({ theme: 'dark' })

    const posts = { collectionId: client.documents, tableId: client.rows }
    for (const [idName, calls] of Object.entries(posts)) {
      if (!calls) continue
      const file = await client.upload(photo)
      expect(file).toMatchObject({ name: 'harbour.jpg', mimeType: 'image/jpeg', chunksUploaded: 1 })
      await expectImages(client.links(file.$id, `Major ${major}`))
      await writePosts(calls, { id: `${idName}-${major}`, userId, cover: file.$id, idName })
      await client.deleteFile(file.$id)
    }
    if (UPLOAD_IN_CHUNKS.includes(name)) await uploadInChunks(client)
    await client.signOut()
    await expect(client.whoAmI()).rejects.toMatchObject(GUEST)
  })

for (const { name, version, make } of WEB_CLIENTS.filter((client) =>
  LISTENING_CLIENTS.includes(client.name),
))
  test(`appwrite ${version} receives events about a post that only its user may read`, {
    tags: tagsOf(name),
  }, async () => {
    const client = make(blog.url)
    const login = { email: `listener-${version}@example.test`, password: 'the lamp is listening' }
    await client.signUp({ ...login, name: 'Listener' })
    await client.signIn(login)
    // Like a page that stores its session in local storage.
    const getItem = () => JSON.stringify({ a_session_blog: client.session() })
    vi.stubGlobal('window', { ...globalThis, localStorage: { getItem } })
    const received: string[] = []
    const stop = client.listen('documents', ({ events, payload }) => {
      received.push(`${events[0]?.split('.').at(-1)} ${payload.title}`)
    })
    const id = `listener-${version}`
    let count = 0
    const write = async () => {
      await client.documents.create(
        `${id}-${count}`,
        { title: `${count++}`, status: 'inactive' },
        [],
      )
      return received.length
    }
    await expect.poll(write, { interval: 100 }).toBeGreaterThan(0)
    stop()
    expect(received[0]).toMatch(/^create \d+$/)
  })

async function writePosts(
  posts: PostCalls,
  { id, userId, cover, idName }: { id: string; userId: string; cover: string; idName: string },
) {
  const data = { title: 'Tides', content: '<p>Low, then high.</p>', featuredImage: cover, userId }
  const permissions = ['read("any")', `update("user:${userId}")`, `delete("user:${userId}")`]
  const post = await posts.create(id, { ...data, status: 'active' }, permissions)
  expect(post).toMatchObject({
    ...data,
    $id: id,
    $permissions: permissions,
    [`$${idName}`]: 'posts',
  })
  expect(plain(await posts.get(id))).toEqual(plain(post))
  expect(plain(await posts.list(userId))).toEqual({ total: 1, posts: [plain(post)] })

  const path = `/databases/blogdb/collections/posts/documents/${id}`
  const like = { data: { like: 1, likeId: [bob.id] } }
  await blog.call('PATCH', path, { cookie: bob.cookie, body: like })
  expect(await posts.update(id, { like: 2, likeId: [bob.id, userId] })).toMatchObject({
    like: 2,
    likeId: [bob.id, userId],
  })
  // Many programs send the whole post back when they change it.
  const before = await posts.get(id)
  expect(await posts.update(id, { ...before, title: 'Tides again' })).toMatchObject({
    title: 'Tides again',
    featuredImage: cover,
    like: 2,
  })
  await posts.update(id, { status: 'inactive' })
  expect(await posts.list(userId)).toEqual({ total: 0, posts: [] })
  await posts.delete(id)
  await expect(posts.get(id)).rejects.toMatchObject({ code: 404 })
}

/** Some packages add a method to their answers. */
function plain(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer))
}

/** An image request sends no header: the project is part of its address. */
async function expectImages(links: ReturnType<WebClient['links']>) {
  const types = { preview: 'image/jpeg', view: 'image/jpeg', initials: 'image/png' }
  for (const [name, address] of Object.entries(links)) {
    const { status, headers } = await fetch(address)
    expect([name, status, headers.get('content-type')]).toEqual([
      name,
      200,
      types[name as keyof typeof types],
    ])
  }
}

async function uploadInChunks(client: WebClient) {
  const file = await client.upload(large)
  expect(file).toMatchObject({
    chunksTotal: 2,
    chunksUploaded: 2,
    sizeOriginal: large.bytes.length,
  })
  await client.deleteFile(file.$id)
}
