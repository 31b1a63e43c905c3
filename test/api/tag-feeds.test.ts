// The feeds of a tag, tags in the sitemap, and the tags of posts in feeds.
import { describe, expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { readAtom, readJsonFeed, textsOf } from '#test/support/feeds.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { textsOf as locationsIn } from '#test/support/xml.ts'

async function start(kind: DatabaseKind, reading: string) {
  const blog = await openBlogOn(kind, { BLOG_READING: reading })
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(blog.url + path, { headers, redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return {
    ...blog,
    read,
    /** The addresses of tags in the sitemap; empty without a sitemap of tags. */
    async sitemap() {
      const { text, status } = await read('/sitemap-tags-1.xml')
      return status === 200 ? locationsIn(text, 'loc').map((loc) => loc.slice(blog.url.length)) : []
    },
  }
}

const FEED = '/tag/z%C3%BCge/feed'

for (const [kind, tags] of DATABASES)
  describe(`tags on ${kind}`, { tags }, () => {
    const share = shareBlog(() => start(kind, 'everyone'))

    /** Alice has the only posts: two with the tag `züge`, one with another, and a draft. */
    async function startWithTags() {
      const blog = await share()
      const alice = await blog.makePerson('alice')
      for (const post of (await blog.list('key', 'limit(100)')).body.documents)
        await blog.remove('key', post.$id)
      const older = await blog.post(alice, { tags: ['Züge', 'night'], content: '<p>x</p>' })
      const newer = await blog.post(alice, { tags: ['züge'], content: '<p>x</p>' })
      await blog.post(alice, { tags: ['other'], content: '<p>x</p>' })
      const draft = await blog.post(alice, { tags: ['züge', 'secret'], status: 'inactive' })
      const readCopyHeaders = async () => {
        const { headers } = await blog.read(`${FEED}.xml`)
        return { 'if-none-match': headers.get('etag') ?? '' }
      }
      return { ...blog, alice, older, newer, draft, readTag: readCopyHeaders }
    }

    test('the Atom feed of a tag lists its public posts, newest first', async () => {
      const { url, read, older, newer } = await startWithTags()
      const { text } = await read(`${FEED}.xml`)
      const { items, ...feed } = readAtom(text)
      expect(feed).toMatchObject({
        title: '#züge · Web App',
        self: `${url}${FEED}.xml`,
        url: `${url}/tag/z%C3%BCge`,
      })
      expect(items.map(({ id }) => id)).toEqual([newer, older].map((id) => `${url}/post/${id}`))
    })

    test('feeds name the tags of each post in the author’s spelling', async () => {
      const { read } = await startWithTags()
      const { text } = await read(`${FEED}.xml`)
      expect(textsOf(text, '//atom:category/@term')).toEqual(['züge', 'Züge', 'night'])
      const json = readJsonFeed((await read(`${FEED}.json`)).text)
      expect(json.items.map(({ tags }) => tags)).toEqual([['züge'], ['Züge', 'night']])
    })

    test('a feed is sent again only after a change', async () => {
      const { patch, read, alice, newer, readTag } = await startWithTags()
      const copyHeaders = await readTag()
      expect((await read(`${FEED}.xml`, copyHeaders)).status).toBe(304)
      await patch(alice, newer, { tags: ['night'] })
      expect(readAtom((await read(`${FEED}.xml`, copyHeaders)).text).items).toHaveLength(1)
    })

    test('other spellings of a tag are redirected to the address of its feed', async () => {
      const { read } = await startWithTags()
      for (const spelling of ['Z%C3%9CGE', 'zu%CC%88ge']) {
        const { status, headers } = await read(`/tag/${spelling}/feed.json`)
        expect([status, headers.get('location')]).toEqual([301, `${FEED}.json`])
      }
    })

    test('a tag without a public post has no feed, even for a reader with a copy', {
      tags,
    }, async () => {
      const { read, readTag } = await startWithTags()
      const copyHeaders = await readTag()
      for (const tag of ['nobody', 'secret', 'a%20b', '%3Cx%3E'])
        expect([tag, (await read(`/tag/${tag}/feed.xml`, copyHeaders)).status]).toEqual([tag, 404])
    })

    test('the sitemap lists each tag with a public post once', async () => {
      const { sitemap } = await startWithTags()
      expect(await sitemap()).toEqual(['/tag/night', '/tag/other', '/tag/z%C3%BCge'])
    })

    test('a blog without tags has no sitemap of tags', async () => {
      await using blog = await start(kind, 'everyone')
      expect(await blog.sitemap()).toEqual([])
    })

    test('feeds and sitemap no longer contain a tag once it has no public post', async () => {
      const { patch, get, read, sitemap, ...blog } = await startWithTags()
      const { alice, older, newer, draft } = blog
      await patch(alice, newer, { tags: ['night'] })
      const copyHeaders = await blog.readTag()
      await patch(alice, older, { status: 'inactive' })
      expect((await read(`${FEED}.xml`, copyHeaders)).status).toBe(404)
      expect(await sitemap()).toEqual(['/tag/night', '/tag/other'])
      expect((await get(alice, draft)).body.tags).toEqual(['züge', 'secret'])
    })
  })

test('on a blog for members, tags have neither feeds nor a sitemap', async () => {
  await using blog = await start('SQLite', 'members')
  await blog.post(blog.alice, { tags: ['trains'] })
  for (const path of ['/tag/trains/feed.xml', '/tag/trains/feed.json', '/sitemap-tags-1.xml'])
    expect([path, (await blog.read(path)).status]).toEqual([path, 404])
})
