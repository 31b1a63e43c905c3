// The files of a user in the settings, by keyboard alone, and an image of an unsaved text that the
// server has deleted meanwhile.
import { expect, test } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { fillNewPost } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const FILES = '/v1/storage/buckets/content/files'

test('a user sees where each of their files is used, and deletes unused ones by keyboard', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Nora Files'))
  const id = await writePost(page.request, { title: 'With an image', content: '<p>x</p>' })
  const buffer = await drawPhoto('png', { width: 60, height: 40 })
  for (const name of ['one.png', 'two.png', 'three.png']) {
    const multipart = { fileId: 'unique()', file: { name, mimeType: 'image/png', buffer } }
    await page.request.post(FILES, { headers: HEADERS, multipart })
  }
  await page.goto('/settings/files')
  const section = page.getByRole('region', { name: 'Your files' })
  const items = section.getByRole('listitem')
  await expect(items).toHaveCount(4)
  await expect(section.getByRole('heading', { name: '4 files' })).toBeVisible()
  await expect(section.getByText(/MB of 1024 MB$/)).toBeVisible()
  await expect(section.getByRole('meter', { name: 'Space used' })).toHaveAttribute('value', '0')
  const usedFile = items.filter({ hasText: 'river.jpg' })
  await expect(usedFile).toContainText('Featured image')
  await expect(usedFile.getByRole('link', { name: 'With an image' })).toBeVisible()
  const deleteUsed = section.getByRole('button', { name: 'Delete river.jpg' })
  await expect(deleteUsed).toHaveAccessibleDescription('In use. Take it out of the post first.')
  await expect(deleteUsed).toBeDisabled()
  await deleteUsed.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)

  await section.getByRole('radio', { name: 'All' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(section.getByRole('radio', { name: 'Unused (3)' })).toBeChecked()
  await expect(items).toHaveCount(3)
  await section.getByRole('button', { name: 'Delete two.png' }).focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Delete this file?' })
  await expect(question).toContainText('two.png is permanently deleted.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(items).toHaveCount(2)
  await expect(page.getByText('The file is deleted.')).toBeVisible()
  await section.getByRole('button', { name: 'Delete unused files' }).press('Enter')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await expect(section.getByText('Every file is used somewhere.')).toBeVisible()
  await page.request.delete(`${DOCUMENTS}/${id}`, { headers: HEADERS })
  await page.reload()
  await expect(usedFile).toContainText('A deleted post, With an image')
  await expect(deleteUsed).toHaveAccessibleDescription(
    'In use. Restore the deleted post or delete it permanently first.',
  )
  await expect(section.getByRole('heading', { name: '1 file' })).toBeVisible()
})

test('an image deleted before its post was submitted is uploaded again', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Ole Late'))
  await fillNewPost(page, { title: 'Written slowly', text: 'Before the image. ' })
  const bytes = (await drawPhoto('png', { width: 60, height: 40 })).toString('base64')
  await editorBody(page).evaluate((body, base64) => {
    const data = new DataTransfer()
    const raw = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    data.items.add(new File([raw], 'inside.png', { type: 'image/png' }))
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, bytes)
  const bodyImage = editorBody(page).locator('img')
  await expect(bodyImage).toHaveAttribute('src', /^\/v1\/storage\//)
  const path = (await bodyImage.getAttribute('src')) ?? ''
  const removed = await page.request.delete('/v1/account/files/unused', {
    headers: HEADERS,
    data: {},
  })
  expect(await removed.json()).toEqual({ removed: 1 })
  expect((await page.request.get(path)).status()).toBe(404)

  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d+l$/)
  await expect(
    page.getByRole('article').locator('.post-body img, .prose img').first(),
  ).toBeVisible()
  expect((await page.request.get(path)).status()).toBe(200)
})
