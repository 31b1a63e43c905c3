// Comments written while a page is open: realtime events contain them, and no request is made.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { startApp } from '#test/support/people.ts'
import { changePost, writePost } from '#test/support/write-post.ts'

test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const POST = { title: 'A quiet road', content: '<p>It goes on to the sea.</p>' }

/** Opens a post with the app, and lists the calls for its comments and its state. */
async function open(page: Page, address: string) {
  const isConnected = untilConnected(page, 'collections.comments.documents')
  const commentCalls: string[] = []
  const stateCalls: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/\/v1\/.*comments/.test(url)) commentCalls.push(url)
    if (/\/v1\/.*posts\/documents\?/.test(url)) stateCalls.push(url)
  })
  await page.goto(address)
  await startApp(page)
  await isConnected
  return { commentCalls, stateCalls }
}

const item = (page: Page, text: string) => page.locator('.comment').filter({ hasText: text })

test('a guest sees new comments below those rendered with the page, without another request', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { page } = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  await writeComment(request, id, 'The first')
  const { commentCalls } = await open(page, `/post/${id}`)
  await writeComment(request, id, 'The second')
  await writeComment(request, id, 'The third')
  await page.getByRole('button', { name: '2 new comments · Show' }).click()
  await expect(item(page, 'The second')).toBeFocused()
  await expect(page.locator('.comment__text')).toHaveText(['The first', 'The second', 'The third'])
  await expect(page.getByRole('heading', { name: 'Comments 3' })).toBeVisible()
  expect(commentCalls).toEqual([])
})

test('the first comment on a post replaces the text that says there are none', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { page } = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  const { commentCalls } = await open(page, `/post/${id}`)
  await writeComment(request, id, 'The first')
  await page.getByRole('button', { name: '1 new comment · Show' }).click()
  await expect(item(page, 'The first')).toBeFocused()
  await expect(page.getByText('Be the first to write one.')).toHaveCount(0)
  expect(commentCalls).toEqual([])
})

test('a member sees new replies below their comment, without another request', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Ada Author')
  await signUpByApi(reader, 'Rita Reader')
  const { request } = author.context
  const id = await writePost(request, POST)
  const first = await writeComment(request, id, 'The first')
  await writeComment(request, id, 'The second')
  const { page } = reader
  const { commentCalls } = await open(page, `/post/${id}`)
  await writeComment(request, id, 'An answer', first)
  await page.getByRole('button', { name: '1 new reply · Show' }).click()
  await expect(item(page, 'An answer')).toBeFocused()
  await expect(page.locator('.comment__text')).toHaveText(['The first', 'An answer', 'The second'])
  expect(commentCalls).toEqual([])
})

test('an open post does not poll while it is connected, and says when it is unpublished', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { page } = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  await page.clock.install()
  const { stateCalls } = await open(page, `/post/${id}`)
  await page.mouse.move(100, 100)
  await page.clock.runFor(60_000)
  await changePost(request, id, { status: 'inactive' })
  await expect(page.getByText(/^This post was unpublished by its author/)).toBeVisible()
  // At most one call, if the page connected late.
  expect(stateCalls.length).toBeLessThanOrEqual(1)
})
