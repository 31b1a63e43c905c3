// Limits of uploads over real HTTP: sizes, counted requests, and forms that are broken or cut off.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import type { Person, TestBlog } from '#test/support/blog.ts'
import { AVATARS, CONTENT, refusal, storedFiles, upload } from '#test/support/files.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`uploads on ${storeName}`, { tags }, () => {
    /** For tests that leave no file behind. */
    const sharedBlog = shareBlog(makeBlog)
    const limitedBlog = shareBlog(() => makeBlog({ BLOG_RATE_LIMITS: 'on' }))

    test('a form without a file is answered with storage_file_empty', async () => {
      const blog = await sharedBlog()
      const { cookie } = await blog.makePerson('alice')
      const body = new FormData()
      body.append('fileId', 'unique()')
      body.append('file', 'just text')
      expect(await blog.call('POST', CONTENT, { cookie, body })).toMatchObject(
        refusal(400, 'storage_file_empty'),
      )
    })

    test('an upload that is not a form is refused', async () => {
      const blog = await sharedBlog()
      const { cookie } = await blog.makePerson('alice')
      expect(
        await blog.call('POST', CONTENT, { cookie, body: { fileId: 'unique()' } }),
      ).toMatchObject(refusal(400, 'general_argument_invalid'))
      const headers = { 'content-type': 'text/plain' }
      const text = await blog.call('POST', CONTENT, { cookie, body: 'x', headers })
      expect(text.status).toBe(400)
    })

    test('new files are counted per user', async () => {
      const blog = await limitedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', { width: 20, height: 20 })
      const first = await upload(blog, alice, photo)
      expect(first.headers.get('x-ratelimit-limit')).toBe('60')
      expect(first.headers.get('x-ratelimit-remaining')).toBe('59')
    })

    test('a later chunk of an unknown upload counts as a new file', async () => {
      const blog = await limitedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', { width: 20, height: 20 })
      const later = await upload(blog, alice, photo, {
        headers: { 'content-range': 'bytes 5242880-5242899/5242900' },
      })
      expect({ status: later.status, left: later.headers.get('x-ratelimit-remaining') }).toEqual({
        status: 400,
        left: '59',
      })
    })

    /** An upload by alice with its first chunk, and functions that send further ones. */
    async function beginUpload(id: string) {
      const blog = await limitedBlog()
      const alice = await blog.makePerson('alice')
      const large = await drawNoise(5_300_000)
      const half = 5 * 1024 * 1024
      const range = (from: number, to: number, total = large.length) => ({
        'content-range': `bytes ${from}-${to - 1}/${total}`,
      })
      /** @returns the status, and how many new files the user may still upload */
      const send = async (
        who: Person,
        from: number,
        to: number,
        headers: Record<string, string>,
      ) => {
        const bytes = large.subarray(from, to)
        const { status, headers: responseHeaders } = await upload(blog, who, bytes, { headers, id })
        return [status, responseHeaders.get('x-ratelimit-remaining')]
      }
      expect(await send(alice, 0, half, range(0, half))).toEqual([201, '59'])
      return {
        blog,
        half,
        size: large.length,
        range,
        send: (from: number, to: number, headers: Record<string, string>) =>
          send(alice, from, to, headers),
        sendRest: (
          who: Person = alice,
          headers: Record<string, string> = { 'x-appwrite-id': id },
        ) => send(who, half, large.length, { ...range(half, large.length), ...headers }),
      }
    }

    test('a later chunk of an upload is not counted, unless it is sent again', async () => {
      const { sendRest } = await beginUpload('attic.1')
      expect(await sendRest()).toEqual([201, null])
      expect(await sendRest()).toEqual([409, '58'])
    })

    test('a chunk with an invalid range or another total size counts as a new file', async () => {
      const { half, size, range, send } = await beginUpload('attic.2')
      const headers = { 'x-appwrite-id': 'attic.2' }
      const nonsense = { 'content-range': 'bytes 7-nonsense' }
      expect(await send(half, size, { ...nonsense, ...headers })).toEqual([400, '58'])
      const end = half + 100
      expect(await send(half, end, { ...range(half, end, end), ...headers })).toEqual([400, '57'])
    })

    test('a chunk with the id of another upload counts as a new file', async () => {
      const { sendRest } = await beginUpload('attic.3')
      expect(await sendRest(undefined, { 'x-appwrite-id': 'another' })).toEqual([201, '58'])
    })

    test('a chunk for the upload of another user counts as a new file, and is refused', async () => {
      const { blog, sendRest } = await beginUpload('attic.4')
      expect(await sendRest(await blog.makePerson('bob'))).toEqual([401, '59'])
      expect(await sendRest()).toEqual([201, null])
    })

    test('only an upload may be sent as a form: elsewhere a form is refused and changes nothing', async () => {
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

    /** Starts an upload over a socket, up to the first byte of the file. */
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

    test('an upload that breaks off leaves nothing behind', async () => {
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

    test('a form that is cut short is refused and leaves nothing behind', async () => {
      const blog = await sharedBlog()
      const raw = beginRaw(blog, await blog.makePerson('alice'))
      const status = new Promise<number | undefined>((resolve) =>
        raw.on('response', (answer) => resolve(answer.resume().statusCode)),
      )
      raw.end(Buffer.alloc(1000))
      expect(await status).toBe(400)
      expect(await storedFiles(blog)).toEqual([])
    })

    test('a form with too many fields is refused and leaves nothing behind', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', { width: 20, height: 20 })
      const uploadWith = (count: number) =>
        upload(blog, alice, photo, {
          permissions: Array.from({ length: count }, () => 'read("any")'),
        })
      expect(await uploadWith(101)).toMatchObject(refusal(400, 'general_argument_invalid'))
      expect((await uploadWith(500)).status).toBe(413)
      expect(await storedFiles(blog)).toEqual([])
    })

    /** A photo that is padded to a size with zero bytes. */
    async function drawOfSize(bytes: number) {
      const photo = await drawPhoto('png')
      return { photo, full: Buffer.concat([photo, Buffer.alloc(bytes - photo.length)]) }
    }
    const AVATAR_MAX_BYTES = 5 * 1024 * 1024

    test('an avatar may have 5 MiB, and not one byte more', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const { photo, full } = await drawOfSize(AVATAR_MAX_BYTES)
      expect(await upload(blog, alice, full, { bucket: AVATARS })).toMatchObject({
        status: 201,
        body: { sizeOriginal: photo.length },
      })
      const over = Buffer.concat([full, Buffer.alloc(1)])
      expect(await upload(blog, alice, over, { bucket: AVATARS })).toMatchObject(
        refusal(400, 'storage_invalid_file_size'),
      )
      expect(await storedFiles(blog)).toHaveLength(1)
    })

    test('an image of a post may have more than 5 MiB, but no request more than 6', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const { full } = await drawOfSize(AVATAR_MAX_BYTES + 1)
      expect(await upload(blog, alice, full)).toMatchObject({ status: 201 })
      const tooLong = await upload(blog, alice, (await drawOfSize(7 * 1024 * 1024)).full)
      expect(tooLong).toMatchObject(refusal(413, 'general_argument_invalid'))
      expect(await storedFiles(blog)).toHaveLength(1)
    })
  })
