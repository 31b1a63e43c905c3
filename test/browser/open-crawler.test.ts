// A search engine crawls a blog that everybody may read: it begins at robots.txt, follows the
// sitemap and every link, and finds exactly the pages that a guest may read.
import { postPath } from '#contract/post-url.ts'
import { crawl } from '#test/support/crawler.ts'
import { expect, test as withOperator } from '#test/support/operator-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { structuredData, structuredDataFaults } from '#test/support/structured-data.ts'
import { DOCUMENTS, writeMorePosts, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }

const test = withOperator.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone', BLOG_SITE_NAME: 'Lamps & <more>' } })

const aboutOf = (title: string) =>
  `<p>About ${title} one reads here, and goes on to another lamp.</p>`

test('a crawler that starts at robots.txt finds exactly the public posts, no broken link and no chain of redirects', {
  tag: '@more',
}, async ({ visit, blog, asOperator }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Cora Crawled'))
  const { request } = author.context
  const first = await writePost(request, {
    title: 'A lamp',
    content: '<p>Light.</p><p>#lamps #night</p>',
  })
  const others = Array.from({ length: 25 }, (_, index) => {
    const title = `Lämp & “${index + 1}” <b>`
    return { id: `lamp${index + 1}`, title, content: aboutOf(title) }
  })
  const secret = { title: 'A secret', content: aboutOf('A secret') }
  await writeMorePosts(request, first, [
    ...others,
    { ...secret, id: 'kept1', status: 'inactive' as const },
    { ...secret, id: 'kept2', permissions: ['read("users")'] },
    { ...secret, id: 'kept3' },
  ])
  const expected = [{ id: first, title: 'A lamp' }, ...others].map(({ id, title }) =>
    postPath({ $id: id, title }),
  )
  await asOperator(`${DOCUMENTS}/kept3/hidden`, { hidden: true })
  const blocked = await visit()
  blocked.expectFault(/status of 401 .*\/v1\/account\)/)
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
