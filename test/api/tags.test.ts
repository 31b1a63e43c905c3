// Tags of posts: sent and read from the last line of the text, kept through every kind of write,
// found by lists, and told to nobody who may not read their posts.
import { describe, expect, test } from 'vitest'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'
import { readZip } from '#test/support/zip.ts'

const COLLECTION = '/databases/blogdb/collections/posts'
const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })
const newest = json('orderDesc', '$createdAt')

async function start(kind: DatabaseKind, env: Record<string, string> = {}) {
  const blog = await openBlogOn(kind, env)
  const { alice } = blog
  return {
    ...blog,
    /** A post of alice, a second after the one before. */
    async tagged(id: string, data: Record<string, unknown> = {}, rest = {}) {
      blog.passTime(1000)
      const made = await blog.create(alice, { title: id, ...data }, { documentId: id, ...rest })
      expect(made).toMatchObject({ status: 201 })
      return made.body
    },
    async ids(...queries: string[]) {
      const { status, body } = await blog.list(undefined, ...queries)
      return status === 200 ? body.documents.map(({ $id }: { $id: string }) => $id) : body.message
    },
    async tagsOf(id: string) {
      return (await blog.get(alice, id)).body.tags
    },
  }
}

for (const [kind, tags] of DATABASES)
  describe(`tags on ${kind}`, { tags }, () => {
    test('are those sent and those of the last line, and each kind of write keeps the others', async () => {
      await using blog = await start(kind)
      const { alice, tagged, tagsOf } = blog
      const content = '<p>Text</p><p>#Night&nbsp;#trains #sea</p>'
      const made = await tagged('a', { tags: ['Porto', 'TRAINS'], content })
      expect(made.tags).toEqual(['Porto', 'TRAINS', 'Night', 'sea'])
      expect(made.content).toBe('<p>Text</p><p>#Night\u00a0#trains #sea</p>')
      expect(await tagsOf('a')).toEqual(made.tags)

      const before = (await blog.get(alice, 'a')).body
      blog.passTime(5)
      const moved = await blog.patch(alice, 'a', { content: '<p>Text</p><p>#sea #boats</p>' })
      expect(moved.body.tags).toEqual(['Porto', 'sea', 'boats'])
      expect(moved.body.$updatedAt).not.toBe(before.$updatedAt)
      await blog.patch(alice, 'a', { title: 'Other' })
      expect(await tagsOf('a')).toEqual(['Porto', 'sea', 'boats'])
      // A program sends back what it read: those of the line stay the line's.
      const { title, content: text, tags } = (await blog.get(alice, 'a')).body
      expect((await blog.patch(alice, 'a', { title, content: text, tags })).body.tags).toEqual(tags)
      expect((await blog.patch(alice, 'a', { content: '<p>Text</p>' })).body.tags).toEqual([
        'Porto',
      ])
      const only = await blog.patch(alice, 'a', { tags: ['a', 'b'] })
      expect(only.body.tags).toEqual(['a', 'b'])
      for (const none of [[], null]) {
        await blog.patch(alice, 'a', { tags: ['a'] })
        expect((await blog.patch(alice, 'a', { tags: none })).body).not.toHaveProperty('tags')
      }
      const five = ['a', 'b', 'c', 'd']
      const full = await blog.patch(alice, 'a', { tags: five, content: '<p>#x #y #z</p>' })
      expect(full.body.tags).toEqual([...five, 'x'])
      // As soon as there is room, the line gives the next.
      expect((await blog.patch(alice, 'a', { tags: ['a'] })).body.tags).toEqual([
        'a',
        'x',
        'y',
        'z',
      ])
      const long = `<p>#${'x'.repeat(31)} #short</p>`
      expect((await blog.patch(alice, 'a', { content: long, tags: [] })).body.tags).toEqual([
        'short',
      ])
    })

    test('a write that tries more, longer or other than words is refused and changes nothing', async () => {
      await using blog = await start(kind)
      const { alice } = blog
      await blog.tagged('a', { tags: ['kept'] })
      const everything = await blog.everything()
      const wrong: [unknown, RegExp][] = [
        ['trains', /Attribute "tags" must be an array/],
        [['a', 1], /"tags\['1'\]" has invalid format. Value must be a word of 1 to 30 letters/],
        ...['', 'a b', '#a', 'a,b', 'x'.repeat(31), '😀', 'a\0', '\ud800', '-'].map(
          (one): [unknown, RegExp] => [[one], /"tags\['0'\]" has invalid format/],
        ),
        [
          ['a', 'b', 'c', 'd', 'e', 'f'],
          /"tags" has invalid format. Value must be a list of 5 tags/,
        ],
      ]
      for (const [tags, message] of wrong) {
        const type = 'document_invalid_structure'
        const changed = await blog.patch(alice, 'a', { tags })
        for (const answer of [changed, await blog.create(alice, { title: 'b', tags })])
          expect(answer).toMatchObject({ status: 400, body: { type } })
        expect(changed.body.message).toMatch(message)
      }
      expect(await blog.patch(blog.bob, 'a', { tags: ['b'] })).toMatchObject({ status: 401 })
      expect(await blog.everything()).toEqual(everything)
      const twice = ['a', 'A', 'b', 'B', 'c', 'd', 'e']
      expect((await blog.patch(alice, 'a', { tags: twice })).body.tags).toEqual([...'abcde'])
    })

    test('lists find them in every spelling, with other conditions, pages and cursors', async () => {
      await using blog = await start(kind)
      const { tagged, ids, alice } = blog
      for (const [at, id] of ['p1', 'p2', 'p3', 'p4', 'p5'].entries())
        await tagged(id, { tags: ['Trains', `n${at}`], title: at % 2 ? 'odd' : 'even' })
      await tagged('other', { tags: ['Züge'], title: 'odd' })
      await tagged('none', { title: 'odd' })
      const trains = json('contains', 'tags', ['ｔｒＡＩns'])
      expect(await ids(trains)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5'])
      expect(await ids(trains, newest)).toEqual(['p5', 'p4', 'p3', 'p2', 'p1'])
      const page = [trains, newest, 'limit(2)']
      expect(await ids(...page)).toEqual(['p5', 'p4'])
      expect(await ids(...page, 'cursorAfter("p4")')).toEqual(['p3', 'p2'])
      expect(await ids(...page, 'cursorBefore("p2")')).toEqual(['p4', 'p3'])
      // The post of a cursor may have lost the tag meanwhile.
      expect(await ids(...page, 'cursorAfter("other")')).toEqual(['p5', 'p4'])
      expect(await ids(...page, 'offset(4)')).toEqual(['p1'])
      const behind = [...page, 'cursorAfter("p4")'].map(
        (one) => `queries[]=${encodeURIComponent(one)}`,
      )
      const counted = await blog.call(
        'GET',
        `${COLLECTION}/documents?before=true&${behind.join('&')}`,
      )
      expect(counted.body).toMatchObject({ total: 5, before: 2 })
      expect((await blog.list(undefined, ...page)).body.total).toBe(5)
      expect(await ids(trains, 'equal("title", ["odd"])', newest)).toEqual(['p4', 'p2'])
      expect(await ids(trains, json('contains', 'tags', ['n1', 'N3']))).toEqual(['p2', 'p4'])
      expect(await ids(json('contains', 'tags', ['n4', 'zu\u0308ge', 'trains']), newest)).toEqual([
        'other',
        'p5',
        'p4',
        'p3',
        'p2',
        'p1',
      ])
      expect(await ids(json('containsAny', 'tags', ['n0', 'züge']))).toEqual(['p1', 'other'])
      expect(await ids(json('containsAll', 'tags', ['n0', 'trains']))).toEqual(['p1'])
      expect(await ids(json('equal', 'tags', ['n0']))).toEqual(['p1'])
      expect(await ids(json('notContains', 'tags', ['trains']))).toEqual(['other', 'none'])
      const either = [json('contains', 'tags', ['n0']), 'equal("title", ["odd"])'].map((one) =>
        one.startsWith('{')
          ? JSON.parse(one)
          : { method: 'equal', attribute: 'title', values: ['odd'] },
      )
      expect(await ids(JSON.stringify({ method: 'or', values: either }))).toEqual([
        'p1',
        'p2',
        'p4',
        'other',
        'none',
      ])
      for (const nothing of ['train', 'trainss', '#trains', '', 'trains\0'])
        expect(await ids(json('contains', 'tags', [nothing]))).not.toContain('p1')
      expect(await ids(json('orderAsc', 'tags'))).toMatch(/array/)
      expect(await ids(json('contains', 'tags', []))).toMatch(/at least one value/)
      const { documents } = (await blog.list(undefined, 'select(["$id","tags"])')).body
      expect(documents.map(({ tags }: { tags: string[] }) => tags)).toEqual([
        ...[0, 1, 2, 3, 4].map((at) => ['Trains', `n${at}`]),
        ['Züge'],
        [],
      ])
      const [first] = (await blog.list(undefined, 'select(["title"])')).body.documents
      expect(first).not.toHaveProperty('tags')
      expect((await blog.get(undefined, 'none')).body).not.toHaveProperty('tags')
      expect((await blog.get(undefined, 'none', 'select(["*","tags"])')).body.tags).toEqual([])
      await blog.patch(alice, 'p1', { tags: [] })
      expect(await ids(trains)).toEqual(['p2', 'p3', 'p4', 'p5'])
    })

    test('neither lists nor the tags in use tell of posts that are not for everybody', async () => {
      await using blog = await start(kind, { BLOG_READING: 'everyone' })
      const { alice, bob, tagged, asKey, call } = blog
      const secret = { tags: ['secret', 'shared'] }
      await tagged('open', { tags: ['Shared'] })
      await tagged('off', { ...secret, status: 'inactive' })
      await tagged('narrow', secret, { permissions: [`read("user:${alice.id}")`] })
      await tagged('members', { tags: ['members'] }, { permissions: ['read("users")'] })
      await tagged('hidden', secret)
      await call('PATCH', `${COLLECTION}/documents/hidden/hidden`, {
        ...asKey,
        body: { hidden: true },
      })
      const used = async (cookie?: string, query = '') => {
        const { status, body } = await call(
          'GET',
          `${COLLECTION}/tags${query}`,
          cookie ? { cookie } : {},
        )
        return status === 200 ? body.tags : body
      }
      const shared = { tag: 'shared', name: 'Shared', posts: 1 }
      const members = { tag: 'members', name: 'members', posts: 1 }
      expect(await used()).toEqual([shared])
      expect(await used(bob.cookie)).toEqual([members, shared])
      expect(await used(alice.cookie)).toEqual([members, shared])
      for (const start of ['s', 'secret', 'SEC', 'x']) {
        expect(await used(undefined, `?startsWith=${start}`)).toEqual(start === 's' ? [shared] : [])
        expect(await blog.ids(json('contains', 'tags', ['secret']))).toEqual([])
      }
      expect(await blog.ids(json('contains', 'tags', ['shared']), newest)).toEqual(['open'])
      const own = await blog.list(alice, json('contains', 'tags', ['secret']), newest)
      expect(own.body.documents).toHaveLength(3)
      expect(own.body.total).toBe(3)
      await call('PATCH', `/users/${alice.id}/status`, { ...asKey, body: { status: false } })
      expect(await used()).toEqual([])
      expect(await used(bob.cookie, '?startsWith=s')).toEqual([])
      expect(await blog.ids(json('contains', 'tags', ['shared']))).toEqual([])
    })

    test('the tags in use are those of the most posts first, found by how they begin', async () => {
      await using blog = await start(kind)
      const { bob, call, tagged } = blog
      for (const [at, tags] of [['Sea', 'salt'], ['sea', 'a'], ['SEA', 'salt'], ['x_y']].entries())
        await tagged(`p${at}`, { tags })
      const used = async (query: string) =>
        (await call('GET', `${COLLECTION}/tags${query}`, { cookie: bob.cookie })).body
      const sea = { tag: 'sea', name: 'SEA', posts: 3 }
      const salt = { tag: 'salt', name: 'salt', posts: 2 }
      expect(await used('?limit=2')).toEqual({ total: 2, tags: [sea, salt] })
      expect((await used('?startsWith=%23S')).tags).toEqual([sea, salt])
      expect((await used('?startsWith=x_')).tags).toMatchObject([{ tag: 'x_y' }])
      for (const sign of ['x%25', '%00', 'x%00', '%ed%a0%80'])
        expect(await used(`?startsWith=${sign}`)).toEqual({ total: 0, tags: [] })
      expect(await used('?limit=x')).toMatchObject({ type: 'general_argument_invalid' })
      expect(await used(`?startsWith=${'x'.repeat(121)}`)).toMatchObject({ code: 400 })
      expect(await call('GET', `${COLLECTION}/tags`)).toMatchObject({
        status: 401,
        body: { type: 'general_unauthorized_scope' },
      })
      expect((await call('GET', '/databases/blogdb/collections/other/tags', bob)).status).toBe(404)
    })

    test('stay with their post through versions, deletion and the download, and end with it', async () => {
      await using blog = await start(kind)
      const { alice, call, tagged, tagsOf, ids } = blog
      const caller = { cookie: alice.cookie, body: {} }
      const made = await tagged('a', { tags: ['own'], content: '<p>#line</p>' })
      await blog.patch(alice, 'a', { content: '<p>#new</p>', tags: ['own', 'more'] })
      const { versions } = (
        await call('GET', `${COLLECTION}/documents/a/versions`, { cookie: alice.cookie })
      ).body
      const back = await call(
        'POST',
        `${COLLECTION}/documents/a/versions/${versions.at(-1).$id}/restore`,
        caller,
      )
      expect(back.body).toMatchObject({ content: made.content, tags: ['own', 'more', 'line'] })

      await tagged('b', { tags: ['binned'], content: '<p>#end</p>' })
      for (const id of ['a', 'b']) await blog.remove(alice, id)
      expect(await ids(json('contains', 'tags', ['line', 'own']))).toEqual([])
      const { deleted } = (await call('GET', `${COLLECTION}/deleted`, { cookie: alice.cookie }))
        .body
      const ofA = deleted.find(({ postId }: { postId: string }) => postId === 'a')
      const restored = await call('POST', `${COLLECTION}/deleted/${ofA.$id}/restore`, caller)
      expect(restored.body.tags).toEqual(['own', 'more', 'line'])
      await blog.patch(alice, 'a', { content: '<p>x</p>', status: 'active' })
      expect(await tagsOf('a')).toEqual(['own', 'more'])
      expect(await ids(json('contains', 'tags', ['own']))).toEqual(['a'])

      const zip = await call('GET', '/account/export?project=blog', { cookie: alice.cookie })
      const entries = await readZip(zip.bytes)
      const read = (path: string) =>
        JSON.parse(entries.find((entry) => entry.path === path)?.bytes.toString() ?? 'null')
      expect(read('posts.json')).toMatchObject([{ $id: 'a', tags: ['own', 'more'] }])
      expect(read('deleted-posts.json')).toMatchObject([{ postId: 'b', tags: ['binned', 'end'] }])

      const body = { password: alice.password }
      expect((await call('DELETE', '/account', { cookie: alice.cookie, body })).status).toBe(204)
      const { body: left } = await call('GET', `${COLLECTION}/tags`, { cookie: blog.bob.cookie })
      expect(left.tags).toEqual([])
    })

    test('the API key writes them', async () => {
      await using blog = await start(kind)
      const { alice, asKey, call } = blog
      const path = `${COLLECTION}/documents`
      const data = { title: 'x', userid: alice.id, tags: ['a'], content: '<p>#b</p>' }
      const created = await call('POST', path, { ...asKey, body: { documentId: 'one', data } })
      expect(created.body.tags).toEqual(['a', 'b'])
      const body = { data: { tags: ['changed'] } }
      const changed = await call('PATCH', `${path}/one`, { ...asKey, body })
      expect(changed.body.tags).toEqual(['changed', 'b'])
    })
  })
