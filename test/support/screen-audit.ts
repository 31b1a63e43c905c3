// Looks over screens in all their states on the blog that `npm run seed` fills: both themes, both
// sizes, axe, console, requests, overflow; and with their texts translated by the browser.
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

/** A blog per worker, with the seed in it. */
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
 * The seed is made once for all workers of a run: Playwright empties its output folder before. Two
 * workers that begin at once make one each, and the second is thrown away.
 */
async function copySeed(seedDir: string, dataDir: string): Promise<void> {
  if (!existsSync(seedDir)) {
    const madeDir = `${seedDir}-${process.pid}`
    await fillWithSeed({ ...process.env, BLOG_DATA_DIR: madeDir })
    await rename(madeDir, seedDir).catch(() => rm(madeDir, { recursive: true }))
  }
  await cp(seedDir, dataDir, { recursive: true })
}

/** The home page holds the app back, which goes on to the posts at once. */
const WITHOUT_APP = 'home'

/**
 * A test for each state and size; in the first size the page of every second state, which share
 * their parts with the others, is translated at the end.
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

/** The words of the bright buttons; of a dialog that lies over the page, those in it. */
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
  expect(await page.locator('h1').count(), `${state.name}: headings of the first rank`).toBe(1)
  expect(
    (await findPrimaryButtons(page)).slice(1),
    `${state.name}: bright buttons beside one`,
  ).toEqual([])

  // Structure is the same in both themes; colours are not.
  await showTheme(page, 'dark')
  expect(await axeFindings(page), `${state.name}, ${size}, dark`).toEqual([])
  await showTheme(page, 'light')
  expect(
    await axeFindings(page, ['color-contrast', 'link-in-text-block']),
    `${state.name}, ${size}, light`,
  ).toEqual([])

  expect(await overflow(page), `${state.name}, ${size}: what sticks out sideways`).toEqual([])
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  expect(
    await overflow(page),
    `${state.name}, ${size}, text twice as large: what sticks out sideways`,
  ).toEqual([])
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  // A page seen twice as near has half the width.
  const width = size === 'wide' ? SIZES.wide.width / 2 : SMALLEST_WIDTH
  await page.setViewportSize({ width, height: 640 })
  expect(await overflow(page), `${state.name}, ${width} px: what sticks out sideways`).toEqual([])
}

/** No press and no change of the connection ends on the error screen. */
async function pressTranslated(visitor: Visitor, size: Size): Promise<void> {
  const { page, context, expectFault, expectNoFaults } = visitor
  expectNoFaults()
  // From here on only an exception counts.
  expectFault(/^(console|answer)/)
  await page.setViewportSize(SIZES[size])
  await startApp(page)
  expect(await findBareTexts(page), 'texts beside other content').toEqual([])
  await translate(page)
  // The blog stays as it is: what is sent gets no answer.
  await page.route('**/v1/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  )
  await context.setOffline(true)
  await context.setOffline(false)
  await pressAllControls(page)
  await expect(page.locator('body')).not.toContainText('Unexpected Application Error!')
  expect(await findBareTexts(page), 'texts beside other content, later').toEqual([])
}
