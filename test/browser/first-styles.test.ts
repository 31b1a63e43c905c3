// The inline styles of a post page (decision 0051): the style sheet that loads with the app changes
// nothing, and on a slow connection fonts load after the image.
import { hash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { everyElement } from '#test/support/every-element.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const SHEET = /\/assets\/main-[^/]*\.css$/
const FONT = /\.woff2$/
const APP = /\/assets\/main-[^/]*\.js$/
const LOOKS = [
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
] as const
/** The connection of a phone with poor reception. */
const SLOW_CONNECTION = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000,
  uploadThroughput: 100_000,
}

declare global {
  interface Window {
    /** Added by this test: all styles of the page, one line for each element. */
    readStyles(): string[]
  }
}

/** Runs in the page before its own scripts. */
function addReadStyles(): void {
  const parts = ['', '::before', '::after', '::marker', '::placeholder']
  window.readStyles = () => {
    for (const animation of document.getAnimations()) animation.cancel()
    const names = [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'))
    return [...document.querySelectorAll('html, body, body *')].flatMap((element) =>
      parts.map((part) => {
        const style = getComputedStyle(element, part)
        const isThere = part === '' || !/^(none|normal)$/.test(style.content)
        const all = isThere ? names.map((name) => `${name}: ${style.getPropertyValue(name)}`) : []
        return `${element.localName}.${element.getAttribute('class') ?? ''}${part} ${all.join('; ')}`
      }),
    )
  }
}

/** Shows all hidden content, except for elements that the app fills. */
function unfoldAll(): void {
  for (const details of document.querySelectorAll('details')) details.open = true
  for (const element of document.querySelectorAll<HTMLElement>('#root [hidden]:not(.menu)'))
    element.hidden = false
  for (const empty of document.querySelectorAll('.menu, .toasts')) empty.remove()
}

/** @returns the styles that the sheet changed; empty when the inline styles are complete */
async function changesOfSheet(page: Page, path: string): Promise<string[]> {
  await page.route(APP, () => {})
  await page.goto(path, { waitUntil: 'load' })
  await page.locator('#page-data').waitFor({ state: 'attached' })
  await page.evaluate(unfoldAll)
  const initialStyles = await page.evaluate(() => window.readStyles())
  expect(await page.evaluate(hasSheet)).toBe(false)
  await page.keyboard.press('Shift')
  await page.waitForFunction(hasSheet)
  const finalStyles = await page.evaluate(() => window.readStyles())
  await page.unroute(APP)
  expect(initialStyles.length).toBeGreaterThan(500)
  expect(finalStyles.length).toBe(initialStyles.length)
  return finalStyles.flatMap((line, index) => {
    const stylesBefore = initialStyles[index]?.split('; ') ?? []
    const styles = line.split('; ')
    const changedStyles = styles.filter((style, position) => style !== stylesBefore[position])
    return changedStyles.length > 0
      ? [`${line.split(' ', 1)}: ${changedStyles.slice(0, 5).join('; ')}`]
      : []
  })
}

function hasSheet(): boolean {
  return [...document.styleSheets].some(({ href }) => href?.endsWith('.css'))
}

test('the style sheet that loads with the app changes nothing on a post page', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Frida Farbe'))
  const { request } = author.context
  const short = await writePost(request, { title: 'A short one', content: '<p>Words.</p>' })
  const full = await writePost(request, { title: 'Everything', content: everyElement })
  for (const { theme, width } of LOOKS) {
    const reader = await visit({ reducedMotion: 'reduce', viewport: { width, height: 850 } })
    reader.expectFault(/ERR_FAILED|preloaded/)
    const { page } = reader
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    await page.addInitScript(addReadStyles)
    // Only fallback fonts are compared: widths of letters do not depend on the style sheet.
    await page.route(FONT, (route) => route.abort())
    for (const path of [`/post/${full}`, `/post/${short}`])
      expect(await changesOfSheet(page, path), `${path}, ${theme}, ${width} px`).toEqual([])
  }
})

test('on a slow connection fonts load after the image on the first page, and at once on the next', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Lasse Langsam'))
  const slug = await writePost(author.context.request, { title: 'Slow', content: '<p>Words.</p>' })
  const { page } = await visit()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_CONNECTION)
  const load = async (): Promise<{
    font: number
    imageEnd: number
    loaded: number
  }> => {
    await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
    return page.evaluate(() => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const find = (part: string) => all.find(({ name }) => name.includes(part))
      const [{ loadEventStart: loaded }] = performance.getEntriesByType('navigation') as [
        PerformanceNavigationTiming,
      ]
      const image = document.querySelector<HTMLImageElement>('.featured-image img')
      return {
        font: find('.woff2')?.startTime ?? Number.NaN,
        imageEnd: find(image?.currentSrc ?? '?')?.responseEnd ?? Number.NaN,
        loaded,
      }
    })
  }
  const first = await load()
  expect(first.font).toBeGreaterThanOrEqual(first.loaded)
  expect(first.imageEnd).toBeLessThanOrEqual(first.loaded)
  const second = await load()
  expect(second.font).toBeLessThan(second.loaded)
})

test('the app starts once its style sheet has loaded or failed', { tag: '@more' }, async ({
  visit,
}) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Ute Ungeduld'))
  const slug = await writePost(author.context.request, { title: 'Early', content: '<p>Words.</p>' })
  const { page } = await visit()
  const release = await holdRequests(page, SHEET)
  await page.goto(`/post/${slug}`, { waitUntil: 'commit' })
  const app = page.waitForResponse(APP)
  const theme = page.getByRole('button', { name: 'Theme' })
  await theme.dispatchEvent('click')
  await app
  expect(await page.evaluate(() => 'endEarlyInput' in window), 'the app waits').toBe(true)
  release()
  await theme.click()
  await expect(theme).toHaveAttribute('aria-expanded', 'true')

  const failing = await visit()
  failing.expectFault(/ERR_FAILED/)
  await failing.page.route(SHEET, (route) => route.abort())
  await failing.page.goto(`/post/${slug}`)
  const other = failing.page.getByRole('button', { name: 'Theme' })
  await other.click()
  await expect(other).toHaveAttribute('aria-expanded', 'true')
})

test('without scripts the style sheets are ordinary links, and pages of signed-in people have no inline styles', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Ohne Skript'))
  const slug = await writePost(author.context.request, { title: 'Plain', content: '<p>Words.</p>' })
  const { page } = await visit({ javaScriptEnabled: false })
  const plain = await page.goto(`/post/${slug}`)
  const [style = ''] = await page.locator('head style').allTextContents()
  expect(plain?.headers()['content-security-policy']).toContain(
    `; style-src 'self' 'sha256-${hash('sha256', style, 'base64')}' `,
  )
  // That of every page, and that of posts.
  await expect(page.locator('head noscript link[rel=stylesheet]')).toHaveCount(2)

  const answer = await author.page.goto(`/post/${slug}`)
  await expect(author.page.locator('head style')).toHaveCount(0)
  // In the HTML of the server: the app adds the style sheets of parts that it loads later.
  const sheets = (await answer?.text())?.match(/<link rel="stylesheet"/g)
  expect(sheets).toHaveLength(2)
  expect(answer?.headers()['content-security-policy']).toContain("; style-src 'self'; ")
})
