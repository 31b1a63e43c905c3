// Posts as operators see them: which ones are listed and counted, what hiding, removing and
// restoring do, and that operators cannot touch drafts.
import { describe, expect, test } from 'vitest'
import type { OperatorPosts } from '#contract/operator.ts'
import type { Person } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

async function start(kind: DatabaseKind) {
  const blog = await openBlogWithRoles(kind)
  const { bob, asAlice } = blog
  return {
    ...blog,
    async write(title: string, status = 'active', author: Person = bob) {
      const answer = await blog.create(author, { title, content: '<p>text</p>', status })
      return String(answer.body.$id)
    },
    posts: async (query = ''): Promise<OperatorPosts> =>
      (await blog.call('GET', `/operator/posts?${query}`, asAlice)).body,
    hide: (id: string, isHidden: boolean) =>
      blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, {
        ...asAlice,
        body: { hidden: isHidden, reason: 'Advertising' },
      }),
    remove: (id: string) => blog.call('DELETE', `${DOCUMENTS}/${id}`, asAlice),
    restore: (deletedId: string | undefined, caller: object) =>
      blog.call(
        'POST',
        `${DOCUMENTS.replace(/documents$/, 'deleted')}/${deletedId}/restore`,
        caller,
      ),
  }
}

for (const [kind, tags] of DATABASES) {
  describe(`the posts that operators list, on ${kind}`, { tags }, () => {
    const sharedBlog = shareBlog(async () => {
      const blog = await start(kind)
      const shownId = await blog.write('Ferries')
      const hiddenId = await blog.write('Win a phone')
      const removed = await blog.write('Spam')
      await blog.write('My draft', 'inactive')
      const privatePost = await blog.create(blog.bob, { title: 'For me' }, { permissions: [] })
      expect(privatePost.status).toBe(201)
      expect((await blog.hide(hiddenId, true)).body).toMatchObject({ $id: hiddenId, hidden: true })
      expect((await blog.remove(removed)).status).toBe(204)
      return { ...blog, shownId, hiddenId }
    })

    test('active posts are those that readers see, and each state has a count', async () => {
      const { posts } = await sharedBlog()
      const active = await posts()
      expect(active).toMatchObject({
        total: 1,
        pages: 1,
        counts: { active: 1, hidden: 1, removed: 1 },
      })
      expect(active.list).toMatchObject([
        { title: 'Ferries', userName: 'bob', state: 'active', like: 0, comments: 0 },
      ])
    })

    test('hidden posts show who hid them and why', async () => {
      const { posts, hiddenId, alice } = await sharedBlog()
      expect((await posts('state=hidden')).list).toMatchObject([
        { $id: hiddenId, state: 'hidden', done: { byId: alice.id, reason: 'Advertising' } },
      ])
    })

    test('removed posts show who removed them', async () => {
      const { posts } = await sharedBlog()
      expect((await posts('state=removed&search=spa')).list).toMatchObject([
        { title: 'Spam', state: 'removed', done: { byName: 'alice' } },
      ])
    })

    test('posts of a state are found by words of their title', async () => {
      const { posts, shownId } = await sharedBlog()
      expect((await posts('search=ferries')).list.map(({ $id }) => $id)).toEqual([shownId])
      expect((await posts('state=hidden&search=ferries')).total).toBe(0)
    })
  })

  describe(`what operators do with posts, on ${kind}`, { tags }, () => {
    const sharedBlog = shareBlog(() => start(kind))

    test('operators can neither hide nor remove a draft or an unknown post', async () => {
      const blog = await sharedBlog()
      const draft = await blog.write('My draft', 'inactive')
      expect(await blog.hide(draft, true)).toMatchObject({ status: 404 })
      expect(await blog.hide('none', true)).toMatchObject({ status: 404 })
      expect(await blog.remove(draft)).toMatchObject({ status: 404 })
      expect(await blog.remove('none')).toMatchObject({ status: 404 })
      expect((await blog.get(blog.bob, draft)).body).toMatchObject({ status: 'inactive' })
    })

    test('operators can no longer hide a post that its author has turned into a draft', async () => {
      const blog = await sharedBlog()
      const id = await blog.write('A post')
      await blog.patch(blog.bob, id, { status: 'inactive' })
      expect((await blog.hide(id, true)).status).toBe(404)
      const { body } = await blog.get(blog.bob, id, 'select(["hidden","status"])')
      expect(body).toMatchObject({ hidden: false, status: 'inactive' })
    })

    test('guests can read a post that an operator has shown again', async () => {
      const blog = await sharedBlog()
      const id = await blog.write('A post')
      await blog.hide(id, true)
      expect((await blog.get(blog.reader, id)).status).toBe(404)
      expect((await blog.hide(id, false)).status).toBe(200)
      expect((await blog.get(undefined, id)).status).toBe(200)
    })

    test('operators, but not readers, can restore a removed post as a draft', async () => {
      const blog = await sharedBlog()
      const id = await blog.write('Restored')
      await blog.remove(id)
      const [removed] = (await blog.posts('state=removed&search=restored')).list
      const asReader = { cookie: blog.reader.cookie }
      expect((await blog.restore(removed?.deletedId, asReader)).status).toBe(404)
      expect((await blog.get(blog.bob, id)).status).toBe(404)
      expect((await blog.restore(removed?.deletedId, blog.asAlice)).status).toBe(200)
      const { body } = await blog.get(blog.bob, id, 'select(["hidden","status"])')
      expect(body).toMatchObject({ hidden: false, status: 'inactive' })
    })

    test('Activity records which posts operators hid, showed, removed and restored', async () => {
      const blog = await sharedBlog()
      const hidden = await blog.write('Hidden')
      const removed = await blog.write('Removed for a day')
      await blog.hide(hidden, true)
      await blog.remove(removed)
      const [{ deletedId } = { deletedId: '' }] = (await blog.posts('state=removed&search=removed'))
        .list
      await blog.restore(deletedId, blog.asAlice)
      await blog.hide(hidden, false)
      const entries = (await blog.activity('?kind=posts')).slice(0, 4)
      expect(entries.map(({ action }) => action)).toEqual([
        'shown',
        'restored',
        'removed',
        'hidden',
      ])
    })

    test('a reported post is listed among reported posts, and counted among waiting reports', async () => {
      const blog = await sharedBlog()
      const id = await blog.write('Ferries')
      expect(await blog.posts('state=reported')).toMatchObject({
        total: 0,
        list: [],
        counts: { reported: 0 },
      })
      const report = { postId: id, reason: 'spam' }
      await blog.call('POST', '/reports', { cookie: blog.reader.cookie, body: report })
      expect(await blog.posts('state=reported')).toMatchObject({
        total: 1,
        counts: { reported: 1 },
        list: [{ $id: id, reports: 1 }],
      })
      const { reports } = (await blog.call('GET', '/operator/overview', blog.asAlice)).body
      expect([reports.waiting, reports.since]).toEqual([1, expect.stringMatching(/^\d{4}-/)])
    })
  })
}
