// The feed beyond its first page: more cards in place, an address of its own for older posts, and the way back to the same place.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { drawPhoto } from '#test/support/pictures.ts'

const POSTS = 30
/** As a box has it whose picture's colour is known: as the server writes it, or as the browser does. */
const COLORED = /^background-color: ?(#[\da-f]{6}|rgb\(\d+, \d+, \d+\));?$/

// A blog of its own: the feed must be empty at first, and nobody else may write into it.
test.use({ blogEnv: { BLOG_LOG_LEVEL: 'warn' } })

/** Thirty posts by the same calls that the form makes; "Post 30" is the newest. @returns their ids, the oldest first */
async function fillBlog(page: Page): Promise<string[]> {
  const base64 = (await drawPhoto('png', { width: 64, height: 36 })).toString('base64')
  return await page.evaluate(
    async ({ base64, count }) => {
      const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
      const project = { 'X-Appwrite-Project': settings.projectId as string }
      const form = new FormData()
      form.append('fileId', 'unique()')
      form.append('file', new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], 'a.png', { type: 'image/png' }))
      const file = await (
        await fetch(`/v1/storage/buckets/${settings.contentBucketId}/files`, { method: 'POST', headers: project, body: form })
      ).json()
      const ids: string[] = []
      for (let index = 1; index <= count; index++) {
        const data = { title: `Post ${index}`, content: `<p>Text ${index}</p>`, featuredImage: file.$id, status: 'active' }
        const answer = await fetch(`/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents`, {
          method: 'POST',
          headers: { ...project, 'content-type': 'application/json' },
          body: JSON.stringify({ documentId: 'unique()', data }),
        })
        ids.push((await answer.json()).$id)
      }
      return ids
    },
    { base64, count: POSTS },
  )
}

test('load more keeps the place, older posts have an address, and back returns to where one was', async ({ visit }) => {
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
  await expect(cards.first().locator('.card__media')).toHaveAttribute('style', COLORED)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(24)
  await expect(page.getByRole('link', { name: 'Post 18', exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/post$/)

  // --- back: the same cards, the same place, the same link ---
  const link = page.getByRole('link', { name: 'Post 9', exact: true })
  await link.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(500)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Post 9' })).toBeVisible()
  await expect(page.locator('.hero')).toHaveAttribute('style', COLORED)
  await page.goBack()
  await expect(cards).toHaveCount(24)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
  await expect(link).toBeFocused()

  // --- the address of older posts, in another tab too ---
  const older = page.getByRole('link', { name: 'Older posts' })
  const address = (await older.getAttribute('href')) ?? ''
  expect(address).toBe(`/post?after=${ids[6]}`)
  const tab = await context.newPage()
  await tab.goto(address)
  await expect(tab.getByRole('article')).toHaveCount(6)
  await expect(tab.getByRole('link', { name: 'Post 6', exact: true })).toBeVisible()
  await expect(tab.getByText('You have reached the first post.')).toBeVisible()
  await older.click()
  await expect(page).toHaveURL(address)
  await expect(cards).toHaveCount(6)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(cards).toHaveCount(12)
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
  await tab.goto(address)
  await expect(tab).toHaveURL(/\/post$/)
  await expect(tab.getByRole('article')).toHaveCount(12)
})

test('the dashboard tells of all own posts, inactive ones too, and leads to each', async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dan Dash'))
  await expect(page.getByText('You have not written anything yet.')).toBeVisible()
  const ids = await fillBlog(page)
  await page.evaluate(async (id) => {
    const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
    await fetch(`/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${id}`, {
      method: 'PATCH',
      headers: { 'X-Appwrite-Project': settings.projectId, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { status: 'inactive' } }),
    })
  }, ids.at(-1))
  await page.goto('/dashboard')
  await expect(page.getByText('30 posts, 29 of them active.')).toBeVisible()
  const newest = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Post 30', exact: true }) })
  await expect(newest).toContainText('inactive')
  await expect(newest.locator('.thumb')).toHaveAttribute('style', COLORED)
  await expect(newest).toContainText('0 likes')
  await expect(newest.locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
  await newest.getByRole('link', { name: 'Edit Post 30' }).click()
  await expect(page).toHaveURL(`/edit-post/${ids.at(-1)}`)
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
})
