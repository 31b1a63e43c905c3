// The rules of `web/editor/paste-cleaning.ts` in an empty page of a real browser: they need a
// document, but neither editor nor server.
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { transformWithOxc } from 'vite'
import { makeSanitise } from '#backend/posts/sanitise.ts'
import { PASTED } from '#test/support/pasted.ts'

declare global {
  interface Window {
    cleanPaste(html: string): string
  }
}

const SITE = 'https://blog.example'
const PAGE =
  '<!doctype html><title>empty</title><script type="module">import { cleanPaste } from "/paste-cleaning.ts"; window.cleanPaste = cleanPaste</script>'
const sanitise = makeSanitise({
  publicUrl: SITE,
  allowedOrigins: [SITE],
  contentBucketId: 'content',
})

test('what programs lay on the clipboard becomes what the editor makes, the server keeps it, and nothing is asked of others', {
  tag: '@more',
}, async ({ page }) => {
  const others = await openEmptyPage(page)
  for (const [from, html, expected] of PASTED) {
    const clean = await page.evaluate((text) => window.cleanPaste(text), html)
    expect.soft(clean, from).toBe(expected)
    expect
      .soft(await page.evaluate((text) => window.cleanPaste(text), clean), `${from}, cleaned again`)
      .toBe(clean)
    expect
      .soft(await written(page, sanitise(clean)), `${from}, saved`)
      .toBe(await written(page, clean))
  }
  expect(others).toEqual([])
})

/** @returns what the browser asks for besides the rules themselves, to be looked at later */
async function openEmptyPage(page: Page): Promise<string[]> {
  const others: string[] = []
  await page.route('**', async (route) => {
    const { pathname, origin } = new URL(route.request().url())
    if (origin !== SITE || !/^\/(?:[\w-]+\.ts)?$/.test(pathname)) others.push(route.request().url())
    if (pathname === '/') return await route.fulfill({ contentType: 'text/html', body: PAGE })
    const source = await readFile(new URL(`../../web/editor${pathname}`, import.meta.url), 'utf8')
    await route.fulfill({
      contentType: 'text/javascript',
      body: (await transformWithOxc(source, 'rules.ts')).code,
    })
  })
  await page.goto(SITE)
  return others
}

/**
 * The same text as browsers write it, its attributes in one order, without what the server says
 * about links.
 */
function written(page: Page, html: string): Promise<string> {
  return page.evaluate((text) => {
    const { body } = new DOMParser().parseFromString(text, 'text/html')
    for (const element of body.querySelectorAll('*')) {
      const attributes = [...element.attributes]
        .filter(({ name }) => name !== 'rel')
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      for (const { name } of [...element.attributes]) element.removeAttribute(name)
      for (const { name, value } of attributes) element.setAttribute(name, value)
    }
    return body.innerHTML
  }, html)
}
