// Notifications over HTTP, on both databases: one's own alone, live on the channel of the account.
import { describe, expect, test } from 'vitest'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { CALLERS, startWithCallers } from '#test/support/callers.ts'
import { DATABASES } from '#test/support/databases.ts'

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
const HOSTILE = '</script><img src=x onerror=alert(1)> \u202e'
/** Signs that would turn the text behind a name are not stored. */
const STORED_NAME = HOSTILE.replace('\u202e', '')

describe.each(DATABASES)('notifications on %s', (kind, tags) => {
  test('each caller and each call: people alone, and each their own', { tags }, async () => {
    await using started = await startWithCallers(kind)
    const { people, send, write, documents, as } = started
    const postId = await documents.post(people.author)
    for (const [name, call] of Object.entries(CALLS))
      for (const caller of CALLERS) {
        const { status } = await send(caller, ...call(postId))
        const isPerson = !['guest', 'blocked', 'key'].includes(caller)
        expect([name, caller, status]).toEqual([
          name,
          caller,
          isPerson ? (STATUSES[name] ?? 200) : 401,
        ])
      }
    await as('writer', 'PATCH', '/account/name', { name: HOSTILE })
    await write(postId)
    const { body } = await as('author', 'GET', '/notifications')
    expect(body).toMatchObject({ new: 1, unread: 1, next: '' })
    expect(body.list).toMatchObject([
      { kind: 'comment', text: 'Comment 1', people: { newest: [{ name: STORED_NAME }] } },
    ])
    const path = `/notifications/${body.list[0].$id}`
    await as('other', 'PATCH', path, { read: true })
    await as('other', 'PATCH', '/notifications', { read: true })
    expect((await as('author', 'GET', '/notifications/count')).body).toEqual({ new: 1, unread: 1 })
    await as('author', 'PATCH', path, { read: true })
    expect((await as('author', 'GET', '/notifications/count')).body).toEqual({ new: 0, unread: 0 })
    expect((await as('other', 'GET', '/notifications')).body.list).toEqual([])
    expect((await as('author', 'GET', '/notifications?filter=boring')).status).toBe(400)
    expect((await as('author', 'PUT', '/notifications/muted/missing')).status).toBe(404)
  })

  test('mails are chosen by each person, and ended without signing in', { tags }, async () => {
    await using started = await startWithCallers(kind)
    const { blog, people, as } = started
    const all = { replies: 'never', comments: 'atOnce', likes: 'daily', own: 'never' }
    expect((await as('author', 'PATCH', '/notifications/mails', all)).body).toEqual({
      email: people.author.email,
      state: 'unverified',
      choices: { ...all, reports: 'atOnce' },
    })
    for (const wrong of [{ likes: 'hourly' }, { likes: 1 }])
      expect((await as('author', 'PATCH', '/notifications/mails', wrong)).status).toBe(400)
    expect((await as('other', 'GET', '/notifications/mails')).body.choices.likes).toBe('never')
    const path = '/notifications/unsubscribe'
    const send = (query: string, body?: string) =>
      fetch(`${blog.url}/v1${path}${query}`, {
        method: 'POST',
        redirect: 'manual' as const,
        ...(body && {
          body,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            origin: 'null',
          },
        }),
      })
    const wrong = `?secret=likes.${'0'.repeat(64)}.${people.author.id}`
    for (const body of [undefined, 'List-Unsubscribe=One-Click'])
      expect(await (await send(wrong, body)).json()).toMatchObject({ type: 'user_invalid_token' })
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    const posted = await fetch(`${blog.url}/v1${path}${wrong}`, { method: 'POST', body: form })
    expect(await posted.json()).toMatchObject({ type: 'user_invalid_token' })
    const page = await send(wrong, 'page=1')
    expect([page.status, page.headers.get('location')]).toEqual([303, `${path}?done=`])
    for (const query of ['', '?secret=', '?secret=own.x.%00', `?secret=${'x'.repeat(129)}`])
      expect([400, 401]).toContain((await send(query)).status)
    const opened = await fetch(`${blog.url}/v1${path}${wrong}`, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, path + wrong])
  })

  test('who invited somebody is told when they come', { tags }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { asAlice, asKey, call } = blog
    const email = 'nina@example.test'
    const list = async () => (await call('GET', '/notifications', asAlice)).body.list
    const accept = async (by: object) => {
      const { body } = await call('POST', '/invitations', { ...by, body: { email } })
      const { searchParams } = new URL(body.url)
      const account = { email, password: 'a lamp for nina', name: HOSTILE }
      return call('POST', '/account', { body: { ...Object.fromEntries(searchParams), ...account } })
    }
    const { body } = await accept(asAlice)
    expect(await list()).toMatchObject([
      {
        kind: 'invitationAccepted',
        isGone: false,
        isRead: false,
        people: { total: 1, newest: [{ id: body.$id, name: STORED_NAME }] },
      },
    ])
    expect((await call('DELETE', `/users/${body.$id}`, asKey)).status).toBe(204)
    expect(await list()).toMatchObject([{ people: { total: 0, newest: [] } }])
    expect((await accept(asKey)).status).toBe(201)
    expect(await list()).toHaveLength(1)
  })
})
