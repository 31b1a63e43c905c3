// Hostile clipboard content: nothing in it runs, covers the editor or blocks the page.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { currentHtml, openNewPost } from '#test/support/editor-ui.ts'
import {
  HOSTILE_HTML,
  HOSTILE_MARKDOWN,
  SLOW_HTML,
  SLOW_MARKDOWN,
} from '#test/support/hostile-texts.ts'
import { paste } from '#test/support/paste.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

const BAD_ADDRESSES = '[href^="j" i], [href^="v" i], [href^="data"], [src^="j" i], [srcdoc]'
const BAD_ELEMENTS =
  'script, style, svg, math, object, embed, form, input, button, base, meta, link'

/** Dangerous elements and attributes in the text. */
async function findHarm(page: Page): Promise<string[]> {
  const html = await currentHtml(page)
  return page.evaluate(
    ([text, selectors]) => {
      const { body } = new DOMParser().parseFromString(text, 'text/html')
      const elements = [...body.querySelectorAll('*')]
      return [
        ...[...body.querySelectorAll(selectors)].map(({ outerHTML }) => outerHTML),
        ...elements.flatMap((element) =>
          [...element.attributes]
            .filter(({ name, value }) => /^on/.test(name) || /position|url\(/.test(value))
            .map(({ name, value }) => `${name}=${value}`),
        ),
      ]
    },
    [html, `${BAD_ADDRESSES}, ${BAD_ELEMENTS}`] as const,
  )
}

/** Pastes as a hostile page that imitates the editor's own clipboard type. */
async function pasteAsOwn(page: Page, html: string): Promise<void> {
  await editorBody(page).evaluate((body, text) => {
    const clipboardData = new DataTransfer()
    for (const type of ['text/html', 'x-hugerte/html']) clipboardData.setData(type, text)
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, html)
}

test('hostile HTML and Markdown run nothing when pasted, and their text remains', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await visit()
  // The editor's own parser still loads hostile elements, which the policy of the page blocks. The
  // images in the texts do not exist.
  expectFault(/Content Security Policy|status of 404/)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await signUp(page, makeNewcomer('Hanna Hostile'))
  await openNewPost(page)
  let count = 0
  const harms: string[] = []
  const pasteEach = async (
    texts: readonly string[],
    work: (text: string, mark: string) => Promise<void>,
  ) => {
    for (const text of texts) {
      const mark = `mark${count++}`
      await page.evaluate(() => window.hugerte.activeEditor.setContent('<p>before</p>'))
      await work(text, mark)
      await expect(editorBody(page)).toContainText(mark)
      const dangerous = await findHarm(page)
      if (dangerous.length > 0) harms.push(`${text}: ${dangerous.join(' ')}`)
    }
  }
  await pasteEach(HOSTILE_HTML, (text, mark) => paste(page, { html: `<p>${mark}</p>${text}` }))
  await pasteEach(HOSTILE_HTML, (text, mark) => pasteAsOwn(page, `<p>${mark}</p>${text}`))
  await pasteEach(HOSTILE_MARKDOWN, async (text, mark) => {
    await paste(page, { text: `## ${mark}\n\n${text}` })
    await expect(editorBody(page).locator('h2')).toHaveText(mark)
  })
  expect(harms).toEqual([])
  expect(dialogs).toEqual([])
  expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
})

test('text typed immediately after a paste comes after the pasted text', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Quin Quick'))
  await openNewPost(page)
  for (const [text, expected] of [
    ['words', '<p>words!</p>'],
    ['one\n\ntwo', '<p>one</p>\n<p>two!</p>'],
    ['https://a.example/b', '<p>https://a.example/b!</p>'],
  ] as const) {
    await page.evaluate(() => window.hugerte.activeEditor.setContent(''))
    await editorBody(page).evaluate((body, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted)
      const event = { clipboardData, bubbles: true, cancelable: true }
      body.dispatchEvent(new ClipboardEvent('paste', event))
      body.ownerDocument.execCommand('insertText', false, '!')
    }, text)
    await expect.poll(() => currentHtml(page)).toBe(expected)
  }

  // --- a pasted address becomes the link of the selected text ---
  await page.evaluate(() => window.hugerte.activeEditor.setContent('<p>words</p>'))
  await page.keyboard.press('ControlOrMeta+a')
  await paste(page, { text: 'https://a.example/b' })
  await expect.poll(() => currentHtml(page)).toBe('<p><a href="https://a.example/b">words</a></p>')
})

test('a text made to be slow to parse is pasted as it is, and the editor stays usable', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Sven Slow'))
  await openNewPost(page)
  const typeAfter = async (kind: string) => {
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(`typed after ${kind}`)
    await expect(editorBody(page)).toContainText(`typed after ${kind}`)
  }
  const clear = () => page.evaluate(() => window.hugerte.activeEditor.setContent('<p>x</p>'))
  for (const [index, html] of SLOW_HTML.entries()) {
    await clear()
    await paste(page, { html, text: 'x' })
    await typeAfter(`HTML ${index}`)
  }
  for (const [index, text] of SLOW_MARKDOWN.entries()) {
    await clear()
    await paste(page, { text })
    await typeAfter(`Markdown ${index}`)
  }
})
