// The site of an export, opened from a disk: without a server, another site or the app.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { findBrokenLinks, listSiteFiles, makeExportFolder } from '#test/support/exported-site.ts'
import { makeDataDir } from '#test/support/process.ts'
import { runScript } from '#test/support/run-script.ts'

const LOOKS = [
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
]

const test = base.extend<object, { site: string }>({
  site: [
    async ({ browserName: _browserName }, use) => {
      await using data = await makeDataDir()
      await using folder = await makeExportFolder()
      const env = { BLOG_DATA_DIR: data.path }
      expect((await runScript('seed.ts', [], env)).code).toBe(0)
      const exported = await runScript('export.ts', [folder.path, '--site'], env)
      expect([exported.code, exported.err]).toEqual([0, ''])
      await use(join(folder.path, 'site'))
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/** Collects what a page must not do. */
function watchFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('console', (message) => faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) faults.push(request.url())
  })
  return faults
}

function urlOf(site: string, file: string): string {
  return pathToFileURL(join(site, file)).href
}

test('each page of the site passes axe, and asks for nothing @more', async ({ site, page }) => {
  const faults = watchFaults(page)
  expect(await findBrokenLinks(site)).toEqual([])
  const pages = (await listSiteFiles(site)).filter((file) => file.endsWith('.html'))
  expect(pages.length).toBeGreaterThan(60)
  for (const [index, { theme, width }] of LOOKS.entries()) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(urlOf(site, 'index.html'))
    await page.evaluate((value) => localStorage.setItem('theme', value), theme)
    for (const file of pages.filter((_file, at) => at % LOOKS.length === index)) {
      await page.goto(urlOf(site, file))
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      const overflow = () => document.documentElement.scrollWidth - innerWidth
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      expect([file, await axeFindings(page)]).toEqual([file, []])
      // Axe itself asks for the style sheets, which a page on a disk may not do.
      const own = faults.filter((text) => !/XMLHttpRequest|preload assets|ERR_FAILED/.test(text))
      expect([file, own]).toEqual([file, []])
    }
  }
})

test('the site is searched, turned over and read without a server @more', async ({
  site,
  page,
}) => {
  const faults = watchFaults(page)
  await page.goto(urlOf(site, 'index.html'))
  await page.getByRole('link', { name: 'Older posts' }).click()
  await page.getByRole('link', { name: 'Cloud diary, one week' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cloud diary, one week' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search posts' }).fill('NIGHT')
  await page.keyboard.press('Enter')
  await expect(page.getByText('8 posts for “NIGHT”, titles first')).toBeVisible()
  const results = page.locator('.found-list > li')
  await expect(results.first()).toContainText('Eleven nights')
  await page.getByRole('main').getByRole('searchbox').fill('the')
  await page.keyboard.press('Enter')
  await expect(results).toHaveCount(10)
  await page.getByRole('link', { name: 'More results' }).click()
  await expect(page.getByRole('link', { name: 'Previous results' })).toBeVisible()
  await page.getByRole('main').getByRole('searchbox').fill('nowhere')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found for “nowhere”')).toBeVisible()
  expect(faults).toEqual([])
})

test('the theme and the bottom bar of the site are chosen for all its pages @more', async ({
  site,
  page,
}) => {
  await page.goto(urlOf(site, 'index.html'))
  await page.getByRole('button', { name: 'Theme' }).click()
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()
  await page.getByRole('button', { name: 'Bottom bar' }).click()
  await page.goto(urlOf(site, 'archive.html'))
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('data-bar', 'hidden')
  await page.getByRole('radio', { name: 'System' }).check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system')
})
