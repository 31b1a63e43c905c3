// Opens the preview link of a draft, and the dialog that makes it.
import { editorText, type Stage, settled, visit } from './stage.ts'

/** The form of a draft, with the dialog of its preview link open and a link made. */
export async function openPreviewLink({ page }: Stage): Promise<void> {
  await visit(page, '/dashboard')
  const link = page.getByRole('link', { name: /^Continue: / }).first()
  await page.goto((await link.getAttribute('href')) ?? '')
  await editorText(page)
  await page.getByRole('button', { name: 'Preview link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview link' })
  // The link of the screen before is still valid.
  await dialog.getByRole('button', { name: /^Create a (?:new )?link$/ }).click()
  await dialog.getByLabel('Link', { exact: true }).waitFor()
}

export async function openDraftPreview(stage: Stage): Promise<void> {
  const { page } = stage
  await openPreviewLink(stage)
  const address = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  await page.goto(address)
  await page.getByText('has shared this draft with you').waitFor()
  await settled(page)
}
