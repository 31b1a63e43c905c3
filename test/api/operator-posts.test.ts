// Posts as operators see them: which ones are listed and counted, what hiding, removing and
// bringing back does, and that drafts of others are nobody's but their author's.
import { expect, test } from 'vitest'
import type { OperatorPosts } from '#contract/operator.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { openOperated } from '#test/support/operated-blog.ts'

for (const [kind, tags] of DATABASES)
  test(`operators list, hide, remove and bring back what readers see on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openOperated(kind)
    const { alice, bob, asAlice } = blog
    const write = async (title: string, status = 'active') =>
      String((await blog.create(bob, { title, content: '<p>text</p>', status })).body.$id)
    const shown = await write('Ferries')
    const hidden = await write('Win a phone')
    const removed = await write('Spam')
    const draft = await write('My draft', 'inactive')
    const own = await blog.create(bob, { title: 'For me' }, { permissions: [] })
    expect(own.status).toBe(201)
    const posts = async (query = ''): Promise<OperatorPosts> =>
      (await blog.call('GET', `/operator/posts?${query}`, asAlice)).body
    const hide = (id: string, isHidden: boolean) =>
      blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, {
        ...asAlice,
        body: { hidden: isHidden, reason: 'Advertising' },
      })
    const remove = (id: string) => blog.call('DELETE', `${DOCUMENTS}/${id}`, asAlice)

    expect((await hide(hidden, true)).body).toMatchObject({ $id: hidden, hidden: true })
    expect((await remove(removed)).status).toBe(204)
    for (const id of [draft, 'none'])
      for (const answer of [await hide(id, true), await remove(id)]) {
        const isMissing = answer.status === 404 || answer.status === 401
        expect([id, answer.status, isMissing]).toEqual([id, answer.status, true])
      }
    expect((await blog.get(bob, draft)).body).toMatchObject({ status: 'inactive' })

    const active = await posts()
    expect(active.list.map(({ title }) => title)).toEqual(['Ferries'])
    expect(active).toMatchObject({
      total: 1,
      pages: 1,
      counts: { active: 1, hidden: 1, removed: 1, reported: 0 },
    })
    expect(active.list[0]).toMatchObject({ userName: 'bob', state: 'active', like: 0, comments: 0 })
    const [first] = (await posts('state=hidden')).list
    expect(first).toMatchObject({
      $id: hidden,
      state: 'hidden',
      done: { byId: alice.id, reason: 'Advertising' },
    })
    const [gone] = (await posts('state=removed&search=spa')).list
    expect(gone).toMatchObject({ title: 'Spam', state: 'removed', done: { byName: 'alice' } })
    expect((await posts('search=ferries')).list.map(({ $id }) => $id)).toEqual([shown])
    expect((await posts('state=hidden&search=ferries')).total).toBe(0)
    expect(await posts('state=reported')).toMatchObject({ total: 0, list: [] })
    const report = { postId: shown, reason: 'spam' }
    await blog.call('POST', '/reports', { cookie: blog.reader.cookie, body: report })
    expect(await posts('state=reported')).toMatchObject({
      total: 1,
      counts: { reported: 1 },
      list: [{ $id: shown, reports: 1 }],
    })
    const { reports } = (await blog.call('GET', '/operator/overview', asAlice)).body
    expect([reports.waiting, reports.since]).toEqual([1, expect.stringMatching(/^\d{4}-/)])

    const restore = (as: object) =>
      blog.call(
        'POST',
        `${DOCUMENTS.replace(/documents$/, 'deleted')}/${gone?.deletedId}/restore`,
        as,
      )
    expect((await restore({ cookie: blog.reader.cookie })).status).toBe(404)
    expect((await restore(asAlice)).status).toBe(200)
    expect((await hide(hidden, false)).status).toBe(200)
    expect((await blog.get(undefined, hidden)).status).toBe(200)
    expect((await blog.get(bob, removed, 'select(["hidden","status"])')).body).toMatchObject({
      hidden: false,
      status: 'inactive',
    })
    await blog.patch(bob, hidden, { status: 'inactive' })
    expect((await hide(hidden, true)).status).toBe(404)
    const told = await blog.activity('?kind=posts')
    expect(told.map(({ action }) => action)).toEqual(['shown', 'restored', 'removed', 'hidden'])
  })
