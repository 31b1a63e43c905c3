// What the API key declares of the collection, as a command line tool pushes it, and what that
// means for posts.
import { Client, Databases, DatabasesIndexType, Storage } from 'node-appwrite'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

const PATH = '/databases/blogdb/collections/posts'
const INVALID = { status: 400, body: { type: 'document_invalid_structure' } }
const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })

for (const [kind, tags] of DATABASES)
  describe(`declared attributes on ${kind}`, { tags }, () => {
    test('values of each kind are checked, filled in, filtered and ordered without any setting', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, asKey } = blog
      const declare = async (path: string, body: unknown) => {
        const answer = await blog.call('POST', `${PATH}/attributes/${path}`, { ...asKey, body })
        expect(answer).toMatchObject({ status: 202, body: { status: 'processing', error: '' } })
      }
      await declare('string', { key: 'slug', size: 5, required: true })
      await declare('integer', { key: 'views', required: false, min: 0, max: 9, default: 3 })
      await declare('float', { key: 'rating', required: false })
      await declare('boolean', { key: 'isHot', required: false })
      await declare('email', { key: 'contact', required: false })
      await declare('url', { key: 'link', required: false })
      await declare('enum', { key: 'mood', elements: ['good', 'bad'], required: false })
      await declare('datetime', { key: 'when', required: false })
      await declare('string', { key: 'tags', size: 9, required: false, array: true })
      const wrong: Record<string, unknown>[] = [
        ...[{ slug: 'too long' }, { slug: 1 }, { slug: null }, { views: 10 }, { views: 1.5 }],
        ...[
          { views: '3' },
          { rating: 'x' },
          { isHot: 1 },
          { contact: 'a' },
          { link: 'javascript:1' },
        ],
        ...[{ mood: 'other' }, { when: 'soon' }, { tags: 'a' }, { tags: [1] }, { other: 1 }],
      ]
      for (const data of wrong)
        expect(await blog.create(alice, { title: 'a', slug: 'a', ...data })).toMatchObject(INVALID)
      expect(await blog.create(alice, { title: 'a' })).toMatchObject({
        body: { message: 'Invalid document structure: Missing required attribute "slug"' },
      })
      const when = '2024-02-03T04:05:06.000+00:00'
      const data = { slug: 'one', tags: ['a', 'b'], when: '2024-02-03T05:05:06+01:00' }
      const made = await blog.create(alice, { title: 'a', ...data }, { documentId: 'one' })
      expect(made).toMatchObject({
        status: 201,
        body: { slug: 'one', tags: ['a', 'b'], when, views: 3, rating: null, mood: null },
      })
      await blog.create(alice, { title: 'b', slug: 'two', views: 5 }, { documentId: 'two' })
      const ids = async (...queries: string[]) => {
        const { body } = await blog.list(undefined, ...queries)
        return body.documents?.map(({ $id }: { $id: string }) => $id) ?? body.message
      }
      expect(await ids(json('equal', 'when', ['2024-02-03T04:05:06Z']))).toEqual(['one'])
      expect(await ids(json('greaterThan', 'when', ['2024-02-03']))).toEqual(['one'])
      expect(await ids(json('contains', 'tags', ['b']))).toEqual(['one'])
      expect(await ids(json('orderDesc', 'views'))).toEqual(['two', 'one'])
      expect(await ids(json('equal', 'views', ['5']))).toMatch(/type does not match/)
      expect((await blog.patch(alice, 'one', { tags: null })).body.tags).toBeNull()
    })

    test('a post of the form of this blog may lack what programs must send', async () => {
      await using blog = await openBlogOn(kind)
      const path = '/databases/blogdb/collections/posts/attributes'
      for (const [type, body] of [
        ['string', { key: 'slug', size: 5, required: true }],
        ['enum', { key: 'mood', elements: ['good', 'bad'], required: false, default: 'good' }],
      ] as const)
        await blog.call('POST', `${path}/${type}`, { ...blog.asKey, body })
      const { alice } = blog
      const data = { title: 'From the form' }
      expect(await blog.create(alice, data)).toMatchObject({ status: 400 })
      const wrong = await blog.create(alice, { ...data, slug: 'too long' }, { incomplete: true })
      expect(wrong).toMatchObject({ status: 400 })
      expect(await blog.create(alice, {}, { incomplete: true })).toMatchObject({ status: 400 })
      const made = await blog.create(alice, data, { incomplete: true })
      expect(made).toMatchObject({ status: 201, body: { slug: null, mood: 'good' } })
      const id = made.body.$id
      expect((await blog.patch(alice, id, { title: 'Changed' })).body).toMatchObject({ slug: null })
      expect((await blog.patch(alice, id, { slug: 'one' })).body).toMatchObject({ slug: 'one' })
      expect(await blog.patch(alice, id, { slug: null })).toMatchObject({ status: 400 })
    })

    test('a tool pushes a project: reads, makes, changes and removes, and finds the same again', async () => {
      await using blog = await openBlogOn(kind)
      const client = new Client()
        .setEndpoint(`${blog.url}/v1`)
        .setProject('blog')
        .setKey(blog.apiKey)
      const [databases, storage] = [new Databases(client), new Storage(client)]
      const ids = { databaseId: 'blogdb', collectionId: 'posts' }
      expect(await databases.list()).toMatchObject({ total: 1, databases: [{ $id: 'blogdb' }] })
      const code = (promise: Promise<unknown>) => promise.catch(({ type }) => type)
      expect(await code(databases.create({ databaseId: 'blogdb', name: 'x' }))).toBe(
        'database_already_exists',
      )
      expect(await code(databases.createCollection({ ...ids, name: 'x' }))).toBe(
        'collection_already_exists',
      )
      expect(await code(storage.createBucket({ bucketId: 'content', name: 'x' }))).toBe(
        'storage_bucket_already_exists',
      )
      expect((await storage.listBuckets()).buckets.map(({ $id }) => $id)).toEqual([
        'content',
        'avatars',
      ])
      expect(await storage.getBucket({ bucketId: 'avatars' })).toMatchObject({ enabled: true })
      const keys = async () =>
        (await databases.getCollection(ids)).attributes.map((one) => (one as { key: string }).key)
      const builtIn = await keys()
      expect(builtIn).toContain('featuredImage')
      for (const key of builtIn) await databases.deleteAttribute({ ...ids, key })
      expect(await keys()).toEqual([])
      const text = { ...ids, size: 255, required: true }
      for (const key of ['title', 'content', 'featuredImage', 'status', 'userId'])
        await databases.createStringAttribute({ ...text, key })
      expect(await keys()).toEqual(['title', 'content', 'featuredImage', 'status', 'userId'])
      expect(await databases.getAttribute({ ...ids, key: 'userId' })).toMatchObject({
        ...{ status: 'available', type: 'string', size: 255, required: true },
      })
      expect(await code(databases.createStringAttribute({ ...text, key: 'title' }))).toBe(
        'attribute_already_exists',
      )
      const changed = { ...ids, key: 'title', required: false, xdefault: 'x', size: 99 }
      expect(await databases.updateStringAttribute(changed)).toMatchObject({
        size: 99,
        default: 'x',
      })
      // A tool compares answers with its own file, and makes anew what differs.
      const like = { ...ids, required: false }
      await databases.createDatetimeAttribute({ ...like, key: 'when' })
      await databases.createUrlAttribute({ ...like, key: 'link' })
      await databases.createEnumAttribute({ ...like, key: 'mood', elements: ['good'] })
      const listed = (await databases.getCollection(ids)).attributes.slice(-3)
      expect(listed).toMatchObject([{ format: '' }, { format: 'url' }, { format: 'enum' }])
      for (const one of listed) expect(one).not.toHaveProperty('size')
      expect(
        await databases.updateDatetimeAttribute({ ...like, key: 'when', xdefault: '2024-01-02' }),
      ).toMatchObject({ type: 'datetime', format: '' })

      const index = {
        ...ids,
        key: 'byStatus',
        type: DatabasesIndexType.Key,
        attributes: ['status'],
      }
      await databases.createIndex(index)
      expect((await databases.listIndexes(ids)).indexes).toMatchObject([{ status: 'available' }])
      expect(await code(databases.createIndex(index))).toBe('index_already_exists')
      await databases.deleteIndex({ ...ids, key: 'byStatus' })
      expect(await code(databases.getIndex({ ...ids, key: 'byStatus' }))).toBe('index_not_found')

      // Names of roles stay the roles that they are.
      const { body } = await blog.create(blog.alice, { title: 'a', userId: blog.alice.id })
      expect(body).toMatchObject({ userid: blog.alice.id, userId: blog.alice.id })
    })
  })

test('nobody but the key reads or declares, and names of the server cannot be declared', async () => {
  await using blog = await openBlogOn('SQLite')
  const { alice, asKey } = blog
  const body = { key: 'slug', size: 5, required: false }
  for (const [method, path] of [
    ['GET', '/databases'],
    ['GET', '/databases/blogdb'],
    ['GET', '/databases/blogdb/collections'],
    ['GET', PATH],
    ['GET', `${PATH}/attributes`],
    ['POST', `${PATH}/attributes/string`],
    ['DELETE', `${PATH}/attributes/title`],
    ['POST', `${PATH}/indexes`],
    ['GET', '/storage/buckets'],
  ] as const)
    for (const caller of [{}, { cookie: alice.cookie }])
      expect(
        await blog.call(method, path, { ...caller, ...(method === 'GET' ? {} : { body }) }),
      ).toMatchObject({ status: 401, body: { type: 'general_unauthorized_scope' } })
  for (const key of ['constructor', '__proto__', 'password', 'hidden', 'a b', '', '$id'])
    expect(
      await blog.call('POST', `${PATH}/attributes/string`, { ...asKey, body: { ...body, key } }),
    ).toMatchObject({ status: 400, body: { type: 'general_argument_invalid' } })
  expect(
    await blog.call('POST', `${PATH}/attributes/string`, {
      ...asKey,
      body: { ...body, key: 'like' },
    }),
  ).toMatchObject({ status: 409 })
  const large = {
    ...body,
    key: 'large',
    size: 100_000,
    required: false,
    default: 'x'.repeat(16_385),
  }
  expect(
    await blog.call('POST', `${PATH}/attributes/string`, { ...asKey, body: large }),
  ).toMatchObject({ status: 400, body: { type: 'attribute_value_invalid' } })
  expect(await blog.call('GET', '/databases/other', asKey)).toMatchObject({ status: 404 })
  expect(
    await blog.call('POST', '/databases', { ...asKey, body: { databaseId: 'b' } }),
  ).toMatchObject({ status: 400 })
})
