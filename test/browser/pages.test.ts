// Pages of signed-in people: complete from the server, without further requests or layout shifts;
// and their behaviour when the session ends, the browser is offline or the request is invalid.
import type { Page, Route } from '@playwright/test'
import { expect, type Visitor } from '#test/support/browser-blog.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { test } from '#test/support/screen-audit.ts'
import { writePost } from '#test/support/write-post.ts'

const TITLE = 'A clock that is wrong on purpose'
/** HTML, styles, fonts and scripts of the feed with twelve cards, without images. */
const FEED_MAX_BYTES = 260_000
const SIGNED_OUT = 'You were signed out'

/** Signs out everywhere as another device would: the page gets no event. */
async function endSession({ context, page }: Visitor): Promise<void> {
  const { projectId } = await page.evaluate(() =>
    JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}'),
  )
  const headers = { 'x-appwrite-project': projectId, origin: new URL(page.url()).origin }
  expect((await context.request.delete('/v1/account/sessions', { headers })).status()).toBe(204)
}

/** Collects layout shifts: their score, and each node with its old and new position. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
    type Shift = PerformanceEntry & { value: number; sources: Source[] }
    const place = ({ x, y, width, height }: DOMRect) => [x, y, width, height].join(' ')
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name = (node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 80)
          return `${name}: ${place(previousRect)} -> ${place(currentRect)}`
        })
        shifts.push(`${value}: ${moved.join(', ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

test('pages of signed-in people arrive complete, request nothing again and do not shift', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('wiebke'))
  const shifts = await watchShifts(page)
  const calls: string[] = []
  let bytes = 0
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  // A slow device paints what it has parsed so far.
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/v1\/(account|databases)/.test(pathname)) calls.push(pathname)
  })
  await page.route(/\/(preview|initials)\?/, (route) => route.fulfill({ status: 204 }))
  await page.goto('/post', { waitUntil: 'networkidle' })
  await untilHydrated(page)
  expect([calls, await shifts()]).toEqual([[], []])
  expect(bytes).toBeLessThan(FEED_MAX_BYTES)
  for (const path of ['/dashboard', '/settings']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await untilHydrated(page)
    expect([path, calls, await shifts()]).toEqual([path, [], []])
  }
  const answer = await context.request.get('/post')
  const html = await answer.text()
  expect(answer.headers()['cache-control']).toBe('private, no-store')
  expect(html.match(/<article/g)).toHaveLength(12)
  const [session] = seeded.cookiesOf('wiebke')
  expect(html).not.toContain(session?.value)
})

test('unsaved text stored on the device appears on the dashboard without a layout shift', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context } = await visit()
  const cookies = seeded.cookiesOf('tobias')
  await context.addCookies(cookies)
  const headers = { 'x-appwrite-project': 'blog' }
  const { $id } = await (await context.request.get('/v1/account', { headers })).json()
  await page.addInitScript((userId) => {
    for (const id of ['one', 'two']) {
      const draft = { id, title: `Kept ${id}`, slug: '', status: 'active' }
      const text = { content: '<p>Not lost</p>', changedAt: new Date().toISOString() }
      localStorage.setItem(`draft/${userId}//${id}`, JSON.stringify({ ...draft, ...text }))
    }
  }, $id)
  const shifts = await watchShifts(page)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard', { waitUntil: 'networkidle' })
    await expect(page.getByText('only on this device')).toHaveCount(2)
    await expect(page.getByRole('heading', { name: 'Your posts' })).toBeVisible()
    expect([width, await shifts()]).toEqual([width, []])
  }
})

test('the theme of the account applies before any script on a device without a theme of its own', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Lena Light'))
  await page.getByRole('button', { name: 'Theme', exact: true }).click()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await saved
  const cookies = await context.cookies()
  expect(cookies.find(({ name }) => name === 'blog_theme')).toMatchObject({
    value: 'light',
    sameSite: 'Lax',
  })
  const other = await visit({ javaScriptEnabled: false })
  await other.context.addCookies(cookies.filter(({ name }) => name !== 'blog_theme'))
  await other.page.goto('/dashboard')
  await expect(other.page.locator('html')).toHaveAttribute('data-theme', 'light')

  // --- without scripts, pages can be read, and parts that need scripts say so ---
  const notice = other.page.locator('main noscript').locator('b, h1')
  await expect(notice).toHaveText('This page needs JavaScript.')
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Lena Light')
  await other.page.goto('/add-post')
  await expect(notice).toHaveText('This page needs JavaScript.')
  await expect(other.page.getByLabel('Title')).toBeHidden()
  await other.context.clearCookies()
  await other.page.goto('/settings')
  await expect(other.page).toHaveURL('/login?next=%2Fsettings')
  await expect(notice).toBeVisible()
})

test('a like after the session has ended says so and offers no retry', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const visitor = await visit()
  const { page, expectFault } = visitor
  expectFault(/status of 401/)
  await signUp(page, makeNewcomer('Lou Late'))
  await page.goto(seeded.postPath(TITLE))
  await untilHydrated(page)
  await endSession(visitor)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: `${SIGNED_OUT}.` })).toBeVisible()
  await expect(page.getByText('Your like was not saved.')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByText('Sign in and you are back at “the post”.')).toBeVisible()
})

test('after somebody else signs in, the page becomes theirs and shows nothing of the previous user', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('tobias'))
  await page.goto('/dashboard')
  await untilHydrated(page)
  await expect(page.getByRole('link', { name: TITLE, exact: true })).toBeVisible()
  await context.addCookies(seeded.cookiesOf('pia'))
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account menu, Pia Lindqvist' })).toBeVisible()
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Pia Lindqvist')
  await expect(page.getByRole('link', { name: TITLE, exact: true })).toHaveCount(0)
})

test('a page opened offline says so and loads when the connection is back', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/ERR_INTERNET_DISCONNECTED/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto('/post')
  await untilHydrated(page)
  const offline = page.getByRole('heading', { level: 1, name: 'You are offline' })

  // --- the code of the page is missing ---
  await context.setOffline(true)
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await expect(offline).toBeVisible()
  await expect(page.getByText('Waiting for a connection')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()

  // --- the data of the page are missing ---
  await page.goBack()
  await page.getByRole('link', { name: TITLE }).click()
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
  await page.goBack()
  await context.setOffline(true)
  const card = page.getByRole('article').nth(1).getByRole('link').first()
  const name = (await card.textContent()) ?? ''
  await card.click()
  await expect(offline).toBeVisible()
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('a post opened offline for the first time loads when the connection is back, even if the first retries fail', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  await context.addCookies(seeded.cookiesOf('wiebke'))
  await page.goto('/post')
  await untilHydrated(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: TITLE }).click()
  await expect(page.getByText('Waiting for a connection')).toBeVisible()
  // The code loads and the data do not, so the page begins to wait after the "online" event.
  let refused = 0
  const refuse = async (route: Route): Promise<void> => {
    refused += 1
    await route.abort()
  }
  await page.route(/\/documents\/[^/?]+/, refuse, { times: 2 })
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
  expect(refused).toBeGreaterThan(0)
})

test('pages refuse methods other than GET and HEAD, and addresses that cannot be decoded', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 40[05]/)
  await page.goto('/login')
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        action: '/post',
      })
      document.body.append(form)
      form.submit()
    }),
  ])
  expect([answer.status(), answer.headers().allow]).toEqual([405, 'GET, HEAD'])
  await untilHydrated(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!')
  await expect(page.getByText(/^405 Method Not Allowed/)).toBeVisible()
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await context.request.fetch('/dashboard', { method })).status()).toBe(405)
  expect((await page.goto('/100%'))?.status()).toBe(400)
  await untilHydrated(page)
  await expect(page.getByText(/^400 Bad Request/)).toBeVisible()
  const redirect = await context.request.head('/POST//?after=a', { maxRedirects: 0 })
  expect([redirect.status(), redirect.headers().location]).toEqual([301, '/post?after=a'])
})

test('a press on "Back" works even if the post arrives between press and release', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Bea Back'))
  const slug = await writePost(page.request, { title: 'Slow to come', content: '<p>x</p>' })
  await page.goto('/post')
  const devtools = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd', points: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  for (const pointer of ['mouse', 'finger']) {
    const release = await holdRequests(page, new RegExp(`/documents/${slug}\\?`))
    const card = page.getByRole('link', { name: 'Slow to come', exact: true })
    await card.click()
    await expect(page).toHaveURL(new RegExp(`/post/${slug}`))
    const back = page.getByRole('button', { name: 'Back', exact: true })
    await back.hover()
    const { x, y } = (await back.boundingBox()) ?? { x: 0, y: 0 }
    if (pointer === 'mouse') await page.mouse.down()
    else await touch('touchStart', [{ x: x + 9, y: y + 9 }])
    release()
    await expect(page.getByRole('heading', { name: 'Slow to come', level: 1 })).toBeVisible()
    if (pointer === 'mouse') await page.mouse.up()
    else await touch('touchEnd', [])
    await expect(page).toHaveURL(/\/post$/)
    await expect(card).toBeFocused()
  }
})
