// Reads over real HTTP: who counts, whose numbers are shown to whom, and what turning them off
// does.
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
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

test('a read of the app counts, but not the author, the key, a bot or a post not to be read', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  const draft = await blog.post(alice, { status: 'inactive' })
  for (const person of [undefined, undefined, bob, alice])
    expect((await blog.read(id, person)).status).toBe(204)
  await blog.read(id, undefined, { ...BROWSER, 'x-appwrite-key': blog.apiKey })
  for (const agent of ['Googlebot/2.1', 'curl/8.5.0'])
    await blog.read(id, undefined, { 'user-agent': agent })
  await blog.read(id, undefined, {
    'user-agent': `${BROWSER['user-agent']} x`,
    'sec-purpose': 'prefetch',
  })
  expect((await blog.read(draft)).body.type).toBe('document_not_found')
  expect((await blog.read(draft, alice)).status).toBe(204)
  expect((await blog.read('none')).body.type).toBe('document_not_found')
  expect(await blog.sum(alice)).toBe(2)
  const { body } = await blog.numbers(alice)
  expect(body.posts).toEqual([{ $id: id, title: 'A post', reads: 2, today: 2 }])
  expect(await blog.sum(bob)).toBe(0)

  const zip = await blog.call('GET', '/account/export', { cookie: alice.cookie })
  const own = (await readZip(zip.bytes)).find(({ path }) => path === 'reads.json')
  expect(JSON.parse(String(own?.bytes))).toEqual([{ postId: id, day: body.days[29].day, reads: 2 }])

  await blog.savePrefs(alice, { readCounts: 'off' })
  expect((await blog.numbers(alice)).body).toEqual({ isCounted: false, days: [], posts: [] })
  await blog.savePrefs(alice, {})
  expect([await blog.sum(alice), (await blog.numbers(alice)).body.isCounted]).toEqual([0, true])
})

test('the numbers are for a signed-in person alone', async () => {
  await using blog = await start()
  const refused = { status: 401, body: { type: 'general_unauthorized_scope' } }
  expect(await blog.numbers()).toMatchObject(refused)
  const key = { 'x-appwrite-key': blog.apiKey }
  expect(await blog.call('GET', READS, { headers: key })).toMatchObject(refused)
  const elsewhere = '/databases/blogdb/collections/others/reads'
  expect((await blog.call('GET', elsewhere, { cookie: blog.alice.cookie })).body.type).toBe(
    'collection_not_found',
  )
})

test('a blog that is told not to count says so, and counts nobody', async () => {
  await using blog = await start({ BLOG_READ_COUNTS: 'off' })
  const id = await blog.post(blog.alice)
  expect((await blog.read(id)).status).toBe(204)
  expect((await blog.numbers(blog.alice)).body).toEqual({ isCounted: false, days: [], posts: [] })
})

test('a page of another site cannot make its visitors count', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice)
  const headers = { ...BROWSER, origin: 'https://elsewhere.example' }
  expect((await blog.read(id, undefined, headers)).status).toBe(403)
})
