// The journey of somebody who moves here: posts come from another blog, are undone, and leave
// again.
import { signUpByApi } from '#test/support/browser-comments.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { untilHydrated } from '#test/support/people.ts'
import { FERRIES } from '#test/support/wordpress-file.ts'
import { readZip } from '#test/support/zip.ts'

/** Imports and exports run in processes of their own, which start slowly on a busy machine. */
const SLOW = { timeout: 120_000 }

test('anna brings her posts from WordPress, undoes the import, brings them again and takes them along', async ({
  visit,
}) => {
  const anna = await visit()
  const { page } = anna
  await signUpByApi(anna, 'Anna Ahl')

  // --- choose and check ---
  await page.goto('/settings/data')
  await untilHydrated(page)
  const chooseFile = async () => {
    await page.getByLabel('File with the posts').setInputFiles({
      name: 'ferries.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(FERRIES),
    })
    await page.keyboard.press('Enter')
  }
  const start = page.getByRole('button', { name: 'Import 2 posts' })
  await page.getByRole('radio', { name: /^Ghost/ }).check()
  await chooseFile()
  await expect(
    page.getByText('This is a WordPress export, not Ghost. It was read as WordPress.'),
  ).toBeVisible()
  const table = page.getByRole('region', { name: 'What will be imported' })
  await expect(table.getByRole('row', { name: /^Posts/ })).toContainText('1')
  await expect(table.getByRole('row', { name: /^Drafts and private posts/ })).toContainText('1')
  await expect(table.getByRole('row', { name: /^Comments/ })).toContainText('1')
  await expect(page.getByText(/^1 page$/)).toBeVisible()
  await expect(start).toBeVisible(SLOW)

  // --- import ---
  await start.press('Enter')
  const heading = page.getByRole('heading', { name: 'Bring posts from elsewhere' })
  await expect(page.locator('.alert', { hasText: '2 posts imported.' })).toBeVisible(SLOW)
  await expect(page.locator('.archive-steps [aria-current=step]')).toHaveText(/Done/)
  await page.getByRole('link', { name: 'See your posts' }).click()
  await page.getByRole('link', { name: 'The ferry at five' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The ferry at five')
  await expect(page.getByText('It waits for nobody.')).toBeVisible()
  const comment = page.locator('.comment', { hasText: 'I was on that ferry.' })
  await expect(comment).toContainText('Cleo Carr')
  await expect(comment).toContainText('from the old blog')
  await page.goto('/2019/05/the-ferry-at-five/')
  await expect(page).toHaveURL(/\/post\//)

  // --- undo ---
  await page.goto('/settings/data')
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Undo import' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Undo the import?' })
  await question.getByRole('button', { name: 'Undo import' }).press('Enter')
  await expect(page.locator('.alert', { hasText: 'The import is undone.' })).toBeVisible(SLOW)
  await expect(heading).toBeFocused()

  // --- again, then away ---
  await page.getByRole('button', { name: 'Import another file' }).press('Enter')
  await chooseFile()
  await start.press('Enter')
  await expect(page.locator('.alert', { hasText: '2 posts imported.' })).toBeVisible(SLOW)
  await page.getByRole('button', { name: 'Create: Markdown' }).press('Enter')
  const link = page.getByRole('link', { name: 'Download: Markdown' })
  await expect(link).toBeFocused(SLOW)
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await downloading
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const files = await readZip(Buffer.concat(chunks))
  const post = files.find(({ path }) => path.endsWith('.md') && path.includes('the-ferry'))
  expect(post?.bytes.toString()).toContain('It waits for nobody.')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(
    page.getByRole('dialog').getByText('Your import is ready: 2 posts.').first(),
  ).toBeVisible()
})
