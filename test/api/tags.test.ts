// Tags of posts: sent as an attribute or read from the last line of the text, preserved by every
// kind of write, used in queries, and shown only to those who may read their posts.
import { describe, expect, test } from 'vitest'
import type { Person } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
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
    /** Creates a post by alice, or by another author, a second after the previous one. */
    async tagged(id: string, data: Record<string, unknown> = {}, rest = {}, author = alice) {
      blog.passTime(1000)
      const answer = await blog.create(author, { title: id, ...data }, { documentId: id, ...rest })
      expect(answer).toMatchObject({ status: 201 })
      return answer.body
    },
    async ids(...queries: string[]) {
      const { status, body } = await blog.list(undefined, ...queries)
      return status === 200 ? body.documents.map(({ $id }: { $id: string }) => $id) : body.message
    },
    async tagsOf(id: string) {
      return (await blog.get(alice, id)).body.tags
    },
    /** The body of the answer with the tags in use, or of the refusal. */
    async tagsInUse(person?: Person, query = '') {
      const options = person ? { cookie: person.cookie } : {}
      return (await blog.call('GET', `${COLLECTION}/tags${query}`, options)).body
    },
  }
}

for (const [kind, tags] of DATABASES) {
  describe(`writing tags on ${kind}`, { tags }, () => {
    const share = shareBlog(() => start(kind))

    test('a post has the sent tags and those of the last line of its text', async () => {
      const { tagged, tagsOf } = await share()
      const content = '<p>Text</p><p>#Night&nbsp;#trains #sea</p>'
      const post = await tagged('both', { tags: ['Porto', 'TRAINS'], content })
      expect(post.tags).toEqual(['Porto', 'TRAINS', 'Night', 'sea'])
      expect(post.content).toBe('<p>Text</p><p>#Night\u00a0#trains #sea</p>')
      expect(await tagsOf('both')).toEqual(post.tags)
    })

    test('a new last line replaces the tags of the old one, and the sent tags remain', async () => {
      const blog = await share()
      const { alice } = blog
      const post = await blog.tagged('line', { tags: ['Porto'], content: '<p>#Night #sea</p>' })
      blog.passTime(5)
      const { body } = await blog.patch(alice, 'line', { content: '<p>x</p><p>#sea #boats</p>' })
      expect(body.tags).toEqual(['Porto', 'sea', 'boats'])
      expect(body.$updatedAt).not.toBe(post.$updatedAt)
      const without = await blog.patch(alice, 'line', { content: '<p>Text</p>' })
      expect(without.body.tags).toEqual(['Porto'])
    })

    test('writing another attribute leaves the tags as they are', async () => {
      const blog = await share()
      await blog.tagged('title', { tags: ['Porto'], content: '<p>#sea</p>' })
      await blog.patch(blog.alice, 'title', { title: 'Other' })
      expect(await blog.tagsOf('title')).toEqual(['Porto', 'sea'])
    })

    test('tags of the last line remain tags of that line when a program sends back what it has read', async () => {
      const blog = await share()
      const { alice } = blog
      await blog.tagged('back', { tags: ['Porto'], content: '<p>#sea</p>' })
      const { title, content, tags } = (await blog.get(alice, 'back')).body
      expect((await blog.patch(alice, 'back', { title, content, tags })).body.tags).toEqual(tags)
      const { body } = await blog.patch(alice, 'back', { content: '<p>Text</p>' })
      expect(body.tags).toEqual(['Porto'])
    })

    test('sent tags replace those sent before; an empty list or null removes them', async () => {
      const blog = await share()
      const { alice } = blog
      await blog.tagged('sent', { tags: ['Porto'] })
      const replaced = await blog.patch(alice, 'sent', { tags: ['a', 'b'] })
      expect(replaced.body.tags).toEqual(['a', 'b'])
      for (const emptyTags of [[], null]) {
        await blog.patch(alice, 'sent', { tags: ['a'] })
        expect((await blog.patch(alice, 'sent', { tags: emptyTags })).body).not.toHaveProperty(
          'tags',
        )
      }
    })

    test('a post has at most five tags; tags of the last line fill the free places', async () => {
      const blog = await share()
      const { alice } = blog
      const sentTags = ['a', 'b', 'c', 'd']
      const full = await blog.tagged('five', { tags: sentTags, content: '<p>#x #y #z</p>' })
      expect(full.tags).toEqual([...sentTags, 'x'])
      const { body } = await blog.patch(alice, 'five', { tags: ['a'] })
      expect(body.tags).toEqual(['a', 'x', 'y', 'z'])
    })

    test('a word of the last line that is too long is not a tag', async () => {
      const { tagged } = await share()
      const { tags } = await tagged('long', { content: `<p>#${'x'.repeat(31)} #short</p>` })
      expect(tags).toEqual(['short'])
    })

    test('more than five tags, and tags other than words of up to 30 letters, are refused and change nothing', async () => {
      const blog = await share()
      const { alice } = blog
      await blog.tagged('refused', { tags: ['before'] })
      const everything = await blog.everything()
      const invalidTags: [unknown, RegExp][] = [
        ['trains', /Attribute "tags" must be an array/],
        [['a', 1], /"tags\['1'\]" has invalid format. Value must be a word of 1 to 30 letters/],
        ...['', 'a b', '#a', 'a,b', 'x'.repeat(31), '😀', 'a\0', '\ud800', '-'].map(
          (tag): [unknown, RegExp] => [[tag], /"tags\['0'\]" has invalid format/],
        ),
        [
          ['a', 'b', 'c', 'd', 'e', 'f'],
          /"tags" has invalid format. Value must be a list of 5 tags/,
        ],
      ]
      for (const [tags, message] of invalidTags) {
        const type = 'document_invalid_structure'
        const changed = await blog.patch(alice, 'refused', { tags })
        for (const answer of [changed, await blog.create(alice, { title: 'b', tags })])
          expect(answer).toMatchObject({ status: 400, body: { type } })
        expect(changed.body.message).toMatch(message)
      }
      expect(await blog.everything()).toEqual(everything)
    })

    test('nobody else can change the tags of a post', async () => {
      const blog = await share()
      await blog.tagged('foreign', { tags: ['before'] })
      const everything = await blog.everything()
      expect(await blog.patch(blog.bob, 'foreign', { tags: ['b'] })).toMatchObject({ status: 401 })
      expect(await blog.everything()).toEqual(everything)
    })

    test('a tag that is sent twice counts once', async () => {
      const { tagged } = await share()
      const { tags } = await tagged('twice', { tags: ['a', 'A', 'b', 'B', 'c', 'd', 'e'] })
      expect(tags).toEqual([...'abcde'])
    })

    test('the API key writes tags', async () => {
      const { alice, asKey, call } = await share()
      const path = `${COLLECTION}/documents`
      const data = { title: 'x', userid: alice.id, tags: ['a'], content: '<p>#b</p>' }
      const created = await call('POST', path, { ...asKey, body: { documentId: 'of-key', data } })
      expect(created.body.tags).toEqual(['a', 'b'])
      const body = { data: { tags: ['changed'] } }
      const changed = await call('PATCH', `${path}/of-key`, { ...asKey, body })
      expect(changed.body.tags).toEqual(['changed', 'b'])
    })

    test('restoring a version brings back the tags of its last line; sent tags stay as they are', async () => {
      const blog = await share()
      const { cookie } = blog.alice
      const post = await blog.tagged('version', { tags: ['own'], content: '<p>#line</p>' })
      await blog.patch(blog.alice, 'version', { content: '<p>#new</p>', tags: ['own', 'more'] })
      const path = `${COLLECTION}/documents/version/versions`
      const { versions } = (await blog.call('GET', path, { cookie })).body
      const restore = `${path}/${versions.at(-1).$id}/restore`
      const { body } = await blog.call('POST', restore, { cookie, body: {} })
      expect(body).toMatchObject({ content: post.content, tags: ['own', 'more', 'line'] })
    })

    test('a deleted post is found by no tag, and has its tags again when it is restored', async () => {
      const blog = await share()
      const { cookie } = blog.alice
      await blog.tagged('bin', { tags: ['binned'], content: '<p>#binnedLine</p>' })
      await blog.remove(blog.alice, 'bin')
      expect(await blog.ids(json('contains', 'tags', ['binned', 'binnedLine']))).toEqual([])
      const { deleted } = (await blog.call('GET', `${COLLECTION}/deleted`, { cookie })).body
      const { $id } = deleted.find(({ postId }: { postId: string }) => postId === 'bin')
      const restore = `${COLLECTION}/deleted/${$id}/restore`
      const restored = await blog.call('POST', restore, { cookie, body: {} })
      expect(restored.body.tags).toEqual(['binned', 'binnedLine'])
      await blog.patch(blog.alice, 'bin', { content: '<p>x</p>', status: 'active' })
      expect(await blog.tagsOf('bin')).toEqual(['binned'])
      expect(await blog.ids(json('contains', 'tags', ['binned']))).toEqual(['bin'])
    })

    test('the download of one’s own data contains the tags of posts and of deleted posts', async () => {
      const blog = await share()
      const carla = await blog.makePerson('carla')
      await blog.tagged('stays', { tags: ['own'], content: '<p>#line</p>' }, {}, carla)
      await blog.tagged('goes', { tags: ['binned'], content: '<p>#end</p>' }, {}, carla)
      await blog.remove(carla, 'goes')
      const zip = await blog.call('GET', '/account/export?project=blog', { cookie: carla.cookie })
      const entries = await readZip(zip.bytes)
      const read = (path: string) =>
        JSON.parse(entries.find((entry) => entry.path === path)?.bytes.toString() ?? 'null')
      expect(read('posts.json')).toMatchObject([{ $id: 'stays', tags: ['own', 'line'] }])
      expect(read('deleted-posts.json')).toMatchObject([
        { postId: 'goes', tags: ['binned', 'end'] },
      ])
    })

    test('a tag is no longer in use when the account of its only author is deleted', async () => {
      const blog = await share()
      const carla = await blog.makePerson('carla')
      await blog.tagged('ended', { tags: ['ended'] }, {}, carla)
      const startsWith = '?startsWith=ended'
      expect((await blog.tagsInUse(blog.bob, startsWith)).tags).toMatchObject([{ tag: 'ended' }])
      const body = { password: carla.password }
      const answer = await blog.call('DELETE', '/account', { cookie: carla.cookie, body })
      expect(answer.status).toBe(204)
      expect((await blog.tagsInUse(blog.bob, startsWith)).tags).toEqual([])
    })
  })

  describe(`lists by tags on ${kind}`, { tags }, () => {
    const share = shareBlog(async () => {
      const blog = await start(kind)
      for (const [at, id] of ['p1', 'p2', 'p3', 'p4', 'p5'].entries())
        await blog.tagged(id, { tags: ['Trains', `n${at}`], title: at % 2 ? 'odd' : 'even' })
      await blog.tagged('other', { tags: ['Züge'], title: 'odd' })
      await blog.tagged('none', { title: 'odd' })
      return blog
    })
    const trains = json('contains', 'tags', ['ｔｒＡＩns'])
    const page = [trains, newest, 'limit(2)']

    test('posts are found by any spelling of a tag, in both orders', async () => {
      const { ids } = await share()
      expect(await ids(trains)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5'])
      expect(await ids(trains, newest)).toEqual(['p5', 'p4', 'p3', 'p2', 'p1'])
    })

    test('a part of a tag, or a tag with other characters, finds nothing', async () => {
      const { ids } = await share()
      for (const text of ['train', 'trainss', '#trains', ''])
        expect(await ids(json('contains', 'tags', [text])), text).toEqual([])
      expect(await ids(json('contains', 'tags', ['trains\0']))).toMatch(/^Invalid query/)
    })

    test('the list of a tag has pages, by cursor and by offset', async () => {
      const { ids } = await share()
      expect(await ids(...page)).toEqual(['p5', 'p4'])
      expect(await ids(...page, 'cursorAfter("p4")')).toEqual(['p3', 'p2'])
      expect(await ids(...page, 'cursorBefore("p2")')).toEqual(['p4', 'p3'])
      expect(await ids(...page, 'offset(4)')).toEqual(['p1'])
    })

    test('a cursor may be a post without the tag', async () => {
      const { ids } = await share()
      expect(await ids(...page, 'cursorAfter("other")')).toEqual(['p5', 'p4'])
    })

    test('the list of a tag says how many posts it has, and how many precede this page', async () => {
      const blog = await share()
      expect((await blog.list(undefined, ...page)).body.total).toBe(5)
      const queries = [...page, 'cursorAfter("p4")'].map(
        (query) => `queries[]=${encodeURIComponent(query)}`,
      )
      const path = `${COLLECTION}/documents?before=true&${queries.join('&')}`
      expect((await blog.call('GET', path)).body).toMatchObject({ total: 5, before: 2 })
    })

    test('a tag can be combined with other conditions and other tags', async () => {
      const { ids } = await share()
      expect(await ids(trains, 'equal("title", ["odd"])', newest)).toEqual(['p4', 'p2'])
      expect(await ids(trains, json('contains', 'tags', ['n1', 'N3']))).toEqual(['p2', 'p4'])
      const first = { method: 'contains', attribute: 'tags', values: ['n0'] }
      const odd = { method: 'equal', attribute: 'title', values: ['odd'] }
      const either = JSON.stringify({ method: 'or', values: [first, odd] })
      expect(await ids(either)).toEqual(['p1', 'p2', 'p4', 'other', 'none'])
    })

    test('query methods find posts with any of the tags, with all of them or with none', async () => {
      const { ids } = await share()
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
    })

    test('ordering by tags and a condition without a tag are refused', async () => {
      const { ids } = await share()
      expect(await ids(json('orderAsc', 'tags'))).toMatch(/array/)
      expect(await ids(json('contains', 'tags', []))).toMatch(/at least one value/)
    })

    test('the answer for a post without tags has the attribute only when select names it', async () => {
      const blog = await share()
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
    })

    test('a post that loses its tag is no longer in the list', async () => {
      const blog = await share()
      await blog.tagged('lost', { tags: ['Boats'] })
      const boats = json('contains', 'tags', ['boats'])
      expect(await blog.ids(boats)).toEqual(['lost'])
      await blog.patch(blog.alice, 'lost', { tags: [] })
      expect(await blog.ids(boats)).toEqual([])
      await blog.remove(blog.alice, 'lost')
    })
  })

  describe(`tags of posts that not everybody may read, on ${kind}`, { tags }, () => {
    const share = shareBlog(async () => {
      const blog = await start(kind, { BLOG_READING: 'everyone' })
      const { alice, tagged, asKey, call } = blog
      const secret = { tags: ['secret', 'shared'] }
      await tagged('open', { tags: ['Shared'] })
      await tagged('off', { ...secret, status: 'inactive' })
      await tagged('narrow', secret, { permissions: [`read("user:${alice.id}")`] })
      await tagged('members', { tags: ['members'] }, { permissions: ['read("users")'] })
      await tagged('hidden', secret)
      const hide = { ...asKey, body: { hidden: true } }
      await call('PATCH', `${COLLECTION}/documents/hidden/hidden`, hide)
      return blog
    })
    const shared = { tag: 'shared', name: 'Shared', posts: 1 }
    const members = { tag: 'members', name: 'members', posts: 1 }

    test('guests see the tags of public posts, members also those of posts for members', async () => {
      const { tagsInUse, alice, bob } = await share()
      expect((await tagsInUse()).tags).toEqual([shared])
      expect((await tagsInUse(bob)).tags).toEqual([members, shared])
      expect((await tagsInUse(alice)).tags).toEqual([members, shared])
      for (const start of ['s', 'secret', 'SEC', 'x'])
        expect((await tagsInUse(undefined, `?startsWith=${start}`)).tags).toEqual(
          start === 's' ? [shared] : [],
        )
    })

    test('a list by tag contains no post that its caller may not read', async () => {
      const blog = await share()
      expect(await blog.ids(json('contains', 'tags', ['secret']))).toEqual([])
      expect(await blog.ids(json('contains', 'tags', ['shared']), newest)).toEqual(['open'])
    })

    test('authors list all their own posts by tag', async () => {
      const blog = await share()
      const { body } = await blog.list(blog.alice, json('contains', 'tags', ['secret']), newest)
      expect(body.documents).toHaveLength(3)
      expect(body.total).toBe(3)
    })

    test('the tags of a blocked author are no longer in use, and find nothing', async () => {
      const blog = await share()
      const carla = await blog.makePerson('carla')
      await blog.tagged('of-carla', { tags: ['blocked'] }, {}, carla)
      expect(await blog.ids(json('contains', 'tags', ['blocked']))).toEqual(['of-carla'])
      const status = { ...blog.asKey, body: { status: false } }
      await blog.call('PATCH', `/users/${carla.id}/status`, status)
      expect((await blog.tagsInUse()).tags).toEqual([shared])
      expect((await blog.tagsInUse(blog.bob, '?startsWith=b')).tags).toEqual([])
      expect(await blog.ids(json('contains', 'tags', ['blocked']))).toEqual([])
    })
  })

  describe(`tags in use on ${kind}`, { tags }, () => {
    const share = shareBlog(async () => {
      const blog = await start(kind)
      const tagsOfPosts = [['Sea', 'salt'], ['sea', 'a'], ['SEA', 'salt'], ['x_y']]
      for (const [at, tags] of tagsOfPosts.entries()) await blog.tagged(`p${at}`, { tags })
      return blog
    })
    const sea = { tag: 'sea', name: 'SEA', posts: 3 }
    const salt = { tag: 'salt', name: 'salt', posts: 2 }

    test('the tags with the most posts come first, in their newest spelling', async () => {
      const { tagsInUse, bob } = await share()
      expect(await tagsInUse(bob, '?limit=2')).toEqual({ total: 2, tags: [sea, salt] })
    })

    test('tags are found by their first letters', async () => {
      const { tagsInUse, bob } = await share()
      expect((await tagsInUse(bob, '?startsWith=%23S')).tags).toEqual([sea, salt])
      expect((await tagsInUse(bob, '?startsWith=x_')).tags).toMatchObject([{ tag: 'x_y' }])
      for (const prefix of ['x%25', '%00', 'x%00', '%ed%a0%80'])
        expect(await tagsInUse(bob, `?startsWith=${prefix}`)).toEqual({ total: 0, tags: [] })
    })

    test('a limit that is not a number, and a prefix that is too long, are refused', async () => {
      const { tagsInUse, bob } = await share()
      expect(await tagsInUse(bob, '?limit=x')).toMatchObject({ type: 'general_argument_invalid' })
      expect(await tagsInUse(bob, `?startsWith=${'x'.repeat(121)}`)).toMatchObject({ code: 400 })
    })

    test('guests do not get the tags of a blog for members', async () => {
      const { call } = await share()
      const answer = await call('GET', `${COLLECTION}/tags`)
      expect(answer).toMatchObject({
        status: 401,
        body: { type: 'general_unauthorized_scope', message: expect.any(String) },
      })
      expect(answer.body).not.toHaveProperty('tags')
    })

    test('other collections have no tags', async () => {
      const { call, bob } = await share()
      const { cookie } = bob
      const answer = await call('GET', '/databases/blogdb/collections/other/tags', { cookie })
      expect(answer.status).toBe(404)
    })
  })
}
