// Journeys of drafts: one is saved automatically until it is published; one survives crashes of the
// tab and the server and a network failure.
import type { Page } from '@playwright/test'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { crashPage } from '#test/support/crash-page.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, untilHydrated } from '#test/support/people.ts'
import { countReceived } from '#test/support/received-bytes.ts'
import { DOCUMENTS } from '#test/support/write-post.ts'

const TITLE = 'Rain on the tin roof'
const HEADERS = { 'x-appwrite-project': 'blog' }
const SAVED = /^Saved \d\d:\d\d$/
/** A draft is saved after a pause of three seconds. */
const AUTOSAVE_MS = 3000
/** The limit of a first visit; writing-weight.test.ts measures it exactly. */
const FORM_MAX_BYTES = 600_000
const OFFER = /There is unsaved text from .+ on this device\./

const titleField = (page: Page) => page.getByLabel('Title', { exact: true })

test('Ctrl+S stores a new post as a draft, which is then saved automatically and published only by the button', async ({
  visit,
}) => {
  const writer = await visit()
  const { page } = writer
  const { id } = await signUpByApi(writer, 'Ada Ahlberg')
  const storedPosts = async (): Promise<Record<string, string>[]> => {
    const params = { 'queries[0]': `equal("userid", ["${id}"])` }
    return (await (await page.request.get(DOCUMENTS, { headers: HEADERS, params })).json())
      .documents
  }
  const storedText = async () => {
    const posts = await storedPosts()
    expect(posts).toHaveLength(1)
    return `${posts[0]?.status} ${posts[0]?.title}: ${posts[0]?.content}`
  }
  // The test advances the clock instead of waiting until a draft is saved.
  await page.clock.install()
  const received = await countReceived(page)
  await page.goto('/add-post')
  await titleField(page).fill('Night train')
  await untilHydrated(page)
  // Enter in the title moves the focus to the text, and publishes nothing.
  await titleField(page).press('Enter')
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.type('The first line')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByRole('status').filter({ hasText: SAVED })).toBeVisible()
  await expect(page.getByLabel('Status')).toHaveValue('inactive')
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
  expect(await storedText()).toBe('inactive Night train: <p>The first line</p>')
  const bytes = [...received.values()].reduce((sum, size) => sum + size, 0)
  expect(bytes, 'bytes of the form and its editor').toBeLessThan(FORM_MAX_BYTES)

  // --- saving does not move the caret ---
  await page.keyboard.type(', and more')
  await page.clock.fastForward(AUTOSAVE_MS)
  await expect.poll(storedText).toContain('The first line, and more')
  await page.keyboard.type(', to the end')
  await expect(editorBody(page)).toHaveText('The first line, and more, to the end')

  // --- the status alone publishes nothing; unsaved text is sent when the writer leaves ---
  await page.getByLabel('Status').selectOption('active')
  await page.clock.fastForward(AUTOSAVE_MS)
  await expect(page.getByText(/^Saved \d\d:\d\d\. Not published yet\.$/)).toBeVisible()
  expect(await storedText()).toBe(
    'inactive Night train: <p>The first line, and more, to the end</p>',
  )
  await titleField(page).fill('The night train')
  await page.getByRole('heading', { level: 1 }).click() // the bar is hidden during writing
  await page.getByRole('link', { name: 'dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada Ahlberg')
  await expect.poll(storedText).toContain('inactive The night train')
  // The draft on the device is removed after the answer, which follows the commit.
  await expect.poll(() => page.evaluate(draftsOnDevice)).toEqual([])

  // --- publishing needs an image ---
  const [post] = await storedPosts()
  await page.goto(`/edit-post/${post?.$id}`)
  await expect(page.getByText(OFFER)).toHaveCount(0)
  await page.getByLabel('Status').selectOption('active')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Choose an image for the post.')).toBeVisible()
  await chooseImage(page)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  expect(await storedText()).toContain('active The night train')
})

test('no word is lost when the tab, the network and the server fail while alice writes', async ({
  visit,
  blog,
}) => {
  test.slow()
  const writer = await visit()
  const { page: first, context, expectFault } = writer
  // The browser logs requests that fail without network or server.
  expectFault(/net::ERR_|Failed to fetch|Failed to load resource/)
  await signUpByApi(writer, 'Alice Anders')
  const ALL = 'First it was one drop, then the whole sky. We counted to ten.'

  // --- the tab crashes a moment after the last key ---
  await first.goto('/add-post')
  await titleField(first).fill(TITLE)
  await write(first, 'First it was one drop')
  await expect
    .poll(() => first.evaluate(() => Object.values(localStorage).join()), { intervals: [20] })
    .toContain('one drop')
  await crashPage(first)

  const page = await context.newPage()
  await page.goto('/add-post')
  await expect(page.getByText(OFFER)).toBeVisible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(titleField(page)).toBeFocused()
  await expect(page.getByText(OFFER)).toHaveCount(0)
  await expect(titleField(page)).toHaveValue(TITLE)
  await expect(page.getByLabel('Slug', { exact: true })).toHaveValue(/^blog\d{13}l$/)
  await expect(editorBody(page)).toHaveText('First it was one drop')

  // --- offline, saving waits; form and device keep the whole text ---
  await chooseImage(page)
  await context.setOffline(true)
  await write(page, ', then the whole sky')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Cancel saving' }).click()
  await expect(editorBody(page)).toHaveText('First it was one drop, then the whole sky')
  await context.setOffline(false)

  // --- the server is killed while she writes, and the tab crashes while it tries to save ---
  await blog.kill()
  await write(page, '. We counted to ten.')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()
  await crashPage(page)
  await blog.revive()
  const last = await context.newPage()
  await last.goto('/add-post')
  await last.getByRole('button', { name: 'Restore' }).click()
  await expect(editorBody(last)).toHaveText(ALL)
  await expect(titleField(last)).toHaveValue(TITLE)

  // --- after saving, no copy is left on the device ---
  await chooseImage(last)
  await last.getByRole('button', { name: 'Submit' }).click()
  await expect(last).toHaveURL(/\/post\/blog\d{13}l$/)
  await expect(last.getByRole('article')).toContainText(ALL)
  expect(await last.evaluate(draftsOnDevice)).toEqual([])
})

/** Runs in the page. */
function draftsOnDevice(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith('draft/'))
}

async function write(page: Page, text: string): Promise<void> {
  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
  await expect(editorBody(page)).toContainText(text)
}
