// Pages of the blog, such as "About": an operator writes one and arranges the links to it, and
// readers find it in the header, in the menu of phones, in the footer and by its address.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, makeOperator, test as withOperators } from '#test/support/operator-blog.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const test = withOperators.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const headerLinks = (page: Page) => page.getByRole('navigation', { name: 'Pages' })

/** Writes and publishes a page in the form, by keyboard. */
async function writePage(page: Page, title: string, text: string): Promise<void> {
  await page.goto('/add-post?page')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'All fields' }).click()
  await page.getByLabel('Title').fill(title)
  const frame = page.frameLocator('iframe').first()
  await frame.locator('body').click()
  await page.keyboard.type(text)
  await page.getByRole('button', { name: 'Submit' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

test('an operator writes a page, and guests find it in the header and the footer', async ({
  visit,
  asOperator,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Pia Page'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/pages')
  await untilHydrated(page)
  await expect(page.getByText('No pages and links yet.')).toBeVisible()
  await writePage(page, 'About', 'We take the late train.')
  await expect(page).toHaveURL(/\/about$/)
  await expect(page.getByRole('button', { name: 'Like' })).toHaveCount(0)
  await expect(page.locator('main time')).toHaveCount(0)

  await page.goto('/admin/pages')
  await untilHydrated(page)
  const about = rowOf(page, 'About')
  await about.getByRole('switch', { name: /^In header ?, About$/ }).press('Space')
  await expect(headerLinks(page).getByRole('link', { name: 'About' })).toBeVisible()
  await about.getByRole('switch', { name: /^In footer ?, About$/ }).press('Space')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'About' })).toBeVisible()

  const guest = await visit({ javaScriptEnabled: false })
  await guest.page.goto('/post')
  await headerLinks(guest.page).getByRole('link', { name: 'About' }).click()
  await expect(guest.page).toHaveURL(/\/about$/)
  await expect(guest.page.getByText('We take the late train.')).toBeVisible()
  const current = headerLinks(guest.page).getByRole('link', { name: 'About' })
  await expect(current).toHaveAttribute('aria-current', 'page')
  const canonical = guest.page.locator('link[rel=canonical]')
  await expect(canonical).toHaveAttribute('href', /\/about$/)
  expect(await guest.page.locator('script[type="application/ld+json"]').innerText()).toContain(
    '"WebPage"',
  )
  await guest.page.goto('/post')
  await expect(guest.page.getByRole('main')).not.toContainText('About')
  await guest.page.goto('/search?q=late+train')
  await expect(guest.page.getByRole('main').getByRole('link', { name: 'About' })).toHaveAttribute(
    'href',
    '/about',
  )
})

test('an operator arranges pages and links by keyboard', async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lars Link'))
  await makeOperator(page, asOperator)
  await writePage(page, 'Contact', 'Write to us.')
  await page.goto('/admin/pages')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Add a link' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Add a link' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Ferry times')
  await form.getByLabel('Address').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Address')).toHaveAccessibleDescription(/Enter an address such as/)
  await form.getByLabel('Address').fill('https://example.org/ferry-times')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Ferry times')).toContainText('link to another site')
  await expect(
    headerLinks(page).getByRole('link', { name: /^Ferry times ?, on another site$/ }),
  ).toHaveAttribute('href', 'https://example.org/ferry-times')

  const up = page.getByRole('button', { name: 'Move Ferry times up' })
  await up.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Ferry times is now' })).toHaveText(
    /^Ferry times is now \w+ of \w+\s*$/,
  )
  await expect(up).toBeFocused()
  const names = page.getByRole('main').getByRole('heading', { level: 2 })
  const before = await names.allInnerTexts()
  expect(before.indexOf('Ferry times')).toBe(before.indexOf('Contact') - 1)

  for (const name of ['One', 'Two']) {
    await page.getByRole('button', { name: 'Add a link' }).press('Enter')
    await page.keyboard.type(name)
    await form.getByLabel('Address').fill(`/tag/${name.toLowerCase()}`)
    await page.keyboard.press('Enter')
    await expect(rowOf(page, name)).toBeVisible()
  }
  await rowOf(page, 'Contact')
    .getByRole('switch', { name: /In header/ })
    .press('Space')
  await expect(page.getByText('The header holds three. Switch one off first.')).toBeVisible()
  await rowOf(page, 'Two').getByRole('button', { name: 'More for Two' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(rowOf(page, 'Two')).toHaveCount(0)
  await expect(page.locator('[data-row] :focus')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('button', { name: 'More for Ferry times' })
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Ferry times is now' })).toBeAttached()
  await expect(menu).toBeFocused()
})

test('pages and their list have no violations in both themes and sizes', async ({
  visit,
  asOperator,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Axel Axe'))
  await makeOperator(page, asOperator)
  await writePage(page, 'Imprint', 'Names and addresses.')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/admin/pages', '/imprint']) {
      await page.goto(path)
      await untilHydrated(page)
      expect(await overflow(page), `${path} at ${width}`).toEqual([])
      for (const theme of ['dark', 'light'] as const) {
        await showTheme(page, theme)
        expect(await axeFindings(page), `${path} at ${width}, ${theme}`).toEqual([])
      }
    }
  }
})
