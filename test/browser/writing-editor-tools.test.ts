// The tools of the editor that do not change the words by themselves: each does what its name says,
// and axe reports no violations in what they open, in both themes.
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import type { EDITOR_TOOLS } from '#test/support/editor-tools.ts'
import {
  beginWith,
  closeMenus,
  currentHtml,
  dialog,
  openNewPost,
  ROOMY,
  use,
} from '#test/support/editor-ui.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

type Tool = (typeof EDITOR_TOOLS)[number]
/** Checks the effect of a tool; `press` clicks it. */
type Check = (page: Page, press: () => Promise<void>) => Promise<void>

const TEXT = '<p>alpha beta gamma</p>'
const TABLE = '<table><tbody><tr><td>one</td><td>two</td></tr></tbody></table>'
const menuItems = (page: Page): Locator => page.locator('.tox-menu .tox-collection__item-label')
const checked = (page: Page, name: string): Locator =>
  page.getByRole('menuitemcheckbox', { name, exact: true })

const CHECKS: Record<Tool, Check> = {
  'File > Preview': checkPreview,
  'View > Preview': checkPreview,
  'File > Print...': checkPrint,
  'Edit > Undo': checkUndo,
  'Toolbar > Undo': checkUndo,
  'Edit > Redo': checkRedo,
  'Toolbar > Redo': checkRedo,
  'Edit > Copy': checkCopy,
  'Edit > Paste': checkPaste,
  'Edit > Paste as text': checkPasteAsText,
  'Edit > Select all': checkSelectAll,
  'Edit > Find and replace...': checkReplace,
  'View > Source code': checkSource,
  'View > Visual aids': checkVisualAids,
  'View > Show blocks': checkBlocks,
  'View > Fullscreen': checkFullscreen,
  'Help > Help': checkHelp,
  'Insert > Footnote': checkFootnote,
  'Toolbar > Help': checkHelp,
  'Table > Row > Copy row': (page, press) => checkCopied(page, press, 'Row'),
  'Table > Column > Copy column': (page, press) => checkCopied(page, press, 'Column'),
  'Context menu > Link...': (page, press) =>
    checkDialog(page, press, {
      title: 'Link',
      html: '<p><a href="/post">alpha</a></p>',
      at: 'a',
    }),
  'Context menu > Open link': checkOpenLink,
  'Context menu > Image...': (page, press) =>
    checkDialog(page, press, {
      title: 'Picture',
      html: '<p><img src="/icon-192.png" alt="A lamp" width="48" height="48"></p>',
      at: 'img',
    }),
  'Table toolbar > Alt text': (page, press) => checkField(page, press, 'Alt text'),
  'Table toolbar > Caption': (page, press) => checkField(page, press, 'Caption'),
  'Context menu > Table properties': (page, press) =>
    checkDialog(page, press, { title: 'Table properties', html: TABLE, at: 'td' }),
  'Context menu > Cell': (page, press) =>
    checkSubmenu(page, press, ['Cell properties', 'Merge cells', 'Split cell']),
  'Context menu > Row': (page, press) =>
    checkSubmenu(page, press, [
      'Insert row before',
      'Insert row after',
      'Delete row',
      'Row properties',
      'Cut row',
    ]),
  'Context menu > Column': (page, press) =>
    checkSubmenu(page, press, ['Insert column before', 'Insert column after', 'Delete column']),
  'Context menu > Delete table': checkDeletedTable,
}

test('every tool does what its name says and leaves the text as it was', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit({
    viewport: ROOMY,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await signUp(page, makeNewcomer('Tove Tool'))
  await openNewPost(page)
  for (const [name, check] of Object.entries(CHECKS)) {
    await test.step(name, async () => {
      await beginWith(page, TEXT, { word: 'beta' })
      await check(page, () => use(page, name.split(' > ')))
    })
  }
})

test('axe reports no violations in the editor, its menus and its dialogs in either theme', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: ROOMY, reducedMotion: 'reduce' })
  await signUp(page, makeNewcomer('Axel Axe'))
  await openNewPost(page)
  for (const path of MENUS) {
    await beginWith(page, TABLE, { inside: 'td' })
    await use(page, path)
    await expectNoFindings(page, path.join(' > '))
    await closeMenus(page)
  }
  for (const path of DIALOGS) {
    await beginWith(page, TABLE, { inside: 'td' })
    await use(page, path)
    await expect(dialog(page)).toBeVisible()
    await expectNoFindings(page, path.join(' > '))
    await dialog(page).getByRole('button', { name: 'Close' }).first().click()
    await expect(dialog(page)).toHaveCount(0)
  }
})

/** Structure is the same in both themes; colours are not. */
async function expectNoFindings(page: Page, what: string): Promise<void> {
  await showTheme(page, 'dark')
  expect(await axeFindings(page), `${what}, dark`).toEqual([])
  await showTheme(page, 'light')
  expect(await axeFindings(page, ['color-contrast']), `${what}, light`).toEqual([])
}

/**
 * Menus with each kind of item: plain, checked, with a submenu, a grid of colours, a grid of sizes.
 */
const MENUS = [
  ['File'],
  ['Format'],
  ['View'],
  ['Format', 'Formats', 'Inline'],
  ['Format', 'Text colour'],
  ['Insert', 'Table'],
  ['Table', 'Row'],
]
const DIALOGS = [
  ['Insert', 'Image...'],
  ['Insert', 'Link...'],
  ['Insert', 'Media...'],
  ['Insert', 'Code sample...'],
  ['Insert', 'Special character...'],

  ['Edit', 'Find and replace...'],
  ['View', 'Source code'],
  ['Help', 'Help'],
  ['File', 'Preview'],

  ['Table', 'Table properties'],
  ['Table', 'Cell', 'Cell properties'],
  ['Table', 'Row', 'Row properties'],
]

/** Closes the dialog with Escape, and expects the focus in the text. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(editorBody(page)).toBeFocused()
}

async function checkPreview(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  const preview = dialog(page).frameLocator('iframe').locator('.prose')
  await expect(preview).toHaveText('alpha beta gamma')
  await close(page)
}

async function checkPrint(page: Page, press: () => Promise<void>): Promise<void> {
  const frame = page.frameLocator('iframe').locator('body')
  await frame.evaluate((body) => {
    const view = body.ownerDocument.defaultView
    if (view) view.print = () => body.setAttribute('data-printed', 'once')
  })
  await press()
  await expect(frame).toHaveAttribute('data-printed', 'once')
}

async function checkUndo(page: Page, press: () => Promise<void>): Promise<void> {
  await page.keyboard.type('delta')
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha delta gamma</p>')
  await press()
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
}

async function checkRedo(page: Page, press: () => Promise<void>): Promise<void> {
  await page.keyboard.type('delta')
  await page.keyboard.press('Control+Z')
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
  await press()
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha delta gamma</p>')
}

async function checkCopy(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('beta')
}

/** Browsers let a page read the clipboard only on the keyboard shortcut, and the item says so. */
async function checkPaste(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  const notice = page
    .getByRole('alert')
    .filter({ hasText: "Your browser doesn't support direct access to the clipboard." })
  await expect(notice).toContainText('Please use the Ctrl+X/C/V keyboard shortcuts instead.')
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
}

async function checkPasteAsText(page: Page, press: () => Promise<void>): Promise<void> {
  const paste = () =>
    editorBody(page).evaluate((body) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', '<p><strong>delta</strong></p>')
      clipboardData.setData('text/plain', 'delta')
      body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    })
  await press()
  await paste()
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha delta gamma</p>')
  await press()
  await beginWith(page, TEXT, { word: 'beta' })
  await paste()
  await expect.poll(() => currentHtml(page)).toContain('<strong>delta</strong>')
}

async function checkSelectAll(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  expect(
    await editorBody(page).evaluate((body) => body.ownerDocument.getSelection()?.toString()),
  ).toBe('alpha beta gamma')
}

async function checkReplace(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await dialog(page).getByRole('textbox', { name: 'Find', exact: true }).fill('a')
  await dialog(page).getByRole('textbox', { name: 'Replace with', exact: true }).fill('o')
  await expect(dialog(page).getByRole('status')).toHaveText('5 matches.')
  await expect(page.frameLocator('iframe').locator('.mce-match-marker')).toHaveCount(5)
  await dialog(page).getByRole('button', { name: 'Replace all' }).click()
  await expect.poll(() => currentHtml(page)).toBe('<p>olpho beto gommo</p>')
  await close(page)
}

async function checkSource(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  const source = dialog(page).getByRole('textbox', { name: 'HTML' })
  await expect(source).toHaveValue(TEXT)
  await source.fill('<p>never</p>')
  await close(page)
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
  await press()
  await source.fill('<h2>delta</h2><p onclick="alert(1)">epsilon</p><script>alert(1)</script>')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => currentHtml(page)).toBe('<h2>delta</h2>\n<p>epsilon</p>')
}

async function checkVisualAids(page: Page, press: () => Promise<void>): Promise<void> {
  await beginWith(page, TABLE, { inside: 'td' })
  const aided = page.frameLocator('iframe').locator('table.mce-item-table')
  await expect(aided).toHaveCount(1)
  await press()
  await expect(aided).toHaveCount(0)
  await press()
  await expect(aided).toHaveCount(1)
  expect(await currentHtml(page)).not.toContain('mce-item-table')
}

async function checkBlocks(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await expect(editorBody(page)).toHaveClass(/\bmce-visualblocks\b/)
  await page.getByRole('menuitem', { name: 'View', exact: true }).click()
  await expect(checked(page, 'Show blocks')).toBeChecked()
  await closeMenus(page)
  await press()
  await expect(editorBody(page)).not.toHaveClass(/\bmce-visualblocks\b/)
}

const FULL = { width: ROOMY.width, height: ROOMY.height - 96 }

async function checkFullscreen(page: Page, press: () => Promise<void>): Promise<void> {
  const frame = page.locator('.tox.tox-hugerte')
  await press()
  // Between the title and the line about the last save.
  await expect.poll(() => frame.boundingBox()).toEqual({ x: 0, y: 56, ...FULL })
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(500)
  await expect(editorBody(page)).toBeFocused()
  await press()
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(FULL.height)
  await press()
  await expect.poll(async () => (await frame.boundingBox())?.height).toBe(500)
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
}

async function checkHelp(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await expect(dialog(page).getByRole('heading')).toHaveText('Keyboard help')
  await expect(dialog(page).getByText('Ctrl + K')).toBeVisible()
  await close(page)
}

/** The list of notes is at the end of the text (footnotes.test.ts). */
async function checkFootnote(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await expect.poll(() => currentHtml(page)).toMatch(/<sup class="footnote">.*<section/s)
}

async function checkCopied(
  page: Page,
  press: () => Promise<void>,
  kind: 'Row' | 'Column',
): Promise<void> {
  await beginWith(page, TABLE, { inside: 'td' })
  await press()
  await expect.poll(async () => (await currentHtml(page)).match(/<td/g)).toHaveLength(2)
  await use(page, ['Table', kind, `Paste ${kind.toLowerCase()} after`])
  await expect
    .poll(async () => (await currentHtml(page)).match(/<td/g))
    .toHaveLength(kind === 'Row' ? 4 : 3)
}

async function checkOpenLink(page: Page, press: () => Promise<void>): Promise<void> {
  await beginWith(page, '<p><a href="/login">alpha</a></p>', { inside: 'a' })
  const popup = page.waitForEvent('popup')
  await press()
  const other = await popup
  await other.waitForURL(/\/(?:login|dashboard)$/)
  await other.close()
}

async function checkDialog(
  page: Page,
  press: () => Promise<void>,
  { title, html, at }: { title: string; html: string; at: string },
): Promise<void> {
  await beginWith(page, html, { inside: at })
  await press()
  await expect(dialog(page).getByRole('heading')).toHaveText(title)
  await close(page)
}

/** Presses a tool beside a picture, which opens a field in its place. */
async function checkField(page: Page, press: () => Promise<void>, name: string): Promise<void> {
  const html = '<p><img src="/icon-192.png" alt="A lamp" width="48" height="48"></p>'
  await beginWith(page, html, { pressed: 'img' })
  await press()
  await expect(page.getByRole('textbox', { name })).toBeFocused()
  await page.keyboard.press('Escape')
}

async function checkSubmenu(
  page: Page,
  press: () => Promise<void>,
  names: string[],
): Promise<void> {
  await beginWith(page, TABLE, { inside: 'td' })
  await press()
  for (const name of names)
    await expect(menuItems(page).filter({ hasText: new RegExp(`^${name}$`) })).toHaveCount(1)
  await closeMenus(page)
}

async function checkDeletedTable(page: Page, press: () => Promise<void>): Promise<void> {
  await beginWith(page, `${TEXT}${TABLE}`, { inside: 'td' })
  await press()
  await expect.poll(() => currentHtml(page)).toBe(TEXT)
}
