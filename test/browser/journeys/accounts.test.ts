// Journeys of a user: signing up, in and out, a forgotten password, a form used before the app has
// loaded, an ended session.
import type { Page } from '@playwright/test'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { openLink, tabTo } from '#test/support/browser-mail.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { fillSignUp, makeNewcomer, signIn, startApp, untilHydrated } from '#test/support/people.ts'
import { findBareTexts } from '#test/support/translate.ts'

const APP = /\/assets\/(main|app)-[^/]+\.js$/
const SIGNED_OUT = 'You were signed out'
const WRONG = 'Email or password is not correct.'

const refusal = (page: Page) => page.getByRole('alert').filter({ hasText: WRONG })

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a guest is led to sign in and back, signs up, sees no form again, signs out everywhere and signs in', async ({
  visit,
  asOperator,
}) => {
  await asOperator('/v1/site', { reading: 'members' })
  const visitor = await visit()
  const { page, expectFault } = visitor
  const person = makeNewcomer('Carla Conti')
  await page.goto('/post')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('link', { name: "Don't have any account? Sign Up" }).click()
  // A bot fills in every field, also the hidden one.
  const form = page.getByRole('form', { name: 'Sign up' })
  const trap = form.locator('input[tabindex="-1"]')
  await trap.evaluate((field: HTMLInputElement) => {
    field.value = 'robot'
  })
  await fillSignUp(page, person)
  await expect(page.getByText('A program filled in this form.')).toBeVisible()
  await trap.evaluate((field: HTMLInputElement) => {
    field.value = ''
  })
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\/post$/)
  await expect(page.getByRole('heading', { level: 1, name: 'All posts' })).toBeVisible()

  // The page arrives complete and requests none of its data again. Pending requests would get 401
  // once the sessions have ended.
  const calls: string[] = []
  // The list of the previous page may still be loading.
  await page.goto('about:blank')
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  expect(calls.filter((path) => /^\/v1\/(account|databases)/.test(path))).toEqual([])
  expect(await findBareTexts(page), 'texts that a translating browser removes from React').toEqual(
    [],
  )
  await page.getByRole('button', { name: 'Sign out all devices' }).click()
  await expect(page.getByText('You are signed out on all devices.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expectFault(/status of 401/)
  await fillSignIn(page, person.email, 'not her password')
  await expect(refusal(page)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, person)

  // --- another user signs in meanwhile, and the page becomes theirs ---
  await signUpByApi(visitor, 'Dora Dietrich')
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Account menu, Dora Dietrich' })).toBeVisible()
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Dora Dietrich')
  await expect(page.getByText('Carla Conti')).toHaveCount(0)
})

test('a forgotten password is replaced by mail with the keyboard alone, which ends all other sessions', async ({
  visit,
  mail,
}) => {
  const elsewhere = await visit()
  const person = await signUpByApi(elsewhere, 'Greta Gade')
  const { page, expectFault } = await visit()

  // --- request the link ---
  await page.goto('/login')
  await startApp(page)
  await tabTo(page, page.getByLabel('Email', { exact: true }))
  await page.keyboard.type(person.email)
  await tabTo(page, page.getByRole('link', { name: 'Forgot password?' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeFocused()
  await expect(page).toHaveTitle('Forgot password · Web App')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(person.email)
  await tabTo(page, page.getByRole('button', { name: 'Send link' }))
  await page.keyboard.press('Enter')
  const answer = page.getByRole('status').filter({
    hasText: `If an account uses ${person.email}, a link is on its way. It works for one hour.`,
  })
  await expect(answer).toBeVisible()
  const sendAgain = page.getByRole('button', { name: /^Send again in \d+ s$/ })
  await expect(sendAgain).toHaveAttribute('aria-disabled', 'true')
  await expect(sendAgain).toBeFocused()
  const recoveryMail = await mail.waitForMail(person.email)
  await page.keyboard.press('Enter') // the button is still disabled
  await expect(sendAgain).toHaveAttribute('aria-disabled', 'true')

  // --- choose a password ---
  const link = await openLink(page, recoveryMail)
  expect(link.pathname).toBe('/verifyUserEmailLink')
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a new password' })).toBeVisible()
  expect(await page.content()).not.toContain(link.searchParams.get('secret'))
  // Password managers need the address of the account; screen readers do not see the field.
  const username = page.locator('form input[autocomplete="username"]')
  await expect(username).toHaveValue(person.email)
  await expect(username).toBeVisible()
  // The HTML of the server contains the field, because browsers look for it before the app has
  // loaded.
  expect(await (await page.request.get(link.href)).text()).toMatch(/<form.*"username"/)
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(2)
  const first = page.getByLabel('New password', { exact: true })
  const second = page.getByLabel('New password again', { exact: true })
  const updated = { ...person, password: 'greta found a better sentence' }
  await tabTo(page, first)
  await page.keyboard.type(updated.password)
  await tabTo(page, second)
  await page.keyboard.type('greta found a bitter sentence')
  await page.keyboard.press('Enter')
  await expect(second).toHaveAttribute('aria-invalid', 'true')
  await expect(second).toHaveAccessibleDescription('The passwords do not match.')
  await expect(first).toHaveValue(updated.password)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(updated.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  const changed = page
    .getByRole('status')
    .filter({ hasText: 'Password changed. Sign in with the new one.' })
  await expect(changed).toBeVisible()
  // The server does not know the reason shown here; hydration must not fail because of that.
  await page.reload()
  await expect(changed).toBeVisible()

  // --- the other device is signed out, and only the new password works ---
  elsewhere.expectFault(/status of 401/)
  await elsewhere.page.goto('/dashboard')
  await expect(elsewhere.page).toHaveURL(/\/login$/)
  expectFault(/status of 401/)
  await fillSignIn(page, person.email, person.password)
  await expect(refusal(page)).toBeVisible()
  await signIn(page, updated)

  // --- a link works once ---
  await openLink(elsewhere.page, recoveryMail)
  for (const name of ['New password', 'New password again'])
    await elsewhere.page.getByLabel(name, { exact: true }).fill('somebody else takes over')
  await elsewhere.page.getByRole('button', { name: 'Save password' }).click()
  await expect(
    elsewhere.page.getByRole('heading', { level: 1, name: 'This link has expired' }),
  ).toBeVisible()
  await elsewhere.page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(
    elsewhere.page.getByRole('heading', { level: 1, name: 'Forgot your password?' }),
  ).toBeVisible()
  const headers = { 'x-appwrite-project': 'blog' }
  const data = { email: updated.email, password: updated.password }
  const { request } = (await visit()).context
  expect((await request.post('/v1/account/sessions/email', { headers, data })).status()).toBe(201)
})

test('input made on a form before the app has loaded remains, and the browser does not submit the form itself', async ({
  visit,
}) => {
  const { page, expectFault } = await visit()
  expectFault(/answer 401|status of 401/)
  const postedPaths: string[] = []
  page.on(
    'request',
    (request) => request.method() === 'POST' && postedPaths.push(new URL(request.url()).pathname),
  )
  const release = await holdRequests(page, APP)
  await page.goto('/login', { waitUntil: 'commit' })
  const password = page.getByLabel('Password', { exact: true })
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByRole('radio', { name: 'Light' }).press('Space')
  await password.fill('wrong-but')
  await password.press('Enter')
  await password.pressSequentially('-kept')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  release()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await untilHydrated(page)
  await expect(password).toHaveValue('wrong-but-kept')
  expect(postedPaths).toEqual([])
  await password.press('Enter')
  await expect(page.getByText(WRONG)).toBeVisible()
  expect(postedPaths).toEqual(['/v1/account/sessions/email'])
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.test')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.test')
})

test('when the session has ended, the page says so, keeps the text and leads back to it', async ({
  visit,
}) => {
  const visitor = await visit()
  const { page, context, expectFault } = visitor
  expectFault(/status of 401/)
  const { email, password } = await signUpByApi(visitor, 'Stan Stale')
  /** Signs out everywhere as another device would: the page gets no event. */
  const endSession = async () => {
    const headers = { 'x-appwrite-project': 'blog' }
    const answer = await context.request.delete('/v1/account/sessions', { headers })
    expect(answer.status()).toBe(204)
  }
  await page.goto('/add-post')
  await page.getByLabel('Title').fill('Half a thought')
  await page.getByRole('link', { name: 'Web App' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(/\/post$/)
  await endSession()

  // --- the dashboard requests its list, now as a guest ---
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  const title = page.getByRole('heading', { level: 1, name: SIGNED_OUT })
  await expect(title).toBeFocused()
  await expect(page.getByRole('main')).toContainText(
    '1 draft is kept on this device for Stan Stale.',
  )
  await expect(page.getByText('You have not written anything yet.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByRole('status').filter({ hasText: SIGNED_OUT })).toContainText(
    'Sign in and you are back at “Dashboard”.',
  )
  await fillSignIn(page, email, password)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Stan Stale')

  // --- in the form the text stays on the screen ---
  await page.getByRole('link', { name: 'addPost' }).click()
  await page.getByLabel('Title').fill('Another thought')
  await endSession()
  await page.evaluate(() => new BroadcastChannel('viewer').postMessage(''))
  await expect(page.getByText(`${SIGNED_OUT}. Your text is kept on this device.`)).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Another thought')
  await page.getByRole('button', { name: 'Sign in and continue writing' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your text is kept on this device.')).toBeVisible()
})
