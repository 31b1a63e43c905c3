// The editor of the post form with its dialogs and images, each brought into its state (states.ts).
import type { Page } from '@playwright/test'
import { openForm } from './open-post.ts'
import { editorText, imageFile, never, type Stage } from './stage.ts'

const TILES = { width: 1600, height: 800 }

export async function openStoredImage(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await pressTool(page, 'Image')
  await page
    .getByRole('dialog')
    .getByLabel('Picture', { exact: true })
    .setInputFiles(await imageFile('waiting-room.jpg', TILES))
  await page.getByText(/^Stored/).waitFor()
  await page.getByLabel('What is in the picture').fill('The station at night')
}

/** It is never stored here. */
export async function openUploadInText(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.route('**/files', never)
  const body = await editorText(page)
  await body.click()
  const { name, mimeType, buffer } = await imageFile('waiting-room.jpg', TILES)
  await body.evaluate(pasteFile, { name, type: mimeType, base64: buffer.toString('base64') })
  await page.frameLocator('iframe').getByText('waiting-room.jpg').waitFor()
}

export async function openCodeDialog(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await pressTool(page, 'Code sample')
  await page.getByLabel('Code', { exact: true }).fill('const fare = 93')
}

export async function openLinkDialog(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await pressTool(page, 'Link')
  await page.getByLabel('Address').fill('fares of last winter')
  await page.getByRole('button', { name: 'Insert link' }).click()
  await page.getByText('This does not look like an address.').waitFor()
}

export async function openSource(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.getByRole('menubar').getByRole('menuitem', { name: 'View' }).click()
  await page.getByRole('menuitem', { name: 'Source code' }).click()
  await page.getByRole('dialog').waitFor()
}

async function pressTool(page: Page, name: string): Promise<void> {
  await page.locator(`.tox-editor-header [data-mce-name][aria-label^="${name}"]`).first().click()
}

/** Runs in the frame of the editor. */
function pasteFile(
  body: HTMLElement | SVGElement,
  { name, type, base64 }: { name: string; type: string; base64: string },
): void {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([bytes], name, { type }))
  body.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}
