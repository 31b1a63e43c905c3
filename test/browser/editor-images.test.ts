// Uploads of images into the text: a placeholder for each, network errors, and images in pasted
// documents.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '#test/support/browser-blog.ts'
import { currentHtml, openNewPost } from '#test/support/editor-ui.ts'
import { drawPhoto } from '#test/support/images.ts'
import { paste } from '#test/support/paste.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const FILES = '**/v1/storage/buckets/content/files'
const LOST = 'The connection dropped. The text is kept, the picture is not stored yet.'
const IMAGE = String.raw`<p><img src="/v1/storage/buckets/content/files/\w+/view[^"]+" alt="[^"]*"[^>]*></p>`

test('a writer continues while images upload; each upload can be cancelled or retried, and no placeholder is saved', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/ERR_FAILED|ERR_INTERNET/)
  await signUp(page, makeNewcomer('Uma Upload'))
  await openNewPost(page)
  const photo = await drawPhoto('png', { width: 64, height: 36 })
  const webp = await sharp(photo).webp().toBuffer()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let isDown = false
  await page.route(FILES, async (route) => {
    await held
    await (isDown ? route.abort() : route.continue())
  })
  await page.keyboard.type('Before')
  await paste(page, {
    files: [
      { name: 'one.webp', type: 'image/webp', bytes: webp },
      { name: 'two.png', type: 'image/png', bytes: photo },
    ],
  })
  const text = editorBody(page)
  const firstUpload = text.locator('[data-upload]').filter({ hasText: 'one.webp' })
  const secondUpload = text.locator('[data-upload]').filter({ hasText: 'two.png' })
  await expect(firstUpload).toContainText(/Converted to JPEG, [\d.]+ of \d+ KB/)
  await expect(secondUpload).toContainText('Waits for its turn')
  await page.keyboard.type('After, with spelling')
  await page.keyboard.press('Control+z')
  await expect(firstUpload).toBeVisible()
  await page.keyboard.press('Control+y')
  await expect(text).toContainText('After, with spelling')
  expect(await currentHtml(page)).toBe('<p>Before</p>\n<p>After, with spelling</p>')

  // The copy on the device contains the bytes, so that a crash loses no image.
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
    .toMatch(/data:image\/webp;base64.*data:image\/png;base64/)
  await secondUpload.getByRole('button', { name: 'Cancel' }).click()
  await expect(secondUpload).toHaveCount(0)
  const cancelled = page.getByRole('status').filter({ hasText: 'The upload was cancelled.' })
  await expect(cancelled).toBeVisible()
  isDown = true
  release()
  await expect(firstUpload).toContainText(LOST)
  isDown = false
  await firstUpload.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(firstUpload).toHaveCount(0)
  const stored = new RegExp(`^<p>Before</p>\n${IMAGE}\n<p>After, with spelling</p>$`)
  await expect.poll(() => currentHtml(page)).toMatch(stored)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+y')
  await expect.poll(() => currentHtml(page)).toMatch(stored)
})

test('images of a pasted document are uploaded if the clipboard has their bytes; otherwise the editor says so', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dora Document'))
  await openNewPost(page)
  const photo = await drawPhoto('png', { width: 64, height: 36 })
  const data = `data:image/png;base64,${photo.toString('base64')}`
  const stored = (html: string) => new RegExp(`^${html.replaceAll('IMAGE', IMAGE)}$`)

  await paste(page, {
    html: `<h2>Title</h2><p>One <img src="${data}" alt="A lamp"> two</p>`,
    text: 'Title One two',
  })
  await expect
    .poll(() => currentHtml(page))
    .toMatch(stored('<h2>Title</h2>\n<p>One</p>\nIMAGE\n<p>two</p>'))

  await clear(page)
  const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><p class=MsoNormal>Text<![if !vml]><img width=64 height=36 src="file:///C:/Temp/a.png"><![endif]><o:p></o:p></p><p class=MsoNormal><img width=64 height=36 src="file:///C:/Temp/b.wmz" alt="Chart"></p></body></html>`
  await paste(page, {
    html: word,
    text: 'Text',
    rtf: String.raw`{\rtf1 Text{\*\shppict{\pict\pngblip ${photo.toString('hex')}}}{\nonshppict{\pict\wmetafile8 00}}\par{\pict\wmetafile8 00}}`,
  })
  await expect.poll(() => currentHtml(page)).toMatch(stored('<p>Text</p>\nIMAGE\n<p>Chart</p>'))
  const notice = page.getByRole('status').filter({ hasText: 'One picture could not be pasted.' })
  await expect(notice).toContainText('The program you copied from did not hand it over.')

  await clear(page)
  await paste(page, {
    html: '<p>Far <img src="https://example.org/a.png" alt="A"> and <img src="file:///b.png"></p>',
    text: 'Far',
  })
  await expect(page.getByText('Two pictures could not be pasted.')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Two pictures could not be pasted.')).toBeHidden()
})

async function clear(page: Page): Promise<void> {
  await page.evaluate(() => window.hugerte.activeEditor.setContent(''))
  await editorBody(page).click()
}
