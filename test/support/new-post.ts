// Fills in the form of a new post, without submitting it.
import { expect, type Page } from '@playwright/test'
import { drawPhoto } from './images.ts'
import { editorBody, toUpload } from './people.ts'

export async function fillNewPost(
  page: Page,
  { title, text }: { title: string; text: string },
): Promise<void> {
  await page.goto('/add-post')
  await page.getByLabel('Title', { exact: true }).fill(title)
  await editorBody(page).click()
  await page.keyboard.type(text)
  await chooseImage(page)
}

export async function chooseImage(page: Page): Promise<void> {
  const bytes = await drawPhoto('jpeg', { width: 640, height: 360 })
  await page
    .getByLabel('Featured image')
    .setInputFiles(toUpload({ name: 'roof.jpg', type: 'image/jpeg', bytes }))
  // The browser prepares the image first.
  await expect(page.getByText('roof.jpg')).toBeVisible()
}
