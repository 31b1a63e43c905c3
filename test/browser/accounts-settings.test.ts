// The settings: name, email, password, appearance, sessions, download of one's data, and
// deletion of the account.
import type { Page } from '@playwright/test'
import { expect } from '#test/support/browser-blog.ts'
import { openLink, test } from '#test/support/browser-mail.ts'
import { drawPhoto } from '#test/support/images.ts'
import { paste } from '#test/support/paste.ts'
import { editorBody, makeNewcomer, signIn, signUp, toUpload } from '#test/support/people.ts'

test('name, email and password can be changed, and a refused change leaves them as they were', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const person = makeNewcomer('Jonas Juhl')
  const { page, expectFault } = await visit()
  const elsewhere = await visit()
  await signUp(page, person)
  await signIn(elsewhere.page, person)
  await openSettings(page)

  const name = page.getByRole('form', { name: 'Change name' })
  await name.getByLabel('Name').fill(' ')
  await name.getByRole('button', { name: 'Save name' }).click()
  await expect(name.getByLabel('Name')).toHaveAccessibleDescription('Write a name first.')
  await name.getByLabel('Name').fill('Jonas Juul')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your name is saved.')).toBeVisible()
  await expect(name.getByLabel('Name')).toHaveValue('Jonas Juul')
  await expect(name.getByLabel('Name')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Account menu, Jonas Juul' })).toBeVisible()

  expectFault(/status of 401/)
  await openSettings(page, 'Sign-in')
  await unfold(page, 'Change email')
  const email = page.getByRole('form', { name: 'Change email' })
  const newEmail = `new.${person.email}`
  await email.getByLabel('New email').fill(newEmail)
  await email.getByLabel('Current password').fill('not his password')
  await email.getByRole('button', { name: 'Change email' }).click()
  await expect(email.getByLabel('Current password')).toHaveAccessibleDescription(
    'The password is not correct.',
  )
  await expect(email.getByLabel('New email')).toHaveValue(newEmail)
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText(person.email)
  await email.getByLabel('Current password').fill(person.password)
  await email.getByRole('button', { name: 'Change email' }).click()
  await expect(
    page.getByText('Your email is changed. The new address is not verified yet.'),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText(newEmail)
  expect((await mail.waitForMail(person.email)).text).not.toContain('/verif')

  await unfold(page, 'Change password')
  const password = page.getByRole('form', { name: 'Change password' })
  const newLogin = { name: 'Jonas Juul', email: newEmail, password: 'jonas moved to a new town' }
  await password.getByLabel('Current password').fill('not his password')
  await password.getByLabel('New password', { exact: true }).fill(newLogin.password)
  await password.getByLabel('New password again').fill(newLogin.password)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByLabel('Current password')).toHaveAccessibleDescription(
    'The password is not correct.',
  )
  await elsewhere.page.goto('/dashboard')
  await expect(elsewhere.page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Jonas Juul')
  await password.getByLabel('Current password').fill(person.password)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(
    page.getByText('Your password is changed. Your other devices are signed out.'),
  ).toBeVisible()
  await expect(sessionsOn(page)).toHaveCount(1)

  elsewhere.expectFault(/status of 401/)
  await elsewhere.page.goto('/dashboard')
  await expect(elsewhere.page).toHaveURL(/\/login$/)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await signIn(elsewhere.page, newLogin)
})

test('theme, bottom bar, language of dates and editor preferences are stored with the account', {
  tag: '@more',
}, async ({ visit }) => {
  const person = makeNewcomer('Karla Krog')
  const { page } = await visit()
  await signUp(page, person)
  await openSettings(page)
  const look = page.getByRole('region', { name: 'Appearance' })
  await expect(look.getByRole('radio', { name: 'Dark' })).toBeChecked()
  const untilSaved = () =>
    page.waitForResponse(
      (answer) => answer.url().endsWith('/account/prefs') && answer.request().method() === 'PATCH',
    )
  const [theme] = await Promise.all([
    untilSaved(),
    look.getByRole('radio', { name: 'Light' }).click(),
  ])
  expect(theme.status()).toBe(200)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  const [bar] = await Promise.all([
    untilSaved(),
    look.getByRole('radio', { name: 'Hidden' }).click(),
  ])
  expect(bar.status()).toBe(200)
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)

  const phone = await visit({ viewport: { width: 320, height: 640 } })
  await signIn(phone.page, person)
  await openSettings(phone.page)
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await expect(phone.page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(phone.page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)

  await openSettings(page, 'Language and dates')
  const dates = page.getByRole('combobox', { name: 'Language of dates' })
  await Promise.all([untilSaved(), dates.selectOption({ label: 'Deutsch' })])
  const german = new Intl.DateTimeFormat('de', { day: 'numeric', month: 'short', year: 'numeric' })
  await expect(dates).toHaveAccessibleDescription(`Today reads: ${german.format(new Date())}`)
  await openSettings(page, 'Writing')
  await Promise.all([untilSaved(), page.getByText('Toolbar only').click()])
  const [response] = await Promise.all([untilSaved(), page.getByText('Keep it as typed').click()])
  expect((await response.json()).prefs).toEqual({
    theme: 'light',
    bottomBar: 'hidden',
    dateLanguage: 'de',
    editorBars: 'toolbar',
    markdownPaste: 'typed',
  })
  await openSettings(page)
  await Promise.all([untilSaved(), look.getByRole('radio', { name: 'Shown' }).click()])

  // The phone received the setting of the bar when it signed in, and still follows later changes.
  await phone.page.reload()
  await expect(phone.page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await openSettings(phone.page, 'Language and dates')
  await expect(phone.page.getByRole('combobox', { name: 'Language of dates' })).toHaveValue('de')
  await openSettings(phone.page, 'Writing')
  await expect(phone.page.getByRole('radio', { name: 'Keep it as typed' })).toBeChecked()

  await page.goto('/add-post')
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  const menus = page.getByRole('menubar')
  expect((await menus.boundingBox())?.height).toBeLessThanOrEqual(1)
  await page.frameLocator('iframe').locator('body').press('Alt+F9')
  await expect(page.getByRole('menuitem', { name: 'File' })).toBeFocused()
  await expect(page.getByRole('menuitem', { name: 'File' })).toBeInViewport()
  await page.keyboard.press('Escape')
  const text = editorBody(page)
  await text.click()
  await paste(page, { text: '## Kept **as** typed' })
  await expect(text).toContainText('## Kept **as** typed')
  await expect(text.getByRole('heading')).toHaveCount(0)
})

test('only the settings section with an unsaved change has a primary button', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Bea Bright'))
  await openSettings(page)
  const primary = page.locator('main .btn--primary')
  await expect(primary).toHaveCount(0)
  const name = page
    .getByRole('region', { name: 'Name and picture' })
    .getByLabel('Name', { exact: true })
  await name.fill('Bea Brighter')
  await expect(primary).toHaveText(['Save name'])
  await primary.click()
  await expect(page.getByText('Your name is saved.')).toBeVisible()
  await expect(primary).toHaveCount(0)
})

test('each part of the settings has an address; links, Back and the former anchors lead to it, and an unsaved change is asked about', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 390, height: 844 } })
  await signUp(page, makeNewcomer('Paula Pages'))
  await page.goto('/settings#settings-password')
  await expect(page).toHaveURL(/\/settings\/sign-in$/)
  const links = page.getByRole('navigation', { name: 'Settings' })
  const current = links.locator('[aria-current="page"]')
  await expect(current).toHaveText('Sign-in')
  await links.getByRole('link', { name: 'Delete account' }).press('Enter')
  await expect(page).toHaveURL(/\/settings\/delete-account$/)
  await expect(current).toHaveText('Delete account')
  await expect(current).toBeInViewport({ ratio: 1 })
  await page.goBack()
  await expect(current).toHaveText('Sign-in')
  await links.getByRole('link', { name: 'Profile' }).press('Enter')
  const bio = page.getByLabel('Bio', { exact: true })
  await bio.fill('Not saved yet')
  await links.getByRole('link', { name: 'Files' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep writing' }).press('Enter')
  await expect(question).toBeHidden()
  await expect(bio).toHaveValue('Not saved yet')
  await links.getByRole('link', { name: 'Files' }).press('Enter')
  await question.getByRole('button', { name: 'Leave' }).press('Enter')
  await expect(page).toHaveURL(/\/settings\/files$/)
})

test('of many sessions, two are shown, and the others are folded', { tag: '@more' }, async ({
  visit,
}) => {
  const person = makeNewcomer('Mia Many')
  const { page } = await visit()
  await signUp(page, person)
  for (let count = 0; count < 3; count += 1) {
    const other = await visit()
    await signIn(other.page, person)
    // One of them notices that its session ends.
    other.expectFault(/status of 401/)
  }
  await openSettings(page, 'Sign-in')
  await expect(sessionsOn(page)).toHaveCount(2)
  await expect(sessionsOn(page).first()).toContainText('This device')
  await unfold(page, '2 older sessions')
  const older = page.getByRole('list', { name: 'Older sessions' }).getByRole('listitem')
  await expect(older).toHaveCount(2)
  await older
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .press('Enter')
  await expect(older).toHaveCount(1)
})

test('sessions are listed, and can be ended one by one or all at once', { tag: '@more' }, async ({
  visit,
}) => {
  const person = makeNewcomer('Lars Lund')
  const { page, expectFault } = await visit()
  const phone = await visit({
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  })
  const tablet = await visit()
  await signUp(page, person)
  await signIn(phone.page, person)
  await openSettings(page, 'Sign-in')
  await expect(sessionsOn(page)).toHaveCount(2)
  await expect(sessionsOn(page).first()).toContainText('This device')
  const other = sessionsOn(page).filter({ hasText: 'Firefox on Windows' })
  await expect(other).toContainText('with a password')
  await expect(other).not.toContainText('This device')
  await expect(other.locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
  await other.getByRole('button', { name: /^Sign out: Firefox on Windows/ }).click()
  await expect(page.getByText('That session has ended.')).toBeVisible()
  await expect(sessionsOn(page)).toHaveCount(1)
  phone.expectFault(/status of 401/)
  await phone.page.reload()
  await expect(phone.page).toHaveURL(/\/login$/)

  await signIn(tablet.page, person)
  await openSettings(tablet.page, 'Sign-in')
  await sessionsOn(tablet.page)
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(tablet.page.getByText('You are signed out on this device.')).toBeVisible()
  await expect(tablet.page).toHaveURL(/\/login$/)
  await page.reload()
  await expect(sessionsOn(page)).toHaveCount(1)

  await signIn(tablet.page, person)
  await page.getByRole('button', { name: 'Sign out on all devices' }).click()
  await expect(page.getByText('You are signed out on all devices.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  tablet.expectFault(/status of 401/)
  await tablet.page.reload()
  await expect(tablet.page).toHaveURL(/\/login$/)
  expectFault(/status of 401/)
})

test('a user downloads their data as a zip and deletes the account with its posts', {
  tag: '@more',
}, async ({ visit }) => {
  const person = makeNewcomer('Mona Meier')
  const { page, expectFault } = await visit()
  const reader = await visit()
  await signUp(page, person)
  await page.getByRole('link', { name: 'addPost' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Written to be deleted')
  const slug = await page.getByLabel('Slug', { exact: true }).inputValue()
  const image = {
    name: 'gone.png',
    type: 'image/png',
    bytes: await drawPhoto('png', { width: 400, height: 225 }),
  }
  await page.getByLabel('Featured image').setInputFiles(toUpload(image))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`))

  await openSettings(page, 'Import and export')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  expect(await (await download).failure()).toBe(null)

  await openSettings(page, 'Delete account')
  const form = page.getByRole('form', { name: 'Delete account' })
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'Type your password first.',
  )
  await form.getByLabel('Password', { exact: true }).fill('not her password')
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog).toContainText(
    'Your posts, your likes and all your files are permanently deleted',
  )
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expectFault(/status of 401/)
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'The password is not correct.',
  )
  await reader.page.goto(`/post/${slug}`)
  await expect(reader.page.getByRole('heading', { level: 1 })).toHaveText('Written to be deleted')

  await form.getByLabel('Password', { exact: true }).fill(person.password)
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  reader.expectFault(/status of 404/)
  expect((await reader.page.goto(`/post/${slug}`))?.status()).toBe(404)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Email or password is not correct.' }),
  ).toBeVisible()
})

test('an account without a password is deleted after a recent sign-in by link', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const { email } = makeNewcomer('Nora Nyberg')
  const { page } = await visit()
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await openLink(page, await mail.waitForMail(email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await openSettings(page, 'Sign-in')
  await unfold(page, 'Set password')
  await expect(
    page
      .getByRole('form', { name: 'Change password' })
      .getByRole('button', { name: 'Set password' }),
  ).toBeVisible()
  await openSettings(page, 'Delete account')
  const form = page.getByRole('form', { name: 'Delete account' })
  await expect(form).toContainText('Your account has no password.')
  await form.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('a bot that fills in every field of the sign-up form creates no account', {
  tag: '@more',
}, async ({ visit }) => {
  const { email, password } = makeNewcomer('Robot')
  const { page, expectFault } = await visit()
  const postedUrls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') postedUrls.push(request.url())
  })
  await page.goto('/signup')
  const form = page.getByRole('form', { name: 'Sign up' })
  await form.locator('input').evaluateAll(
    (fields, values) => {
      for (const field of fields)
        if (field instanceof HTMLInputElement)
          field.value = field.type === 'password' ? values.password : values.email
    },
    { email, password },
  )
  await form.getByRole('button', { name: 'Sign up' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'A program filled in this form.' }),
  ).toBeVisible()
  expect(postedUrls).toEqual([])
  expectFault(/status of 401/)
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Email or password is not correct.' }),
  ).toBeVisible()
})

/** Opens a page of the settings from the account menu. */
async function openSettings(page: Page, section = 'Profile'): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  const links = page.getByRole('navigation', { name: 'Settings' })
  await links.getByRole('link', { name: section }).click()
  await expect(page).toHaveTitle(new RegExp(`^${section} · Settings · `))
}

async function unfold(page: Page, title: string): Promise<void> {
  await page.locator('summary', { hasText: title }).click()
}

function sessionsOn(page: Page) {
  return page.getByRole('list', { name: 'Sessions', exact: true }).getByRole('listitem')
}

test('the avatar is changed in the settings, which stay open', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Frida Frame'))
  await openSettings(page)
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  const file = { name: 'face.png', mimeType: 'image/png', buffer: await drawPhoto('png') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page
    .getByRole('form', { name: 'Change avatar' })
    .getByRole('button', { name: 'Submit' })
    .click()
  await expect(page.getByRole('link', { name: 'Download avatar' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change Avatar' })).toBeFocused()
  await expect(page).toHaveURL(/\/settings$/)
})
