// System preferences for forced colours and reduced motion, on screens of the seeded blog.
import type { Locator, Page } from '@playwright/test'
import { expect, type Visitor } from '#test/support/browser-blog.ts'
import { test } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'

const FORCED = [
  'login',
  'feed',
  'post',
  'post-owner-edit',
  'post-form',
  'post-form-errors',
  'dashboard',
  'settings',
  'account-menu',
  'theme-menu',
]
const MOVING = [
  'feed-loading',
  'post-loading',
  'guard',
  'feed',
  'post',
  'account-menu',
  'post-owner-delete',
]
const CONTRAST_MIN = 3

type Seeded = {
  cookiesOf(key: 'tobias'): Parameters<Visitor['context']['addCookies']>[0]
  postPath(title: string): string
}

async function openState(name: string, { page, context }: Visitor, seeded: Seeded): Promise<void> {
  const state = SCREEN_STATES.find((candidate) => candidate.name === name)
  if (!state) throw new Error(`There is no screen ${name}`)
  if (state.viewer) await context.addCookies(seeded.cookiesOf(state.viewer as 'tobias'))
  await state.open({ page, postPath: seeded.postPath })
}

test('with forced colours, edges, icons and focus outlines are visible in dark and light', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  for (const name of FORCED) {
    const visitor = await visit({ forcedColors: 'active', reducedMotion: 'reduce' })
    await openState(name, visitor, seeded)
    const { page } = visitor
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      const label = `${name}, ${colorScheme}`
      expect(await findWithoutEdge(page), `${label}: controls without an edge`).toEqual([])
      expect(await findHiddenIcons(page), `${label}: icons that cannot be seen`).toEqual([])
      expect(await findWithoutOutline(page), `${label}: no ring when focused`).toEqual([])
    }
    await visitor.context.close()
  }
})

test('with forced colours, selected, pressed and current elements differ by more than colour', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  const visitor = await visit({ forcedColors: 'active', reducedMotion: 'reduce' })
  const { page } = visitor
  await openState('post', visitor, seeded)
  const heart = page.getByRole('button', { name: /^Like this post/ })
  const styleOf = (element: Locator): Promise<string> =>
    element.evaluate((one) => {
      const { borderTopColor, borderTopWidth } = getComputedStyle(one)
      return `${borderTopWidth} ${borderTopColor} ${getComputedStyle(one.querySelector('svg') ?? one).fill}`
    })
  await heart.hover() // as after a click; this also loads the app
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  const initialStyle = await styleOf(heart)
  const wasPressed = await heart.getAttribute('aria-pressed')
  await heart.click()
  await expect(heart).not.toHaveAttribute('aria-pressed', wasPressed ?? '')
  await expect.poll(() => styleOf(heart)).not.toBe(initialStyle)
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', wasPressed ?? '')
  await expect.poll(() => styleOf(heart)).toBe(initialStyle)

  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await page.goto('/dashboard')
  await expect(links.last()).toHaveAttribute('aria-current', 'page')
  expect(await styleOf(links.last())).not.toBe(await styleOf(links.first()))
  const chips = page.locator('.chip')
  await expect(chips.first()).toBeVisible()
  for (const chip of await chips.all())
    expect(Number.parseFloat(await styleOf(chip))).toBeGreaterThanOrEqual(1)
  const themes = page.getByRole('group', { name: 'Theme' }).locator('label')
  const chosen = themes.filter({ has: page.locator('input:checked') })
  expect(await styleOf(chosen)).not.toBe(
    await styleOf(themes.filter({ hasNot: page.locator('input:checked') }).first()),
  )
})

test('with reduced motion nothing moves or fades, but waiting remains visible', {
  tag: '@more',
}, async ({ visit, seeded }) => {
  for (const name of MOVING) {
    const visitor = await visit({ reducedMotion: 'reduce' })
    await openState(name, visitor, seeded)
    expect(await findMotion(visitor.page), name).toEqual([])
    await visitor.context.close()
  }
  const reduced = await visit({ reducedMotion: 'reduce' })
  await openState('guard', reduced, seeded)
  expect(await spinnerAnimation(reduced.page)).toEqual({
    name: 'pulse',
    seconds: 1.6,
    count: 'infinite',
  })
  const animated = await visit({ reducedMotion: 'no-preference' })
  await openState('guard', animated, seeded)
  expect(await spinnerAnimation(animated.page)).toEqual({
    name: 'spin',
    seconds: 0.9,
    count: 'infinite',
  })
  expect((await findMotion(animated.page)).length).toBeGreaterThan(0)
})

async function spinnerAnimation(
  page: Page,
): Promise<{ name: string; seconds: number; count: string }> {
  return await page.locator('.spinner').evaluate((one) => {
    const { animationName, animationDuration, animationIterationCount } = getComputedStyle(one)
    return {
      name: animationName,
      seconds: Number.parseFloat(animationDuration),
      count: animationIterationCount,
    }
  })
}

/** Transitions and animations longer than 10 ms, except the slow pulse of a spinner. */
async function findMotion(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const seconds = (list: string): number =>
      Math.max(
        ...list
          .split(',')
          .map((time) => Number.parseFloat(time) * (time.trim().endsWith('ms') ? 0.001 : 1)),
      )
    const moving: string[] = []
    for (const element of document.querySelectorAll('body *')) {
      for (const part of ['', '::before', '::after']) {
        const style = getComputedStyle(element, part)
        const isSlow =
          style.transitionProperty !== 'none' && seconds(style.transitionDuration) > 0.01
        const isMoving =
          style.animationName !== 'none' &&
          seconds(style.animationDuration) > 0.01 &&
          style.animationName !== 'pulse'
        if ((isSlow || isMoving) && style.content !== 'none')
          moving.push(
            `${part} ${style.transitionProperty} ${style.animationName}: ${element.outerHTML.slice(0, 80)}`,
          )
      }
    }
    return moving
  })
}

const CONTROLS =
  'button, a.btn, input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), textarea, select, .drop-zone, .segmented'

/**
 * Controls without a visible edge. Underlined text needs none, nor do items of menus and of the
 * editor's rows, which have an edge around them.
 */
async function findWithoutEdge(page: Page): Promise<string[]> {
  return await page.locator(CONTROLS).evaluateAll((all) =>
    all
      .filter(
        (one) =>
          one.checkVisibility({ visibilityProperty: true }) &&
          one.getClientRects().length > 0 &&
          one.clientWidth > 1,
      )
      .filter((one) => !one.closest('[role=menu], .tox, .honeypot'))
      .filter((one) => {
        const {
          borderBottomWidth,
          borderBottomStyle,
          borderBottomColor,
          backgroundColor,
          textDecorationLine,
        } = getComputedStyle(one)
        const hasEdge =
          Number.parseFloat(borderBottomWidth) >= 1 &&
          borderBottomStyle !== 'none' &&
          borderBottomColor !== backgroundColor
        return !hasEdge && textDecorationLine !== 'underline'
      })
      .map((one) => one.outerHTML.slice(0, 160)),
  )
}

/** Icons whose colour hardly differs from their background. */
async function findHiddenIcons(page: Page): Promise<string[]> {
  return await page
    .locator('svg.icon, svg.brand-mark, .tox-icon svg')
    .evaluateAll((icons, contrastMin) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      function light(color: string, under = ''): number {
        if (!canvas) throw new Error('No canvas here')
        for (const fill of [under, color].filter(Boolean)) {
          canvas.fillStyle = fill
          canvas.fillRect(0, 0, 1, 1)
        }
        const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(
          (part) => {
            const share = part / 255
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
          },
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const backgroundOf = (element: Element | null): string => {
        for (let ancestor = element; ancestor; ancestor = ancestor.parentElement) {
          const { backgroundColor } = getComputedStyle(ancestor)
          if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor
        }
        return 'Canvas'
      }
      return icons
        .filter(
          (icon) =>
            icon.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
            icon.getClientRects().length > 0,
        )
        .filter((icon) => !icon.closest('[aria-disabled=true], :disabled'))
        .filter((icon) => {
          const background = backgroundOf(icon.parentElement)
          return ![...icon.querySelectorAll('path, rect, circle, line, polyline')].some((part) => {
            const { stroke, fill } = getComputedStyle(part)
            return [stroke, fill]
              .filter((color) => color !== 'none')
              .some((color) => {
                const colorLight = light(color, background)
                const backgroundLight = light(background)
                return (
                  (Math.max(colorLight, backgroundLight) + 0.05) /
                    (Math.min(colorLight, backgroundLight) + 0.05) >=
                  contrastMin
                )
              })
          })
        })
        .map((icon) => `${icon.parentElement?.outerHTML.slice(0, 160)}`)
    }, CONTRAST_MIN)
}

/**
 * Moves through the page by Tab. @returns the focused elements without an outline on themselves or
 * on the box around them
 */
async function findWithoutOutline(page: Page): Promise<string[]> {
  const withoutOutline: string[] = []
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    const html = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body || focused instanceof HTMLIFrameElement) return ''
      const boxes = [focused, focused.closest('.card, .drop-zone, label, .tox-hugerte')].filter(
        (one) => one !== null,
      )
      const hasOutline = boxes.some((one) =>
        ['', '::after'].some((part) => {
          const { outlineStyle, outlineWidth, outlineColor, backgroundColor } = getComputedStyle(
            one,
            part,
          )
          return (
            outlineStyle !== 'none' &&
            Number.parseFloat(outlineWidth) >= 2 &&
            outlineColor !== backgroundColor
          )
        }),
      )
      return hasOutline ? '' : focused.outerHTML.slice(0, 160)
    })
    if (html !== '') withoutOutline.push(html)
  }
  return [...new Set(withoutOutline)]
}
