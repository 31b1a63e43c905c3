// Counts of reads over real HTTP: whose reads count, who sees which numbers, and what turning
// counts off does.
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { readZip } from '#test/support/zip.ts'

const READS = '/databases/blogdb/collections/posts/reads'
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Firefox/140.0' }

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const as = (person?: Person) => (person ? { cookie: person.cookie } : {})
  return {
    ...blog,
    ...documents,
    alice,
    bob,
    read: (id: string, person?: Person, headers: Record<string, string> = BROWSER) =>
      blog.call('POST', `${DOCUMENTS}/${id}/reads`, { ...as(person), headers }),
    numbers: (person?: Person) => blog.call('GET', READS, as(person)),
    async sum(person: Person): Promise<number> {
      const { body } = await blog.call('GET', READS, as(person))
      return body.days.reduce((sum: number, { reads }: { reads: number }) => sum + reads, 0)
    },
    savePrefs: (person: Person, prefs: object) =>
      blog.call('PATCH', '/account/prefs', { ...as(person), body: { prefs } }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

const share = shareBlog(() => start())

/** A new author with a post. */
async function startWithAuthor() {
  const blog = await share()
  const author = await blog.makePerson('carla')
  const id = await blog.post(author)
  return { ...blog, author, id }
}

test('each read by a guest or a member counts, and none by the author', async () => {
  const { read, sum, numbers, author, bob, id } = await startWithAuthor()
  for (const person of [undefined, undefined, bob, author])
    expect((await read(id, person)).status).toBe(204)
  expect(await sum(author)).toBe(2)
  const { body } = await numbers(author)
  expect(body.posts).toEqual([{ $id: id, title: 'A post', reads: 2, today: 2 }])
  expect(await sum(bob)).toBe(0)
})

test('reads by the API key, a bot and a prefetched page do not count', async () => {
  const { read, sum, apiKey, author, id } = await startWithAuthor()
  const advance = { 'user-agent': `${BROWSER['user-agent']} x`, 'sec-purpose': 'prefetch' }
  for (const headers of [
    { ...BROWSER, 'x-appwrite-key': apiKey },
    { 'user-agent': 'Googlebot/2.1' },
    { 'user-agent': 'curl/8.5.0' },
    advance,
  ])
    await read(id, undefined, headers)
  expect(await sum(author)).toBe(0)
})

test('a post that the reader may not read is not found, and not counted', async () => {
  const { read, sum, post, author } = await startWithAuthor()
  const draft = await post(author, { status: 'inactive' })
  expect((await read(draft)).body.type).toBe('document_not_found')
  expect((await read('none')).body.type).toBe('document_not_found')
  expect((await read(draft, author)).status).toBe(204)
  expect(await sum(author)).toBe(0)
})

test('the download of one’s own data contains the reads of each day', async () => {
  const { call, read, numbers, author, id } = await startWithAuthor()
  await read(id)
  const { days } = (await numbers(author)).body
  const zip = await call('GET', '/account/export', { cookie: author.cookie })
  const reads = (await readZip(zip.bytes)).find(({ path }) => path === 'reads.json')
  expect(JSON.parse(String(reads?.bytes))).toEqual([{ postId: id, day: days[29].day, reads: 1 }])
})

test('the numbers of an author who turns counting off are deleted for good', async () => {
  const { read, sum, numbers, savePrefs, author, id } = await startWithAuthor()
  await read(id)
  expect(await sum(author)).toBe(1)
  await savePrefs(author, { readCounts: 'off' })
  expect((await numbers(author)).body).toEqual({ isCounted: false, days: [], posts: [] })
  await savePrefs(author, {})
  expect([await sum(author), (await numbers(author)).body.isCounted]).toEqual([0, true])
})

test('only signed-in users can get numbers', async () => {
  const { call, numbers, apiKey } = await share()
  const unauthorized = { status: 401, body: { type: 'general_unauthorized_scope' } }
  expect(await numbers()).toMatchObject(unauthorized)
  expect(await call('GET', READS, { headers: { 'x-appwrite-key': apiKey } })).toMatchObject(
    unauthorized,
  )
})

test('another collection has no numbers', async () => {
  const { call, alice } = await share()
  const elsewhere = '/databases/blogdb/collections/others/reads'
  const answer = await call('GET', elsewhere, { cookie: alice.cookie })
  expect(answer.body.type).toBe('collection_not_found')
})

test('a blog that turns counting off says so, and counts no reads', async () => {
  await using blog = await start({ BLOG_READ_COUNTS: 'off' })
  const id = await blog.post(blog.alice)
  expect((await blog.read(id)).status).toBe(204)
  expect((await blog.numbers(blog.alice)).body).toEqual({ isCounted: false, days: [], posts: [] })
})

test('a page of another site cannot count reads of its visitors', async () => {
  const { read, sum, author, id } = await startWithAuthor()
  const headers = { ...BROWSER, origin: 'https://elsewhere.example' }
  expect((await read(id, undefined, headers)).status).toBe(403)
  expect(await sum(author)).toBe(0)
})
