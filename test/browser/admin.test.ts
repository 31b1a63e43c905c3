// The pages of operators: who sees them, and running the blog with them.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/operator-blog.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const PAGES = ['settings']

test('for a guest and an author there is no page of operators; with the role it is there', async ({
  visit,
  asOperator,
}) => {
  const guest = await visit()
  guest.expectFault(/status of 404/)
  expect((await guest.page.goto('/admin/settings'))?.status()).toBe(404)
  await expect(guest.page.getByRole('heading', { level: 1 })).toHaveText('404 Not Found')

  const { page, expectFault } = await visit()
  expectFault(/status of 404/)
  await signUp(page, makeNewcomer('Olga Olsen'))
  expect((await page.goto('/admin/settings'))?.status()).toBe(404)
  await expect(page.getByText('No route matches URL /admin/settings')).toBeVisible()
  await expect(page.getByText('Blog settings')).toHaveCount(0)

  await makeOperator(page, asOperator)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Account menu, Olga Olsen' }).click()
  await page.getByRole('menuitem', { name: 'Manage blog' }).click()
  await expect(page).toHaveURL(/\/admin\/settings$/)
})

test('an operator changes the name of the blog and sees it in the header', async ({
  visit,
  asOperator,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Nana Nord'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await page.getByLabel('Name of the blog').fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Name of the blog')).toBeFocused()
  await expect(page.getByLabel('Name of the blog')).toHaveAccessibleDescription(
    /Write a name first\./,
  )
  await page.getByLabel('Name of the blog').fill('The <b>North</b> Lamp')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('The <b>North</b> Lamp')
  await expect(page).toHaveTitle(/· The <b>North<\/b> Lamp$/)
  await page.getByLabel('By invitation').check()
  await expect(page.getByText('Saved.', { exact: true })).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('banner')).toContainText('The <b>North</b> Lamp')
  await expect(page.getByLabel('By invitation')).toBeChecked()
  await untilHydrated(page)
  await page.getByRole('radio', { name: /^Anyone/ }).check()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
})

test('what somebody else has set meanwhile is said and not overwritten', { tag: '@more' }, async ({
  visit,
  asOperator,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mette Munk'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await asOperator('/v1/site', { siteName: 'Set elsewhere', registration: 'open' })
  await page.getByLabel('Name of the blog').fill('Set here')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Somebody else has changed this meanwhile/)).toBeVisible()
  await expect(page.getByLabel('Name of the blog')).toHaveValue('Set elsewhere')
  await page.getByLabel('Name of the blog').fill('Set here')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('banner')).toContainText('Set here')
})

test('axe finds nothing on the pages of operators, which can be read without scripts', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  test.slow()
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Astrid Axelsen'))
  await makeOperator(page, asOperator)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of PAGES) {
      await page.goto(`/admin/${path}`)
      await untilHydrated(page)
      for (const theme of ['dark', 'light'] as const) {
        await showTheme(page, theme)
        expect(await axeFindings(page), `${path} ${theme} ${width}`).toEqual([])
      }
    }
  }
  const plain = await visit({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  })
  for (const path of PAGES) {
    await plain.page.goto(`/admin/${path}`)
    await expect(plain.page.getByRole('link', { name: 'Blog settings' })).toBeVisible()
    await expect(plain.page.getByText('Loading...')).toHaveCount(0)
  }
})

/** Gives the role to the person who is signed in on this page. */
async function makeOperator(
  page: Page,
  asOperator: (path: string, data: object, method: 'PUT') => Promise<void>,
): Promise<void> {
  const account = await page.evaluate(async () => {
    const answer = await fetch('/v1/account', { headers: { 'x-appwrite-project': 'blog' } })
    return (await answer.json()) as { $id: string }
  })
  await asOperator(`/v1/users/${account.$id}/labels`, { labels: ['operator'] }, 'PUT')
}
