// Images of other types, with wrong extensions and of any size: the browser converts them to what
// the server accepts.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test } from '#test/support/browser-blog.ts'
import type { ImageFile } from '#test/support/clients.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp, toUpload } from '#test/support/people.ts'

const CANNOT_OPEN = 'This browser cannot open HEIC pictures. Choose a PNG, JPG, JPEG or GIF.'

test('the form converts WebP and AVIF, corrects a wrong extension, scales down large images and refuses unknown types', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Wanda Webp'))
  const photo = await drawPhoto('png', { width: 96, height: 54 })
  const transparent = await sharp({
    create: { width: 96, height: 54, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  })
    .webp()
    .toBuffer()
  const panorama = await sharp({
    create: { width: 12_600, height: 40, channels: 3, background: 'red' },
  })
    .jpeg()
    .toBuffer()
  const rotated = await sharp(photo).withMetadata({ orientation: 6 }).avif().toBuffer()
  await page.getByRole('link', { name: 'addPost' }).click()
  const field = page.getByLabel('Featured image')
  const facts = page.locator('.image-picker')

  await field.setInputFiles(file('photo.webp', await sharp(photo).webp().toBuffer()))
  await expect(facts).toContainText('photo.jpg')
  await expect(facts).toContainText('Converted to JPEG.')
  await field.setInputFiles(file('glass.webp', transparent))
  await expect(facts).toContainText('glass.png')
  await expect(facts).toContainText('Converted to PNG.')
  await field.setInputFiles(file('turned.avif', rotated))
  await expect(facts).toContainText('turned.jpg')
  await field.setInputFiles(file('panorama.jpg', panorama))
  await expect(facts).toContainText('Scaled down to 2400 px.')
  await field.setInputFiles(file('phone.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')))
  await expect(page.getByRole('alert').filter({ hasText: CANNOT_OPEN })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Preview: Featured image' })).toBeHidden()

  // Submitted at once, before the conversion has ended.
  await page.getByLabel('Title', { exact: true }).fill('Named after another')
  await field.setInputFiles(file('photo.jpg', photo))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}[a-z]$/)
  expect(await storedFiles(page)).toEqual([{ name: 'photo.png', mimeType: 'image/png' }])
})

function file(name: string, bytes: Buffer): ReturnType<typeof toUpload> {
  const type: ImageFile['type'] = `image/${name.split('.').at(-1)?.replace('jpg', 'jpeg')}`
  return toUpload({ name, type, bytes })
}

async function storedFiles(page: Page): Promise<{ name: string; mimeType: string }[]> {
  const answer = await page.request.get('/v1/storage/buckets/content/files', {
    headers: { 'x-appwrite-project': 'blog' },
  })
  const { files }: { files: { name: string; mimeType: string }[] } = await answer.json()
  return files.map(({ name, mimeType }) => ({ name, mimeType }))
}
