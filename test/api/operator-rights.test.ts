// The calls that run the blog: who may make each one (guest, reader, author, operator, blocked
// operator, key), and that Activity records it.
import { expect, test } from 'vitest'
import type { CallOptions, Person, TestBlog } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { logoForm, svg } from '#test/support/logos.ts'

type Blog = Awaited<ReturnType<typeof openBlogWithRoles>>
/** A call about a user and a post created for it; `did` is the action that Activity records. */
type Call = {
  name: string
  send: (blog: Blog, as: CallOptions, about: { person: Person; post: string }) => Sent
  status: number
  did?: string
}
type Sent = ReturnType<TestBlog['call']>

const get = (path: string): Call => ({
  name: path,
  status: 200,
  send: (blog, as, { person }) => blog.call('GET', path.replace('ID', person.id), as),
})

/** Counts the logos, so that each one is different. */
let logos = 0
/** Counts pages and links for the same reason. */
let links = 0

const CALLS: Call[] = [
  ...[
    '/users',
    '/operator/people',
    '/operator/people/ID/content',
    '/operator/posts',
    '/operator/activity',
    '/operator/activity.csv',
    '/operator/overview',
    '/operator/imports',
    '/operator/exports',
  ].map(get),
  {
    name: 'import',
    status: 201,
    async send(blog, as) {
      const { imports } = (await blog.call('GET', '/operator/imports', blog.asKey)).body
      for (const { $id } of imports)
        await blog.call('DELETE', `/operator/imports/${$id}`, blog.asKey)
      const body = { fileName: 'old.xml', sizeBytes: 10, oldAddress: '' }
      return blog.call('POST', '/operator/imports', { ...as, body })
    },
  },
  {
    name: 'export',
    status: 202,
    did: 'settings export',
    async send(blog, as) {
      const { exports } = (await blog.call('GET', '/operator/exports', blog.asKey)).body
      for (const { $id } of exports)
        await blog.call('DELETE', `/operator/exports/${$id}`, blog.asKey)
      return blog.call('POST', '/operator/exports', { ...as, body: { parts: ['data'] } })
    },
  },
  {
    name: 'mail test',
    status: 200,
    did: 'settings mailTest',
    send: (blog, as) =>
      blog.call('POST', '/operator/mail-test', { ...as, body: { to: 'olga@example.test' } }),
  },
  get('/operator/links'),
  {
    name: 'links',
    status: 200,
    did: 'settings changed',
    async send(blog, as) {
      const { version } = (await blog.call('GET', '/operator/links', blog.asAlice)).body
      const to = `https://example.org/${++links}`
      const list = [{ name: 'Elsewhere', to, inHeader: true, inFooter: false }]
      return blog.call('PUT', '/operator/links', { ...as, body: { version, list } })
    },
  },
  {
    name: 'a page',
    status: 201,
    send: (blog, as, { person }) => {
      const data = { title: `Page ${++links}`, page: true, status: 'inactive' }
      const owner = 'headers' in as ? { userid: person.id } : {}
      return blog.call('POST', DOCUMENTS, {
        ...as,
        body: { documentId: 'unique()', data: { ...data, ...owner } },
      })
    },
  },
  {
    name: 'lamp',
    status: 200,
    send: (blog, as) => blog.call('DELETE', '/site/logo', as),
  },
  {
    name: 'logo',
    status: 200,
    did: 'settings changed',
    send: (blog, as) => {
      const picture = svg(`<path fill="#${100 + ++logos}" d="M0 0h32v32H0z"/>`)
      return blog.call('POST', '/site/logo', { ...as, body: logoForm(picture) })
    },
  },
  {
    name: 'backups',
    status: 200,
    send: (blog, as) =>
      blog.call('PATCH', '/operator/backups', { ...as, body: { time: '03:00', keep: 7 } }),
  },
  {
    name: 'block',
    status: 200,
    did: 'people blocked',
    send: (blog, as, { person }) =>
      blog.call('PATCH', `/users/${person.id}/status`, {
        ...as,
        body: { status: false, reason: 'noise' },
      }),
  },
  {
    name: 'role',
    status: 200,
    did: 'people role',
    send: (blog, as, { person }) =>
      blog.call('PATCH', `/users/${person.id}/role`, { ...as, body: { role: 'reader' } }),
  },
  {
    name: 'link',
    status: 201,
    did: 'people linkMade',
    send: (blog, as, { person }) => blog.call('POST', `/users/${person.id}/links`, as),
  },
  {
    name: 'delete',
    status: 204,
    did: 'people deleted',
    send: (blog, as, { person }) => blog.call('DELETE', `/users/${person.id}`, as),
  },
  {
    name: 'invite',
    status: 201,
    did: 'people invited',
    send: (blog, as) =>
      blog.call('POST', '/invitations', {
        ...as,
        body: { email: 'paul@example.test', role: 'reader' },
      }),
  },
  get('/invitations'),
  {
    name: 'hide',
    status: 200,
    did: 'posts hidden',
    send: (blog, as, { post }) =>
      blog.call('PATCH', `${DOCUMENTS}/${post}/hidden`, { ...as, body: { hidden: true } }),
  },
  {
    name: 'remove',
    status: 204,
    did: 'posts removed',
    send: (blog, as, { post }) => blog.call('DELETE', `${DOCUMENTS}/${post}`, as),
  },
]

for (const [kind, tags] of DATABASES)
  test(`only operators and the key can run the blog, on ${kind}`, { tags }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const callers: [who: string, as: CallOptions][] = [
      ['guest', {}],
      ['reader', { cookie: blog.reader.cookie }],
      ['author', { cookie: blog.bob.cookie }],
      ['blocked operator', { cookie: blog.blocked.cookie }],
      ['operator', { cookie: blog.alice.cookie }],
      ['key', blog.asKey],
    ]
    let about = await blog.makeAuthor()
    let before = await blog.count()
    for (const { name, send, status, did } of CALLS)
      for (const [callerName, as] of callers) {
        const { status: got } = await send(blog, as, about)
        const isAllowed = callerName === 'operator' || callerName === 'key'
        expect([name, callerName, got]).toEqual([name, callerName, isAllowed ? status : 401])
        const [newest] = await blog.activity()
        const isTold = isAllowed && did !== undefined
        expect([name, callerName, Number(newest?.$id) - before]).toEqual([
          name,
          callerName,
          isTold ? 1 : 0,
        ])
        if (isTold) {
          expect(`${newest?.kind} ${newest?.action}`).toBe(did)
          expect(newest?.actorName).toBe(callerName === 'key' ? '' : 'alice')
          about = await blog.makeAuthor()
          before = await blog.count()
        }
      }
  })
