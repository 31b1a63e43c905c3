// Input made before the app has loaded is handled once it has.
import type { Page } from '@playwright/test'
import { expect } from '#test/support/browser-blog.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { untilHydrated } from '#test/support/people.ts'
import { test } from '#test/support/screen-audit.ts'

const APP = /\/assets\/(main|app)-[^/]+\.js$/
const TITLE = 'A clock that is wrong on purpose'

/** Opens a page whose app loads only when the returned function is called. */
async function openWithoutApp(page: Page, path: string): Promise<() => void> {
  const release = await holdRequests(page, APP)
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

/** Navigates like a link of the app, without loading a document. */
async function goWithoutLoading(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({ idx: 1, key: 'next', usr: null }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
}

test('the sign-in form loads no app until a person touches it, unless the form says why the visitor was sent there', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  const app = page.locator('script[type=module]')
  for (const path of ['/login', '/signup']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await app.count(), path).toBe(0)
  }
  await page.getByLabel('Email', { exact: true }).focus()
  await untilHydrated(page)
  await page.goto('/dashboard')
  await untilHydrated(page)
  await expect(page).toHaveURL(/\/login$/)
})

test('skip links work before the app has loaded and add no entry to the history', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page } = await visit()
  const release = await openWithoutApp(page, seeded.postPath(TITLE))
  const home = page.getByRole('link', { name: 'home', exact: true })
  const navigation = page.getByRole('link', { name: 'Skip to navigation' })
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await navigation.press('Enter')
  await expect(home).toBeFocused()
  await expect(page).toHaveURL(/\/post\/[^#]+$/)
  release()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(home).toBeFocused()

  const bar = page.getByRole('button', { name: 'Bottom bar' })
  await bar.click()
  await expect(home).toBeHidden()
  const releaseAgain = await openWithoutApp(page, seeded.postPath(TITLE))
  await navigation.press('Enter')
  await expect(bar).toBeFocused()
  releaseAgain()
})

test('a skip link whose target has not been parsed yet leads there once it has', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page } = await visit()
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/held.js', async (route) => {
    await promise
    await route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  await page.route(`**${seeded.postPath(TITLE)}`, async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    const body = (await response.text()).replace(
      '<nav class="bottom-bar"',
      '<script src="/held.js"></script>$&',
    )
    await route.fulfill({ response, headers, body })
  })
  await openWithoutApp(page, seeded.postPath(TITLE))
  await page.getByRole('link', { name: 'Skip to navigation' }).press('Enter')
  release()
  await expect(page.getByRole('link', { name: 'home', exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/post\/[^#]+$/)
})

test('going back before the app has loaded shows the previous page, also to a visitor whose page needs no app', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const reader = await visit()
  await reader.context.addCookies(seeded.cookiesOf('wiebke'))
  const visitor = await visit()
  for (const [{ page }, before] of [
    [reader, '/dashboard'],
    [visitor, '/forgot'],
  ] as const) {
    await page.goto(before)
    await untilHydrated(page)
    await goWithoutLoading(page, seeded.postPath(TITLE))
    await expect(page).toHaveTitle(new RegExp(TITLE))
    const release = await holdRequests(page, APP)
    await page.reload({ waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    await page.evaluate(() => history.back())
    release()
    await expect(page.getByRole('heading', { level: 1, name: /^(Welcome|Forgot)/ })).toBeVisible()
    await expect(page).toHaveURL((url) => url.pathname === before)
    await expect(page).not.toHaveTitle(new RegExp(TITLE))
  }
})

test.describe('when the app fails to load', () => {
  for (const path of ['/login', 'a post'] as const) {
    test(`the page says so and loads it at the next interaction: ${path}`, {
      tag: '@more',
    }, async ({ visit, seeded }) => {
      const visitor = await visit()
      const { page } = visitor
      visitor.expectFault(/ERR_FAILED|\.js/)
      await page.route(APP, (route) => route.abort())
      await page.goto(path === 'a post' ? seeded.postPath(TITLE) : path)
      const theme = page.getByRole('button', { name: 'Theme' })
      await theme.focus()
      const notice = page.getByText(
        'This page did not load completely. Check your connection and try again.',
      )
      await expect(notice).toBeVisible()
      await page.unroute(APP)
      await page.getByRole('heading', { level: 1 }).click()
      await theme.click()
      await expect(theme).toHaveAttribute('aria-expanded', 'true')
      await expect(notice).toBeHidden()
    })
  }
})

test('without scripts a page with a form says that it needs them and shows no form', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit({ javaScriptEnabled: false })
  const { page } = visitor
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await expect(page.locator('main noscript p')).toBeVisible()
    await expect(page.locator('form:visible')).toHaveCount(0)
    await expect(page.locator('form')).toHaveAttribute('method', 'post')
  }
})

test('text typed and options chosen on a new post before its form is ready remain and are saved', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('wiebke'))
  const release = await openWithoutApp(page, '/add-post')
  const title = page.getByLabel('Title', { exact: true })
  await title.fill('Struck before')
  await page.getByLabel('Status').selectOption('inactive')
  release()
  await untilHydrated(page)
  await title.pressSequentially(' and after')
  await expect(title).toHaveValue('Struck before and after')
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
  await expect(page.getByText(/^Saved \d\d:\d\d/).first()).toBeVisible()
  await page.reload()
  await expect(title).toHaveValue('Struck before and after')
})

test('text typed on a new post before the app has loaded remains, even when the app re-renders the page', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const visitor = await visit()
  const { page, context } = visitor
  visitor.expectFault(/#418/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  // A browser extension or a proxy has changed the page.
  await page.route('**/add-post', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('New post</h1>', 'New post <i>changed</i></h1>')
    await route.fulfill({ response, body })
  })
  const release = await openWithoutApp(page, '/add-post')
  const title = page.getByLabel('Title', { exact: true })
  await expect(page.getByText('changed')).toBeVisible()
  await title.fill('Struck before')
  await page.getByLabel('Status').selectOption('inactive')
  const field = await title.elementHandle()
  release()
  await untilHydrated(page)
  await expect(page.getByText('changed')).toHaveCount(0)
  expect(await field?.evaluate((element) => element.isConnected)).toBe(false)
  await expect(title).toHaveValue('Struck before')
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
  await expect(page.getByText(/^Saved \d\d:\d\d/).first()).toBeVisible()
})
