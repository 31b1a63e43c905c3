// Scheduling a post over real HTTP: what is accepted, who may do it, and who learns of it.
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { openConnectedSocket } from '#test/support/realtime.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const REFUSED = { status: 400, body: { type: 'document_invalid_structure' } }
const MISSING = { status: 404, body: { type: 'document_not_found' } }
const DRAFT = { title: 'Late', status: 'inactive', featuredImage: '' }

for (const [kind, tags] of DATABASES)
  describe(`the schedule of a post on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind))

    test('is its time of publication, also when the whole post is sent back', async () => {
      const { alice, create, patch } = await share()
      const publishedAt = inDays(1)
      const { status, body } = await create(alice, { ...DRAFT, publishedAt })
      expect([status, body.publishedAt]).toEqual([201, publishedAt.replace('Z', '+00:00')])
      const { $id, title: _title, ...whole } = body
      const changed = await patch(alice, $id, { ...whole, title: 'Later' })
      expect(changed.body).toMatchObject({ title: 'Later', publishedAt: body.publishedAt })
    })

    test('is a change of the post, so that an older copy is refused', async () => {
      const { alice, create, patch, call } = await share()
      const { body } = await create(alice, DRAFT)
      await patch(alice, body.$id, { publishedAt: inDays(1) })
      const stale = await call('PATCH', `${DOCUMENTS}/${body.$id}`, {
        cookie: alice.cookie,
        headers: { 'x-appwrite-timestamp': body.$updatedAt },
        body: { data: { title: 'Stale' } },
      })
      expect(stale).toMatchObject({ status: 409, body: { type: 'document_update_conflict' } })
    })

    test.each([
      ['a time that has passed', { publishedAt: inDays(-1) }, 'This time has passed'],
      ['more than five years', { publishedAt: inDays(6 * 365) }, 'at most 5 years'],
      ['a time for an active post', { publishedAt: inDays(1), status: 'active' }, 'inactive'],
      ['no time at all', { publishedAt: 'tomorrow' }, 'valid date'],
    ])('refuses %s, and changes nothing', async (_, data, message) => {
      const { alice, create, patch, get } = await share()
      const { body } = await create(alice, DRAFT)
      for (const answer of [
        await create(alice, { ...DRAFT, ...data }),
        await patch(alice, body.$id, { title: 'Other', ...data }),
      ]) {
        expect(answer).toMatchObject(REFUSED)
        expect(answer.body.message).toContain(message)
      }
      expect((await get(alice, body.$id)).body).toMatchObject(body)
    })

    test('is set by the API key for the author, and by nobody else', async () => {
      const { alice, bob, create, patch, get } = await share()
      const { $id } = (await create(alice, DRAFT)).body
      const publishedAt = inDays(2).replace('Z', '+00:00')
      for (const caller of [bob, undefined])
        expect(await patch(caller, $id, { publishedAt })).toMatchObject(MISSING)
      expect((await get(alice, $id)).body.publishedAt).toBeNull()
      await patch('key', $id, { publishedAt })
      expect((await get(alice, $id)).body.publishedAt).toBe(publishedAt)
    })

    test('is seen in no list, count or event of others', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, bob, create, list, patch } = blog
      using socket = await openConnectedSocket(blog, { cookie: bob.cookie })
      const { $id } = (await create(alice, { ...DRAFT, publishedAt: inDays(1) })).body
      await patch(alice, $id, { publishedAt: inDays(2) })
      const filters = [`greaterThan("publishedAt", "${inDays(0)}")`, 'orderAsc("publishedAt")']
      for (const caller of [bob, undefined])
        for (const queries of [filters, [`equal("$id", ["${$id}"])`], []])
          expect((await list(caller, ...queries)).body).toMatchObject({ total: 0, documents: [] })
      expect((await list(alice, ...filters)).body.total).toBe(1)
      await create(alice, { ...DRAFT, title: 'Shown', status: 'active' })
      const { data } = await socket.next()
      expect(data.payload.title).toBe('Shown')
    })

    test('does not make the author’s copy of a list everybody’s', async () => {
      await using blog = await openBlogOn(kind, { BLOG_READING: 'everyone' })
      const { alice, bob, create, list } = blog
      await create(alice, { ...DRAFT, publishedAt: inDays(1) })
      for (const caller of [alice, bob, undefined, alice, bob, undefined])
        expect((await list(caller)).body.total).toBe(caller === alice ? 1 : 0)
    })

    test('with extra attributes, a program may write a past time of its own', async () => {
      await using blog = await openBlogOn(kind, { BLOG_EXTRA_ATTRIBUTES: 'on' })
      const { alice, create } = blog
      const created = await create(alice, { ...DRAFT, publishedAt: inDays(-1) })
      expect(created).toMatchObject({ status: 201, body: { publishedAt: null } })
    })

    test('is deleted with the account', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, create, call, databaseUrl, dataDir } = blog
      const details = { excerpt: 'Soon', publishedAt: inDays(1) }
      await create(alice, { ...DRAFT, ...details })
      const { cookie, password } = alice
      expect((await call('DELETE', '/account', { cookie, body: { password } })).status).toBe(204)
      const db = await openDatabase({ dataDir, databaseUrl })
      expect(await db.selectFrom('postSchedule').selectAll().execute()).toEqual([])
      expect(await db.selectFrom('postDetails').selectAll().execute()).toEqual([])
      await db.destroy()
    })
  })
