// Posts as documents over real HTTP: creating, reading, changing and deleting them, and refused
// calls, which change nothing.
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

function refusal(code: number, type: string, message?: string) {
  return { status: code, body: { code, type, version: '1.4.13', ...(message ? { message } : {}) } }
}

async function addPeople(blog: TestBlog) {
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  return { ...blog, ...makeDocuments(blog), alice, bob }
}

const share = shareBlog()
/** Two new users on the blog that most tests share. */
const start = async () => addPeople(await share())

/** The same on a blog without other posts and files. */
async function startAlone() {
  const blog = await makeTestBlog()
  return {
    ...(await addPeople(blog)),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

const viewStatus = async ({ call }: TestBlog, imageId: string) =>
  (await call('GET', `/storage/buckets/content/files/${imageId}/view?project=blog`)).status

test('a new post is returned, read and listed with all its fields', async () => {
  await using blog = await startAlone()
  const { alice } = blog
  const featuredImage = await blog.upload(alice)
  const { status, body: post } = await blog.create(
    alice,
    { title: ' Hello ', content: '<p onclick="x">Hi</p>', featuredImage, userid: alice.id },
    { documentId: 'blog1l' },
  )
  expect(status).toBe(201)
  expect(post).toEqual({
    title: 'Hello',
    content: '<p>Hi</p>',
    featuredImage,
    status: 'active',
    userid: alice.id,
    userId: alice.id,
    user_id: alice.id,
    authorId: alice.id,
    author_id: alice.id,
    like: 0,
    likeId: [],
    userName: 'alice',
    username: 'alice',
    user_name: 'alice',
    $id: 'blog1l',
    $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
    $updatedAt: post.$createdAt,
    publishedAt: post.$createdAt,
    $permissions: ['read("any")', `update("user:${alice.id}")`, `delete("user:${alice.id}")`],
    $databaseId: 'blogdb',
    $collectionId: 'posts',
  })
  expect((await blog.get(undefined, 'blog1l')).body).toEqual(post)
  expect((await blog.list(undefined)).body).toEqual({ total: 1, documents: [post] })
})

test('a change writes what its author may change; likes and times that are sent back are ignored', async () => {
  const blog = await start()
  const { alice } = blog
  const id = await blog.post(alice)
  const { body: post } = await blog.get(alice, id)
  const featuredImage = await blog.upload(alice)
  const changed = { ...post, title: 'New', featuredImage, like: 99, likeId: ['x'] }
  expect(await blog.patch(alice, id, changed)).toMatchObject({
    status: 200,
    body: {
      title: 'New',
      featuredImage,
      like: 0,
      likeId: [],
      $createdAt: post.$createdAt,
    },
  })
})

test('an image that a post no longer uses is deleted', async () => {
  const blog = await start()
  const { alice } = blog
  const featuredImage = await blog.upload(alice)
  const id = await blog.post(alice, { featuredImage })
  await blog.patch(alice, id, { featuredImage: await blog.upload(alice) })
  await expect.poll(() => viewStatus(blog, featuredImage)).toBe(404)
})

test('a post is deleted once, with an empty answer', async () => {
  const blog = await start()
  const { alice } = blog
  const id = await blog.post(alice)
  const { status, bytes, headers } = await blog.remove(alice, id)
  expect([status, bytes.length, headers.get('content-type')]).toEqual([204, 0, null])
  expect((await blog.get(alice, id)).status).toBe(404)
  expect(await blog.remove(alice, id)).toMatchObject(refusal(404, 'document_not_found'))
})

test('the image of a deleted post is hidden, but stored for its author, who may restore the post', async () => {
  await using blog = await startAlone()
  const { alice } = blog
  const featuredImage = await blog.upload(alice)
  await blog.remove(alice, await blog.post(alice, { featuredImage }))
  await expect.poll(() => viewStatus(blog, featuredImage)).toBe(404)
  expect(await blog.everything()).toMatchObject({
    posts: { total: 0, documents: [] },
    files: { total: 1, files: [{ $id: featuredImage }] },
  })
})

test('the server generates an ID on request', async () => {
  const blog = await start()
  const { status, body } = await blog.create(blog.alice, { title: 'a' })
  expect([status, body.$id]).toEqual([201, expect.stringMatching(/^[0-9a-f]{20}$/)])
})

test('the data of a post can be sent as JSON text', async () => {
  const blog = await start()
  const featuredImage = await blog.upload(blog.alice)
  const answer = await blog.create(blog.alice, JSON.stringify({ title: 'a', featuredImage }))
  expect(answer).toMatchObject({ status: 201, body: { title: 'a', featuredImage } })
})

test('an ID in use is refused', async () => {
  const blog = await start()
  const id = await blog.post(blog.alice, { title: 'a' }, { documentId: 'taken' })
  const featuredImage = await blog.upload(blog.bob)
  const before = await blog.everything()
  const data = { title: 'b', featuredImage }
  expect(await blog.create(blog.bob, data, { documentId: id })).toMatchObject(
    refusal(409, 'document_already_exists'),
  )
  expect(await blog.everything()).toEqual(before)
})

test('a post needs no image, whatever its status', async () => {
  const blog = await start()
  const { alice } = blog
  for (const featuredImage of [undefined, null, ''])
    for (const status of ['active', 'inactive']) {
      const answer = await blog.create(alice, { title: 'a', status, featuredImage })
      expect(answer).toMatchObject({ status: 201, body: { featuredImage: '', status } })
      const { $id } = answer.body
      expect((await blog.get(alice, $id)).body).toEqual(answer.body)
      const color = 'select(["featuredImage","imageColor"])'
      expect((await blog.get(alice, $id, color)).body).toMatchObject({ imageColor: '' })
    }
})

test('a query can find posts without an image', async () => {
  const blog = await start()
  const { alice } = blog
  await blog.post(alice)
  const without = (await blog.create(alice, { title: 'a' })).body
  const queries = ['equal("featuredImage", [""])', `equal("userid", ["${alice.id}"])`]
  expect((await blog.list(undefined, ...queries)).body).toMatchObject({
    total: 1,
    documents: [{ $id: without.$id }],
  })
})

test('a change that does not name the image leaves it as it is', async () => {
  const blog = await start()
  const featuredImage = await blog.upload(blog.alice)
  const id = await blog.post(blog.alice, { featuredImage })
  expect((await blog.patch(blog.alice, id, { title: 'c' })).body).toMatchObject({ featuredImage })
})

test('an image that is removed from its post is deleted', async () => {
  const blog = await start()
  const { alice } = blog
  const id = await blog.post(alice)
  for (const none of ['', null]) {
    const featuredImage = await blog.upload(alice)
    expect((await blog.patch(alice, id, { featuredImage })).body).toMatchObject({ featuredImage })
    expect((await blog.patch(alice, id, { featuredImage: none })).body.featuredImage).toBe('')
    await expect.poll(() => viewStatus(blog, featuredImage)).toBe(404)
  }
})

describe('refused calls about posts', () => {
  const LONG = 'x'.repeat(256)
  const structure = (tail: string) =>
    refusal(400, 'document_invalid_structure', `Invalid document structure: ${tail}`)
  const TITLE = structure(
    'Attribute "title" has invalid format. Value must be 1 to 255 characters of plain text without control characters',
  )
  const TITLE_TYPE = structure(
    'Attribute "title" has invalid type. Value must be a valid string and no longer than 255 chars',
  )
  const IMAGE = structure(
    'Attribute "featuredImage" has invalid format. Value must be the id of a complete image of the author',
  )

  test('each fault of a new post or of a change is named, and nothing is written', async () => {
    const blog = await start()
    const { alice, bob } = blog
    const featuredImage = await blog.upload(alice)
    const foreignImage = await blog.upload(bob)
    const id = await blog.post(alice)
    const before = await blog.everything()
    const cases: [name: string, data: Record<string, unknown>, answer: object][] = [
      ['title null', { title: null }, structure('Missing required attribute "title"')],
      ['title number', { title: 3 }, TITLE_TYPE],
      ['title too long', { title: LONG }, TITLE_TYPE],
      ['title empty', { title: '  ' }, TITLE],
      ['title with a line break', { title: 'a\nb' }, TITLE],
      ['title with NUL', { title: 'a\0b' }, TITLE],
      [
        'content number',
        { content: 1 },
        structure(
          'Attribute "content" has invalid type. Value must be a valid string and no longer than 1000000 chars',
        ),
      ],
      [
        'content too long',
        { content: 'x'.repeat(1_000_001) },
        refusal(400, 'document_invalid_structure'),
      ],
      [
        'content too deep',
        { content: '<b>'.repeat(101) },
        refusal(400, 'document_invalid_structure'),
      ],
      [
        'status unknown',
        { status: 'draft' },
        structure('Attribute "status" has invalid format. Value must be one of (active, inactive)'),
      ],
      ['status boolean', { status: true }, refusal(400, 'document_invalid_structure')],
      ['image of spaces', { featuredImage: ' ' }, IMAGE],
      [
        'image number',
        { featuredImage: 1 },
        structure(
          'Attribute "featuredImage" has invalid type. Value must be a valid string and no longer than 36 chars',
        ),
      ],
      ['image unknown', { featuredImage: 'none' }, IMAGE],
      ['image no id', { featuredImage: '../x\0' }, IMAGE],
      ['image of somebody else', { featuredImage: foreignImage }, IMAGE],
      [
        'unknown attribute',
        { foo: 1 },
        structure('Unknown attribute: "foo". The setting BLOG_EXTRA_ATTRIBUTES=on allows it'),
      ],
      [
        'like as text',
        { like: '3' },
        structure('Attribute "like" has invalid type. Value must be a valid integer'),
      ],
      ['likeId as text', { likeId: 'a' }, structure('Attribute "likeId" must be an array')],
      [
        'likeId with a number',
        { likeId: [1] },
        structure(
          `Attribute "likeId['0']" has invalid type. Value must be a valid string and no longer than 36 chars`,
        ),
      ],
      ['author of another name', { userid: bob.id }, refusal(401, 'user_unauthorized')],
      [
        'author as number',
        { userid: 1 },
        structure(
          'Attribute "userid" has invalid type. Value must be a valid string and no longer than 36 chars',
        ),
      ],
    ]
    for (const [name, data, answer] of cases) {
      expect([
        name,
        await blog.create(alice, { title: 'a', featuredImage, ...data }),
      ]).toMatchObject([name, answer])
      expect([name, await blog.patch(alice, id, { content: 'changed', ...data })]).toMatchObject([
        name,
        answer,
      ])
    }
    expect(await blog.create(alice, { featuredImage, foo: 1 })).toMatchObject(
      structure('Missing required attribute "title"'),
    )
    expect(await blog.everything()).toEqual(before)
  })

  test('the first fault of the call itself is named, and nothing is written', async () => {
    const blog = await start()
    const { alice } = blog
    const data = { title: 'a', featuredImage: await blog.upload(alice) }
    const before = await blog.everything()
    const send = (path: string, body: unknown, method = 'POST') =>
      blog.call(method, path, { body, cookie: alice.cookie })
    const cases: [answer: Answer, expected: object][] = [
      [
        await send(DOCUMENTS, { data }),
        refusal(400, 'general_argument_invalid', 'Param "documentId" is not optional.'),
      ],
      [await send(DOCUMENTS, { documentId: '-x', data }), refusal(400, 'general_argument_invalid')],
      [
        await send(DOCUMENTS, { documentId: 'x'.repeat(37), data }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await send(DOCUMENTS, { documentId: 'x' }),
        refusal(400, 'general_argument_invalid', 'Param "data" is not optional.'),
      ],
      [
        await send(DOCUMENTS, { documentId: 'x', data: 'no json' }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await send(DOCUMENTS, { documentId: 'x', data: [1] }),
        refusal(400, 'general_argument_invalid'),
      ],
      [await send(DOCUMENTS, { documentId: 'x', data: {} }), refusal(400, 'document_missing_data')],
      [
        await send(DOCUMENTS, { documentId: 'x', data: { ...data, $id: 'y' } }),
        refusal(400, 'document_invalid_structure'),
      ],
      [
        await send(DOCUMENTS.replace('blogdb', 'other'), { documentId: 'x', data: {} }),
        refusal(400, 'document_missing_data'),
      ],
      [
        await send(DOCUMENTS.replace('blogdb', 'other'), { documentId: 'x', data }),
        refusal(404, 'database_not_found'),
      ],
      [
        await send(DOCUMENTS.replace('posts', 'other'), { documentId: 'x', data }),
        refusal(404, 'collection_not_found'),
      ],
      [
        await send(DOCUMENTS.replace('blogdb', '-x'), { documentId: 'x', data }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await send(DOCUMENTS, { documentId: 'x', data, permissions: ['bad'] }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await send(DOCUMENTS, { documentId: 'x', data, permissions: ['update("user:bob")'] }),
        refusal(401, 'user_unauthorized'),
      ],
      [await send(`${DOCUMENTS}/none`, {}, 'PATCH'), refusal(400, 'document_missing_payload')],
      [
        await send(`${DOCUMENTS}/none`, { data: {} }, 'PATCH'),
        refusal(400, 'document_missing_payload'),
      ],
      [
        await send(`${DOCUMENTS}/none`, { data: { title: 3 } }, 'PATCH'),
        refusal(404, 'document_not_found'),
      ],
      [
        await send(`${DOCUMENTS}/-none`, { data }, 'PATCH'),
        refusal(400, 'general_argument_invalid'),
      ],
      [await send(`${DOCUMENTS}/%00`, { data }, 'PATCH'), refusal(400, 'general_argument_invalid')],
      [await send(`${DOCUMENTS}/none`, {}, 'DELETE'), refusal(404, 'document_not_found')],
    ]
    for (const [index, [answer, expected]] of cases.entries())
      expect([index, answer]).toMatchObject([index, expected])
    expect(await blog.everything()).toEqual(before)
  })

  test('invalid queries are refused', { tags: ['more'] }, async () => {
    await using blog = await startAlone()
    expect(await blog.list(undefined, 'foo("a")')).toMatchObject(
      refusal(400, 'general_argument_invalid', 'Invalid query method: foo'),
    )
    expect(await blog.list(undefined, 'equal("title"')).toMatchObject(
      refusal(400, 'general_query_invalid'),
    )
    expect(await blog.list(undefined, 'cursorAfter("none")')).toMatchObject(
      refusal(400, 'general_cursor_not_found'),
    )
    expect(await blog.list(undefined, 'limit(0)')).toMatchObject(
      refusal(400, 'general_argument_invalid'),
    )
    expect(await blog.get(undefined, 'none', 'limit(1)')).toMatchObject(
      refusal(400, 'general_argument_invalid'),
    )
  })

  test('a list accepts any limit and unknown parameters', {
    tags: ['more'],
  }, async () => {
    await using blog = await startAlone()
    expect((await blog.list(undefined, 'limit(1000000)')).status).toBe(200)
    expect((await blog.list('key', 'limit(5000)')).status).toBe(200)
    expect(
      (
        await blog.call(
          'GET',
          `${DOCUMENTS}?queries[]=limit(1)&total=false&ttl=5&transactionId=x&unknown=1`,
        )
      ).body,
    ).toEqual({
      total: 0,
      documents: [],
    })
  })

  test('a time in the header prevents overwriting a newer post', async () => {
    const blog = await start()
    const id = await blog.post(blog.alice)
    const call = (method: string, time: string) =>
      blog.call(method, `${DOCUMENTS}/${id}`, {
        body: { data: { title: 'new' } },
        cookie: blog.alice.cookie,
        headers: { 'x-appwrite-timestamp': time },
      })
    expect(await call('PATCH', 'yesterday')).toMatchObject(refusal(400, 'general_argument_invalid'))
    expect(await call('PATCH', '2020-01-01T00:00:00.000+00:00')).toMatchObject(
      refusal(409, 'document_update_conflict'),
    )
    expect(await call('DELETE', '2020-01-01T00:00:00.000+00:00')).toMatchObject(
      refusal(409, 'document_update_conflict'),
    )
    expect((await blog.get(undefined, id)).body.title).toBe('A post')
    expect((await call('PATCH', '2100-01-01T00:00:00Z')).body.title).toBe('new')
  })
})
