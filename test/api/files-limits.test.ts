// Limits of uploads over real HTTP: sizes, counted requests, forms that are broken or cut short.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import type { Person, TestBlog } from '#test/support/blog.ts'
import { AVATARS, CONTENT, refusal, storedFiles, upload } from '#test/support/files.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`uploads on ${storeName}`, { tags }, () => {
    /** Of tests that leave no file. */
    const sharedBlog = shareBlog(makeBlog)
    const limitedBlog = shareBlog(() => makeBlog({ BLOG_RATE_LIMITS: 'on' }))

    test('a form without a file, and one that is no form, are answered with storage_file_empty', async () => {
      const blog = await sharedBlog()
      const { cookie } = await blog.makePerson('alice')
      const body = new FormData()
      body.append('fileId', 'unique()')
      body.append('file', 'just text')
      expect(await blog.call('POST', CONTENT, { cookie, body })).toMatchObject(
        refusal(400, 'storage_file_empty'),
      )
      expect(
        await blog.call('POST', CONTENT, { cookie, body: { fileId: 'unique()' } }),
      ).toMatchObject(refusal(400, 'general_argument_invalid'))
      expect(
        await blog.call('POST', CONTENT, {
          cookie,
          body: 'x',
          headers: { 'content-type': 'text/plain' },
        }),
      ).toMatchObject({ status: 400 })
    })

    test('new files are counted per person, later chunks are not', async () => {
      const blog = await limitedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', { width: 20, height: 20 })
      const first = await upload(blog, alice, photo)
      expect(first.headers.get('x-ratelimit-limit')).toBe('60')
      expect(first.headers.get('x-ratelimit-remaining')).toBe('59')
      const later = await upload(blog, alice, photo, {
        headers: { 'content-range': 'bytes 5242880-5242899/5242900' },
      })
      expect({ status: later.status, left: later.headers.get('x-ratelimit-remaining') }).toEqual({
        status: 400,
        left: '58',
      })
    })

    test('what only looks like a later chunk counts as a new file', async () => {
      const blog = await limitedBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const large = await drawNoise(5_300_000)
      const range = (from: number, to: number, total = large.length) => ({
        'content-range': `bytes ${from}-${to - 1}/${total}`,
      })
      const send = async (
        who: Person,
        from: number,
        to: number,
        headers: Record<string, string>,
      ) => {
        const { status, headers: responseHeaders } = await upload(
          blog,
          who,
          large.subarray(from, to),
          {
            headers,
            id: 'attic',
          },
        )
        return [status, responseHeaders.get('x-ratelimit-remaining')]
      }
      const half = 5 * 1024 * 1024
      const end = half + 100
      const continuing = { 'x-appwrite-id': 'attic' }
      expect(await send(alice, 0, half, range(0, half))).toEqual([201, '59'])
      expect(
        await send(alice, half, large.length, {
          'content-range': 'bytes 7-nonsense',
          ...continuing,
        }),
      ).toEqual([400, '58'])
      expect(await send(alice, half, end, { ...range(half, end, end), ...continuing })).toEqual([
        400,
        '57',
      ])
      expect(
        await send(alice, half, large.length, {
          ...range(half, large.length),
          'x-appwrite-id': 'another',
        }),
      ).toEqual([201, '56'])
      expect(
        await send(bob, half, large.length, { ...range(half, large.length), ...continuing }),
      ).toEqual([401, '59'])
      expect(
        await send(alice, half, large.length, { ...range(half, large.length), ...continuing }),
      ).toEqual([201, null])
      expect(
        await send(alice, half, large.length, { ...range(half, large.length), ...continuing }),
      ).toEqual([409, '55'])
    })

    test('only an upload may be a form: elsewhere it is refused and changes nothing', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const { body: file } = await upload(
        blog,
        alice,
        await drawPhoto('png', { width: 60, height: 40 }),
      )
      const path = `${CONTENT}/${file.$id}`
      const form = new FormData()
      form.append('name', 'form.png')
      for (const method of ['PUT', 'DELETE'])
        expect(await blog.call(method, path, { cookie: alice.cookie, body: form })).toMatchObject(
          refusal(400, 'general_argument_invalid'),
        )
      expect((await blog.call('GET', path, { cookie: alice.cookie })).body).toEqual(file)
    })

    /** Starts an upload by hand, up to the first byte of the file. */
    function beginRaw(blog: TestBlog, person: Person): ReturnType<typeof request> {
      const headers = {
        'x-appwrite-project': 'blog',
        cookie: person.cookie,
        'content-type': 'multipart/form-data; boundary=xx',
      }
      const raw = request(`${blog.url}/v1${CONTENT}`, { method: 'POST', headers })
      raw.write('--xx\r\ncontent-disposition: form-data; name="fileId"\r\n\r\nunique()\r\n')
      raw.write('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
      return raw
    }

    test('an upload that breaks off leaves nothing', async () => {
      const blog = await sharedBlog()
      const raw = beginRaw(blog, await blog.makePerson('alice'))
      const failed = new Promise((resolve) => raw.on('error', resolve))
      raw.write(Buffer.alloc(300_000))
      await expect.poll(async () => (await storedFiles(blog)).length).toBe(1)
      raw.destroy()
      await failed
      await expect.poll(() => storedFiles(blog)).toEqual([])
      expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    })

    test('a request of unknown length is cut off at the limit', async () => {
      const blog = await sharedBlog()
      const raw = beginRaw(blog, await blog.makePerson('alice'))
      const status = new Promise<number | undefined>((resolve) =>
        raw.on('response', (answer) => resolve(answer.resume().statusCode)),
      )
      for (let sentMib = 0; sentMib < 7; sentMib++) raw.write(Buffer.alloc(1024 * 1024))
      raw.end('\r\n--xx--\r\n')
      expect(await status).toBe(413)
      expect(await storedFiles(blog)).toEqual([])
    })

    test('a form cut short, and one with too many fields, are refused and leave nothing', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const raw = beginRaw(blog, alice)
      const status = new Promise<number | undefined>((resolve) =>
        raw.on('response', (answer) => resolve(answer.resume().statusCode)),
      )
      raw.end(Buffer.alloc(1000))
      expect(await status).toBe(400)
      const photo = await drawPhoto('png', { width: 20, height: 20 })
      const manyChunks = await upload(blog, alice, photo, {
        permissions: Array.from({ length: 101 }, () => 'read("any")'),
      })
      expect(manyChunks).toMatchObject(refusal(400, 'general_argument_invalid'))
      expect(
        (
          await upload(blog, alice, photo, {
            permissions: Array.from({ length: 500 }, () => 'read("any")'),
          })
        ).status,
      ).toBe(413)
      expect(await storedFiles(blog)).toEqual([])
    })

    test('an avatar has 5 MiB and not one byte more; a request has 6 MiB', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const limit = 5 * 1024 * 1024
      const photo = await drawPhoto('png')
      const full = Buffer.concat([photo, Buffer.alloc(limit - photo.length)])
      expect(await upload(blog, alice, full, { bucket: AVATARS })).toMatchObject({
        status: 201,
        body: { sizeOriginal: photo.length },
      })
      const over = Buffer.concat([full, Buffer.alloc(1)])
      expect(await upload(blog, alice, over, { bucket: AVATARS })).toMatchObject(
        refusal(400, 'storage_invalid_file_size'),
      )
      expect(await upload(blog, alice, over)).toMatchObject({ status: 201 })
      const tooLong = await upload(
        blog,
        alice,
        Buffer.concat([photo, Buffer.alloc(7 * 1024 * 1024)]),
      )
      expect(tooLong).toMatchObject(refusal(413, 'general_argument_invalid'))
      expect(await storedFiles(blog)).toHaveLength(2)
    })
  })
