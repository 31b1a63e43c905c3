// The whole API under hostile requests: no route fails, and none lets another site write.
import { describe, expect, test } from 'vitest'
import { sendPath, sendRaw } from '#test/support/raw-request.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const POSTS = '/v1/databases/blogdb/collections/posts/documents'
const FILES = '/v1/storage/buckets/content/files'
const READS = [
  '/v1/account',
  '/v1/account/prefs',
  '/v1/account/sessions',
  '/v1/users/alice',
  POSTS,
  `${POSTS}/one`,
  FILES,
  `${FILES}/one/preview`,
  '/v1/avatars/initials',
]
const WRITES = [
  'POST /v1/account',
  'POST /v1/account/sessions',
  'POST /v1/account/sessions/email',
  'DELETE /v1/account/sessions',
  'DELETE /v1/account/sessions/current',
  'PATCH /v1/account/prefs',
  `POST ${POSTS}`,
  `PATCH ${POSTS}/one`,
  `DELETE ${POSTS}/one`,
  `POST ${FILES}`,
  `PUT ${FILES}/one`,
  `DELETE ${FILES}/one`,
]
const TAILS = [
  '/',
  '//',
  '%00',
  '/%00',
  '%2f',
  '/..',
  '/%2e%2e',
  '/..%2f..%2f',
  '/%2e%2e%2faccount',
  '%',
  '/%ZZ',
  '/%F0%9F%92%A1',
  '/%ff',
  ';a=b',
  '?%',
  '?queries[0]=%00',
  '?queries[]=x&queries[]=y',
  '?project=blog&project=x',
  '?width=-1',
  '?queries[0]={',
  '?queries[999999999]=limit(1)',
  '\\..\\',
  `/${'a'.repeat(2000)}`,
]
const BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '1',
  '{"a":',
  '\0',
  '{"__proto__":{}}',
  '{"prefs":[]}',
  '{"data":null}',
  '{"userId":{},"email":[],"password":1}',
  `{"data":${'['.repeat(5000)}`,
  '{"data":{"title":"\\u0000\\ud800"},"documentId":"x"}',
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  '',
  'a/b/c',
]

const sharedBlog = shareBlog()

describe('malformed requests', () => {
  for (const [tags, read] of sampled(READS, 3))
    test(`malformed addresses at ${read} get a status below 500`, { tags }, async () => {
      const blog = await sharedBlog()
      const { cookie } = await blog.makePerson('alice')
      const unexpected: string[] = []
      for (const caller of [{}, { cookie }]) {
        const headers: Record<string, string> = { 'x-appwrite-project': 'blog', ...caller }
        const answers = await Promise.all(
          TAILS.map(async (tail) => ({
            tail,
            ...(await sendPath(blog.url, read + tail, headers)),
          })),
        )
        for (const { tail, status } of answers)
          if (status < 200 || status >= 500) unexpected.push(`${status} ${read}${tail}`)
      }
      expect(unexpected).toEqual([])
    })

  const withBody = WRITES.filter((write) => !write.startsWith('DELETE'))
  for (const [tags, write] of sampled(withBody, 3))
    test(`malformed bodies and content types of ${write} get a status below 500 and change nothing`, {
      tags,
    }, async () => {
      const blog = await sharedBlog()
      const alice = await blog.makePerson('alice')
      const unexpected: string[] = []
      const [method, path] = write.split(' ')
      // The tests of files cover malformed forms.
      for (const type of TYPES.filter((type) => path !== FILES || !type.startsWith('multipart'))) {
        const rawRequest = (body: string) =>
          `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-appwrite-project: blog\r\ncookie: ${alice.cookie}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
        const answers = await Promise.all(
          BODIES.map(async (body) => ({
            sent: body,
            ...(await sendRaw(blog.url, rawRequest(body))),
          })),
        )
        for (const { sent, status } of answers)
          if (status < 400 || status >= 500)
            unexpected.push(`${status} ${type} ${sent.slice(0, 40)}`)
      }
      expect(unexpected).toEqual([])
      const read = (from: string) => blog.call('GET', from, { cookie: alice.cookie })
      expect((await read('/account')).body).toMatchObject({ $id: alice.id, prefs: {} })
      for (const list of [POSTS, FILES])
        expect((await read(list.slice('/v1'.length))).body.total).toBe(0)
    })
})

test.each(WRITES)('%s is refused to another site before anything is read', async (write) => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  const [method = '', path = ''] = write.split(' ')
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { referer: `${blog.url}.evil.example/` },
  ]) {
    const answer = await blog.call(method, path.slice('/v1'.length), {
      cookie: alice.cookie,
      body: {},
      headers: headers as Record<string, string>,
    })
    expect(answer.body).toMatchObject({ code: 403, type: 'general_unknown_origin' })
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect((await blog.call('GET', '/account', { cookie: alice.cookie })).status).toBe(200)
})

test.each([...READS, ...WRITES.map((write) => write.split(' ')[1] ?? '')])(
  '%s without the right project header is 404',
  async (path) => {
    const blog = await sharedBlog()
    for (const project of ['', 'other', 'BLOG']) {
      const answer = await fetch(blog.url + path, { headers: { 'x-appwrite-project': project } })
      expect([answer.status, (await answer.json()).code]).toEqual([404, 404])
    }
  },
)

test('HEAD answers like GET, for guests and users', async () => {
  const blog = await sharedBlog()
  const { cookie } = await blog.makePerson('alice')
  for (const path of [
    '/account',
    '/account/prefs',
    '/account/sessions',
    '/health/version',
    '/nowhere',
  ]) {
    for (const caller of [{}, { cookie }]) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) =>
          fetch(`${blog.url}/v1${path}`, {
            method,
            headers: { 'x-appwrite-project': 'blog', ...caller },
          }),
        ),
      )
      expect([path, head?.status, head?.headers.get('content-length')]).toEqual([
        path,
        get?.status,
        get?.headers.get('content-length'),
      ])
      expect(await head?.text()).toBe('')
    }
  }
})
