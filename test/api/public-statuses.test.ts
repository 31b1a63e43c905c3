// Words of programs that mean a public post (`BLOG_PUBLIC_STATUSES`), in every path, and after the
// setting has changed.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, SAME_SECRETS } from '#test/support/blog.ts'
import { DATABASES, type DatabaseKind, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { findMigratedSqlite } from '#test/support/servers-of-run.ts'

const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })

/** Starts servers one after the other on the same data. */
async function openPlace(kind: DatabaseKind) {
  const postgres = kind === 'PostgreSQL' ? await makePostgresDatabase() : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-statuses-'))
  await copyFile(await findMigratedSqlite(), join(dataDir, 'blog.sqlite'))
  let address: string | undefined
  const place = { BLOG_DATA_DIR: dataDir, ...(postgres && { BLOG_DATABASE_URL: postgres.url }) }
  return {
    async start(publicStatuses: string) {
      const env = { ...SAME_SECRETS, ...place, BLOG_PUBLIC_STATUSES: publicStatuses }
      const own = address === undefined ? {} : { BLOG_PUBLIC_URL: address }
      const blog = await makeTestBlog({ ...env, ...own, BLOG_READING: 'everyone' })
      // The name of the cookie has the port of the address, which stays.
      address ??= blog.url
      const documents = makeDocuments(blog)
      const ids = async (caller: Parameters<typeof documents.list>[0], ...queries: string[]) => {
        const { status, body } = await documents.list(caller, ...queries)
        if (status !== 200) throw new Error(body.message)
        return body.documents.map(({ $id }: { $id: string }) => $id)
      }
      const page = async (path: string) => (await fetch(blog.url + path)).text()
      return {
        ...{ ...blog, ...documents, ids, page },
        [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
      }
    },
    async [Symbol.asyncDispose]() {
      await rm(dataDir, { recursive: true, force: true })
      await postgres?.drop()
    },
  }
}

for (const [kind, tags] of DATABASES)
  describe(`on ${kind}`, { tags }, () => {
    test('a word of the setting is public in every path, kept and answered as it was sent', async () => {
      await using place = await openPlace(kind)
      await using blog = await place.start('published, active')
      const { ids } = blog
      const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
      const words = { p: 'published', a: 'active', d: 'draft', u: 'Published', i: 'inactive' }
      for (const [id, status] of Object.entries(words)) {
        const data = { title: `Lamp ${id}`, status, tags: ['lamps'] }
        const made = await blog.create(alice, data, { documentId: id })
        expect(made).toMatchObject({ status: 201, body: { status } })
      }
      for (const caller of [undefined, bob]) {
        expect(await ids(caller)).toEqual(['p', 'a'])
        expect(await ids(caller, json('equal', 'status', ['published']))).toEqual(['p'])
        expect(await ids(caller, json('equal', 'status', ['published', 'active']))).toEqual([
          'p',
          'a',
        ])
        expect(await ids(caller, json('notEqual', 'status', ['published']))).toEqual(['a'])
        expect(await ids(caller, json('contains', 'tags', ['lamps']))).toEqual(['p', 'a'])
        expect((await blog.get(caller, 'd')).status).toBe(404)
      }
      expect(await ids(alice, json('equal', 'status', ['draft', 'published']))).toEqual(['p', 'd'])
      expect(await ids(alice, json('startsWith', 'status', ['pub']))).toEqual(['p'])
      const drafts = ['published', 'active'].map((word) => json('notEqual', 'status', [word]))
      expect(await ids(alice, ...drafts)).toEqual(['d', 'u', 'i'])
      expect(await ids(alice, json('orderAsc', 'status'))).toEqual(['u', 'a', 'd', 'i', 'p'])
      expect((await blog.like(bob, 'p', [bob.id])).body).toMatchObject({
        like: 1,
        status: 'published',
      })
      const found = await blog.call('GET', '/databases/blogdb/collections/posts/search?q=lamp')
      expect(found.body.documents.map(({ status }: { status: string }) => status).sort()).toEqual([
        ...['active', 'published'],
      ])
      const feed = await blog.page('/feed.json')
      expect(feed).toContain('Lamp p')
      expect(feed).not.toContain('Lamp d')
      expect(await blog.page('/sitemap-posts-1.xml')).toContain('/post/p/')
      const author = `/databases/blogdb/collections/posts/authors/${alice.id}`
      expect((await blog.call('GET', author)).body).toMatchObject({ posts: 2 })
      // An edit of something else leaves the word alone; a change of it is one.
      expect((await blog.patch(alice, 'p', { content: 'x' })).body.status).toBe('published')
      expect((await blog.patch(alice, 'p', { status: 'draft' })).body.status).toBe('draft')
      expect(await ids(undefined)).toEqual(['a'])
      expect((await blog.patch(alice, 'p', { status: 'published' })).body.status).toBe('published')
      // What comes back from the deleted posts is never public.
      await blog.remove(alice, 'p')
      const deleted = await blog.call('GET', '/databases/blogdb/collections/posts/deleted', {
        cookie: alice.cookie,
      })
      expect(deleted.body.deleted).toMatchObject([{ postId: 'p', status: 'published' }])
      const back = `/databases/blogdb/collections/posts/deleted/${deleted.body.deleted[0].$id}/restore`
      const restored = await blog.call('POST', back, { cookie: alice.cookie, body: {} })
      expect(restored.body).toMatchObject({ $id: 'p', status: 'inactive' })
      expect(await ids(undefined)).toEqual(['a'])
    })

    test('operators change the words in the browser: older posts follow, on every server', async () => {
      await using place = await openPlace(kind)
      await using blog = await place.start('')
      await using second = kind === 'PostgreSQL' ? await place.start('') : undefined
      const there = second ?? blog
      const alice = await blog.makePerson('alice')
      const words = { a: 'active', p: 'published', l: 'live', i: 'inactive' }
      const key = { 'x-appwrite-key': blog.apiKey }
      const set = (publicStatuses: string) =>
        blog.call('PATCH', '/site', { headers: key, body: { publicStatuses } })
      expect((await blog.create(alice, { title: 'x', status: 'live' })).status).toBe(400)
      await set('active, live')
      for (const [id, status] of Object.entries(words))
        await there.create(alice, { title: id, status }, { documentId: id })
      for (const wrong of ['', ' , ', 'inactive', 'x'.repeat(401)])
        expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
      for (const [sent, publicIds] of [
        ['published  live', ['p', 'l']],
        ['live', ['l']],
        ['active,live', ['a', 'l']],
      ] as const) {
        expect(await set(sent)).toMatchObject({
          ...{ status: 200, body: { publicStatuses: sent.split(/[\s,]+/).join(', ') } },
        })
        await expect.poll(() => there.ids(undefined)).toEqual(publicIds)
        expect(await blog.ids(undefined)).toEqual(publicIds)
        const feed = JSON.parse(await there.page('/feed.json'))
        const titles = feed.items.map(({ title }: { title: string }) => title)
        expect(titles.toReversed()).toEqual(publicIds)
      }
      const { body } = await blog.call('GET', '/operator/activity', { headers: key })
      expect(body.list[0]).toMatchObject({ subjectName: 'publicStatuses' })
      expect((await blog.list(alice)).body.documents).toHaveLength(4)
    })

    test('another setting holds for older posts from the next start on', async () => {
      await using place = await openPlace(kind)
      const words = { a: 'active', p: 'published', l: 'live', i: 'inactive', d: 'draft' }
      const alice = await (async () => {
        await using blog = await place.start('live')
        const person = await blog.makePerson('alice')
        for (const [id, status] of Object.entries(words))
          await blog.create(person, { title: id, status }, { documentId: id })
        await blog.create(person, { title: 'none' }, { documentId: 'none' })
        expect((await blog.get('key', 'none')).body.status).toBe('live')
        expect(await blog.ids(undefined)).toEqual(['l', 'none'])
        expect(await blog.ids(person, json('equal', 'status', ['active']))).toEqual(['a'])
        expect(await blog.ids(person, json('equal', 'status', ['inactive']))).toEqual(['i'])
        await blog.remove(person, 'l')
        return person
      })()
      for (const [setting, publicIds] of [
        ['published,live', ['p', 'none']],
        ['active', ['a']],
        ['published', ['p']],
      ] as const) {
        await using blog = await place.start(setting)
        expect(await blog.ids(undefined)).toEqual(publicIds)
        const { body } = await blog.list(alice)
        const shown = body.documents.map(({ $id, status }: Record<string, string>) => [$id, status])
        const { l: _, ...others } = words
        expect(Object.fromEntries(shown)).toEqual({ ...others, none: 'live' })
      }
    })
  })
