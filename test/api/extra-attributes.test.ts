// Extra attributes: stored and returned as they were sent where the operator allows it, within
// limits, never queried, and never in place of another attribute.
import { describe, expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const ON = { BLOG_EXTRA_ATTRIBUTES: 'on' }
const INVALID = { status: 400, body: { type: 'document_invalid_structure' } }
const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })

test('without the setting extra attributes are refused, and the log names the setting', async () => {
  await using blog = await openBlogOn('SQLite')
  const answer = await blog.create(blog.alice, { title: 'a', slug: 'a' })
  expect(answer).toMatchObject(INVALID)
  const setting = 'BLOG_EXTRA_ATTRIBUTES'
  expect(answer.body.message).toBe(
    `Invalid document structure: Unknown attribute: "slug". The setting ${setting}=on allows it`,
  )
  expect(blog.log).toContainEqual(expect.objectContaining({ setting, msg: answer.body.message }))
})

test('a name that no setting allows is refused without naming a setting', async () => {
  await using blog = await openBlogOn('SQLite')
  const reserved = await blog.create(blog.alice, { title: 'a', words: 1 })
  expect(reserved.body.message).toBe('Invalid document structure: Unknown attribute: "words"')
})

test('the refusal of a very long name is short', async () => {
  await using blog = await openBlogOn('SQLite')
  const answer = await blog.create(blog.alice, { title: 'a', ['k'.repeat(50_000)]: 1 })
  expect(answer).toMatchObject(INVALID)
  expect(answer.body.message).toMatch(
    /^Invalid document structure: Unknown attribute: "k{900,1000}…$/,
  )
})

for (const [kind, tags] of DATABASES)
  describe(`extra attributes on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind, ON))

    test('texts, numbers and booleans are stored, changed and removed by null', async () => {
      const { alice, create, get, patch } = await share()
      const extras = { slug: 'it\'s "c"', views: 10, rating: -4.5, isHot: true }
      const created = await create(alice, { title: 'a', ...extras }, { documentId: 'stored' })
      expect(created).toMatchObject({ status: 201, body: extras })
      expect((await get(undefined, 'stored')).body).toMatchObject(extras)
      await patch(alice, 'stored', { views: 11, slug: null })
      const read = (await get(undefined, 'stored')).body
      expect([read.views, read.rating, 'slug' in read]).toEqual([11, -4.5, false])
    })

    test('half a surrogate pair is stored as the replacement character', async () => {
      const { alice, create } = await share()
      const created = await create(alice, { title: 'a', slug: 'x\ud800' })
      expect(created.body.slug).toBe('x\ufffd')
    })

    test('no query accepts an extra attribute', async () => {
      const { alice, create, list } = await share()
      await create(alice, { title: 'a', slug: 'alpha' })
      for (const query of [
        json('equal', 'slug', ['alpha']),
        json('orderAsc', 'slug'),
        json('select', undefined, ['slug']),
      ])
        expect((await list(undefined, query)).body).toMatchObject({
          code: 400,
          message: 'Invalid query: Attribute not found in schema: slug',
        })
    })

    test('a select without a star leaves extra attributes out, and a star returns them all', async () => {
      const { alice, create, get } = await share()
      await create(alice, { title: 'a', slug: 'alpha' }, { documentId: 'starred' })
      const selected = await get(undefined, 'starred', json('select', undefined, ['title']))
      expect(selected.body).toMatchObject({ title: 'a' })
      expect(selected.body.slug).toBe(undefined)
      const all = await get(undefined, 'starred', json('select', undefined, ['*', 'words']))
      expect(all.body).toMatchObject({ slug: 'alpha', words: 0 })
    })

    test.each([
      { status: 'draft' },
      { featuredImage: 'https://pictures.example/a.png' },
      { object: { a: 1 } },
      { list: ['a'] },
      { nul: 'a\0b' },
      { long: 'x'.repeat(17 * 1024) },
      Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, index])),
    ])(
      'a value that is not a scalar or is too long is refused, and so are too many values: case %#',
      async (data) => {
        const blog = await share()
        const id = await blog.post(blog.alice, { slug: 'first' })
        const before = await blog.everything()
        expect(await blog.patch(blog.alice, id, data)).toMatchObject(INVALID)
        expect(await blog.create(blog.alice, { title: 'a', ...data })).toMatchObject(INVALID)
        expect(await blog.everything()).toEqual(before)
      },
    )

    test('extra attributes survive an edit, and restoring a version or a deleted post', async () => {
      const blog = await share()
      const { alice } = blog
      const caller = { cookie: alice.cookie }
      const id = await blog.post(alice, { content: '<p>a</p>', slug: 'first', n: 1 })
      const documents = '/databases/blogdb/collections/posts/documents'
      await blog.patch(alice, id, { title: 'T', content: '<p>b</p>' })
      const { versions } = (await blog.call('GET', `${documents}/${id}/versions`, caller)).body
      const restore = `${documents}/${id}/versions/${versions[1].$id}/restore`
      const restored = await blog.call('POST', restore, { ...caller, body: {} })
      expect(restored.body).toMatchObject({ content: '<p>a</p>', slug: 'first', n: 1 })
      await blog.remove(alice, id)
      const deleted = '/databases/blogdb/collections/posts/deleted'
      const [deletedPost] = (await blog.call('GET', deleted, caller)).body.deleted
      const undeleted = await blog.call('POST', `${deleted}/${deletedPost.$id}/restore`, {
        ...caller,
        body: {},
      })
      expect(undeleted.body).toMatchObject({ slug: 'first', n: 1, status: 'inactive' })
    })

    test('only the author can change an extra attribute', async () => {
      const blog = await share()
      const id = await blog.post(blog.alice, { slug: 'hers' })
      expect((await blog.patch(blog.bob, id, { slug: 'his' })).status).toBe(401)
      expect((await blog.get(undefined, id)).body.slug).toBe('hers')
    })
  })
