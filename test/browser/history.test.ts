// Versions of a post and deleted posts, used by their author with the keyboard.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }

async function save(page: Page, id: string, data: object): Promise<void> {
  const answer = await page.request.patch(`${DOCUMENTS}/${id}`, {
    headers: HEADERS,
    data: { data },
  })
  expect(answer.status()).toBe(200)
}

test('an author compares two versions of a post and restores the older one', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Vera Version'))
  const same = '<p>This stays.</p><p>And so does this.</p>'
  const id = await writePost(page.request, {
    title: 'A slow train',
    content: `<h2>Start</h2><p>The platform lights go amber and all is quiet.</p>${same}<p>Gone one day.</p>`,
  })
  await page.goto(`/edit-post/${id}/versions`)
  await expect(page.getByText(/^One version so far\./)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await save(page, id, {
    title: 'A night train',
    content: `<h2>Start</h2><p>The platform lights go amber and all is loud.</p>${same}<h3>New</h3>`,
  })
  await save(page, id, { title: 'A night train, later' })
  await page.goto(`/edit-post/${id}/versions`)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('now')
  await expect(rows.nth(1)).toContainText('+2 −4')
  for (const index of [0, 1, 2]) await rows.nth(index).getByRole('checkbox').press('Space')
  await expect(rows.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(rows.first().getByRole('checkbox')).not.toBeChecked()
  await expect(page.getByText('Two of two chosen')).toBeVisible()
  await page.getByRole('link', { name: 'Compare the two' }).press('Enter')

  await expect(page.getByRole('heading', { name: 'What changed', level: 1 })).toBeVisible()
  await expect(page.getByText('4 changes')).toBeVisible()
  const text = page.getByRole('article', { name: 'The text with its changes' })
  await expect(text.locator('del')).toHaveText(['slow', 'quiet', 'Gone one day.'])
  await expect(text.locator('ins')).toHaveText(['night', 'loud', 'New'])
  for (const message of ['Title, changed:', 'Changed:', 'Added:', 'Removed:']) {
    await page.keyboard.press('n')
    await expect(text.locator(':focus')).toContainText(message)
  }
  await page.keyboard.press('p')
  await expect(text.locator(':focus')).toContainText('Added: New')
  await expect(text.getByText('This stays.')).toHaveCount(0)
  await expect(text).toContainText('Two paragraphs are the same.')
  await text.getByRole('button', { name: 'Show them' }).press('Enter')
  await expect(text.getByText('This stays.')).toBeVisible()

  await page.getByRole('button', { name: 'Restore' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Restore this version?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(page.getByText(/^The text of .+ is back\.$/)).toBeVisible()
  await expect(page).toHaveURL(`/edit-post/${id}`)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('A slow train')
  await page.goto(`/edit-post/${id}/versions`)
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText(/Restored from today/)
  const readButton = rows.nth(3).getByRole('button', { name: /^Read the version/ })
  await readButton.press('Enter')
  const preview = page.getByRole('dialog', { name: 'Preview' })
  const shown = preview.frameLocator('iframe')
  await expect(shown.getByRole('heading', { name: 'A slow train' })).toBeVisible()
  await expect(shown.getByText('Gone one day.')).toBeVisible()
  await expect(preview.getByText(/^The text of .+\. Only you see this\.$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(readButton).toBeFocused()
})

test('a deleted post is listed under "Deleted posts", and is restored as inactive or deleted permanently', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dora Deleted'))
  const id = await writePost(page.request, { title: 'Thrown away', content: '<p>x</p>' })
  await page.goto(`/post/${id}`)
  await page.getByRole('button', { name: 'Delete menu' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Delete this post?' })
  await expect(question).toContainText('waits under “Deleted posts” for 30 days')
  await question.getByRole('button', { name: 'Confirm Delete' }).press('Enter')
  await expect(page).toHaveURL('/post')

  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^Deleted posts/ }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Deleted posts', level: 1 })).toBeFocused()
  await expect(page.getByText('30 days left')).toBeVisible()
  await page.getByRole('button', { name: 'Restore Thrown away' }).press('Enter')
  await expect(page.getByText('“Thrown away” is back, as inactive.')).toBeVisible()
  await expect(page.getByText('Nothing here.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Deleted posts', level: 1 })).toBeFocused()
  const isWhole = page.waitForResponse((answer) => answer.url().endsWith(`${id}/around`))
  await page.getByRole('button', { name: 'Open' }).press('Enter')
  await expect(page).toHaveURL(`/post/${id}`)
  await expect(page.getByRole('heading', { name: 'Thrown away', level: 1 })).toBeVisible()
  await isWhole

  await page.request.delete(`${DOCUMENTS}/${id}`, { headers: HEADERS, data: {} })
  await page.goto('/dashboard/deleted')
  await expect(page.locator('main li img')).toHaveJSProperty('complete', true)
  await page.getByRole('button', { name: 'Delete permanently: Thrown away' }).press('Enter')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Delete permanently' })
    .press('Enter')
  await expect(page.getByText('“Thrown away” is permanently deleted.')).toBeVisible()
  await expect(page.getByText('Nothing here.')).toBeVisible()
})

test('the dashboard begins with drafts, which can be continued or deleted', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dina Drafts'))
  await writePost(page.request, { title: 'Out there', content: '<p>x</p>' })
  await page.goto('/dashboard')
  await expect(page.getByText('No drafts.')).toBeVisible()
  const draft = { title: 'Half done', content: '<p>x</p>', status: 'inactive' } as const
  const id = await writePost(page.request, draft)
  await page.goto('/dashboard')
  const continueLink = page.getByRole('link', { name: 'Continue: Half done' })
  await expect(continueLink).toHaveAttribute('href', `/edit-post/${id}`)
  await expect(page.getByText('1 post. 1 draft.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Half done', exact: true })).toHaveCount(1)
  // The HTML of the server contains them already.
  expect(await (await page.request.get('/dashboard')).text()).toContain('Continue: Half done')
  await page.getByRole('button', { name: 'Delete the draft Half done' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm Delete' }).press('Enter')
  await expect(page.getByText('No drafts.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Drafts', exact: true })).toBeFocused()
  await expect(page.getByText('1 post.', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Deleted posts 1, kept/ })).toBeVisible()
})

test('the dashboard counts all drafts, not only the loaded ones', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mona Many'))
  const { $id: userid } = await (await page.request.get('/v1/account', { headers: HEADERS })).json()
  const draft = { title: 'Half done', content: '', featuredImage: '', status: 'inactive', userid }
  await Promise.all(
    Array.from({ length: 101 }, async (_, at) => {
      const data = { documentId: `blog${at}l`, data: draft }
      const answer = await page.request.post(DOCUMENTS, { headers: HEADERS, data })
      expect(answer.status()).toBe(201)
    }),
  )
  await page.goto('/dashboard')
  const count = page.getByText('101 drafts.')
  await expect(count).toBeVisible()
  await expect(page.getByText('Showing 99 of 101')).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByRole('link', { name: /^Continue: / })).toHaveCount(101)
  await expect(count).toBeVisible()
})

test('when drafts fail to load, the dashboard does not say that there are none, and "Try again" loads them', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/status of 503|answer 503/)
  await signUp(page, makeNewcomer('Fay Failing'))
  await writePost(page.request, { title: 'Half done', content: '<p>x</p>', status: 'inactive' })
  await page.goto('/settings')
  // Before hydration the link loads a page, for which the server requests the drafts itself.
  await untilHydrated(page)
  const isDrafts = (url: URL) =>
    url.pathname.endsWith('/documents') && url.search.includes('notEqual')
  await page.route(isDrafts, (route) =>
    route.fulfill({
      status: 503,
      json: { message: 'Refused.', code: 503, type: 'general_unknown' },
    }),
  )
  await page.getByRole('link', { name: 'dashboard' }).click()
  await expect(page.getByText('Your drafts on the server could not be loaded.')).toBeVisible()
  await expect(page.getByText('No drafts.')).toHaveCount(0)
  await expect(page.getByText('You have not written anything yet.')).toHaveCount(0)
  await page.unroute(isDrafts)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.getByRole('link', { name: 'Continue: Half done' })).toBeVisible()
})

test('a draft that is open in another tab is not offered until that tab is closed', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tess Tabs'))
  await writePost(page.request, { title: 'Out there', content: '<p>x</p>' })
  await page.goto('/dashboard')
  const userId = await page.evaluate(async () => {
    const headers = { 'x-appwrite-project': 'blog' }
    return (await (await fetch('/v1/account', { headers })).json()).$id as string
  })
  const other = await page.context().newPage()
  await other.goto('/settings')
  await other.evaluate((owner) => {
    const draft = { id: 'd1', title: 'In the other tab', slug: '', status: 'active', content: '' }
    const draftJson = JSON.stringify({ ...draft, changedAt: new Date().toISOString() })
    localStorage.setItem(`draft/${owner}//d1`, draftJson)
    return new Promise<void>((resolve) => {
      void navigator.locks.request('draft/d1', () => {
        resolve()
        return new Promise<void>(() => {})
      })
    })
  }, userId)
  await page.reload()
  await expect(page.getByText('No drafts.')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Deleted posts/ })).toBeVisible()
  await expect(page.getByText('In the other tab')).toHaveCount(0)
  await other.close()
  await expect(page.getByRole('link', { name: 'Continue: In the other tab' })).toBeVisible()
  await expect(page.getByText('only on this device')).toBeVisible()
})
