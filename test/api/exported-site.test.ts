// The site of an export: pages that need no server, with the posts that everybody may read.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomUtils, parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import {
  exportBlog,
  findBrokenLinks,
  listSiteFiles,
  makeExportFolder,
} from '#test/support/exported-site.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
const DAY_MS = 24 * 60 * 60 * 1000
const COMMENT_COUNT = 55
const VIDEO = 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE'
const HOSTILE = '"><script>alert(1)</script> & more'

/** A blog with each kind of page, and its site. */
const share = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite', { BLOG_READING: 'everyone' })
  const { alice, bob, asAlice } = blog
  const picture = await blog.upload(bob)
  const image = `<img src="/v1/storage/buckets/content/files/${picture}/view?project=blog" alt="A lamp">`
  const target = await blog.post(alice, {
    title: 'Target',
    content: '<p>Here</p>',
    tags: ['Night'],
  })
  const post = await blog.post(bob, {
    title: 'Ferry über Fluß',
    tags: ['Straße', 'Night'],
    content: `<h2>Part</h2><p>Wheelhouse <a href="/post/${target}">there</a>, <a href="/dashboard">here</a>,
      <a href="/post/gone">gone</a></p><figure class="image">${image}</figure>
      <p><iframe src="${VIDEO}"></iframe></p><p class="embed"><a href="https://bsky.app/profile/a.b/post/3k">P</a></p>
      <figure class="gallery">${`<figure>${image}</figure>`.repeat(7)}</figure>
      <p>Note<sup class="footnote"><a href="#fn-a1">1</a></sup></p>
      <section class="footnotes"><ol><li id="fn-a1"><p>Said once.</p></li></ol></section>`,
  })
  await blog.create(bob, { title: HOSTILE, content: '<p>x</p>' })
  await blog.create(bob, { title: 'Secret draft', content: '<p>x</p>', status: 'inactive' })
  await blog.create(alice, { title: 'About', content: '<p>Us</p>', page: true })
  for (let number = 0; number < 14; number++)
    await blog.create(alice, { title: `Short ${number}`, content: '<p>Few words</p>' })
  blog.passTime(2 * DAY_MS)
  for (let number = 1; number <= COMMENT_COUNT; number++) {
    const data = { postId: post, content: `Remark ${number}` }
    await blog.call('POST', COMMENTS, { ...asAlice, body: { documentId: 'unique()', data } })
  }
  const folder = await makeExportFolder()
  await exportBlog(blog, folder.path, ['site'])
  const site = join(folder.path, 'site')
  const files = await listSiteFiles(site)
  const read = (file: string) => readFile(join(site, file), 'utf8')
  const elementsOf = async (file: string) =>
    DomUtils.findAll(() => true, parseDocument(await read(file)).children)
  const postFile = files.find((file) => file.startsWith('post/ferry-über-fluß')) ?? ''
  return { ...blog, site, files, read, elementsOf, post, postFile, folder }
})

test('every link of an exported site leads to a file of the site', async () => {
  const { site, files } = await share()
  expect(files).toEqual(
    expect.arrayContaining([
      '404.html',
      'archive.html',
      'authors.html',
      'feed.xml',
      'index.html',
      'index~2.html',
      'page/about.html',
      'search.html',
      'tag/night.html',
      'tags.html',
    ]),
  )
  expect(await findBrokenLinks(site)).toEqual([])
})

test('an exported page has no script of the app, and no control that needs a server', async () => {
  const { elementsOf, files, read, url } = await share()
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const html = await read(file)
    const scripts = (await elementsOf(file)).filter(({ name }) => name === 'script')
    expect(scripts.map(({ attribs }) => attribs.src?.replaceAll('../', ''))).toEqual(
      file === 'search.html' ? ['assets/site.js', 'assets/search.js'] : ['assets/site.js'],
    )
    expect(html).not.toMatch(/<(?:iframe|noscript|select|textarea)|\/login|\/signup|add-post/)
    const buttons = html.match(/<button[^>]*>/g) ?? []
    expect(buttons.filter((tag) => !/logo|theme-button|submit|unfold-comment/.test(tag))).toEqual(
      [],
    )
    const [before = '', after = ''] = html.split(/<p>Wheelhouse[\s\S]*?<\/p>/)
    expect(before + after).not.toContain(url)
  }
})

test('an exported post has its likes, its pictures and all pages of its comments', async () => {
  const { postFile, files, read, url } = await share()
  const html = await read(postFile)
  expect(html).toContain('<span class="visually-hidden">0 likes</span>')
  expect(html.match(/src="\.\.\/files\/[0-9a-f]{32}\.\w+"/g)?.length).toBeGreaterThan(7)
  const more = postFile.replace('.html', '~comments-2.html')
  expect(files).toContain(more)
  expect(html).toContain('Remark 50')
  expect(await read(more)).toContain(`Remark ${COMMENT_COUNT}`)
  // What a person wrote still leads to the blog if the site has no such page.
  expect(html).toContain(`href="${url}/dashboard"`)
})

test('the site shows nothing that a guest may not read, and markup in titles as text', async () => {
  const { files, read } = await share()
  const all = await Promise.all(files.filter((name) => /\.(?:html|js|xml)$/.test(name)).map(read))
  expect(all.join('\n')).not.toContain('Secret draft')
  const pages = await Promise.all(files.filter((name) => name.endsWith('.html')).map(read))
  expect(pages.join('\n')).toContain('"&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; more')
})

test('the feeds keep the ids of the blog, and lead to files', async () => {
  const { read, url, post, postFile } = await share()
  const feed = await read('feed.xml')
  expect(feed).toContain(`<id>${url}/post/${post}</id>`)
  expect(feed).toContain(`<link rel="alternate" href="${encodeURI(postFile)}" type="text/html"/>`)
  const { items } = JSON.parse(await read('feed.json'))
  expect(items.map((item: { url: string }) => item.url)).toContain(encodeURI(postFile))
})

test('a person’s site has only their posts', async () => {
  const { bob, ...blog } = await share()
  await using folder = await makeExportFolder()
  await exportBlog(blog, folder.path, ['site'], { ownerId: bob.id })
  const site = join(folder.path, 'site')
  const files = await listSiteFiles(site)
  expect(files.filter((file) => /^post\/[^~]+\.html$/.test(file))).toHaveLength(2)
  expect(files.filter((file) => /^(?:author|page)/.test(file))).toEqual([])
  expect(await readFile(join(site, 'tag/night.html'), 'utf8')).not.toContain('Target')
  expect(await findBrokenLinks(site)).toEqual([])
})

test('an export that was ended goes on with the posts that it lacks', async () => {
  const blog = await share()
  await using folder = await makeExportFolder()
  const ending = new AbortController()
  const work = exportBlog(blog, folder.path, ['site'], { signal: ending.signal })
  const hasPost = async () =>
    (await listSiteFiles(folder.path)).some((file) => file.includes('site/post/'))
  await expect.poll(hasPost, { interval: 5, timeout: 60_000 }).toBe(true)
  ending.abort()
  await expect(work).rejects.toThrow()
  const rendered = await exportBlog(blog, folder.path, ['site'])
  expect(rendered).toBeLessThan(18)
  expect(await listSiteFiles(join(folder.path, 'site'))).toEqual(blog.files)
})
