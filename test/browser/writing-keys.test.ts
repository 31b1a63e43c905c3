// Enter in the post form publishes nothing; in the title it moves the focus to the text.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'

const title = (page: Page) => page.getByLabel('Title', { exact: true })

test('Enter in a field publishes no post, and in the title it moves to the text, even before the editor has loaded', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Enid Enter'))
  const posted: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/documents'))
      posted.push(request.url())
  })
  await page.goto('/add-post')
  await untilHydrated(page)
  await title(page).fill('Enter')
  await title(page).press('Enter')
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.type('words')
  await expect(editorBody(page)).toHaveText('words')
  await chooseImage(page)

  // --- Enter that ends a composition does nothing else ---
  await title(page).focus()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Input.imeSetComposition', {
    text: 'にほん',
    selectionStart: 3,
    selectionEnd: 3,
  })
  await devtools.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    windowsVirtualKeyCode: 229,
  })
  await devtools.send('Input.insertText', { text: '日本' })
  await expect(title(page)).toHaveValue('Enter日本')
  await expect(title(page)).toBeFocused()

  for (const field of ['Slug', 'Tags']) {
    await page.getByRole('textbox', { name: field }).or(page.getByLabel(field)).first().focus()
    await page.keyboard.press('Enter')
  }
  await page.getByLabel('Status').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await title(page).press('Enter')
  await expect(editorBody(page)).toBeFocused()
  await expect(page).toHaveURL(/\/add-post$/)
  expect(posted).toEqual([])
  await page.getByRole('button', { name: 'Submit' }).press('Enter')
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  expect(posted).toHaveLength(1)
})
