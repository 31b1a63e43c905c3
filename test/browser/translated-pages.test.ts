// A page that the browser translates before the app runs. The screen audit tests later translations
// on every screen in every state (test/support/screen-audit.ts).
import { expect } from '#test/support/browser-blog.ts'
import { startApp } from '#test/support/people.ts'
import { test } from '#test/support/screen-audit.ts'
import { translate } from '#test/support/translate.ts'

test('the app starts on a page that the browser has already translated', { tag: '@more' }, async ({
  visit,
  seeded,
}) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('tobias'))
  await page.goto('/settings', { waitUntil: 'domcontentloaded' })
  await translate(page)
  await startApp(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
})
