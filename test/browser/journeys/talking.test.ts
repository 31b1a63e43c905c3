// Journeys of people who meet on a blog: likes, comments, notifications, and an operator who
// moderates.
import type { Locator, Page } from '@playwright/test'
import { blockSiteData, SCROLL_IS_LOST } from '#test/support/blocked-storage.ts'
import { signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { untilHydrated } from '#test/support/people.ts'
import { changePost, DOCUMENTS, writeText } from '#test/support/write-post.ts'

const HOSTILE = '<img src=x onerror="top.pwned=1">'
const HEADERS = { 'x-appwrite-project': 'blog' }
const PHONE = { viewport: { width: 390, height: 844 } }

/** Opens a page and waits until it receives the events of this channel. */
async function openLive(page: Page, address: string, channel: string): Promise<void> {
  const isConnected = untilConnected(page, channel)
  await page.goto(address)
  await untilHydrated(page)
  await isConnected
}

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? 0
}

const commentOf = (page: Page, text: string) => page.locator('.comment').filter({ hasText: text })
const heartOf = (page: Page) => page.getByRole('button', { name: /^Like this post/ })

test('a first comment is approved, answered and hidden in place, and guests read the visible ones without scripts', async ({
  visit,
  asOperator,
}) => {
  await asOperator('/v1/site', { approveFirst: 'on', reading: 'everyone' })
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Ada Author')
  await signUpByApi(reader, 'Rita Reader')
  const { request } = author.context
  const content = '<p>It goes on to the sea.</p>'
  const id = await writeText(request, { title: 'A quiet road', content })
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`)
  await writeComment(request, id, lines.join('\n'))
  for (const { page } of [author, reader])
    await openLive(page, `/post/${id}`, 'collections.comments.documents')

  // A long comment is cut until the reader expands it.
  const longText = reader.page.locator('.comment__text')
  await expect(longText).toHaveClass(/is-cut/)
  await reader.page.getByRole('button', { name: 'Show all' }).press('Enter')
  await expect(longText).not.toHaveClass(/is-cut/)

  const typed = 'See https://sea.example/map.\n> It goes on\n`so far`'
  const field = reader.page.getByRole('textbox', { name: 'Write a comment' })
  await field.fill(typed)
  await expect(reader.page.getByRole('region', { name: 'Preview' })).toContainText(
    'sea.example/map',
  )
  await field.press('Control+Enter')
  const posted = reader.page.getByText('Posted. Others see it once it has been approved.')
  await expect(posted).toBeVisible()
  const waiting = reader.page.getByText('Only you and the operators see it.')
  await expect(waiting).toBeVisible()

  await author.page.getByRole('button', { name: '1 new comment · Show' }).click()
  await author.page.getByRole('button', { name: 'Approve' }).click()
  await expect(posted).toHaveCount(0)
  await expect(waiting).toHaveCount(0)
  const first = commentOf(author.page, 'sea.example/map')
  await expect(first).not.toContainText('needs approval')
  await first.getByRole('button', { name: 'Reply' }).click()
  const reply = author.page.getByRole('textbox', { name: 'Reply to Rita Reader' })
  await reply.fill('Thank you.')
  await reply.press('Control+Enter')
  await expect(commentOf(author.page, 'Thank you.')).toBeFocused()
  await reader.page.getByRole('button', { name: '1 new reply · Show' }).click()
  await expect(commentOf(reader.page, 'Thank you.')).toBeFocused()
  await expect(reader.page.getByRole('heading', { name: 'Comments 3' })).toBeVisible()

  // --- a comment rendered by the server is edited as the text that was typed ---
  await openLive(reader.page, `/post/${id}`, 'collections.comments.documents')
  await commentOf(reader.page, 'sea.example/map').getByRole('button', { name: 'Edit' }).click()
  const editField = reader.page.getByRole('textbox', { name: 'Edit your comment' })
  await expect(editField).toHaveValue(typed)
  await editField.press('Escape')

  const guest = await visit({ javaScriptEnabled: false })
  await guest.page.goto(`/post/${id}`)
  const link = guest.page.getByRole('link', { name: 'sea.example/map' })
  await expect(link).toHaveAttribute('rel', 'nofollow ugc')
  const feed = await guest.page.locator('link[href$="comments.xml"]').getAttribute('href')
  expect(await (await guest.context.request.get(`${feed}`)).text()).toContain('sea.example/map')
  await expect(guest.page.locator('.comment blockquote')).toHaveText('It goes on')
  await expect(commentOf(guest.page, 'Thank you.')).toContainText('author')
  await expect(guest.page.locator('#comments noscript p')).toBeVisible()

  await first.getByRole('button', { name: 'More for the comment by Rita Reader' }).click()
  await author.page.getByRole('menuitem', { name: 'Hide comment' }).click()
  await expect(first).toContainText('hidden by you')
  await expect(
    reader.page.getByText(/Hidden by the author of the post on .+ Only you see it/),
  ).toBeVisible()
  await guest.page.reload()
  await expect(
    guest.page.getByText('The author of the post has hidden this comment.'),
  ).toBeVisible()
  expect(await guest.page.content()).not.toContain('sea.example')
})

test('a guest signs in to like, likes update on an open post, and the page says when the post changes or disappears', async ({
  visit,
}) => {
  const author = await visit()
  const reader = await visit()
  const other = await visit()
  await signUpByApi(author, 'Ada Author')
  await signUpByApi(reader, 'Rita Reader')
  const { email, password } = await signUpByApi(other, 'Otto Other')
  await other.context.clearCookies()
  // The pages poll for comments, also while the post disappears.
  for (const { expectFault } of [reader, other]) expectFault(/status of 404 .*\/comments\?/)
  const paragraphs = Array.from(
    { length: 40 },
    (_, at) => `<p>Paragraph ${at} ${'word '.repeat(40)}</p>`,
  )
  const { request } = author.context
  const id = await writeText(request, { title: 'Alive', content: paragraphs.join('') })
  const { page } = reader
  await openLive(page, `/post/${id}`, `documents.${id}`)
  const heart = heartOf(page)

  // --- likes ---
  await other.page.goto(`/post/${id}`)
  await heartOf(other.page).click()
  await other.page
    .getByRole('dialog', { name: 'Sign in to like' })
    .getByRole('link', { name: 'Sign in' })
    .click()
  await other.page.getByLabel('Email', { exact: true }).fill(email)
  await other.page.getByLabel('Password', { exact: true }).fill(password)
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.page).toHaveURL(new RegExp(`/post/${id}`))
  // "+1" is shown for two seconds, so each frame is checked.
  const added = page.waitForFunction(() =>
    document.querySelector('.like-button')?.textContent?.includes('+1'),
  )
  await heartOf(other.page).click()
  await expect(heart).toHaveAccessibleName('Like this post, 1 like')
  await added
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(other.page.getByText('Like this post, 2 likes')).toBeAttached()
  await expect(heart).toHaveAccessibleName('Like this post, 2 likes')

  // --- the text has changed: nothing moves until the reader presses "Show" ---
  const paragraph = page.getByText('Paragraph 20 ')
  await paragraph.evaluate((element) => element.scrollIntoView())
  const top = await topOf(paragraph)
  await changePost(request, id, { content: ['<p>Before all</p>', ...paragraphs].join('') })
  const notice = page.getByRole('status').filter({ hasText: 'This post was updated · Show' })
  await expect(notice).toBeVisible()
  expect(Math.abs((await topOf(paragraph)) - top)).toBeLessThan(1)
  await expect(page.getByText('Before all')).toHaveCount(0)
  await notice.getByRole('button', { name: 'Show' }).press('Enter')
  await expect(page.getByText('Before all')).toHaveCount(1)
  await expect(notice).toHaveCount(0)
  expect(Math.abs((await topOf(paragraph)) - top)).toBeLessThan(1)
  await expect(page.locator('.prose > p:focus')).toContainText(/Paragraph (19|20) /)

  // --- the post is unpublished, published again and deleted ---
  await changePost(request, id, { status: 'inactive' })
  const unpublishedNotice = page.getByText('This post was unpublished by its author.')
  await expect(unpublishedNotice).toBeVisible()
  await expect(heart).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Copy link' }).first()).toBeDisabled()
  await changePost(request, id, { status: 'active', title: 'Alive again' })
  await expect(unpublishedNotice).toHaveCount(0)
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Close this message' }).click()
  await expect(notice).toHaveCount(0)
  await request.delete(`${DOCUMENTS}/${id}`, { headers: HEADERS })
  await expect(page.getByText('This post was deleted by its author.')).toBeVisible()
  await expect(paragraph).toBeInViewport()
})

test('notifications by keyboard at 390 px: the count updates live, and reading on one device marks them read on the other', async ({
  visit,
  asOperator,
}) => {
  await asOperator('/v1/site', { approveFirst: 'off' })
  const author = await visit(PHONE)
  const other = await visit()
  await signUpByApi(author, 'Ada Author')
  await signUpByApi(other, 'Otto Other')
  const answer = await other.context.request.patch('/v1/account/name', {
    headers: HEADERS,
    data: { name: HOSTILE },
  })
  expect(answer.status()).toBe(200)
  const { page, context } = author
  const title = `A road ${HOSTILE}`
  const id = await writeText(context.request, { title, content: '<p>It goes on.</p>' })
  const second = await visit()
  await second.context.addCookies(await context.cookies())
  const bell = (news = '') =>
    page.getByRole('button', { name: `Notifications${news}`, exact: true })
  const list = page.getByRole('dialog', { name: 'Notifications' })
  const notes = second.page.locator('main .note')
  await openLive(page, '/post', 'notifications')
  await openLive(second.page, '/notifications', 'notifications')
  await expect(second.page.getByText('Nothing new')).toBeVisible()
  await expect(bell()).toBeVisible()

  await writeComment(other.context.request, id, `One ${HOSTILE}`)
  await expect(bell(', 1 new')).toContainText('1')
  await second.page.getByRole('button', { name: '1 new · Show' }).click()
  await expect(notes).toContainText('New')
  await expect(second.page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(bell()).toBeVisible()

  await bell().focus()
  await page.keyboard.press('ArrowDown')
  await expect(list).toBeFocused()
  const line = list.getByRole('link', { name: /commented on/ })
  await expect(line).toContainText(`${HOSTILE} commented on “${title}”`)
  await expect(line).toContainText(`One ${HOSTILE}`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(line).toBeFocused()
  await list.getByRole('button', { name: 'Mark all as read' }).press('Enter')
  await expect(line).not.toContainText('New')
  await expect(list.getByRole('heading')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bell()).toBeFocused()
  await expect(list).toBeHidden()
  await page.keyboard.press('Enter')
  await line.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/post/${id}.*\\?comment=.+#c-`))
  await expect(notes).not.toContainText('New')
  await expect(notes).toContainText(`${HOSTILE} commented on`)
  expect(await second.page.evaluate(() => 'pwned' in window)).toBe(false)
})

test('a reader without storage reports a comment, and an operator hides it by keyboard on a phone, undoes that and blocks its author', async ({
  visit,
  asOperator,
}) => {
  const author = await visit()
  const reader = await visit(PHONE)
  await signUpByApi(author, 'Dora Deals')
  await signUpByApi(reader, 'Rita Reader')
  const title = 'Ferries I have missed'
  const postId = await writeText(author.context.request, { title, content: '<p>All of them.</p>' })
  const spam = 'Cheap tickets: https://deals.example <b>only today</b>'
  await writeComment(author.context.request, postId, spam)
  await reader.context.addInitScript(blockSiteData)
  reader.expectFault(SCROLL_IS_LOST)
  await reader.page.goto(`/post/${postId}`)
  await untilHydrated(reader.page)
  await reader.page.getByRole('button', { name: 'More for the comment by Dora Deals' }).click()
  await reader.page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = reader.page.getByRole('dialog', { name: 'Report this comment' })
  await dialog.getByRole('radio', { name: 'Insult or threat' }).check()
  await dialog.getByLabel('Details').fill('<i>Three posts</i>')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(reader.page.locator('[id^=reported-]')).toBeFocused()
  await reader.page.reload()
  await expect(reader.page.getByText('You reported this on')).toBeVisible()
  expect((await reader.context.request.get('/admin/queue')).status()).toBe(404)

  // --- the queue ---
  const operator = await visit(PHONE)
  const { page } = operator
  const { id } = await signUpByApi(operator, 'Ines Duarte')
  await asOperator(`/v1/users/${id}/labels`, { labels: ['operator'] }, 'PUT')
  await page.goto('/admin/queue')
  await untilHydrated(page)
  const reported = page.locator('.case').filter({ hasText: spam })
  await expect(reported).toContainText('Rita Reader: Insult or threat “<i>Three posts</i>”')
  await expect(reported.getByRole('link')).toHaveText([title])
  await page.keyboard.press('j')
  await expect(reported).toBeFocused()
  await page.keyboard.press('h')
  await expect(reported).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(reported).toBeFocused()
  await expect(page.getByRole('link', { name: 'Comments and reports 1 waiting' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByText('Dismissed.', { exact: true }).first()).toBeVisible()

  // --- the writer ---
  await page.goto('/admin/people?search=Dora')
  await untilHydrated(page)
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Dora Deals' }) })
  const pressInMenu = async (item: string) => {
    await page.getByRole('button', { name: 'More for Dora Deals' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await pressInMenu('Block')
  const question = page.getByRole('alertdialog', { name: 'Block Dora Deals?' })
  await question.getByLabel('Reason, for Activity').fill('<i>Advertising</i>')
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(row).toContainText('blocked')
  await expect(row).toContainText('<i>Advertising</i>')
  expect((await reader.context.request.get(`/post/${postId}`)).status()).toBe(404)
  await pressInMenu('Unblock')
  await expect(page.getByText('Dora Deals is unblocked.')).toBeVisible()
  await expect(row).not.toContainText('blocked')
  await page.goto('/admin/activity')
  await expect(page.getByText('Ines Duarte blocked Dora Deals')).toContainText(
    'reason: <i>Advertising</i>',
  )
})
