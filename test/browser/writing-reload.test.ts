// A draft reloaded during its save: the typed text is in the form again or offered, whether the
// save succeeded or not.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const OFFER = /There is unsaved text from .+ on this device\./
const POSTS = /\/collections\/[^/]+\/documents(?:\/[^/]+)?$/

const title = (page: Page) => page.getByLabel('Title', { exact: true })

async function beginDraft(page: Page, text: string): Promise<void> {
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
  await title(page).fill(text)
  await page.getByLabel('Status').selectOption('inactive')
}

/** Reloads the page; its document arrives only after `isOver`. */
async function reloadAfter(page: Page, document: RegExp, isOver: Promise<unknown>): Promise<void> {
  await page.route(document, async (route) => {
    await isOver
    await route.continue()
  })
  await page.reload()
  await page.unrouteAll()
}

async function restore(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(title(page)).toHaveValue(text)
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
}

test('a new draft reloaded during its save is in the form or offered, and is one post', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/net::ERR_|status of 409/) // sent again after its answer was lost
  await signUp(page, makeNewcomer('Rea Reload'))

  // --- the save succeeds before the page unloads ---
  await beginDraft(page, 'Stored at the last moment')
  const isAddressUpdated = page.waitForURL(/\/edit-post\//, { waitUntil: 'commit' })
  await reloadAfter(page, /\/add-post$/, isAddressUpdated)
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
  await expect(title(page)).toHaveValue('Stored at the last moment')
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
  await expect(page.getByText(OFFER)).toHaveCount(0)

  // --- a new form does not open the stored draft ---
  await page.getByRole('link', { name: 'addPost' }).first().click()
  await expect(page).toHaveURL(/\/add-post$/)
  await page.reload()
  await expect(editorBody(page)).toBeVisible()
  await expect(page).toHaveURL(/\/add-post$/)
  await expect(title(page)).toHaveValue('')

  // --- the save does not arrive ---
  await page.route(POSTS, (route) => route.abort())
  await title(page).fill('Kept at the last moment')
  await page.getByLabel('Status').selectOption('inactive')
  const isLost = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await reloadAfter(page, /\/add-post$/, isLost)
  await restore(page, 'Kept at the last moment')

  // --- the post is stored, but the answer is lost ---
  const isStored = Promise.withResolvers<void>()
  await page.route(POSTS, async (route) => {
    await route.fetch()
    isStored.resolve()
  })
  await beginDraft(page, 'Stored without a word')
  await reloadAfter(page, /\/add-post$/, isStored.promise)
  await restore(page, 'Stored without a word')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /^Continue: / })).toHaveCount(3)
})

test('a stored draft reloaded during its save keeps its last words, even if the server answers with older ones', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 409/)
  await signUp(page, makeNewcomer('Lea Late'))
  await beginDraft(page, 'First')
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()

  const isRead = Promise.withResolvers<void>()
  const isSaved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.route(POSTS, async (route) => {
    await isRead.promise
    await route.continue()
  })
  await page.route(/\/edit-post\//, async (route) => {
    const response = await route.fetch()
    isRead.resolve()
    await isSaved
    await route.fulfill({ response })
  })
  await title(page).fill('First and last')
  await page.reload()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(title(page)).toHaveValue('First and last')
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await page.reload()
  await expect(editorBody(page)).toBeVisible()
  await expect(title(page)).toHaveValue('First and last')
  await expect(page.getByText(OFFER)).toHaveCount(0)
})

test('when the last words of a draft are saved while its page is rendered, the page offers them in view and continues to save after restoring', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 409/)
  await signUp(page, makeNewcomer('Rory Race'))
  await page.goto('/add-post')
  await title(page).fill('A race')
  await editorBody(page).click()
  for (const line of ['One', ...Array.from({ length: 40 }, () => '')]) {
    await page.keyboard.type(line)
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await page.keyboard.press('Control+End')
  await editorBody(page).press('Control+End')
  await page.keyboard.type('last words')

  // The server renders the page before the last words are stored.
  const isStored = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  const isRead = Promise.withResolvers<void>()
  await page.route(POSTS, async (route) => {
    await isRead.promise
    await route.continue()
  })
  await page.route(/\/edit-post\//, async (route) => {
    const response = await route.fetch()
    isRead.resolve()
    await isStored
    await route.fulfill({ response })
  })
  await page.reload()
  await page.unrouteAll()
  const restoreButton = page.getByRole('button', { name: 'Restore' })
  await expect(restoreButton).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(restoreButton).toBeInViewport({ ratio: 1 })
  const isAllStored = page.waitForResponse(
    (answer) => answer.ok() && !!answer.request().postData()?.includes('last words and more'),
  )
  await restoreButton.click()
  await editorBody(page).press('Control+End')
  await page.keyboard.type(' and more')
  await isAllStored
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText(/saved elsewhere|changed while/)).toHaveCount(0)
})
