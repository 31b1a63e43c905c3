// Opens the editor of the post form with its dialogs and images in the states of states.ts.
import type { Page } from '@playwright/test'
import { openForm } from './open-post.ts'
import { editorText, imageFile, neverAnswer, type Stage, visit } from './stage.ts'

const TILES = { width: 1600, height: 800 }

export async function openImageDialog(stage: Stage): Promise<void> {
  await openForm(stage)
  await pressTool(stage.page, 'Image')
  await stage.page.getByRole('dialog').waitFor()
}

export async function openTagSuggestions(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.getByRole('combobox', { name: 'Tags' }).fill('trains,night,w')
  await page.getByRole('listbox', { name: 'Existing tags' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('combobox', { name: 'Tags' }).scrollIntoViewIfNeeded()
}

export async function openStoredImage(stage: Stage): Promise<void> {
  const { page } = stage
  await openImageDialog(stage)
  await chooseImage(page)
  await page.getByText(/^Stored/).waitFor()
  await page.getByLabel('What is in the picture').fill('The station at night')
}

/** The upload never ends here. */
export async function openSendingImage(stage: Stage): Promise<void> {
  const { page } = stage
  await openImageDialog(stage)
  await page.route('**/files', neverAnswer)
  await chooseImage(page)
  await page.getByRole('button', { name: 'Insert after upload' }).waitFor()
}

export async function openFailedImage(stage: Stage): Promise<void> {
  const { page } = stage
  await openImageDialog(stage)
  await page.route('**/files', (route) => route.abort())
  await chooseImage(page)
  await page.getByRole('dialog').getByRole('alert').waitFor()
}

/** A format that the browser does not open. */
export async function openRefusedImage(stage: Stage): Promise<void> {
  const { page } = stage
  await openImageDialog(stage)
  const file = { name: 'waiting-room.heic', mimeType: 'image/heic', buffer: Buffer.alloc(64) }
  await page.getByRole('dialog').getByLabel('Picture', { exact: true }).setInputFiles(file)
  await page.getByRole('dialog').getByRole('alert').waitFor()
}

async function chooseImage(page: Page): Promise<void> {
  const field = page.getByRole('dialog').getByLabel('Picture', { exact: true })
  await field.setInputFiles(await imageFile('waiting-room.jpg', TILES))
}

/** Another tab has the draft open. */
export async function openInOtherTab({ page }: Stage): Promise<void> {
  await visit(page, '/dashboard')
  const link = page.getByRole('link', { name: /^Continue: / }).first()
  const path = (await link.getAttribute('href')) ?? ''
  const other = await page.context().newPage()
  await visit(other, path)
  const body = await editorText(other)
  await body.click()
  await other.keyboard.type('More. ')
  await page.goto(path)
  await page.getByText('This draft is open in another tab.').waitFor()
}

/** The upload never ends here. */
export async function openUploadInText(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.route('**/files', neverAnswer)
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
  await page.getByLabel('URL').fill('fares of last winter')
  await page.getByRole('button', { name: 'Insert link' }).click()
  await page.getByText('This does not look like a URL.').waitFor()
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
