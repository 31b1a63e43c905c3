// Drafts on the device: nothing typed is lost when the tab or the session ends.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { crashPage } from '#test/support/crash-page.ts'
import { untilConnected } from '#test/support/live-connection.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signIn, signUp } from '#test/support/people.ts'

const TITLE = 'Rain on the tin roof'
const OFFER = /There is unsaved text from .+ on this device\./

async function openNewPost(page: Page): Promise<void> {
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
}

async function write(page: Page, text: string): Promise<void> {
  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
  await expect(editorBody(page)).toContainText(text)
}

/** Each key updates the copy on the device; `web/drafts/open-draft.test.ts` tests how soon. */
async function expectCopy(page: Page, text: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join()), {
      intervals: [20],
    })
    .toContain(text)
}

/** The texts of all drafts on this device, sorted. */
async function storedContents(page: Page): Promise<string[]> {
  const entries = await page.evaluate(() =>
    Object.entries(localStorage).filter(([key]) => key.startsWith('draft/')),
  )
  return entries
    .map(([, text]) => String(JSON.parse(text).content).replaceAll(/<[^>]*>/g, ''))
    .toSorted()
}

/** Signs up and saves an inactive post. */
async function publishInactive(page: Page) {
  const author = makeNewcomer('Ines Ito')
  await signUp(page, author)
  await openNewPost(page)
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  await page.getByLabel('Status').selectOption('inactive')
  await write(page, 'The first line')
  await chooseImage(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  return { author, slug: new URL(page.url()).pathname.replace('/post/', '') }
}

test('a draft survives signing out, is offered only to its writer, and disappears when it is discarded', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  const alice = makeNewcomer('Ada Ahlberg')
  await signUp(page, alice)
  await openNewPost(page)
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  await write(page, 'Kept for later')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)

  await signUp(page, makeNewcomer('Bo Berg'))
  await openNewPost(page)
  await expect(page.getByText(OFFER)).toHaveCount(0)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)

  await signIn(page, alice)
  await openNewPost(page)
  await expect(page.getByText(`${TITLE}: Kept for later`)).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText(OFFER)).toHaveCount(0)
  await openNewPost(page)
  await expect(page.getByText(OFFER)).toHaveCount(0)
})

test('a writer who was signed out signs in again, returns to the form and is offered the text', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 401/)
  const cara = makeNewcomer('Cara Clay')
  await signUp(page, cara)
  await openNewPost(page)
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  await write(page, 'Written to the end')
  await chooseImage(page)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Submit' }).click()
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'You were signed out. Your text is kept on this device.' })
  await expect(alert).toBeVisible()
  await expect(editorBody(page)).toHaveText('Written to the end')
  await alert.getByRole('button', { name: 'Sign in and continue writing' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Email', { exact: true }).fill(cara.email)
  await page.getByLabel('Password', { exact: true }).fill(cara.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/add-post$/)
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(editorBody(page)).toHaveText('Written to the end')
})

test('when somebody else has signed in, the text stays with its writer and the form starts empty', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 401/)
  const noor = makeNewcomer('Noor Nasser')
  const wiebke = makeNewcomer('Wiebke Wolf')
  await signUp(page, noor)
  await openNewPost(page)
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  await write(page, 'Of Noor alone')
  await chooseImage(page)
  await context.clearCookies()
  const other = await context.newPage()
  await signUp(other, wiebke)

  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click()
  await expect(
    page.getByText('You are signed in as Wiebke Wolf. The text you left is kept for its writer.'),
  ).toBeVisible()
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('')
  await expect(editorBody(page)).toHaveText('')
  await expect(page.getByText(OFFER)).toHaveCount(0)
  expect(await storedContents(page)).toEqual(['Of Noor alone'])

  await context.clearCookies()
  await signIn(page, noor)
  await openNewPost(page)
  await expect(page.getByText(`${TITLE}: Of Noor alone`)).toBeVisible()
})

test('an ended session is not reported as a deleted post, and the text of an inactive post stays with it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/status of 40[14]/)
  const { slug, author } = await publishInactive(page)
  await page.goto(`/edit-post/${slug}`)
  await write(page, ', and the second')
  const cookies = await context.cookies()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Update' }).click()
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'You were signed out. Your text is kept on this device.' })
  const signInAgain = alert.getByRole('button', { name: 'Sign in and continue writing' })
  await expect(signInAgain).toBeVisible()
  await expect(page.getByText('The post was deleted meanwhile.')).toHaveCount(0)
  // --- after signing in again in another window, the form continues ---
  await context.addCookies(cookies)
  await signInAgain.click()
  await expect(page.getByText('You are signed in again. Your text is still here.')).toBeVisible()
  await expect(alert).toHaveCount(0)
  // --- the draft is saved automatically, so leaving asks nothing; the bar is visible again ---
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('link', { name: 'All posts' }).first().click()
  await expect(page).toHaveURL(/\/post$/)

  // --- signed out before the form is opened, the page says so instead of "not here" ---
  // Until all is connected, a later answer could reveal the end of the session too early.
  const isConnected = Promise.all([
    untilConnected(page, 'account'),
    untilConnected(page, 'notifications'),
    page.waitForResponse((answer) => answer.url().endsWith('/notifications/count')),
  ])
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${author.name}`)
  const continueLink = page.getByRole('link', { name: `Continue: ${TITLE}` })
  await continueLink.focus() // the list is loaded while the session is valid
  await isConnected
  await context.clearCookies()
  // A click would first focus the window, and the dashboard could notice the end of the session.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'You were signed out' })).toBeVisible()
  await context.addCookies(cookies)
  await page.goto(`/edit-post/${slug}`)
  await expect(editorBody(page)).toHaveText('The first line, and the second')
  await expect(page.getByText(OFFER)).toHaveCount(0)
})

test('text restored at the moment the editor starts appears in it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Rhea Rush'))
  await openNewPost(page)
  await write(page, 'Not to be lost')
  await expectCopy(page, 'Not to be lost')
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const restore = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === 'Restore',
      )
      if (!restore || !document.querySelector('textarea#content')) return
      observer.disconnect()
      restore.click()
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await page.locator('[data-ready=true]').waitFor()
  await expect(editorBody(page)).toHaveText('Not to be lost')
})

test('text typed while a draft is offered is stored, too, and restoring swaps the two', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  page.on('dialog', (dialog) => void dialog.accept())
  await signUp(page, makeNewcomer('Cleo Cohen'))
  await openNewPost(page)
  await write(page, 'The older text')
  await page.reload()
  await expect(editorBody(page)).toBeVisible()
  await expect(page.getByText('The older text')).toBeVisible()
  await write(page, 'The newer text')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(editorBody(page)).toHaveText('The older text')
  await expect(page.getByRole('status').filter({ hasText: OFFER })).toContainText('The newer text')
  await page.reload()
  await expect(editorBody(page)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: OFFER })).toContainText('The older text')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('status').filter({ hasText: OFFER })).toContainText('The newer text')
})

test('two windows neither offer nor overwrite each other’s drafts, and publishing one leaves the other', {
  tag: '@more',
}, async ({ visit }) => {
  const { page: first, context } = await visit()
  const ben = makeNewcomer('Ben Berry')
  await signUp(first, ben)
  await openNewPost(first)
  await first.getByLabel('Title', { exact: true }).fill(TITLE)
  await write(first, 'The beginning')
  await expectCopy(first, 'The beginning')
  const second = await context.newPage()
  await openNewPost(second)
  await second.getByLabel('Title', { exact: true }).fill('Another one')
  await write(second, 'In the second window')
  await expectCopy(second, 'In the second window')
  await expect(second.getByText(OFFER)).toHaveCount(0)
  await write(first, ', as the first window has it')
  await expect
    .poll(() => storedContents(first))
    .toEqual(['In the second window', 'The beginning, as the first window has it'])
  await chooseImage(second)
  await second.getByRole('button', { name: 'Submit' }).click()
  await expect(second).toHaveURL(/\/post\/blog\d{13}l$/)
  expect(await storedContents(first)).toEqual(['The beginning, as the first window has it'])

  // --- the draft of the closed window is offered ---
  await first.close()
  await openNewPost(second)
  await expect(second.getByText(OFFER)).toBeVisible()

  // --- deleting the account removes its drafts from the device ---
  await second.goto('/settings/delete-account')
  const section = second.getByRole('form', { name: 'Delete account' })
  await section.getByLabel('Password', { exact: true }).fill(ben.password)
  await section.getByRole('button', { name: 'Delete my account' }).click()
  await second.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click()
  await expect(second).toHaveURL(/\/login/)
  expect(await storedContents(second)).toEqual([])
})

test('text that does not fit into localStorage is stored in IndexedDB', { tag: '@more' }, async ({
  visit,
}) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Dee Dahl'))
  await openNewPost(page)
  await page.evaluate(() => {
    let size = 1_000_000
    for (let index = 0; size > 0; ) {
      try {
        localStorage.setItem(`filler${index}`, 'x'.repeat(size))
        index += 1
      } catch {
        size = Math.floor(size / 2)
      }
    }
  })
  await write(page, 'There is no room for this one')
  await expect(page.getByText('This browser has no room')).toHaveCount(0)
  // The database answers a moment later than localStorage.
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const request = indexedDB.open('drafts', 1)
        const database = await new Promise<IDBDatabase>((resolve) => {
          request.onsuccess = () => resolve(request.result)
        })
        const getAll = database.transaction('text').objectStore('text').getAll()
        const texts = await new Promise<string[]>((resolve) => {
          getAll.onsuccess = () => resolve(getAll.result)
        })
        database.close()
        return texts.join()
      }),
    )
    .toContain('There is no room for this one')
  await crashPage(page)
  const newPage = await context.newPage()
  await openNewPost(newPage)
  await newPage.getByRole('button', { name: 'Restore' }).click()
  await expect(editorBody(newPage)).toHaveText('There is no room for this one')
})
