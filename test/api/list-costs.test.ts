import { expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { writeDirectly } from '#test/support/write-directly.ts'

const POSTS = '/databases/blogdb/collections/posts/documents'
const PEOPLE = 20

/** Posts by 20 people, put in past the rules. */
function addPosts(blog: TestBlog, posts: number): Promise<void> {
  const count = (name: string, to: number) =>
    `with recursive ${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${to})`
  const time = "'2023-01-01T00:00:00.000Z'"
  const sql = `
    insert into user (id, name, email, isVerified, isBlocked, prefs, createdAt, updatedAt, accessedAt)
      ${count('people', PEOPLE)} select 'u' || n, 'Person ' || n, 'u' || n || '@example.test', 0, 0, '{}', ${time}, ${time}, ${time} from people;
    insert into post (id, title, content, featuredImage, status, userId, permissions, readers, createdAt, updatedAt)
      ${count('posts', posts)} select 'p' || n, 'A lamp ' || n, '<p>light</p>', 'image', 'active', 'u' || (n % 20), '["read(\\"any\\")"]', 'any',
        strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + n, 'unixepoch'), ${time} from posts;`
  return writeDirectly(blog, (file) => file.exec(sql))
}

function list(blog: TestBlog, queries: string[], options?: Parameters<TestBlog['call']>[2]) {
  const params = queries.map((query, at) => [`queries[${at}]`, query])
  return blog.call('GET', `${POSTS}?${new URLSearchParams(params)}`, options)
}

const texts = (count: number, text: string) =>
  Array.from({ length: count }, (_one, at) => text + at)
const json = (method: string, attribute: string, values: unknown[]) =>
  JSON.stringify({ method, attribute, values })
const ID_ONLY = 'select(["$id"])'

test('lists that cost much can be asked for until the work of ten seconds is used up', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  await addPosts(blog, 1500)
  const dearAt = (at: number) => [json('contains', 'title', texts(10, `z${at} `)), ID_ONLY]
  let answer = await list(blog, dearAt(0))
  // Each another one: what guests are answered is kept, and costs next to nothing again.
  for (let number = 1; answer.status === 200 && number < 500; number++)
    answer = await list(blog, dearAt(number))
  const dear = dearAt(500)
  expect(answer).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  const SEARCH = '/databases/blogdb/collections/posts/search?q=lamp'
  expect((await blog.call('GET', SEARCH)).status, 'searches count, too').toBe(429)
  const FEED = ['equal("status", ["active"])', 'orderDesc("$createdAt")', 'limit(13)', ID_ONLY]
  expect((await list(blog, FEED)).status, 'the feed costs next to nothing').toBe(200)
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  expect((await list(blog, dear, key)).status).toBe(200)
  blog.passTime(60_000)
  expect((await list(blog, dear)).status).toBe(200)
})
