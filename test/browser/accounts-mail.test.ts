// Links by email over a real SMTP server, from the request to the end: recovery, verification,
// sign-in.
import { expect } from '#test/support/browser-blog.ts'
import { openLink, test } from '#test/support/browser-mail.ts'
import { readLink } from '#test/support/mail-text.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'

test('an unknown address gets the same answer as a known one, but no mail', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const nobody = makeNewcomer('No Body')
  const somebody = makeNewcomer('Some Body')
  await signUp((await visit()).page, somebody)
  const { page } = await visit()
  for (const { email } of [nobody, somebody]) {
    await page.goto('/forgot')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(
      page.getByText(`If an account uses ${email}, a link is on its way. It works for one hour.`),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: /^Send again in \d+ s$/ })).toBeVisible()
  }
  await mail.waitForMail(somebody.email) // requested last, so the other mail would have come first
  expect(mail.mails.filter(({ recipients }) => recipients.includes(nobody.email))).toEqual([])
})

test('opening the verification link changes nothing; pressing its button verifies the address', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const person = makeNewcomer('Hedda Holm')
  const { page } = await visit()
  await signUp(page, person)
  const line = page.getByText(`${person.email} is not verified yet.`)
  await expect(line).toBeVisible()
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expect(page.getByText(`Sent to ${person.email}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again in (60|5\d) s$/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )

  const verificationMail = await mail.waitForMail(person.email)
  const link = await openLink(page, verificationMail)
  expect(link.pathname).toBe('/verification')
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your email' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(line).toBeVisible()

  await openLink(page, verificationMail)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Your email is verified' }),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified')).toBeVisible()
  await expect(line).toHaveCount(0)

  const stranger = await visit()
  stranger.expectFault(/status of 401/)
  await openLink(stranger.page, verificationMail)
  await stranger.page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(
    stranger.page.getByRole('heading', { level: 1, name: 'This link has expired' }),
  ).toBeVisible()
})

test('a sign-in link creates an account for a new address, leads to the requested page and works once', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const { email } = makeNewcomer('Ida Iversen')
  const { page } = await visit()
  await page.goto('/add-post')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(
    page.getByText(`A sign-in link is on its way to ${email}. It works once, for ten minutes.`),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again in \d+ s$/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const signInMail = await mail.waitForMail(email)
  expect(readLink(signInMail).searchParams.get('next')).toBe('/add-post')

  // In another browser, as on a phone: opening the link alone signs nobody in.
  const phone = await visit({ viewport: { width: 390, height: 760 } })
  await openLink(phone.page, signInMail)
  await expect(
    phone.page.getByRole('heading', { level: 1, name: 'Sign in to Web App' }),
  ).toBeVisible()
  expect(
    (await phone.context.cookies()).filter(({ name }) => name.startsWith('a_session_')),
  ).toEqual([])
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.page).toHaveURL(/\/dashboard$/)
  await expect(phone.page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${email}`)
  await expect(phone.page.getByText('Email verified')).toBeVisible()
  await phone.page.reload()
  await phone.page.getByRole('link', { name: 'continue' }).click()
  await expect(phone.page.getByRole('heading', { level: 1, name: 'New post' })).toBeVisible()

  const stranger = await visit()
  stranger.expectFault(/status of 401/)
  await openLink(stranger.page, signInMail)
  await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(
    stranger.page.getByRole('heading', { level: 1, name: 'This link has expired' }),
  ).toBeVisible()
  await stranger.page.getByRole('link', { name: 'Get a new link' }).click()
  await expect(stranger.page).toHaveURL(/\/login$/)
})

test('an invalid address shows an error at its field, and no mail is sent', {
  tag: '@more',
}, async ({ visit, mail }) => {
  const { page, expectFault } = await visit()
  const mailsBefore = mail.mails.length
  expectFault(/status of 400/)
  for (const [path, button] of [
    ['/login', 'Email me a link'],
    ['/forgot', 'Send link'],
  ] as const) {
    await page.goto(path)
    await page.getByLabel('Email', { exact: true }).fill('not an address')
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(
      'Enter a valid email address.',
    )
    await expect(page.getByRole('button', { name: button })).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('not an address')
  }
  expect(mail.mails).toHaveLength(mailsBefore)
})
