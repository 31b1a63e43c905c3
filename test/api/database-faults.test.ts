// The blog while its database is unreachable or a commit is in doubt, over real HTTP: the answers
// that it sends, and the files that it does not delete.
// @module-tag more
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'

async function makeBlogBehindProxy() {
  const { url, drop } = await makePostgresDatabase()
  const proxy: TcpProxy = await makeTcpProxy(url)
  const blog: TestBlog = await makeTestBlog({ BLOG_DATABASE_URL: proxy.through(url) })
  return {
    blog,
    proxy,
    storedNames: () => readdir(join(blog.dataDir, 'files')),
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
      await drop()
    },
  }
}

/** A chunk of six bytes, of a file of two chunks. */
const CHUNK = { 'content-range': 'bytes 0-5242879/5242886' }

test.each(['before', 'after'] as const)(
  'an upload with a commit that is cut off %s it reached the database is 503, and its bytes stay',
  async (cut) => {
    await using opened = await makeBlogBehindProxy()
    const { blog, proxy } = opened
    const alice = await blog.makePerson('alice')
    const photo = await drawPhoto('png', { width: 40, height: 40 })
    // Cuts only the commit of the upload: a sign-in may still be recorded.
    proxy.cutAtCommit(cut, 'insert into "file"')
    const answer = await upload(blog, alice, photo, { id: 'doubted' })
    expect(answer).toMatchObject({ status: 503, body: { type: 'general_service_disabled' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await opened.storedNames()).toHaveLength(1)
    const view = () => blog.call('GET', `${CONTENT}/doubted/view`, { cookie: alice.cookie })
    await expect.poll(async () => (await view()).status).toBe(cut === 'after' ? 200 : 404)
    // A second attempt shows whether the first one was committed.
    const secondAttempt = await upload(blog, alice, photo, { id: 'doubted' })
    expect(secondAttempt.status).toBe(cut === 'after' ? 409 : 201)
    expect((await view()).status).toBe(200)
  },
)

test.each(['before', 'after'] as const)(
  'the bytes of a chunk with a commit that is cut off %s it reached the database stay',
  async (cut) => {
    await using opened = await makeBlogBehindProxy()
    const { blog, proxy } = opened
    const alice = await blog.makePerson('alice')
    const chunk = Buffer.alloc(5_242_880, 'lamp')
    const options = { id: 'chunked', headers: CHUNK }
    expect((await upload(blog, alice, chunk, options)).status).toBe(201)
    proxy.cutAtCommit(cut)
    expect((await upload(blog, alice, chunk, options)).status).toBe(503)
    const row = await blog.call('GET', `${CONTENT}/chunked`, { cookie: alice.cookie })
    expect(row.body).toMatchObject({ chunksUploaded: 1 })
    // The first chunk, and the one with the commit in doubt.
    expect(await readdir(join(blog.dataDir, 'uploads'))).toHaveLength(2)
  },
)

test('during an outage all calls answer 503, nobody is signed out, and the blog recovers by itself', async () => {
  await using opened = await makeBlogBehindProxy()
  const { blog, proxy } = opened
  const alice = await blog.makePerson('alice')
  await proxy.refuse()
  const { cookie } = alice
  const answers = [
    await blog.call('GET', '/account', { cookie }),
    await blog.call('DELETE', '/account/sessions/current', { cookie }),
    await blog.call('GET', `${CONTENT}/unknown/view`),
    await blog.call('POST', '/account/sessions/email', {
      body: { email: alice.email, password: alice.password },
    }),
  ]
  for (const { status, headers } of answers) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('5')
    expect(headers.getSetCookie()).toEqual([])
  }
  expect((await fetch(`${blog.url}/healthz`)).status).toBe(503)
  await proxy.accept()
  const account = () => blog.call('GET', '/account', { cookie })
  await expect.poll(async () => (await account()).status).toBe(200)
  const events = blog.log.map(({ event }) => event)
  expect(events.filter((event) => event === 'database away')).toHaveLength(1)
  expect(events.filter((event) => event === 'database back')).toHaveLength(1)
  expect(blog.log.find(({ event }) => event === 'unavailable')).toMatchObject({
    cause: expect.stringContaining('ECONNREFUSED'),
  })
})
