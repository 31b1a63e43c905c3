// Pages for members only: the sign-in form explains why a visitor sees it, and leads back.
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import {
  makeNewcomer,
  type Newcomer,
  signUp,
  startApp,
  untilHydrated,
} from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const ELSEWHERE = 'http://elsewhere.test/'
const author = makeNewcomer('Dora Door')
let path = ''

/** Writes one post in the first test that runs. */
async function preparePost({ page, context }: { page: Page; context: BrowserContext }) {
  if (path) return
  await signUp(page, author)
  const content = '<p>Read.</p><p>#doors</p>'
  path = `/post/${await writePost(context.request, { title: 'Behind no door', content })}`
  await context.clearCookies()
}

async function fillIn(page: Page, { email, password }: Newcomer): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a visitor who follows "All posts" sees why they must sign in, and returns with one press', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await preparePost(visitor)
  const { page } = visitor
  await page.goto(path)
  await page.getByRole('article').getByRole('link', { name: 'All posts' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Sign in to see all posts' })).toHaveText(
    'Sign in to see all postsThis blog shows its list to members. You come straight back to it.',
  )
  await page.getByRole('link', { name: 'Back to the post' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Behind no door')
  await page.getByRole('article').getByRole('link', { name: 'All posts' }).click()
  await fillIn(page, author)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All posts')
  await expect(page.getByRole('link', { name: 'continue' })).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('a visitor who follows a tag sees why they must sign in, and then reaches its page', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await preparePost(visitor)
  const { page } = visitor
  await page.goto(path)
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'doors' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(
    page.getByRole('status').filter({ hasText: 'Sign in to see all posts' }),
  ).toBeVisible()
  await fillIn(page, author)
  await expect(page).toHaveURL(/\/tag\/doors$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('#doors')
})

test('a visitor who likes a post sees why they must sign in, and returns to the post', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await preparePost(visitor)
  const { page } = visitor
  await page.goto(path)
  await page.getByRole('button', { name: /like/i }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click()
  await expect(page.getByText('Sign in to like this post')).toBeVisible()
  await fillIn(page, author)
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Behind no door')
})

test('the sign-in form names the page that needs it and offers it after signing in, but not after signing out', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await preparePost(visitor)
  const { page } = visitor
  await page.goto('/')
  await expect(page.getByText('Sign in to see all posts')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('Sign in to see your dashboard')).toBeVisible()
  await page.goto('/add-post')
  await expect(page.getByText('Sign in to write a post')).toBeVisible()
  await fillIn(page, author)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('link', { name: 'continue' })).toBeVisible()
  await untilHydrated(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: /Sign out/ }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByText('Sign in to see your settings')).toHaveCount(0)
})

test('"Back" leads a visitor to the previous site or home, never to the sign-in form', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  await preparePost(visitor)
  const { page, expectFault } = visitor
  await page.goto(path)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('home')
  await expect(page.getByRole('link', { name: 'view posts' })).toBeVisible()

  expectFault(/request to elsewhere/)
  const { origin } = new URL(page.url())
  await page.route(ELSEWHERE, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${origin}${path}">a post</a>` }),
  )
  await page.goto(ELSEWHERE)
  await page.getByRole('link', { name: 'a post' }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(ELSEWHERE)
})

test('the sign-up form requires a name and explains each error', { tag: '@more' }, async ({
  visit,
}) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 400/)
  await page.goto('/signup')
  await page.getByLabel('Password', { exact: true }).fill('long enough for this')
  const name = page.getByLabel('Name', { exact: true })
  const email = page.getByLabel('Email', { exact: true })
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(name).toHaveAccessibleDescription('Write your name. It is shown under your posts.')
  await name.fill('Nora Nameless')
  await email.fill('not an address')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(email).toHaveAccessibleDescription('Enter a valid email address.')
  await expect(page.locator('.alert')).toHaveText('Enter a valid email address.')
})

test('each public page has a description', { tag: '@more' }, async ({ visit }) => {
  const { page } = await visit()
  for (const path of ['/', '/login', '/signup', '/forgot']) {
    const html = await (await page.request.get(path)).text()
    expect(html.match(/<meta name="description" content="[^"]{20,}"/g), path).toHaveLength(1)
  }
})

/** Scrolls down step by step. @returns the controls of the footer that the bar covers */
async function findCovered(page: Page): Promise<{ covered: string[]; steps: number }> {
  return page.evaluate(async () => {
    const bar = document.querySelector('.bottom-bar ul')
    const controls = document.querySelectorAll('.footer :is(a, button, label)')
    const covered: string[] = []
    const end = document.documentElement.scrollHeight - innerHeight
    let steps = 0
    for (let top = 0; ; top = Math.min(end, top + 16)) {
      scrollTo({ top, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
      const edge = bar?.getBoundingClientRect()
      if (!edge || edge.top < 0 || edge.bottom > innerHeight + 0.5) covered.push(`no bar at ${top}`)
      for (const control of controls) {
        const box = control.getBoundingClientRect()
        if (edge && box.height > 0 && box.top < edge.bottom && box.bottom > edge.top)
          covered.push(`${control.textContent} at ${top}`)
      }
      steps++
      if (top >= end) return { covered, steps }
    }
  })
}

/** The texts that the bar covers at least partly. */
async function findUnderBar(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.querySelector('.bottom-bar ul')?.getBoundingClientRect().top ?? 0
    return [...document.querySelectorAll<HTMLElement>('main :is(a, button, input, label, p)')]
      .filter((element) => element.getBoundingClientRect().bottom > edge)
      .map((one) => one.innerText)
  })
}

test('at 1280 by 800 the bottom bar covers no part of the empty dashboard or the account forms', {
  tag: '@more',
}, async ({ visit }) => {
  const size = { viewport: { width: 1280, height: 800 } }
  const { page } = await visit(size)
  const mailedLink = '/verifyUserEmailLink?userId=a&secret=b'
  for (const path of ['/login', '/dashboard', '/signup', '/forgot', mailedLink]) {
    await page.goto(path)
    await startApp(page)
    expect(await findUnderBar(page), path).toEqual([])
  }
  await signUp(page, makeNewcomer('Bara Bar'))
  await expect(page.getByRole('link', { name: 'Write your first post' })).toBeVisible()
  expect(await findUnderBar(page)).toEqual([])
})

test('the focused element is never under the bottom bar', { tag: '@more' }, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 640, height: 400 } })
  for (const path of ['/signup', '/post']) {
    await page.goto(path)
    await startApp(page)
    for (let presses = 0; presses < 16; presses++) {
      await page.keyboard.press('Tab')
      const isUnder = await page.evaluate(() => {
        const bar = document.querySelector('.bottom-bar')
        const { activeElement: focused } = document
        if (!focused || focused === document.body || bar?.contains(focused)) return false
        const edge = bar?.getBoundingClientRect().top ?? 0
        const { top, bottom } = focused.getBoundingClientRect()
        return bottom > edge && top < edge
      })
      expect(isUnder, `${path}, ${presses}`).toBe(false)
    }
  }
})

test('the bottom bar is visible at every scroll position and covers no control of the footer', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await page.goto('/signup')
  await startApp(page)
  for (const [width, height] of [
    [1280, 600],
    [1280, 1100],
    [390, 844],
    [320, 568],
  ] as const) {
    const size = `${width} x ${height}`
    await page.setViewportSize({ width, height })
    const { covered, steps } = await findCovered(page)
    expect(covered, size).toEqual([])
    expect(steps, size).toBeGreaterThan(height < 700 ? 5 : 0)
    const gap = await page.evaluate(() => {
      const last = document.querySelector('main')?.lastElementChild?.getBoundingClientRect()
      const bar = document.querySelector('.bottom-bar ul')?.getBoundingClientRect()
      return (bar?.top ?? 0) - (last?.bottom ?? 0)
    })
    expect(gap, size).toBeGreaterThan(16)
  }
})
