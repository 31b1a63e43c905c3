// Reporting a comment and a post, and the page on which operators decide.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { expect, makeOperator, test } from '#test/support/operator-blog.ts'
import { untilHydrated } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writePost } from '#test/support/write-post.ts'

const POST = { title: 'Ferries I have missed', content: '<p>All of them.</p>' }
const SPAM = 'Cheap tickets: https://deals.example <b>only today</b>'

const caseOf = (page: Page, text: string) => page.locator('.case').filter({ hasText: text })

test('a post is reported and hidden, an earlier decision by another operator is shown, and an author is blocked', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Paul Brandt')
  await signUpByApi(reader, 'Yusuf Karam')
  const postId = await writePost(author.context.request, { ...POST, title: 'The second bench' })
  const commentId = await writeComment(author.context.request, postId, 'First words of mine')
  await reader.page.goto(`/post/${postId}`)
  await untilHydrated(reader.page)
  await reader.page.getByRole('button', { name: 'More for this post' }).click()
  await reader.page.getByRole('menuitem', { name: 'Report' }).press('Enter')
  await reader.page.getByRole('button', { name: 'Send report' }).click()
  await expect(reader.page.getByText('You reported this on')).toBeVisible()
  const headers = { 'x-appwrite-project': 'blog' }
  const data = { postId, commentId, reason: 'other' }
  await reader.context.request.post('/v1/reports', { headers, data })

  // A page that shows the post requests its comments again when they are hidden; by then the post
  // is hidden, too, because its author is blocked.
  reader.expectFault(/status of 404 .*\/comments\?/)

  const operator = await visit()
  const { page, expectFault } = operator
  expectFault(/status of 409/)
  await signUpByApi(operator, 'Inge Ibsen')
  await page.goto('/dashboard')
  await makeOperator(page, asOperator)
  await page.goto('/admin')
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Review' }).first().click()
  const postCase = caseOf(page, 'the post The second bench')
  await expect(postCase).toBeVisible()
  const { $id: id } = await firstCase(page)
  await asOperator(`/v1/operator/cases/${id}`, { action: 'dismiss' })
  await postCase.getByRole('button', { name: 'Hide post' }).click()
  const dismissedNotice = page.getByText(
    'A program with the key has already dismissed this report.',
  )
  await expect(dismissedNotice.first()).toBeVisible()

  const commentCase = caseOf(page, 'First words of mine')
  await expect(commentCase).toBeFocused()
  await commentCase.getByRole('button', { name: 'Block and hide all' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block and hide all' }).click()
  await expect(page.getByText('Blocked, and everything is hidden.').first()).toBeVisible()
  await page.getByRole('radio', { name: 'Done' }).click()
  await expect(commentCase).toContainText('by you')
  await commentCase.getByRole('button', { name: 'Put back' }).click()
  await page.getByRole('radio', { name: /^Waiting/ }).click()
  await expect(commentCase).toContainText('reported by 1 person')
})

test('axe reports no violations in the report dialog and on the queue', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Anna Axe')
  await signUpByApi(reader, 'Rikke Ravn')
  const postId = await writePost(author.context.request, POST)
  await writeComment(author.context.request, postId, SPAM)
  await reader.page.goto(`/post/${postId}`)
  await untilHydrated(reader.page)
  await reader.page.getByRole('button', { name: 'More for this post' }).click()
  await reader.page.getByRole('menuitem', { name: 'Report' }).click()
  const operator = await visit()
  const { page } = operator
  await signUpByApi(operator, 'Olga Olsen')
  await page.goto('/dashboard')
  await makeOperator(page, asOperator)
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(reader.page, theme)
    expect(await axeFindings(reader.page), `dialog ${theme}`).toEqual([])
  }
  await reader.page.getByRole('button', { name: 'Send report' }).click()
  await expect(reader.page.getByText('You reported this on')).toBeVisible()
  await page.goto('/admin/queue')
  await untilHydrated(page)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const theme of ['dark', 'light'] as const) {
      await showTheme(page, theme)
      expect(await axeFindings(page), `queue ${theme} ${width}`).toEqual([])
    }
  }
})

async function firstCase(page: Page): Promise<{ $id: string }> {
  return await page.evaluate(async () => {
    const headers = { 'x-appwrite-project': 'blog' }
    const answer = await fetch('/v1/operator/cases', { headers })
    return (await answer.json()).list[0]
  })
}
