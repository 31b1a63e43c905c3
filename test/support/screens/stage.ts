// Helpers for opening screens in a state: visiting pages, and faking responses of the server.
import type { Locator, Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { readPicture } from '#scripts/seed/read-posts.ts'

export type Stage = {
  page: Page
  /** The address of the post with this title. */
  postPath(title: string): string
}

export const CLOCK = 'A clock that is wrong on purpose'

export const LISTS = /\/documents\?/

export const ONE_DOCUMENT = /\/documents\/\w+(\?|$)/

export const FAILED_REQUEST = /status of (?:4\d\d|5\d\d)|ERR_INTERNET_DISCONNECTED|answer 5\d\d/

export const LINK = '?userId=u&secret=s'

export const neverAnswer = (): Promise<void> => new Promise(() => {})

export const answer = (status: number, body: object) => (route: Route) =>
  route.fulfill({ status, json: body, headers: { 'x-request-id': '660b898c24b88c839a13' } })

export const refuse = (status: number) =>
  answer(status, { message: 'Refused.', code: status, type: 'general_unknown', version: '1' })

/** Opens a page and waits for its heading. */
export async function visit(page: Page, path: string, title?: string): Promise<void> {
  await page.goto(path)
  const heading = page.getByRole('heading', { level: 1, ...(title ? { name: title } : {}) })
  await heading.first().waitFor()
  await settled(page)
}

/**
 * Navigates within the app, so that the browser requests the data of the page: a page that is
 * opened directly comes from the server with all its data.
 */
export async function navigateTo(page: Page, path: string): Promise<void> {
  await page.goto('/dispatch')
  await page.waitForURL('**/dashboard')
  if (path === '/dashboard') return
  await page.evaluate((path) => {
    window.history.pushState(null, '', path)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Waits until fonts and all visible images have loaded or failed. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await document.fonts.ready
    const isOnScreen = ({ top, bottom }: DOMRect): boolean => bottom > 0 && top < innerHeight
    const images = [...document.images].filter((image) => isOnScreen(image.getBoundingClientRect()))
    if (!images.every(({ complete }) => complete)) return false
    await Promise.allSettled(images.map((image) => image.decode()))
    return true
  })
}

/** @returns the body of the editor, once its style sheets have loaded */
export async function editorText(page: Page): Promise<Locator> {
  const body = page.frameLocator('iframe').locator('body[contenteditable="true"]')
  await body.evaluate(async ({ ownerDocument }) => {
    const sheets = ownerDocument.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
    const missing = [...sheets].filter(({ sheet }) => !sheet)
    await Promise.all(
      missing.map((link) => new Promise((resolve) => link.addEventListener('load', resolve))),
    )
  })
  return body
}

export async function openFeed(page: Page): Promise<void> {
  await visit(page, '/post', 'All posts')
  await page.getByRole('link', { name: CLOCK }).waitFor()
  // Before hydration a link would load a page from the server.
  await page.waitForFunction(() => !('endEarlyInput' in window))
  await settled(page)
}

/** A picture, as a person would choose it. */
export async function imageFile(
  name: string,
  { width, height }: { width: number; height: number },
) {
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: await sharp(readPicture('harbour.jpg'))
      .resize(width, height, { fit: 'cover' })
      .jpeg()
      .toBuffer(),
  }
}
