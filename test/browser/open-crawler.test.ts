// A search engine at a blog that everybody may read: it begins at robots.txt, follows the sitemap
// and every link, and finds exactly what a guest may read.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { postPath } from '#contract/post-address.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { crawl } from '#test/support/crawler.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { structuredData, structuredDataFaults } from '#test/support/structured-data.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }

type Shared = { blogData: { path: string } }
const test = withBlog.extend<object, Shared>({
  blogData: [
    async ({ browserName: _browserName }, use) => await use({ path: '' }),
    { scope: 'worker' },
  ],
  fillBlog: [
    async ({ blogData }, use) =>
      await use(async (path) => {
        blogData.path = path
      }),
    { scope: 'worker' },
  ],
})
test.use({ blogEnv: { BLOG_READING: 'everyone', BLOG_SITE_NAME: 'Lamps & <more>' } })

/** One more post like `like`, without an upload. */
async function writeLike(
  request: APIRequestContext,
  like: string,
  { id, title, ...changes }: { id: string; title: string; [name: string]: unknown },
): Promise<void> {
  const { featuredImage, userid } = await (
    await request.get(`${DOCUMENTS}/${like}`, { headers: HEADERS })
  ).json()
  const { permissions, ...values } = changes
  const content = `<p>About ${title} one reads here, and goes on to another lamp.</p>`
  const data = { title, content, status: 'active', featuredImage, userid, ...values }
  const made = await request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: id, data, permissions },
  })
  expect(made.status()).toBe(201)
}

test('from robots.txt every active post is found and no other, no link is broken, no redirect leads to another', async ({
  visit,
  blog,
  blogData,
}) => {
  const key = (await readFile(join(blogData.path, 'api-key'), 'utf8')).trim()
  const asOperator = async (path: string, data: object) => {
    const headers = { ...HEADERS, 'x-appwrite-key': key, 'content-type': 'application/json' }
    const answer = await fetch(blog.url + path, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(data),
    })
    expect(answer.status).toBe(200)
  }
  const author = await visit()
  await signUp(author.page, makeNewcomer('Cora Crawled'))
  const { request } = author.context
  const first = await writePost(request, {
    title: 'A lamp',
    content: '<p>Light.</p><p>#lamps #night</p>',
  })
  const expected = [postPath({ $id: first, title: 'A lamp' })]
  for (let number = 1; number <= 25; number++) {
    const post = { $id: `lamp${number}`, title: `Lämp & “${number}” <b>` }
    await writeLike(request, first, { id: post.$id, title: post.title })
    expected.push(postPath(post))
  }
  await writeLike(request, first, { id: 'kept1', title: 'A secret', status: 'inactive' })
  const permissions = ['read("users")']
  await writeLike(request, first, { id: 'kept2', title: 'A secret', permissions })
  await writeLike(request, first, { id: 'kept3', title: 'A secret' })
  await asOperator(`${DOCUMENTS}/kept3/hidden`, { hidden: true })
  const blocked = await visit()
  await signUp(blocked.page, makeNewcomer('Bo Blocked'))
  await writePost(blocked.context.request, { title: 'A secret', content: '<p>x</p>' })
  const { $id: blockedId } = await (
    await blocked.context.request.get('/v1/account', { headers: HEADERS })
  ).json()
  await asOperator(`/v1/users/${blockedId}/status`, { status: false })

  const { pages, faults } = await crawl(blog.url)
  expect(faults).toEqual([])
  const posts = [...pages.values()].filter(({ canonical }) => canonical.startsWith('/post/'))
  expect([...new Set(posts.map(({ canonical }) => canonical))].toSorted()).toEqual(
    expected.toSorted(),
  )
  for (const [path, { html, isIndexed, canonical }] of pages) {
    expect(html.includes('A secret'), path).toBe(false)
    if (canonical && isIndexed) expect(await structuredDataFaults(html), path).toEqual([])
  }
  const listed = [...pages].filter(([, { isListed }]) => isListed)
  const wronglyListed = listed.filter(([path, page]) => !page.isIndexed || page.canonical !== path)
  expect(wronglyListed.map(([path]) => path)).toEqual([])
  const typesOn = (path: string) =>
    structuredData(pages.get(path)?.html ?? '').map((value) => value['@type'])
  expect([...pages.keys()]).toEqual(expect.arrayContaining(['/tag/lamps', '/tag/night']))
  expect(typesOn('/post')).toEqual(['Blog'])
  expect(typesOn(expected[0] ?? '')).toEqual(['BlogPosting', 'BreadcrumbList'])
  for (const path of ['/login', '/signup', '/forgot', '/invitation']) {
    const html = await (await fetch(blog.url + path)).text()
    expect(html.includes('<meta name="robots" content="noindex"/>'), path).toBe(true)
  }
})
