// Files over real HTTP: uploads in one request, who may do what, lists.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import { CONTENT, keptFiles, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [place, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`files on ${place}`, { tags }, () => {
    const sharedBlog = shareBlog(makeBlog)
    /** Of tests that leave no file. */
    const emptyBlog = shareBlog(makeBlog)

    test('an uploaded image is described, shown and downloaded as it was', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png')
      const { status, body } = await upload(blog, alice, photo, { name: 'pic é.png' })
      expect(status).toBe(201)
      expect(body).toEqual({
        $id: expect.stringMatching(/^[0-9a-f]{20}$/),
        bucketId: 'content',
        $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
        $updatedAt: body.$createdAt,
        $permissions: ['read("any")', `update("user:${alice.id}")`, `delete("user:${alice.id}")`],
        name: 'pic é.png',
        signature: expect.stringMatching(/^[0-9a-f]{32}$/),
        mimeType: 'image/png',
        sizeOriginal: photo.length,
        chunksTotal: 1,
        chunksUploaded: 1,
      })
      const view = await blog.call('GET', `${CONTENT}/${body.$id}/view`)
      expect(view.bytes.equals(photo)).toBe(true)
      expect(Object.fromEntries(view.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': `inline; filename="pic _.png"; filename*=UTF-8''pic%20%C3%A9.png`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=3888000, immutable',
        'content-length': String(photo.length),
        etag: `"${body.signature}"`,
      })
      const download = await blog.call('GET', `${CONTENT}/${body.$id}/download?project=blog`, {
        headers: { 'x-appwrite-project': 'other' },
      })
      expect(download.bytes.equals(photo)).toBe(true)
      expect(download.headers.get('content-disposition')).toMatch(/^attachment; /)
      expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
    })

    test.each([
      {
        name: 'a guest',
        person: undefined,
        sending: {},
        answer: refusal(401, 'user_unauthorized'),
      },
      {
        name: 'an unknown bucket',
        sending: { bucket: '/storage/buckets/nowhere/files' },
        answer: refusal(404, 'storage_bucket_not_found'),
      },
      {
        name: 'a permission for other people',
        sending: { permissions: ['update("user:bob")'] },
        answer: refusal(401, 'user_unauthorized'),
      },
      {
        name: 'a broken permission',
        sending: { permissions: ['read(any)'] },
        answer: refusal(400, 'general_argument_invalid'),
      },
      {
        name: 'no bytes',
        bytes: Buffer.alloc(0),
        sending: {},
        answer: refusal(400, 'storage_file_empty'),
      },
      {
        name: 'a broken id',
        sending: { id: '.hidden' },
        answer: refusal(400, 'general_argument_invalid'),
      },
      {
        name: 'a wrong extension',
        sending: { name: 'photo.svg' },
        answer: refusal(400, 'storage_file_type_unsupported'),
      },
      {
        name: 'no extension',
        sending: { name: 'photo' },
        answer: refusal(400, 'storage_file_type_unsupported'),
      },
      {
        name: 'no name',
        sending: { name: '' },
        answer: refusal(400, 'storage_file_type_unsupported'),
      },
      {
        name: 'an extension of another type',
        sending: { name: 'photo.gif' },
        answer: refusal(400, 'storage_file_type_unsupported'),
      },
      {
        name: 'an svg',
        bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        sending: {},
        answer: refusal(400, 'storage_file_type_unsupported'),
      },
      { name: 'a cut image', part: 0.5, sending: {}, answer: refusal(403, 'storage_invalid_file') },
      {
        name: 'a broken range',
        sending: { headers: { 'content-range': 'bytes 0-9/5' } },
        answer: refusal(400, 'storage_invalid_content_range'),
      },
      {
        name: 'a broken upload id',
        sending: { headers: { 'x-appwrite-id': 'unique()' } },
        answer: refusal(400, 'storage_invalid_appwrite_id'),
      },
    ])(
      'an upload with $name is refused and keeps nothing',
      async ({ bytes, part = 1, sending, answer, ...rest }) => {
        const blog = await emptyBlog()
        const alice = await blog.makePerson('alice')
        const photo = bytes ?? (await drawPhoto('png', { width: 60, height: 40 }))
        expect(
          await upload(
            blog,
            'person' in rest ? rest.person : alice,
            photo.subarray(0, photo.length * part),
            sending,
          ),
        ).toMatchObject(answer)
        expect(await keptFiles(blog)).toEqual([])
        expect((await blog.call('GET', CONTENT, { cookie: alice.cookie })).body).toEqual({
          total: 0,
          files: [],
        })
      },
    )

    test('an id is given once', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const first = await drawPhoto('png', { width: 60, height: 40 })
      const second = await drawPhoto('png', { width: 30, height: 40 })
      expect(await upload(blog, alice, first, { id: 'mine.1' })).toMatchObject({
        status: 201,
        body: { $id: 'mine.1' },
      })
      for (const person of [alice, bob]) {
        expect(await upload(blog, person, second, { id: 'mine.1' })).toMatchObject(
          refusal(409, 'storage_file_already_exists'),
        )
      }
      const both = await Promise.all(
        [1, 2, 3].map(() => upload(blog, alice, second, { id: 'race' })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      expect((await blog.call('GET', `${CONTENT}/mine.1/view`)).bytes.equals(first)).toBe(true)
      expect(await keptFiles(blog)).toHaveLength(2)
    })

    test('only the uploader and the key see details, rename and delete; bytes are for everybody', async () => {
      const blog = await emptyBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const { body: file } = await upload(
        blog,
        alice,
        await drawPhoto('png', { width: 60, height: 40 }),
      )
      const path = `${CONTENT}/${file.$id}`
      const others = [{}, { cookie: bob.cookie }]
      for (const other of others) {
        expect(await blog.call('GET', path, other)).toMatchObject(
          refusal(404, 'storage_file_not_found'),
        )
        expect(await blog.call('PUT', path, { ...other, body: { name: 'x.png' } })).toMatchObject(
          refusal(401, 'user_unauthorized'),
        )
        expect(await blog.call('DELETE', path, { ...other, body: {} })).toMatchObject(
          refusal(401, 'user_unauthorized'),
        )
        expect((await blog.call('GET', `${path}/view`, other)).status).toBe(200)
      }
      expect((await blog.call('GET', path, { cookie: alice.cookie })).body).toEqual(file)
      const renamed = await blog.call('PUT', path, {
        cookie: alice.cookie,
        body: { name: 'new.png' },
      })
      expect(renamed).toMatchObject({
        status: 200,
        body: { ...file, name: 'new.png', $updatedAt: expect.any(String) },
      })
      for (const name of ['', 'a'.repeat(256), '../x.png', 'a\u0000b', 5]) {
        expect(
          await blog.call('PUT', path, { cookie: alice.cookie, body: { name } }),
        ).toMatchObject(refusal(400, 'general_argument_invalid'))
      }
      const key = { 'x-appwrite-key': blog.apiKey }
      expect((await blog.call('GET', path, { headers: key })).body).toMatchObject({
        name: 'new.png',
      })
      const evil = await blog.call('PUT', path, {
        cookie: alice.cookie,
        body: { name: 'evil.html' },
      })
      expect(evil).toMatchObject({ status: 200, body: { name: 'evil.png' } })
      expect((await blog.call('GET', `${path}/download`)).headers.get('content-disposition')).toBe(
        'attachment; filename="evil.png"',
      )
      const gone = await blog.call('DELETE', path, { headers: key, body: {} })
      expect({ status: gone.status, type: gone.headers.get('content-type') }).toEqual({
        status: 204,
        type: null,
      })
      expect(await blog.call('DELETE', path, { cookie: alice.cookie, body: {} })).toMatchObject(
        refusal(404, 'storage_file_not_found'),
      )
      expect(await blog.call('GET', `${path}/view`)).toMatchObject(
        refusal(404, 'storage_file_not_found'),
      )
      await expect.poll(() => keptFiles(blog)).toEqual([])
    })

    test('a list shows own files only, by queries in both notations and by a word of the name', async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      for (const name of ['harbour.png', 'Lamp.png', 'lamp two.png'])
        expect((await upload(blog, alice, photo, { name })).status).toBe(201)
      expect((await upload(blog, bob, photo, { name: 'bob.png' })).status).toBe(201)
      const names = async (query: string, who: object = { cookie: alice.cookie }) => {
        const { body } = await blog.call('GET', `${CONTENT}?${query}`, who)
        return [
          body.total,
          ...(body.files ?? [body.type]).map((file: { name: string }) => file.name ?? file),
        ]
      }
      expect(await names('')).toEqual([3, 'harbour.png', 'Lamp.png', 'lamp two.png'])
      expect(await names('search=LAMP')).toEqual([2, 'Lamp.png', 'lamp two.png'])
      expect(
        await names(`queries[0]=${encodeURIComponent('equal("name", ["Lamp.png"])')}`),
      ).toEqual([1, 'Lamp.png'])
      expect(
        await names(
          `queries[0]=${encodeURIComponent('{"method":"limit","values":[1]}')}&queries[1]=orderDesc("")`,
        ),
      ).toEqual([3, 'lamp two.png'])
      expect(await names('queries[]=equal("storedName",["x"])')).toEqual([
        undefined,
        'general_argument_invalid',
      ])
      expect(await names('queries[]=select(["name"])')).toEqual([
        undefined,
        'general_argument_invalid',
      ])
      expect(await names('', { headers: { 'x-appwrite-key': blog.apiKey } })).toEqual([
        4,
        'harbour.png',
        'Lamp.png',
        'lamp two.png',
        'bob.png',
      ])
      expect(await blog.call('GET', CONTENT)).toMatchObject(refusal(401, 'user_unauthorized'))
      expect(await names(`search=${'x'.repeat(257)}`)).toEqual([
        undefined,
        'general_argument_invalid',
      ])
    })

    test('an upload by the API key has no owner: everybody sees the image, only the key changes it', async () => {
      const blog = await sharedBlog()
      const photo = await drawPhoto('png')
      const { status, body } = await upload(blog, undefined, photo, {
        headers: { 'x-appwrite-key': blog.apiKey },
      })
      expect({ status, permissions: body.$permissions, size: body.sizeOriginal }).toEqual({
        status: 201,
        permissions: ['read("any")'],
        size: photo.length,
      })
    })
  })
