// The colour of a post's image over real HTTP: who gets it, and when.
import { expect, test } from 'vitest'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { drawNoise } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

function refusal(code: number, type: string, message?: string) {
  return { status: code, body: { code, type, version: '1.4.13', ...(message ? { message } : {}) } }
}

const share = shareBlog()
const COLOR = /^#[\da-f]{6}$/

/** A post by alice with an image. */
async function start() {
  const blog = await share()
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const id = await documents.post(alice)
  return { ...blog, ...documents, alice, id }
}

test('an answer contains the colour of the image only when select names it', async () => {
  const { get, list, id } = await start()
  const { body: post } = await get(undefined, id)
  expect(post).not.toHaveProperty('imageColor')
  const { body } = await list(undefined, 'select(["*"])', `equal("$id", ["${id}"])`)
  expect(body.documents).toEqual([post])
})

test('select adds the colour of the image to a post', async () => {
  const { get, id } = await start()
  const { body: post } = await get(undefined, id)
  const { status, body } = await get(
    undefined,
    id,
    '{"method":"select","values":["*","imageColor"]}',
  )
  expect(status).toBe(200)
  expect(body).toEqual({ ...post, imageColor: expect.stringMatching(COLOR) })
})

test('select adds the colour of the image to each post of a list', async () => {
  const { list, id } = await start()
  const selected = 'select(["title","imageColor"])'
  const { body } = await list(undefined, selected, `equal("$id", ["${id}"])`)
  expect(body.documents).toEqual([
    {
      title: 'A post',
      imageColor: expect.stringMatching(COLOR),
      $databaseId: 'blogdb',
      $collectionId: 'posts',
    },
  ])
})

test('lists are neither filtered nor ordered by colours', async () => {
  const { list } = await start()
  const unknown = refusal(
    400,
    'general_argument_invalid',
    'Invalid query: Attribute not found in schema: imageColor',
  )
  for (const query of [
    'equal("imageColor", ["#000000"])',
    'isNull("imageColor")',
    'orderAsc("imageColor")',
  ])
    expect(await list('key', query)).toMatchObject(unknown)
})

test('nobody can write the colour of an image', async () => {
  const { create, patch, get, everything, alice, id } = await start()
  const unknown = refusal(
    400,
    'document_invalid_structure',
    'Invalid document structure: Unknown attribute: "imageColor"',
  )
  const { featuredImage } = (await get(undefined, id)).body
  const before = await everything()
  const imageColor = '#000000'
  expect(await create(alice, { title: 'a', featuredImage, imageColor })).toMatchObject(unknown)
  expect(await patch(alice, id, { imageColor })).toMatchObject(unknown)
  expect(await patch(alice, id, { title: 'b', imageColor })).toMatchObject(unknown)
  expect(await everything()).toEqual(before)
})

test('an image that was uploaded in chunks has a colour, too', async () => {
  const { call, post, get, alice } = await start()
  const image = await drawNoise(5_300_000)
  for (let from = 0; from < image.length; from += CHUNK_BYTES) {
    const to = Math.min(image.length, from + CHUNK_BYTES)
    const body = new FormData()
    body.append('fileId', 'large')
    body.append('file', new File([new Uint8Array(image.subarray(from, to))], 'noise.png'))
    const headers = {
      'content-range': `bytes ${from}-${to - 1}/${image.length}`,
      'x-appwrite-id': 'large',
    }
    expect(
      await call('POST', '/storage/buckets/content/files', {
        body,
        headers,
        cookie: alice.cookie,
      }),
    ).toMatchObject({ status: 201 })
  }
  const id = await post(alice, { featuredImage: 'large' })
  const { body } = await get(undefined, id, 'select(["imageColor"])')
  expect(body.imageColor).toMatch(COLOR)
})
