// The operator pages: who may open them, and what operators do there.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { SQUARE, svg } from '#test/support/logos.ts'
import { expect, makeOperator, test } from '#test/support/operator-blog.ts'
import { makeNewcomer, pressPair, signUp, untilHydrated } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const PAGES = ['', 'people', 'posts', 'queue', 'activity', 'settings', 'backups', 'mails', 'import']

test('the operator pages answer 404 to guests and authors, and open for operators', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
})

test('an operator changes the name of the blog, and the header shows it', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Nana Nord'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await page.getByLabel('Name of the blog').fill(' ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByLabel('Name of the blog')).toBeFocused()
  await expect(page.getByLabel('Name of the blog')).toHaveAccessibleDescription(
    /Write a name first\./,
  )
  await page.getByLabel('Name of the blog').fill('The <b>North</b> Lamp')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('The <b>North</b> Lamp')
  await expect(page).toHaveTitle(/· The <b>North<\/b> Lamp$/)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByLabel('By invitation').check()
  await saved
  await page.reload()
  await expect(page.getByRole('banner')).toContainText('The <b>North</b> Lamp')
  await expect(page.getByLabel('By invitation')).toBeChecked()
  await untilHydrated(page)
  await page.getByRole('radio', { name: /^Anyone/ }).check()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Anyone/ })).toBeChecked()
})

test('an operator invites, blocks and unblocks people, and Activity lists each action', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const other = await visit()
  const spammer = makeNewcomer('Deals and Savings')
  await signUp(other.page, spammer)
  const { page, expectFault } = await visit()
  expectFault(/status of 400/)
  await signUp(page, makeNewcomer('Inge Ibsen'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/people')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const drawer = page.getByRole('dialog', { name: 'Invite somebody' })
  await expect(drawer.getByLabel('Email')).toBeFocused()
  await drawer.getByLabel('Email').fill('nobody')
  await page.keyboard.press('Enter')
  await expect(drawer.getByLabel('Email')).toHaveAccessibleDescription(/email/)
  await drawer.getByLabel('Email').fill('paul@example.test')
  await drawer.getByLabel('Role').selectOption('reader')
  await drawer.getByRole('button', { name: 'Create invitation' }).click()
  const link = page.getByRole('dialog', { name: 'An invitation for paul@example.test' })
  await expect(link.getByLabel(/^Link/)).toHaveValue(/\/invitation\?/)
  await link.getByRole('button', { name: 'Done' }).click()
  await expect(rowOf(page, 'paul@example.test')).toContainText('invited')
  await pressInMenu(page, 'paul@example.test', 'Withdraw invitation')
  const withdrawing = page.getByRole('alertdialog', { name: /^Withdraw the invitation/ })
  await withdrawing.getByRole('button', { name: 'Withdraw invitation' }).click()
  await expect(rowOf(page, 'paul@example.test')).toHaveCount(0)

  await pressInMenu(page, spammer.name, 'Block')
  const question = page.getByRole('alertdialog', { name: 'Block Deals and Savings?' })
  await question.getByLabel('Reason, for Activity').fill('<i>Advertising</i>')
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(rowOf(page, spammer.name)).toContainText('blocked')
  await expect(rowOf(page, spammer.name)).toContainText('<i>Advertising</i>')
  await pressInMenu(page, spammer.name, 'Unblock')
  await expect(page.getByText('Deals and Savings is unblocked.')).toBeVisible()
  await expect(rowOf(page, spammer.name)).not.toContainText('blocked')
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByText('Inge Ibsen blocked Deals and Savings')).toContainText(
    'reason: <i>Advertising</i>',
  )
  other.expectFault(/status of 401/)
})

test('a role change is saved at once and can be undone, the last operator keeps the role, and deleting an account asks for its name', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const other = await visit()
  const tomas = makeNewcomer('Tomas Okafor')
  await signUp(other.page, tomas)
  const { page, expectFault } = await visit()
  const operator = makeNewcomer('Rikke Ravn')
  await signUp(page, operator)
  await makeOperator(page, asOperator)
  await page.goto(`/admin/people?search=${encodeURIComponent('Tomas Ok')}`)
  await untilHydrated(page)
  const role = page.getByLabel('Role of Tomas Okafor')
  await role.selectOption('reader')
  await expect(page.getByText('Tomas Okafor is a reader now.')).toBeVisible()
  await expect(role).toHaveValue('reader')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(role).toHaveValue('author')
  await role.selectOption('operator')
  await page.getByRole('button', { name: 'Make operator' }).click()
  await expect(role).toHaveValue('operator')
  await role.selectOption('author')
  await expect(role).toHaveValue('author')

  await pressInMenu(page, tomas.name, 'Create sign-in link')
  const link = page.getByRole('dialog', { name: 'A sign-in link for Tomas Okafor' })
  await link.getByRole('button', { name: 'Copy' }).click()
  await expect(link.getByText(/^Copied\./)).toBeVisible()
  await link.getByRole('button', { name: 'Withdraw the link' }).click()
  await expect(page.getByText('The link no longer works.')).toBeVisible()

  await pressInMenu(page, tomas.name, 'Delete account')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('0 posts, 0 comments and 0 files are deleted permanently.')
  const confirm = question.getByRole('button', { name: 'Delete account' })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await question.getByLabel('Type Tomas Okafor to confirm').fill('Tomas Okafor')
  await confirm.click()
  await expect(page.getByText('Nobody found.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  expectFault(/status of 409/)
  await page.goto(`/admin/people?role=operator`)
  await untilHydrated(page)
  for (const select of (await page.getByLabel(/^Role of (?!Rikke)/).all()).reverse())
    await select.selectOption('author')
  await page.getByLabel('Role of Rikke Ravn').selectOption('author')
  await page.getByRole('button', { name: 'Give it up' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('The blog needs an operator.')
  other.expectFault(/status of 401/)
})

test('a post is hidden with a reason, shown, removed and restored by keyboard at 390 px', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Frode Friis'))
  await writePost(author.page, 'Ferries I have missed')
  const { page } = await visit({ viewport: { width: 390, height: 844 } })
  await signUp(page, makeNewcomer('Kirsten Kjeld'))
  await makeOperator(page, asOperator)
  await page.goto('/dashboard')
  await untilHydrated(page)
  await pressPair(page, 'g', 'a')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('link', { name: 'Posts', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Posts')
  const more = page.getByRole('button', { name: 'More for Ferries I have missed' })
  await more.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Reason, for Activity')).toBeFocused()
  await page.keyboard.type('Advertising')
  await page.getByRole('button', { name: 'Hide from everybody' }).press('Enter')
  await expect(page.getByText('“Ferries I have missed” is hidden.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(more).toBeVisible()
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Close comments' }).press('Enter')
  await expect(
    page.getByText('The comments under “Ferries I have missed” are closed.'),
  ).toBeVisible()
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Open comments' }).press('Enter')
  await expect(page.getByText('The comments under “Ferries I have missed” are open.')).toBeVisible()
  await more.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(more).toHaveCount(0)
  await page.getByLabel('Which posts').selectOption('removed')
  await page.getByRole('button', { name: 'Restore Ferries I have missed' }).press('Enter')
  await expect(page.getByText(/is back, as a draft/)).toBeVisible()
})

test('an operator chooses an accent colour by keyboard at 390 px, and every page stays readable', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  test.slow()
  const { page } = await visit()
  await page.setViewportSize({ width: 390, height: 800 })
  await signUp(page, makeNewcomer('Amber Aas'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await page.getByRole('radio', { name: 'Butter' }).focus()
  await page.keyboard.press('ArrowRight')
  const value = page.getByLabel('Or a value')
  await expect(value).toHaveValue('#f4a988')
  await expect(page.getByText('Light theme, adjusted')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(value).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('#00')
  await page.keyboard.press('Enter')
  await expect(value).toHaveAccessibleDescription(/Write a hex colour/)
  await page.keyboard.type('FF00')
  await expect(page.getByText(/too pale to read/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await showTheme(page, 'dark')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toHaveCSS('background-color', 'rgb(0, 255, 0)')
  for (const path of ['/admin/settings', '/post', '/dashboard']) {
    await page.goto(path)
    await untilHydrated(page)
    for (const theme of ['dark', 'light'] as const) {
      await showTheme(page, theme)
      expect(await axeFindings(page), `${path} ${theme}`).toEqual([])
    }
  }
  const guest = await visit()
  const readGuestPage = async () => (await guest.page.request.get('/login')).text()
  expect(await readGuestPage()).toMatch(/<html[^>]*--accent:light-dark\(#[\da-f]{6}, #00ff00\)/)
  await asOperator('/v1/site', { accent: '#f6dc8f' })
  expect(await readGuestPage()).not.toContain('--accent:')
})

test('an operator uploads a logo, which the header shows, and returns to the default lamp', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page, expectFault } = await visit()
  await signUp(page, makeNewcomer('Lone Lind'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  const choose = page.getByLabel('Choose a picture', { exact: true }).and(page.locator('input'))
  const uploadSvg = (text: string) =>
    choose.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(text) })
  expectFault(/status of 403/)
  await uploadSvg(svg('<script>alert(1)</script>'))
  await expect(page.getByText(/This picture cannot be the logo/)).toBeVisible()
  await uploadSvg(SQUARE)
  const logo = page.getByRole('banner').locator('img.brand-mark')
  await expect(logo).toHaveJSProperty('naturalWidth', 64)
  await page.goto('/post')
  await expect(logo).toHaveJSProperty('naturalWidth', 64)
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/logo\/.*192\.png$/)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Use the lamp' }).press('Enter')
  await expect(logo).toHaveCount(0)
  await expect(page.getByRole('banner').locator('svg.brand-mark')).toBeVisible()
  await expect(page.locator('button', { hasText: 'Choose a picture' })).toBeFocused()
})

test('saving settings that another operator changed meanwhile shows their values instead of overwriting them', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mette Munk'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await asOperator('/v1/site', { siteName: 'Set elsewhere', registration: 'open' })
  await page.getByLabel('Name of the blog').fill('Set here')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/Somebody else has changed this meanwhile/)).toBeVisible()
  await expect(page.getByLabel('Name of the blog')).toHaveValue('Set elsewhere')
  await page.getByLabel('Name of the blog').fill('Set here')
  await page.getByLabel('Name of the blog').press('Enter')
  await expect(page.getByRole('banner')).toContainText('Set here')
  await expect(page.getByLabel('Name of the blog')).toBeFocused()
})

test('choices made quickly with arrow keys are saved in order, and the last one wins', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Quentin Quist'))
  await makeOperator(page, asOperator)
  await asOperator('/v1/site', { registration: 'open' })
  await page.goto('/admin/settings')
  await untilHydrated(page)
  await page.getByLabel('Or a value').fill('#00')
  await page.getByRole('radio', { name: /^Anyone/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const last = page.getByRole('radio', { name: /^Nobody/ })
  await expect(last).toBeFocused()
  const headers = { 'x-appwrite-project': 'blog' }
  const readSite = async () => (await page.request.get('/v1/site', { headers })).json()
  await expect.poll(readSite).toMatchObject({ registration: 'closed' })
  await expect(last).toBeChecked()
  await expect(page.getByText(/Somebody else has changed/)).toHaveCount(0)
  await expect(page.getByLabel('Or a value')).toHaveValue('#00')
  await asOperator('/v1/site', { registration: 'open' })
})

test('axe reports no violations on the operator pages, which are readable without scripts', {
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
      // Structure is the same in both themes; colours are not.
      await showTheme(page, 'dark')
      expect(await axeFindings(page), `${path} dark ${width}`).toEqual([])
      await showTheme(page, 'light')
      expect(await axeFindings(page, ['color-contrast']), `${path} light ${width}`).toEqual([])
    }
  }
  const plain = await visit({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  })
  for (const path of PAGES) {
    await plain.page.goto(`/admin/${path}`)
    const links = plain.page.getByRole('navigation', { name: 'Manage blog' })
    await expect(links.getByRole('link', { name: 'Blog settings' })).toBeVisible()
    await expect(plain.page.getByText('Loading...')).toHaveCount(0)
  }
})

function rowOf(page: Page, name: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
}

async function pressInMenu(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Writes a post through the API, as the user who is signed in on this page. */
async function writePost(page: Page, title: string): Promise<void> {
  const status = await page.evaluate(async (title) => {
    const headers = { 'x-appwrite-project': 'blog', 'content-type': 'application/json' }
    const account = await (await fetch('/v1/account', { headers })).json()
    const data = {
      title,
      content: '<p>Words.</p>',
      status: 'active',
      featuredImage: '',
      userid: account.$id,
      userName: account.name,
    }
    const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
    const path = `/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`
    const body = JSON.stringify({ documentId: 'unique()', data })
    return (await fetch(path, { method: 'POST', headers, body })).status
  }, title)
  expect(status).toBe(201)
}
