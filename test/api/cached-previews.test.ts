// Previews answered from memory: the answers are those of the route, and never show a file that
// has since changed, become private or been deleted.
import { describe, expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { AVATARS, CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { sendTimes } from '#test/support/raw-request.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const WEBP = { accept: 'image/webp,*/*' }
const SMALL = { width: 60, height: 40 }
const QUERY = 'width=40&height=20&output=webp&project=blog'
const GONE = { status: 404, body: { type: 'storage_file_not_found' } }

const preview = (blog: TestBlog, id: string, headers: Record<string, string> = {}) =>
  blog.call('GET', `${CONTENT}/${id}/preview?${QUERY}`, { headers: { ...WEBP, ...headers } })

/** Requests a preview twice, so that it is answered from memory from then on. */
async function cache(blog: TestBlog, id: string): Promise<void> {
  for (const _time of [1, 2]) expect((await preview(blog, id)).status).toBe(200)
}

/** The answer without the headers that differ each time. */
function comparable({ headers, ...rest }: Answer) {
  const { date, expires, 'x-request-id': id, ...comparableHeaders } = Object.fromEntries(headers)
  expect([typeof date, typeof expires, id?.length]).toEqual(['string', 'string', 20])
  return { ...rest, headers: comparableHeaders }
}

const share = shareBlog()

/** A small image by alice with a preview that is answered from memory. */
async function startWithPreview() {
  const blog = await share()
  const alice = await blog.makePerson('alice')
  const id: string = (await upload(blog, alice, await drawPhoto('png', SMALL))).body.$id
  await cache(blog, id)
  return { ...blog, alice, id, read: (headers = {}) => preview(blog, id, headers) }
}

test('an answer from memory is the answer of the route', async () => {
  const { alice, read } = await startWithPreview()
  // An origin or a session sends a request through the route.
  const viaRoute = { cookie: `a_session_blog=none; ${alice.cookie}` }
  for (const headers of [{}, { 'if-none-match': '*' }, { accept: 'image/png' }]) {
    await read(headers)
    const fromMemory = comparable(await read(headers))
    expect(fromMemory).toEqual(comparable(await read({ ...headers, ...viaRoute })))
  }
})

test('browsers without WebP get a JPEG from memory', async () => {
  const { read } = await startWithPreview()
  await read({ accept: 'image/png' })
  const { headers } = await read({ accept: 'image/png' })
  expect(headers.get('content-type')).toBe('image/jpeg')
})

test('HEAD returns the length of the whole preview', async () => {
  const { call, id, read } = await startWithPreview()
  const { bytes } = await read()
  const { headers } = await call('HEAD', `${CONTENT}/${id}/preview?${QUERY}`, { headers: WEBP })
  expect(headers.get('content-length')).toBe(String(bytes.length))
})

test('a page on another site is not allowed to read a preview', async () => {
  const { read } = await startWithPreview()
  const { status, headers } = await read({ origin: 'https://other.example' })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test('a cached preview answers only requests whose header names this project', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
  const read = (project: string) =>
    blog.call('GET', `${CONTENT}/${$id}/preview?width=40&output=webp`, {
      headers: { ...WEBP, 'x-appwrite-project': project },
    })
  const rendered = await read('blog')
  const cached = await read('blog')
  expect([rendered.status, comparable(cached).headers]).toEqual([
    200,
    { ...comparable(rendered).headers, 'x-appwrite-cache': 'hit' },
  ])
  expect(cached.bytes).toEqual(rendered.bytes)
  expect(await read('another')).toMatchObject(refusal(404, 'project_not_found'))
})

test('a preview from memory counts towards the rate limit of its address', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
  await cache(blog, $id)
  const [max] = RATE.anythingPerAddress
  const path = `/v1${CONTENT}/${$id}/preview?${QUERY}`
  await sendTimes(max, blog.url, [`GET ${path} HTTP/1.1`, `accept: ${WEBP.accept}`])
  expect(await preview(blog, $id)).toMatchObject(refusal(429, 'general_rate_limit_exceeded'))
})

for (const [kind, tags] of DATABASES)
  describe(`a preview in memory on ${kind}`, { tags }, () => {
    const shareOn = shareBlog(() => openBlogOn(kind))

    /** An image of alice that posts show in their text. */
    async function start() {
      const blog = await shareOn()
      const alice = await blog.makePerson('alice')
      const id = await blog.upload(alice)
      const content = `<p><img src="/v1${CONTENT}/${id}/view"></p>`
      const post = { title: 'A post', featuredImage: '', content }
      return {
        ...blog,
        alice,
        id,
        read: (headers = {}) => preview(blog, id, headers),
        cache: () => cache(blog, id),
        write: async (author: Person): Promise<string> =>
          (await blog.create(author, post)).body.$id,
      }
    }

    test('is answered only to its owner once the file is private', async () => {
      const { call, alice, id, read, ...blog } = await start()
      await blog.cache()
      const body = { permissions: [`read("user:${alice.id}")`] }
      await call('PUT', `${CONTENT}/${id}`, { cookie: alice.cookie, body })
      expect(await read()).toMatchObject(GONE)
      for (const _time of [1, 2]) expect((await read({ cookie: alice.cookie })).status).toBe(200)
      expect(await read()).toMatchObject(GONE)
    })

    test('is gone once its file is deleted', async () => {
      const { call, alice, id, read, ...blog } = await start()
      await blog.cache()
      await call('DELETE', `${CONTENT}/${id}`, { cookie: alice.cookie })
      expect(await read()).toMatchObject(GONE)
    })

    test('is gone once the only post that shows it is deleted', async () => {
      const { write, remove, alice, read, ...blog } = await start()
      const postId = await write(alice)
      await blog.cache()
      await remove(alice, postId)
      expect(await read()).toMatchObject(GONE)
    })

    test('is gone once only an older version of a post shows it', async () => {
      const { write, patch, alice, read, ...blog } = await start()
      const postId = await write(alice)
      await blog.cache()
      await patch(alice, postId, { content: '<p>Nothing to see</p>' })
      expect(await read()).toMatchObject(GONE)
    })

    test('is still answered while a post by another user shows it', async () => {
      const { call, write, patch, alice, read, asKey, ...blog } = await start()
      const carla = await blog.makePerson('carla')
      const postId = await write(alice)
      await write(carla)
      await blog.cache()
      await patch(alice, postId, { content: '<p>Nothing to see</p>' })
      expect((await read()).status).toBe(200)
      await blog.cache()
      await call('DELETE', `/users/${carla.id}`, asKey)
      expect(await read()).toMatchObject(GONE)
    })

    test('has a new name once its file has one', async () => {
      const { call, alice, id, read, ...blog } = await start()
      await blog.cache()
      const body = { name: 'lamp.png' }
      await call('PUT', `${CONTENT}/${id}`, { cookie: alice.cookie, body })
      const { headers } = await read()
      expect(headers.get('content-disposition')).toBe('inline; filename="lamp.webp"')
    })

    /** Alice with an avatar, the preview of which is in memory, and another image like it. */
    async function startWithAvatar() {
      const blog = await shareOn()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', SMALL)
      const uploadPhoto = async (): Promise<string> =>
        (await upload(blog, alice, photo, { bucket: AVATARS })).body.$id
      const first = await uploadPhoto()
      const second = await uploadPhoto()
      const read = (id: string) =>
        blog.call('GET', `${AVATARS}/${id}/preview?${QUERY}`, { headers: WEBP })
      const setAvatar = (avatar: string) =>
        blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body: { prefs: { avatar } } })
      await setAvatar(first)
      for (const id of [first, first, second, second]) expect((await read(id)).status).toBe(200)
      return { ...blog, alice, first, second, read, use: setAvatar }
    }

    test('is gone once another picture is the avatar', async () => {
      const { first, second, read, use } = await startWithAvatar()
      await use(second)
      expect([await read(first), (await read(second)).status]).toMatchObject([GONE, 200])
    })

    test('is gone once the user of the avatar is deleted', async () => {
      const { call, alice, first, read, asKey } = await startWithAvatar()
      await call('DELETE', `/users/${alice.id}`, asKey)
      expect(await read(first)).toMatchObject(GONE)
    })
  })
