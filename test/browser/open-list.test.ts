// A blog that everybody may read: its list, page by page, with and without scripts.
import type { APIRequestContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { prepareOnce } from '#test/support/shared-fixture.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writeMorePosts, writePost } from '#test/support/write-post.ts'

const ABOUT = 'Six people, no hurry.'
const test = withBlog.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone', BLOG_ABOUT: ABOUT } })

const author = makeNewcomer('Olga Open')
const POSTS = 30

/** Writes thirty posts, the oldest of which is "Lamp 1", and a draft. */
async function preparePosts(request: APIRequestContext): Promise<void> {
  const first = await writePost(request, { title: 'Lamp 1', content: '<p>Light 1</p>' })
  const others = Array.from({ length: POSTS }, (_, index) => ({
    id: `lamp${index + 2}`,
    title: `Lamp ${index + 2}`,
    // One post has a tag in the last line of its text.
    content: index === 3 ? '<p>Light</p><p>#harbour</p>' : '<p>Light</p>',
    status: index === POSTS - 1 ? ('inactive' as const) : ('active' as const),
  }))
  await writeMorePosts(request, first, others)
}

test.beforeEach(prepareOnce(author, preparePosts))

test('without scripts a guest reads from home through page 3 to a post, its tag, author and search, and back', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ javaScriptEnabled: false })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await page.goto('/')
  await page.getByRole('link', { name: 'view posts' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All posts')
  await expect(page.getByText(ABOUT, { exact: true })).toBeVisible()
  await expect(pages.getByText('Posts 1 to 12 of 30')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(12)
  await expect(page.getByRole('article').first()).toContainText('Lamp 30')
  await pages.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await pages.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByText('Page 3', { exact: true })).toBeVisible()
  await expect(pages.getByText('Posts 25 to 30 of 30')).toBeVisible()
  await expect(pages.getByRole('link')).toHaveText(['Newer posts'])

  await page.getByRole('link', { name: 'Lamp 5', exact: true }).click()
  await expect(page).toHaveURL(/\/post\/lamp5\/lamp-5$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lamp 5')
  const heading = page.getByRole('heading', { level: 1 })
  const lamp5 = page.getByRole('link', { name: 'Lamp 5', exact: true })
  await page.getByRole('link', { name: 'harbour' }).first().click()
  await expect(heading).toHaveText('#harbour')
  await lamp5.click()
  await page.getByRole('article').getByRole('link', { name: author.name }).first().click()
  await expect(heading).toHaveText(author.name)
  await page.goto('/search')
  await page.getByRole('main').getByRole('searchbox').first().fill('harbour')
  await page.getByRole('main').getByRole('searchbox').first().press('Enter')
  await lamp5.click()
  await expect(heading).toHaveText('Lamp 5')
  await page.getByRole('link', { name: 'All posts', exact: true }).click()
  await expect(page).toHaveURL(/\/post$/)
  await page.goto(`/post?after=lamp7`)
  await pages.getByRole('link', { name: 'Newer posts' }).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Newest posts' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await page.goto('/post?after=gone')
  await expect(page).toHaveURL(/\/post$/)
})

test('a list loads no app until it is used; then going back restores position and focus, and new posts are announced', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  const isConnected = untilConnected(page, 'documents.create')
  await page.goto('/post', { waitUntil: 'networkidle' })
  expect(await page.locator('script[type=module]').count(), 'the app has not loaded').toBe(0)
  const newest = page.getByRole('article').first().getByRole('link').first()
  await newest.focus()
  await page.waitForFunction(() => !('endEarlyInput' in window))
  // Also on the page that the server rendered.
  const lowCard = page.getByRole('link', { name: 'Lamp 20', exact: true })
  await lowCard.click()
  await expect(page).toHaveURL(/\/post\/lamp20\/lamp-20$/)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(lowCard).toBeFocused()
  await expect(lowCard).toBeInViewport()
  await page.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const card = page.getByRole('link', { name: 'Lamp 8', exact: true })
  await card.click()
  await expect(page).toHaveURL(/\/post\/lamp8\/lamp-8$/)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(card).toBeFocused()
  await page.getByRole('link', { name: 'Newer posts' }).click()
  await expect(page).toHaveURL(/\/post$/)

  await isConnected
  const writer = await visit()
  await signUp(writer.page, makeNewcomer('Nia New'))
  await writePost(writer.context.request, { title: 'Fresh', content: '<p>x</p>' })
  await page.getByRole('button', { name: '1 new post · Show' }).click()
  await expect(page.getByRole('link', { name: 'Fresh', exact: true })).toBeFocused()
  await expect(page.getByText('Posts 1 to 12 of 31')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'home' }).click()
  await expect(page).toHaveURL(/\/post$/)

  await writer.page.goto('/post')
  await expect(writer.page.getByRole('button', { name: 'Load more' })).toBeVisible()
  await expect(writer.page.locator('h2 a').first()).toHaveAttribute('href', /^\/post\/blog\d+l$/)
})

test('the list has no axe violations and no overflow in both themes at 320 px', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 320, height: 640 } })
  for (const theme of ['dark', 'light'] as const) {
    await page.goto(`/post?after=lamp18`)
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
    expect(await overflow(page)).toEqual([])
  }
})

test('a post has one address, and its old addresses redirect there', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { request } = context
  const currentPath = '/post/lamp3/lamp-3'
  for (const oldPath of ['/post/lamp3/lamp-2', '/post/lamp3/lamp-3/', '/post/lamp3/LAMP-3?x=1']) {
    const answer = await request.get(oldPath, { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location]).toEqual([301, currentPath])
  }
  expect((await request.get('/post/lamp3')).status()).toBe(200)
  expect((await request.get('/post/lamp31/lamp-1', { maxRedirects: 0 })).status()).toBe(404)
  await page.goto('/post/lamp3')
  for (const [selector, name] of [
    ['link[rel=canonical]', 'href'],
    ['meta[property="og:url"]', 'content'],
  ] as const)
    expect(await page.locator(selector).getAttribute(name)).toMatch(new RegExp(`${currentPath}$`))
  await page.locator('.post-end').getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`${currentPath}$`),
  )
})
