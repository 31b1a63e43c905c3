// The bell and the notifications page.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import type { Visitor } from '#test/support/browser-blog.ts'
import { signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { HOSTILE_HTML } from '#test/support/hostile-texts.ts'
import { expect, test as withOperator } from '#test/support/operator-blog.ts'
import { pressPair, untilHydrated } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writePost } from '#test/support/write-post.ts'

const HOSTILE = '<img src=x onerror="top.pwned=1">'
const POST = { title: `A road ${HOSTILE}`, content: '<p>It goes on to the sea.</p>' }
const headers = { 'x-appwrite-project': 'blog' }
const PHONE = { viewport: { width: 390, height: 800 } }

const test = withOperator.extend<{ together: () => Promise<[author: Visitor, other: Visitor]> }>({
  together: async ({ visit, asOperator }, use) =>
    await use(async () => {
      await asOperator('/v1/site', { approveFirst: 'off' })
      const author = await visit(PHONE)
      const other = await visit()
      await signUpByApi(author, 'Ada Author')
      await signUpByApi(other, 'Otto Other')
      await other.context.request.patch('/v1/account/name', { headers, data: { name: HOSTILE } })
      return [author, other]
    }),
})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const bell = (page: Page, news = '') =>
  page.getByRole('button', { name: `Notifications${news}`, exact: true })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const notes = (page: Page) => page.locator('main .note')

test('the notifications page filters, mutes a post, and works offline and without scripts', {
  tag: '@more',
}, async ({ together, visit }) => {
  const [author, other] = await together()
  const { page, context } = author
  const id = await writePost(context.request, { ...POST, title: 'A quiet road' })
  await writeComment(other.context.request, id, 'One')
  await page.goto('/post')
  await untilHydrated(page)
  const release = await holdRequests(page, /\/v1\/notifications$/)
  const seenResponse = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await pressPair(page, 'g', 'n')
  await expect(page).toHaveURL('/notifications')
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  await page.getByRole('radio', { name: 'Likes' }).check()
  await expect(page.getByText('Nothing new')).toBeVisible()
  release()
  await (await seenResponse).finished()
  await expect(page.getByText('Nothing new')).toBeVisible()
  await page.getByRole('radio', { name: 'New (1)' }).check()
  await expect(notes(page)).toHaveCount(1)
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
  }

  await page.getByRole('button', { name: 'More for A quiet road' }).click()
  await page.getByRole('menuitem', { name: 'Mute this post' }).click()
  await expect(page.getByText('Nothing more of “A quiet road”.')).toBeVisible()
  await writeComment(other.context.request, id, 'Unheard')
  await page.getByRole('button', { name: 'More for A quiet road' }).click()
  await page.getByRole('menuitem', { name: 'Unmute this post' }).click()
  await expect(page.getByText('“A quiet road” is not muted.')).toBeVisible()
  await writeComment(other.context.request, id, 'Two')
  await page.getByRole('button', { name: '1 new · Show' }).click()
  await expect(notes(page)).toContainText('Two')
  await expect(page.getByText('Unheard')).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('radio', { name: 'New', exact: true })).toBeChecked()

  await context.setOffline(true)
  await expect(page.getByText(/^As of \d\d:\d\d\. New ones appear/)).toBeVisible()
  await bell(page).click()
  await expect(list(page)).toContainText('You are offline.')
  await context.setOffline(false)
  await expect(list(page).getByRole('link', { name: /commented on/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')

  const releaseCode = await holdRequests(page, /\/assets\/bell-[^/]+\.js$/)
  await page.goto('/post')
  await untilHydrated(page)
  const link = page.getByRole('link', { name: 'Notifications' })
  const tab = context.waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  await expect(await tab).toHaveURL('/notifications')
  await link.click()
  await expect(link).toHaveAttribute('aria-busy', 'true')
  releaseCode()
  await expect(list(page)).toBeFocused()

  const plain = await visit({ javaScriptEnabled: false })
  await plain.page.goto('/notifications')
  await expect(plain.page).toHaveURL('/login?next=%2Fnotifications')
  await plain.context.addCookies(await context.cookies())
  await plain.page.goto('/post')
  await plain.page.getByRole('link', { name: 'Notifications' }).click()
  await expect(notes(plain.page)).toContainText('commented on “A quiet road”')
  const answer = await plain.page.reload()
  expect(answer?.headers()['cache-control']).toBe('private, no-store')
  await expect(plain.page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
})

test('at 272 px the bell is in the account menu, and a notification about a deleted post has no link', {
  tag: '@more',
}, async ({ together }) => {
  const [author, other] = await together()
  const { page, context } = author
  const id = await writePost(context.request, POST)
  await writeComment(other.context.request, id, HOSTILE_HTML.join(' ').slice(0, 4000))
  await page.setViewportSize({ width: 272, height: 700 })
  await page.goto('/notifications?filter=comments')
  await expect(notes(page)).toContainText('<a href="javascript:')
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Notifications, 1 new' })).toBeVisible()
  await expect(bell(page, ', 1 new')).toBeHidden()
  await page.getByRole('menuitem', { name: 'Notifications, 1 new' }).click()
  const path = `/v1/databases/blogdb/collections/posts/documents/${id}`
  expect((await context.request.delete(path, { headers })).status()).toBe(204)
  await page.reload()
  await expect(notes(page)).toContainText('Somebody commented on a post that is no longer there')
  await expect(page.locator('main a.note')).toHaveCount(0)
})
