// Somebody quicker than the network: what they do on a page whose app is still on its way is done once it has come.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'

const APP = /\/assets\/(main|app)-[^/]+\.js$/

/** Opens a page whose app stays on its way until it is let go. */
async function openWithoutApp(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(APP, async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return resolve
}

test('what is pressed, chosen and typed on a form before the app is there is not lost, and never leaves in the address', async ({ visit }) => {
  const visitor = await visit()
  const { page } = visitor
  visitor.expectFault(/answer 401|status of 401/)
  const letGo = await openWithoutApp(page, '/login')
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByLabel('Password', { exact: true }).fill('wrong-but-kept')
  await page.getByRole('group', { name: 'Theme' }).getByText('Light', { exact: true }).click()
  await page.getByRole('button', { name: 'Show password' }).click()
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  letGo()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await expect(page.getByText('E-mail or password is not correct.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.test')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.test')
})

test('an impatient second press counts once', async ({ visit }) => {
  const { page } = await visit()
  const letGo = await openWithoutApp(page, '/signup')
  const opener = page.getByRole('button', { name: 'Theme' })
  await opener.click()
  await opener.click()
  letGo()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
})

test('letters struck early are heard in their order', async ({ visit }) => {
  const { page } = await visit()
  const letGo = await openWithoutApp(page, '/')
  await expect(page.getByRole('banner')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  letGo()
  await expect(page).toHaveURL(/\/login/) // the feed is for signed-in people
})
