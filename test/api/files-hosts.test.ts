// Two processes with data folders of their own, on one PostgreSQL and one bucket: the chunks of an
// upload may come through either.
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
  await using making = new AsyncDisposableStack()
  const { url, drop } = await makePostgresDatabase()
  making.defer(drop)
  const config = await makeBucket()
  const env = {
    ...SAME_SECRETS,
    BLOG_DATABASE_URL: url,
    BLOG_S3_ENDPOINT: config.endpoint,
    BLOG_S3_BUCKET: config.bucket,
    BLOG_S3_ACCESS_KEY: config.accessKey,
    BLOG_S3_SECRET_KEY: config.secretKey,
  }
  const here = making.use(await makeTestBlog(env))
  const there = making.use(await makeTestBlog({ ...env, BLOG_PUBLIC_URL: here.url }))
  const spool = makeDisk(join(here.dataDir, 'spool'))
  const chunks = makeS3(config, { spool, prefix: 'uploads/' })
  const opened = making.move()
  return {
    here,
    there,
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
  test('is whole, whichever of them got which chunk, and leaves nothing on either', async () => {
    await using it = await openTwo()
    const alice = await it.here.makePerson('alice')
    expect((await send(it.here, alice, 'attic', 0)).body).toMatchObject({ chunksUploaded: 1 })
    expect((await send(it.there, alice, 'attic', 2)).body).toMatchObject({ chunksUploaded: 1 })
    expect((await it.listChunks()).length).toBe(2)
    const last = await send(it.there, alice, 'attic', 1)
    expect(last).toMatchObject({ status: 201, body: { chunksUploaded: 3 } })
    for (const blog of [it.here, it.there]) {
      const view = await blog.call('GET', `${CONTENT}/attic/view?project=blog`)
      expect(view.bytes.equals(large)).toBe(true)
      expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
    }
    await expect.poll(it.listChunks).toEqual([])
  })

  test('whose chunks come twice at once, through both, keeps each of them once', async () => {
    await using it = await openTwo()
    const alice = await it.here.makePerson('alice')
    await send(it.here, alice, 'attic', 0)
    const twice = await Promise.all(
      [it.here, it.there, it.here, it.there].map((blog) => send(blog, alice, 'attic', 1)),
    )
    expect(twice.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    await expect.poll(async () => (await it.listChunks()).length).toBe(2)
    const last = await Promise.all([it.here, it.there].map((blog) => send(blog, alice, 'attic', 2)))
    // Who comes when it is whole is told that it is there.
    for (const { status } of last) expect([201, 409]).toContain(status)
    expect(last.some(({ body }) => body.chunksUploaded === 3)).toBe(true)
    const view = await it.there.call('GET', `${CONTENT}/attic/view?project=blog`)
    expect(view.bytes.equals(large)).toBe(true)
    await expect.poll(it.listChunks).toEqual([])
  })

  test('that is never finished, or whose person goes, leaves no chunk in the bucket', async () => {
    await using it = await openTwo()
    const alice = await it.here.makePerson('alice')
    const bob = await it.here.makePerson('bob')
    await send(it.here, alice, 'attic', 0)
    await send(it.there, bob, 'cellar', 0)
    await it.there.call('DELETE', `/users/${bob.id}`, {
      headers: { 'x-appwrite-key': it.there.apiKey },
    })
    await expect.poll(async () => (await it.listChunks()).length).toBe(1)
    it.there.passTime(DAY_MS + 1000)
    // What is over goes with the next upload of its person, and with the daily sweep.
    const { cookie } = alice
    const session = await it.there.call('GET', '/account', { cookie })
    expect(session.status).toBe(200)
    await send(it.there, alice, 'roof', 0)
    await expect.poll(async () => (await it.listChunks()).length).toBe(1)
    expect((await it.here.call('GET', `${CONTENT}/attic`, { cookie })).status).toBe(404)
  })
})
