// A writer hands out a draft by its preview link, a reader without an account follows it, and the
// writer withdraws it.
import { expect, test } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { changePost, writePost } from '#test/support/write-post.ts'

const DRAFT = {
  title: 'The night ferry',
  content: '<p>Two queues.</p>',
  status: 'inactive',
} as const

test('a writer makes a preview link, a reader without an account opens it and follows the draft, and the link ends when it is withdrawn', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Mara Ellison'))
  const slug = await writePost(context.request, DRAFT)
  await page.goto(`/edit-post/${slug}`)
  await editorBody(page).getByText('Two queues.').waitFor()
  await page.getByRole('button', { name: 'Preview link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview link' })
  await dialog.getByRole('button', { name: 'Create a link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await expect(dialog.getByText('Not opened yet.')).toBeVisible()

  const reader = await visit()
  await reader.page.clock.install()
  await reader.page.goto(link)
  await expect(reader.page.getByRole('heading', { name: DRAFT.title })).toBeVisible()
  await expect(reader.page.getByText('Mara Ellison has shared this draft with you.')).toBeVisible()
  await expect(reader.page.getByText('Two queues.')).toBeVisible()
  await expect(reader.page.locator('.featured-image img')).toBeVisible()
  await expect(reader.page.getByRole('navigation')).toHaveCount(0)

  await changePost(context.request, slug, { content: '<p>One queue.</p>' })
  await reader.page.mouse.move(10, 10)
  await reader.page.clock.fastForward('00:30')
  const strip = reader.page.getByRole('status').filter({ hasText: 'This draft was updated' })
  await strip.getByRole('button', { name: 'Show' }).click()
  await expect(reader.page.getByText('One queue.')).toBeVisible()
  await expect(strip).toHaveCount(0)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Preview link' }).press('Enter')
  await expect(dialog.getByText(/^Expires on .+ Opened once, today/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(dialog.getByText('Withdrawn. The old link shows')).toBeVisible()

  reader.expectFault(/404/)
  await reader.page.reload()
  await expect(reader.page.getByRole('heading', { name: 'This preview has ended' })).toBeVisible()
})
