// Feeds over real HTTP, as feed readers read them: valid, complete, safe and as a guest sees the
// blog.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { readAtom, readJsonFeed, textsOf } from '#test/support/feeds.ts'

type Blog = Awaited<ReturnType<typeof openBlogOn>>

async function get(blog: { url: string }, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(blog.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('the contents of a feed', () => {
  let blog: Blog
  beforeAll(async () => {
    blog = await openBlogOn('SQLite', {
      BLOG_READING: 'everyone',
      BLOG_SITE_NAME: 'Lamps & <more>',
    })
  })
  afterAll(async () => blog[Symbol.asyncDispose]())

  test('both formats describe a post alike, with its whole text and its image', async () => {
    const { alice } = blog
    await blog.call('PATCH', '/account/prefs', {
      cookie: alice.cookie,
      body: { prefs: { about: 'About "lamps" & <posts>' } },
    })
    const cover = await blog.upload(alice)
    const stored = await blog.call('GET', `/storage/buckets/content/files/${cover}`, {
      cookie: alice.cookie,
    })
    const id = await blog.post(alice, {
      title: 'Ärger & <b>Glück</b> "]]>"',
      featuredImage: cover,
      content: `<p>One <a href="/post/other">link</a>, <a href="#two">two</a></p>
        <p><img src="/v1/storage/buckets/content/files/${cover}/view?width=3" alt="A lamp"></p>
        <p style="color: red"><iframe src="https://youtu.be/abc123?t=90" title="A film"></iframe></p>
        <pre class="language-js"><code>const a = '&lt;b href="/x"&gt;' &amp;&amp; "]]&gt;"</code></pre>`,
    })
    const address = `${blog.url}/v1/storage/buckets/content/files/${cover}/view?project=blog`
    const post = (await blog.get(undefined, id)).body
    const url = `${blog.url}/post/${id}/%C3%A4rger-b-gl%C3%BCck-b`
    const html = `<p>One <a href="${blog.url}/post/other" rel="noopener noreferrer">link</a>, <a>two</a></p>
        <p><img src="${blog.url}/v1/storage/buckets/content/files/${cover}/view?width=3&amp;project=blog" alt="A lamp" /></p>
        <p><a href="https://www.youtube.com/watch?v=abc123&amp;t=90">A film</a></p>
        <pre class="language-js"><code>const a = '&lt;b href="/x"&gt;' &amp;&amp; "]]&gt;"</code></pre>`

    const xml = await get(blog, '/feed.xml')
    expect(xml.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const atom = readAtom(xml.text)
    expect(atom).toMatchObject({
      title: 'Lamps & <more>',
      description: 'A quiet place to write and read.',
      self: `${blog.url}/feed.xml`,
      url: `${blog.url}/post`,
    })
    const json = await get(blog, '/feed.json')
    expect(json.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const feed = readJsonFeed(json.text)
    expect(feed).toMatchObject({
      title: 'Lamps & <more>',
      feed_url: `${blog.url}/feed.json`,
      home_page_url: `${blog.url}/post`,
    })
    const [item] = feed.items
    expect(item).toEqual({
      id: `${blog.url}/post/${id}`,
      url,
      title: 'Ärger & <b>Glück</b> "]]>"',
      content_html: item?.content_html,
      image: address,
      date_published: new Date(post.$createdAt).toISOString(),
      date_modified: new Date(post.$updatedAt).toISOString(),
      authors: [{ name: 'alice', url: `${blog.url}/author/${alice.id}` }],
      attachments: [
        { url: address, mime_type: 'image/png', size_in_bytes: stored.body.sizeOriginal },
      ],
    })
    expect(item?.content_html).toBe(html)
    const [entry] = atom.items
    expect(entry).toMatchObject({
      id: item?.id,
      url,
      title: item?.title,
      published: item?.date_published,
      updated: item?.date_modified,
      authors: [{ name: 'alice', url: `${blog.url}/author/${alice.id}` }],
      media: [{ url: address, mimeType: 'image/png', length: stored.body.sizeOriginal }],
    })
    expect(textsOf(xml.text, '//atom:entry/atom:content')).toEqual([html])
    const bytes = await fetch(address)
    expect((await bytes.arrayBuffer()).byteLength).toBe(stored.body.sizeOriginal)
  })

  test('an author has a feed in both formats, with their name and about line and only their posts', async () => {
    const { alice, bob } = blog
    const id = await blog.post(bob)
    const path = `/author/${alice.id}/feed`
    const atom = readAtom((await get(blog, `${path}.xml`)).text)
    expect(atom).toMatchObject({
      title: 'alice · Lamps & <more>',
      description: 'About "lamps" & <posts>',
      self: `${blog.url}${path}.xml`,
      url: `${blog.url}/author/${alice.id}`,
    })
    const feed = readJsonFeed((await get(blog, `${path}.json`)).text)
    expect(feed.items.map((item) => item.id)).toEqual(atom.items.map((item) => item.id))
    expect(JSON.stringify(feed)).not.toContain(id)
    const bobsFeed = readJsonFeed((await get(blog, `/author/${bob.id}/feed.json`)).text)
    expect(bobsFeed.items.map(({ url }) => url)).toEqual([`${blog.url}/post/${id}/a-post`])
  })

  test('no text breaks the markup, and characters that XML forbids are left out', async () => {
    const { alice } = blog
    await blog.call('PATCH', '/account/name', {
      cookie: alice.cookie,
      body: { name: ']]><x a="1">&lt;\ufffe' },
    })
    const characters = 'a\u0001\u000b\u001f\ufffe\uffff\ud800b\u0085 ]]> &amp; <!-- <?xml --> 😀'
    const id = await blog.post(alice, { title: 't', content: `<p>${characters}</p>` })
    await blog.patch(alice, id, { title: ']]></title><entry>&#0;&#1;\ufffe' })
    const xml = (await get(blog, '/feed.xml')).text
    expect(readAtom(xml).items).toHaveLength(3)
    expect(textsOf(xml, '//atom:entry/atom:title')).toContain(']]></title><entry>&#0;&#1;')
    expect(textsOf(xml, '//atom:entry/atom:author/atom:name')).toContain(']]><x a="1">&lt;')
    const feed = readJsonFeed((await get(blog, '/feed.json')).text)
    const item = feed.items.find((entry) => entry.id.endsWith(`/${id}`))
    expect(item?.title).toBe(']]></title><entry>&#0;&#1;')
    expect(item?.content_html).toBe('<p>a\ufffdb ]]&gt; &amp;  😀</p>')
    expect(JSON.stringify(feed)).not.toMatch(/\\u00|\\ud8|[\ufffe\uffff]/)
    await blog.call('PATCH', '/account/name', { cookie: alice.cookie, body: { name: 'alice' } })
  })

  test('a feed is compressed, answers HEAD, may be read by any site, and runs no scripts', async () => {
    const plain = await get(blog, '/feed.xml', { 'accept-encoding': 'identity' })
    for (const encoding of ['gzip', 'br']) {
      const compressed = await get(blog, '/feed.xml', { 'accept-encoding': encoding })
      expect(compressed.headers.get('content-encoding')).toBe(encoding)
      expect(compressed.text).toBe(plain.text)
    }
    expect(plain.headers.get('content-encoding')).toBeNull()
    const head = await fetch(`${blog.url}/feed.xml`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    })
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'link', 'vary'])
      expect([name, head.headers.get(name)]).toEqual([name, plain.headers.get(name)])
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(plain.headers.get('set-cookie')).toBeNull()
  })

  test('every caller gets the feed that a guest sees', async () => {
    const { alice } = blog
    const before = await get(blog, '/feed.json')
    const secrets = [
      await blog.post(alice, { title: 'Secret draft', status: 'inactive' }),
      await blog.post(alice, { title: 'Secret to members' }, { permissions: ['read("users")'] }),
    ]
    const after = await get(blog, '/feed.json', { cookie: alice.cookie })
    expect(after.text).toBe(before.text)
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    for (const id of secrets) expect(after.text).not.toContain(id)
  })

  test('there is no feed for an unknown author', async () => {
    for (const path of ['nobody', "'", '%00', 'a%20b', '..%2f..%2ffeed', `${blog.alice.id}%0d%0a`])
      for (const headers of [{}, { 'if-none-match': '*' }])
        expect([path, (await get(blog, `/author/${path}/feed.xml`, headers)).status]).toEqual([
          path,
          404,
        ])
  })
})

test('a blog for members has no feeds, not even for an author', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  for (const path of ['/feed.xml', '/feed.json', `/author/${alice.id}/feed.xml`])
    expect((await get(blog, path, { cookie: alice.cookie })).status).toBe(404)
})

test('a feed has the 25 newest posts, newest first, and only their titles beyond 1 MiB of texts', async () => {
  await using blog = await openBlogOn('SQLite', { BLOG_READING: 'everyone' })
  const long = `<p>${'long '.repeat(22_500)}</p>`
  for (let at = 0; at < 27; at++)
    await blog.create(blog.alice, {
      title: `Post ${at}`,
      content: at > 16 ? long : `<p>Text ${at}</p>`,
    })
  const { items } = readJsonFeed((await get(blog, '/feed.json')).text)
  expect(items.map(({ title }) => title)).toEqual(
    Array.from({ length: 25 }, (_one, at) => `Post ${26 - at}`),
  )
  expect(items.filter((item) => item.content_html !== undefined)).toHaveLength(9)
  expect(items.at(-1)?.content_text).toBe('Post 2')
  const xml = (await get(blog, '/feed.xml')).text
  expect(textsOf(xml, '//atom:entry/atom:id')).toHaveLength(25)
})

test('rendering a changed feed counts towards the limit, but revalidating an unchanged one does not', async () => {
  await using blog = await openBlogOn('SQLite', {
    BLOG_READING: 'everyone',
    BLOG_RATE_LIMITS: 'on',
  })
  const content = `<p>${'long '.repeat(180_000)}</p>`
  await blog.create(blog.alice, { title: 'Long', content })
  const authorPath = `/author/${blog.alice.id}`
  const first = await get(blog, '/feed.xml')
  expect(first.status).toBe(200)
  const statuses: number[] = []
  for (let at = 0; at < 16 && !statuses.includes(429); at++) {
    await blog.create(blog.alice, { title: `More ${at}` })
    for (const path of ['', authorPath])
      for (const end of ['xml', 'json'])
        statuses.push((await get(blog, `${path}/feed.${end}`)).status)
  }
  expect(statuses).toContain(429)
  const etag = first.headers.get('etag') ?? ''
  await blog.call('PATCH', '/account/prefs', { cookie: blog.alice.cookie, body: { prefs: {} } })
  expect(etag).not.toBe('')
})
