// Posts without a title, which the key has allowed by what it declared of the attribute: what
// programs are answered, and the first words that are shown instead.
import { Client, TablesDB } from 'node-appwrite'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

const ATTRIBUTES = '/databases/blogdb/collections/posts/attributes'
const MISSING = 'Invalid document structure: Missing required attribute "title"'
const BODY = '<h2>Low &amp; then</h2><p>high <em>tides</em> at the old harbour wall.</p>'
const WORDS = 'Low & then high tides at the old harbour wall.'
const json = (method: string, attribute: string, values: unknown[]) =>
  JSON.stringify({ method, attribute, values })

type Blog = Awaited<ReturnType<typeof openBlogOn>>

async function declare(blog: Blog, changes: Record<string, unknown>) {
  const body = { required: false, default: null, size: 255, ...changes }
  const { asKey } = blog
  const answer = await blog.call('PATCH', `${ATTRIBUTES}/string/title`, { ...asKey, body })
  expect(answer).toMatchObject({ status: 200, body: { key: 'title', ...body } })
}

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    test('what the key has declared last decides, in every call that writes', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, asKey } = blog
      const refused = { status: 400, body: { message: MISSING } }
      expect(await blog.create(alice, { content: BODY })).toMatchObject(refused)
      await declare(blog, {})
      for (const [id, title] of Object.entries({
        none: undefined,
        null: null,
        empty: '',
        x: ' ',
      })) {
        const made = await blog.create(alice, { content: BODY, title }, { documentId: id })
        expect(made).toMatchObject({ status: 201, body: { title: '', content: BODY } })
      }
      const put = { cookie: alice.cookie, body: { data: { content: BODY } } }
      const upserted = await blog.call('PUT', `${DOCUMENTS}/upsert`, put)
      expect(upserted).toMatchObject({ status: 201, body: { title: '' } })
      const documents = [{ $id: 'many', userid: alice.id, content: BODY }]
      const many = await blog.call('POST', DOCUMENTS, { ...asKey, body: { documents } })
      expect(many).toMatchObject({ status: 201, body: { documents: [{ title: '' }] } })
      const client = new Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
      const tables = new TablesDB(client.setKey(blog.apiKey))
      const row = { databaseId: 'blogdb', tableId: 'posts', rowId: 'row' }
      const made = await tables.createRow({ ...row, data: { content: BODY, userid: alice.id } })
      expect(made).toMatchObject({ $id: 'row', title: '' })

      expect((await blog.patch(alice, 'none', { title: 'Now' })).body.title).toBe('Now')
      expect((await blog.patch(alice, 'none', { title: null })).body.title).toBe('')
      await declare(blog, { required: true })
      expect(await blog.create(alice, { content: BODY })).toMatchObject(refused)
      expect(await blog.patch(alice, 'none', { title: null })).toMatchObject(refused)
      expect(await blog.patch(alice, 'row', { title: 'A title' })).toMatchObject({ status: 200 })
      expect((await blog.patch(alice, 'row', { title: '' })).status).toBe(400)
      // A whole document that is sent back.
      const same = await blog.patch(alice, 'none', { title: '', content: '<p>Other words</p>' })
      expect(same).toMatchObject({ status: 200, body: { title: '' } })

      await declare(blog, { default: 'A note' })
      expect((await blog.create(alice, { content: 'x' })).body.title).toBe('A note')
      expect(
        (await blog.call('DELETE', `${ATTRIBUTES}/title`, { ...asKey, body: {} })).status,
      ).toBe(204)
      expect((await blog.create(alice, { content: 'x' })).body.title).toBe('')
      const again = { ...asKey, body: { key: 'title', size: 255, required: true } }
      expect((await blog.call('POST', `${ATTRIBUTES}/string`, again)).status).toBe(202)
      expect(await blog.create(alice, { content: 'x' })).toMatchObject(refused)
    })

    test('lists, pages, feeds and the rest show the first words of the text', async () => {
      await using blog = await openBlogOn(kind, { BLOG_READING: 'everyone' })
      const { alice } = blog
      await declare(blog, {})
      await blog.create(alice, { content: BODY }, { documentId: 'a' })
      await blog.create(alice, { content: '<p></p>' }, { documentId: 'b' })
      await blog.create(alice, { title: 'Zebra', content: BODY }, { documentId: 'c' })
      const get = async (path: string) => (await fetch(blog.url + path)).text()
      const select = json('select', '', ['$id', 'title', 'shownTitle'])
      const listed = await blog.list(undefined, select, 'orderAsc("title")')
      expect(listed.body.documents).toMatchObject([
        { $id: 'a', title: '', shownTitle: WORDS },
        { $id: 'b', title: '', shownTitle: 'Untitled' },
        { $id: 'c', title: 'Zebra', shownTitle: '' },
      ])
      const search = await blog.call('GET', '/databases/blogdb/collections/posts/search?q=harbour')
      expect(search.body.documents.map(({ title }: { title: string }) => title)).toContain(WORDS)
      const around = await blog.call('GET', `${DOCUMENTS}/b/around`)
      expect(around.body).toMatchObject({ previous: { title: WORDS }, next: { title: 'Zebra' } })
      expect(around.body.others.map(({ title }: { title: string }) => title)).toEqual([
        'Zebra',
        WORDS,
      ])
      expect(await get('/feed.xml')).toContain('<title>Low &amp; then high tides')
      expect(await get('/feed.json')).toContain(`"title":"${WORDS}"`)
      expect(await get('/sitemap-posts-1.xml')).toContain('/post/a/low-then-high-tides')
      const embed = `/oembed?format=json&url=${encodeURIComponent(`${blog.url}/post/a`)}`
      expect(JSON.parse(await get(embed))).toMatchObject({ title: WORDS })

      // The words are those of the text as it is now.
      await blog.patch(alice, 'a', { content: '<p>Ebb</p>' })
      expect((await blog.get(undefined, 'a', select)).body).toMatchObject({ shownTitle: 'Ebb' })
      const versions = `${DOCUMENTS}/a/versions`
      const { body } = await blog.call('GET', versions, { cookie: alice.cookie })
      expect(body.versions.map(({ title }: { title: string }) => title)).toEqual(['Ebb', WORDS])
      const restore = `${versions}/${body.versions[1].$id}/restore`
      const back = await blog.call('POST', restore, { cookie: alice.cookie, body: {} })
      expect(back).toMatchObject({ status: 200, body: { title: '', content: BODY } })
      await blog.remove(alice, 'a')
      const path = '/databases/blogdb/collections/posts/deleted'
      const deleted = await blog.call('GET', path, { cookie: alice.cookie })
      expect(deleted.body.deleted).toMatchObject([{ title: WORDS }])
    })
  })
