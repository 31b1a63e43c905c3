// The page of an author on a blog that everybody may read: reached from cards and posts, with and
// without scripts; its bio is written in the settings.
import type { APIRequestContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { readAtom } from '#test/support/feeds.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { prepareOnce } from '#test/support/shared-fixture.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { structuredData, structuredDataFaults } from '#test/support/structured-data.ts'
import { writeMorePosts, writePost } from '#test/support/write-post.ts'

const test = withBlog.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone', BLOG_SITE_NAME: 'Lamps' } })

const HEADERS = { 'x-appwrite-project': 'blog' }
const author = makeNewcomer('Ada Author')
const LINE = 'Writes about trains & tides.'
let id = ''

/** Fourteen posts, and a draft. */
async function preparePosts(request: APIRequestContext): Promise<void> {
  const first = await writePost(request, { title: 'Lamp 1', content: '<p>Light</p>' })
  const others = Array.from({ length: 14 }, (_, index) => ({
    id: `lamp${index + 2}`,
    title: `Lamp ${index + 2}`,
    content: '<p>Light</p>',
    status: index === 13 ? ('inactive' as const) : ('active' as const),
  }))
  await writeMorePosts(request, first, others)
  id = (await (await request.get('/v1/account', { headers: HEADERS })).json()).$id
  await request.patch('/v1/account/prefs', { headers: HEADERS, data: { prefs: { about: LINE } } })
}

test.beforeEach(prepareOnce(author, preparePosts))

test('without scripts a reader goes from a card to the author page, through its pages, to a post and back', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto('/post')
  const card = page.getByRole('article').first()
  await card.getByRole('link', { name: 'Post by : Ada Author' }).click()
  await expect(page).toHaveURL(new RegExp(`/author/${id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada Author')
  await expect(page).toHaveTitle('Ada Author · Lamps')
  const main = page.getByRole('main')
  await expect(main.getByText(LINE, { exact: true })).toBeVisible()
  await expect(main.getByText('14 posts', { exact: true })).toBeVisible()
  const month = new Date().toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await expect(main.getByText(`Writes here since ${month}`)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(12)

  const url = new URL(page.url())
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', url.href)
  const html = await page.content()
  expect(await structuredDataFaults(html)).toEqual([])
  const [profile] = structuredData(html)
  expect(profile).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: 'Ada Author', description: LINE, url: url.href },
  })
  const feeds = page.locator('link[rel=alternate][type="application/atom+xml"]')
  const paths = await feeds.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(paths).toEqual(['/feed.xml', `/author/${id}/feed.xml`])
  for (const path of paths) {
    const feed = readAtom(await (await page.request.get(path ?? '')).text())
    expect(feed.items[0]?.title).toBe('Lamp 14')
  }
  expect(await main.getByRole('link', { name: 'Feed', exact: true }).getAttribute('href')).toBe(
    paths[1],
  )

  await page.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'Lamp 1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lamp 1')
  const afterPost = page.getByRole('region', { name: 'After the post' })
  await expect(afterPost.getByText(LINE, { exact: true })).toBeVisible()
  const posting = structuredData(await page.content()).find((data) => 'author' in data)
  expect(posting).toMatchObject({ author: { name: 'Ada Author', url: url.href } })
  await afterPost.getByRole('link', { name: 'All posts by Ada' }).click()
  await expect(page).toHaveURL(url.href)
  await page.goto(`/post/lamp3`)
  await page
    .getByRole('article')
    .getByRole('link', { name: /^Ada Author/ })
    .first()
    .click()
  await expect(page).toHaveURL(url.href)
  await page.goto(`${url.pathname}?after=gone`)
  await expect(page).toHaveURL(url.href)
})

test('the page of an unknown author answers 404', { tag: '@more' }, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 404/)
  for (const path of ['/author/nobody', '/author/%27', '/author/a/b']) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 404])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Not Found')
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  }
})

test('a user writes a bio in the settings and sees it on their author page', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Petra Page'))
  await page.goto('/settings')
  const form = page.getByRole('form', { name: 'Change your bio' })
  const field = form.getByLabel('Bio')
  await field.fill('x'.repeat(329))
  await expect(form.getByText('329 of 300')).toBeVisible()
  await form.getByRole('button', { name: 'Save bio' }).click()
  const refusal = 'The bio can have 300 characters at most. Remove 29.'
  await expect(field).toHaveAccessibleDescription(new RegExp(refusal))
  await field.fill('Two\nlines, <b>plain</b>.')
  await form.getByRole('button', { name: 'Save bio' }).click()
  await expect(page.getByText('Your bio is saved.')).toBeVisible()
  await expect(field).toHaveValue('Two lines, <b>plain</b>.')

  const account = await page.request.get('/v1/account', { headers: HEADERS })
  await page.goto(`/author/${(await account.json()).$id}`)
  await expect(page.getByText('Two lines, <b>plain</b>.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'This is your page' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write your first post' })).toBeVisible()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'Edit your name and bio' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
})

test('an author page loads no app until it is used, and the app moves the focus on navigation', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await page.goto(`/author/${id}`, { waitUntil: 'networkidle' })
  expect(await page.locator('script[type=module]').count(), 'the app has not loaded').toBe(0)
  const first = page.getByRole('article').first()
  await first.getByRole('link').first().focus()
  await page.waitForFunction(() => !('endEarlyInput' in window))
  await page.keyboard.press('Tab')
  await expect(first.getByRole('link', { name: 'Post by : Ada Author' })).toBeFocused()
  await page.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  // Until the answer arrives, the page has the old title, or none.
  const releases: (() => void)[] = []
  await page.route(/\/(documents|authors)\/[^/]+(\?.*)?$/, async (route) => {
    await new Promise<void>((resolve) => releases.push(resolve))
    await route.continue()
  })
  await page.getByRole('link', { name: 'Lamp 2', exact: true }).click()
  await expect(page.getByText('Loading Post ...')).toBeVisible()
  await expect.poll(() => releases.length).toBeGreaterThan(0)
  releases.shift()?.()
  await expect(page.getByRole('heading', { level: 1, name: 'Lamp 2' })).toBeFocused()
  await page.getByRole('link', { name: 'Ada Author' }).first().click()
  await expect(page.getByText('Loading Posts ...')).toBeVisible()
  await expect.poll(() => releases.length).toBeGreaterThan(0)
  for (const release of releases) release()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Author' })).toBeFocused()
  await page.unroute(/\/(documents|authors)\/[^/]+(\?.*)?$/)
  await page.goBack()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('an author page fits the narrowest screen in both themes', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit({ viewport: { width: 320, height: 640 } })
  for (const theme of ['dark', 'light'] as const) {
    await page.goto(`/author/${id}`)
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
    expect(await overflow(page)).toEqual([])
  }
})
