// A browser that blocks the site's data: guests still read, members like, comment and write.
import { blockSiteData, SCROLL_IS_LOST } from '#test/support/blocked-storage.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp, startApp } from '#test/support/people.ts'
import { prepareOnce } from '#test/support/shared-fixture.ts'
import { writeMorePosts, writePost } from '#test/support/write-post.ts'

const test = withBlog.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

test.beforeEach(
  prepareOnce(makeNewcomer('Bea Blocked'), async (request) => {
    const first = await writePost(request, { title: 'Lamp 1', content: '<p>Light</p>' })
    const others = Array.from({ length: 14 }, (_, index) => ({
      id: `lamp${index + 2}`,
      title: `Lamp ${index + 2}`,
      content: '<p>Light</p>',
    }))
    await writeMorePosts(request, first, others)
  }),
)

/** The storage exists, but is full. */
function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  indexedDB.open = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
}

/** Some web views have no storage. */
function removeStorage(): void {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { value: null })
}

const BROWSERS = { blocked: blockSiteData, full: fillStorage, missing: removeStorage }

for (const [kind, prepare] of Object.entries(BROWSERS)) {
  test(`with ${kind} storage a guest reads, pages through the list and changes the theme`, {
    tag: '@more',
  }, async ({ visit }) => {
    const { page, context, expectFault } = await visit()
    expectFault(SCROLL_IS_LOST)
    await context.addInitScript(prepare)
    await page.goto('/post')
    await startApp(page)
    await page.getByRole('link', { name: 'Older posts' }).click()
    await page.getByRole('link', { name: 'Lamp 1', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Lamp 1' })).toBeVisible()
    await startApp(page)
    await page.getByRole('radio', { name: 'Light' }).click({ force: true })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  })

  test(`with ${kind} storage a member likes, comments and saves a draft`, { tag: '@more' }, async ({
    visit,
  }) => {
    const { page, context, expectFault } = await visit()
    expectFault(SCROLL_IS_LOST)
    await signUp(page, makeNewcomer(`Mia ${kind}`))
    await context.addInitScript(prepare)
    await page.goto('/post/lamp2')
    await startApp(page)
    const like = page.locator('button[aria-pressed]').first()
    await like.click()
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('Said without storage')
    await page.getByRole('button', { name: 'Post comment' }).click()
    await expect(page.locator('.comment__text', { hasText: 'Said without storage' })).toBeVisible()
    await page.goto('/add-post')
    await page.getByLabel('Title', { exact: true }).fill('Kept by the server')
    await editorBody(page).fill('Words of a draft')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page).toHaveURL(/\/edit-post\//)
  })
}
