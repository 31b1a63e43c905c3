// Stored bytes that are cut short, gone or unreadable, and disks that fail: the answer tells the
// truth, the log has a line about it, and the server keeps running.
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test, vi } from 'vitest'
import { BLOGS_BY_STORE, makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { openFaultyProxy } from '#test/support/faulty-proxy.ts'
import { CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

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
    test('that is cut short is answered as a missing file and logged, and never sent in part', async () => {
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

    test('with changed bytes has no preview, and is logged', async () => {
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
  /** The prototype with the methods of all open files. */
  async function openFiles(blog: TestBlog) {
    await using any = await open(join(blog.dataDir, 'api-key'), 'r')
    return Object.getPrototypeOf(any)
  }

  test.each(['writeFile', 'sync'])(
    'that fails to %s makes an upload 503 and leaves nothing behind',
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

  describe('that is not mounted', () => {
    const share = shareBlog()

    /** An image and a preview of 10 pixels, on a blog that has lost its folder of files. */
    async function unmount() {
      const blog = await share()
      const { alice, id, photo } = await makeFile(blog)
      expect((await look(blog, id, 'preview?width=10')).status).toBe(200)
      const files = join(blog.dataDir, 'files')
      const away = join(blog.dataDir, 'away')
      await rename(files, away)
      let isMounted = false
      const mount = async () => {
        if (!isMounted) await rename(away, files)
        isMounted = true
      }
      return { blog, alice, id, photo, mount, [Symbol.asyncDispose]: mount }
    }

    test('makes images and uploads 503', async () => {
      await using unmounted = await unmount()
      const { blog, alice, id, photo } = unmounted
      for (const way of ['view', 'preview?width=20'])
        expect(await look(blog, id, way)).toMatchObject(UNAVAILABLE)
      expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
    })

    test('still serves the previews that were rendered before', async () => {
      await using unmounted = await unmount()
      const { blog, id } = unmounted
      expect((await look(blog, id, 'preview?width=10')).status).toBe(200)
    })

    test('is used again as soon as it is mounted again', async () => {
      await using unmounted = await unmount()
      const { blog, alice, id, photo, mount } = unmounted
      expect(await look(blog, id, 'view')).toMatchObject(UNAVAILABLE)
      expect(await upload(blog, alice, photo)).toMatchObject(UNAVAILABLE)
      await mount()
      expect((await look(blog, id, 'view')).bytes.equals(photo)).toBe(true)
      expect((await upload(blog, alice, photo)).status).toBe(201)
    })
  })

  describe.each(['files', 'uploads'])('that has lost its folder %s', (name) => {
    const share = shareBlog()

    async function moveAway() {
      const blog = await share()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png')
      const folder = join(blog.dataDir, name)
      const away = join(blog.dataDir, 'away')
      await rename(folder, away)
      let isBack = false
      /** Moves the folder back, also over an empty folder of that name. */
      const moveBack = async () => {
        if (!isBack) await rename(away, folder)
        isBack = true
      }
      const uploadPhoto = () => upload(blog, alice, photo)
      return { folder, moveBack, uploadPhoto, [Symbol.asyncDispose]: moveBack }
    }

    test('accepts no upload and does not create the folder', async () => {
      await using moved = await moveAway()
      expect(await moved.uploadPhoto()).toMatchObject(UNAVAILABLE)
      await expect(readdir(moved.folder)).rejects.toThrow('ENOENT')
    })

    test('accepts no upload into another folder of that name', async () => {
      await using moved = await moveAway()
      await mkdir(moved.folder)
      expect(await moved.uploadPhoto()).toMatchObject(UNAVAILABLE)
      expect(await readdir(moved.folder)).toEqual([])
    })

    test('accepts uploads once the folder is back', async () => {
      await using moved = await moveAway()
      expect(await moved.uploadPhoto()).toMatchObject(UNAVAILABLE)
      await moved.moveBack()
      expect((await moved.uploadPhoto()).status).toBe(201)
    })
  })

  test('without a usable folder of previews still serves previews, and logs the failure to cache them', async () => {
    await using blog = await makeTestBlog()
    const { id } = await makeFile(blog)
    await rm(join(blog.dataDir, 'previews'), { recursive: true, force: true })
    await writeFile(join(blog.dataDir, 'previews'), 'not a folder')
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await look(blog, id, 'preview?width=20')).status).toBe(200)
    expect(messages(blog)).toContain('a preview could not be cached')
  })
})

describe.skipIf(!inject('hasS3'))('an S3 server that breaks off', { tags: ['more'] }, () => {
  /** A large image and a preview of 20 pixels, on a server with a connection that can be cut. */
  async function start() {
    await using stack = new AsyncDisposableStack()
    const { endpoint, bucket, accessKey, secretKey } = await makeBucket()
    const proxy = stack.use(await openFaultyProxy(endpoint))
    const blog = stack.use(
      await makeTestBlog({
        BLOG_S3_ENDPOINT: proxy.url,
        BLOG_S3_BUCKET: bucket,
        BLOG_S3_ACCESS_KEY: accessKey,
        BLOG_S3_SECRET_KEY: secretKey,
      }),
    )
    const file = await makeFile(blog, await drawNoise(2_000_000))
    const small = await look(blog, file.id, 'preview?width=20')
    const moved = stack.move()
    return { ...file, blog, proxy, small, [Symbol.asyncDispose]: () => moved.disposeAsync() }
  }

  test('in the middle of a file causes an error at the client', async () => {
    await using started = await start()
    const { blog, proxy, id, photo } = started
    proxy.cutAfter(300_000)
    await expect(look(blog, id, 'view')).rejects.toThrow()
    proxy.repair()
    expect((await look(blog, id, 'view')).bytes.equals(photo)).toBe(true)
  })

  test('makes new previews 503, while those that were rendered before are served', async () => {
    await using started = await start()
    const { blog, proxy, id, small } = started
    proxy.cutAfter(300_000)
    expect(await look(blog, id, 'preview?width=30')).toMatchObject(UNAVAILABLE)
    expect((await look(blog, id, 'preview?width=20')).bytes.equals(small.bytes)).toBe(true)
  })

  test('makes an upload 503, and nothing of it is stored', async () => {
    await using started = await start()
    const { blog, proxy, alice } = started
    proxy.cutAfter(0)
    const before = await readdir(join(blog.dataDir, 'uploads'))
    expect(await upload(blog, alice, await drawPhoto('png'))).toMatchObject(UNAVAILABLE)
    expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual(before)
  })
})
