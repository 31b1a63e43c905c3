// Two processes with separate data folders share one PostgreSQL and one bucket: either may receive
// the chunks of an upload.
// @module-tag more
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makeDisk } from '#backend/files/disk.ts'
import { makeS3 } from '#backend/files/s3.ts'
import { listNames, makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog, type Person, SAME_SECRETS, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { CONTENT } from '#test/support/files.ts'
import { drawNoise } from '#test/support/images.ts'

const CHUNK = 5 * 1024 * 1024
const DAY_MS = 24 * 3600 * 1000

let large: Buffer
beforeAll(async () => {
  large = await drawNoise(12_000_000)
})

async function openTwo() {
  await using stack = new AsyncDisposableStack()
  const { url, drop } = await makePostgresDatabase()
  stack.defer(drop)
  const config = await makeBucket()
  const env = {
    ...SAME_SECRETS,
    BLOG_DATABASE_URL: url,
    BLOG_S3_ENDPOINT: config.endpoint,
    BLOG_S3_BUCKET: config.bucket,
    BLOG_S3_ACCESS_KEY: config.accessKey,
    BLOG_S3_SECRET_KEY: config.secretKey,
  }
  const first = stack.use(await makeTestBlog(env))
  const second = stack.use(await makeTestBlog({ ...env, BLOG_PUBLIC_URL: first.url }))
  const spool = makeDisk(join(first.dataDir, 'spool'))
  const chunks = makeS3(config, { spool, prefix: 'uploads/' })
  const opened = stack.move()
  return {
    here: first,
    there: second,
    listChunks: () => listNames(chunks),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function send(blog: TestBlog, { cookie }: Person, id: string, index: number) {
  const start = index * CHUNK
  const end = Math.min((index + 1) * CHUNK, large.length)
  const body = new FormData()
  body.append('fileId', id)
  body.append('file', new File([new Uint8Array(large.subarray(start, end))], 'attic.png'))
  body.append('permissions[]', 'read("any")')
  const headers = {
    'content-range': `bytes ${start}-${end - 1}/${large.length}`,
    'x-appwrite-id': id,
  }
  return await blog.call('POST', CONTENT, { cookie, body, headers })
}

describe.skipIf(!inject('hasS3'))('an upload through two hosts', () => {
  test('is complete, whichever host received which chunk, and leaves no chunk on either', async () => {
    await using blogs = await openTwo()
    const alice = await blogs.here.makePerson('alice')
    expect((await send(blogs.here, alice, 'attic', 0)).body).toMatchObject({ chunksUploaded: 1 })
    expect((await send(blogs.there, alice, 'attic', 2)).body).toMatchObject({ chunksUploaded: 1 })
    expect((await blogs.listChunks()).length).toBe(2)
    const last = await send(blogs.there, alice, 'attic', 1)
    expect(last).toMatchObject({ status: 201, body: { chunksUploaded: 3 } })
    for (const blog of [blogs.here, blogs.there]) {
      const view = await blog.call('GET', `${CONTENT}/attic/view?project=blog`)
      expect(view.bytes.equals(large)).toBe(true)
      expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
    }
    await expect.poll(blogs.listChunks).toEqual([])
  })

  test('stores each chunk once when both hosts receive it twice at the same time', async () => {
    await using blogs = await openTwo()
    const alice = await blogs.here.makePerson('alice')
    await send(blogs.here, alice, 'attic', 0)
    const answers = await Promise.all(
      [blogs.here, blogs.there, blogs.here, blogs.there].map((blog) =>
        send(blog, alice, 'attic', 1),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    await expect.poll(async () => (await blogs.listChunks()).length).toBe(2)
    const last = await Promise.all(
      [blogs.here, blogs.there].map((blog) => send(blog, alice, 'attic', 2)),
    )
    // A chunk that arrives after the file is complete is answered 409.
    for (const { status } of last) expect([201, 409]).toContain(status)
    expect(last.some(({ body }) => body.chunksUploaded === 3)).toBe(true)
    const view = await blogs.there.call('GET', `${CONTENT}/attic/view?project=blog`)
    expect(view.bytes.equals(large)).toBe(true)
    await expect.poll(blogs.listChunks).toEqual([])
  })

  test('leaves no chunk in the bucket when it is never finished or its user is deleted', async () => {
    await using blogs = await openTwo()
    const alice = await blogs.here.makePerson('alice')
    const bob = await blogs.here.makePerson('bob')
    await send(blogs.here, alice, 'attic', 0)
    await send(blogs.there, bob, 'cellar', 0)
    await blogs.there.call('DELETE', `/users/${bob.id}`, {
      headers: { 'x-appwrite-key': blogs.there.apiKey },
    })
    await expect.poll(async () => (await blogs.listChunks()).length).toBe(1)
    blogs.there.passTime(DAY_MS + 1000)
    const { cookie } = alice
    const session = await blogs.there.call('GET', '/account', { cookie })
    expect(session.status).toBe(200)
    // Expired chunks are deleted at the next upload by their user, and by the daily sweep.
    await send(blogs.there, alice, 'roof', 0)
    await expect.poll(async () => (await blogs.listChunks()).length).toBe(1)
    expect((await blogs.here.call('GET', `${CONTENT}/attic`, { cookie })).status).toBe(404)
  })
})
