// Drives the editor as a writer does: menus, toolbar and dialogs, found by their labels. The
// expected results are in editor-items.ts.
import { expect, type Locator, type Page } from '@playwright/test'
import { editorBody } from './people.ts'
import { undoAndRedoAll } from './undo-steps.ts'

/**
 * The part of the editor's API that tests call: to set an initial text and to read the result.
 */
type EditorApi = {
  setContent(html: string): void
  getContent(): string
  getBody(): HTMLElement
  focus(): void
  nodeChanged(): void
  uploadImages(): Promise<unknown>
  undoManager: {
    clear(): void
    reset(): void
    hasUndo(): boolean
    hasRedo(): boolean
    transact(change: () => void): void
  }
  execCommand(command: string, ui?: boolean, value?: string | object): void
  selection: {
    getRng(): Range
    setRng(range: Range): void
    setCursorLocation(node: Node, offset: number): void
  }
}
declare global {
  interface Window {
    hugerte: { activeEditor: EditorApi }
  }
}

/**
 * Undoes and redoes every step. @returns the first difference of the text, or ''
 */
export const undoAndRedo = (page: Page): Promise<string> => page.evaluate(undoAndRedoAll, 500)

/** Menu names from the outermost to the item: `['Format', 'Align', 'Left']`. */
export type ItemPath = readonly string[]

/** The first name in the path of a toolbar button. */
export const TOOLBAR = 'Toolbar'
/** The first name in the path of a context menu item. */
export const CONTEXT = 'Context menu'
/** The first name in the path of a button of the floating table toolbar. */
export const FLOATING = 'Table toolbar'

/** Colours are in the name of the tools that set them. */
const TOOL_NAMES: Record<string, string> = { blocks: 'Blocks', forecolor: 'Text colour' }
/** Texts with different context menus, and the element to right-click. */
const PLACES = {
  text: { html: '<p>here</p>', at: 'p' },
  link: { html: '<p><a href="/post">here</a></p>', at: 'a' },
  image: { html: '<p><img src="/favicon.svg" alt="here" width="64" height="64"></p>', at: 'img' },
  table: { html: '<table><tbody><tr><td>one</td></tr></tbody></table>', at: 'td' },
}

export async function openNewPost(page: Page): Promise<void> {
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
  await editorBody(page).click()
}

export const currentHtml = (page: Page): Promise<string> =>
  page.evaluate(() => window.hugerte.activeEditor.getContent())

/**
 * Where the cursor goes: into the first element of a selector, around a word, or where it clicks.
 */
export type Place = { inside: string } | { word: string } | { pressed: string }

/** Replaces the text and sets the cursor. */
export async function beginWith(page: Page, html: string, selected: Place): Promise<void> {
  await page.evaluate(
    ({ text, word, inside }) => {
      const live = window.hugerte.activeEditor
      live.setContent(text)
      live.undoManager.clear()
      live.focus()
      const body = live.getBody()
      const range = body.ownerDocument.createRange()
      const walker = body.ownerDocument.createTreeWalker(
        inside ? (body.querySelector(inside) ?? body) : body,
        NodeFilter.SHOW_TEXT,
      )
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = word ? (node.nodeValue ?? '').indexOf(word) : 0
        if (at < 0) continue
        range.setStart(node, at)
        range.setEnd(node, at + (word?.length ?? 0))
        break
      }
      live.selection.setRng(range)
      live.nodeChanged()
    },
    {
      text: html,
      word: 'word' in selected ? selected.word : undefined,
      inside: 'inside' in selected ? selected.inside : undefined,
    },
  )
  if ('pressed' in selected) await page.frameLocator('iframe').locator(selected.pressed).click()
}

/** High enough for all menus: the editor closes them when the page scrolls to an item. */
export const ROOMY = { width: 1280, height: 1700 }

const menus = (page: Page): Locator => page.locator('.tox-menu:not(.tox-menu .tox-menu)')
/** Date formats are named by their position, because their labels are the current time. */
const item = (menu: Locator, name: string): Locator => {
  const position = /^format (\d)$/.exec(name)?.[1]
  if (position) return menu.locator('.tox-collection__item').nth(Number(position) - 1)
  return menu
    .locator(
      `.tox-collection__item[aria-label="${name}"], .tox-collection__item[aria-label^="${name} "], .tox-swatch[aria-label="${name}"]`,
    )
    .first()
}

async function tool(page: Page, name: string): Promise<Locator> {
  const toolName = Object.entries(TOOL_NAMES).find(([, shown]) => shown === name)?.[0]
  return toolName
    ? page.locator(`.tox-editor-header [data-mce-name="${toolName}"]`)
    : page.locator(`.tox-editor-header [data-mce-name][aria-label="${name}"]`)
}

/** Opens the menus that lead to an item and clicks it. */
export async function use(page: Page, [first = '', ...rest]: ItemPath): Promise<void> {
  if (first === FLOATING)
    return await page.locator(`.tox-pop button[aria-label="${rest[0]}"]`).click()
  if (first === TOOLBAR) {
    const [name = '', ...inside] = rest
    const button = await tool(page, name)
    const chevron = button.locator('.tox-split-button__chevron')
    const isSplit = (await chevron.count()) > 0
    if (inside.length === 0)
      return await (isSplit ? button.locator('.tox-tbtn').first() : button).click()
    await (isSplit ? chevron : button).click()
    for (const one of inside) await item(menus(page).last(), one).click()
    return
  }
  if (first === CONTEXT) await openContext(page)
  else await page.getByRole('menubar').getByRole('menuitem', { name: first, exact: true }).click()
  for (const [depth, name] of rest.entries()) await item(menus(page).nth(depth), name).click()
}

/** Right-clicks the element of the text with the most specific context menu. */
async function openContext(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe')
  const counts = await Promise.all(
    ['a', 'img', 'td', 'p'].map(async (at) => ({ at, count: await frame.locator(at).count() })),
  )
  await frame
    .locator(counts.find(({ count }) => count > 0)?.at ?? 'body')
    .first()
    .click({ button: 'right' })
  await menus(page).waitFor()
}

export async function closeMenus(page: Page): Promise<void> {
  for (let open = await menus(page).count(); open > 0; open--) await page.keyboard.press('Escape')
  await expect(menus(page)).toHaveCount(0)
}

/** Clicks a cell in the grid of table sizes, or a character in the dialog of special characters. */
export async function pick(
  page: Page,
  place: { row: number; column: number } | { character: string },
): Promise<void> {
  if ('character' in place) {
    await dialog(page).getByRole('button', { name: place.character, exact: true }).click()
    return await expect(dialog(page)).toHaveCount(0)
  }
  const grid = page.locator('.tox-insert-table-picker > [role]')
  await grid.nth((place.row - 1) * 10 + place.column - 1).click()
}

/** Drags the pointer from one table cell to another. */
export async function selectCells(
  page: Page,
  [from, to]: readonly [string, string],
): Promise<void> {
  const cell = (text: string): Locator =>
    page.frameLocator('iframe').locator('td', { hasText: text })
  await cell(from).hover()
  await page.mouse.down()
  await cell(to).hover()
  await page.mouse.up()
  await expect(page.frameLocator('iframe').locator('td[data-mce-selected]')).toHaveCount(2)
}

/**
 * Lists every item without using any: menus and their submenus, toolbar buttons and their menus,
 * context menus.
 */
export async function listItems(page: Page): Promise<string[]> {
  await beginWith(page, PLACES.table.html, { inside: 'td' })
  const names: string[] = []
  for (const name of await page.getByRole('menubar').getByRole('menuitem').allTextContents()) {
    const open = (): Promise<void> =>
      page.getByRole('menubar').getByRole('menuitem', { name, exact: true }).click()
    names.push(...(await listMenu(page, open)).map((path) => [name, ...path].join(' > ')))
  }
  for (const button of await page
    .locator('.tox-editor-header [role=group] [data-mce-name]')
    .all()) {
    const key = (await button.getAttribute('data-mce-name')) ?? ''
    const name = TOOL_NAMES[key] ?? (await button.getAttribute('aria-label')) ?? ''
    const chevron = button.locator('.tox-split-button__chevron')
    const isSplit = (await chevron.count()) > 0
    const isList = (await button.locator('.tox-tbtn__select-chevron').count()) > 0
    if (!isList) names.push(`${TOOLBAR} > ${name}`)
    const open = (): Promise<void> => (isSplit ? chevron : button).click()
    if (isSplit || isList)
      names.push(
        ...(await listMenu(page, open)).map((path) => [TOOLBAR, name, ...path].join(' > ')),
      )
  }
  for (const { html, at } of Object.values(PLACES)) {
    await beginWith(page, html, { inside: at })
    await page.frameLocator('iframe').locator(at).click()
    if (at === 'td' || at === 'img') await page.locator('.tox-pop button').first().waitFor()
    const floating = await page
      .locator('.tox-pop button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
    names.push(...floating.map((name) => `${FLOATING} > ${name}`))
    await openContext(page)
    names.push(...(await namesIn(menus(page).first())).map((name) => `${CONTEXT} > ${name}`))
    await closeMenus(page)
  }
  return [...new Set(names)]
}

async function namesIn(menu: Locator): Promise<string[]> {
  const items = menu.locator('.tox-collection__item, .tox-swatch')
  await items.first().or(menu.locator('.tox-insert-table-picker')).first().waitFor()
  return await items.evaluateAll((all) =>
    all.map(
      (one) =>
        one.querySelector('.tox-collection__item-label')?.textContent ??
        one.getAttribute('aria-label') ??
        '',
    ),
  )
}

/**
 * The names in an open menu. Each submenu is opened from the start again, because a menu that is
 * still closing would be mistaken for the next one.
 */
async function listMenu(page: Page, open: () => Promise<void>, depth = 0): Promise<string[][]> {
  await open()
  await expect(menus(page)).toHaveCount(depth + 1)
  const menu = menus(page).nth(depth)
  const names = await namesIn(menu)
  const hasMore = await Promise.all(
    names.map(
      async (name) => (await item(menu, name).locator('.tox-collection__item-caret').count()) > 0,
    ),
  )
  await closeMenus(page)
  const rows: string[][] = []
  for (const [at, name] of names.entries()) {
    const openInside = async (): Promise<void> => {
      await open()
      await item(menu, name).click()
    }
    const inside = hasMore[at] ? await listMenu(page, openInside, depth + 1) : []
    // The grid of table sizes contains no names.
    if (name === 'Date/time')
      rows.push(...inside.map((_time, place) => [name, `format ${place + 1}`]))
    else rows.push(...(inside.length > 0 ? inside.map((path) => [name, ...path]) : [[name]]))
  }
  return rows
}

export const dialog = (page: Page): Locator => page.locator('dialog[open]')

/** The input of a dialog by label: a text or choice, or `true` for a folded section. */
export type Filling = Record<string, string | true>

/** Fills in the open dialog and saves. */
export async function fillDialog(page: Page, filling: Filling): Promise<void> {
  await dialog(page).waitFor()
  for (const [label, value] of Object.entries(filling))
    if (value !== true) await fillField(page, label, value)
    else await dialog(page).locator('summary', { hasText: label }).click()
  await dialog(page)
    .getByRole('button', { name: /^(?:Save|Insert (?:picture|code|link))$/ })
    .click()
  await expect(dialog(page)).toHaveCount(0)
}

async function fillField(page: Page, label: string, value: string): Promise<void> {
  const field = dialog(page).getByLabel(label, { exact: true }).first()
  if (await field.evaluate((element) => element.matches('select')))
    await field.selectOption({ label: value })
  else await field.fill(value)
}
