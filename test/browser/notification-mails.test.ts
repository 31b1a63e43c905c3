// Notifications by mail: chosen in the settings, and ended by the link of a mail.
import { axeFindings } from '#test/support/axe.ts'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { expect, test } from '#test/support/operator-blog.ts'
import { showTheme } from '#test/support/show-theme.ts'

const WRONG = `/notifications/unsubscribe?secret=likes.${'0'.repeat(64)}.nobody`

test('a mail preference is saved at once by keyboard at 390 px and applies on another device', {
  tag: '@more',
}, async ({ visit }) => {
  const ada = await visit({ viewport: { width: 390, height: 800 } })
  await signUpByApi(ada, 'Ada Author')
  const { page } = ada
  await page.goto('/settings#notifications')
  await expect(page).toHaveURL(/\/settings\/notifications$/)
  const likes = page.getByRole('combobox', { name: 'Likes' })
  await expect(likes).toHaveValue('never')
  await likes.focus()
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/notifications/mails'))
  await page.keyboard.press('O')
  await saved
  await expect(likes).toHaveValue('daily')
  await expect(likes).toBeFocused()
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
  }
  await page.reload()
  await expect(likes).toHaveValue('daily')
  await expect(page.getByRole('combobox', { name: 'Reports and approvals' })).toHaveCount(0)
})

test('the unsubscribe link changes nothing until its button is pressed, with and without scripts', {
  tag: '@more',
}, async ({ visit }) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await visit({ javaScriptEnabled })
    await page.goto(WRONG)
    await expect(page.getByRole('heading', { name: 'Stop these emails?' })).toBeVisible()
    await page.getByRole('button', { name: 'Stop these emails' }).click()
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await page.goto('/notifications/unsubscribe?done=likes')
    await expect(page.getByRole('heading')).toHaveText('You get no more emails about likes.')
    await expect(page.getByRole('link', { name: 'Email settings' })).toBeVisible()
  }
})
