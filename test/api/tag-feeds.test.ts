// The feeds of a tag, its place in the sitemap, and the tags of posts in feeds.
import { expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { readAtom, readJsonFeed, textsOf } from '#test/support/feeds.ts'
import { textsOf as textsIn } from '#test/support/xml.ts'

async function start(kind: DatabaseKind, reading: string) {
  const blog = await openBlogOn(kind, { BLOG_READING: reading })
  return {
    ...blog,
    async read(path: string, headers: Record<string, string> = {}) {
      const answer = await fetch(blog.url + path, { headers, redirect: 'manual' })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
    async sitemap() {
      const { text, status } = await this.read('/sitemap-tags-1.xml')
      return status === 200 ? textsIn(text, 'loc').map((one) => one.slice(blog.url.length)) : []
    },
  }
}

for (const [kind, tags] of DATABASES)
  test(`a tag has feeds and a place in the sitemap, on ${kind}`, { tags }, async () => {
    await using blog = await start(kind, 'everyone')
    const { alice, read } = blog
    expect(await blog.sitemap()).toEqual([])
    const ids = []
    for (const tags of [['Züge', 'night'], ['züge'], ['other']])
      ids.push(await blog.post(alice, { tags, content: '<p>x</p>' }))
    const draft = await blog.post(alice, { tags: ['züge', 'secret'], status: 'inactive' })
    const path = '/tag/z%C3%BCge/feed'
    const xml = await read(`${path}.xml`)
    const atom = readAtom(xml.text)
    expect(atom).toMatchObject({
      title: '#züge · Web App',
      self: `${blog.url}${path}.xml`,
      url: `${blog.url}/tag/z%C3%BCge`,
    })
    expect(atom.items.map(({ id }) => id)).toEqual(
      [ids[1], ids[0]].map((id) => `${blog.url}/post/${id}`),
    )
    expect(textsOf(xml.text, '//atom:category/@term')).toEqual(['züge', 'Züge', 'night'])
    const json = readJsonFeed((await read(`${path}.json`)).text)
    expect(json.items.map(({ tags }) => tags)).toEqual([['züge'], ['Züge', 'night']])
    const tag = { 'if-none-match': xml.headers.get('etag') ?? '' }
    expect((await read(`${path}.xml`, tag)).status).toBe(304)

    for (const other of ['Z%C3%9CGE', 'zu%CC%88ge']) {
      const { status, headers } = await read(`/tag/${other}/feed.json`)
      expect([status, headers.get('location')]).toEqual([301, `${path}.json`])
    }
    for (const none of ['nobody', 'secret', 'a%20b', '%3Cx%3E'])
      expect([none, (await read(`/tag/${none}/feed.xml`, tag)).status]).toEqual([none, 404])
    expect(await blog.sitemap()).toEqual(['/tag/night', '/tag/other', '/tag/z%C3%BCge'])

    await blog.patch(alice, ids[1] ?? '', { tags: ['night'] })
    const after = await read(`${path}.xml`, tag)
    expect(readAtom(after.text).items).toHaveLength(1)
    await blog.patch(alice, ids[0] ?? '', { status: 'inactive' })
    const gone = { 'if-none-match': after.headers.get('etag') ?? '' }
    expect((await read(`${path}.xml`, gone)).status).toBe(404)
    expect(await blog.sitemap()).toEqual(['/tag/night', '/tag/other'])
    expect((await blog.get(alice, draft)).body.tags).toEqual(['züge', 'secret'])
  })

test('where only members read there are none', async () => {
  await using blog = await start('SQLite', 'members')
  await blog.post(blog.alice, { tags: ['trains'] })
  for (const path of ['/tag/trains/feed.xml', '/tag/trains/feed.json', '/sitemap-tags-1.xml'])
    expect([path, (await blog.read(path)).status]).toEqual([path, 404])
})
