// The shell of the seeded blog by keyboard: skip links, shortcuts, themes.
import type { Page } from '@playwright/test'
import { expect } from '#test/support/browser-blog.ts'
import { pressPair, startApp, untilHydrated } from '#test/support/people.ts'
import { test } from '#test/support/screen-audit.ts'

const TITLE = 'A clock that is wrong on purpose'
const list = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('keyboard shortcuts navigate, are ignored while typing and can be turned off', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto(seeded.postPath(TITLE))
  const heart = page.getByRole('button', { name: /^Like this post/ })
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()

  await page.keyboard.press('?')
  await expect(list(page)).toBeVisible()
  await expect(list(page).getByRole('term')).toHaveText([
    'g then f',
    'g then d',
    'g then n',
    'n',
    'l',
    'c',
    'r',
    '/',
    '?',
  ])
  await page.keyboard.press('n') // the open dialog blocks shortcuts of the page
  await expect(list(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list(page)).toHaveCount(0)

  const wasLiked = await heart.getAttribute('aria-pressed')
  await page.keyboard.press('l')
  await expect(heart).toHaveAttribute('aria-pressed', wasLiked === 'true' ? 'false' : 'true')
  await pressPair(page, 'g', 'f')
  await expect(page).toHaveURL(/\/post$/)
  await expect(page.getByRole('heading', { level: 1, name: 'All posts' })).toBeFocused()
  await pressPair(page, 'g', 'd')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/\/add-post$/)

  const title = page.getByLabel('Title', { exact: true })
  await title.pressSequentially('gd?nl')
  await expect(title).toHaveValue('gd?nl')
  await expect(list(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/add-post$/)
  await title.fill('')

  await page.goto('/post')
  const opener = page.getByRole('button', { name: 'Keyboard shortcuts' })
  await opener.click()
  await list(page).getByLabel('Use these shortcuts on this device').uncheck()
  await list(page).getByRole('button', { name: 'Close' }).click()
  await expect(opener).toBeFocused()
  await page.reload()
  await expect(page.getByRole('link', { name: TITLE })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await opener.click() // the dialog can still be opened to turn shortcuts on again
  await expect(list(page).getByLabel('Use these shortcuts on this device')).not.toBeChecked()
  await expect(page).toHaveURL(/\/post$/)
})

test('skip links lead past the header to the content and to the navigation', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page } = await visit()
  await page.goto(seeded.postPath(TITLE))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('main').getByRole('link').or(page.getByRole('main').getByRole('button')).first(),
  ).toBeFocused()
  await page.getByRole('link', { name: 'Skip to navigation' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'home', exact: true })).toBeFocused()
})

test('a theme chosen before signing in applies at the first paint, also on a page whose app has not loaded', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page } = await visit({ colorScheme: 'light' })
  await page.goto('/login')
  expect(await readColours(page)).toEqual({
    theme: 'dark',
    scheme: 'dark',
    isLight: false,
    bars: '#091a1f',
  })
  await page.getByRole('radio', { name: 'Light' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.goto(seeded.postPath(TITLE))
  expect(await readColours(page)).toEqual({
    theme: 'light',
    scheme: 'light',
    isLight: true,
    bars: '#f6fafa',
  })
  await page.evaluate(() => localStorage.setItem('theme', 'system'))
  await page.reload()
  expect(await readColours(page)).toEqual({
    theme: 'system',
    scheme: 'light dark',
    isLight: true,
    bars: '#f6fafa',
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  expect(await readColours(page)).toEqual({
    theme: 'system',
    scheme: 'light dark',
    isLight: false,
    bars: '#091a1f',
  })
})

/**
 * The theme of the page, whether its background is light, and the colour for the browser's bars.
 */
async function readColours(
  page: Page,
): Promise<{ theme: string | undefined; scheme: string; isLight: boolean; bars: string | null }> {
  return await page.evaluate(() => {
    const root = document.documentElement
    const [lightness = 0] = (getComputedStyle(root).backgroundColor.match(/[\d.]+/g) ?? []).map(
      Number,
    )
    return {
      theme: root.dataset.theme,
      scheme: getComputedStyle(root).colorScheme,
      isLight: lightness > 0.5 && lightness <= 1,
      bars: document.querySelector('meta[name=theme-color]')?.getAttribute('content') ?? null,
    }
  })
}

test('closing the like dialog or a toast returns the focus to the like button', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const guest = await visit()
  await guest.page.goto(seeded.postPath(TITLE))
  const heartOf = (page: Page) => page.getByRole('button', { name: /^Like this post/ })
  const signInDialog = guest.page.getByRole('dialog', { name: 'Sign in to like' })
  await startApp(guest.page)
  for (const close of ['Escape', 'Not now']) {
    await heartOf(guest.page).press('Enter')
    await expect(signInDialog.getByRole('link', { name: 'Sign in' })).toBeFocused()
    if (close === 'Escape') await guest.page.keyboard.press(close)
    else await signInDialog.getByRole('button', { name: close }).press('Enter')
    await expect(signInDialog).toHaveCount(0)
    await expect(heartOf(guest.page)).toBeFocused()
  }

  const { page, context, expectFault } = await visit()
  expectFault(/ERR_INTERNET_DISCONNECTED/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto(seeded.postPath(TITLE))
  await untilHydrated(page)
  await page.route('**/documents/*', (route) => route.abort('internetdisconnected'))
  await heartOf(page).press('Enter')
  await expect(page.getByText('Your like was not saved.')).toBeVisible()
  await page.unroute('**/documents/*')
  await page.keyboard.press('F8')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heartOf(page)).toBeFocused()
})

test('an address that cannot be decoded answers 400', { tag: '@more' }, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 400/)
  const answer = await page.goto('/post/%E0%A4%A')
  expect(answer?.status()).toBe(400)
  await expect(page.getByText('400 Bad Request')).toBeVisible()
})

test('a page whose code fails to load says so inside the app and opens when the network is back', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/ERR_INTERNET_DISCONNECTED/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto(seeded.postPath(TITLE))
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  const offline = page.getByRole('heading', { level: 1, name: 'You are offline' })
  await expect(offline).toBeFocused()
  await expect(page.getByText('Waiting for a connection')).toBeVisible()
  await page.getByRole('link', { name: 'addPost' }).click()
  await expect(page).toHaveURL(/\/add-post$/)
  await page.goBack()
  await expect(offline).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
})

test('a page whose code disappeared with a deployment reloads once by itself', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 404/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto(seeded.postPath(TITLE))
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await page.route('**/assets/feed-page-*.js', (route) =>
    documents.length > 0 ? route.continue() : route.fulfill({ status: 404 }),
  )
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'All posts' })).toBeVisible()
  expect(documents).toEqual(['/post'])
  await untilHydrated(page) // before hydration a link loads a document

  await page.route('**/assets/dashboard-page-*.js', (route) =>
    documents.length > 2 ? route.continue() : route.fulfill({ status: 404 }),
  )
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  const retry = page.getByRole('button', { name: 'Try again' })
  await expect.poll(() => documents).toEqual(['/post', '/dashboard'])
  await expect(retry).toBeVisible()
  await retry.click()
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  expect(documents).toEqual(['/post', '/dashboard', '/dashboard'])
})

test('a date uses the reader’s language and time zone before and after the app starts', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const timeZone = 'Pacific/Kiritimati'
  const { page } = await visit({ locale: 'de-DE', timezoneId: timeZone })
  await page.goto(seeded.postPath(TITLE))
  const date = page.getByRole('article').locator('time[data-date]').first()
  const time = (await date.getAttribute('datetime')) ?? ''
  const formattedDate = new Intl.DateTimeFormat('de-DE', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  }).format(new Date(time))
  expect(formattedDate).toMatch(/^\d+\. /)
  await expect(date).toHaveText(formattedDate)
  await expect(page.locator('script[type=module]')).toHaveCount(0)
  await startApp(page)
  await page.keyboard.press('?')
  await expect(list(page)).toBeVisible()
  await expect(date).toHaveText(formattedDate)
})
