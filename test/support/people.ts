// Actions of a person in the browser, which finds controls by role, label and text.
import { expect, type Page } from '@playwright/test'
import type { ImageFile } from './clients.ts'

export type Newcomer = { name: string; email: string; password: string }

/** An address nobody else in this run has. */
export function makeNewcomer(name: string): Newcomer {
  return {
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}.${Date.now()}@example.test`,
    password: `${name} reads by lamplight`,
  }
}

/** Waits until the app is hydrated: before that a link loads a whole new page. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => !('endEarlyInput' in window))
}

/** Starts the app on a page that loads it at the first interaction, such as a key. */
export async function startApp(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await untilHydrated(page)
}

/** Presses a shortcut of two letters at once, because the pair has a time limit. */
export async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)])
}

/** Signs up by the form, which signs in at once, and waits for the dashboard. */
export async function signUp(page: Page, person: Newcomer): Promise<void> {
  await page.goto('/signup')
  await fillSignUp(page, person)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${person.name}`)
}

/** Signs up by the open form; the page after it depends on the page before. */
export async function fillSignUp(page: Page, { name, email, password }: Newcomer): Promise<void> {
  await expect(
    page.getByRole('heading', { level: 1, name: 'Sign up for an account' }),
  ).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
}

export async function signIn(page: Page, { name, email, password }: Newcomer): Promise<void> {
  await page.goto('/login')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Sign in to your account' }),
  ).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${name}`)
}

/** The editable page inside the editor. */
export function editorBody(page: Page) {
  return page.frameLocator('iframe').locator('body[contenteditable="true"]')
}

/** Converts an image to the payload of a file field. */
export function toUpload({ name, type, bytes }: ImageFile): {
  name: string
  mimeType: string
  buffer: Buffer
} {
  return { name, mimeType: type, buffer: bytes }
}

/** The width of the image as the browser decoded it; 0 when it could not. */
export async function drawnWidth(selector: ReturnType<Page['locator']>): Promise<number> {
  await expect(selector).toBeVisible()
  // In one step: a page that renders again may replace the element.
  return await selector.evaluate(async (image: HTMLImageElement) => {
    image.scrollIntoView({ block: 'nearest' })
    await image.decode()
    return image.naturalWidth
  })
}
