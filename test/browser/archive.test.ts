// The screens of imports and exports in the states that a journey does not reach.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import {
  type FakeArchives,
  fakeArchives,
  makeCheck,
  makeDone,
  makeExport,
  makeImport,
  makeRunning,
  PEOPLE,
} from '#test/support/fake-archives.ts'
import { expect, makeOperator, makeReader, test } from '#test/support/operator-blog.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { FERRIES } from '#test/support/wordpress-file.ts'

const PIECE_BYTES = 5 * 1024 * 1024
const PIECES = '**/v1/account/imports/*/pieces/*'

/** Opens the page within the app, so that the browser itself asks for imports and exports. */
async function openFaked(page: Page, from: string, archives: FakeArchives): Promise<void> {
  await fakeArchives(page, archives)
  await page.goto(from)
  await untilHydrated(page)
  await page.getByRole('link', { name: 'Import and export' }).first().click()
  await expect(page.locator('.archive-sections')).toBeVisible()
}

const step = (page: Page) => page.locator('.archive-steps [aria-current=step]')

/** Imports and exports run in processes of their own, which start slowly on a busy machine. */
const SLOW = { timeout: 120_000 }

test('an upload continues where it was after a lost connection and after a reload, and can be cancelled', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/ERR_FAILED|ERR_ABORTED/)
  await signUp(page, makeNewcomer('Lone Lind'))
  await page.goto('/settings/data')
  await untilHydrated(page)
  const file = {
    name: 'trains.xml',
    mimeType: 'text/xml',
    buffer: Buffer.alloc(2 * PIECE_BYTES + 100, '<'),
  }
  const sent: string[] = []
  let isFirst = true
  await page.route(PIECES, async (route) => {
    const piece = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    sent.push(piece)
    if (piece === '1' && isFirst) {
      isFirst = false
      return await route.abort()
    }
    // The last piece waits until the page is reloaded.
    if (piece !== '2') await route.continue()
  })
  const input = page.getByLabel('File with the posts')
  await input.setInputFiles(file)
  const button = page.getByRole('button', { name: 'Check the file' })
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const bar = page.getByRole('progressbar', { name: 'Sending trains.xml' })
  await expect(bar).toBeVisible()
  await expect(
    page.getByText('The connection is lost. It continues when it is back.'),
  ).toBeVisible()
  await expect.poll(() => sent).toEqual(['0', '1', '1', '2'])
  await page.reload()
  await untilHydrated(page)
  await expect(page.getByText(/trains\.xml has been sent in part, 10 MB of 10 MB/)).toBeVisible()
  await expect(step(page)).toHaveText(/Choose/)
  expect(await axeFindings(page)).toEqual([])
  await input.setInputFiles(file)
  await page.keyboard.press('Enter')
  await expect.poll(() => sent).toEqual(['0', '1', '1', '2', '2'])
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(page.getByText('Drop the file here')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Bring posts from elsewhere' })).toBeFocused()
  await page.reload()
  await expect(page.getByText('Drop the file here')).toBeVisible()
  await expect(page.getByText(/has been sent in part/)).toHaveCount(0)
})

test('a file that is no export is refused with the reason, and another one can be chosen', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lise Lund'))
  await page.goto('/settings/data')
  await untilHydrated(page)
  const input = page.getByLabel('File with the posts')
  await input.setInputFiles({ name: 'none.xml', mimeType: 'text/xml', buffer: Buffer.alloc(0) })
  await expect(input).toHaveAccessibleDescription('This file is empty.')
  await input.setInputFiles({ name: 'a.bin', mimeType: '', buffer: Buffer.from('nothing at all') })
  const address = page.getByLabel('Address of the old site')
  await address.fill('the old one')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription(/An address begins with https:/)
  await address.fill('trains.example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: /as any of these\. \S/ })).toBeVisible()
  await expect(step(page)).toHaveText(/Check/)
  await page.getByRole('button', { name: 'Another file' }).click()
  await expect(page.getByText('Drop the file here')).toBeVisible()
})

test('the check says what is left out, and holds what has no room or no posts', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 390, height: 844 } })
  await signUp(page, makeNewcomer('Line Lassen'))
  const full = makeCheck({ roomBytes: 300 * 1024 * 1024 })
  const archives = { imports: [makeImport({ check: full })], exports: [] }
  await openFaked(page, '/settings/language', archives)
  await expect(step(page)).toHaveText(/Check/)
  await expect(page.getByText('23 pictures could not be found')).toBeVisible()
  await expect(
    page.getByText('2 posts are here already (“The second border”, “A short one”)'),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'The whole list, 38 lines' })).toHaveAttribute(
    'href',
    /\/v1\/account\/imports\/import1\/issues\.csv\?project=/,
  )
  await expect(
    page.getByText('408 MB of pictures, 300 MB left. Import without pictures, or make room first.'),
  ).toBeVisible()
  const start = page.getByRole('button', { name: 'Import 229 posts' })
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'With pictures' }).press('Space')
  await expect(start).not.toHaveAttribute('aria-disabled')
  await page.getByRole('checkbox', { name: 'Pages as posts' }).press('Space')
  await expect(page.getByRole('button', { name: 'Import 237 posts' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  expect(await overflow(page)).toEqual([])

  const none = {
    posts: 0,
    drafts: 0,
    pages: 0,
    pictures: 0,
    comments: 0,
    people: 0,
    tags: 0,
    addresses: 0,
  }
  archives.imports = [
    makeImport({ check: makeCheck({ found: none, willImport: none, issues: [] }) }),
  ]
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Import and export' }).click()
  await expect(page.getByText('There are no posts in it.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0)
})

test('an operator chooses who is who before a whole blog is imported', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mara Ellison'))
  await makeOperator(page, asOperator)
  const check = makeCheck({ kind: 'ghost', program: 'Ghost 5.96', people: PEOPLE, roomBytes: null })
  await openFaked(page, '/admin', { imports: [makeImport({ check })], exports: [] })
  const start = page.getByRole('button', { name: 'Import 229 posts and 8 pages' })
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await expect(start).toHaveAccessibleDescription('Choose for 1 person.')
  const petra = page.getByLabel('Becomes, for Petra Lind')
  await expect(petra.locator('option:checked')).toHaveText('A new account, to be claimed')
  await expect(page.getByLabel('Becomes, for Ghost').locator('option:checked')).toHaveText(
    '“Unknown User”',
  )
  await page.getByLabel('Becomes, for Mara E.').selectOption({ label: 'Mara Ellison' })
  await expect(start).not.toHaveAttribute('aria-disabled')
  await page.getByRole('checkbox', { name: 'Name and line of the old blog' }).check()
  await page.getByRole('radio', { name: /^not at all/ }).check()
  const sent = page.waitForRequest(/\/operator\/imports\/import1\/start$/)
  await page.route(/\/start$/, (route) =>
    route.fulfill({ json: makeRunning({ state: 'waiting' }) }),
  )
  await page.getByRole('button', { name: 'Import 229 posts', exact: true }).press('Enter')
  const choices = (await sent).postDataJSON()
  expect(choices).toMatchObject({ pages: 'none', hasSiteName: true })
  expect(choices.people).toMatchObject({ petra: 'new', ghost: 'unknown' })
  await expect(page.getByRole('heading', { name: 'Import a whole blog' })).toBeFocused()
  await expect(step(page)).toHaveText(/Import/)
})

test('a running import is announced in quarters, survives a silent server, is paused, continued and undone', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  expectFault(/ERR_CONNECTION_REFUSED/)
  await signUp(page, makeNewcomer('Rikke Rask'))
  const archives = { imports: [makeRunning()], exports: [] }
  const progress = makeRunning().progress
  await openFaked(page, '/settings/language', archives)
  const bar = page.getByRole('progressbar', { name: 'Importing posts' })
  await expect(bar).toHaveAttribute('aria-valuenow', '36')
  await expect(page.getByText('Importing posts, 84 of 229')).toBeVisible()
  await page.route(/\/imports\/import1$/, (route) => route.abort('connectionrefused'))
  await page.waitForEvent('requestfailed')
  archives.imports = [makeRunning({ progress: { ...progress, done: 120 } })]
  await page.unroute(/\/imports\/import1$/)
  await fakeArchives(page, archives)
  await expect(page.getByText('Continuing at 120.')).toBeVisible()
  await expect(
    page.getByRole('status').filter({ hasText: 'Importing posts: 50 percent' }),
  ).toHaveCount(1)
  const resumed = Promise.withResolvers<void>()
  for (const [action, state] of Object.entries({
    pause: 'paused',
    resume: 'running',
    undo: 'undoing',
  } as const))
    await page.route(new RegExp(`/import1/${action}$`), async (route) => {
      if (action === 'resume') await resumed.promise
      archives.imports = [makeRunning({ state, kept: action === 'undo' ? 1 : 0 })]
      await route.fulfill({ json: archives.imports[0] })
    })
  await page.getByRole('button', { name: 'Pause' }).press('Enter')
  await expect(page.getByText('Paused. Nothing is lost.')).toBeVisible()
  await expect(page.getByText(/continues in the background/)).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByRole('button', { name: 'Stop and undo' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Stop and undo the import?' })
  await question.getByRole('button', { name: 'Stop and undo' }).press('Enter')
  // What was confirmed is done, even if the call before it is answered late.
  resumed.resolve()
  await expect(page.getByText('Removing what was imported')).toBeVisible()
  archives.imports = [makeRunning({ state: 'undone', kept: 1 })]
  await expect(
    page.locator('.alert', {
      hasText: 'The import is undone. 1 post that you have changed since is kept.',
    }),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Bring posts from elsewhere' })).toBeFocused()
  await page.getByRole('button', { name: 'Import another file' }).press('Enter')
  await expect(page.getByText('Drop the file here')).toBeVisible()
})

test('an earlier import can be shown again, and an export is created, announced and downloaded', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tove Thy'))
  const earlier = makeDone({ endedAt: '2026-11-01T10:00:00.000+00:00' })
  const archives: FakeArchives = { imports: [earlier], exports: [] }
  await openFaked(page, '/settings/language', archives)
  await page
    .getByRole('button', { name: 'Show the import of trains.WordPress.2025-11-23.xml' })
    .press('Enter')
  await expect(page.getByText('229 posts imported.')).toBeVisible()
  await expect(
    page.getByText(/1,083 of 1,106 pictures, 1,893 comments, 212 old addresses\./),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download the list' })).toBeVisible()
  await page.route(/\/account\/exports$/, async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    archives.exports = [
      makeExport('markdown', { state: 'running', progress: { done: 3, total: 10 } }),
    ]
    await route.fulfill({ status: 202, json: archives.exports[0] })
  })
  await page.getByRole('button', { name: 'Create: Markdown' }).press('Enter')
  await expect(page.getByRole('progressbar', { name: 'Create: Markdown' })).toHaveAttribute(
    'aria-valuenow',
    '30',
  )
  await expect(page.getByRole('button', { name: 'Create: Data' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  archives.exports = [makeExport('markdown')]
  await expect(page.getByText(/^Ready since \d\d:\d\d, 96 MB, kept until /)).toBeVisible()
  await expect(
    page.getByRole('status').filter({ hasText: 'Ready to download: Markdown' }),
  ).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Download: Markdown' })).toHaveAttribute(
    'href',
    /\/v1\/account\/exports\/export-markdown\/download\?project=/,
  )
  await expect(page.getByRole('link', { name: 'Download: Markdown' })).toBeFocused()
})

test('a reader takes their data along, and brings no posts', { tag: '@more' }, async ({
  visit,
  asOperator,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Rosa Ravn'))
  const { $id } = await page.evaluate(async () => {
    const answer = await fetch('/v1/account', { headers: { 'x-appwrite-project': 'blog' } })
    return (await answer.json()) as { $id: string }
  })
  await makeReader($id, asOperator)
  await page.goto('/settings/data')
  await expect(page.getByRole('heading', { name: 'Take everything with you' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Bring posts from elsewhere' })).toHaveCount(0)
})

test('an imported author is listed as not claimed yet, and invited to the account', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Odin Ost'))
  await makeOperator(page, asOperator)
  await page.goto('/admin/import')
  await untilHydrated(page)
  await page.getByLabel('File with the posts').setInputFiles({
    name: 'ferries.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(FERRIES),
  })
  await page.keyboard.press('Enter')
  const ann = page.getByLabel('Becomes, for Ann Ahl')
  await expect(ann).toBeVisible(SLOW)
  await expect(ann.locator('option:checked')).toHaveText('A new account, to be claimed')
  await page.getByRole('button', { name: 'Import 2 posts and 1 page' }).click()
  await expect(page.locator('.alert', { hasText: '2 posts imported. 1 page, ' })).toBeVisible(SLOW)
  await page.getByRole('link', { name: 'People' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Ann Ahl' })
  await expect(row).toContainText('not claimed yet')
  await expect(row).toContainText('ann@ferries.example')
  await row.getByRole('button', { name: 'More for Ann Ahl' }).click()
  await page.getByRole('menuitem', { name: 'Invite them' }).click()
  const question = page.getByRole('alertdialog', { name: 'Invite ann@ferries.example?' })
  await question.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.getByLabel('Link, works once and for seven days')).toHaveValue(/\/invitation\?/)
})
