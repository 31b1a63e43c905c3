// Attributes that nobody declared: kept where the operator allows it, within limits, and never in
// the place of anything else.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const ON = { BLOG_EXTRA_ATTRIBUTES: 'on' }
const INVALID = { status: 400, body: { type: 'document_invalid_structure' } }
const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })

test('without the setting they are refused', async () => {
  await using blog = await openBlogOn('SQLite')
  const answer = await blog.create(blog.alice, { title: 'a', slug: 'a' })
  expect(answer).toMatchObject(INVALID)
  const setting = 'BLOG_EXTRA_ATTRIBUTES'
  expect(answer.body.message).toBe(
    `Invalid document structure: Unknown attribute: "slug". The setting ${setting}=on allows it`,
  )
  expect(blog.log).toContainEqual(expect.objectContaining({ setting, msg: answer.body.message }))
  // No setting allows it.
  const reserved = await blog.create(blog.alice, { title: 'a', words: 1 })
  expect(reserved.body.message).toBe('Invalid document structure: Unknown attribute: "words"')
  expect(await blog.list(undefined, json('equal', 'slug', ['a']))).toMatchObject({ status: 400 })
  // However long its name is, the answer is short.
  const long = await blog.create(blog.alice, { title: 'a', ['k'.repeat(50_000)]: 1 })
  expect(long).toMatchObject(INVALID)
  expect(long.body.message).toMatch(
    /^Invalid document structure: Unknown attribute: "k{900,1000}…$/,
  )
})

for (const [kind, tags] of DATABASES)
  describe(`attributes of their own on ${kind}`, { tags }, () => {
    async function start() {
      const blog = await openBlogOn(kind, ON)
      const ids = async (...queries: string[]) => {
        const { status, body } = await blog.list(undefined, ...queries)
        return status === 200 ? body.documents.map(({ $id }: { $id: string }) => $id) : body.message
      }
      return { ...blog, ids }
    }
    /** For tests that find their posts by what only they have. */
    const share = shareBlog(start)

    test('they are kept, changed, taken away, filtered, ordered and selected', async () => {
      await using blog = await start()
      const { alice, ids } = blog
      const rows = {
        a: { slug: 'alpha', views: 10, rating: 4.5, isHot: true, tags: ['x', 'y'] },
        b: { slug: 'Beta', views: 9, rating: -1, isHot: false, tags: ['y'] },
        c: { slug: 'it\'s "c"', views: '9' },
        d: {},
      }
      for (const [documentId, data] of Object.entries(rows)) {
        const made = await blog.create(alice, { title: documentId, ...data }, { documentId })
        expect(made).toMatchObject({ status: 201, body: data })
      }
      expect((await blog.get(undefined, 'a')).body).toMatchObject(rows.a)
      expect(await ids(json('equal', 'slug', ['alpha', 'Beta']))).toEqual(['a', 'b'])
      expect(await ids(json('equal', 'slug', ['it\'s "c"']))).toEqual(['c'])
      expect(await ids(json('notEqual', 'slug', ['alpha']))).toEqual(['b', 'c'])
      expect(await ids(json('equal', 'views', [9]))).toEqual(['b'])
      expect(await ids(json('greaterThan', 'views', [9]))).toEqual(['a'])
      expect(await ids(json('between', 'rating', [-1.5, 4]))).toEqual(['b'])
      expect(await ids(json('equal', 'isHot', [true]))).toEqual(['a'])
      expect(await ids(json('equal', 'isHot', [1]))).toEqual([])
      expect(await ids(json('contains', 'tags', ['y']))).toEqual(['a', 'b'])
      expect(await ids(json('contains', 'slug', ['et']))).toEqual(['b'])
      expect(await ids(json('startsWith', 'slug', ['al']))).toEqual(['a'])
      expect(await ids(json('endsWith', 'slug', ['a']))).toEqual(['a', 'b'])
      expect(await ids(json('isNull', 'views'))).toEqual(['d'])
      expect(await ids(json('isNotNull', 'tags'))).toEqual(['a', 'b'])
      expect(await ids(json('orderAsc', 'views'))).toEqual(['d', 'b', 'a', 'c'])
      expect(await ids(json('orderDesc', 'slug'))).toEqual(['c', 'a', 'b', 'd'])
      const page = [json('orderAsc', 'views'), 'limit(2)']
      expect(await ids(...page, 'cursorAfter("b")')).toEqual(['a', 'c'])
      expect(await ids(...page, 'cursorBefore("a")')).toEqual(['d', 'b'])
      const shown = (await blog.get(undefined, 'b', 'select(["slug","nothing"])')).body
      expect(shown).toMatchObject({ slug: 'Beta', nothing: null })
      expect(Object.keys(shown)).toHaveLength(4)

      const before = (await blog.get(undefined, 'a')).body
      blog.passTime(5)
      const changed = await blog.patch(alice, 'a', { views: 11, tags: null })
      expect(changed.body).toMatchObject({ slug: 'alpha', views: 11, title: 'a' })
      expect(changed.body).not.toHaveProperty('tags')
      expect(changed.body.$updatedAt).not.toBe(before.$updatedAt)
      expect(await blog.patch(blog.bob, 'a', { views: 12 })).toMatchObject({ status: 401 })
    })

    test('conditions of texts refuse other values; half characters are what they are stored as', async () => {
      const blog = await share()
      await blog.post(blog.alice, { slug: 'a\ufffd' }, { documentId: 'a' })
      for (const method of ['startsWith', 'endsWith', 'notStartsWith', 'notEndsWith'])
        for (const value of [1, 1e308, true])
          expect((await blog.list(undefined, json(method, 'slug', [value]))).body).toMatchObject({
            ...{ code: 400, message: 'Invalid query: Query type does not match expected: string' },
          })
      for (const method of ['equal', 'contains', 'containsAny', 'notContains', 'search'])
        for (const half of ['\ud800', 'x\udc00'])
          expect((await blog.list(undefined, json(method, 'slug', [half]))).status).toBe(200)
      expect(await blog.ids(json('equal', 'slug', ['a\ud800']))).toEqual(['a'])
    })

    test('no query, cursor or count tells of posts that are not for everybody', async () => {
      await using blog = await start()
      const { alice, bob, ids } = blog
      const own = { permissions: [`read("user:${alice.id}")`] }
      const data = { slug: 's', n: 1 }
      await blog.create(alice, { title: 'pub', ...data }, { documentId: 'pub' })
      await blog.create(alice, { title: 'a', ...data, status: 'inactive' }, { documentId: 'off' })
      await blog.create(alice, { title: 'a', ...data }, { documentId: 'narrow', ...own })
      const either = ['slug', 'title'].map((name) => ({
        ...{ method: 'equal', attribute: name, values: ['s', 'a'] },
      }))
      for (const query of [
        json('equal', 'slug', ['s']),
        json('notEqual', 'slug', ['x']),
        json('notContains', 'slug', ['x']),
        json('notBetween', 'n', [8, 9]),
        json('search', 'title', ['pub a']),
        json('isNotNull', 'n'),
        json('orderRandom'),
        JSON.stringify({ method: 'or', values: either }),
      ])
        expect([query, await ids(query)]).toEqual([query, ['pub']])
      const order = json('orderAsc', 'slug')
      const none = (await blog.list(bob, order, 'cursorAfter("none")')).body
      for (const id of ['off', 'narrow']) {
        expect((await blog.list(bob, order, `cursorAfter("${id}")`)).body).toEqual(none)
        const path = `/databases/blogdb/collections/posts/documents/${id}/n/increment`
        const counted = await blog.call('PATCH', path, { cookie: bob.cookie, body: {} })
        expect(counted.body.type).toBe('document_not_found')
      }
    })

    test('names of roles, rules, secrets and prototypes, too many and too much are refused', async () => {
      const blog = await share()
      const { alice } = blog
      const id = await blog.post(alice, { slug: 'kept' })
      const before = await blog.everything()
      const many = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`a${at}`, at]))
      const refused: Record<string, unknown>[] = [
        ...['constructor', 'toString', 'hasOwnProperty', 'prototype', 'password', 'passwordHash'],
        ...['session_secret', 'Token', 'LIKEID', 'Hidden', 'is_hidden', 'words'],
        ...['readers', '_x', 'a b', 'a"b', "a'); drop table post; --", 'x'.repeat(37), 'é'],
      ].map((name) => ({ [name]: 'x' }))
      refused.push(many, { long: 'x'.repeat(17 * 1024) }, { object: { a: 1 } }, { list: [1] })
      refused.push({ list: [['a']] }, { nul: 'a\0b' }, { userid: alice.id, userId: blog.bob.id })
      refused.push({ featuredImage: 'x'.repeat(256) }, { status: 7 })
      for (const data of refused) {
        expect(await blog.patch(alice, id, data)).toMatchObject(INVALID)
        expect(await blog.create(alice, { title: 'a', ...data })).toMatchObject(INVALID)
      }
      const bob = { title: 'a', userId: blog.bob.id }
      expect(await blog.create(alice, bob)).toMatchObject({ status: 401 })
      for (const name of ['constructor', '__proto__', 'passwordHash', "a' or 1=1", 'a"b'])
        expect((await blog.list(undefined, json('equal', name, ['x']))).body).toMatchObject({
          ...{ code: 400, message: `Invalid query: Attribute not found in schema: ${name}` },
        })
      expect((await blog.list(undefined, json('equal', 'post.userId', ['x']))).body.total).toBe(0)
      expect(await blog.everything()).toEqual(before)
      const { a32: _one, ...fit } = many
      expect(await blog.create(alice, { title: 'a', ...fit })).toMatchObject({ status: 201 })
      expect(await blog.patch(alice, id, fit)).toMatchObject(INVALID)
    })

    test('they survive edits of the form, versions, the bin and the export', async () => {
      const blog = await share()
      const { alice } = blog
      const caller = { cookie: alice.cookie }
      const id = await blog.post(alice, { content: '<p>a</p>', slug: 'kept', n: 1 })
      const documents = '/databases/blogdb/collections/posts/documents'
      const image = await blog.upload(alice)
      await blog.patch(alice, id, {
        title: 'T',
        content: '<p>b</p>',
        status: 'active',
        featuredImage: image,
      })
      const { versions } = (await blog.call('GET', `${documents}/${id}/versions`, caller)).body
      const restore = `${documents}/${id}/versions/${versions[1].$id}/restore`
      const restored = await blog.call('POST', restore, { ...caller, body: {} })
      expect(restored.body).toMatchObject({ content: '<p>a</p>', slug: 'kept', n: 1 })
      await blog.remove(alice, id)
      const deleted = '/databases/blogdb/collections/posts/deleted'
      const [one] = (await blog.call('GET', deleted, caller)).body.deleted
      const back = await blog.call('POST', `${deleted}/${one.$id}/restore`, { ...caller, body: {} })
      expect(back.body).toMatchObject({ slug: 'kept', n: 1, status: 'inactive' })
    })

    test('a program that has no title calls it by another name, and a long body too', async () => {
      const blog = await share()
      const body = 'x'.repeat(20_000)
      const data = { heading: 'One', postContent: body, views: 1 }
      const made = await blog.create(blog.alice, data, { documentId: 'one' })
      expect(made).toMatchObject({ status: 201, body: { title: 'One', content: body, ...data } })
      const changed = await blog.patch(blog.alice, 'one', { heading: 'Two' })
      expect(changed.body).toMatchObject({ title: 'Two', heading: 'Two' })
      expect(await blog.ids(json('equal', 'heading', ['Two']))).toEqual(['one'])
    })

    test('any status is kept and only "active" is public; any image is kept, own files as before', async () => {
      await using blog = await start()
      const { alice, bob } = blog
      const image = await blog.upload(alice)
      const id = await blog.post(alice, {
        status: 'archived',
        featuredImage: 'https://x.test/a.png',
      })
      expect((await blog.get(alice, id)).body).toMatchObject({
        ...{ status: 'archived', featuredImage: 'https://x.test/a.png' },
      })
      expect(await blog.get(bob, id)).toMatchObject({ status: 404 })
      expect((await blog.list(bob)).body.total).toBe(0)
      await blog.patch(alice, id, { status: 'active', image })
      expect((await blog.get(bob, id)).body).toMatchObject({ featuredImage: image, image })
      await blog.patch(alice, id, { featuredImage: await blog.upload(bob) })
      const view = `/storage/buckets/content/files/${image}/view?project=blog`
      await expect.poll(async () => (await blog.call('GET', view)).status).toBe(404)
    })

    test('a star in select brings every attribute, whatever is named beside it', async () => {
      await using blog = await start()
      const id = await blog.post(blog.alice, { slug: 'a', Body: '<p>x</p>' })
      const whole = (await blog.get(undefined, id)).body
      for (const select of ['select(["*"])', 'select(["*","slug"])', 'select(["nothing","*"])'])
        expect((await blog.get(undefined, id, select)).body).toEqual(whole)
      const named = { ...whole, words: 1, hidden: false }
      expect((await blog.get(undefined, id, 'select(["words","*","hidden"])')).body).toEqual(named)
      const listed = (await blog.list(undefined, 'select(["*","words","hidden"])')).body.documents
      expect(listed).toEqual([named])
    })

    test('the image to show is told apart from an address, another name and a file of others', async () => {
      await using blog = await start()
      const { alice, bob } = blog
      const file = await blog.upload(alice)
      const id = await blog.post(alice, { featuredImage: file })
      const shown = async () => (await blog.get(bob, id, 'select(["ownImage"])')).body.ownImage
      expect(await shown()).toBe(file)
      const around = async () => {
        const other = await blog.post(alice)
        const path = `/databases/blogdb/collections/posts/documents/${other}/around`
        const { others } = (await blog.call('GET', path)).body
        return others.find(({ $id }: { $id: string }) => $id === id).featuredImage
      }
      expect(await around()).toBe(file)
      for (const image of ['https://x.test/a.png', 'no-file', await blog.upload(bob), '<b>', '']) {
        const changed = await blog.patch(alice, id, { featuredImage: image })
        expect(changed).toMatchObject({ status: 200, body: { featuredImage: image } })
        expect(changed.body).not.toHaveProperty('ownImage')
        expect(await shown()).toBe('')
        expect((await blog.list(bob, 'select(["ownImage"])')).body.documents[0].ownImage).toBe('')
      }
      expect(await around()).toBe('')
      const addressOf = (one: string) => `${blog.url}/v1/storage/buckets/content/files/${one}/view`
      const [first, second, ofBob] = [
        await blog.upload(alice),
        await blog.upload(alice),
        await blog.upload(bob),
      ]
      const name = (featuredImage: string) => blog.patch(alice, id, { featuredImage })
      await name(`${addressOf(first)}?project=blog`)
      expect(await shown()).toBe(first)
      await name(`${addressOf(first)}/${addressOf(second)}`)
      expect([first, second]).toContain(await shown())
      await name(addressOf(ofBob))
      expect(await shown()).toBe('')
      expect(await blog.list(bob, json('equal', 'ownImage', ['x']))).toMatchObject({ status: 400 })
      expect(await blog.patch(alice, id, { ownImage: file })).toMatchObject(INVALID)
    })

    test('a deleted post keeps its word of a status and its address, and lists no image for it', async () => {
      const blog = await share()
      const { alice } = blog
      const caller = { cookie: alice.cookie }
      const file = await blog.upload(alice)
      const address = 'https://x.test/a.png'
      const deleted = '/databases/blogdb/collections/posts/deleted'
      for (const [featuredImage, ownImage] of [
        [file, file],
        [address, ''],
      ]) {
        const id = await blog.post(alice, { status: 'archived', featuredImage, n: 1 })
        await blog.remove(alice, id)
        const [one] = (await blog.call('GET', deleted, caller)).body.deleted
        expect(one).toMatchObject({ status: 'archived', featuredImage, ownImage })
        const back = await blog.call('POST', `${deleted}/${one.$id}/restore`, {
          ...{ ...caller, body: {} },
        })
        expect(back.body).toMatchObject({ $id: id, status: 'archived', featuredImage, n: 1 })
      }
    })

    test('nobody likes, lists or counts a post of another status; saves by themselves are one', async () => {
      await using blog = await start()
      const { alice, bob } = blog
      const id = await blog.post(alice, { status: 'draft', content: '<p>a</p>' })
      expect(await blog.like(bob, id, [bob.id])).toMatchObject({ status: 404 })
      expect(await blog.like(alice, id, [alice.id])).toMatchObject({ status: 401 })
      expect((await blog.list(bob, json('equal', 'status', ['draft']))).body.total).toBe(0)
      expect((await blog.list(alice, json('notEqual', 'status', ['active']))).body.total).toBe(1)
      const documents = `/databases/blogdb/collections/posts/documents/${id}`
      const caller = { cookie: alice.cookie }
      for (const content of ['<p>b</p>', '<p>c</p>'])
        await blog.call('PATCH', documents, {
          ...{ ...caller, body: { data: { content, status: 'draft' }, autosave: true } },
        })
      const { versions } = (await blog.call('GET', `${documents}/versions`, caller)).body
      expect(versions.map(({ kind }: { kind: string }) => kind)).toEqual(['autosaved', 'draft'])
      await blog.patch(alice, id, { status: 'active' })
      expect((await blog.list(bob)).body.total).toBe(1)
    })
  })
