// Documents over real HTTP: create, read, change and delete, each with what may go wrong and what
// must not have happened then.
import { describe, expect, test } from 'vitest'
import { type Answer, makeTestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'

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

test('a post is written, read, changed and deleted, and its image goes with it', async () => {
  await using blog = await start()
  const { alice } = blog
  const featuredImage = await blog.upload(alice)
  const made = await blog.create(
    alice,
    { title: ' Hello ', content: '<p onclick="x">Hi</p>', featuredImage, userid: alice.id },
    { documentId: 'blog1l' },
  )
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
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
    $updatedAt: made.body.$createdAt,
    publishedAt: made.body.$createdAt,
    $permissions: ['read("any")', `update("user:${alice.id}")`, `delete("user:${alice.id}")`],
    $databaseId: 'blogdb',
    $collectionId: 'posts',
  })
  expect((await blog.get(undefined, 'blog1l')).body).toEqual(made.body)
  expect((await blog.list(undefined)).body).toEqual({ total: 1, documents: [made.body] })

  const other = await blog.upload(alice)
  const changed = await blog.patch(alice, 'blog1l', {
    ...made.body,
    title: 'New',
    featuredImage: other,
    like: 99,
    likeId: ['x'],
  })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      title: 'New',
      featuredImage: other,
      like: 0,
      likeId: [],
      $createdAt: made.body.$createdAt,
    },
  })
  await expect
    .poll(
      async () =>
        (
          await blog.call(
            'GET',
            `/storage/buckets/content/files/${featuredImage}/view?project=blog`,
          )
        ).status,
    )
    .toBe(404)

  const gone = await blog.remove(alice, 'blog1l')
  expect([gone.status, gone.bytes.length, gone.headers.get('content-type')]).toEqual([204, 0, null])
  expect(await blog.remove(alice, 'blog1l')).toMatchObject(refusal(404, 'document_not_found'))
  await expect
    .poll(
      async () =>
        (await blog.call('GET', `/storage/buckets/content/files/${other}/view?project=blog`))
          .status,
    )
    .toBe(404)
  // Kept for its author, with the post that can still be brought back.
  expect(await blog.everything()).toMatchObject({
    posts: { total: 0, documents: [] },
    files: { total: 1, files: [{ $id: other }] },
  })
})

test('a custom id is taken once, the server makes one when asked, and data may be JSON text', async () => {
  await using blog = await start()
  const featuredImage = await blog.upload(blog.alice)
  const data = JSON.stringify({ title: 'a', featuredImage })
  const made = await blog.create(blog.alice, data)
  expect([made.status, made.body.$id]).toEqual([201, expect.stringMatching(/^[0-9a-f]{20}$/)])
  expect((await blog.create(blog.alice, data, { documentId: 'same' })).status).toBe(201)
  const before = await blog.everything()
  expect(
    await blog.create(
      blog.bob,
      { title: 'b', featuredImage: await blog.upload(blog.bob) },
      { documentId: 'same' },
    ),
  ).toMatchObject(refusal(409, 'document_already_exists'))
  expect((await blog.get(undefined, 'same')).body.title).toBe('a')
  expect(((await blog.everything()) as { posts: unknown }).posts).toEqual(
    (before as { posts: unknown }).posts,
  )
})

test('a post needs no image, whatever its status, and one that it had can be taken away', async () => {
  await using blog = await start()
  const { alice } = blog
  for (const featuredImage of [undefined, null, '']) {
    for (const status of ['active', 'inactive']) {
      const made = await blog.create(alice, { title: 'a', status, featuredImage })
      expect(made).toMatchObject({ status: 201, body: { featuredImage: '', status } })
      const { $id } = made.body
      expect((await blog.get(alice, $id)).body).toEqual(made.body)
      const color = 'select(["featuredImage","imageColor"])'
      expect((await blog.get(alice, $id, color)).body).toMatchObject({ imageColor: '' })
    }
  }
  const image = await blog.upload(alice)
  const id = (await blog.create(alice, { title: 'b', featuredImage: image })).body.$id
  expect((await blog.patch(alice, id, { title: 'c' })).body.featuredImage).toBe(image)
  expect(await blog.list(undefined, 'equal("featuredImage", [""])')).toMatchObject({
    body: { total: 3 },
  })
  for (const nothing of ['', null]) {
    const cover = await blog.upload(alice)
    expect((await blog.patch(alice, id, { featuredImage: cover })).body.featuredImage).toBe(cover)
    expect((await blog.patch(alice, id, { featuredImage: nothing })).body.featuredImage).toBe('')
    const path = `/storage/buckets/content/files/${cover}/view?project=blog`
    await expect.poll(async () => (await blog.call('GET', path)).status).toBe(404)
  }
})

describe('faults', () => {
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

  test('of a new post and of a change are named, and nothing is written', async () => {
    await using blog = await start()
    const { alice, bob } = blog
    const featuredImage = await blog.upload(alice)
    const foreignImage = await blog.upload(bob)
    const id = await blog.post(alice)
    const before = await blog.everything()
    const both: [name: string, data: Record<string, unknown>, answer: object][] = [
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
    for (const [name, data, answer] of both) {
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

  test('of the call itself are named in their order', async () => {
    await using blog = await start()
    const { alice } = blog
    const data = { title: 'a', featuredImage: await blog.upload(alice) }
    const before = await blog.everything()
    const at = (path: string, body: unknown, method = 'POST') =>
      blog.call(method, path, { body, cookie: alice.cookie })
    const cases: [answer: Answer, expected: object][] = [
      [
        await at(DOCUMENTS, { data }),
        refusal(400, 'general_argument_invalid', 'Param "documentId" is not optional.'),
      ],
      [await at(DOCUMENTS, { documentId: '-x', data }), refusal(400, 'general_argument_invalid')],
      [
        await at(DOCUMENTS, { documentId: 'x'.repeat(37), data }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await at(DOCUMENTS, { documentId: 'x' }),
        refusal(400, 'general_argument_invalid', 'Param "data" is not optional.'),
      ],
      [
        await at(DOCUMENTS, { documentId: 'x', data: 'no json' }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await at(DOCUMENTS, { documentId: 'x', data: [1] }),
        refusal(400, 'general_argument_invalid'),
      ],
      [await at(DOCUMENTS, { documentId: 'x', data: {} }), refusal(400, 'document_missing_data')],
      [
        await at(DOCUMENTS, { documentId: 'x', data: { ...data, $id: 'y' } }),
        refusal(400, 'document_invalid_structure'),
      ],
      [
        await at(DOCUMENTS.replace('blogdb', 'other'), { documentId: 'x', data: {} }),
        refusal(400, 'document_missing_data'),
      ],
      [
        await at(DOCUMENTS.replace('blogdb', 'other'), { documentId: 'x', data }),
        refusal(404, 'database_not_found'),
      ],
      [
        await at(DOCUMENTS.replace('posts', 'other'), { documentId: 'x', data }),
        refusal(404, 'collection_not_found'),
      ],
      [
        await at(DOCUMENTS.replace('blogdb', '-x'), { documentId: 'x', data }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await at(DOCUMENTS, { documentId: 'x', data, permissions: ['bad'] }),
        refusal(400, 'general_argument_invalid'),
      ],
      [
        await at(DOCUMENTS, { documentId: 'x', data, permissions: ['update("user:bob")'] }),
        refusal(401, 'user_unauthorized'),
      ],
      [await at(`${DOCUMENTS}/none`, {}, 'PATCH'), refusal(400, 'document_missing_payload')],
      [
        await at(`${DOCUMENTS}/none`, { data: {} }, 'PATCH'),
        refusal(400, 'document_missing_payload'),
      ],
      [
        await at(`${DOCUMENTS}/none`, { data: { title: 3 } }, 'PATCH'),
        refusal(404, 'document_not_found'),
      ],
      [await at(`${DOCUMENTS}/-none`, { data }, 'PATCH'), refusal(400, 'general_argument_invalid')],
      [await at(`${DOCUMENTS}/%00`, { data }, 'PATCH'), refusal(400, 'general_argument_invalid')],
      [await at(`${DOCUMENTS}/none`, {}, 'DELETE'), refusal(404, 'document_not_found')],
    ]
    for (const [index, [answer, expected]] of cases.entries())
      expect([index, answer]).toMatchObject([index, expected])
    expect(await blog.everything()).toEqual(before)
  })

  test('of queries reach the caller', { tags: ['more'] }, async () => {
    await using blog = await start()
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
    expect((await blog.list(undefined, 'limit(1000000)')).status).toBe(200)
    expect((await blog.list('key', 'limit(5000)')).status).toBe(200)
    expect(await blog.get(undefined, 'none', 'limit(1)')).toMatchObject(
      refusal(400, 'general_argument_invalid'),
    )
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

  test('a time in the header guards against overwriting a newer post', async () => {
    await using blog = await start()
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
