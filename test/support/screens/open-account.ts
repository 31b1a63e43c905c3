// Opens the dashboard and the sign-in screens in the states of states.ts.
import type { Page } from '@playwright/test'
import { AVATAR_FILE_MAX_BYTES } from '#contract/limits.ts'
import {
  answer,
  CLOCK,
  imageFile,
  LINK,
  LISTS,
  navigateTo,
  neverAnswer,
  type Stage,
  settled,
  visit,
} from './stage.ts'

export async function openDashboard({ page }: Stage): Promise<void> {
  await verify(page)
  await navigateTo(page, '/dashboard')
  await page.getByRole('link', { name: CLOCK, exact: true }).waitFor()
  await settled(page)
}

/** Answers that the address is verified; no account in the seed has verified one. */
async function verify(page: Page): Promise<void> {
  await page.route('**/v1/account', async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback()
    const response = await route.fetch()
    await route.fulfill({
      response: response,
      json: { ...(await response.json()), emailVerification: true },
    })
  })
}

export async function openEmptyDashboard({ page }: Stage): Promise<void> {
  await verify(page)
  await page.route(LISTS, answer(200, { total: 0, documents: [] }))
  await navigateTo(page, '/dashboard')
  await page.getByText('You have not written anything yet.').waitFor()
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page.getByLabel('New avatar').setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(AVATAR_FILE_MAX_BYTES + 1),
  })
  await page.getByText('File size should not exceed 5MB').waitFor()
  await settled(page)
}

/** The upload never ends here. */
export async function openSendingAvatar({ page }: Stage): Promise<void> {
  await page.route('**/files', neverAnswer)
  await visit(page, '/dashboard', 'Welcome, Noor Haddad')
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page
    .getByLabel('New avatar')
    .setInputFiles(await imageFile('me-at-the-harbour.jpg', { width: 600, height: 600 }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Uploading your avatar...').waitFor()
  await settled(page)
}

export async function openFailedSignIn({ page }: Stage): Promise<void> {
  await visit(page, '/login', 'Sign in to your account')
  await page.getByLabel('Email', { exact: true }).fill('tobias@lamplight.example')
  await page.getByLabel('Password', { exact: true }).fill('not his password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Email or password is not correct.').waitFor()
}

/** The answer to signing up never comes. */
export async function openPendingSignUp({ page }: Stage): Promise<void> {
  await visit(page, '/signup', 'Sign up for an account')
  await page.route('**/v1/account', neverAnswer)
  await page.getByLabel('Name', { exact: true }).fill('Mara Ellison')
  await page.getByLabel('Email', { exact: true }).fill('mara@example.org')
  await page.getByLabel('Password', { exact: true }).fill('a short sentence')
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByRole('button', { name: 'Creating your account' }).waitFor()
}

export async function openSentRecovery({ page }: Stage): Promise<void> {
  await page.route(
    '**/v1/account/recovery',
    answer(201, { $id: 'r', userId: 'u', secret: '', expire: '2030-01-01T00:00:00.000+00:00' }),
  )
  await visit(page, '/forgot')
  await page.getByLabel('Email', { exact: true }).fill('mara@example.org')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('its link is kept on the server').waitFor()
}

/** No account in the seed has verified an address, and the blog has no mail server. */
export async function openKeptMail({ page }: Stage): Promise<void> {
  await visit(page, '/settings/sign-in', 'Settings')
  await page.getByRole('button', { name: 'Make a new link' }).click()
  await page.getByText('The link is made.').waitFor()
  await settled(page)
}

export async function openInvitation({ page }: Stage): Promise<void> {
  const invitation = {
    email: 'per@example.org',
    name: 'Ines Duarte',
    expire: '2025-11-30T12:00:00.000+00:00',
  }
  await page.route('**/v1/account/invitation', answer(200, invitation))
  await visit(page, `/invitation${LINK}`, 'Sign up for an account')
  await page.getByText('You are invited').waitFor()
}

export async function openDifferingPasswords({ page }: Stage): Promise<void> {
  await visit(page, `/verifyUserEmailLink${LINK}`)
  await page.getByLabel('New password', { exact: true }).fill('a short sentence')
  await page.getByLabel('New password again', { exact: true }).fill('another sentence')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The passwords do not match.').last().waitFor()
}

export async function openSpentLink({ page }: Stage): Promise<void> {
  await visit(page, `/verifyUserEmailLink${LINK}`)
  await page.getByLabel('New password', { exact: true }).fill('a short sentence')
  await page.getByLabel('New password again', { exact: true }).fill('a short sentence')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('This link has expired').waitFor()
}

/** The request for the account is never answered. */
export async function openGoogleLanding({ page }: Stage): Promise<void> {
  await page.route('**/v1/account', neverAnswer)
  await page.goto('/verification?access_token=t')
  await page.getByText('Processing Google authentication...').waitFor()
}

/** Two of the files are unused, and the storage is almost full. */
export async function openOwnFiles({ page }: Stage): Promise<void> {
  await page.route('**/v1/account/files?*', async (route) => {
    const response = await route.fetch()
    const ownFiles = await response.json()
    const files = ownFiles.files.map((file: object, at: number) =>
      at === 1 || at === 2 ? { ...file, uses: [] } : file,
    )
    const json = { ...ownFiles, files, unused: 2, usedBytes: Math.round(ownFiles.maxBytes * 0.94) }
    await route.fulfill({ response, json })
  })
  await navigateTo(page, '/settings/files')
  const section = page.getByRole('region', { name: 'Your files' })
  await section.getByRole('listitem').first().waitFor()
  await section.evaluate((box) => box.scrollIntoView({ block: 'start' }))
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('.own-files img')]
    return images
      .filter((image) => image.getBoundingClientRect().top < innerHeight)
      .every(({ naturalWidth }) => naturalWidth > 0)
  })
  await settled(page)
}
