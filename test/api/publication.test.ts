// A published draft is the newest post for readers, over real HTTP, also in lists and feeds that
// were read before.
import { describe, expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { readAtom, readJsonFeed } from '#test/support/feeds.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

/** The paths under which the feeds of all posts, of an author and of a tag are. */
const PLACES = ['', '/author/ALICE', '/tag/lamps']
const TITLE = 'Begun in May'

for (const [kind, tags] of DATABASES)
  describe(`a draft that is older than the published posts, on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind, { BLOG_READING: 'everyone' }))

    /** Publishes a draft that is older than 26 posts. List and feeds were read before. */
    async function publish() {
      const blog = await share()
      const { alice } = blog
      const data = { featuredImage: '', tags: ['lamps'] }
      const draft = await blog.post(alice, { title: TITLE, status: 'inactive', ...data })
      for (let at = 1; at <= 26; at++) await blog.post(alice, { title: `Meanwhile ${at}`, ...data })
      const newest = async () => {
        const queries = ['equal("status", ["active"])', 'orderDesc("$createdAt")', 'limit(1)']
        const params = queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')
        return (await blog.call('GET', `${DOCUMENTS}?${params}`)).body.documents[0].title
      }
      const readFeeds = (name: string) =>
        Promise.all(
          PLACES.map(async (place) => {
            const path = `${place.replace('ALICE', alice.id)}/${name}`
            return (await fetch(blog.url + path)).text()
          }),
        )
      const before = { newest: await newest(), feeds: await readFeeds('feed.xml') }
      const startedAt = new Date().toISOString()
      const { body } = await blog.call('PATCH', `${DOCUMENTS}/${draft}`, {
        cookie: alice.cookie,
        body: { data: { status: 'active' } },
      })
      return { before, startedAt, published: body, newest, readFeeds }
    }
    let publishing: ReturnType<typeof publish> | undefined
    const publishOnce = () => {
      publishing ??= publish()
      return publishing
    }

    test('is in no list and no feed until it is published', async () => {
      const { before } = await publishOnce()
      expect(before.newest).toBe('Meanwhile 26')
      for (const feed of before.feeds) expect(feed).not.toContain(TITLE)
    })

    test('has the time of its publication as its creation and update time', async () => {
      const { published, startedAt } = await publishOnce()
      const { publishedAt, $createdAt, $updatedAt } = published
      expect(publishedAt >= startedAt.replace('Z', '+00:00')).toBe(true)
      expect([$createdAt, $updatedAt]).toEqual([publishedAt, publishedAt])
    })

    test('is the first in the list once it is published', async () => {
      const { newest } = await publishOnce()
      expect(await newest()).toBe(TITLE)
    })

    test('is the first in every feed once it is published', async () => {
      const { readFeeds } = await publishOnce()
      for (const feed of await readFeeds('feed.xml'))
        expect(readAtom(feed).items[0]).toMatchObject({ title: TITLE })
      for (const feed of await readFeeds('feed.json'))
        expect(readJsonFeed(feed).items[0]).toMatchObject({ title: TITLE })
    })

    test('has the time of its publication in every feed', async () => {
      const { published, readFeeds } = await publishOnce()
      const publishedAt = published.publishedAt.replace('+00:00', 'Z')
      for (const feed of await readFeeds('feed.xml'))
        expect(feed).toContain(`<published>${publishedAt}</published>`)
    })
  })
