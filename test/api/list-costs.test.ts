import { expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { writeDirectly } from '#test/support/write-directly.ts'

const POSTS = '/databases/blogdb/collections/posts/documents'
const PEOPLE = 20

/** Inserts posts by 20 users directly into the database. */
function addPosts(blog: TestBlog, posts: number): Promise<void> {
  const numbersUpTo = (name: string, to: number) =>
    `with recursive ${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${to})`
  const time = "'2023-01-01T00:00:00.000Z'"
  const sql = `
    insert into user (id, name, email, isVerified, isBlocked, prefs, createdAt, updatedAt, accessedAt)
      ${numbersUpTo('people', PEOPLE)} select 'u' || n, 'Person ' || n, 'u' || n || '@example.test', 0, 0, '{}', ${time}, ${time}, ${time} from people;
    insert into post (id, title, content, featuredImage, status, userId, permissions, readers, createdAt, updatedAt)
      ${numbersUpTo('posts', posts)} select 'p' || n, 'A lamp ' || n, '<p>light</p>', 'image', 'active', 'u' || (n % 20), '["read(\\"any\\")"]', 'any',
        strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + n, 'unixepoch'), ${time} from posts;`
  return writeDirectly(blog, (file) => file.exec(sql))
}

function list(blog: TestBlog, queries: string[], options?: Parameters<TestBlog['call']>[2]) {
  const params = queries.map((query, at) => [`queries[${at}]`, query])
  return blog.call('GET', `${POSTS}?${new URLSearchParams(params)}`, options)
}

const texts = (count: number, text: string) => Array.from({ length: count }, (_, at) => text + at)
const json = (method: string, attribute: string, values: unknown[]) =>
  JSON.stringify({ method, attribute, values })
const ID_ONLY = 'select(["$id"])'

test('expensive lists are answered until they have used up ten seconds of work', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  await addPosts(blog, 1500)
  const expensiveQueries = (index: number) => [
    json('contains', 'title', texts(10, `z${index} `)),
    ID_ONLY,
  ]
  let answer = await list(blog, expensiveQueries(0))
  // Every query is different: guests' responses are cached, so a repeated one would cost next to
  // nothing.
  for (let index = 1; answer.status === 200 && index < 500; index++)
    answer = await list(blog, expensiveQueries(index))
  const queries = expensiveQueries(500)
  expect(answer).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  const SEARCH = '/databases/blogdb/collections/posts/search?q=lamp'
  expect((await blog.call('GET', SEARCH)).status, 'searches count, too').toBe(429)
  const FEED = ['equal("status", ["active"])', 'orderDesc("$createdAt")', 'limit(13)', ID_ONLY]
  expect((await list(blog, FEED)).status, 'the feed costs next to nothing').toBe(200)
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  expect((await list(blog, queries, key)).status).toBe(200)
  blog.passTime(60_000)
  expect((await list(blog, queries)).status).toBe(200)
})
