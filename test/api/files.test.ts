// Files over real HTTP: uploads in one request, who may do what, lists.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import { CONTENT, refusal, storedFiles, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`files on ${storeName}`, { tags }, () => {
    const sharedBlog = shareBlog(makeBlog)
    /** For tests that leave no file behind. */
    const emptyBlog = shareBlog(makeBlog)

    /** An image by alice with a name that is not ASCII. */
    async function uploadImage() {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png')
      return { blog, alice, photo, ...(await upload(blog, alice, photo, { name: 'pic é.png' })) }
    }

    test('an uploaded image is described', async () => {
      const { alice, photo, status, body } = await uploadImage()
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
    })

    test('an uploaded image is shown unchanged', async () => {
      const { blog, photo, body } = await uploadImage()
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
    })

    test('an uploaded image is downloaded unchanged', async () => {
      const { blog, photo, body } = await uploadImage()
      const download = await blog.call('GET', `${CONTENT}/${body.$id}/download?project=blog`, {
        headers: { 'x-appwrite-project': 'other' },
      })
      expect(download.bytes.equals(photo)).toBe(true)
      expect(download.headers.get('content-disposition')).toMatch(/^attachment; /)
    })

    test('a finished upload leaves nothing in the folder of uploads', async () => {
      const { blog } = await uploadImage()
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
      'an upload with $name is refused and nothing is stored',
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
        expect(await storedFiles(blog)).toEqual([])
        expect((await blog.call('GET', CONTENT, { cookie: alice.cookie })).body).toEqual({
          total: 0,
          files: [],
        })
      },
    )

    test('an id that is taken is refused, even to its uploader', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const first = await drawPhoto('png', { width: 60, height: 40 })
      const second = await drawPhoto('png', { width: 30, height: 40 })
      expect(await upload(blog, alice, first, { id: 'mine.1' })).toMatchObject({
        status: 201,
        body: { $id: 'mine.1' },
      })
      const before = await storedFiles(blog)
      for (const person of [alice, bob])
        expect(await upload(blog, person, second, { id: 'mine.1' })).toMatchObject(
          refusal(409, 'storage_file_already_exists'),
        )
      expect((await blog.call('GET', `${CONTENT}/mine.1/view`)).bytes.equals(first)).toBe(true)
      expect(await storedFiles(blog)).toEqual(before)
    })

    test('of several concurrent uploads with one id only one is stored', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const photo = await drawPhoto('png', { width: 30, height: 40 })
      const before = await storedFiles(blog)
      const answers = await Promise.all(
        [1, 2, 3].map(() => upload(blog, alice, photo, { id: 'race' })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      expect(await storedFiles(blog)).toHaveLength(before.length + 1)
    })

    /** A file by alice, with functions that read, rename and delete it. */
    async function startWithFile() {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      const { body: file } = await upload(blog, alice, photo)
      const path = `${CONTENT}/${file.$id}`
      return {
        ...blog,
        file,
        path,
        asAlice: { cookie: alice.cookie },
        asKey: { headers: { 'x-appwrite-key': blog.apiKey } },
        others: [{}, { cookie: bob.cookie }],
        rename: (caller: object, name: unknown) =>
          blog.call('PUT', path, { ...caller, body: { name } }),
        remove: (caller: object) => blog.call('DELETE', path, { ...caller, body: {} }),
      }
    }

    test('others can neither see the details of a file nor rename or delete it, but all can read its bytes', async () => {
      const { call, path, file, asAlice, others, rename, remove } = await startWithFile()
      for (const other of others) {
        expect(await call('GET', path, other)).toMatchObject(refusal(404, 'storage_file_not_found'))
        expect(await rename(other, 'x.png')).toMatchObject(refusal(401, 'user_unauthorized'))
        expect(await remove(other)).toMatchObject(refusal(401, 'user_unauthorized'))
        expect((await call('GET', `${path}/view`, other)).status).toBe(200)
      }
      expect((await call('GET', path, asAlice)).body).toEqual(file)
    })

    test('the uploader can rename a file, and the key sees the new name', async () => {
      const { call, path, file, asAlice, asKey, rename } = await startWithFile()
      expect(await rename(asAlice, 'new.png')).toMatchObject({
        status: 200,
        body: { ...file, name: 'new.png', $updatedAt: expect.any(String) },
      })
      expect((await call('GET', path, asKey)).body).toMatchObject({ name: 'new.png' })
    })

    test('a name that is empty, too long, a path or not a text is refused', async () => {
      const { call, path, file, asAlice, rename } = await startWithFile()
      for (const name of ['', 'a'.repeat(256), '../x.png', 'a\u0000b', 5])
        expect(await rename(asAlice, name)).toMatchObject(refusal(400, 'general_argument_invalid'))
      expect((await call('GET', path, asAlice)).body).toEqual(file)
    })

    test('a file has the extension of its type, whatever name it gets', async () => {
      const { call, path, asAlice, rename } = await startWithFile()
      expect(await rename(asAlice, 'evil.html')).toMatchObject({
        status: 200,
        body: { name: 'evil.png' },
      })
      const { headers } = await call('GET', `${path}/download`)
      expect(headers.get('content-disposition')).toBe('attachment; filename="evil.png"')
    })

    test('a deleted file is gone for everybody, with its bytes', async () => {
      const before = await storedFiles(await sharedBlog())
      const blog = await startWithFile()
      const { call, path, asAlice, asKey, remove } = blog
      const { status, headers } = await remove(asKey)
      expect([status, headers.get('content-type')]).toEqual([204, null])
      expect(await remove(asAlice)).toMatchObject(refusal(404, 'storage_file_not_found'))
      const view = await call('GET', `${path}/view`)
      expect(view).toMatchObject(refusal(404, 'storage_file_not_found'))
      await expect.poll(() => storedFiles(blog)).toEqual(before)
    })

    const shareListed = shareBlog(async () => {
      const blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const photo = await drawPhoto('png', { width: 60, height: 40 })
      for (const name of ['harbour.png', 'Lamp.png', 'lamp two.png'])
        expect((await upload(blog, alice, photo, { name })).status).toBe(201)
      expect((await upload(blog, bob, photo, { name: 'bob.png' })).status).toBe(201)
      return {
        ...blog,
        /** The total and the names, or the type of the error. */
        async names(query: string, caller: object = { cookie: alice.cookie }) {
          const { body } = await blog.call('GET', `${CONTENT}?${query}`, caller)
          if (!body.files) return body.type
          return [body.total, ...body.files.map(({ name }: { name: string }) => name)]
        },
      }
    })

    test('users can list their own files, the key all files, and guests none', async () => {
      const blog = await shareListed()
      expect(await blog.names('')).toEqual([3, 'harbour.png', 'Lamp.png', 'lamp two.png'])
      expect(await blog.names('', { headers: { 'x-appwrite-key': blog.apiKey } })).toEqual([
        4,
        'harbour.png',
        'Lamp.png',
        'lamp two.png',
        'bob.png',
      ])
      expect(await blog.call('GET', CONTENT)).toMatchObject(refusal(401, 'user_unauthorized'))
    })

    test('files are found by a word in their name', async () => {
      const { names } = await shareListed()
      expect(await names('search=LAMP')).toEqual([2, 'Lamp.png', 'lamp two.png'])
      expect(await names(`search=${'x'.repeat(257)}`)).toBe('general_argument_invalid')
    })

    test('a list of files accepts queries in both notations', async () => {
      const { names } = await shareListed()
      const equal = encodeURIComponent('equal("name", ["Lamp.png"])')
      expect(await names(`queries[0]=${equal}`)).toEqual([1, 'Lamp.png'])
      const limit = encodeURIComponent('{"method":"limit","values":[1]}')
      expect(await names(`queries[0]=${limit}&queries[1]=orderDesc("")`)).toEqual([
        3,
        'lamp two.png',
      ])
    })

    test('a list of files refuses conditions on inner attributes, and a selection', async () => {
      const { names } = await shareListed()
      for (const query of ['equal("storedName",["x"])', 'select(["name"])'])
        expect(await names(`queries[]=${query}`)).toBe('general_argument_invalid')
    })

    test('a file that the API key uploads has no owner, and everybody may read it', async () => {
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
