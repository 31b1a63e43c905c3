// The writer leaves the form, or the session ends, while text or images are being sent.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { fillNewPost } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const OFFER = /There is unsaved text from .+ on this device\./
const FILES = /\/buckets\/[^/]+\/files$/
const POSTS = /\/collections\/[^/]+\/documents$/

async function pasteImage(page: Page): Promise<void> {
  const bytes = await drawPhoto('jpeg', { width: 64, height: 36 })
  await editorBody(page).evaluate((body, base64) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData(
      'text/html',
      `<p>Look: <img src="data:image/jpeg;base64,${base64}" alt="Roofs"></p>`,
    )
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, bytes.toString('base64'))
}

/** Holds the next matching request back until it is released. */
async function holdNext(page: Page, calls: RegExp, outcome: 'arrives' | 'is lost') {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let isFirst = true
  // Not `times: 1`: after the last such route the browser would release all requests.
  await page.route(calls, async (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    arrived.resolve()
    await release.promise
    await (outcome === 'arrives' ? route.continue() : route.abort())
  })
  return { arrived: arrived.promise, release: release.resolve }
}

async function leaveForDashboard(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'dashboard' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave while it is being saved?' })
  await expect(question).toContainText('Saving continues, and you are told how it ended.')
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

test('a writer who leaves while a save runs stays on the new page, learns the outcome and is not offered the text meanwhile', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/net::ERR_|Failed to load resource/)
  await signUp(page, makeNewcomer('Lea Lund'))
  await fillNewPost(page, { title: 'Gone on ahead', text: 'Saved without me' })
  const first = await holdNext(page, POSTS, 'arrives')
  await page.getByRole('button', { name: 'Submit' }).click()
  await first.arrived
  await leaveForDashboard(page)
  await page.getByRole('link', { name: 'addPost' }).click()
  await editorBody(page).click()
  await page.keyboard.type('The next text')
  await expect(page.getByText(OFFER)).toHaveCount(0)
  first.release()
  const toast = page.getByRole('status').filter({ hasText: 'Post published.' })
  // The toast stays while it has the focus.
  await toast.getByRole('button', { name: 'Open the post' }).focus()
  await expect(page).toHaveURL(/\/add-post$/)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByText(OFFER)).toHaveCount(0)
  await expect(editorBody(page)).toHaveText('The next text')
  await toast.getByRole('button', { name: 'Open the post' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('article')).toContainText('Saved without me')

  // --- the save fails: a message leads back, and the next form offers the text ---
  await fillNewPost(page, { title: 'Lost on the way', text: 'Not saved at all' })
  const second = await holdNext(page, POSTS, 'is lost')
  await page.getByRole('button', { name: 'Submit' }).click()
  await second.arrived
  await leaveForDashboard(page)
  second.release()
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'This could not be saved. A copy of your text is on this device.' })
  await alert.getByRole('button', { name: 'Go to the text' }).click()
  await expect(page).toHaveURL(/\/add-post$/)
  await expect(page.getByRole('status').filter({ hasText: OFFER }).first()).toContainText(
    'Lost on the way: Not saved at all',
  )
})

test('a save that fails while the next page is loading is still reported', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/net::ERR_|Failed to load resource/)
  await signUp(page, makeNewcomer('Lise Lind'))
  await fillNewPost(page, { title: 'Between two pages', text: 'Neither here nor there' })
  const post = await holdNext(page, POSTS, 'is lost')
  const nextPage = await holdNext(page, /\/assets\/dashboard-page-[^/]+\.js$/, 'arrives')
  await page.getByRole('button', { name: 'Submit' }).click()
  await post.arrived
  await page.getByRole('navigation').getByRole('link', { name: 'dashboard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await nextPage.arrived
  post.release()
  const toText = page.getByRole('alert').getByRole('button', { name: 'Go to the text' })
  await expect(toText).toBeVisible()
  nextPage.release()
  await expect(page).toHaveURL(/\/dashboard$/)
  await toText.click()
  await expect(page.getByText(/Between two pages: Neither here nor there/)).toBeVisible()
})

test('when a writer leaves while an image in the text uploads, no incomplete post is published, and the text is offered again', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lone Lang'))
  const posted: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && POSTS.test(request.url())) posted.push(request.url())
  })
  await fillNewPost(page, { title: 'A long way', text: 'Words around an image' })
  const image = await holdNext(page, FILES, 'arrives')
  await pasteImage(page)
  await image.arrived
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()
  await leaveForDashboard(page)
  image.release()
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'This could not be saved. A copy of your text is on this device.' })
  await alert.getByRole('button', { name: 'Go to the text' }).click()
  await expect(page.getByText(/A long way: Words around an image/)).toBeVisible()
  expect(posted).toEqual([])
})

test('when an image is refused because the session ended, an alert says so and offers to sign in', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 401/)
  await signUp(page, makeNewcomer('Ilse Ibsen'))
  await fillNewPost(page, { title: 'With an image', text: 'Before it' })
  await context.clearCookies()
  await pasteImage(page)
  const alert = page.getByRole('alert').filter({ hasText: 'You were signed out.' })
  await expect(alert).toContainText('Your text is kept on this device.')
  await expect(alert.getByRole('button', { name: 'Sign in and continue writing' })).toBeVisible()
  await expect(page.getByText('You are not allowed to do this.')).toHaveCount(0)
})

test('a pasted title that is too long shows an error and is not cut off', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tove Thy'))
  await page.goto('/add-post')
  const title = page.getByLabel('Title', { exact: true })
  await title.focus()
  await page.keyboard.insertText('word '.repeat(60))
  await expect(title).toHaveValue('word '.repeat(60))
  await expect(title).toHaveAccessibleDescription('The title can have 255 characters at most.')
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await title.fill('A word')
  await expect(title).not.toHaveAttribute('aria-invalid')
})

test('the question before leaving accepts one answer and ignores later presses', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Pia Press'))
  await page.goto('/add-post')
  await page.getByLabel('Title', { exact: true }).fill('Half a thought')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  // All clicks in one task, before the router re-renders.
  const pressTogether = (names: string[]) =>
    question.evaluate((dialog, labels) => {
      const buttons = [...dialog.querySelectorAll('button')]
      for (const label of labels) buttons.find((button) => button.innerText === label)?.click()
    }, names)
  const home = page.getByRole('link', { name: 'Web App' })
  await home.click()
  await pressTogether(['Keep writing', 'Leave', 'Keep writing'])
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(/\/add-post$/)
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Half a thought')
  await home.click()
  await pressTogether(['Leave', 'Keep writing', 'Leave'])
  await expect(page).toHaveURL(/\/post$/)
})
