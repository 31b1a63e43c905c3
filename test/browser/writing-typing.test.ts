// No typed text is lost or replaced beside any object in a text, at the start or the end of the
// text, by mouse, keyboard, touch or paste.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { ABOVE, NEIGHBOURS, OBJECTS, SPLIT_ITEMS } from '#test/support/editor-key-cases.ts'
import { currentHtml, fillDialog, openNewPost, use } from '#test/support/editor-ui.ts'
import { drawPhoto } from '#test/support/images.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, storeBodyImage } from '#test/support/write-post.ts'

async function begin(page: Page, html: string): Promise<void> {
  await page.evaluate((text) => {
    const live = window.hugerte.activeEditor
    live.setContent(text)
    live.undoManager.clear()
    live.focus()
  }, html)
}

/** The HTML in one line. */
const saved = async (page: Page): Promise<string> => (await currentHtml(page)).replaceAll('\n', '')

test('typing, Enter and Backspace beside an object keep it and put the words on a line of their own', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ hasTouch: true })
  await signUp(page, makeNewcomer('Tilda Type'))
  await openNewPost(page)
  const inFrame = (selector: string) => page.frameLocator('iframe').locator(selector).first()
  for (const [name, { html, pressed, saved: whole }] of Object.entries(OBJECTS)) {
    const htmlWithWord = `${whole}<p>word</p>`
    if (pressed) {
      await begin(page, `<p>first</p>${html}<p>last</p>`)
      await inFrame(pressed).click()
      await page.keyboard.type('word')
      expect.soft(await saved(page), `${name}, typed after a click`).toContain(htmlWithWord)
      await begin(page, `<p>first</p>${html}<p>last</p>`)
      // Two taps at the same position are a double tap, and the previous object stood there.
      await inFrame('p').tap()
      await inFrame(pressed).tap()
      await page.keyboard.press('Enter')
      // Virtual keyboards send only text, and no keys.
      await page.keyboard.insertText('word')
      expect.soft(await saved(page), `${name}, Enter after a touch`).toContain(htmlWithWord)
    }
    await begin(page, html)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('word')
    expect.soft(await saved(page), `${name}, at the end`).toMatch(/<p>word<\/p>$/)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('start')
    expect.soft(await saved(page), `${name}, at the start`).toMatch(/^<p>start<\/p></)
    await begin(page, `<p>first</p>${html}<p>last</p>`)
    const untouched = await saved(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Home')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Delete')
    expect.soft(await saved(page), `${name}, Backspace and Delete`).toBe(untouched)
    await begin(page, html)
    expect.soft(await saved(page), `${name}, nothing added`).not.toContain('<p>&nbsp;</p>')
  }
})

test('Delete above and Backspace below an object first select it, then delete it, and undo restores it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Delia Delete'))
  await openNewPost(page)
  const plain = { html: '<pre>one  two</pre>' }
  for (const [name, { html }] of Object.entries({ ...OBJECTS, plain }))
    for (const [where, [before, after, keys]] of Object.entries(NEIGHBOURS)) {
      const label = `${name}, ${where}`
      await begin(page, `${before}${html}${after}`)
      const untouched = await saved(page)
      for (const key of keys) await page.keyboard.press(key)
      expect.soft(await saved(page), label).toBe(untouched)
      await page.keyboard.press(keys.at(-1) ?? '')
      expect.soft(await saved(page), `${label}, pressed again`).toBe(`${before}${after}`)
      await page.keyboard.press('Control+z')
      expect.soft(await saved(page), `${label}, undone`).toBe(untouched)
    }
  // A selection that reaches to the edge of an object and contains no text.
  for (const html of [plain.html, OBJECTS.image.html]) {
    await begin(page, `<p>first</p>${html}<p>last</p>`)
    const untouched = await saved(page)
    for (const key of ['Control+Home', 'End', 'Shift+ArrowRight', 'Delete'])
      await page.keyboard.press(key)
    expect(await saved(page)).toBe(untouched)
    await page.keyboard.press('Delete')
    expect(await saved(page)).toBe('<p>first</p><p>last</p>')
  }
  // A list item that is joined to a heading becomes part of the heading.
  await begin(page, '<h2>first</h2><ul><li>one</li></ul><p>last</p>')
  for (const key of ABOVE) await page.keyboard.press(key)
  expect(await saved(page)).toBe('<h2>firstone</h2><p>last</p>')
})

test('objects inserted by menus, keys and paste are saved together with the word typed next', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Ines Insert'))
  await openNewPost(page)
  await page.getByLabel('Title', { exact: true }).fill('Everything in its place')
  await editorBody(page).click()
  const image = await storeBodyImage(page.request)
  const parts: string[] = []
  const typeWordAfter = async (what: string): Promise<void> => {
    const word = `word${parts.length}`
    await page.keyboard.type(word)
    parts.push(what, `<p>${word}</p>`)
  }
  await use(page, ['Insert', 'Horizontal line'])
  await typeWordAfter('<hr>')
  await use(page, ['Insert', 'Code sample...'])
  // The next word must be typed before the next animation frame.
  const realRequestFrame = await page.evaluateHandle(() => {
    const { requestAnimationFrame } = window
    window.requestAnimationFrame = () => 0
    return requestAnimationFrame
  })
  await fillDialog(page, { Language: 'JavaScript', Code: 'const x = 1' })
  await typeWordAfter('const')
  await realRequestFrame.evaluate((requestFrame) => {
    window.requestAnimationFrame = requestFrame
  })
  await use(page, ['Insert', 'Media...'])
  await fillDialog(page, { Source: 'https://www.youtube.com/watch?v=M7lc1UVf-VE' })
  await typeWordAfter('M7lc1UVf-VE')
  await page.keyboard.press('Alt+F9')
  const focusedItem = page.locator('.tox-collection__item:focus')
  // Moves from File to Insert.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key)
  await page.getByRole('menuitem', { name: 'Horizontal line' }).waitFor()
  for (let presses = 0; presses < 20; presses += 1) {
    if ((await focusedItem.textContent()) === 'Horizontal line') break
    await page.keyboard.press('ArrowUp')
  }
  await expect(focusedItem).toHaveText('Horizontal line')
  await page.keyboard.press('Enter')
  await typeWordAfter('<hr>')
  for (const { html, saved: whole } of Object.values(OBJECTS)) {
    const partsBefore = (await saved(page)).split(whole).length
    await paste(page, html.replace('/favicon.svg', image))
    await expect.poll(async () => (await saved(page)).split(whole).length).toBe(partsBefore + 1)
    await typeWordAfter(html.includes('<img') ? image : whole.slice(-6))
  }
  await chooseImage(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  const slug = new URL(page.url()).pathname.replace('/post/', '')
  const answer = await page.request.get(`${DOCUMENTS}/${slug}`, {
    headers: { 'X-Appwrite-Project': 'blog' },
  })
  const stored = (await answer.json()) as { content: string }
  const content = stored.content.replaceAll(' />', '>')
  let from = 0
  for (const part of parts) {
    const at = content.indexOf(part, from)
    expect.soft(at, `${part} in ${content}`).toBeGreaterThanOrEqual(from)
    from = Math.max(from, at)
  }
})

test('text typed after Enter in a list item with paragraphs never joins the next item', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lena List'))
  await openNewPost(page)
  for (const [name, [html, place, whole]] of Object.entries(SPLIT_ITEMS)) {
    await begin(page, `<p>before</p><ul>${html}</ul>`)
    await page.evaluate(({ inside, isAtEnd }) => {
      const { activeEditor: live } = window.hugerte
      const text = live.getBody().querySelector(`ul ${inside}`)?.firstChild as Text
      const range = text.ownerDocument.createRange()
      range.setStart(text, isAtEnd ? text.length : 0)
      live.selection.setRng(range)
    }, place)
    await page.keyboard.press('Enter')
    await page.keyboard.type('new words ')
    const list = `<p>before</p><ul>${whole}</ul>`
    expect.soft(await saved(page), name).toBe(list)
    for (const _step of ['words', 'Enter']) await page.keyboard.press('Control+z')
    expect.soft(await saved(page), `${name}, undone`).toBe(`<p>before</p><ul>${html}</ul>`)
  }
})

test('a dropped image and a dragged object land between two blocks', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dina Drag'))
  await openNewPost(page)
  const frame = page.frameLocator('iframe')
  await begin(page, `<p>first words here</p><p>second words here</p>`)
  const bytes = (await drawPhoto('png', { width: 8, height: 6 })).toString('base64')
  await frame
    .locator('p')
    .last()
    .evaluate((line, base64) => {
      const dataTransfer = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      dataTransfer.items.add(new File([content], 'a.png', { type: 'image/png' }))
      const { left, top } = line.getBoundingClientRect()
      const eventOptions = { clientX: left + 60, clientY: top + 4, bubbles: true, cancelable: true }
      for (const type of ['dragover', 'drop'])
        line.dispatchEvent(new DragEvent(type, { dataTransfer, ...eventOptions }))
    }, bytes)
  await expect
    .poll(() => saved(page))
    .toMatch(/^<p>first words here<\/p><p><img src="\/v1\/[^>]*><\/p><p>second words here<\/p>$/)
  await begin(page, `<p>first</p>${OBJECTS['captioned image'].html}<p>second words</p><p>third</p>`)
  const imageBox = await frame.locator('img').boundingBox()
  const targetBox = await frame.locator('p', { hasText: 'second' }).boundingBox()
  if (!imageBox || !targetBox) throw new Error('nothing to drag')
  await page.mouse.move(imageBox.x + 20, imageBox.y + 20)
  await page.mouse.down()
  await page.mouse.move(imageBox.x + 60, imageBox.y + 40, { steps: 4 })
  await page.mouse.move(targetBox.x + 40, targetBox.y + targetBox.height - 6, { steps: 6 })
  await page.mouse.up()
  await expect
    .poll(() => saved(page))
    .toMatch(/^<p>first<\/p><p>second words<\/p><figure>.*<\/figure><p>third<\/p>$/)
})

async function paste(page: Page, html: string): Promise<void> {
  await editorBody(page).evaluate((body, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', text)
    // As copied in the editor: an image from another page would be pasted as its alt text.
    clipboardData.setData('x-hugerte/html', text)
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, html)
}
