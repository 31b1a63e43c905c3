// Publishing: the drawer, a time to publish, the page afterwards. Texts and times of other zones
// are tested in web/publishing.
import type { Page } from '@playwright/test'
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { editorBody, untilHydrated } from '#test/support/people.ts'
import { changePost, DOCUMENTS, writePost, writeText } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const TITLE = 'The night ferry'
const CONTENT = '<p>The queue is a conversation.</p>'
const DAY_MS = 86_400_000
const IN_LISBON = { timezoneId: 'Europe/Lisbon' }
const PHONE = { width: 390, height: 844 }

const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Publish' })
const toastOf = (page: Page) => page.getByRole('region', { name: 'Notifications' })

async function readPost(page: Page, id: string): Promise<Record<string, unknown>> {
  return await (await page.request.get(`${DOCUMENTS}/${id}`, { headers: HEADERS })).json()
}

/** A draft of somebody new, whose form is open; a scheduled one has an image. */
async function openDraft(visitor: Visitor, publishedAt?: string): Promise<string> {
  const { page, context } = visitor
  await signUpByApi(visitor, 'Ada Ahlberg')
  const text = { title: TITLE, content: CONTENT, status: 'inactive' } as const
  const write = publishedAt === undefined ? writeText : writePost
  const id = await write(context.request, text)
  if (publishedAt !== undefined) await changePost(context.request, id, { publishedAt })
  await page.goto(`/edit-post/${id}`)
  await untilHydrated(page)
  await expect(editorBody(page)).toBeVisible()
  return id
}

async function chooseTime(page: Page, day: string, clock: string): Promise<void> {
  await drawerOf(page).getByLabel('At a time').check()
  await drawerOf(page).getByLabel('Day').fill(day)
  await drawerOf(page).getByLabel('Time', { exact: true }).fill(clock)
}

test('a draft is scheduled, moved, cancelled and restored, then published at once with its drawn cover', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit(IN_LISBON)
  const { page } = visitor
  const id = await openDraft(visitor)
  const year = new Date().getUTCFullYear() + 1

  // --- Ctrl+Enter in the text opens the drawer, which saves text and details at once ---
  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' And slow.')
  await page.keyboard.press('ControlOrMeta+Enter')
  const drawer = drawerOf(page)
  await expect(drawer.getByLabel('Now')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await drawer.getByLabel('Excerpt').fill('Two queues, one ship.')
  await drawer.getByLabel('Words in the address').fill('Night Ferry!')
  await drawer.getByLabel('Comments').uncheck()
  await chooseTime(page, `${year}-07-24`, '07:00')
  await drawer.getByRole('button', { name: /^Schedule for 24 Jul(y)? \d{4}, 07:00$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Scheduled for 24 Jul/)
  expect(await readPost(page, id)).toMatchObject({
    status: 'inactive',
    publishedAt: `${year}-07-24T06:00:00.000+00:00`,
    content: '<p>The queue is a conversation. And slow.</p>',
    excerpt: 'Two queues, one ship.',
    addressWords: 'night-ferry',
    commentsClosed: true,
    featuredImage: expect.stringMatching(/^drawn-/),
  })

  // --- the dashboard lists it apart, and leads to its drawer ---
  await page.goto('/dashboard')
  const row = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem')
  await expect(row).toContainText(/scheduled24 Jul \d{4}, 07:00, for everyone|for members/)
  await expect(page.getByRole('link', { name: `Continue: ${TITLE}` })).toHaveCount(0)
  await row.getByRole('link', { name: `Change the time of ${TITLE}` }).click()
  await expect(drawer.getByLabel('Day')).toHaveValue(`${year}-07-24`)
  await drawer.getByLabel('Day').fill(`${year}-07-25`)
  await drawer.getByRole('button', { name: /^Schedule for 25 Jul/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Scheduled for 25 Jul/)

  // --- cancelled, and the cancelling undone ---
  await page.goto('/dashboard')
  await row.getByRole('button', { name: `Cancel the schedule of ${TITLE}` }).click()
  await expect(page.getByRole('link', { name: `Continue: ${TITLE}` })).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(toastOf(page)).toContainText(`“${TITLE}” is a draft again.`)
  expect(await readPost(page, id)).toMatchObject({ publishedAt: null })
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText(/25 Jul/)

  // --- published now ---
  await page.goto(`/edit-post/${id}`)
  await expect(page.getByText(/^Turns active on 25 Jul/)).toBeVisible()
  await page.getByRole('button', { name: 'Publish …' }).click()
  await drawer.getByLabel('Now').check()
  await drawer.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Published')
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(
    /\/post\/\w+(\/night-ferry)?$/,
  )
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused()
  const { status, publishedAt } = await readPost(page, id)
  expect([status, Date.parse(String(publishedAt)) <= Date.now()]).toEqual(['active', true])
  await page.goto(`/edit-post/${id}`)
  await page.getByRole('button', { name: 'Publish …' }).click()
  await expect(drawer.getByRole('button', { name: 'Update' })).toBeVisible()
  await expect(drawer.getByLabel('When')).toHaveCount(0)
  await drawer.getByLabel('Only you').check()
  await drawer.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(toastOf(page)).toContainText('Saved as inactive.')
})

test('the drawer says what keeps a post from being published, and saves nothing', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit(IN_LISBON)
  const { page } = visitor
  const id = await openDraft(visitor)
  const drawer = drawerOf(page)
  const { $updatedAt } = await readPost(page, id)

  await page.getByRole('button', { name: 'Publish …' }).click()
  await chooseTime(page, '2020-01-01', '07:00')
  const past = 'This time has passed. Choose a later one, or publish now.'
  await expect(drawer.getByText(past)).toHaveCount(1)
  await drawer.getByRole('button', { name: /^Schedule for/ }).click()
  await expect(drawer.getByRole('alert')).toHaveText(past)

  const march = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 3, 0))
  const sunday = new Date(march.getTime() - march.getUTCDay() * DAY_MS).toISOString().slice(0, 10)
  await chooseTime(page, sunday, '01:30')
  await expect(drawer).toContainText(
    'The clocks go forward that night: 01:30 does not exist. It will be 02:30.',
  )
  await expect(drawer.getByRole('button', { name: /^Schedule for .+, 02:30$/ })).toBeVisible()

  await drawer.getByLabel('Excerpt').fill('x'.repeat(303))
  await drawer.getByRole('button', { name: /^Schedule for/ }).click()
  await expect(drawer).toContainText('This can have 300 characters at most. Take out 3.')
  await drawer.getByLabel('Excerpt').fill('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Publish …' })).toBeFocused()

  await page.getByLabel('Title', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Publish …' }).click()
  await drawer.getByRole('button', { name: 'Publish now' }).click()
  await expect(drawer.getByRole('alert')).toHaveText('Write a title first.')
  expect(await readPost(page, id)).toMatchObject({ status: 'inactive', $updatedAt })
})

test('a post that is published while its form is open stays active, and takes further text with Update', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  const { page, context, expectFault } = visitor
  expectFault(/409/) // the draft that is saved meanwhile is refused
  await page.clock.install()
  const publishedAt = new Date(Date.now() + DAY_MS).toISOString()
  const id = await openDraft(visitor, publishedAt)
  await expect(page.getByText(/^Turns active on/)).toBeVisible()
  await changePost(context.request, id, { status: 'active' })

  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' And slow.')
  await page.clock.fastForward(DAY_MS)
  await expect(page.getByText(/^It was published at \d\d:\d\d\. Press Update/)).toBeVisible()
  await expect(page.getByLabel('Status')).toHaveValue('active')
  expect(await readPost(page, id)).toMatchObject({ status: 'active', content: CONTENT })
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL(/\/post\//)
  expect(await readPost(page, id)).toMatchObject({
    status: 'active',
    content: '<p>The queue is a conversation. And slow.</p>',
  })
})

test('a schedule ends by “cancel” in the form, and by the status active; a phone shows the whole drawer', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit({ viewport: PHONE })
  const { page, context } = visitor
  const publishedAt = new Date(Date.now() + DAY_MS).toISOString()
  const id = await openDraft(visitor, publishedAt)
  await page.getByRole('button', { name: 'cancel', exact: true }).click()
  await expect(page.getByText(/^Turns active on/)).toHaveCount(0)
  await expect(page.getByLabel('Status')).toBeFocused()
  expect(await readPost(page, id)).toMatchObject({ status: 'inactive', publishedAt: null })

  await page.getByRole('button', { name: 'Publish …' }).click()
  await expect(drawerOf(page)).toBeVisible()
  // It slides in.
  await expect.poll(() => drawerOf(page).boundingBox()).toEqual({ x: 0, y: 0, ...PHONE })
  await page.keyboard.press('Escape')

  await changePost(context.request, id, { publishedAt })
  await page.reload()
  await page.getByLabel('Status').selectOption('active')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.waitForURL(/\/post\//)
  await expect(toastOf(page)).toContainText('Post saved.')
  const post = await readPost(page, id)
  expect([post.status, String(post.publishedAt) < publishedAt]).toEqual(['active', true])
})
