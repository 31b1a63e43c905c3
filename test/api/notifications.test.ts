// Notifications over HTTP, on both databases: users can read only their own, and choose only their
// own mails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person, TestBlog } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { CALLERS, startWithCallers } from '#test/support/callers.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const CALLS: Record<string, (postId: string) => [method: string, path: string, body?: object]> = {
  list: () => ['GET', '/notifications'],
  count: () => ['GET', '/notifications/count'],
  seen: () => ['PATCH', '/notifications', { seen: true }],
  read: () => ['PATCH', '/notifications/missing', { read: true }],
  muted: () => ['GET', '/notifications/muted'],
  mute: (postId) => ['PUT', `/notifications/muted/${postId}`],
  unmute: (postId) => ['DELETE', `/notifications/muted/${postId}`],
  mails: () => ['GET', '/notifications/mails'],
  choose: () => ['PATCH', '/notifications/mails', { likes: 'daily' }],
}
const STATUSES: Record<string, number> = { read: 204, mute: 204, unmute: 204 }
const UNSUBSCRIBE = '/notifications/unsubscribe'
const HOSTILE = '</script><img src=x onerror=alert(1)> \u202e'
/** Names are stored without characters that change the direction of the text that follows. */
const STORED_NAME = HOSTILE.replace('\u202e', '')

const wrongLink = ({ id }: Person) => `?secret=likes.${'0'.repeat(64)}.${id}`

/** Sends a POST to the link in a mail, as mail clients and the page behind the link do. */
const unsubscribe = ({ url }: TestBlog, query: string, body?: string) =>
  fetch(`${url}/v1${UNSUBSCRIBE}${query}`, {
    method: 'POST',
    redirect: 'manual',
    ...(body && {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
    }),
  })

for (const [kind, tags] of DATABASES)
  describe(`notifications on ${kind}`, { tags }, () => {
    let callers: Awaited<ReturnType<typeof startWithCallers>>
    beforeAll(async () => {
      callers = await startWithCallers(kind)
    })
    afterAll(() => callers[Symbol.asyncDispose]())

    let authors = 0

    /** A post by a new author, with a comment by the writer, and calls by that author. */
    async function startWithComment() {
      const { blog, documents, write, send } = callers
      authors++
      const author = await blog.makePerson('nora', `nora.${authors}@example.test`)
      const { cookie } = author
      const asAuthor = (method: string, path: string, body?: object) =>
        blog.call(method, path, { cookie, ...(body && { body }) })
      await send('writer', 'PATCH', '/account/name', { name: HOSTILE })
      await write(await documents.post(author))
      const list = (await asAuthor('GET', '/notifications')).body
      return { list, asAuthor, path: `/notifications/${list.list[0].$id}` }
    }

    test.each(Object.entries(CALLS))(
      'the call "%s" is only for signed-in users',
      async (name, call) => {
        const { people, documents, send } = callers
        const args = call(await documents.post(people.author))
        for (const caller of CALLERS) {
          const isPerson = !['guest', 'blocked', 'key'].includes(caller)
          const status = isPerson ? (STATUSES[name] ?? 200) : 401
          expect([caller, (await send(caller, ...args)).status]).toEqual([caller, status])
        }
      },
    )

    test('the list contains the text of a comment, and the name of its writer as plain text', async () => {
      const { list } = await startWithComment()
      expect(list).toMatchObject({ new: 1, unread: 1, next: '' })
      expect(list.list).toMatchObject([
        {
          kind: 'comment',
          text: expect.stringMatching(/^Comment \d+$/),
          people: { newest: [{ name: STORED_NAME }] },
        },
      ])
    })

    test('users can read only their own notifications, and mark only these as read', async () => {
      const { asAuthor, path } = await startWithComment()
      const { send } = callers
      expect((await send('other', 'GET', '/notifications')).body.list).toEqual([])
      await send('other', 'PATCH', path, { read: true })
      await send('other', 'PATCH', '/notifications', { read: true })
      expect((await asAuthor('GET', '/notifications/count')).body).toEqual({ new: 1, unread: 1 })
    })

    test('a notification that has been read is neither new nor unread', async () => {
      const { asAuthor, path } = await startWithComment()
      await asAuthor('PATCH', path, { read: true })
      expect((await asAuthor('GET', '/notifications/count')).body).toEqual({ new: 0, unread: 0 })
    })

    test('unknown filters and posts are refused', async () => {
      const { send } = callers
      expect((await send('author', 'GET', '/notifications?filter=boring')).status).toBe(400)
      expect((await send('author', 'PUT', '/notifications/muted/missing')).status).toBe(404)
    })

    test('users can choose which mails they receive', async () => {
      const { blog } = callers
      const { cookie, email } = await blog.makePerson('vera')
      const other = await blog.makePerson('xenia')
      const choices = { replies: 'never', comments: 'atOnce', likes: 'daily', own: 'never' }
      const change = { cookie, body: choices }
      expect((await blog.call('PATCH', '/notifications/mails', change)).body).toEqual({
        email,
        state: 'unverified',
        choices: { ...choices, reports: 'atOnce' },
      })
      const { body } = await blog.call('GET', '/notifications/mails', { cookie: other.cookie })
      expect(body.choices.likes).toBe('never')
    })

    test('an unknown choice of mails is refused, and changes nothing', async () => {
      const { send } = callers
      const before = (await send('other', 'GET', '/notifications/mails')).body
      for (const choices of [{ likes: 'hourly' }, { likes: 1 }])
        expect((await send('other', 'PATCH', '/notifications/mails', choices)).status).toBe(400)
      expect((await send('other', 'GET', '/notifications/mails')).body).toEqual(before)
    })

    test('a mail client that unsubscribes with a wrong link is refused', async () => {
      const { blog, people } = callers
      const link = wrongLink(people.author)
      const form = new FormData()
      form.set('List-Unsubscribe', 'One-Click')
      for (const answer of [
        await unsubscribe(blog, link),
        await unsubscribe(blog, link, 'List-Unsubscribe=One-Click'),
        await fetch(`${blog.url}/v1${UNSUBSCRIBE}${link}`, { method: 'POST', body: form }),
      ])
        expect(await answer.json()).toMatchObject({ type: 'user_invalid_token' })
    })

    test('a page that unsubscribes with a wrong link is redirected to a page that says so', async () => {
      const { blog, people } = callers
      const { status, headers } = await unsubscribe(blog, wrongLink(people.author), 'page=1')
      expect([status, headers.get('location')]).toEqual([303, `${UNSUBSCRIBE}?done=`])
    })

    test('a link without a complete secret is refused', async () => {
      const { blog } = callers
      for (const query of ['', '?secret=', '?secret=own.x.%00', `?secret=${'x'.repeat(129)}`])
        expect([400, 401]).toContain((await unsubscribe(blog, query)).status)
    })

    test('opening a link leads to its page, and unsubscribes nobody', async () => {
      const { blog, people } = callers
      const link = wrongLink(people.author)
      const { status, headers } = await fetch(`${blog.url}/v1${UNSUBSCRIBE}${link}`, {
        redirect: 'manual',
      })
      expect([status, headers.get('location')]).toEqual([303, UNSUBSCRIBE + link])
    })
  })

for (const [kind, tags] of DATABASES)
  describe(`invitations on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogWithRoles(kind))

    let invited = 0

    /**
     * Accepts an invitation. `list` reads the notifications that the operator has received since.
     */
    async function accept(by: 'alice' | 'key') {
      const blog = await share()
      const { call, asAlice, asKey } = blog
      invited++
      const email = `nina.${invited}@example.test`
      const before = (await call('GET', '/notifications', asAlice)).body.list.length
      const inviter = by === 'alice' ? asAlice : asKey
      const { body: invitation } = await call('POST', '/invitations', {
        ...inviter,
        body: { email },
      })
      const proof = Object.fromEntries(new URL(invitation.url).searchParams)
      const account = await call('POST', '/account', {
        body: { ...proof, email, password: 'a lamp for nina', name: HOSTILE },
      })
      expect(account.status).toBe(201)
      const list = async () => {
        const { body } = await call('GET', '/notifications', asAlice)
        return body.list.slice(0, body.list.length - before)
      }
      return { ...blog, id: String(account.body.$id), list }
    }

    test('an operator is notified when somebody accepts their invitation', async () => {
      const { id, list } = await accept('alice')
      expect(await list()).toMatchObject([
        {
          kind: 'invitationAccepted',
          isGone: false,
          isRead: false,
          people: { total: 1, newest: [{ id, name: STORED_NAME }] },
        },
      ])
    })

    test('the notification names nobody after the account is deleted', async () => {
      const { call, asKey, id, list } = await accept('alice')
      expect((await call('DELETE', `/users/${id}`, asKey)).status).toBe(204)
      expect(await list()).toMatchObject([{ people: { total: 0, newest: [] } }])
    })

    test('nobody is notified of an invitation by the API key', async () => {
      expect(await (await accept('key')).list()).toEqual([])
    })
  })
