// Two windows change one post, and the versions cannot be merged (two-writers.test.ts): the window
// that saves second shows both, and the writer chooses.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { fillNewPost } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const CONFLICT = 'This post changed while you were writing'

async function publish(
  page: Page,
  { title, text }: { title: string; text: string },
): Promise<string> {
  await fillNewPost(page, { title, text })
  // A double click saves once.
  await page.getByRole('button', { name: 'Submit' }).dblclick()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  return new URL(page.url()).pathname.replace('/post/', '')
}

async function rewrite(page: Page, text: string): Promise<void> {
  await editorBody(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

async function openForEdit(page: Page, slug: string): Promise<void> {
  await page.goto(`/edit-post/${slug}`)
  await expect(editorBody(page)).toBeVisible()
}

async function countDrafts(page: Page, slug: string): Promise<number> {
  return await page.evaluate(
    (id) =>
      Object.keys(localStorage).filter((key) => key.startsWith('draft/') && key.includes(id))
        .length,
    slug,
  )
}

async function expectNoFindings(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
}

test('where merging is impossible, the writer sees both versions and chooses, and the other text is stored as a draft', {
  tag: '@more',
}, async ({ visit }) => {
  test.slow()
  const { page, context, expectFault } = await visit()
  expectFault(/status of 409/)
  page.on('dialog', (dialog) => void dialog.accept())
  await signUp(page, makeNewcomer('Alice Anders'))
  const posted: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/documents'))
      posted.push(request.url())
  })
  const slug = await publish(page, { title: 'Two tables', text: 'The first version' })
  expect(posted).toHaveLength(1)
  const other = await context.newPage()
  await openForEdit(page, slug)
  await openForEdit(other, slug)

  await rewrite(other, 'Written in the other window')
  await other.getByRole('button', { name: 'Update' }).click()
  await expect(other).toHaveURL(`/post/${slug}`)

  // --- the writer takes the saved version, and the other text is offered ---
  await rewrite(page, 'Written in this window')
  // An image from another site is a link, here and in the dialog: showing it would send a request
  // there.
  await editorBody(page).evaluate((body) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<img src="https://example.org/a.png" alt="(far)">')
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  // --- the code that merges fails to load, and that of the dialog, too: nothing is lost, and the
  // next press loads the dialog ---
  expectFault(/ERR_FAILED|Failed to load|dynamically imported/)
  await page.route('**/assets/merge-version-*.js', (route) => route.abort())
  await page.route('**/assets/conflict-dialog-*.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('This page did not load completely.')).toBeVisible()
  await page.unroute('**/assets/conflict-dialog-*.js')
  await page.getByRole('button', { name: 'Update' }).click()
  const dialog = page.getByRole('dialog', { name: CONFLICT })
  const yourVersion = dialog.getByRole('region', { name: 'Your version: text' })
  await expect(yourVersion).toHaveText('Written in this window(far)')
  await expect(yourVersion.getByRole('link', { name: '(far)' })).toHaveAttribute(
    'href',
    'https://example.org/a.png',
  )
  await expect(yourVersion.getByRole('img')).toHaveCount(0)
  await expect(dialog.getByRole('region', { name: 'Saved version: text' })).toHaveText(
    'Written in the other window',
  )
  await expectNoFindings(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(editorBody(page)).toHaveText('Written in this window(far)')
  await page.getByRole('button', { name: 'Update' }).click()
  await dialog.getByRole('button', { name: 'Take the saved version' }).click()
  await expect(editorBody(page)).toHaveText('Written in the other window')
  await expect(page.getByRole('status').filter({ hasText: 'There is unsaved text' })).toContainText(
    'Written in this window',
  )
  await expectNoFindings(page)

  // --- the restored draft is based on the older version: saving asks again, and now it wins ---
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(editorBody(page)).toHaveText('Written in this window(far)')
  await page.getByRole('button', { name: 'Update' }).click()
  await dialog.getByRole('button', { name: 'Save your version' }).click()
  await expect(page).toHaveURL(`/post/${slug}`)
  await expect(page.getByRole('article')).toContainText('Written in this window')

  // --- the post was deleted meanwhile: the text is offered in the form of a new post ---
  expectFault(/status of 404/)
  await openForEdit(other, slug)
  await rewrite(other, 'For a post that is gone')
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await other.getByRole('button', { name: 'Update' }).click()
  await expect(
    other.getByRole('alert').filter({ hasText: 'The post was deleted meanwhile.' }),
  ).toBeVisible()
  await editorBody(other).click()
  await other.keyboard.press('Control+End')
  await other.keyboard.type(', and after it')
  await expect(editorBody(other)).toHaveText('For a post that is gone, and after it')
  await other.close({ runBeforeUnload: false })
  await page.goto('/add-post')
  await expect(page.getByRole('status').filter({ hasText: 'There is unsaved text' })).toContainText(
    'For a post that is gone, and after it',
  )

  // --- a post deleted on this device loses its drafts there ---
  const second = await publish(page, { title: 'Two chairs', text: 'The first version' })
  await openForEdit(page, second)
  await rewrite(page, 'Never sent')
  await page.goto(`/post/${second}`)
  expect(await countDrafts(page, second)).toBe(1)
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(page).toHaveURL(/\/post$/)
  expect(await countDrafts(page, second)).toBe(0)
})

test('a like or a lost response is not a conflict', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  const reader = await visit()
  await signUp(page, makeNewcomer('Ada Ahlberg'))
  const slug = await publish(page, { title: 'Three tables', text: 'The first version' })
  await openForEdit(page, slug)
  await signUp(reader.page, makeNewcomer('Bob Berg'))
  await reader.page.goto(`/post/${slug}`)
  await reader.page.getByRole('button', { name: 'Like this post' }).click()
  await expect(reader.page.getByRole('button', { name: 'Like this post' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )

  expectFault(/net::ERR_|Failed to load resource|status of 409/)
  let isFirst = true
  await page.route('**/documents/*', async (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    await route.fetch() // the request arrives at the server, but its answer is lost
    await route.abort()
  })
  await rewrite(page, 'The second version')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(
    page.getByText('No connection. Saving resumes once you are back online.'),
  ).toBeVisible()
  await expect(page).toHaveURL(`/post/${slug}`)
  await expect(page.getByRole('article')).toContainText('The second version')
})
