// Like properties.test.ts, for posts with extra attributes and for realtime messages: the real
// server answers arbitrary input on both databases and never fails.
import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { FILTERS } from '#backend/database/query-text.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { anyCharacter, runs } from '#test/support/fuzz.ts'

const ROWS = '/tablesdb/blogdb/tables/posts/rows'
const name = fc.oneof(
  fc.constantFrom(
    'title',
    'userid',
    'userId',
    'user_id',
    'status',
    'like',
    'likeId',
    '$id',
    '$permissions',
    'slug',
    'views',
    'tags',
    'a.b',
    '$.a',
    'a"b',
    '__proto__',
    'constructor',
    'declared',
    '',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.constantFrom('\0', '\ud800', 'x\udc00', '%', '\\', '2023-11-20', '\u2028', 'active', '"'),
)
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e308, -1e308, 5e-324, 2 ** 53, 0, true, false, null),
)
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.object({ maxDepth: 1 }))
const data = fc.dictionary(name, value, { maxKeys: 5 }).map((sent) => ({ title: 'a', ...sent }))
const query = fc
  .tuple(
    fc.constantFrom(...FILTERS, 'orderAsc', 'orderDesc', 'orderRandom', 'select', 'cursorAfter'),
    name,
    fc.array(scalar, { maxLength: 3 }),
  )
  .map(([method, attribute, values]) => JSON.stringify({ method, attribute, values }))

for (const [kind, tags] of DATABASES)
  describe(`on ${kind} the server answers`, { tags }, () => {
    test('any attributes and queries about them', async () => {
      await using blog = await openBlogOn(kind, { BLOG_EXTRA_ATTRIBUTES: 'on' })
      const caller = { cookie: blog.alice.cookie }
      const create = (documentId: string, sent: unknown, permissions?: unknown) =>
        blog.call('POST', DOCUMENTS, { ...caller, body: { documentId, data: sent, permissions } })
      const change = (id: string, sent: unknown) =>
        blog.call('PATCH', `${ROWS}/${id}`, { ...caller, body: { data: sent } })
      await create('first', { title: 'a', slug: 'b', views: 1, tags: ['c'] })
      const id = fc.constantFrom('first', 'second', 'third')
      const queryString = (queries: string[]) =>
        queries.map((text) => `queries[]=${encodeURIComponent(text.toWellFormed())}`).join('&')
      const call = fc.oneof(
        fc.tuple(id, data).map((sent) => () => change(...sent)),
        fc.tuple(id, data, fc.anything()).map((sent) => () => create(...sent)),
        fc.array(query, { maxLength: 3 }).map((queries) => () => {
          return blog.call('GET', `${DOCUMENTS}?${queryString(queries)}`, caller)
        }),
      )
      await fc.assert(
        fc.asyncProperty(call, async (send) => {
          const { status, body } = await send()
          expect([200, 201, 400, 401, 404, 409]).toContain(status)
          if (body.userid !== undefined) expect(body.userid).toBe(blog.alice.id)
        }),
        runs(40),
      )
      expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    })
  })

test('any realtime messages are answered or end their connection, and the server logs no error', async () => {
  await using blog = await openBlogOn('SQLite')
  const url = `${blog.url.replace('http', 'ws')}/v1/realtime?project=blog`
  const message = fc.oneof(
    fc.json({ maxDepth: 3 }),
    text,
    fc
      .record({
        type: fc.constantFrom('ping', 'subscribe', 'unsubscribe', 'authentication', '__proto__'),
        data: fc.oneof(
          fc.anything(),
          fc.record({ session: text }),
          fc.array(
            fc.record({
              subscriptionId: fc.oneof(text, fc.constant('s')),
              channels: fc.array(fc.oneof(text, fc.constant('documents')), { maxLength: 4 }),
              queries: fc.array(query, { maxLength: 2 }),
            }),
            { maxLength: 3 },
          ),
        ),
      })
      .map((sent) =>
        JSON.stringify(sent, (_key, field) => (typeof field === 'bigint' ? 0 : field)),
      ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (messages) => {
      const socket = new WebSocket(url)
      await once(socket, 'message')
      const closed = once(socket, 'close')
      for (const text of messages) socket.send(text)
      await blog.patch(blog.alice, 'none', { title: 'x' })
      socket.close(1000)
      const [code] = await closed
      expect([1000, 1003, 1008]).toContain(code)
    }),
    runs(20),
  )
  expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
