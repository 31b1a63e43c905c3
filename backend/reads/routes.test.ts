// Which requests count as a person who reads a post.
import { expect, test } from 'vitest'
import type { Viewer } from '../http/viewer.ts'
import { makePageViewRecorder } from './routes.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GUEST: Viewer = { role: 'guest' }

function recordedPosts(
  page: {
    url?: string
    method?: string
    headers?: Record<string, string>
    viewer?: Viewer
    status?: number
  } = {},
): string[] {
  const ids: string[] = []
  const { url = '/post/blog1l', method = 'GET', headers = {}, viewer = GUEST, status = 200 } = page
  const request = { url, method, headers: { 'user-agent': BROWSER, ...headers }, ip: '192.0.2.1' }
  const recordPageView = makePageViewRecorder({ record: (id) => ids.push(id) })
  recordPageView(request, { viewer, status })
  return ids
}

test.each([
  [{}],
  [{ status: 304 }],
  [{ url: '/post/blog1l/the-words?utm_source=a' }],
  [{ url: '/post/blog1%6c/' }],
  [{ headers: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' } }],
])('a page that a person opens counts: %j', (page) =>
  expect(recordedPosts(page)).toEqual(['blog1l']),
)

test.each([
  [{ status: 404 }],
  [{ status: 301 }],
  [{ status: 503 }],
  [{ method: 'HEAD' }],
  [{ url: '/post' }],
  [{ url: '/edit-post/blog1l' }],
  [{ url: '/post/a/b/c' }],
  [{ viewer: { role: 'key' } as const }],
  [{ headers: { 'sec-purpose': 'prefetch;prerender' } }],
  [{ headers: { purpose: 'prefetch' } }],
  [{ headers: { 'x-moz': 'prefetch' } }],
  [{ headers: { 'sec-fetch-dest': 'empty' } }],
  [{ headers: { 'sec-fetch-dest': 'iframe' } }],
  [{ headers: { 'user-agent': '' } }],
  [{ headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  [{ headers: { 'user-agent': 'curl/8.5.0' } }],
  [{ headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
])('this request does not count: %j', (page) => expect(recordedPosts(page)).toEqual([]))
