// Uploads in chunks over real HTTP: in any order, at the same time, repeated, by other users or
// never finished.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BLOGS_BY_STORE } from '#test/support/blob-stores.ts'
import type { Answer, Person, TestBlog } from '#test/support/blog.ts'
import { AVATARS, CONTENT, refusal } from '#test/support/files.ts'
import { drawNoise } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const CHUNK = 5 * 1024 * 1024
const DAY_MS = 24 * 3600 * 1000

/** An image of two chunks; the last one is short. */
let twoChunks: Buffer
beforeAll(async () => {
  twoChunks = await drawNoise(CHUNK + 20_000)
})

type ChunkOptions = {
  image?: Buffer
  id?: string
  uploadId?: string
  bytes?: Buffer
  total?: number
  range?: string
  name?: string
  bucket?: string
}

async function sendChunk(
  blog: TestBlog,
  { cookie }: Person,
  index: number,
  options: ChunkOptions = {},
): Promise<Answer> {
  const {
    id = 'unique()',
    uploadId,
    image = twoChunks,
    bytes = image.subarray(index * CHUNK, (index + 1) * CHUNK),
    total = image.length,
    name = 'attic.png',
  } = options
  const body = new FormData()
  body.append('fileId', id)
  body.append('file', new File([new Uint8Array(bytes)], name, { type: 'application/octet-stream' }))
  body.append('permissions[]', 'read("any")')
  const range =
    options.range ?? `bytes ${index * CHUNK}-${Math.min((index + 1) * CHUNK, total) - 1}/${total}`
  const headers = { 'content-range': range, ...(uploadId ? { 'x-appwrite-id': uploadId } : {}) }
  return await blog.call('POST', options.bucket ?? CONTENT, { cookie, body, headers })
}

async function listChunks(blog: TestBlog): Promise<string[]> {
  return await readdir(join(blog.dataDir, 'uploads')).catch(() => [])
}

for (const [storeName, makeBlog, tags] of BLOGS_BY_STORE)
  describe(`uploads in chunks on ${storeName}`, { tags }, () => {
    const sharedBlog = shareBlog(makeBlog)

    /** Alice's upload with one of its two chunks; it is deleted when the test ends. */
    async function startUpload(index = 0, options: ChunkOptions = {}) {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const first = await sendChunk(blog, alice, index, options)
      const uploadId = String(first.body.$id)
      onTestFinished(async () => {
        await blog.call('DELETE', `${CONTENT}/${uploadId}`, { cookie: alice.cookie, body: {} })
        await expect.poll(() => listChunks(blog)).toEqual([])
      })
      return { ...blog, blog, alice, first, uploadId }
    }

    test('the range of the last chunk may end with the size, as clients 10 to 12 send it', async () => {
      const { blog, alice, uploadId } = await startUpload()
      const range = `bytes ${CHUNK}-${twoChunks.length}/${twoChunks.length}`
      const last = await sendChunk(blog, alice, 1, { uploadId, range })
      expect(last).toMatchObject({ status: 201, body: { chunksTotal: 2, chunksUploaded: 2 } })
      const view = await blog.call('GET', `${CONTENT}/${uploadId}/view?project=blog&project=blog`)
      expect(view.bytes.equals(twoChunks)).toBe(true)
    })

    test('the answer to the first chunk is a file without a type', async () => {
      const { first } = await startUpload()
      expect(first).toMatchObject({
        status: 201,
        body: {
          chunksTotal: 2,
          chunksUploaded: 1,
          signature: '',
          mimeType: '',
          sizeOriginal: twoChunks.length,
        },
      })
    })

    test('an unfinished file is described to its uploader only, and shown to nobody', async () => {
      const { call, blog, alice, uploadId } = await startUpload()
      const bob = await blog.makePerson('bob')
      const path = `${CONTENT}/${uploadId}`
      const notFound = refusal(404, 'storage_file_not_found')
      const headers = { 'content-type': 'multipart/form-data' }
      expect(await call('GET', path, { cookie: alice.cookie, headers })).toMatchObject({
        status: 200,
        body: { chunksTotal: 2, chunksUploaded: 1 },
      })
      for (const caller of [{}, { cookie: bob.cookie }])
        expect(await call('GET', path, caller)).toMatchObject(notFound)
      expect(await call('GET', `${path}/view`, { cookie: alice.cookie })).toMatchObject(notFound)
    })

    test('chunks sent one after another become the file', async () => {
      const { call, blog, alice, uploadId } = await startUpload()
      expect(await sendChunk(blog, alice, 1, { uploadId })).toMatchObject({
        status: 201,
        body: {
          $id: uploadId,
          chunksTotal: 2,
          chunksUploaded: 2,
          mimeType: 'image/png',
          sizeOriginal: twoChunks.length,
          $permissions: ['read("any")'],
        },
      })
      const { bytes } = await call('GET', `${CONTENT}/${uploadId}/download`)
      expect(bytes.equals(twoChunks)).toBe(true)
      await expect.poll(() => listChunks(blog)).toEqual([])
    })

    test('a chunk of a finished file is refused', async () => {
      const { blog, alice, uploadId } = await startUpload()
      await sendChunk(blog, alice, 1, { uploadId })
      await expect.poll(() => listChunks(blog)).toEqual([])
      expect(await sendChunk(blog, alice, 1, { uploadId })).toMatchObject(
        refusal(409, 'storage_file_already_exists'),
      )
      expect(await listChunks(blog)).toEqual([])
    })

    test('the last chunk may come before the others', async () => {
      const { call, blog, alice, first, uploadId } = await startUpload(1)
      expect(first.body.chunksUploaded).toBe(0)
      expect((await sendChunk(blog, alice, 0, { uploadId })).body).toMatchObject({
        chunksUploaded: 2,
        mimeType: 'image/png',
      })
      const view = await call('GET', `${CONTENT}/${uploadId}/view`)
      expect(view.bytes.equals(twoChunks)).toBe(true)
    })

    test('a repeated chunk replaces the earlier one', async () => {
      const bytes = Buffer.alloc(twoChunks.length - CHUNK, 7)
      const { blog, alice, uploadId } = await startUpload(1, { bytes })
      expect((await sendChunk(blog, alice, 1, { uploadId })).body.chunksUploaded).toBe(0)
      await expect.poll(async () => (await listChunks(blog)).length).toBe(1)
      await sendChunk(blog, alice, 0, { uploadId })
      const view = await blog.call('GET', `${CONTENT}/${uploadId}/view`)
      expect(view.bytes.equals(twoChunks)).toBe(true)
    })

    test('chunks that are sent all at once, with an ID chosen by the client, become one file', {
      tags: ['more'],
    }, async () => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const image = await drawNoise(2 * CHUNK + 20_000)
      const answers = await Promise.all(
        [2, 0, 1, 0].map((index) => sendChunk(blog, alice, index, { id: 'side-by-side', image })),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(3)
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
      expect(
        (await blog.call('GET', `${CONTENT}/side-by-side`, { cookie: alice.cookie })).body,
      ).toMatchObject({
        chunksUploaded: 3,
        sizeOriginal: image.length,
      })
      expect((await blog.call('GET', `${CONTENT}/side-by-side/view`)).bytes.equals(image)).toBe(
        true,
      )
      expect(await blog.storedNames()).toHaveLength(1)
      await expect.poll(() => listChunks(blog)).toEqual([])
    })

    test('another user can neither continue nor delete an upload, and its uploader can finish it', async () => {
      const { call, blog, alice, uploadId } = await startUpload(1)
      const bob = await blog.makePerson('bob')
      const path = `${CONTENT}/${uploadId}`
      expect(await sendChunk(blog, bob, 1, { uploadId })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
      expect(await call('DELETE', path, { cookie: bob.cookie, body: {} })).toMatchObject(
        refusal(404, 'storage_file_not_found'),
      )
      expect(await listChunks(blog)).toHaveLength(1)
      expect((await sendChunk(blog, alice, 0, { uploadId })).status).toBe(201)
      expect((await call('GET', `${path}/view`)).bytes.equals(twoChunks)).toBe(true)
    })

    test.each([
      { name: 'a start between two chunks', range: `bytes 100-${CHUNK + 99}/12000000` },
      { name: 'fewer bytes than the range', bytes: Buffer.alloc(100) },
      {
        name: 'a range shorter than a chunk',
        range: 'bytes 0-99/12000000',
        bytes: Buffer.alloc(100),
      },
      { name: 'an end beyond the size', range: 'bytes 0-100/100', bytes: Buffer.alloc(101) },
      {
        name: 'an end before the start',
        range: `bytes ${CHUNK}-5/12000000`,
        bytes: Buffer.alloc(5),
      },
      { name: 'another unit', range: 'lines 0-1/2', bytes: Buffer.alloc(2) },
      { name: 'plus signs and spaces', range: 'bytes 0 - +99/100', bytes: Buffer.alloc(100) },
    ])('a chunk with $name is refused', async ({ name: _, ...sending }) => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      expect(await sendChunk(blog, alice, 0, sending)).toMatchObject(
        refusal(400, 'storage_invalid_content_range'),
      )
      expect((await blog.call('GET', CONTENT, { cookie: alice.cookie })).body.total).toBe(0)
      expect(await listChunks(blog)).toEqual([])
    })

    test('a chunk with a different total from the first one is refused', async () => {
      // The last chunk is small, and so quick to send.
      const { blog, alice, uploadId } = await startUpload(1)
      const bytes = Buffer.alloc(twoChunks.length - CHUNK + 1)
      expect(
        await sendChunk(blog, alice, 1, { uploadId, bytes, total: twoChunks.length + 1 }),
      ).toMatchObject(refusal(400, 'storage_invalid_content_range'))
      expect(await listChunks(blog)).toHaveLength(1)
    })

    test.each<[limit: string, type: string, index: number, sending: ChunkOptions]>([
      ['size', 'storage_invalid_file_size', 0, { total: 30_000_001 }],
      ['size of its bucket', 'storage_invalid_file_size', 1, { bucket: AVATARS }],
      ['type', 'storage_file_type_unsupported', 1, { name: 'attic.svg' }],
    ])('the first chunk of a file with a wrong %s is refused', async (...args) => {
      const [, type, index, sending] = args
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      expect(await sendChunk(blog, alice, index, sending)).toMatchObject(refusal(400, type))
      expect(await listChunks(blog)).toEqual([])
    })

    test('chunks that do not form an image leave nothing behind', async () => {
      const { blog, alice, uploadId } = await startUpload()
      const last = await sendChunk(blog, alice, 1, {
        uploadId,
        bytes: Buffer.alloc(twoChunks.length - CHUNK),
      })
      expect(last).toMatchObject(refusal(403, 'storage_invalid_file'))
      expect(
        await blog.call('GET', `${CONTENT}/${uploadId}`, { cookie: alice.cookie }),
      ).toMatchObject(refusal(404, 'storage_file_not_found'))
      await expect.poll(() => listChunks(blog)).toEqual([])
    })

    test('deleting an unfinished file ends its upload', async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const { $id: uploadId } = (await sendChunk(blog, alice, 1)).body
      expect(
        (await blog.call('DELETE', `${CONTENT}/${uploadId}`, { cookie: alice.cookie, body: {} }))
          .status,
      ).toBe(204)
      await expect.poll(() => listChunks(blog)).toEqual([])
    })

    describe('twenty unfinished uploads', () => {
      // A last chunk of 20 bytes is sent quickly and leaves the upload unfinished.
      const begin = (blog: TestBlog, person: Person, id: string) =>
        sendChunk(blog, person, 1, { id, bytes: Buffer.alloc(20), total: CHUNK + 20 })

      async function startTwenty() {
        const blog = await makeBlog()
        const alice = await blog.makePerson('alice')
        for (let index = 0; index < 20; index++)
          expect((await begin(blog, alice, `u${index}`)).body.chunksUploaded).toBe(0)
        return { ...blog, alice, [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose]() }
      }

      test('can all continue, but no further one can begin', async () => {
        await using blog = await startTwenty()
        expect(await begin(blog, blog.alice, 'u20')).toMatchObject(
          refusal(400, 'general_argument_invalid'),
        )
        expect(await begin(blog, blog.alice, 'u3')).toMatchObject({ status: 201 })
      })

      test('are gone after a day', async () => {
        await using blog = await startTwenty()
        blog.passTime(DAY_MS + 1000)
        const { cookie } = await signInAgain(blog, blog.alice)
        expect(await begin(blog, { ...blog.alice, cookie }, 'u20')).toMatchObject({ status: 201 })
        const { files } = (await blog.call('GET', CONTENT, { cookie })).body
        expect(files.map(({ $id }: { $id: string }) => $id)).toEqual(['u20'])
      })
    })
  })

/** After a day the session may have expired. */
async function signInAgain(
  blog: TestBlog,
  { email, password }: Person,
): Promise<{ cookie: string }> {
  const session = await blog.call('POST', '/account/sessions/email', { body: { email, password } })
  return {
    cookie: session.headers
      .getSetCookie()
      .map((header) => header.split(';')[0])
      .join('; '),
  }
}
