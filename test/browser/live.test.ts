// What an open page hears of others: likes, changed and deleted posts, new ones, other tabs. Two or
// three browsers side by side.
import type { APIRequestContext, Locator } from '@playwright/test'
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { connection } from '#test/support/live-connection.ts'
import { makeNewcomer, untilHydrated } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const PARAGRAPHS = Array.from(
  { length: 40 },
  (_, at) => `<p>Paragraph ${at} ${'word '.repeat(40)}</p>`,
)

/** By the calls that the form makes, in less time. */
async function join({ context: { request } }: Visitor, name: string): Promise<void> {
  const { email, password } = makeNewcomer(name)
  const data = { userId: 'unique()', email, password, name }
  const made = await request.post('/v1/account', { headers: HEADERS, data })
  expect(made.status()).toBe(201)
  const login = { headers: HEADERS, data: { email, password } }
  expect((await request.post('/v1/account/sessions/email', login)).status()).toBe(201)
}

async function openPost({ page }: Visitor, id: string): Promise<void> {
  const isConnected = connection(page, `documents.${id}`)
  await page.goto(`/post/${id}`)
  await untilHydrated(page)
  await isConnected
}

async function change(request: APIRequestContext, id: string, data: object): Promise<void> {
  const answer = await request.patch(`${DOCUMENTS}/${id}`, { headers: HEADERS, data: { data } })
  expect(answer.status()).toBe(200)
}

async function topOf(place: Locator): Promise<number> {
  return (await place.boundingBox())?.y ?? 0
}

test('likes of others are counted while a post is open, and what becomes of it is said', async ({
  visit,
}) => {
  const [author, reader, other] = [await visit(), await visit(), await visit()]
  await join(author, 'Ada Author')
  await join(reader, 'Rita Reader')
  await join(other, 'Otto Other')
  const { request } = author.context
  const id = await writePost(request, { title: 'Alive', content: PARAGRAPHS.join('') })
  await openPost(reader, id)
  await openPost(other, id)
  const { page } = reader
  const heart = page.getByRole('button', { name: /^Like this post/ })

  // --- likes ---
  await other.page.getByRole('button', { name: /^Like this post/ }).click()
  await expect(heart).toHaveAccessibleName('Like this post, 1 like')
  await expect(heart).toContainText('+1')
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(other.page.getByText('Like this post, 2 likes')).toBeAttached()
  await expect(heart).toHaveAccessibleName('Like this post, 2 likes')

  // --- the text is another one: nothing moves until it is asked for ---
  const read = page.getByText('Paragraph 20 ')
  await read.evaluate((element) => element.scrollIntoView())
  const top = await topOf(read)
  await change(request, id, { content: ['<p>Before all</p>', ...PARAGRAPHS].join('') })
  const note = page.getByRole('status').filter({ hasText: 'This post was updated · Show' })
  await expect(note).toBeVisible()
  expect(Math.abs((await topOf(read)) - top)).toBeLessThan(1)
  await expect(page.getByText('Before all')).toHaveCount(0)
  await note.getByRole('button', { name: 'Show' }).press('Enter')
  await expect(page.getByText('Before all')).toHaveCount(1)
  await expect(note).toHaveCount(0)
  expect(Math.abs((await topOf(read)) - top)).toBeLessThan(1)
  await expect(page.locator('.prose > p:focus')).toContainText(/Paragraph (19|20) /)

  // --- taken back, given again, closed, deleted ---
  await change(request, id, { status: 'inactive' })
  const gone = page.getByText('This post was unpublished by its author.')
  await expect(gone).toBeVisible()
  await expect(heart).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Copy link' }).first()).toBeDisabled()
  await change(request, id, { status: 'active', title: 'Alive again' })
  await expect(gone).toHaveCount(0)
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Close this message' }).click()
  await expect(note).toHaveCount(0)
  await request.delete(`${DOCUMENTS}/${id}`, { headers: HEADERS })
  await expect(page.getByText('This post was deleted by its author.')).toBeVisible()
  await expect(read).toBeInViewport()
})

test('new posts of others are offered above the feed, and put in when asked for', async ({
  visit,
}) => {
  const [author, reader] = [await visit(), await visit()]
  await join(author, 'Nora News')
  await join(reader, 'Rolf Reader')
  const { page } = reader
  const isConnected = connection(page, 'documents.create')
  await page.goto('/post')
  await isConnected
  const cards = page.getByRole('article')
  const before = await cards.count()
  const write = ({ context }: Visitor, title: string, status: 'active' | 'inactive' = 'active') =>
    writePost(context.request, { title, content: '<p>News</p>', status })
  await write(author, 'A draft', 'inactive')
  await write(reader, 'My own')
  await write(author, 'First')
  await expect(page.getByRole('button', { name: '1 new post · Show' })).toBeVisible()
  const withdrawn = await write(author, 'Withdrawn')
  await expect(page.getByRole('button', { name: '2 new posts · Show' })).toBeVisible()
  await author.context.request.delete(`${DOCUMENTS}/${withdrawn}`, { headers: HEADERS })
  const pill = page.getByRole('button', { name: '1 new post · Show' })
  await expect(pill).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^1 new post$/ })).toBeAttached()
  expect(await cards.count()).toBe(before)
  await pill.press('Enter')
  await expect(cards).toHaveCount(before + 2)
  await expect(page.getByRole('link', { name: 'First', exact: true })).toBeFocused()
  await expect(pill).toHaveCount(0)
})

test('a draft is offered when it is published, though newer posts fill the page since it was begun', async ({
  visit,
}) => {
  const [author, reader] = [await visit(), await visit()]
  await join(author, 'Dora Draft')
  await join(reader, 'Rita Reader')
  const { request } = author.context
  const content = '<p>News</p>'
  const draft = await writePost(request, { title: 'Begun in May', content, status: 'inactive' })
  for (let at = 1; at <= 13; at++) await writePost(request, { title: `Meanwhile ${at}`, content })
  const { page } = reader
  const isConnected = connection(page, 'documents.create')
  await page.clock.install()
  await page.goto('/post')
  await isConnected
  await expect(page.getByRole('article').first()).toBeVisible()
  await change(request, draft, { status: 'active' })
  await page.clock.runFor(16_000)
  await page.getByRole('button', { name: /new posts? · Show$/ }).press('Enter')
  await expect(page.getByRole('link', { name: 'Begun in May', exact: true })).toBeVisible()
})

test('other tabs follow theme, avatar and sign-out, and nothing is said in their console', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await join(visitor, 'Tara Tabs')
  const { page, context } = visitor
  await page.goto('/dashboard')
  const tab = await context.newPage()
  const isConnected = connection(tab, 'account')
  await tab.goto('/settings')
  await isConnected
  await page.bringToFront()
  await page.getByRole('button', { name: 'Theme' }).first().click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect(tab.locator('html')).toHaveAttribute('data-theme', 'light')

  // --- from another device ---
  const file = { name: 'a.png', mimeType: 'image/png', buffer: await drawPhoto('png') }
  const stored = await context.request.post('/v1/storage/buckets/avatars/files', {
    headers: HEADERS,
    multipart: { fileId: 'unique()', file },
  })
  const { $id: avatar } = await stored.json()
  const saved = await context.request.patch('/v1/account/prefs', {
    headers: HEADERS,
    data: { prefs: { theme: 'dark', avatar } },
  })
  expect(saved.status()).toBe(200)
  await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark')
  const face = tab.getByRole('button', { name: /^Account menu/ }).locator('img')
  await expect(face).toHaveAttribute('src', new RegExp(avatar))

  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(tab.getByRole('heading', { name: 'You were signed out' })).toBeVisible()
})

test('where no connection comes about everything is as before', { tag: '@more' }, async ({
  visit,
}) => {
  const author = await visit()
  await join(author, 'Silas Silent')
  const id = await writePost(author.context.request, { title: 'Silent', content: '<p>Text</p>' })
  const { page } = author
  let opened = 0
  await page.routeWebSocket(/realtime/, async (socket) => {
    opened++
    await socket.close({ code: 1011 })
  })
  await page.goto(`/post/${id}`)
  await expect.poll(() => opened, { timeout: 10_000 }).toBe(3)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await expect(page.getByText('Like this post, 1 like')).toBeAttached()
  await page.getByRole('link', { name: 'All posts' }).first().click()
  await expect(page.getByRole('link', { name: 'Silent', exact: true })).toBeVisible()
  expect(opened).toBe(3)
})
