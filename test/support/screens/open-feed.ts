// Opens the feed, its menus and the screens shown instead of it in the states of states.ts.
import {
  answer,
  CLOCK,
  LISTS,
  navigateTo,
  neverAnswer,
  ONE_DOCUMENT,
  openFeed,
  refuse,
  type Stage,
  visit,
} from './stage.ts'

/** Visible only until the app has started, which never happens here. */
export async function openHome({ page }: Stage): Promise<void> {
  await page.route('**/assets/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await visit(page, '/', 'home')
}

export async function openGuard({ page }: Stage): Promise<void> {
  await page.route('**/v1/account', neverAnswer)
  await page.goto('/dispatch')
  await page.getByText('Loading...').waitFor()
}

export async function openMore({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('Showing 24 of').waitFor()
}

export async function openLoadingFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, neverAnswer)
  await navigateTo(page, '/post')
  await page.getByText('Loading Posts ...').waitFor()
}

export async function openEmptyFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, answer(200, { total: 0, documents: [] }))
  await navigateTo(page, '/post')
  await page.getByText('The first page is blank').waitFor()
}

export async function openFailedFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, refuse(503))
  await navigateTo(page, '/post')
  await page.getByText('Something went wrong ... Please try again').waitFor()
}

export async function openOffline({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
}

export async function openFocusedCard({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.keyboard.press('Tab') // the focus ring appears only after a key
  await page.getByRole('article').nth(1).getByRole('link').first().focus()
}

export async function openThemeMenu({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: 'Theme', exact: true }).click()
  await page.getByRole('menu', { name: 'Theme' }).waitFor()
}

export async function openAccountMenu({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menu', { name: 'Account' }).waitFor()
}

export async function openShortcuts({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}

export async function openError({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, refuse(503))
  await page.getByRole('link', { name: CLOCK }).click()
  await page.getByText('Unexpected Application Error!').waitFor()
}
