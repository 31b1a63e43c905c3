// A draft that is published is the newest post for readers, over real HTTP: pages, feeds and lists
// that were cached before, and open sockets.
import { expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { readAtom, readJsonFeed } from '#test/support/feeds.ts'

for (const [kind, tags] of DATABASES)
  test(`a draft that was begun before others is the first in every feed and list once it is published, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn(kind, { BLOG_READING: 'everyone' })
    const { alice } = blog
    const text = async (path: string) => (await fetch(blog.url + path)).text()
    const newest = async () => {
      const queries = ['equal("status", ["active"])', 'orderDesc("$createdAt")', 'limit(1)']
      const asked = queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')
      return (await blog.call('GET', `${DOCUMENTS}?${asked}`)).body.documents[0].title
    }
    const data = { featuredImage: '', tags: ['lamps'] }
    const draft = await blog.post(alice, { title: 'Begun in May', status: 'inactive', ...data })
    for (let at = 1; at <= 26; at++) await blog.post(alice, { title: `Meanwhile ${at}`, ...data })
    const places = ['', `/author/${alice.id}`, '/tag/lamps']
    expect(await newest()).toBe('Meanwhile 26')
    for (const place of places)
      expect(await text(`${place}/feed.xml`)).not.toContain('Begun in May')
    const startedAt = new Date().toISOString()
    const { body } = await blog.call('PATCH', `${DOCUMENTS}/${draft}`, {
      cookie: alice.cookie,
      body: { data: { status: 'active' } },
    })
    expect(body.publishedAt >= startedAt.replace('Z', '+00:00')).toBe(true)
    expect([body.$createdAt, body.$updatedAt]).toEqual([body.publishedAt, body.publishedAt])

    expect(await newest()).toBe('Begun in May')
    const publishedAt = body.publishedAt.replace('+00:00', 'Z')
    for (const place of places) {
      expect(readAtom(await text(`${place}/feed.xml`)).items[0]).toMatchObject({
        title: 'Begun in May',
      })
      expect(readJsonFeed(await text(`${place}/feed.json`)).items[0]).toMatchObject({
        title: 'Begun in May',
      })
      expect(await text(`${place}/feed.xml`)).toContain(`<published>${publishedAt}</published>`)
    }
  })
