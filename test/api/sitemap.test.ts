// robots.txt and the sitemap: which addresses search engines get, and which they do not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postPath } from '#contract/post-url.ts'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { textsOf, xmlFaults } from '#test/support/xml.ts'

const POSTS = '/databases/blogdb/collections/posts/documents'
const SCHEMA = 'sitemap.xsd'

let blog: TestBlog
let alice: Person
let bob: Person

beforeAll(async () => {
  blog = await makeTestBlog({ BLOG_READING: 'everyone' })
  alice = await blog.makePerson('alice')
  bob = await blog.makePerson('bob')
})
afterAll(() => blog[Symbol.asyncDispose]())

async function write(person: Person, documentId: string, data: object = {}, rest: object = {}) {
  const values = { title: documentId, content: '<p>x</p>', ...data }
  await makeDocuments(blog).post(person, values, { documentId, ...rest })
}

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(blog.url + path, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** All paths that the sitemap lists; each of its files must match the schema. */
async function listedPaths(): Promise<string[]> {
  const index = await get('/sitemap.xml')
  expect(await xmlFaults(index.text, SCHEMA)).toEqual([])
  const paths: string[] = []
  for (const file of textsOf(index.text, 'loc')) {
    expect(file.startsWith(`${blog.url}/`)).toBe(true)
    const { status, headers, text } = await get(new URL(file).pathname)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(await xmlFaults(text, SCHEMA)).toEqual([])
    paths.push(...textsOf(text, 'loc').map((address) => address.slice(blog.url.length)))
  }
  return paths
}

test('robots.txt leads to the sitemap, which has the list, its posts and their authors', async () => {
  const robots = await get('/robots.txt')
  expect(robots.text).toContain(`\nSitemap: ${blog.url}/sitemap.xml\n`)
  expect(await listedPaths()).toEqual(['/post'])
  await write(alice, 'ferry', { title: 'The ferry & the "fog"' })
  await write(alice, 'arabic', { title: 'رسائل' })
  await write(bob, 'untitled', { title: '!?' })
  const paths = [
    '/post',
    postPath({ $id: 'ferry', title: 'The ferry & the fog' }),
    postPath({ $id: 'arabic', title: 'رسائل' }),
    '/post/untitled',
    ...[alice.id, bob.id].toSorted().map((id) => `/author/${id}`),
  ]
  expect(await listedPaths()).toEqual(paths)
})

test('posts that guests may not read are not listed for any caller, from the next request on', async () => {
  const before = await listedPaths()
  await write(alice, 'draft', { status: 'inactive' })
  await write(alice, 'narrowed', {}, { permissions: ['read("users")'] })
  await write(alice, 'soon-hidden')
  expect(await listedPaths()).toContain('/post/soon-hidden/soon-hidden')
  const hide = { body: { hidden: true }, headers: { 'x-appwrite-key': blog.apiKey } }
  await blog.call('PATCH', `${POSTS}/soon-hidden/hidden`, hide)
  expect(await listedPaths()).toEqual(before)
  const answer = await get('/sitemap-posts-1.xml', { cookie: alice.cookie })
  expect(answer.text).not.toContain('draft')

  const key = { 'x-appwrite-key': blog.apiKey }
  await blog.call('PATCH', `/users/${bob.id}/status`, { body: { status: false }, headers: key })
  const paths = await listedPaths()
  expect(paths.filter((path) => path.includes(bob.id) || path.includes('untitled'))).toEqual([])
})

test.each(['/sitemap-posts-2.xml', '/sitemap-posts-0.xml', '/sitemap-posts-01.xml'])(
  '%s is not a file of the sitemap',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('a blog for members lists nothing', async () => {
  await using members = await makeTestBlog()
  const robots = await (await fetch(`${members.url}/robots.txt`)).text()
  expect(robots).toContain('User-agent: *')
  expect(robots).not.toContain('Sitemap')
  for (const path of ['/sitemap.xml', '/sitemap-posts-1.xml'])
    expect((await fetch(members.url + path)).status).toBe(404)
})
