// Pages of the blog, such as "About": who may write them, their addresses, which lists leave them
// out, and the links in the header and the footer.
import { describe, expect, test } from 'vitest'
import type { BlogLinks, SiteLink } from '#contract/blog-links.ts'
import type { Person } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'

const COLLECTION = DOCUMENTS.replace('/documents', '')
const TEXT = '<p>Lamplight is written by people who take the late train.</p>'

async function open(kind: DatabaseKind) {
  const blog = await openBlogWithRoles(kind, { BLOG_READING: 'everyone' })
  const { alice, asAlice } = blog
  const data = { title: 'About', content: TEXT, page: true }
  return {
    ...blog,
    /** Expects a new page to work. @returns its id */
    async page(changes: object = {}, author: Person = alice): Promise<string> {
      const answer = await blog.create(author, { ...data, ...changes })
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
      return answer.body.$id
    },
    tryPage: (caller: Person | 'key', changes: object = {}) =>
      blog.create(caller, { ...data, ...changes }),
    at: (address: string, as: object = {}) =>
      blog.call('GET', `${COLLECTION}/pages/${address}`, as),
    links: async (): Promise<BlogLinks> =>
      (await blog.call('GET', '/operator/links', asAlice)).body,
    arrange: (version: string, list: object[]) =>
      blog.call('PUT', '/operator/links', { ...asAlice, body: { version, list } }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

const IN_BOTH = { inHeader: true, inFooter: true }
const namesOf = (list: SiteLink[]) => list.map(({ name }) => name)

for (const [kind, tags] of DATABASES) {
  describe(`pages of the blog, on ${kind}`, { tags }, () => {
    test('only operators and the API key write a page, and it stays a page', async () => {
      await using blog = await open(kind)
      const { alice, bob, reader } = blog
      const answers = await Promise.all([bob, reader].map((person) => blog.tryPage(person)))
      expect(answers.map(({ status }) => status)).toEqual([401, 401])
      expect((await blog.tryPage('key', { userid: bob.id })).status).toBe(201)
      const id = await blog.page({ title: 'Contact' })
      expect((await blog.patch(bob, id, { title: 'Mine' })).body.type).toBe('user_unauthorized')
      expect((await blog.remove(bob, id)).body.type).toBe('user_unauthorized')
      expect((await blog.patch(alice, id, { page: false })).status).toBe(400)
      expect((await blog.patch(alice, id, {}, { permissions: [] })).status).toBe(401)
      const post = await blog.create(bob, { title: 'A post', page: false })
      expect((await blog.patch(bob, post.body.$id, { page: true })).status).toBe(400)
      expect((await blog.get(undefined, id)).body).toMatchObject({ title: 'Contact', page: true })
      expect((await blog.get(undefined, post.body.$id)).body).not.toHaveProperty('page')
    })

    test('another operator changes and deletes a page, and restores it', async () => {
      await using blog = await open(kind)
      const { bob } = blog
      const id = await blog.page({ status: 'inactive' })
      expect((await blog.get(bob, id)).status).toBe(404)
      await blog.setRole(bob.id, 'operator')
      expect((await blog.patch(bob, id, { status: 'active' })).status).toBe(200)
      expect((await blog.remove(bob, id)).status).toBe(204)
      expect((await blog.at('about')).status).toBe(404)
      const path = '/operator/posts?state=removed'
      const removed = (await blog.call('GET', path, { cookie: bob.cookie })).body.list
      const restore = `${COLLECTION}/deleted/${removed[0].deletedId}/restore`
      expect((await blog.call('POST', restore, { cookie: bob.cookie })).status).toBe(200)
      expect((await blog.patch(bob, id, { status: 'active' })).status).toBe(200)
      expect((await blog.at('about')).body).toMatchObject({ $id: id, page: true })
    })

    test('a page is in search, but in no list, no feed, no tag and no count', async () => {
      await using blog = await open(kind)
      const { alice, bob } = blog
      const id = await blog.page({ content: `${TEXT}<p>#trains</p>` })
      for (const caller of [undefined, bob, alice]) {
        expect((await blog.list(caller)).body.total).toBe(0)
        expect((await blog.list(caller, 'contains("tags",["trains"])')).body.total).toBe(0)
      }
      const guest = async (path: string) => (await blog.call('GET', COLLECTION + path)).body
      expect(await guest('/tags')).toMatchObject({ total: 0 })
      expect(await guest(`/authors/${alice.id}`)).toMatchObject({ posts: 0 })
      const found = (await blog.call('GET', `${COLLECTION}/search?q=lamplight`, blog.asAlice)).body
      expect(found.documents).toMatchObject([{ $id: id, page: true }])
      const map = await fetch(`${blog.url}/sitemap-pages-1.xml`)
      expect(await map.text()).toContain('/about</loc>')
      const feed = await fetch(`${blog.url}/feed.xml`)
      expect(await feed.text()).not.toContain('About')
      const overview = (await blog.call('GET', '/operator/overview', blog.asAlice)).body
      expect(overview.posts).toMatchObject({ new: 0, total: 0 })
    })

    test('an operator who becomes an author keeps no right to pages', async () => {
      await using blog = await open(kind)
      const { alice, bob, setRole } = blog
      const draft = await blog.page({ status: 'inactive' })
      const hidden = await blog.page({ title: 'Hidden' })
      const removed = await blog.page({ title: 'Removed' })
      await setRole(bob.id, 'operator')
      const asBob = { cookie: bob.cookie }
      await blog.patch(bob, draft, { content: '<p>Written by another operator.</p>' })
      await blog.call('PATCH', `${DOCUMENTS}/${hidden}/hidden`, {
        ...asBob,
        body: { hidden: true },
      })
      await blog.remove(bob, removed)
      const deleted = `${COLLECTION}/deleted`
      const [{ $id: deletedId }] = (await blog.call('GET', deleted, blog.asAlice)).body.deleted
      expect((await blog.list(alice)).body.total).toBe(0)
      await setRole(alice.id, 'author')
      for (const queries of [[], [`equal("$id",["${draft}"])`], ['equal("status",["inactive"])']])
        expect((await blog.list(alice, ...queries)).body, queries[0]).toMatchObject({ total: 0 })
      const search = `${COLLECTION}/search?q=written`
      expect((await blog.call('GET', search, blog.asAlice)).body.documents).toEqual([])
      for (const id of [draft, hidden]) expect((await blog.get(alice, id)).status).toBe(404)
      expect((await blog.call('GET', deleted, blog.asAlice)).body).toMatchObject({ total: 0 })
      const path = `${deleted}/${deletedId}`
      expect((await blog.call('POST', `${path}/restore`, blog.asAlice)).status).toBe(404)
      expect((await blog.call('DELETE', path, blog.asAlice)).status).toBe(404)
    })

    test('the page at an address names its writer as they are called now', async () => {
      await using blog = await open(kind)
      await blog.page()
      expect((await blog.at('about')).body.userName).toBe('alice')
      await blog.call('PATCH', '/account/name', { ...blog.asAlice, body: { name: 'Alice Moon' } })
      expect((await blog.at('about')).body.userName).toBe('Alice Moon')
    })

    test('nobody likes, comments, reports or counts reads of a page', async () => {
      await using blog = await open(kind)
      const { bob, alice } = blog
      const id = await blog.page()
      const asBob = { cookie: bob.cookie }
      expect((await blog.like(bob, id, [bob.id])).body.type).toBe('user_unauthorized')
      expect((await blog.like(alice, id, [alice.id])).body.type).toBe('user_unauthorized')
      const calls = [
        ['GET', 'comments', {}],
        ['POST', 'comments', { content: 'Hello' }],
        ['POST', 'reports', { reason: 'spam' }],
        ['POST', 'reads', {}],
      ] as const
      for (const [method, path, body] of calls) {
        const options = method === 'GET' ? asBob : { ...asBob, body }
        const answer = await blog.call(method, `${DOCUMENTS}/${id}/${path}`, options)
        expect(answer.status, path).toBe(404)
      }
    })

    test('the address follows the title of an active page, and its earlier ones lead to it', async () => {
      await using blog = await open(kind)
      const { alice } = blog
      const id = await blog.page({ status: 'inactive' })
      expect((await blog.at('about')).status).toBe(404)
      await blog.patch(alice, id, { title: 'About the blog' })
      await blog.patch(alice, id, { status: 'active' })
      expect((await blog.at('about')).status).toBe(404)
      await blog.patch(alice, id, { title: 'About us' })
      for (const address of ['about-the-blog', 'about-us'])
        expect((await blog.at(address)).body, address).toMatchObject({ $id: id })
      // A new page may take an address that another one no longer has.
      const other = await blog.page({ title: 'About the blog' })
      expect((await blog.at('about-the-blog')).body).toMatchObject({ $id: other })
    })

    test('an address that is taken, reserved or empty is refused, a draft never', async () => {
      await using blog = await open(kind)
      const { alice } = blog
      await blog.page()
      const typeOf = async (title: string) => (await blog.tryPage(alice, { title })).body.type
      expect(await typeOf('about?')).toBe('page_address_taken')
      expect(await typeOf('Log-in')).toBeUndefined()
      expect(await typeOf('Login')).toBe('page_address_reserved')
      expect(await typeOf('VerifyOAuth')).toBe('page_address_reserved')
      expect(await typeOf('V1')).toBe('page_address_reserved')
      expect(await typeOf('?!')).toBe('document_invalid_structure')
      const draft = await blog.page({ status: 'inactive' })
      const published = await blog.patch(alice, draft, { status: 'active' })
      expect(published.body.type).toBe('page_address_taken')
      expect((await blog.get(alice, draft)).body.status).toBe('inactive')
    })

    test('readers see the links that operators arrange, without inactive pages', async () => {
      await using blog = await open(kind)
      const { alice, count } = blog
      const about = await blog.page()
      const thanks = await blog.page({ title: 'Thanks', status: 'inactive' })
      const { version, list } = await blog.links()
      expect(namesOf(list)).toEqual(['About', 'Thanks'])
      const before = await count()
      const ferry = { name: 'Ferry times', to: 'https://example.org/ferry', ...IN_BOTH }
      const answer = await blog.arrange(version, [
        { page: thanks, ...IN_BOTH },
        ferry,
        { page: about, inHeader: false, inFooter: true },
        { name: 'Trains', to: '/tag/trains', inHeader: true, inFooter: false },
      ])
      expect(namesOf(answer.body.list)).toEqual(['Thanks', 'Ferry times', 'About', 'Trains'])
      expect(await count()).toBe(before + 1)
      expect((await blog.activity())[0]).toMatchObject({
        subjectName: 'links',
        details: {
          after: 'header: Thanks, Ferry times, Trains; footer: Thanks, Ferry times, About',
        },
      })
      const shown = async () => namesOf((await blog.readSite()).links)
      expect(await shown()).toEqual(['Ferry times', 'About', 'Trains'])
      await blog.patch(alice, thanks, { status: 'active', title: 'Thank you' })
      expect(await shown()).toEqual(['Thank you', 'Ferry times', 'About', 'Trains'])
      await blog.call('PATCH', `${DOCUMENTS}/${about}/hidden`, {
        ...blog.asAlice,
        body: { hidden: true },
      })
      await blog.remove(alice, thanks)
      expect(await shown()).toEqual(['Ferry times', 'Trains'])
    })

    test('a wrong arrangement changes nothing', async () => {
      await using blog = await open(kind)
      const id = await blog.page()
      const { version } = await blog.links()
      const page = { page: id, ...IN_BOTH }
      const link = { name: 'Elsewhere', to: 'https://example.org/', ...IN_BOTH }
      const number = (index: number) => ({ ...link, to: `https://example.org/${index}` })
      const wrong: [object[], number][] = [
        [[{ ...link, to: 'javascript:alert(1)' }], 400],
        [[{ ...link, to: 'https://user:word@example.org/' }], 400],
        [[{ ...link, name: ' ' }], 400],
        [[{ ...link, name: 'a'.repeat(25) }], 400],
        [[{ ...link, inHeader: 'yes' }], 400],
        [[link, link], 400],
        [[{ ...page, page: 'nobody' }], 400],
        [[page, number(1), number(2), number(3)], 400],
        [[1, 2, 3, 4, 5, 6].map((index) => ({ ...number(index), inHeader: false })), 409],
      ]
      for (const [list, status] of wrong)
        expect((await blog.arrange(version, list)).status, JSON.stringify(list)).toBe(status)
      expect((await blog.arrange('another', [page])).body.type).toBe('document_update_conflict')
      expect((await blog.links()).version).toBe(version)
    })

    test('a link to this blog never leads to another site', async () => {
      await using blog = await open(kind)
      for (const path of ['//example.org/', '/..//example.org/', '/.\\/example.org/']) {
        const { version } = await blog.links()
        const link = { name: 'Here', to: blog.url + path, ...IN_BOTH }
        const { body } = await blog.arrange(version, [link])
        expect(new URL(body.list[0].to, blog.url).origin, path).toBe(blog.url)
      }
    })

    test('there are six pages and links at most', async () => {
      await using blog = await open(kind)
      const titles = ['One', 'Two', 'Three', 'Four', 'Five']
      for (const title of titles) await blog.page({ title })
      const { version } = await blog.links()
      const link = {
        name: 'Elsewhere',
        to: 'https://example.org/',
        inHeader: true,
        inFooter: false,
      }
      expect((await blog.arrange(version, [link])).body.list).toHaveLength(6)
      expect((await blog.tryPage(blog.alice, { title: 'Seven' })).body.type).toBe(
        'page_count_exceeded',
      )
    })

    test('a page stays when its writer deletes the account: another operator gets it', async () => {
      await using blog = await open(kind)
      const { alice, bob, asKey } = blog
      const id = await blog.page({ featuredImage: await blog.upload(alice) })
      await blog.post(alice)
      await blog.setRole(bob.id, 'operator')
      expect((await blog.call('DELETE', `/users/${alice.id}`, asKey)).status).toBe(204)
      const { body } = await blog.at('about')
      expect(body).toMatchObject({ $id: id, userid: bob.id })
      const file = `/storage/buckets/content/files/${body.featuredImage}`
      expect((await blog.call('GET', file, asKey)).status).toBe(200)
      expect((await blog.list(undefined)).body.total).toBe(0)
    })
  })
}
