// The tools of the writing view inside its text: the bubble for selected words, and the inserter.
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml } from '#test/support/editor-ui.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const HEADERS = { 'X-Appwrite-Project': 'blog' }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const TOUCH_TARGET_PX = 44

const bubble = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selected words' })
const tool = (page: Page, name: string): Locator => bubble(page).getByRole('button', { name })
const options = (page: Page): Locator => page.getByRole('option')
const active = (page: Page): Locator => page.getByRole('option', { selected: true })
const announced = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text })

async function openWritingView(page: Page, name: string): Promise<void> {
  await signUp(page, makeNewcomer(name))
  const data = { prefs: { writingView: 'writing' } }
  const answer = await page.request.patch('/v1/account/prefs', { headers: HEADERS, data })
  expect(answer.ok()).toBe(true)
  await page.goto('/add-post')
  await editorBody(page).click()
  await page.locator('.writing-tools').waitFor({ state: 'attached' })
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (!box) throw new Error('it is not shown')
  return box
}

/** The box of selected words in the window. */
const selectedBox = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector('iframe')?.getBoundingClientRect()
    const words = window.hugerte.activeEditor.selection.getRng().getBoundingClientRect()
    const top = words.top + (frame?.top ?? 0)
    return { left: words.left + (frame?.left ?? 0), top, bottom: top + words.height }
  })

async function expectNoFindings(page: Page): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
  }
}

test('words that the mouse selects get a bubble above them once it is released', async ({
  visit,
}) => {
  const { page } = await visit()
  await openWritingView(page, 'Ada')
  await beginWith(page, '<p>alpha beta gamma</p>', { word: 'beta' })
  const { left, top, bottom } = await selectedBox(page)
  await page.keyboard.press('ArrowLeft')
  await page.mouse.move(left + 1, (top + bottom) / 2)
  await page.mouse.down()
  await page.mouse.move(left + 60, (top + bottom) / 2, { steps: 3 })
  await expect
    .poll(() => page.evaluate(() => window.hugerte.activeEditor.selection.getRng().collapsed))
    .toBe(false)
  await expect(bubble(page)).toBeHidden()
  await page.mouse.up()
  const shown = await boxOf(bubble(page))
  expect(shown.y + shown.height).toBeLessThanOrEqual((await selectedBox(page)).top)
  await expectNoFindings(page)

  await beginWith(page, '<p>alpha beta gamma</p>', { word: 'beta' })
  await tool(page, 'Bold').click()
  await expect(tool(page, 'Bold')).toHaveAttribute('aria-pressed', 'true')
  await tool(page, 'Footnote').click()
  await page.keyboard.type('a note')
  await expect.poll(() => currentHtml(page)).toMatch(/beta<\/strong><sup.*>a note<\/p>/s)

  await beginWith(page, '<pre class="language-js"><code>beta</code></pre>', { word: 'beta' })
  await expect(bubble(page)).toBeHidden()
})

test('keys reach the bubble, use its tools, and put it away with the words still selected', async ({
  visit,
}) => {
  const { page } = await visit()
  await openWritingView(page, 'Kay')
  await page.keyboard.type('alpha beta')
  for (const _letter of 'beta') await page.keyboard.press('Shift+ArrowLeft')
  await expect(bubble(page)).toBeVisible()
  await page.keyboard.press('Alt+F10')
  await expect(tool(page, 'Bold')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(tool(page, 'Italic')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(tool(page, 'Clear formatting')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bubble(page)).toBeHidden()
  await page.keyboard.type('delta')
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha <em><strong>delta</strong></em></p>')
})

test('a slash in an empty line opens the inserter', async ({ visit }) => {
  const { page } = await visit()
  await openWritingView(page, 'Ines')
  await page.keyboard.type('/')
  await expect(active(page)).toContainText('Heading')
  await expect(announced(page, 'Heading, A section of the post, or type ##, 1 of')).toHaveCount(1)
  await expectNoFindings(page)
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toContainText('Picture')

  await page.keyboard.type('xy')
  await expect(page.getByText('Nothing called “xy”. Esc leaves the words.').first()).toBeVisible()
  for (const _letter of 'xy') await page.keyboard.press('Backspace')
  await page.keyboard.type('qu')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.type('said')
  await expect.poll(() => currentHtml(page)).toContain('<blockquote>\n<p>said</p>\n</blockquote>')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect.poll(() => currentHtml(page)).toBe('<p>/qu</p>')
  await expect(options(page)).toHaveCount(0)

  await page.keyboard.type('\n/')
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await page.keyboard.type('etc')
  await expect.poll(() => currentHtml(page)).toBe('<p>/qu</p>\n<p>/etc</p>')

  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Insert a block' }).click()
  await options(page).filter({ hasText: 'Code' }).click()
  await page.getByRole('dialog', { name: 'Code sample' }).getByLabel('Code').fill('run()')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => currentHtml(page)).toContain('<code>run()</code></pre>')
})

test('without a margin the plus is at the end of its line', async ({ visit }) => {
  const width = 700
  const { page } = await visit({ viewport: { width, height: 800 } })
  await openWritingView(page, 'Marge')
  const plus = await boxOf(page.getByRole('button', { name: 'Insert a block' }))
  expect(plus.x).toBeGreaterThan(width / 2)
  expect(plus.x + plus.width).toBeLessThanOrEqual(width)
})

test('on a phone bubble and plus are rows at the lower edge', async ({ visit }) => {
  const { page } = await visit(PHONE)
  await openWritingView(page, 'Mina')
  const plus = page.getByRole('button', { name: 'Insert a block' })
  const shown = await boxOf(plus)
  expect(shown.y).toBeGreaterThan(PHONE.viewport.height - 2 * TOUCH_TARGET_PX)
  await plus.tap()
  const list = await boxOf(page.getByRole('listbox'))
  expect(list.x).toBeGreaterThanOrEqual(0)
  expect(list.x + list.width).toBeLessThanOrEqual(PHONE.viewport.width)
  await options(page).filter({ hasText: 'Divider' }).tap()
  await expect.poll(() => currentHtml(page)).toBe('<hr>')

  await beginWith(page, '<p>alpha beta</p>', { word: 'beta' })
  const row = await boxOf(bubble(page))
  expect([row.x, row.width]).toEqual([0, PHONE.viewport.width])
  const button = await boxOf(tool(page, 'Italic'))
  expect([button.width, button.height]).toEqual([TOUCH_TARGET_PX, TOUCH_TARGET_PX])
  await tool(page, 'Italic').tap()
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha <em>beta</em></p>')
  await expectNoFindings(page)
})
