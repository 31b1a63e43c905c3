// Opens the sign-in methods of the settings in the states of states.ts. No account in the seed uses
// Google, so the identity is faked.
import type { Page } from '@playwright/test'
import { answer, navigateTo, type Stage, settled } from './stage.ts'

const IDENTITY = {
  $id: 'google',
  $createdAt: '2024-03-03T10:00:00.000+00:00',
  $updatedAt: '2025-11-18T10:00:00.000+00:00',
  userId: 'tobias',
  provider: 'google',
  providerUid: 'g-tobias',
  providerEmail: 'tobias.quill@gmail.example',
}

async function linkGoogle(page: Page): Promise<void> {
  const identities = { total: 1, identities: [IDENTITY] }
  await page.route('**/v1/account/identities', answer(200, identities))
  await page.route('**/v1/account/sessions', async (route) => {
    const response = await route.fetch()
    const { sessions } = await response.json()
    const sessionData = { provider: 'google', providerUid: IDENTITY.providerUid, current: false }
    const others = ['one', 'two'].map(($id) => ({ ...sessions[0], ...sessionData, $id }))
    await route.fulfill({ response, json: { sessions: [...sessions, ...others] } })
  })
}

async function showSignInMethods(page: Page): Promise<void> {
  await navigateTo(page, '/settings/sign-in')
  const section = page.getByRole('region', { name: 'Sign-in methods' })
  await section.getByRole('listitem').last().waitFor()
  await section.evaluate((section) => section.scrollIntoView({ block: 'center' }))
  await settled(page)
}

export async function openSignInMethodRemoval({ page }: Stage): Promise<void> {
  await linkGoogle(page)
  await showSignInMethods(page)
  await page.getByRole('button', { name: 'Remove Google as a sign-in method' }).click()
  await page.getByRole('alertdialog', { name: 'Remove Google?' }).waitFor()
}

/** The account has no password. */
export async function openOnlySignInMethod({ page }: Stage): Promise<void> {
  await page.route('**/v1/account', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), passwordUpdate: '' } })
  })
  await linkGoogle(page)
  await showSignInMethods(page)
  await page.getByText('This is your only way in. Set a password first.').waitFor()
}
