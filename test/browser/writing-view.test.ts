// The writing view: the same form, text and draft as in the form with all fields, by mouse, keys
// and on a phone.
import type { Locator, Page, Route } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { currentHtml, dialog, openNewPost } from '#test/support/editor-ui.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const PHONE = { width: 390, height: 844 }
const SAVED = /^Saved \d\d:\d\d$/
const PARTS =
  '<h2>First</h2><p>alpha</p><h2>Second</h2><p>beta</p><h3>Inside</h3><p>gamma</p>' +
  '<p>line</p>'.repeat(30)

const title = (page: Page): Locator => page.getByRole('textbox', { name: 'Title', exact: true })
const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true })
const savedLine = (page: Page): Locator => page.getByRole('status').filter({ hasText: SAVED })
const toolbar = (page: Page): Locator => page.locator('.tox-toolbar-overlord, .tox-toolbar').first()

/** Presses a switch, and waits until the account has stored the choice. */
async function savingChoice(page: Page, press: () => Promise<void>): Promise<void> {
  await Promise.all([
    page.waitForResponse(
      (answer) => answer.url().endsWith('/account/prefs') && answer.request().method() === 'PATCH',
    ),
    press(),
  ])
}

async function openView(page: Page, name: string): Promise<void> {
  await signUp(page, makeNewcomer(name))
  await openNewPost(page)
  await savingChoice(page, () => button(page, 'Writing view').click())
  await expect(title(page)).toHaveJSProperty('tagName', 'TEXTAREA')
}

async function setText(page: Page, html: string): Promise<void> {
  await page.evaluate((text) => {
    window.hugerte.activeEditor.setContent(text)
    window.hugerte.activeEditor.nodeChanged()
  }, html)
}

/** Where the text before the caret ends, in the paragraph with the caret. */
const caretText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { startContainer, startOffset } = window.hugerte.activeEditor.selection.getRng()
    return (startContainer.textContent ?? '').slice(0, startOffset)
  })

test('a draft is written in the writing view, in the form and in the view again with one text, one caret and one history', async ({
  visit,
}) => {
  const { page } = await visit()
  await openView(page, 'Wanda View')
  await title(page).fill('The night')
  await title(page).press('End')
  await page.keyboard.type(' ferry')
  await page.keyboard.press('Enter')
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.type('One two three')
  await expect(savedLine(page)).toBeVisible()
  await expect(page).toHaveURL(/\/edit-post\/blog\d{13}l$/)
  await expect(page.getByText('3 words', { exact: true }).last()).toBeVisible()
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowLeft')

  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'All fields' }).click()
  await expect(title(page)).toHaveValue('The night ferry')
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('inactive')
  await expect(editorBody(page)).toBeFocused()
  expect(await caretText(page)).toBe('One two th')
  await page.keyboard.type('X')
  await expect.poll(() => currentHtml(page)).toBe('<p>One two thXree</p>')

  await button(page, 'Writing view').click()
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.press('Control+Z')
  await expect.poll(() => currentHtml(page)).toBe('<p>One two three</p>')
  await page.keyboard.press('Control+Y')
  await expect.poll(() => currentHtml(page)).toBe('<p>One two thXree</p>')
  await expect(savedLine(page)).toBeVisible()

  await page.reload()
  await expect(title(page)).toHaveValue('The night ferry')
  await expect(editorBody(page)).toHaveText('One two thXree')
  await expect(button(page, 'Publish …')).toBeVisible()
})

test('the view that was used last opens for the next post, at first the form', async ({
  visit,
}) => {
  const { page } = await visit()
  await openView(page, 'Fanny Form')
  await page.goto('/add-post')
  await expect(button(page, 'Publish …')).toBeVisible()
  await expect(editorBody(page)).toHaveAttribute(
    'data-mce-placeholder',
    'Write, or type / for more',
  )
  await button(page, 'More').click()
  await savingChoice(page, () => page.getByRole('menuitem', { name: 'All fields' }).click())
  await page.goto('/add-post')
  await expect(page.getByLabel('Slug')).toBeVisible()
})

test('without a network the text of the view stays on the device and is saved afterwards', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit()
  expectFault(/ERR_INTERNET_DISCONNECTED/)
  await openView(page, 'Olga Off')
  await title(page).fill('Offline')
  await expect(savedLine(page)).toBeVisible()
  await context.setOffline(true)
  await editorBody(page).click()
  await page.keyboard.type('kept')
  await expect(page.getByText(/^Kept on this device at \d\d:\d\d\. Saving resumes/)).toBeVisible()
  await context.setOffline(false)
  await expect(savedLine(page)).toBeVisible()
  await page.reload()
  await expect(editorBody(page)).toHaveText('kept')
})

test('the contents mark the part with the caret, and a press puts the caret at a part', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Conny Contents')
  const contents = page.getByRole('navigation', { name: 'Contents of the text' })
  await setText(page, '<h2>Only one</h2>')
  await expect(contents).toHaveCount(0)
  await setText(page, PARTS)
  await expect(contents.getByRole('button')).toHaveText(['First', 'Second', 'Inside'])
  await contents.getByRole('button', { name: 'Second' }).press('Enter')
  await expect(editorBody(page)).toBeFocused()
  await expect(contents.getByRole('button', { name: 'Second' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  const heading = await editorBody(page).getByText('Second').boundingBox()
  const header = await page.getByRole('banner').boundingBox()
  expect(heading?.y).toBeGreaterThanOrEqual(header?.height ?? 0)
  await page.keyboard.type('The ')
  await expect(contents.getByRole('button', { name: 'The Second' })).toBeVisible()
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect(contents).toBeHidden()
})

test('a writer may leave while the writing view is being loaded', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lea Leaver'))
  await openNewPost(page)
  const requested = Promise.withResolvers<Route>()
  await page.route('**/assets/writing-view-*.js', requested.resolve)
  await button(page, 'Writing view').click()
  const request = await requested.promise
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await savingChoice(page, () => request.continue())
})

test('Alt+F10 shows the toolbar until Esc, and the switch shows menus and toolbar from now on', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Tilda Tool')
  await expect(toolbar(page)).toBeHidden()
  await editorBody(page).press('Alt+F10')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(page.locator('.tox-toolbar-overlord :focus, .tox-toolbar :focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(toolbar(page)).toBeHidden()
  await expect(editorBody(page)).toBeFocused()

  await savingChoice(page, () => button(page, 'Full toolbar').click())
  await expect(page.getByRole('menuitem', { name: 'Format' })).toBeVisible()
  expect((await page.locator('.tox.tox-hugerte').boundingBox())?.height).toBeGreaterThanOrEqual(500)
  await page.goto('/add-post')
  await expect(toolbar(page)).toBeVisible()
  await expect(button(page, 'Full toolbar')).toHaveAttribute('aria-pressed', 'true')
})

test('focus mode dims the other paragraphs and keeps the line at two fifths of the window until Esc', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ reducedMotion: 'reduce' })
  await openView(page, 'Frieda Focus')
  await setText(page, PARTS)
  await editorBody(page).press('Control+End')
  await page.keyboard.press('Control+Shift+F')
  await expect(page.getByText('Esc ends focus')).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  const colourOf = (text: string) =>
    editorBody(page)
      .getByText(text)
      .first()
      .evaluate((block) => getComputedStyle(block).color)
  await page.keyboard.type(' end')
  await expect
    .poll(async () => (await colourOf('alpha')) === (await colourOf('line end')))
    .toBe(false)
  const caretTop = () =>
    page.evaluate(() => {
      const frame = document.querySelector('iframe')?.getBoundingClientRect().top ?? 0
      const [line] = window.hugerte.activeEditor.selection.getRng().getClientRects()
      return Math.abs((line?.top ?? 0) + frame - 0.4 * innerHeight)
    })
  await expect.poll(caretTop).toBeLessThan(4)
  await page.keyboard.press('Enter')
  await page.keyboard.type('next')
  await expect.poll(caretTop).toBeLessThan(4)
  expect(await currentHtml(page)).not.toContain('style')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('banner')).toBeVisible()
  await expect
    .poll(async () => (await colourOf('alpha')) === (await colourOf('line end')))
    .toBe(true)
})

test('smart quotes are off at first; on, typed quotes change outside of code, and one undo gives the sign back', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Quinn Quote')
  await editorBody(page).click()
  await page.keyboard.type('"plain"')
  await expect.poll(() => currentHtml(page)).toBe('<p>"plain"</p>')
  await button(page, 'More').click()
  await page.getByRole('menuitemcheckbox', { name: 'Smart quotes' }).click()
  await setText(page, '<p></p>')
  await editorBody(page).click()
  await page.keyboard.type('"It\'s \'so\'" ("here")')
  await expect(editorBody(page)).toHaveText('“It’s ‘so’” (“here”)')
  await page.keyboard.type(' "')
  await page.keyboard.press('Control+Z')
  await expect(editorBody(page)).toHaveText('“It’s ‘so’” (“here”) "')
  await setText(page, '<p><code>a</code></p>')
  await editorBody(page).getByText('a').click()
  await page.keyboard.type('"')
  await expect(editorBody(page)).toContainText('"')
  await expect(editorBody(page)).not.toContainText(/[“”]/)
})

test('the full window keeps the title and the saved line', { tag: '@more' }, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Fulvia Full')
  await title(page).fill('Seen')
  await expect(savedLine(page)).toBeVisible()
  await button(page, 'Full toolbar').click()
  await page.evaluate(() => window.hugerte.activeEditor.execCommand('mceFullScreen'))
  const isOnTop = (place: Locator) =>
    place.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const top = document.elementFromPoint(x + Math.min(width, 200) / 2, y + height / 2)
      return top !== null && element.contains(top)
    })
  await expect.poll(() => isOnTop(title(page))).toBe(true)
  await expect.poll(() => isOnTop(savedLine(page))).toBe(true)
  await editorBody(page).press('Escape')
  await expect(page.getByRole('banner')).toBeVisible()
})

test('what keeps the text of the view from being saved is named, and leads to its field', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Paula Problem')
  await title(page).fill('Named')
  await expect(savedLine(page)).toBeVisible()
  await title(page).fill('')
  await title(page).press('Control+S')
  await expect(page.getByText('One thing needs a look')).toBeVisible()
  await page.getByRole('link', { name: 'title', exact: true }).click()
  await expect(title(page)).toBeFocused()
})

test('with keys alone the writer reaches title, text, menu, keyboard help and the drawer', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await openView(page, 'Kai Keys')
  await button(page, 'Focus').focus()
  await page.keyboard.press('Tab')
  await expect(button(page, 'More')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Preview', exact: true })).toBeFocused()
  await page.getByRole('menuitem', { name: 'Keyboard help' }).press('Enter')
  await expect(dialog(page).getByRole('heading')).toHaveText('Keyboard help')
  await page.keyboard.press('Escape')
  await button(page, 'Publish …').focus()
  await page.keyboard.press('Tab')
  await expect(title(page)).toBeFocused()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Publish' })).toBeVisible()
})

test('on a phone the text comes first and "Publish" stays in reach', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit({ viewport: PHONE, hasTouch: true, isMobile: true })
  await openView(page, 'Phila Phone')
  await setText(page, PARTS)
  await editorBody(page).getByText('line').last().tap()
  await expect(button(page, 'Publish …')).toBeInViewport({ ratio: 1 })
  for (const name of ['Focus', 'More', 'Publish …'])
    expect((await button(page, name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  for (const width of [PHONE.width, 320]) {
    await page.setViewportSize({ width, height: PHONE.height })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('axe reports no violations in the view, in either theme and width', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit({ reducedMotion: 'reduce' })
  await openView(page, 'Axel View')
  await title(page).fill('Checked')
  await setText(page, PARTS)
  for (const viewport of [{ width: 1280, height: 900 }, PHONE])
    for (const mode of ['plain', 'focus', 'menu', 'toolbar']) {
      await page.setViewportSize(viewport)
      if (mode === 'focus') await button(page, 'Focus').click()
      if (mode === 'menu') await button(page, 'More').click()
      if (mode === 'toolbar' && viewport !== PHONE) await button(page, 'Full toolbar').click()
      for (const theme of ['dark', 'light'] as const) {
        await showTheme(page, theme)
        expect(await axeFindings(page), `${mode}, ${theme}, ${viewport.width}`).toEqual([])
      }
      if (mode === 'focus') await button(page, 'Focus').click()
      if (mode === 'menu') await page.keyboard.press('Escape')
      if (mode === 'toolbar' && viewport !== PHONE) await button(page, 'Full toolbar').click()
    }
})
