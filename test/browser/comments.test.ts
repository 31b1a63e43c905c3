// Comments below a post: written, approved, answered, hidden and read without scripts, and new
// comments that arrive meanwhile.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { countComments, signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { HOSTILE_HTML } from '#test/support/hostile-texts.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { untilHydrated } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const POST = { title: 'A quiet road', content: '<p>It goes on to the sea.</p>' }
const GUEST_MORE_MAX_BYTES = 20_000

async function open(page: Page, address: string): Promise<void> {
  const isConnected = untilConnected(page, 'collections.comments.documents')
  await page.goto(address)
  await untilHydrated(page)
  await isConnected
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
const item = (page: Page, text: string) => page.locator('.comment').filter({ hasText: text })

test('a comment is written, edited, replied to and deleted by keyboard, and unsent text survives a reload', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit({ viewport: { width: 390, height: 800 } })
  const { page, context } = author
  await signUpByApi(author, 'Ada Author')
  const id = await writePost(context.request, POST)
  await open(page, `/post/${id}`)
  await expect(page.getByText('Be the first to write one.')).toBeVisible()

  await page.keyboard.press('c')
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeFocused()
  await field(page).focus()
  await page.keyboard.type('Begun')
  await page.reload()
  await untilHydrated(page)
  await expect(field(page)).toHaveValue('Begun')
  await field(page).fill('x'.repeat(5214))
  await field(page).press('Control+Enter')
  await expect(
    page.getByText('A comment can have 5,000 characters at most. Take out 214.'),
  ).toBeVisible()
  await field(page).fill('One')
  await field(page).press('Control+Enter')
  await expect(item(page, 'One')).toBeFocused()
  await field(page).fill('One')
  author.expectFault(/409/)
  await field(page).press('Control+Enter')
  await expect(page.getByText('You have posted this already.')).toBeVisible()
  await field(page).fill('')

  await item(page, 'One').getByRole('button', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Edit your comment' })).toBeFocused()
  await page.keyboard.type(' and a half')
  await page.keyboard.press('Control+Enter')
  await expect(item(page, 'One and a half')).toContainText('edited')

  const reader = await visit()
  await signUpByApi(reader, 'Rita Reader')
  await open(reader.page, `/post/${id}`)
  await item(reader.page, 'One and a half').focus()
  await reader.page.keyboard.press('r')
  await expect(reader.page.getByRole('textbox', { name: 'Reply to Ada Author' })).toBeFocused()
  await reader.page.keyboard.press('Escape')
  await expect(item(reader.page, 'One and a half')).toBeFocused()

  await item(page, 'One').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('It is deleted permanently. Replies to it stay.')).toBeVisible()
  await page.evaluate(renderLate)
  await page.getByRole('button', { name: 'Delete' }).last().press('Enter')
  await expect(item(page, 'One')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeFocused()
  expect(await countComments(context.request, id)).toBe(0)
  expect(await axeFindings(page)).toEqual([])
})

test('a comment sent offline is stored on the device and sent once when the network returns', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { page, context } = author
  await signUpByApi(author, 'Ada Author')
  const id = await writePost(context.request, POST)
  await open(page, `/post/${id}`)
  author.expectFault(/INTERNET_DISCONNECTED|WebSocket/)
  await context.setOffline(true)
  await field(page).fill('From the tunnel')
  await field(page).press('Control+Enter')
  await expect(page.getByText(/^Not sent yet. Kept on this device at \d\d:\d\d/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Waiting for connection' })).toBeVisible()
  await context.setOffline(false)
  await expect(item(page, 'From the tunnel')).toBeVisible()
  await expect(field(page)).toHaveValue('')
  expect(await countComments(context.request, id)).toBe(1)
})

test('the unsaved edit of a comment survives a reload, and a reply says that it waits for approval', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Ada Author')
  await signUpByApi(reader, 'Rita Reader')
  const id = await writePost(author.context.request, POST)
  await writeComment(author.context.request, id, 'First')
  const { page } = author
  await open(page, `/post/${id}`)
  await item(page, 'First').getByRole('button', { name: 'Edit' }).click()
  const editField = page.getByRole('textbox', { name: 'Edit your comment' })
  await editField.fill('First of all')
  await page.reload()
  await item(page, 'First').getByRole('button', { name: 'Edit' }).click()
  await expect(editField).toHaveValue('First of all')
  await editField.press('Control+Enter')
  await expect(item(page, 'First of all')).toContainText('edited')

  await open(reader.page, `/post/${id}`)
  await item(reader.page, 'First').getByRole('button', { name: 'Reply' }).click()
  const reply = reader.page.getByRole('textbox', { name: 'Reply to Ada Author' })
  await reply.fill('A question')
  await reply.press('Control+Enter')
  await expect(
    reader.page.getByText('Posted. Others see it once it has been approved.'),
  ).toBeVisible()
  await expect(reply).toHaveCount(0)
})

test('a comment that could not reach the server is retried after a while and when its page is opened again', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { page, context } = author
  await signUpByApi(author, 'Ada Author')
  const id = await writePost(context.request, POST)
  await page.clock.install()
  await open(page, `/post/${id}`)
  author.expectFault(/ERR_FAILED/)
  const commentsPath = '**/collections/comments/documents'
  const waiting = page.getByRole('button', { name: 'Waiting for connection' })
  const sendWithoutServer = async (text: string) => {
    await page.route(commentsPath, (route) => route.abort())
    await field(page).fill(text)
    await field(page).press('Control+Enter')
    await expect(waiting).toBeVisible()
    await page.unroute(commentsPath)
  }
  await sendWithoutServer('While it started')
  await page.clock.runFor(16_000)
  await expect(item(page, 'While it started')).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await sendWithoutServer('And once more')
  await page.reload()
  await expect(item(page, 'And once more')).toBeVisible()
  expect(await countComments(context.request, id)).toBe(2)
})

test('many comments are split into pages with their own addresses, replies are folded, and HTML in them stays text', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  const first = await writeComment(request, id, 'The very first')
  for (let number = 1; number <= 5; number++)
    await writeComment(request, id, `Reply ${number}`, first)
  for (const [index, text] of HOSTILE_HTML.entries())
    await writeComment(request, id, `${index} ${text}`)
  let last = ''
  for (let number = HOSTILE_HTML.length; number < 55; number++)
    last = await writeComment(request, id, `More ${number}`)

  const guest = await visit({ javaScriptEnabled: false })
  const { page } = guest
  await page.goto(`/post/${id}`)
  await expect(page.locator('.comment-list > li')).toHaveCount(50)
  await expect(page.getByText('Comments 1 to 50 of 61')).toBeVisible()
  await page.getByRole('link', { name: 'Show 2 more replies' }).click()
  await expect(page.locator('.comment-replies > li')).toHaveCount(5)
  await page.getByRole('link', { name: 'All comments' }).click()
  await expect(page).toHaveURL(`${blog.url}/post/${id}#comments`)
  await page.getByRole('link', { name: 'Newer comments' }).click()
  await expect(page).toHaveURL(/\?comments=2#comments$/)
  await page.goto(`/post/${id}?comment=${last}`)
  await expect(page).toHaveURL(`${blog.url}/post/${id}?comments=2#c-${last}`)
  await page.goto(`/post/${id}?comment=nobody`)
  await expect(page).toHaveURL(`${blog.url}/post/${id}`)

  const { page: authorPage } = author
  await open(authorPage, `/post/${id}`)
  await authorPage.getByRole('link', { name: 'Show 2 more replies' }).click()
  await expect(item(authorPage, 'Reply 3')).toBeFocused()
  await expect(authorPage.locator('.comment-replies .comment__text')).toHaveText(
    [1, 2, 3, 4, 5].map((at) => `Reply ${at}`),
  )
  await authorPage.getByLabel('Order').selectOption('Newest first')
  await expect(authorPage.locator('.comment').first()).toContainText('More 54')
  await authorPage.getByRole('link', { name: 'Older comments' }).click()
  await expect(item(authorPage, 'The very first')).toBeVisible()
  expect(await authorPage.evaluate(() => Reflect.get(window, 'pwned'))).toBe(undefined)
  expect(await axeFindings(authorPage)).toEqual([])
})

test('a long comment is cut until the reader expands it, searches in it or focuses a link in it; without scripts it is whole', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)
  await writeComment(request, id, lines(15).join('\n'))
  await writeComment(request, id, [...lines(30), 'https://end.example/'].join('\n'))
  for (const scripts of ['none', 'guest', 'member'] as const) {
    const { page } =
      scripts === 'member' ? author : await visit({ javaScriptEnabled: scripts === 'guest' })
    await page.goto(`/post/${id}`)
    const shortText = page.locator('.comment__text').first()
    const longText = page.locator('.comment__text').last()
    const height = () => longText.evaluate(({ clientHeight }) => clientHeight)
    await expect(shortText).not.toHaveClass(/is-cut/)
    if (scripts === 'none') {
      expect(await height()).toBeGreaterThan(31 * 20)
      await expect(page.locator('.comment__unfold:visible')).toHaveCount(0)
      continue
    }
    if (scripts === 'member') await untilHydrated(page)
    await expect(longText).toHaveClass(/is-cut/)
    expect(await height()).toBeLessThan(13 * 30)
    await expect(page.locator('.comment__unfold:visible')).toHaveCount(1)
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    await expect(longText).not.toHaveClass(/is-cut/)
    const less = page.getByRole('button', { name: 'Show less' })
    await expect(less).toHaveAttribute('aria-expanded', 'true')
    await less.press('Enter')
    await expect(longText).toHaveClass(/is-cut/)
    await longText.getByRole('link').focus()
    await expect(longText).not.toHaveClass(/is-cut/)
    await less.press('Enter')
    await page.evaluate(() => Reflect.apply(Reflect.get(window, 'find'), window, ['line 29']))
    await expect(longText).not.toHaveClass(/is-cut/)
  }
})

test('a comment rendered by the server is edited as the text that was typed', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const { page, context } = author
  const id = await writePost(context.request, POST)
  const typed = '> It goes on\n\n\n`so far` & see https://sea.example/map'
  await writeComment(context.request, id, typed)
  await open(page, `/post/${id}`)
  const edit = item(page, 'so far').getByRole('button', { name: 'Edit' })
  const field = page.getByRole('textbox', { name: 'Edit your comment' })
  author.expectFault(/ERR_FAILED/)
  const commentsPath = '**/collections/comments/documents/*'
  await page.route(commentsPath, (route) => route.abort())
  await edit.click()
  const failed = page.getByText('Your comment could not be opened.')
  await expect(failed).toBeVisible()
  await expect(item(page, 'so far')).toBeVisible()
  await page.unroute(commentsPath)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(field).toHaveValue(typed)
  await field.fill('Never mind')
  await field.press('Control+Enter')
  await expect(item(page, 'Never mind')).toContainText('edited')
  await expect(page.locator('.comment__text')).toHaveText('Never mind')
})

test('once comments are closed, none can be edited, and the text typed so far stays', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const { page, context } = author
  const id = await writePost(context.request, POST)
  await writeComment(context.request, id, 'First')
  await open(page, `/post/${id}`)
  await item(page, 'First').getByRole('button', { name: 'Edit' }).click()
  const editField = page.getByRole('textbox', { name: 'Edit your comment' })
  await editField.fill('First of all')
  const headers = { 'x-appwrite-project': 'blog' }
  const data = { closed: true }
  await context.request.patch(`${DOCUMENTS}/${id}/comments`, { headers, data })
  author.expectFault(/403/)
  await editField.press('Control+Enter')
  await expect(page.getByText('Comments are closed. Your text is still here.')).toBeVisible()
  await expect(editField).toHaveValue('First of all')
  await page.reload()
  await untilHydrated(page)
  await expect(item(page, 'First')).toBeVisible()
  await expect(item(page, 'First').locator('.comment__tools button').first()).toBeVisible()
  await expect(item(page, 'First').getByRole('button', { name: 'Edit' })).toHaveCount(0)
})

test('two hundred comments add at most 20 kB to a guest’s page and load no app', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const { request } = author.context
  const id = await writePost(request, POST)
  const { page, context } = await visit({ isIdle: true })
  const weigh = async () => {
    const headers = { 'accept-encoding': 'br' }
    const answer = await context.request.get(`/post/${id}`, { headers })
    return Number(answer.headers()['content-length'])
  }
  const emptyPageBytes = await weigh()
  for (let index = 0; index < 50; index++) {
    const thread = await writeComment(request, id, sentences(index, 0))
    for (const reply of [1, 2, 3]) await writeComment(request, id, sentences(index, reply), thread)
  }
  expect((await weigh()) - emptyPageBytes).toBeLessThan(GUEST_MORE_MAX_BYTES)
  await page.goto(`/post/${id}`, { waitUntil: 'networkidle' })
  await expect(page.locator('.comment')).toHaveCount(200)
  expect(await page.locator('script[type=module]').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])

  const isConnected = untilConnected(page, 'collections.comments.documents')
  await page.keyboard.press('c')
  await isConnected
  await writeComment(request, id, 'And one more')
  await page.getByRole('button', { name: '1 new comment · Show' }).click()
  await expect(item(page, 'And one more')).toBeFocused()
})

const WORDS =
  'amber bridge candle ferry harbour kettle lantern meadow orchard pebble quarry saddle thimble willow winter paper stones evening letters gardens slowly between after quiet never always'.split(
    ' ',
  )

/** A comment of usual length, different for each thread and reply. */
function sentences(thread: number, reply: number): string {
  const pick = (index: number) =>
    WORDS[(thread * 7 + reply * 11 + index * index * 3 + index) % WORDS.length]
  return `${Array.from({ length: 24 }, (_, at) => pick(at)).join(' ')} ${thread}.${reply}`
}

/** Runs in the page: React renders some frames later, as on a busy machine. */
function renderLate(): void {
  const { postMessage } = MessagePort.prototype
  const runAfter = (frames: number, run: () => void): unknown =>
    frames === 0 ? run() : requestAnimationFrame(() => runAfter(frames - 1, run))
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
    runAfter(5, () => postMessage.call(this, message))
  }
}
