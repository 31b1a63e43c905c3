// The Markdown of an export, and that an import reads the same posts from it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { exportBlog, listSiteFiles, makeExportFolder } from '#test/support/exported-site.ts'
import { readExport } from '#test/support/read-export.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const TITLE = '--- "Quotes": \'all\' #of <script>them</script>'

const share = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite')
  const { alice, bob } = blog
  const picture = await blog.upload(bob)
  const address = `/v1/storage/buckets/content/files/${picture}/view?project=blog`
  const content = `<h2>Part</h2><p>Literal &lt;script&gt; and *stars*, <a href="/post/x">here</a>.</p>
    <figure class="image"><img src="${address}" alt="A lamp"><figcaption>Said</figcaption></figure>
    <ul class="tasks"><li class="task done">a</li><li class="task">b</li></ul>
    <p>Note<sup class="footnote"><a href="#fn-a1">1</a></sup></p><pre class="language-javascript"><code>a\n\nb</code></pre>
    <section class="footnotes"><ol><li id="fn-a1"><p>Once.</p></li></ol></section>`
  const data = {
    title: TITLE,
    content,
    tags: ['Night'],
    excerpt: 'Yes: "no"',
    featuredImage: picture,
  }
  const post = await blog.post(bob, data)
  await blog.create(bob, { title: 'Same', content: '<p>One</p>' })
  await blog.create(bob, { title: 'Same', content: '<p>Two</p>' })
  await blog.create(bob, { title: 'Idea', content: '<p>x</p>', status: 'inactive' })
  await blog.create(alice, { title: 'About', content: '<p>Us</p>', page: true })
  const folder = await makeExportFolder()
  await exportBlog(blog, folder.path, ['markdown'])
  const files = (await listSiteFiles(folder.path)).filter((file) => file.startsWith('markdown/'))
  const contents = new Map<string, Buffer>()
  for (const file of files) contents.set(file, await readFile(join(folder.path, file)))
  return { ...blog, post, files, contents, folder }
})

test('an export has a Markdown file for each post, draft and page, with its pictures', async () => {
  const { files, contents, url, post } = await share()
  const day = new Date().toISOString().slice(0, 10)
  expect(files.filter((file) => /\/(?:posts\/.*idea|pages\/).*\.md$/.test(file))).toEqual([
    'markdown/pages/about.md',
    `markdown/posts/${day}-idea.md`,
  ])
  expect(files.filter((file) => file.includes('-same'))).toHaveLength(2)
  const name = `markdown/posts/${day}-quotes-all-of-script-them-script`
  expect(files).toContain(`${name}/photo.png`)
  const text = contents.get(`${name}.md`)?.toString() ?? ''
  expect(text).toContain(`\naddress: ${url}/post/${post}/quotes-all-of-script-them-script\n`)
  expect(text).toContain(`\nimage: ${day}-quotes-all-of-script-them-script/photo.png\n`)
  expect(text).toContain('Literal \\<script> and \\*stars\\*')
  expect(text).toContain(`[here](${url}/post/x)`)
  expect(text).toContain('- [x] a\n- [ ] b')
  expect(text).toContain('[^1]: Once.')
})

test('an import reads the same posts from the Markdown of an export', async () => {
  const { contents, bob, alice } = await share()
  const { kind, posts, issues } = await readExport(Object.fromEntries(contents))
  expect([kind, issues]).toEqual(['markdown', []])
  const found = posts.find(({ title }) => title === TITLE)
  expect(found).toMatchObject({
    kind: 'post',
    status: 'published',
    tags: ['Night'],
    authors: [bob.name],
    excerpt: 'Yes: "no"',
    addressWords: 'quotes-all-of-script-them-script',
    cover: { url: expect.stringMatching(/^tree:markdown\/posts\/.*photo\.png$/) },
  })
  expect(found?.html).toContain('Literal &lt;script&gt; and *stars*')
  expect(found?.html).toMatch(/<img[^>]*src="tree:[^"]*photo\.png"[^>]*>/)
  expect(found?.html).toContain('Said')
  expect(found?.html).toContain('class="task done"')
  expect(found?.html).toContain('<pre class="language-javascript"><code>a\n\nb</code></pre>')
  expect(found?.html).toContain('class="footnotes"')
  const about = posts.find(({ title }) => title === 'About')
  expect(about).toMatchObject({ kind: 'page', authors: [alice.name] })
  expect(posts.find(({ title }) => title === 'Idea')?.status).toBe('draft')
})

test('a person’s export has no picture of others that the person may not see', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { alice, bob } = blog
  const address = (id: string) => `/v1/storage/buckets/content/files/${id}/view?project=blog`
  const [open, closed, own] = [
    await blog.upload(bob),
    await blog.upload(bob),
    await blog.upload(alice),
  ]
  const path = `/storage/buckets/content/files/${closed}`
  const body = { permissions: [`read("user:${bob.id}")`] }
  expect((await blog.call('PUT', path, { cookie: bob.cookie, body })).status).toBe(200)
  const pictures = [open, closed, own].map((id) => `<p><img src="${address(id)}" alt=""></p>`)
  await blog.create(alice, { title: 'Pictures', content: pictures.join('') })
  await using folder = await makeExportFolder()
  await exportBlog(blog, folder.path, ['markdown'], { ownerId: alice.id })
  const images = (await listSiteFiles(folder.path)).filter((file) => file.endsWith('.png'))
  expect(images).toHaveLength(2)
})
