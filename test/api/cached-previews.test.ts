// Previews answered from memory: the same answers as from their route, and none of a file that has
// changed, was taken back or has gone since.
import { describe, expect, test } from 'vitest'
import { RATE } from '#contract/limits.ts'
import { type Answer, makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { AVATARS, CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { sendTimes } from '#test/support/raw-request.ts'

const WEBP = { accept: 'image/webp,*/*' }
const SMALL = { width: 60, height: 40 }
const QUERY = 'width=40&height=20&output=webp&project=blog'
const GONE = { status: 404, body: { type: 'storage_file_not_found' } }

async function openBlog(database: string, env: Record<string, string> = {}) {
  const postgres = database === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const blog = await makeTestBlog({
    ...env,
    ...(postgres ? { BLOG_DATABASE_URL: postgres.url } : {}),
  })
  return {
    ...blog,
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await postgres?.drop()
    },
  }
}

const preview = (blog: TestBlog, id: string, headers: Record<string, string> = {}) =>
  blog.call('GET', `${CONTENT}/${id}/preview?${QUERY}`, { headers: { ...WEBP, ...headers } })

/** Asked for twice: from now on it is answered from memory. */
async function keep(blog: TestBlog, id: string): Promise<void> {
  for (const _time of [1, 2]) expect((await preview(blog, id)).status).toBe(200)
}

/** Without what differs from one answer to the next. */
function comparable({ headers, ...rest }: Answer) {
  const { date, expires, 'x-request-id': id, ...same } = Object.fromEntries(headers)
  expect([typeof date, typeof expires, id?.length]).toEqual(['string', 'string', 20])
  return { ...rest, headers: same }
}

test('an answer from memory is the answer of the route, whole, unchanged and without its bytes', async () => {
  await using blog = await openBlog('SQLite')
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
  await keep(blog, $id)
  // An origin or a session sends a request through the route.
  const viaRoute = { cookie: `a_session_blog=none; ${alice.cookie}` }
  for (const more of [{}, { 'if-none-match': '*' }, { accept: 'image/png' }]) {
    await preview(blog, $id, more)
    const kept = comparable(await preview(blog, $id, more))
    expect(kept).toEqual(comparable(await preview(blog, $id, { ...more, ...viaRoute })))
  }
  expect((await preview(blog, $id, { accept: 'image/png' })).headers.get('content-type')).toBe(
    'image/jpeg',
  )
  const whole = await preview(blog, $id)
  const head = await blog.call('HEAD', `${CONTENT}/${$id}/preview?${QUERY}`, { headers: WEBP })
  expect(head.headers.get('content-length')).toBe(String(whole.bytes.length))
  const foreign = await preview(blog, $id, { origin: 'https://other.example' })
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test('where a header names the project, it must name it of what is kept, too', {
  tags: ['more'],
}, async () => {
  await using blog = await openBlog('SQLite')
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
  const ask = (project: string) =>
    blog.call('GET', `${CONTENT}/${$id}/preview?width=40&output=webp`, {
      headers: { ...WEBP, 'x-appwrite-project': project },
    })
  const made = await ask('blog')
  const kept = await ask('blog')
  expect([made.status, comparable(kept).headers]).toEqual([
    200,
    { ...comparable(made).headers, 'x-appwrite-cache': 'hit' },
  ])
  expect(kept.bytes).toEqual(made.bytes)
  expect(await ask('another')).toMatchObject(refusal(404, 'project_not_found'))
})

test('what is kept counts as any request of its address', async () => {
  await using blog = await openBlog('SQLite', { BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
  await keep(blog, $id)
  const [max] = RATE.anythingPerAddress
  const path = `/v1${CONTENT}/${$id}/preview?${QUERY}`
  await sendTimes(max, blog.url, [`GET ${path} HTTP/1.1`, `accept: ${WEBP.accept}`])
  expect(await preview(blog, $id)).toMatchObject(refusal(429, 'general_rate_limit_exceeded'))
})

for (const [database, tags] of DATABASES)
  describe(`a kept preview on ${database}`, { tags }, () => {
    test('is not shown any more once its file is taken back, deleted or only in a version', async () => {
      await using blog = await openBlog(database)
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const documents = makeDocuments(blog)
      const key = { headers: { 'x-appwrite-key': blog.apiKey } }
      const showing = (id: string) => `<p><img src="/v1${CONTENT}/${id}/view"></p>`
      const write = (author: Person, content: string) =>
        documents.create(author, { title: 'A post', featuredImage: '', content })

      const [private_, deleted, removed, inVersion, ofBob] = await Promise.all(
        Array.from({ length: 5 }, () => documents.upload(alice)),
      )
      if (!private_ || !deleted || !removed || !inVersion || !ofBob) throw new Error('No files')
      const one = (await write(alice, showing(inVersion))).body.$id
      const two = (await write(alice, showing(removed))).body.$id
      const three = (await write(alice, showing(ofBob))).body.$id
      const four = (await write(bob, showing(ofBob))).body.$id
      const all = [private_, deleted, removed, inVersion, ofBob]
      for (const id of all) await keep(blog, id)

      await blog.call('PUT', `${CONTENT}/${private_}`, {
        cookie: alice.cookie,
        body: { permissions: [`read("user:${alice.id}")`] },
      })
      expect(await preview(blog, private_)).toMatchObject(GONE)
      for (const _time of [1, 2])
        expect((await preview(blog, private_, { cookie: alice.cookie })).status).toBe(200)
      expect(await preview(blog, private_)).toMatchObject(GONE)
      await blog.call('DELETE', `${CONTENT}/${deleted}`, { cookie: alice.cookie })
      expect(await preview(blog, deleted)).toMatchObject(GONE)
      await documents.remove(alice, two)
      expect(await preview(blog, removed)).toMatchObject(GONE)
      await documents.patch(alice, one, { content: '<p>Nothing to see</p>' })
      expect(await preview(blog, inVersion)).toMatchObject(GONE)
      // The last post that shows it to others is somebody else's.
      await documents.patch(alice, three, { content: '<p>Nothing to see</p>' })
      expect((await preview(blog, ofBob)).status).toBe(200)
      await keep(blog, ofBob)
      await blog.call('DELETE', `/users/${bob.id}`, key)
      expect([four.length, await preview(blog, ofBob)]).toMatchObject([four.length, GONE])
    })

    test('is not shown any more once another picture is the avatar, or its person has gone', async () => {
      await using blog = await openBlog(database)
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', SMALL)
      const send = async () => (await upload(blog, alice, photo, { bucket: AVATARS })).body.$id
      const first = await send()
      const second = await send()
      const face = (id: string) =>
        blog.call('GET', `${AVATARS}/${id}/preview?${QUERY}`, { headers: WEBP })
      const use = (avatar: string) =>
        blog.call('PATCH', '/account/prefs', { cookie: alice.cookie, body: { prefs: { avatar } } })
      await use(first)
      for (const id of [first, first, second, second]) expect((await face(id)).status).toBe(200)
      await use(second)
      expect([await face(first), (await face(second)).status]).toMatchObject([GONE, 200])
      await blog.call('DELETE', `/users/${alice.id}`, {
        headers: { 'x-appwrite-key': blog.apiKey },
      })
      expect(await face(second)).toMatchObject(GONE)
    })

    test('has its new name once its file has one', async () => {
      await using blog = await openBlog(database)
      const alice = await blog.makePerson('alice')
      const { $id } = (await upload(blog, alice, await drawPhoto('png', SMALL))).body
      await keep(blog, $id)
      await blog.call('PUT', `${CONTENT}/${$id}`, {
        cookie: alice.cookie,
        body: { name: 'lamp.png' },
      })
      const named = await preview(blog, $id)
      expect(named.headers.get('content-disposition')).toBe('inline; filename="lamp.webp"')
    })
  })
