// Toasts: overlap with other elements, and their actions.
import { expect, test } from '#test/support/browser-blog.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { stopTimers } from '#test/support/page-timers.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

test('a persistent toast waits under the edit sheet of a small screen, and both can be used', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
  })
  expectFault(/status of 503|answer 503/)
  await signUp(page, makeNewcomer('Tara Toast'))
  const slug = await writePost(context.request, { title: 'Under a toast', content: '<p>Text</p>' })
  await page.route(/\/documents\/\w+(\?|$)/, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 503,
          json: { message: 'Refused.', code: 503, type: 'general_unknown', version: '1' },
        })
      : route.fallback(),
  )
  await page.goto(`/post/${slug}`)
  await expect(page.getByRole('button', { name: 'Edit menu' })).toBeVisible()
  await page.getByRole('button', { name: /^Like this post/ }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Your like was not saved.' })
  await expect(toast).toBeVisible()
  await page.getByRole('button', { name: 'Edit menu' }).click()
  const sheet = page.getByRole('menu', { name: 'Edit menu' })
  await expect(sheet).toBeVisible()
  const toastBox = await toast.boundingBox()
  const sheetBox = await sheet.boundingBox()
  expect(toastBox?.y, 'the toast is where the sheet is').toBeGreaterThan(sheetBox?.y ?? 0)
  const middle = {
    x: (toastBox?.x ?? 0) + (toastBox?.width ?? 0) / 2,
    y: (toastBox?.y ?? 0) + (toastBox?.height ?? 0) / 2,
  }
  expect(
    await sheet.evaluate(
      (element, { x, y }) => element.contains(document.elementFromPoint(x, y)),
      middle,
    ),
  ).toBe(true)
  await page.getByRole('menuitem', { name: 'Cancel' }).click()
  await expect(sheet).toBeHidden()
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect(toast).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page).toHaveURL(`/edit-post/${slug}`)
})

for (const viewport of [
  { width: 390, height: 600 },
  { width: 1280, height: 900 },
])
  test(`"Post published." does not cover the author at ${viewport.width} × ${viewport.height}, and a deleted post is restored from its toast`, {
    tag: '@more',
  }, async ({ visit }) => {
    const { page } = await visit({ viewport, reducedMotion: 'reduce' })
    await signUp(page, makeNewcomer('Petra Published'))
    await page.clock.install()
    await page.goto('/add-post')
    await page.getByLabel('Title', { exact: true }).fill('There and back')
    await chooseImage(page)
    await stopTimers(page)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
    const toast = page.locator('.toast')
    const author = page.locator('.post-meta')
    await expect(author).toBeVisible()
    const toastBox = await toast.boundingBox()
    const authorBox = await author.boundingBox()
    expect((toastBox?.y ?? 0) + (toastBox?.height ?? 0)).toBeLessThan(authorBox?.y ?? 0)
    await toast.getByRole('button', { name: 'Close' }).click()
    await page.clock.resume()

    await page.getByRole('button', { name: 'Delete menu' }).click()
    await stopTimers(page)
    await page.getByRole('button', { name: 'Confirm Delete' }).click()
    await expect(page).toHaveURL(/\/post$/)
    await toast.getByRole('button', { name: 'Restore' }).click()
    await toast.getByRole('button', { name: 'Open' }).click()
    await page.clock.resume()
    await expect(page.getByRole('heading', { name: 'There and back' })).toBeVisible()
    await expect(page.getByText('This post is inactive. Only you can see it.')).toBeVisible()
  })
