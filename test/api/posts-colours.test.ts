// The colour of a post's image, over real HTTP: who gets it, and when.
import { expect, test } from 'vitest'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { drawNoise } from '#test/support/images.ts'

function refusal(code: number, type: string, message?: string) {
  return { status: code, body: { code, type, version: '1.4.13', ...(message ? { message } : {}) } }
}

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    bob,
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('the colour of the image is answered only when select names it', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice)
  const whole = (await blog.get(undefined, id)).body
  expect(whole).not.toHaveProperty('imageColor')
  expect((await blog.list(undefined, 'select(["*"])')).body.documents).toEqual([whole])

  const colored = await blog.get(undefined, id, '{"method":"select","values":["*","imageColor"]}')
  expect(colored).toMatchObject({
    status: 200,
    body: { ...whole, imageColor: expect.stringMatching(/^#[\da-f]{6}$/) },
  })
  expect(Object.keys(colored.body).toSorted()).toEqual(
    [...Object.keys(whole), 'imageColor'].toSorted(),
  )
  const cards = await blog.list(undefined, 'select(["title","imageColor"])')
  expect(cards.body.documents).toEqual([
    {
      title: whole.title,
      imageColor: colored.body.imageColor,
      $databaseId: 'blogdb',
      $collectionId: 'posts',
    },
  ])

  const unknown = refusal(
    400,
    'general_argument_invalid',
    'Invalid query: Attribute not found in schema: imageColor',
  )
  for (const query of [
    'equal("imageColor", ["#000000"])',
    'isNull("imageColor")',
    'orderAsc("imageColor")',
  ]) {
    expect(await blog.list('key', query)).toMatchObject(unknown)
  }
  const before = await blog.everything()
  const refused = refusal(
    400,
    'document_invalid_structure',
    'Invalid document structure: Unknown attribute: "imageColor"',
  )
  const featuredImage = whole.featuredImage
  expect(
    await blog.create(blog.alice, { title: 'a', featuredImage, imageColor: '#000000' }),
  ).toMatchObject(refused)
  expect(await blog.patch(blog.alice, id, { imageColor: '#000000' })).toMatchObject(refused)
  expect(await blog.patch(blog.alice, id, { title: 'b', imageColor: '#000000' })).toMatchObject(
    refused,
  )
  expect(await blog.everything()).toEqual(before)
})

test('an image sent in chunks has its colour too', async () => {
  await using blog = await start()
  const { alice } = blog
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
      await blog.call('POST', '/storage/buckets/content/files', {
        body,
        headers,
        cookie: alice.cookie,
      }),
    ).toMatchObject({ status: 201 })
  }
  const id = await blog.post(alice, { featuredImage: 'large' })
  expect((await blog.get(undefined, id, 'select(["imageColor"])')).body.imageColor).toMatch(
    /^#[\da-f]{6}$/,
  )
})
