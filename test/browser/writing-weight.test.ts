// What the form of a new post costs its writer: received bytes, including the editor.
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { countReceived } from '#test/support/received-bytes.ts'

/** The target, and 5 % more: how well files compress depends on their content. */
const TOTAL_AIM_BYTES = 560_000
const TOTAL_MAX_BYTES = 1.05 * TOTAL_AIM_BYTES
const EDITOR_MIN_BYTES = 200_000

test(`a new post with its editor, which loads even without input, costs about ${TOTAL_AIM_BYTES / 1000} kB on a first visit`, {
  tag: '@more',
}, async ({ visit }) => {
  const writer = await visit()
  await signUp(writer.page, makeNewcomer('Wanda Waage'))
  // Another browser of the same user, with an empty cache.
  const { page, context } = await visit({ isIdle: true })
  await context.addCookies(await writer.context.cookies())
  const received = await countReceived(page)
  await page.goto('/add-post')
  await page.locator('[data-ready=true]').waitFor()
  await expect(page.getByText('0 words')).toBeVisible()
  expect(Math.max(...received.values()), 'the editor').toBeGreaterThan(EDITOR_MIN_BYTES)
  const total = [...received.values()].reduce((sum, bytes) => sum + bytes, 0)
  expect(total).toBeLessThanOrEqual(TOTAL_MAX_BYTES)
})
