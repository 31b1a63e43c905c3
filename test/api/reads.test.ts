// Reads over real HTTP: who counts, whose numbers are shown to whom, and what turning them off
// does.
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

test('each read of a guest or a member counts, and none of the author', async () => {
  const { read, sum, numbers, author, bob, id } = await startWithAuthor()
  for (const person of [undefined, undefined, bob, author])
    expect((await read(id, person)).status).toBe(204)
  expect(await sum(author)).toBe(2)
  const { body } = await numbers(author)
  expect(body.posts).toEqual([{ $id: id, title: 'A post', reads: 2, today: 2 }])
  expect(await sum(bob)).toBe(0)
})

test('the API key, a bot and a page that is loaded in advance do not count', async () => {
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

test('the download of one’s own data has the reads of each day', async () => {
  const { call, read, numbers, author, id } = await startWithAuthor()
  await read(id)
  const { days } = (await numbers(author)).body
  const zip = await call('GET', '/account/export', { cookie: author.cookie })
  const reads = (await readZip(zip.bytes)).find(({ path }) => path === 'reads.json')
  expect(JSON.parse(String(reads?.bytes))).toEqual([{ postId: id, day: days[29].day, reads: 1 }])
})

test('the numbers of an author who switches counting off are gone for good', async () => {
  const { read, sum, numbers, savePrefs, author, id } = await startWithAuthor()
  await read(id)
  expect(await sum(author)).toBe(1)
  await savePrefs(author, { readCounts: 'off' })
  expect((await numbers(author)).body).toEqual({ isCounted: false, days: [], posts: [] })
  await savePrefs(author, {})
  expect([await sum(author), (await numbers(author)).body.isCounted]).toEqual([0, true])
})

test('the numbers are for a signed-in person alone', async () => {
  const { call, numbers, apiKey } = await share()
  const refused = { status: 401, body: { type: 'general_unauthorized_scope' } }
  expect(await numbers()).toMatchObject(refused)
  expect(await call('GET', READS, { headers: { 'x-appwrite-key': apiKey } })).toMatchObject(refused)
})

test('there are no numbers of another collection', async () => {
  const { call, alice } = await share()
  const elsewhere = '/databases/blogdb/collections/others/reads'
  const answer = await call('GET', elsewhere, { cookie: alice.cookie })
  expect(answer.body.type).toBe('collection_not_found')
})

test('a blog whose setting is off says so, and counts nobody', async () => {
  await using blog = await start({ BLOG_READ_COUNTS: 'off' })
  const id = await blog.post(blog.alice)
  expect((await blog.read(id)).status).toBe(204)
  expect((await blog.numbers(blog.alice)).body).toEqual({ isCounted: false, days: [], posts: [] })
})

test('a page of another site cannot make its visitors count', async () => {
  const { read, sum, author, id } = await startWithAuthor()
  const headers = { ...BROWSER, origin: 'https://elsewhere.example' }
  expect((await read(id, undefined, headers)).status).toBe(403)
  expect(await sum(author)).toBe(0)
})
