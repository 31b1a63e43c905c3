// Searching: without scripts from the list through the results to a post, and each state of the
// search page.
import type { APIRequestContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, startApp } from '#test/support/people.ts'
import { prepareOnce } from '#test/support/shared-fixture.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writeMorePosts, writePost } from '#test/support/write-post.ts'

const test = withBlog.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const author = makeNewcomer('Sara Searched')

/** Writes fourteen posts with a word, one of them in its title, and a draft. */
async function preparePosts(request: APIRequestContext): Promise<void> {
  const first = await writePost(request, { title: 'Lámp <b>', content: '<p>A & B <i>x</i></p>' })
  const others = Array.from({ length: 14 }, (_, index) => ({
    id: `n${index + 2}`,
    title: `Post ${index + 2}`,
    content: `<p>${'Far away. '.repeat(30)}Here is a LAMP of night ${index + 2}.</p>`,
    status: index === 13 ? ('inactive' as const) : ('active' as const),
  }))
  await writeMorePosts(request, first, others)
}

test.beforeEach(prepareOnce(author, preparePosts))

test('without scripts a guest searches from the list and pages through the results to a post', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto('/search')
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)
  await page.goto('/post')
  await page.getByRole('searchbox', { name: 'Search posts' }).first().fill('lam')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/search?q=lam')
  await expect(page.locator('.search-count')).toHaveText('14 posts for “lam”, titles first')
  const results = page.getByRole('main').getByRole('listitem')
  await expect(results).toHaveCount(12)
  await expect(results.first().getByRole('heading')).toHaveText('Lámp <b>')
  await expect(results.first().locator('mark')).toHaveText('Lámp')
  await expect(results.nth(1).locator('p mark')).toHaveText('LAMP')
  const robots = page.locator('meta[name=robots]')
  await expect(robots).toHaveCount(0)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/search$/)
  await page.getByRole('link', { name: 'More results' }).click()
  await expect(page.getByText('Posts 13 to 14 of 14')).toBeVisible()
  await expect(robots).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'Post 2' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Post 2')
})

test('each state of the search page has no axe violations and no overflow in both themes at 320 px', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  await page.setViewportSize({ width: 320, height: 700 })
  for (const [path, text] of [
    ['/search', 'Search tips'],
    ['/search?q=lamp', '14 posts for'],
    [`/search?q=${'x'.repeat(150)}`, 'Nothing found'],
    ['/search?q=a', 'Write at least two letters.'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(text).first()).toBeVisible()
    if (text === 'Nothing found')
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    expect(await overflow(page)).toEqual([])
    for (const theme of ['dark', 'light'] as const) {
      await showTheme(page, theme)
      expect(await axeFindings(page)).toEqual([])
    }
  }
  expectFault(/503|Failed to load/)
  await page.route('**/search?q=**', (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 503, json: { message: 'x', code: 503, type: 'x', version: '1' } })
      : route.fallback(),
  )
  await startApp(page)
  await page.getByRole('searchbox').fill('night')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The search did not respond')).toBeVisible()
  await page.unroute('**/search?q=**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('13 posts for')).toBeVisible()
})
