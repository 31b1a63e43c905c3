// The journey of somebody who moves here: posts come from another blog, are undone, and leave again.
import { signUpByApi } from '#test/support/browser-comments.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { untilHydrated } from '#test/support/people.ts'
import { readZip } from '#test/support/zip.ts'

const cdata = (name: string, value: string) => `<${name}><![CDATA[${value}]]></${name}>`

function item(values: Record<string, string>, more = ''): string {
  const elements = Object.entries(values).map(([name, value]) => cdata(name, value))
  return `<item>${elements.join('')}${more}</item>`
}

const COMMENT = [
  cdata('wp:comment_id', '7'),
  cdata('wp:comment_author', 'Cleo Carr'),
  cdata('wp:comment_date_gmt', '2019-05-04 09:00:00'),
  cdata('wp:comment_content', 'I was on that ferry.'),
  cdata('wp:comment_approved', '1'),
].join('')

const POST = {
  title: 'The ferry at five',
  link: 'https://ferries.example/2019/05/the-ferry-at-five/',
  'dc:creator': 'ann',
  'content:encoded': '<p>It waits for nobody.</p>[slider id="3"]',
  'wp:post_id': '12',
  'wp:post_date_gmt': '2019-05-03 08:00:00',
  'wp:post_name': 'the-ferry-at-five',
  'wp:status': 'publish',
  'wp:post_type': 'post',
}

const EXPORT = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Ferries</title><link>https://ferries.example</link><generator>https://wordpress.org/?v=6.8.1</generator>
${item(POST, `<wp:comment>${COMMENT}</wp:comment>`)}
${item({ ...POST, title: 'Not yet', 'wp:post_id': '13', 'wp:post_name': 'not-yet', 'wp:status': 'draft' })}
${item({ ...POST, title: 'About', 'wp:post_id': '14', 'wp:post_name': 'about', 'wp:post_type': 'page' })}
</channel></rss>`

test('anna brings her posts from WordPress, undoes the import, brings them again and takes them along', async ({
  visit,
}) => {
  const anna = await visit()
  const { page } = anna
  const { name } = await signUpByApi(anna, 'Anna Ahl')

  // --- choose and check ---
  await page.goto('/settings/data')
  await untilHydrated(page)
  const chooseFile = async () => {
    await page.getByLabel('File with the posts').setInputFiles({
      name: 'ferries.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(EXPORT),
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
  await expect(start).toBeVisible()

  // --- import ---
  await start.press('Enter')
  const heading = page.getByRole('heading', { name: 'Bring posts from elsewhere' })
  await expect(page.locator('.alert', { hasText: '2 posts imported.' })).toBeVisible()
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
  await expect(page.locator('.alert', { hasText: 'The import is undone.' })).toBeVisible()
  await expect(heading).toBeFocused()

  // --- again, then away ---
  await page.getByRole('button', { name: 'Import another file' }).press('Enter')
  await chooseFile()
  await start.press('Enter')
  await expect(page.locator('.alert', { hasText: '2 posts imported.' })).toBeVisible()
  await page.getByRole('button', { name: 'Create: Markdown' }).press('Enter')
  const link = page.getByRole('link', { name: 'Download: Markdown' })
  await expect(link).toBeFocused()
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
  expect(name).toBe('Anna Ahl')
})
