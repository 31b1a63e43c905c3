// What an author decides about a post, on its page and where other sites read it.
import { expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { readJsonFeed } from '#test/support/feeds.ts'

const DETAILS = {
  excerpt: 'Light & oil',
  addressWords: 'By night',
  metaTitle: 'Lamps of the harbour',
  canonicalUrl: 'https://elsewhere.test/lamps',
}

async function start() {
  const pages = await readBuiltPages()
  const blog = await makeTestBlog({ BLOG_READING: 'everyone' }, { pages })
  const alice = await blog.makePerson('alice')
  const { post, patch } = makeDocuments(blog)
  const id = await post(alice, { title: 'Lamps', featuredImage: '', content: '<p>Text.</p>' })
  const open = async (path: string) => {
    const answer = await fetch(blog.url + path, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const read = async (path: string) => (await fetch(blog.url + path)).text()
  return {
    id,
    open,
    read,
    save: (data: object) => patch(alice, id, data),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('earlier words in the URL lead to those of the author, and back when these are removed', async () => {
  await using blog = await start()
  const [byTitle, byAuthor] = [`/post/${blog.id}/lamps`, `/post/${blog.id}/by-night`]
  expect(await blog.open(byTitle)).toEqual([200, null])
  await blog.save(DETAILS)
  expect(await blog.open(byTitle)).toEqual([301, byAuthor])
  expect(await blog.open(byAuthor)).toEqual([200, null])
  await blog.save({ title: 'Other lamps' })
  expect(await blog.open(byAuthor)).toEqual([200, null])
  await blog.save({ addressWords: null })
  expect(await blog.open(byAuthor)).toEqual([301, `/post/${blog.id}/other-lamps`])
})

test('the head of the page has the author’s title, description and original', async () => {
  await using blog = await start()
  await blog.save(DETAILS)
  const page = await blog.read(`/post/${blog.id}/by-night`)
  expect(page).toContain('<meta name="description" content="Light &amp; oil"/>')
  expect(page).toContain('<meta property="og:title" content="Lamps of the harbour"/>')
  expect(page).toContain('<link rel="canonical" href="https://elsewhere.test/lamps"/>')
  expect(page).toContain('"headline":"Lamps"')
  await blog.save({ metaDescription: 'All of it' })
  const next = await blog.read(`/post/${blog.id}/by-night`)
  expect(next).toContain('<meta name="description" content="All of it"/>')
})

test('lists and feeds have the excerpt and the author’s words in the URL', async () => {
  await using blog = await start()
  await blog.save(DETAILS)
  expect(await blog.read('/post')).toContain('Light &amp; oil')
  expect(await blog.read('/post')).toContain(`/post/${blog.id}/by-night`)
  const [item] = readJsonFeed(await blog.read('/feed.json')).items
  expect(item).toMatchObject({ url: expect.stringContaining('/by-night') })
  expect(await blog.read('/feed.json')).toContain('"summary":"Light & oil"')
  expect(await blog.read('/feed.xml')).toContain('<summary>Light &amp; oil</summary>')
})
