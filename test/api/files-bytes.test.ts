// The bytes of files over real HTTP: who may read them, ranges, conditional requests.

import { describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import { CONTENT, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`the bytes of files on ${storeName}`, { tags }, () => {
    const sharedBlog = shareBlog(makeBlog)

    test.each([
      { range: 'bytes=0-0', part: [0, 1] },
      { range: 'bytes=0-9', part: [0, 10] },
      { range: 'bytes=5-', part: [5, undefined] },
      { range: 'bytes=-7', part: [-7, undefined] },
      { range: 'bytes=-99999999', part: [0, undefined] },
      { range: 'bytes=10-99999999', part: [10, undefined] },
    ])('$range returns exactly these bytes', async ({ range, part }) => {
      const blog = await sharedBlog()
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
      for (const way of ['view', 'download']) {
        const { status, headers, bytes } = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`, {
          headers: { range },
        })
        const expected = photo.subarray(part[0], part[1])
        const start = photo.length - photo.subarray(part[0]).length
        expect({
          status,
          range: headers.get('content-range'),
          length: headers.get('content-length'),
        }).toEqual({
          status: 206,
          range: `bytes ${start}-${start + expected.length - 1}/${photo.length}`,
          length: String(expected.length),
        })
        expect(bytes.equals(expected)).toBe(true)
      }
    })

    test('an invalid range is 416; other units, several ranges and a wrong If-Range return the whole file', async () => {
      const blog = await sharedBlog()
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
      const path = `${CONTENT}/${file.$id}/view`
      for (const range of [
        `bytes=${photo.length}-`,
        'bytes=99999999-',
        'bytes=9-3',
        'bytes=-0',
        'bytes=988',
        'bytes=-',
        'bytes=x-y',
      ]) {
        const answer = await blog.call('GET', path, { headers: { range } })
        expect(answer, range).toMatchObject(refusal(416, 'storage_invalid_range'))
        expect(answer.headers.get('content-range')).toBe(`bytes */${photo.length}`)
        expect(answer.headers.get('content-disposition')).toBe(null)
      }
      for (const range of ['lines=1-2', 'bytes=0-1,4-5'])
        expect((await blog.call('GET', path, { headers: { range } })).status, range).toBe(200)
      const ifRange = async (etag: string) =>
        (await blog.call('GET', path, { headers: { range: 'bytes=0-1', 'if-range': etag } })).status
      expect([await ifRange(`"${file.signature}"`), await ifRange('"other"')]).toEqual([206, 200])
    })

    test('a matching ETag is answered 304, and HEAD like GET without the bytes', async () => {
      const blog = await sharedBlog()
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
      for (const way of ['view', 'download', 'preview?width=20']) {
        const answer = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`)
        const etag = answer.headers.get('etag') ?? ''
        const cached = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`, {
          headers: { 'if-none-match': `"x", W/${etag}` },
        })
        expect({
          status: cached.status,
          length: cached.bytes.length,
          etag: cached.headers.get('etag'),
        }).toEqual({ status: 304, length: 0, etag })
        const head = await blog.call('HEAD', `${CONTENT}/${file.$id}/${way}`)
        expect({
          status: head.status,
          length: head.headers.get('content-length'),
          etag: head.headers.get('etag'),
        }).toEqual({
          status: 200,
          length: String(answer.bytes.length),
          etag,
        })
      }
    })

    test('with permissions only readers get the bytes or a 304, and browsers revalidate each time', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      const { body: file } = await upload(blog, alice, photo, { permissions: ['read("users")'] })
      const statusesOf = async (id: string) =>
        await Promise.all(
          [{}, { cookie: bob.cookie }, { cookie: alice.cookie }].flatMap((who) =>
            ['view', 'download', 'preview?width=10'].map(
              async (way) => (await blog.call('GET', `${CONTENT}/${id}/${way}`, who)).status,
            ),
          ),
        )
      expect(await statusesOf(file.$id)).toEqual([404, 404, 404, 200, 200, 200, 200, 200, 200])
      const update = await blog.call('PUT', `${CONTENT}/${file.$id}`, {
        cookie: alice.cookie,
        body: { permissions: [`read("user:${alice.id}")`] },
      })
      expect(update.body.$permissions).toEqual([`read("user:${alice.id}")`])
      expect(await statusesOf(file.$id)).toEqual([404, 404, 404, 404, 404, 404, 200, 200, 200])
      expect(
        await blog.call('DELETE', `${CONTENT}/${file.$id}`, { cookie: bob.cookie, body: {} }),
      ).toMatchObject(refusal(404, 'storage_file_not_found'))
      for (const way of ['view', 'download', 'preview?width=10']) {
        const view = (cookie: string, known = {}) =>
          blog.call('GET', `${CONTENT}/${file.$id}/${way}`, { cookie, headers: known })
        const { headers } = await view(alice.cookie)
        expect(headers.get('cache-control')).toBe('private, no-cache')
        const conditions = { 'if-none-match': headers.get('etag') ?? '' }
        expect([
          (await view(alice.cookie, conditions)).status,
          (await view(bob.cookie, conditions)).status,
          (await view('', conditions)).status,
        ]).toEqual([304, 404, 404])
      }
    })
  })
