// Stored bytes that are cut, gone or cannot be read, and disks that fail: an answer that tells the
// truth, a line in the log, and a server that goes on.
import { mkdir, open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test, vi } from 'vitest'
import { BLOGS_BY_STORE, makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { openFaultyProxy } from '#test/support/faulty-proxy.ts'
import { CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'

const UNAVAILABLE = refusal(503, 'general_service_disabled')

const messages = (blog: TestBlog) => blog.log.map(({ msg }) => msg)
const look = (blog: TestBlog, id: string, way: string) =>
  blog.call('GET', `${CONTENT}/${id}/${way}`)

async function makeFile(blog: TestBlog, bytes?: Buffer) {
  const alice = await blog.makePerson('alice')
  const photo = bytes ?? (await drawPhoto('png', { width: 60, height: 40 }))
  const { body } = await upload(blog, alice, photo, { permissions: ['read("any")'] })
  return { alice, id: String(body.$id), photo }
}

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`an original on ${storeName}`, { tags }, () => {
    test('that is cut short is a missing file and a line in the log, never a short answer', async () => {
      await using blog = await makeBlog()
      const { id, photo } = await makeFile(blog)
      const [name = ''] = await blog.storedNames()
      await blog.replace(name, photo.subarray(0, 100))
      for (const way of ['view', 'download', 'preview?width=20'])
        expect(await look(blog, id, way)).toMatchObject(refusal(404, 'storage_file_not_found'))
      for (const range of ['bytes=0-9', 'bytes=200-209'])
        expect(
          (await blog.call('GET', `${CONTENT}/${id}/view`, { headers: { range } })).status,
        ).toBe(404)
      const address = `${blog.url}/v1${CONTENT}/${id}/view?project=blog`
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(404)
      expect(
        messages(blog).filter((text) => text === 'the bytes of a file are cut short').length,
      ).toBeGreaterThanOrEqual(6)
    })

    test('whose bytes have changed has no preview, and is told in the log', async () => {
      await using blog = await makeBlog()
      const { id, photo } = await makeFile(blog)
      const [name = ''] = await blog.storedNames()
      await blog.replace(
        name,
        Buffer.concat([photo.subarray(0, 100), Buffer.alloc(photo.length - 100)]),
      )
      expect(await look(blog, id, 'preview?width=20')).toMatchObject(
        refusal(404, 'storage_file_not_found'),
      )
      expect(messages(blog)).toContain('the bytes of a file are damaged')
    })
  })

describe('a disk', () => {
  /** The methods that all open files share. */
  async function openFiles(blog: TestBlog) {
    await using any = await open(join(blog.dataDir, 'api-key'), 'r')
    return Object.getPrototypeOf(any)
  }

  test.each(['writeFile', 'sync'])(
    'that fails to %s makes an upload 503 and leaves nothing',
    async (step) => {
      await using blog = await makeTestBlog()
      const { alice, photo } = await makeFile(blog)
      const storedNames = await readdir(join(blog.dataDir, 'files'))
      const fault = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: step })
      vi.spyOn(await openFiles(blog), step).mockRejectedValueOnce(fault)
      expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
      expect(await readdir(join(blog.dataDir, 'files'))).toEqual(storedNames)
      expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
      expect((await upload(blog, alice, photo)).status).toBe(201)
    },
  )

  test('that is not mounted makes images 503, and they are back with it', async () => {
    await using blog = await makeTestBlog()
    const { alice, id, photo } = await makeFile(blog)
    expect((await look(blog, id, 'preview?width=10')).status).toBe(200)
    const files = join(blog.dataDir, 'files')
    const away = join(blog.dataDir, 'away')
    await rename(files, away)
    for (const way of ['view', 'preview?width=20'])
      expect(await look(blog, id, way)).toMatchObject(UNAVAILABLE)
    expect((await look(blog, id, 'preview?width=10')).status).toBe(200)
    expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
    await rename(away, files)
    expect((await look(blog, id, 'view')).bytes.equals(photo)).toBe(true)
    expect((await upload(blog, alice, photo)).status).toBe(201)
  })

  test.each(['files', 'uploads'])(
    'whose folder %s is gone or another one takes no upload and makes none anew',
    async (name) => {
      await using blog = await makeTestBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png')
      const folder = join(blog.dataDir, name)
      const away = join(blog.dataDir, 'away')
      await rename(folder, away)
      expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
      await expect(readdir(folder)).rejects.toThrow('ENOENT')
      await mkdir(folder)
      expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
      expect(await readdir(folder)).toEqual([])
      await rmdir(folder)
      await rename(away, folder)
      expect((await upload(blog, alice, photo)).status).toBe(201)
    },
  )

  test('without a usable folder of previews draws each time, and logs it', async () => {
    await using blog = await makeTestBlog()
    const { id } = await makeFile(blog)
    await rm(join(blog.dataDir, 'previews'), { recursive: true, force: true })
    await writeFile(join(blog.dataDir, 'previews'), 'not a folder')
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await look(blog, id, 'preview?width=20')).status).toBe(200)
    expect(messages(blog)).toContain('a preview could not be cached')
  })
})

describe.skipIf(!inject('hasS3'))('an S3 server', () => {
  test('that breaks off in the middle of a file makes the client see an error; what is kept here goes on', {
    tags: ['more'],
  }, async () => {
    const { endpoint, bucket, accessKey, secretKey } = await makeBucket()
    await using proxy = await openFaultyProxy(endpoint)
    await using blog = await makeTestBlog({
      BLOG_S3_ENDPOINT: proxy.url,
      BLOG_S3_BUCKET: bucket,
      BLOG_S3_ACCESS_KEY: accessKey,
      BLOG_S3_SECRET_KEY: secretKey,
    })
    const { alice, id, photo } = await makeFile(blog, await drawNoise(2_000_000))
    const small = await look(blog, id, 'preview?width=20')
    proxy.cutAfter(300_000)
    await expect(look(blog, id, 'view')).rejects.toThrow()
    expect(await look(blog, id, 'preview?width=30')).toMatchObject(UNAVAILABLE)
    expect((await look(blog, id, 'preview?width=20')).bytes.equals(small.bytes)).toBe(true)
    proxy.repair()
    expect((await look(blog, id, 'view')).bytes.equals(photo)).toBe(true)
    proxy.cutAfter(0)
    const before = await readdir(join(blog.dataDir, 'uploads'))
    expect(await upload(blog, alice, await drawPhoto('png'))).toMatchObject(UNAVAILABLE)
    expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual(before)
  })
})
