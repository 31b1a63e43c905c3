// Audits screens in all their states on the blog that `npm run seed` fills: both themes, both
// sizes, axe, console, requests, overflow, and pages translated by the browser.
import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  fillWithSeed,
  type SeededBlog,
  SHOWN_SETTINGS,
  signEverybodyIn,
} from '#test/support/screens/seeded.ts'
import type { ScreenState } from '#test/support/screens/states.ts'
import { axeFindings } from './axe.ts'
import { test as base, expect, type Visitor } from './browser-blog.ts'
import { overflow } from './overflow.ts'
import { startApp } from './people.ts'
import { showTheme } from './show-theme.ts'
import { findBareTexts, pressAllControls, translate } from './translate.ts'

const SIZES = {
  wide: { width: 1280, height: 900 },
  narrow: { width: 390, height: 844 },
} as const
const SEED_FOLDER = 'seeded-blog'
const SMALLEST_WIDTH = 320

type Size = keyof typeof SIZES

/** A seeded blog per worker. */
export const test = base.extend<object, { seeded: SeededBlog }>({
  blogEnv: [SHOWN_SETTINGS, { scope: 'worker' }],
  fillBlog: [
    async ({ browserName: _browserName }, use, { project }) =>
      await use((dataDir) => copySeed(join(project.outputDir, SEED_FOLDER), dataDir)),
    { scope: 'worker' },
  ],
  seeded: [
    async ({ blog }, use) => await use(await signEverybodyIn(blog.url)),
    { scope: 'worker' },
  ],
})

/**
 * The seed is created once for all workers of a run: Playwright empties its output folder first.
 * If two workers create it at once, the second copy is discarded.
 */
async function copySeed(seedDir: string, dataDir: string): Promise<void> {
  if (!existsSync(seedDir)) {
    const madeDir = `${seedDir}-${process.pid}`
    await fillWithSeed({ ...process.env, BLOG_DATA_DIR: madeDir })
    await rename(madeDir, seedDir).catch(() => rm(madeDir, { recursive: true }))
  }
  await cp(seedDir, dataDir, { recursive: true })
}

/** The state whose app never starts: it would redirect to the posts at once. */
const WITHOUT_APP = 'home'

/**
 * Adds a test for each state and size. Every second state is also translated at the end, in its
 * first size: neighbouring states share components.
 */
export function auditScreens(states: readonly ScreenState[]): void {
  for (const [at, state] of states.entries()) {
    for (const size of Object.keys(SIZES) as Size[]) {
      if (state.only && state.only !== size) continue
      const isFirstSize = size === (state.only ?? 'wide')
      const isTranslated = isFirstSize && at % 2 === 0 && state.name !== WITHOUT_APP
      const title = `screen ${state.name}, ${size}: no findings in either theme${
        isTranslated ? ', and no crash when it is translated' : ''
      }`
      test(title, { tag: '@more' }, async ({ visit, seeded }) => {
        const visitor = await visit({ viewport: SIZES[size], reducedMotion: 'reduce' })
        await auditScreen(state, visitor, { size, seeded })
        if (isTranslated) await pressTranslated(visitor, size)
      })
    }
  }
}

/** The labels of primary buttons, of the topmost dialog if one is open. */
async function findPrimaryButtons(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const top = [...document.querySelectorAll(':modal')].at(-1) ?? document
    return [...top.querySelectorAll<HTMLElement>('.btn--primary:not([aria-disabled])')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .map((button) => button.innerText)
  })
}

type AuditOptions = { size: Size; seeded: SeededBlog }

async function auditScreen(
  state: ScreenState,
  { page, context, expectFault }: Visitor,
  { size, seeded }: AuditOptions,
): Promise<void> {
  if (state.faults) expectFault(state.faults)
  if (state.viewer) await context.addCookies(seeded.cookiesOf(state.viewer))
  await state.open({ page, postPath: seeded.postPath })
  await expect(page).toHaveTitle(/\S · Web App$/)
  expect(await page.locator('h1').count(), `${state.name}: headings of level 1`).toBe(1)
  expect(
    (await findPrimaryButtons(page)).slice(1),
    `${state.name}: more than one primary button`,
  ).toEqual([])

  // Structure is the same in both themes; colours are not.
  await showTheme(page, 'dark')
  expect(await axeFindings(page), `${state.name}, ${size}, dark`).toEqual([])
  await showTheme(page, 'light')
  expect(
    await axeFindings(page, ['color-contrast', 'link-in-text-block']),
    `${state.name}, ${size}, light`,
  ).toEqual([])

  expect(await overflow(page), `${state.name}, ${size}: elements that overflow`).toEqual([])
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  expect(
    await overflow(page),
    `${state.name}, ${size}, text twice as large: elements that overflow`,
  ).toEqual([])
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  // Zooming to 200 % halves the width.
  const width = size === 'wide' ? SIZES.wide.width / 2 : SMALLEST_WIDTH
  await page.setViewportSize({ width, height: 640 })
  expect(await overflow(page), `${state.name}, ${width} px: elements that overflow`).toEqual([])
}

/** Expects that no click and no change of the connection leads to the error screen. */
async function pressTranslated(visitor: Visitor, size: Size): Promise<void> {
  const { page, context, expectFault, expectNoFaults } = visitor
  expectNoFaults()
  // From here on only exceptions count as faults.
  expectFault(/^(console|answer)/)
  await page.setViewportSize(SIZES[size])
  await startApp(page)
  expect(await findBareTexts(page), 'texts beside other content').toEqual([])
  await translate(page)
  // The blog must not change: writing requests are aborted.
  await page.route('**/v1/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  )
  await context.setOffline(true)
  await context.setOffline(false)
  await pressAllControls(page)
  await expect(page.locator('body')).not.toContainText('Unexpected Application Error!')
  expect(await findBareTexts(page), 'texts beside other content, later').toEqual([])
}
