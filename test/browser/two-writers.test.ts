// Two writers of one text: versions that were saved elsewhere are merged into the text of the form.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { fillNewPost } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const KEY = 'a key of sixteen'.replaceAll(' ', '-')
const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const MERGED = 'are now in your text, and marked there'

test.use({ blogEnv: { BLOG_API_KEY: KEY } })

/** @returns the id of the post, an inactive one unless it is published */
async function write(page: Page, { title, isPublished }: { title: string; isPublished: boolean }) {
  await fillNewPost(page, { title, text: 'The first line' })
  for (const line of ['The second line', 'The third line']) {
    await page.keyboard.press('Control+End')
    await editorBody(page).press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type(line)
  }
  await page.getByRole('button', { name: isPublished ? 'Submit' : 'Save draft' }).click()
  await expect(page).toHaveURL(/\/(?:edit-)?post\/blog\d{13}l$/)
  return /blog\d{13}l/.exec(page.url())?.[0] ?? ''
}

async function openForEdit(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-post/${id}`)
  await expect(editorBody(page)).toBeVisible()
}

async function typeAfter(page: Page, line: string, text: string): Promise<void> {
  await editorBody(page).getByText(line, { exact: true }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

const linesOf = (page: Page) => editorBody(page).locator('p')
const notice = (page: Page) => page.getByRole('status').filter({ hasText: MERGED })

test('of two windows, the one that saves second gets the changes of the first, marked, and one undo takes them out', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 409/)
  page.on('dialog', (dialog) => void dialog.accept())
  await signUp(page, makeNewcomer('Alice Anders'))
  const id = await write(page, { title: 'Two tables', isPublished: true })
  const other = await context.newPage()
  await openForEdit(page, id)
  await openForEdit(other, id)

  await typeAfter(other, 'The first line', ', from the other window')
  await other.getByLabel('Title', { exact: true }).fill('Two long tables')
  await other.getByRole('button', { name: 'Update' }).click()
  await expect(other).toHaveURL(`/post/${id}`)

  await typeAfter(page, 'The third line', ', from here')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(notice(page)).toContainText('Also taken from there: title.')
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Two long tables')
  const merged = [
    'The first line, from the other window',
    'The second line',
    'The third line, from here',
  ]
  await expect(linesOf(page)).toHaveText(merged)
  await expect(editorBody(page).locator('[data-merge-side]')).toHaveText(merged.slice(0, 1))
  expect(await axeFindings(page)).toEqual([])

  // --- the caret is still in its line, and one undo takes the merge out, also of the fields ---
  await editorBody(page).focus()
  await page.keyboard.type('!')
  await expect(linesOf(page)).toHaveText([...merged.slice(0, 2), 'The third line, from here!'])
  await page.keyboard.press('Control+Z')
  await page.keyboard.press('Control+Z')
  await expect(linesOf(page)).toHaveText(['The first line', 'The second line', merged[2] ?? ''])
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Two tables')
  await page.keyboard.press('Control+Y')
  await expect(linesOf(page)).toHaveText(merged)

  // --- a third writer saves meanwhile, and is not overwritten either ---
  await openForEdit(other, id)
  await typeAfter(other, 'The second line', ', from a third')
  await other.getByRole('button', { name: 'Update' }).click()
  await expect(other).toHaveURL(`/post/${id}`)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(linesOf(page)).toHaveText(merged.with(1, 'The second line, from a third'))
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(`/post/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two long tables')
  const article = page.getByRole('article')
  for (const line of merged) await expect(article).toContainText(line)
  await expect(article).toContainText('The second line, from a third')
  expect(await article.innerHTML()).not.toContain('data-merge')
})

test('a text that was left unsaved is merged with what was saved since, when it is restored', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 409/)
  page.on('dialog', (dialog) => void dialog.accept())
  await signUp(page, makeNewcomer('Bea Berg'))
  const id = await write(page, { title: 'Four tables', isPublished: true })
  await openForEdit(page, id)
  await typeAfter(page, 'The third line', ', left unsaved')
  await page.goto('/dashboard')
  const other = await context.newPage()
  for (const line of ['The first line', 'The second line']) {
    await openForEdit(other, id)
    await typeAfter(other, line, ', from the other window')
    await other.getByRole('button', { name: 'Update' }).click()
    await expect(other).toHaveURL(`/post/${id}`)
  }
  await openForEdit(page, id)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(linesOf(page)).toHaveText([
    'The first line',
    'The second line',
    'The third line, left unsaved',
  ])
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(linesOf(page)).toHaveText([
    'The first line, from the other window',
    'The second line, from the other window',
    'The third line, left unsaved',
  ])
})

test('a draft that the API key changes is merged while its author writes, offline too, and a conflict waits for a choice', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 409|net::ERR_|Failed to load resource/)
  await signUp(page, makeNewcomer('Ada Ahlberg'))
  const id = await write(page, { title: 'Three tables', isPublished: false })
  await expect(page.getByText(/^Saved/).first()).toBeVisible()
  await openForEdit(page, id)

  async function readByKey(): Promise<string> {
    const response = await fetch(`${blog.url}${DOCUMENTS}/${id}`, { headers: headersOf(KEY) })
    return ((await response.json()) as { content: string }).content
  }
  async function changeByKey(from: string, to: string): Promise<void> {
    const content = (await readByKey()).replace(from, to)
    const body = JSON.stringify({ data: { content } })
    const headers = { ...headersOf(KEY), 'content-type': 'application/json' }
    const response = await fetch(`${blog.url}${DOCUMENTS}/${id}`, {
      method: 'PATCH',
      headers,
      body,
    })
    expect(response.status).toBe(200)
  }

  // --- what the key changes elsewhere is merged by the next automatic save ---
  await changeByKey('The first line', 'The first line, by the key')
  await typeAfter(page, 'The third line', ', by its author')
  await expect(notice(page)).toBeVisible()
  await page.keyboard.type(' and more')
  await expect.poll(readByKey).toContain('The third line, by its author and more')
  expect(await readByKey()).toContain('The first line, by the key')
  expect(await readByKey()).not.toContain('data-merge')

  // --- both change one paragraph while the author is offline: both texts stay, and are saved ---
  await context.setOffline(true)
  await typeAfter(page, 'The second line', ', by its author')
  await changeByKey('The second line', 'The second line, by the key')
  await context.setOffline(false)
  await expect(page.getByText('One paragraph was changed here and elsewhere.')).toBeVisible()
  const both = ['The second line, by its author', 'The second line, by the key']
  for (const line of both) await expect.poll(readByKey).toContain(line)
  expect(await axeFindings(page)).toEqual([])
  // --- they are not published before the writer has chosen ---
  await page.getByLabel('Status').selectOption('active')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(`/edit-post/${id}`)
  await page.getByRole('button', { name: 'Keep theirs' }).press('Enter')
  await expect(linesOf(page)).toHaveText([
    'The first line, by the key',
    'The second line, by the key',
    'The third line, by its author and more',
  ])
  await page.getByRole('button', { name: 'Hide the marks' }).click()
  await expect(editorBody(page).locator('[data-merge-side]')).toHaveCount(0)
})

function headersOf(key: string): Record<string, string> {
  return { 'x-appwrite-project': 'blog', 'x-appwrite-key': key }
}
