// Sign-in with Google in a browser through a real OpenID provider: success and failures.
import type { Page } from '@playwright/test'
import { openDatabase } from '#backend/database/database.ts'
import { expect, type Visitor } from '#test/support/browser-blog.ts'
import { allowProvider, test as base } from '#test/support/browser-google.ts'
import { type Issuer, makeRedirectBrowser } from '#test/support/openid.ts'
import { startApp } from '#test/support/people.ts'

const LOTTE = {
  sub: 'g-lotte',
  email: 'lotte@example.test',
  email_verified: true,
  name: 'Lotte Lund',
}
const MIKA = { sub: 'g-mika', email: 'mika@example.test', email_verified: false, name: 'Mika Moor' }
const NILS = { ...LOTTE, sub: 'g-nils', email: 'nils@example.test', name: 'Nils Nord' }
const LAPSED = 'This sign-in took too long or was begun in another browser. Try again.'
const CALLBACK = '/v1/account/sessions/oauth2/callback/google/blog'

/** The data folder of the server of this file. */
let dataDir = ''

const test = base.extend({
  people: [[LOTTE, MIKA, NILS], { scope: 'worker' }],
  fillBlog: [
    async ({ issuer: _issuer }, use) =>
      use(async (path) => {
        dataDir = path
      }),
    { scope: 'worker' },
  ],
})

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' })
const reason = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** Goes from the form to the provider's list of accounts. */
async function leaveFor(
  issuer: Issuer,
  visitor: Visitor,
  from: '/login' | '/signup',
): Promise<Page> {
  allowProvider(visitor, issuer)
  const { page } = visitor
  await page.goto(from)
  await button(page).click()
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(issuer.url)
  return page
}

async function sessionsOf(
  page: Page,
): Promise<{ provider: string; providerAccessToken: string }[]> {
  const answer = await page.request.get('/v1/account/sessions?project=blog')
  return answer.ok() ? (await answer.json()).sessions : []
}

test('a visitor signs in with Google by keyboard, verifies with the provider and goes on to the dashboard', {
  tag: '@more',
}, async ({ visit, issuer }) => {
  const visitor = await visit()
  allowProvider(visitor, issuer)
  const { page, context } = visitor
  await page.goto('/login')
  await startApp(page)
  await button(page).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Go on as Lotte Lund' }).click()
  await expect(page).toHaveURL(/\/verifyOAuth$/)
  await expect(page.getByText('You are signed in as Lotte Lund.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(await page.evaluate(() => document.cookie + localStorage.getItem('cookieFallback'))).toBe(
    'null',
  )
  const cookies = await context.cookies(page.url())
  expect(cookies.find(({ name }) => name.startsWith('a_session_blog'))).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
  })
  expect(cookies.filter(({ name }) => name.startsWith('a_oauth'))).toEqual([])

  await page.getByRole('button', { name: 'Verify OAuth' }).click()
  await expect(page.getByText('Google says: Lotte Lund, lotte@example.test')).toBeVisible()
  await page.getByRole('link', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Lotte Lund')
})

test('"Verify OAuth" calls the provider, and its failure is shown', { tag: '@more' }, async ({
  visit,
  issuer,
}) => {
  const visitor = await visit()
  const page = await leaveFor(issuer, visitor, '/login')
  await page.getByRole('link', { name: 'Go on as Lotte Lund' }).click()
  await expect(page.getByText('You are signed in as Lotte Lund.')).toBeVisible()
  issuer.isDown = true
  visitor.expectFault(/^answer 503: http:\/\/localhost:\d+\/me/)
  visitor.expectFault(/^console error: .*\/me\?alt=json/)
  await page.getByRole('button', { name: 'Verify OAuth' }).click()
  await expect(reason(page, 'Failed to fetch user info')).toBeVisible()
  issuer.isDown = false
})

test('a visitor who cancels at the provider returns to the form, sees why, and can try again', {
  tag: '@more',
}, async ({ visit, issuer }) => {
  const page = await leaveFor(issuer, await visit(), '/signup')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(reason(page, 'Google did not confirm this sign-in.')).toBeVisible()
  expect(await page.content()).not.toContain('alert(1)')
  expect(await sessionsOf(page)).toEqual([])
  await button(page).click()
  await page.getByRole('link', { name: 'Go on as Lotte Lund' }).click()
  await expect(page.getByText('You are signed in as Lotte Lund.')).toBeVisible()
})

test('an address that the provider has not verified creates no account', { tag: '@more' }, async ({
  visit,
  issuer,
}) => {
  const page = await leaveFor(issuer, await visit(), '/login')
  await page.getByRole('link', { name: 'Go on as Mika Moor' }).click()
  await expect(
    reason(page, 'Google has not verified this email address, so it cannot be used here.'),
  ).toBeVisible()
  expect(await sessionsOf(page)).toEqual([])
})

test('a callback that has already been used signs nobody in', { tag: '@more' }, async ({
  visit,
  issuer,
}) => {
  const page = await leaveFor(issuer, await visit(), '/login')
  const callbackRequest = page.waitForRequest(
    (request) => new URL(request.url()).pathname === CALLBACK,
  )
  const countResponse = page.waitForResponse((answer) =>
    answer.url().endsWith('/notifications/count'),
  )
  await page.getByRole('link', { name: 'Go on as Lotte Lund' }).click()
  const callbackUrl = (await callbackRequest).url()
  await expect(page.getByText('You are signed in as Lotte Lund.')).toBeVisible()
  await countResponse
  await page.context().clearCookies({ name: /^a_session_blog/ })
  await page.goto(callbackUrl)
  await expect(page).toHaveURL(/\/login/)
  await expect(reason(page, LAPSED)).toBeVisible()
  expect(await sessionsOf(page)).toEqual([])
})

test('a callback for another browser signs nobody in', { tag: '@more' }, async ({
  visit,
  blog,
}) => {
  const sender = makeRedirectBrowser()
  const start = `${blog.url}/v1/account/sessions/oauth2/google?project=blog&success=${blog.url}/verifyOAuth&failure=${blog.url}/login`
  const choosing = await sender.follow(start, ({ pathname }) =>
    pathname.startsWith('/interaction/'),
  )
  const answer = await sender.follow(
    `${choosing}?sub=${LOTTE.sub}`,
    ({ pathname }) => pathname === CALLBACK,
  )

  const { page } = await visit()
  await page.goto(answer.href)
  await expect(reason(page, LAPSED)).toBeVisible()
  expect(await sessionsOf(page)).toEqual([])
  // The callback still works in the browser of the sender.
  expect((await sender.visit(answer.href)).headers.get('location')).toBe(`${blog.url}/verifyOAuth`)
})

/** Moves every sign-in an hour into the past. */
async function ageSessions(): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  const createdAt = new Date(Date.now() - 3_600_000).toISOString()
  await db.updateTable('session').set({ createdAt }).execute()
  await db.destroy()
}

test('the only sign-in method cannot be removed, setting a password needs a recent sign-in, and then Google can be removed', {
  tag: '@more',
}, async ({ visit, issuer }) => {
  const visitor = await visit()
  const page = await leaveFor(issuer, visitor, '/login')
  await page.getByRole('link', { name: 'Go on as Nils Nord' }).click()
  await expect(page.getByText('You are signed in as Nils Nord.')).toBeVisible()
  await page.goto('/settings/sign-in')
  const methods = page.getByRole('region', { name: 'Sign-in methods' })
  const remove = methods.getByRole('button', { name: 'Remove Google as a sign-in method' })
  await expect(methods.getByRole('listitem')).toContainText(
    /^Googlenils@example\.test, linked .+, last used .+Remove$/,
  )
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAccessibleDescription(
    'This is your only way in. Set a password first.',
  )

  await ageSessions()
  await methods.getByRole('button', { name: 'Set a password' }).press('Enter')
  const form = page.getByRole('form', { name: 'Change password' })
  const password = form.getByLabel('New password', { exact: true })
  await expect(password).toBeFocused()
  await page.keyboard.type('nils reads by lamplight')
  await form.getByLabel('New password again').fill('nils reads by lamplight')
  visitor.expectFault(/status of 401/)
  await page.keyboard.press('Enter')
  await expect(reason(page, 'Please sign in again first.')).toBeVisible()
  const passwordSection = page.getByRole('region', { name: 'Password', exact: true })
  await passwordSection.getByRole('button', { name: 'Sign in with Google again' }).click()
  await page.getByText('You are signed in as Nils Nord.').waitFor()
  await page.goto('/settings/sign-in')
  await page.locator('summary', { hasText: 'Set password' }).click()
  await password.fill('nils reads by lamplight')
  await form.getByLabel('New password again').fill('nils reads by lamplight')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expect(methods.getByRole('listitem').first()).toContainText(/^PasswordChanged /)

  const elsewhere = await leaveFor(issuer, await visit(), '/login')
  await elsewhere.getByRole('link', { name: 'Go on as Nils Nord' }).click()
  await expect(elsewhere.getByText('You are signed in as Nils Nord.')).toBeVisible()
  await page.reload()
  await remove.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Remove Google?' })
  await expect(question).toContainText(
    'You can no longer sign in with nils@example.test. Your password stays. One other session that began with Google ends now.',
  )
  await page.keyboard.press('Escape')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Remove Google' }).press('Enter')
  await expect(page.getByText('Google is removed.')).toBeVisible()
  await expect(
    methods.getByText('Not linked. Choose the Google account of nils@example.test.'),
  ).toBeVisible()
  expect(await sessionsOf(page)).toHaveLength(1)
  expect(await sessionsOf(elsewhere)).toEqual([])
})
