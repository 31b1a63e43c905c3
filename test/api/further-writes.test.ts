// Upsert, counting, and many posts in one call of the API key.
import { Client, Databases, Query } from 'node-appwrite'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

const ON = { BLOG_EXTRA_ATTRIBUTES: 'on' }

for (const [kind, tags] of DATABASES)
  describe(`further writes on ${kind}`, { tags }, () => {
    async function start() {
      const blog = await openBlogOn(kind, ON)
      const as = ({ cookie }: { cookie: string }) => ({ cookie })
      return {
        ...blog,
        put: (caller: { cookie: string }, id: string, data: unknown) =>
          blog.call('PUT', `${DOCUMENTS}/${id}`, { ...as(caller), body: { data } }),
        count: (caller: { cookie: string }, path: string, body: unknown = {}) =>
          blog.call('PATCH', `${DOCUMENTS}/${path}`, { ...as(caller), body }),
      }
    }

    test('an upsert makes a post, changes it, and touches none of somebody else', async () => {
      await using blog = await start()
      const { alice, bob } = blog
      expect(await blog.put(alice, 'one', { title: 'A', slug: 'a' })).toMatchObject({
        ...{ status: 201, body: { $id: 'one', title: 'A', slug: 'a', userid: alice.id } },
      })
      expect((await blog.put(alice, 'one', { title: 'B' })).body).toMatchObject({
        ...{ title: 'B', slug: 'a' },
      })
      expect(await blog.put(bob, 'one', { title: 'C' })).toMatchObject({ status: 401 })
      await blog.patch(alice, 'one', { status: 'inactive' })
      expect(await blog.put(bob, 'one', { title: 'C' })).toMatchObject({ status: 409 })
      expect((await blog.get(alice, 'one')).body.title).toBe('B')
    })

    test('of upserts at once one makes the post, and the others change it', async () => {
      await using blog = await start()
      const titles = Array.from({ length: 8 }, (_, at) => `Title ${at}`)
      const all = await Promise.all(titles.map((title) => blog.put(blog.alice, 'new', { title })))
      expect(all.map(({ status, body }) => [status, body.title])).toEqual(
        titles.map((title) => [201, title]),
      )
      expect((await blog.list(blog.alice)).body.total).toBe(1)
    })

    test('numbers count up and down, all calls together, within bounds, and never likes', async () => {
      await using blog = await start()
      const { alice, bob } = blog
      const id = await blog.post(alice, { views: 1, name: 'x' })
      const ups = Array.from({ length: 8 }, () => blog.count(alice, `${id}/views/increment`))
      expect((await Promise.all(ups)).every(({ status }) => status === 200)).toBe(true)
      expect((await blog.get(alice, id)).body.views).toBe(9)
      const down = await blog.count(alice, `${id}/views/decrement`, { value: 2.5, min: 6 })
      expect(down.body.views).toBe(6.5)
      expect((await blog.count(alice, `${id}/fresh/increment`, { value: 3 })).body.fresh).toBe(3)
      const before = await blog.everything()
      for (const [path, body, status, type] of [
        [`${id}/views/increment`, { max: 7 }, 400, 'attribute_limit_exceeded'],
        [`${id}/views/decrement`, { min: 6 }, 400, 'attribute_limit_exceeded'],
        [`${id}/views/increment`, { value: -1 }, 400, 'general_argument_invalid'],
        [`${id}/like/increment`, {}, 400, 'attribute_type_invalid'],
        [`${id}/title/increment`, {}, 400, 'attribute_type_invalid'],
        [`${id}/name/increment`, {}, 400, 'attribute_type_invalid'],
        [`${id}/hidden/increment`, {}, 400, 'attribute_type_invalid'],
        [`${id}/constructor/increment`, {}, 404, 'attribute_not_found'],
        ['none/views/increment', {}, 404, 'document_not_found'],
      ] as const)
        expect(await blog.count(alice, path, body)).toMatchObject({ status, body: { type } })
      expect(await blog.count(bob, `${id}/views/increment`)).toMatchObject({ status: 401 })
      expect(await blog.everything()).toEqual(before)
    })

    test('the key makes, changes and deletes many posts, all or none; nobody else does', async () => {
      await using blog = await start()
      const { alice } = blog
      const client = new Client()
        .setEndpoint(`${blog.url}/v1`)
        .setProject('blog')
        .setKey(blog.apiKey)
      const databases = new Databases(client)
      const ids = { databaseId: 'blogdb', collectionId: 'posts' }
      const post = (id: string, rest: object = {}) => ({
        ...{ $id: id, title: id, userId: alice.id, ...rest },
      })
      const made = await databases.createDocuments({ ...ids, documents: [post('a'), post('b')] })
      expect(made).toMatchObject({ total: 2, documents: [{ $id: 'a', userid: alice.id }, {}] })
      const before = await blog.everything()
      const bad = databases.createDocuments({ ...ids, documents: [post('c'), post('a')] })
      await expect(bad).rejects.toMatchObject({ code: 409 })
      const worse = databases.createDocuments({
        ...ids,
        documents: [post('d'), post('e', { title: 1 })],
      })
      await expect(worse).rejects.toMatchObject({ code: 400 })
      expect(await blog.everything()).toEqual(before)
      const put = [post('a', { slug: 's' }), post('c')]
      expect(await databases.upsertDocuments({ ...ids, documents: put })).toMatchObject({
        total: 2,
      })
      const changed = await databases.updateDocuments({
        ...{ ...ids, data: { slug: 'all' }, queries: [Query.equal('$id', ['a', 'b'])] },
      })
      expect(changed).toMatchObject({ total: 2, documents: [{ slug: 'all' }, { slug: 'all' }] })
      const gone = await databases.deleteDocuments({
        ...ids,
        queries: [Query.equal('slug', 'all')],
      })
      expect(gone.documents.map(({ $id }) => $id)).toEqual(['a', 'b'])
      expect((await blog.list('key')).body.documents).toMatchObject([{ $id: 'c' }])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const caller of [{}, { cookie: alice.cookie }])
          expect(
            await blog.call(method, DOCUMENTS, {
              ...{ ...caller, body: { documents: [post('x')], data: { title: 'x' } } },
            }),
          ).toMatchObject({ status: 401, body: { type: 'general_unauthorized_scope' } })
      expect((await blog.list('key')).body.total).toBe(1)
    })
  })
