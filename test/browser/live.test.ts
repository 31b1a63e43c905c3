// An open page shows new posts by others and changes made in other tabs.
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { drawPhoto } from '#test/support/images.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { changePost, DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }

test('new posts by others are announced above the feed and inserted on request', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Nora News')
  await signUpByApi(reader, 'Rolf Reader')
  const { page } = reader
  const isConnected = untilConnected(page, 'documents.create')
  await page.goto('/post')
  await isConnected
  const cards = page.getByRole('article')
  const initialCount = await cards.count()
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
  expect(await cards.count()).toBe(initialCount)
  await pill.press('Enter')
  await expect(cards).toHaveCount(initialCount + 2)
  await expect(page.getByRole('link', { name: 'First', exact: true })).toBeFocused()
  await expect(pill).toHaveCount(0)
})

test('a draft is announced when it is published, even if many newer posts exist', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Dora Draft')
  await signUpByApi(reader, 'Rita Reader')
  const { request } = author.context
  const content = '<p>News</p>'
  const draft = await writePost(request, { title: 'Begun in May', content, status: 'inactive' })
  for (let number = 1; number <= 13; number++)
    await writePost(request, { title: `Meanwhile ${number}`, content })
  const { page } = reader
  const isConnected = untilConnected(page, 'documents.create')
  await page.goto('/post')
  await isConnected
  await expect(page.getByRole('article').first()).toBeVisible()
  await changePost(request, draft, { status: 'active' })
  await page.getByRole('button', { name: '1 new post · Show' }).press('Enter')
  await expect(page.getByRole('link', { name: 'Begun in May', exact: true })).toBeVisible()
})

test('other tabs follow theme, avatar and sign-out without writing to the console', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await signUpByApi(visitor, 'Tara Tabs')
  const { page, context } = visitor
  await page.goto('/dashboard')
  const tab = await context.newPage()
  const isConnected = untilConnected(tab, 'account')
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
  const avatarImage = tab.getByRole('button', { name: /^Account menu/ }).locator('img')
  await expect(avatarImage).toHaveAttribute('src', new RegExp(avatar))

  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(tab.getByRole('heading', { name: 'You were signed out' })).toBeVisible()
})

test('every page works without a realtime connection', { tag: '@more' }, async ({ visit }) => {
  const author = await visit()
  await signUpByApi(author, 'Silas Silent')
  const id = await writePost(author.context.request, { title: 'Silent', content: '<p>Text</p>' })
  const { page } = author
  let opened = 0
  await page.routeWebSocket(/realtime/, async (socket) => {
    opened++
    await socket.close({ code: 1011 })
  })
  await page.clock.install()
  await page.goto(`/post/${id}`)
  const openedLater = async () => {
    await page.clock.fastForward(5000)
    return opened
  }
  await expect.poll(openedLater).toBe(3)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await expect(page.getByText('Like this post, 1 like')).toBeAttached()
  await page.getByRole('link', { name: 'All posts' }).first().click()
  await expect(page.getByRole('link', { name: 'Silent', exact: true })).toBeVisible()
  expect(opened).toBe(3)
})
