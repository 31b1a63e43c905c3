// The feed beyond its first page: more cards in place, an address for older posts, and returning to
// the same place.
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'

const POSTS = 30
/**
 * The style of a box whose image has a known colour, as the server or the browser writes it.
 */
const COLORED = /^background-color: ?(#[\da-f]{6}|rgb\(\d+, \d+, \d+\));?$/

// Not shared with other files: the feed must be empty at first, and nobody else may write to it.
const slowLists = new URL('../support/slow-lists.ts', import.meta.url)
const slowFile = join(tmpdir(), `slow-lists-${process.pid}`)
test.use({
  blogEnv: {
    BLOG_LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${slowLists}`,
    SLOW_LISTS: slowFile,
  },
})

/**
 * Writes posts with the calls that the form makes; "Post 30" is the newest.
 * @returns their ids, the oldest first
 */
async function fillBlog(page: Page, count = POSTS, name = 'Post'): Promise<string[]> {
  const base64 = (await drawPhoto('png', { width: 64, height: 36 })).toString('base64')
  return await page.evaluate(
    async ({ base64, count, name }) => {
      const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
      const project = { 'X-Appwrite-Project': settings.projectId as string }
      const form = new FormData()
      form.append('fileId', 'unique()')
      form.append(
        'file',
        new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'a.png', {
          type: 'image/png',
        }),
      )
      const file = await (
        await fetch(`/v1/storage/buckets/${settings.contentBucketId}/files`, {
          method: 'POST',
          headers: project,
          body: form,
        })
      ).json()
      const ids: string[] = []
      for (let index = 1; index <= count; index++) {
        const data = {
          title: `${name} ${index}`,
          content: `<p>Text ${index}</p>`,
          featuredImage: file.$id,
          status: 'active',
        }
        const answer = await fetch(
          `/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`,
          {
            method: 'POST',
            headers: { ...project, 'content-type': 'application/json' },
            body: JSON.stringify({ documentId: 'unique()', data }),
          },
        )
        ids.push((await answer.json()).$id)
      }
      return ids
    },
    { base64, count, name },
  )
}

test('"Load more" keeps the scroll position, older posts have an address, and going back restores the place', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  await signUp(page, makeNewcomer('Fay Feed'))
  await page.goto('/post')
  await page.getByRole('link', { name: 'Write the first post' }).click()
  await expect(page).toHaveURL(/\/add-post$/)
  const ids = await fillBlog(page)
  await page.goto('/post')
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(12)
  await expect(page.getByText('Showing 12 of 30')).toBeVisible()
  const rightOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    return Math.round((box?.x ?? 0) + (box?.width ?? 0))
  }
  for (const width of [1280, 900, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await rightOf(cards.last()), `end of the last row, ${width} px`).toBe(
      await rightOf(page.locator('.card-grid')),
    )
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(cards.first().locator('.card__media')).toHaveAttribute('style', COLORED)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(24)
  await expect(page.getByRole('link', { name: 'Post 18', exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/post$/)

  // --- back: the same cards, the same place, the same link ---
  const link = page.getByRole('link', { name: 'Post 9', exact: true })
  await link.scrollIntoViewIfNeeded()
  const scrollY = await page.evaluate(() => window.scrollY)
  expect(scrollY).toBeGreaterThan(500)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Post 9' })).toBeVisible()
  await expect(page.locator('.featured-image')).toHaveAttribute('style', COLORED)
  await page.goBack()
  await expect(cards).toHaveCount(24)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollY)
  await expect(link).toBeFocused()

  // --- also after reloading the post and from another site, but not after reloading the feed ---
  await link.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Post 9' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Post 9' })).toBeVisible()
  await page.goBack()
  await expect(cards).toHaveCount(24)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollY)
  await page.goto('about:blank')
  await page.goBack()
  await expect(cards).toHaveCount(24)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollY)
  await page.reload()
  await expect(cards).toHaveCount(12)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(24)

  // --- the address of older posts, in another tab too ---
  const older = page.getByRole('link', { name: 'Older posts' })
  const address = (await older.getAttribute('href')) ?? ''
  expect(address).toBe(`/post?after=${ids[6]}`)
  const redirect = await page.request.get(`/posts?after=${ids[6]}`, { maxRedirects: 0 })
  expect([redirect.status(), redirect.headers().location]).toEqual([301, address])
  const tab = await context.newPage()
  await tab.goto(address)
  await expect(tab.getByRole('article')).toHaveCount(6)
  await expect(tab.getByRole('link', { name: 'Post 6', exact: true })).toBeVisible()
  await expect(tab.getByText('You have reached the first post.')).toBeVisible()
  await tab.goto(`/post?after=${ids[12]}`)
  await expect(tab.getByRole('article')).toHaveCount(12)
  await expect(tab.getByText('You have reached the first post.')).toBeVisible()
  await older.click()
  await expect(page).toHaveURL(address)
  await expect(cards).toHaveCount(6)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(cards).toHaveCount(24)
  await page.goForward()
  await page.getByRole('link', { name: 'Newest posts' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await expect(cards).toHaveCount(12)

  // --- the post that marks the place is deleted ---
  expectFault(/status of 400/)
  await tab.goto(`/post/${ids[6]}`)
  await tab.getByRole('button', { name: 'Delete menu' }).click()
  await tab.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(tab).toHaveURL(/\/post$/)
  for (const invalidAddress of [
    address,
    '/post?after=%00',
    '/post?after=..',
    `/post?after=${'x'.repeat(100)}`,
  ]) {
    await tab.goto(invalidAddress)
    await expect(tab).toHaveURL(/\/post$/)
    await expect(tab.getByRole('article')).toHaveCount(12)
  }

  // --- no connection for a moment ---
  expectFault(/ERR_INTERNET_DISCONNECTED/)
  await page.route('**/documents?*', (route) => route.abort('internetdisconnected'))
  await page.goto('/dashboard')
  await untilHydrated(page)
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await tryAgain.waitFor()
  const failedRequest = page.waitForEvent('requestfailed')
  await tryAgain.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await failedRequest
  await page.unroute('**/documents?*')
  await tryAgain.press('Enter')
  await expect(cards).toHaveCount(12)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  // --- after signing out, the tab stores nothing of it ---
  const storedPlaces = () => page.evaluate(() => sessionStorage.getItem('left-places'))
  await expect.poll(storedPlaces).toContain('Post 30')
  expectFault(/status of 401 .*\/v1\/account\)/) // the other tab requests the account
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(storedPlaces).toBe(null)
})

test('the dashboard lists all own posts, including inactive ones, and links to each', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dan Dash'))
  await expect(page.getByText('You have not written anything yet.')).toBeVisible()
  const ids = await fillBlog(page)
  await page.evaluate(async (id) => {
    const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
    await fetch(
      `/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${id}`,
      {
        method: 'PATCH',
        headers: { 'X-Appwrite-Project': settings.projectId, 'content-type': 'application/json' },
        body: JSON.stringify({ data: { status: 'inactive' } }),
      },
    )
  }, ids.at(-1))
  await page.goto('/dashboard')
  await expect(page.getByText('29 posts. 1 draft.')).toBeVisible()
  const newest = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Post 30', exact: true }) })
  await expect(newest).toContainText('inactive')
  await expect(newest.locator('.thumbnail')).toHaveAttribute('style', COLORED)
  await expect(newest.locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
  const active = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Post 29', exact: true }) })
  await expect(active).toContainText('0 likes')
  await expect(active.getByRole('link', { name: 'Edit Post 29' })).toBeVisible()
  await newest.getByRole('link', { name: 'Continue: Post 30' }).click()
  await expect(page).toHaveURL(`/edit-post/${ids.at(-1)}`)
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
})

test('the dashboard loads more after a post was deleted elsewhere, and going back restores it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 400/)
  await signUp(page, makeNewcomer('Mona Many'))
  const [, second = '', third] = await fillBlog(page, 102)
  await page.goto('/dashboard')
  const posts = page.getByRole('main').getByRole('listitem')
  await expect(posts).toHaveCount(99)
  await expect(page.getByText('Showing 99 of 102')).toBeVisible()
  await page.evaluate(
    async (id) => {
      const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
      await fetch(
        `/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${id}`,
        {
          method: 'DELETE',
          headers: { 'X-Appwrite-Project': settings.projectId },
        },
      )
    },
    (await page.getByRole('link', { name: 'Post 4', exact: true }).getAttribute('href'))?.replace(
      '/post/',
      '',
    ),
  )
  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await expect(posts).toHaveCount(102)
  await expect(page.getByRole('link', { name: 'Post 3', exact: true })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Post 3', exact: true })).toHaveAttribute(
    'href',
    `/post/${third}`,
  )
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)

  const link = page.getByRole('link', { name: 'Post 2', exact: true })
  await link.click()
  await expect(page).toHaveURL(`/post/${second}`)
  await page.reload()
  await page.goBack()
  await expect(posts).toHaveCount(102)
  await expect(link).toBeInViewport()
})

test('a list is restored even if the reader goes back before the app has loaded', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mona Many'))
  await fillBlog(page, 102)
  await page.goto('/dashboard')
  const posts = page.getByRole('main').getByRole('listitem')
  await page.getByRole('button', { name: 'Load more' }).press('Enter')
  await expect(posts).toHaveCount(102)
  await page.getByRole('link', { name: 'Post 2', exact: true }).click()
  await expect(page).toHaveURL(/\/post\//)
  await expect(page.getByRole('heading', { name: 'Post 2', exact: true })).toBeVisible()
  const release = await holdRequests(page, /\/assets\/.*\.js/)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Post 2', exact: true })).toBeVisible()
  await page.evaluate(() => window.history.back())
  await expect(page).toHaveURL('/dashboard')
  release()
  await expect(posts).toHaveCount(102)
})

test('a page with a slow style sheet opens when the sheet arrives, even if another page was opened meanwhile', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mona Many'))
  await fillBlog(page, 1)
  await page.goto('/post')
  await untilHydrated(page)
  const release = await holdRequests(page, /\/assets\/(?!main|post)[^/]*\.css/)
  const dashboard = page.getByRole('link', { name: 'Dashboard' }).first()
  const sheetRequest = page.waitForRequest(/\.css/)
  await dashboard.click()
  await sheetRequest
  await page.getByRole('link', { name: 'Post 1', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible()
  await dashboard.click()
  release()
  await expect(page.getByRole('heading', { name: 'Welcome, Mona Many' })).toBeVisible()
})

test('going back to a page rendered without its list restores the list without a request', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lars Late'))
  await fillBlog(page, 14, 'Late')
  const listRequests: string[] = []
  page.on('request', (request) => {
    if (/\/documents\?/.test(request.url())) listRequests.push(request.url())
  })
  await page.goto('/dashboard')
  await untilHydrated(page)
  const more = page.getByRole('button', { name: 'Load more' })
  if (await more.isVisible()) await more.click()
  const oldest = page.getByRole('link', { name: 'Late 1', exact: true })
  await oldest.scrollIntoViewIfNeeded()
  await page.goto('about:blank')
  await writeFile(slowFile, '')
  listRequests.length = 0
  const pageResponse = page.waitForResponse((answer) => answer.url().endsWith('/dashboard'))
  await page.goBack()
  expect(await (await pageResponse).text()).not.toContain('Late 14')
  await expect(page.getByRole('link', { name: 'Late 14', exact: true })).toBeVisible()
  await expect(oldest).toBeInViewport()
  await untilHydrated(page)
  // Only the drafts may be requested.
  expect(listRequests.filter((url) => !url.includes('notEqual'))).toEqual([])
  await rm(slowFile)
})
