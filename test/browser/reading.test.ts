// Reading one post with every element that a text may have: its type and width, on every screen
// width, accessible and in print.
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { ELEMENTS_SHOWN, everyElement } from '#test/support/every-element.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writePost } from '#test/support/write-post.ts'

const TITLE = 'Everything that a text may have'
const MEASURE_PIXELS = 680
const ADDRESS =
  'https://example.org/a/long/address/that/goes/on/and/on/without/any/place/to/break?query=1'
const BLACK = 'rgb(0, 0, 0)'
const prose = (page: Page): Locator => page.locator('.prose')

let path = ''

/** Opens the post that all tests of this file share; the first test writes it. */
async function openPost({ page, context }: Visitor): Promise<void> {
  if (path === '') {
    await signUp(page, makeNewcomer('Rita Reader'))
    path = `/post/${await writePost(context.request, { title: TITLE, content: everyElement })}`
    await context.clearCookies()
  }
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE)
  // The text appears before its style sheet has loaded.
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')).every(
      ({ sheet }) => sheet,
    ),
  )
}

test('the server preserves every allowed element, and the page shows it', { tag: '@more' }, async ({
  visit,
}) => {
  const visitor = await visit()
  await openPost(visitor)
  const shownNames = await prose(visitor.page).evaluate((box) => [
    ...new Set([...box.querySelectorAll('*')].map(({ localName }) => localName)),
  ])
  expect(ELEMENTS_SHOWN.filter((name) => !shownNames.includes(name))).toEqual([])
})

test('the text has the width and type of the design, and nothing overflows it', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  const { page } = visitor
  await openPost(visitor)
  expect((await prose(page).boundingBox())?.width).toBe(MEASURE_PIXELS)
  const textStyle = await styleOf(prose(page))
  expect(textStyle.font).toMatch(/^"Literata Variable"/)
  expect(textStyle.size).toBeGreaterThanOrEqual(18)
  expect(textStyle.size).toBeLessThanOrEqual(20)
  expect(textStyle.line / textStyle.size).toBeCloseTo(1.7, 2)
  expect((await styleOf(prose(page).locator('p').first())).size / textStyle.size).toBeCloseTo(
    1.12,
    2,
  )
  const ranks = await Promise.all(
    ['h2', 'h3', 'h4', 'h5', 'h6'].map((rank) => styleOf(prose(page).locator(`> ${rank}`))),
  )
  expect(ranks.map(({ size }) => size)).toEqual(
    ranks.map(({ size }) => size).toSorted((a, b) => b - a),
  )
  // At no width does a heading look like one of the rank above.
  expect(new Set(ranks.slice(0, 4).map(({ font, size }) => `${font} ${size}`)).size).toBe(4)
  expect(ranks.map(({ weight }) => weight)).toEqual(['600', '600', '600', '600', '600'])
  expect(ranks[0]?.size).toBeGreaterThanOrEqual(24)
  expect((await styleOf(prose(page).locator('pre code').first())).font).toContain('monospace')
  expect((await styleOf(prose(page).locator('blockquote').first())).style).toBe('italic')
  const caption = await styleOf(prose(page).locator('figcaption').first())
  expect(caption.size).toBe(14)
  for (const width of [1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await findOverflowing(prose(page)), `${width} px`).toEqual([])
    expect(await overflow(page), `${width} px`).toEqual([])
  }
})

test('content that is too wide scrolls inside its box, also by keyboard', { tag: '@more' }, async ({
  visit,
}) => {
  const visitor = await visit({ viewport: { width: 390, height: 844 } })
  const { page } = visitor
  await openPost(visitor)
  for (const scrollable of [
    prose(page).getByRole('group', { name: 'Table' }).first(),
    prose(page).locator('pre').first(),
  ]) {
    await scrollable.scrollIntoViewIfNeeded()
    await scrollable.focus()
    await expect(scrollable).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => scrollable.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
  }
})

test('an image reserves its space before it loads: beside the text if there is room, otherwise on its own', {
  tag: '@more',
}, async ({ visit }) => {
  const visitor = await visit()
  const { page } = visitor
  // No image ever loads.
  await page.route(/\/files\/\w+\/(?:view|preview)\?/, () => new Promise(() => {}))
  await openPost(visitor)
  const left = prose(page).locator('img.align-left')
  const size = async (): Promise<number[]> => {
    const { width = 0, height = 0 } = (await left.boundingBox()) ?? {}
    return [Math.round(width), Math.round(height)]
  }
  expect(await size()).toEqual([
    MEASURE_PIXELS / 2,
    Math.round((MEASURE_PIXELS / 2) * (675 / 1200)),
  ])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await size()).toEqual([358, Math.round(358 * (675 / 1200))])
  const figure = prose(page).locator('figure:has(img)').first()
  const image = await figure.locator('img').boundingBox()
  const caption = await figure.locator('figcaption').boundingBox()
  expect(image?.height).toBeGreaterThan(0)
  expect((image?.y ?? 0) + (image?.height ?? 0)).toBeLessThanOrEqual(caption?.y ?? 0)
})

test('axe reports no violations in either theme at either size, with text twice as large or the page zoomed to 200 %', {
  tag: '@more',
}, async ({ visit }) => {
  test.slow()
  for (const size of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const visitor = await visit({ viewport: size, reducedMotion: 'reduce' })
    const { page } = visitor
    await openPost(visitor)
    for (const theme of ['dark', 'light'] as const) {
      await showTheme(page, theme)
      expect(await axeFindings(page), `${theme}, ${size.width} px`).toEqual([])
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await overflow(page), `text twice as large, ${size.width} px`).toEqual([])
    expect(await findOverflowing(prose(page)), `text twice as large, ${size.width} px`).toEqual([])
    await page.evaluate(() => document.documentElement.removeAttribute('style'))
    await page.setViewportSize({ width: Math.max(320, size.width / 2), height: size.height / 2 })
    expect(await overflow(page), `the page zoomed to 200 %, ${size.width} px`).toEqual([])
  }
})

test('print shows only the post, black on white, with the addresses of its links', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await openPost(author)
  for (const theme of ['dark', 'light'] as const) {
    const { page } = author
    await showTheme(page, theme)
    await page.emulateMedia({ media: 'print' })
    for (const part of [
      page.getByRole('banner'),
      page.getByRole('contentinfo'),
      page.getByRole('navigation', { name: 'Main' }),
    ]) {
      await expect(part).toBeHidden()
    }
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'All posts' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Download image' })).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.featured-image img')).toBeVisible()
    expect(await findColoured(page.getByRole('article')), theme).toEqual([])
    const link = prose(page).getByRole('link', { name: 'a link' })
    expect(await link.evaluate((anchor) => getComputedStyle(anchor, '::after').content)).toBe(
      `" (${ADDRESS})"`,
    )
    await page.emulateMedia({ media: 'screen' })
    await expect(page.getByRole('banner')).toBeVisible()
  }
})

test('menus and dialogs open over a post are not printed', { tag: '@more' }, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Otto Owner'))
  const slug = await writePost(author.context.request, { title: 'My own', content: '<p>Text</p>' })
  const { page } = author
  await page.goto(`/post/${slug}`)
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByText('Text', { exact: true })).toBeVisible()
})

type Style = { font: string; size: number; line: number; weight: string; style: string }

async function styleOf(element: Locator): Promise<Style> {
  return await element.evaluate((node) => {
    const { fontFamily, fontSize, lineHeight, fontWeight, fontStyle } = getComputedStyle(node)
    return {
      font: fontFamily,
      size: Number.parseFloat(fontSize),
      line: Number.parseFloat(lineHeight),
      weight: fontWeight,
      style: fontStyle,
    }
  })
}

/** Elements that overflow the box and are not inside a scrollable element. */
async function findOverflowing(box: Locator): Promise<string[]> {
  return await box.evaluate((container) => {
    const { left, right } = container.getBoundingClientRect()
    // Links to headings stand in the margin.
    return [...container.querySelectorAll('*:not(.heading-link)')]
      .filter((element) => !element.parentElement?.closest('.scroll-x, pre'))
      .filter((element) => {
        const bounds = element.getBoundingClientRect()
        return bounds.right > right + 1 || bounds.left < left - 1
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })
}

/**
 * Visible text that is not black, and backgrounds that are not white, except colours that the
 * author chose.
 */
async function findColoured(article: Locator): Promise<string[]> {
  return await article.evaluate((root, black) => {
    const isShown = (element: Element): boolean =>
      element.checkVisibility() && element.getClientRects().length > 0
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
      )
    return [...root.querySelectorAll<HTMLElement>(':not(img, picture, source, video, audio)')]
      .filter(
        (element) =>
          isShown(element) && !element.closest('[style*="--"], .featured-image, mark, .avatar'),
      )
      .filter((element) => {
        const { color, backgroundColor } = getComputedStyle(element)
        const hasBackground = !/^(?:rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\))$/.test(backgroundColor)
        return hasBackground || (hasText(element) && color !== black)
      })
      .map(
        (element) =>
          `${getComputedStyle(element).color} on ${getComputedStyle(element).backgroundColor}: ${element.outerHTML.slice(0, 80)}`,
      )
  }, BLACK)
}
