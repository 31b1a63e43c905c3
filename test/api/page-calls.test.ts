// Each call that a page makes while the server renders it succeeds there, so that the browser need
// not repeat it.
import { expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'

const PAGES = {
  guest: ['/post', '/search', '/search?q=lamp', '/tag/oil', '/author/ID', '/post/POST'],
  reader: ['/dashboard', '/settings', '/notifications', '/post', '/post/POST'],
  author: [
    '/dashboard',
    '/settings',
    '/edit-post/POST',
    '/edit-post/POST/versions',
    '/search?q=lamp',
  ],
  operator: [
    '/admin',
    '/admin/people',
    '/admin/posts',
    '/admin/queue',
    '/admin/activity',
    '/admin/settings',
    '/admin/backups',
    '/admin/mails',
    '/post/POST',
  ],
} as const

test('no call of a page fails while the server renders the page', async () => {
  await using blog = await makeTestBlog(
    { BLOG_READING: 'everyone' },
    { pages: await readBuiltPages() },
  )
  const people = {
    guest: undefined,
    reader: await blog.makePerson('reader'),
    author: await blog.makePerson('author'),
    operator: await blog.makePerson('operator'),
  }
  for (const name of ['reader', 'operator'] as const)
    await blog.call('PUT', `/users/${people[name].id}/labels`, {
      headers: { 'x-appwrite-key': blog.apiKey },
      body: { labels: [name] },
    })
  const { author, reader } = people
  const documents = makeDocuments(blog)
  const id = await documents.post(author, { title: 'A lamp', tags: ['oil'] })
  await documents.like(reader, id, [reader.id])
  const comment = { documentId: 'unique()', data: { postId: id, content: 'A word' } }
  const comments = '/databases/blogdb/collections/comments/documents'
  const answer = await blog.call('POST', comments, { cookie: reader.cookie, body: comment })
  expect(answer.status).toBe(201)
  for (const [viewerName, paths] of Object.entries(PAGES))
    for (const page of paths) {
      const path = page.replace('POST', id).replace('ID', author.id)
      const cookie = people[viewerName as keyof typeof PAGES]?.cookie
      const answer = await fetch(blog.url + path, cookie ? { headers: { cookie } } : {})
      const [, data = '{}'] =
        /<script id="page-data"[^>]*>(.*?)<\/script>/.exec(await answer.text()) ?? []
      expect([viewerName, path, answer.status]).toEqual([viewerName, path, 200])
      expect([viewerName, path, JSON.parse(data).loaderData]).toEqual([
        viewerName,
        path,
        expect.anything(),
      ])
      expect([viewerName, path, data.match(/"ok":false.{0,200}/)]).toEqual([viewerName, path, null])
    }
})
