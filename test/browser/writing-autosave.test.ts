// Drafts are saved automatically, whatever happens to the network, the tab and other tabs.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { crashPage } from '#test/support/crash-page.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS } from '#test/support/write-post.ts'

const SAVED = /^Saved \d\d:\d\d$/
const OFFER = /There is unsaved text from .+ on this device\./
const ELSEWHERE = /This draft is open in another tab\./
const OFFLINE = 'No connection. Saving resumes once you are back online.'

function savedLine(page: Page) {
  return page.getByRole('status').filter({ hasText: SAVED })
}

async function openNewPost(page: Page, title: string): Promise<void> {
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill(title)
  await editorBody(page).click()
}

/** The posts of this user. */
async function storedPosts(page: Page): Promise<Record<string, string>[]> {
  const headers = { 'x-appwrite-project': 'blog' }
  const { $id } = await (await page.request.get('/v1/account', { headers })).json()
  const params = { 'queries[0]': `equal("userid", ["${$id}"])` }
  const answer = await page.request.get(DOCUMENTS, { headers, params })
  return (await answer.json()).documents
}

/** Status, title and content of the only post of this user, as stored. */
async function storedText(page: Page): Promise<string> {
  const posts = await storedPosts(page)
  expect(posts).toHaveLength(1)
  return `${posts[0]?.status} ${posts[0]?.title}: ${posts[0]?.content}`
}

async function saveDraft(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(savedLine(page)).toBeVisible()
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
  return page.url()
}

test('the featured image of a draft is saved with the text and can be removed again', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Bo Berg'))
  await openNewPost(page, 'With an image')
  await chooseImage(page)
  await saveDraft(page)
  await expect.poll(async () => (await storedPosts(page))[0]?.featuredImage).not.toBe('')
  await page.reload()
  await expect(editorBody(page)).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(async () => (await storedPosts(page))[0]?.featuredImage).toBe('')
  await expect(page.getByText('Drop an image here')).toBeVisible()
})

test('a lost response, a crash and a changed title create no second post', {
  tag: '@more',
}, async ({ visit }) => {
  const { page: first, context, expectFault } = await visit()
  expectFault(/net::ERR_|Failed to load resource|status of 409/)
  await signUp(first, makeNewcomer('Cara Clay'))
  await openNewPost(first, 'First title')
  await first.keyboard.type('Written once')
  let isLost = false
  await context.route(`**${DOCUMENTS}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch() // the post is stored, but the answer is lost and the tab crashes
    await crashPage(first)
    await route.abort().catch(() => undefined)
  })
  await first.getByRole('button', { name: 'Save draft' }).click()
  await expect.poll(() => isLost && first.isClosed()).toBe(true)

  const page = await context.newPage()
  await page.goto('/add-post')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Another title')
  await saveDraft(page)
  expect(await storedText(page)).toBe('inactive Another title: <p>Written once</p>')

  // --- after a crash when all is saved, nothing is offered and the text is there ---
  const address = page.url()
  await crashPage(page)
  const last = await context.newPage()
  await last.goto(address)
  await expect(editorBody(last)).toHaveText('Written once')
  await expect(last.getByText(OFFER)).toHaveCount(0)
})

test('a draft that is open in one tab is not offered in another, and only one tab saves it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page: first, context } = await visit()
  await signUp(first, makeNewcomer('Dee Dahl'))
  await openNewPost(first, 'Two tabs')
  await first.keyboard.type('One')
  const second = await context.newPage()
  await second.goto('/add-post')
  await expect(editorBody(second)).toBeVisible()
  await expect(second.getByText(OFFER)).toHaveCount(0)

  const address = await saveDraft(first)
  await second.goto(address)
  await expect(second.getByText(ELSEWHERE)).toBeVisible()
  await second.getByRole('button', { name: 'Write here' }).click()
  await expect(second.getByText(ELSEWHERE)).toHaveCount(0)
  await expect(first.getByText(ELSEWHERE)).toBeVisible()
  await editorBody(second).click()
  await second.keyboard.press('ControlOrMeta+End')
  await second.keyboard.type(' and two')
  await expect.poll(() => storedText(first)).toContain('One and two')

  // --- when the other tab is closed, this one continues with the text that it saved ---
  await second.close()
  await expect(first.getByText(ELSEWHERE)).toHaveCount(0)
  await expect(editorBody(first)).toHaveText('One and two')
})

test('offline saving says so, waits, can be cancelled and continues when the network returns', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/net::ERR_|Failed to fetch|Failed to load resource/)
  await signUp(page, makeNewcomer('Eve Ek'))
  await openNewPost(page, 'No network')
  await page.keyboard.type('Kept')
  await chooseImage(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(OFFLINE)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel saving' }).click()
  await expect(page.getByText(OFFLINE)).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: 'cancelled' })).toHaveText(
    'Saving was cancelled. Your text is still here.',
  )
  await expect(page.getByText(/Kept on this device/)).toBeVisible()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText(OFFLINE)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/^Back online\. Saved \d\d:\d\d\.$/)).toBeVisible()
  await expect(savedLine(page)).toBeVisible()
  await expect(page.getByText(OFFLINE)).toHaveCount(0)

  await page.getByLabel('Status').selectOption('active')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText(OFFLINE)).toBeVisible()
  await context.setOffline(false)
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  expect(await storedText(page)).toBe('active No network: <p>Kept</p>')
})
