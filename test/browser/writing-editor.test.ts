// The editor in the form: texts pasted from elsewhere, images, its size, and both themes.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml, openNewPost, undoAndRedo } from '#test/support/editor-ui.ts'
import { drawPhoto } from '#test/support/images.ts'
import { paste as pasteItems } from '#test/support/paste.ts'
import { PASTE_CASES, withoutKeys } from '#test/support/paste-cases.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'

test('HTML pasted from other programs is cleaned, and the browser loads and runs nothing in it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Paul Paste'))
  await openNewPost(page)
  // Cases with images are left out: images get another address when they are stored.
  for (const [from, html, clean] of PASTE_CASES.filter((one) => !one[2].includes('<img'))) {
    await page.evaluate(() => window.hugerte.activeEditor.setContent(''))
    await editorBody(page).evaluate((body, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', text)
      clipboardData.setData('text/plain', 'plain')
      body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, html)
    const expected = /^<(?:p|h\d|[uod]l|table|pre|blockquote|nav|aside)[ >]/.test(clean)
      ? clean
      : `<p>${clean}</p>`
    // The code of footnotes and tasks is loaded with the first of them.
    await expect
      .configure({ soft: true })
      .poll(
        async () =>
          withoutKeys(await currentHtml(page))
            .replace(/\n(?=<)/g, '')
            .replaceAll('<td>&nbsp;</td>', '<td></td>'),
        from,
      )
      .toBe(expected)
  }
})

test('plain text keeps its lines and empty lines, and a copied image is stored from the file on the clipboard', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Pia Plain'))
  await openNewPost(page)
  const base64 = (await drawPhoto('png', { width: 8, height: 6 })).toString('base64')
  const paste = (items: { text: string } | { html: string | undefined }) =>
    editorBody(page).evaluate(
      (body, { bytes, ...kinds }) => {
        const clipboardData = new DataTransfer()
        if ('html' in kinds) {
          if (kinds.html !== undefined) clipboardData.setData('text/html', kinds.html)
          clipboardData.items.add(
            new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], 'image.png', {
              type: 'image/png',
            }),
          )
        } else clipboardData.setData('text/plain', kinds.text)
        body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      },
      { ...items, bytes: base64 },
    )
  await paste({ text: 'one\ntwo\n\nthree <b>' })
  await expect.poll(() => currentHtml(page)).toBe('<p>one<br>two</p>\n<p>three &lt;b&gt;</p>')
  for (const src of ['file:///C:/Temp/a.png', 'https://example.org/a.png']) {
    await page.evaluate(() => window.hugerte.activeEditor.setContent(''))
    await paste({ html: `<p class=MsoNormal><img src="${src}" alt="A lamp"><o:p></o:p></p>` })
    await expect
      .poll(() => currentHtml(page), src)
      .toMatch(/^<p><img src="\/v1\/storage\/buckets\/content\/files\/[^"]+" alt="A lamp"><\/p>$/)
  }
  await page.evaluate(() => window.hugerte.activeEditor.setContent(''))
  await paste({ html: undefined })
  await expect
    .poll(() => currentHtml(page))
    .toMatch(/^<p><img src="\/v1\/storage\/buckets\/content\/files\/[^"]+"[^>]*><\/p>$/)
})

const ADDRESS = 'https://example.org/a?b=c'
const LINK = `<a href="${ADDRESS}">`
/** A text, its selected words, and the HTML after pasting the address and typing " on". */
const LINKED = {
  'a word': ['<p>one two three</p>', 'two', `<p>one ${LINK}two</a> on three</p>`],
  'several words': [
    '<p>one <em>two</em> three</p>',
    'two',
    `<p>one ${LINK}<em>two</em></a> on three</p>`,
  ],
  'part of a link': [
    '<p>one <a href="/post">two three</a> four</p>',
    'two',
    `<p>one ${LINK}two three</a> on four</p>`,
  ],
  'a word in a cell': [
    '<table><tbody><tr><td>two</td></tr></tbody></table>',
    'two',
    `<table><tbody><tr><td>${LINK}two</a> on</td></tr></tbody></table>`,
  ],
} as const

const TABLE = '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>'

test('a pasted address links the selected words, typing continues after the link, and undo restores the address, then the words', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lina Link'))
  await openNewPost(page)
  const saved = async () => (await currentHtml(page)).replaceAll('\n', '')
  const copied = { text: ADDRESS, html: `<meta charset="utf-8"><a href="${ADDRESS}">A page</a>` }
  for (const items of [{ text: ADDRESS }, copied])
    for (const [name, [html, word, linked]] of Object.entries(LINKED)) {
      await beginWith(page, html, { word })
      await pasteItems(page, items)
      await page.keyboard.type(' on')
      await expect.poll(saved, name).toBe(linked)
      for (const _step of ['typing', 'link']) await page.keyboard.press('Control+z')
      expect(await saved(), name).toContain(ADDRESS)
      expect(await saved(), name).not.toContain(LINK)
      await page.keyboard.press('Control+z')
      expect(await saved(), name).toBe(html)
    }
  // Pasted over selected cells, the address must not replace their table.
  await selectCellsByKeys(page)
  await pasteItems(page, { text: ADDRESS })
  await page.keyboard.type(' on')
  expect(await saved()).toContain(`<td>${LINK}a</a></td><td>${LINK}b</a> on</td>`)
  for (const _step of ['typing', 'link']) await page.keyboard.press('Control+z')
  expect(await saved()).toBe(`<p>one</p>${TABLE}<p>two</p>`)
})

async function selectCellsByKeys(page: Page): Promise<void> {
  await beginWith(page, `<p>one</p>${TABLE}<p>two</p>`, { inside: 'td' })
  await page.keyboard.press('Home')
  for (const _sign of ['a', 'edge', 'b']) await page.keyboard.press('Shift+ArrowRight')
}

test('words composed while an object is selected go below it, also if a footnote is empty', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Ima Ime'))
  await openNewPost(page)
  const devtools = await context.newCDPSession(page)
  // As virtual keyboards name the key, and other input methods.
  for (const key of ['Unidentified', 'Process']) {
    const mark = '<sup class="footnote"><a id="fnref-k" href="#fn-k">1</a></sup>'
    const notes = '<section class="footnotes"><ol><li id="fn-k"><p>&nbsp;</p></li></ol></section>'
    await beginWith(page, `<hr><p>line${mark}</p>${notes}`, { pressed: 'hr' })
    for (const text of ['one', ' two']) {
      const [selectionStart, selectionEnd] = [text.length, text.length]
      const typed = { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 } as const
      await devtools.send('Input.dispatchKeyEvent', typed)
      await devtools.send('Input.imeSetComposition', { text, selectionStart, selectionEnd })
      await devtools.send('Input.insertText', { text })
    }
    expect((await currentHtml(page)).replaceAll('\n', ''), key).toBe(
      `<hr><p>one two</p><p>line${mark}</p>${notes}`,
    )
  }
})

test('undo reverts every step and each composed word, and redo repeats them', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Uma Undo'))
  await openNewPost(page)
  const saved = async () => (await currentHtml(page)).replaceAll('\n', '')
  const devtools = await context.newCDPSession(page)
  const compose = async (text: string, isDone = true): Promise<void> => {
    const selectionStart = text.length
    const selectionEnd = text.length
    await devtools.send('Input.imeSetComposition', { text, selectionStart, selectionEnd })
    if (!isDone) return
    await devtools.send('Input.insertText', { text })
    // The editor records the undo step after the browser has inserted the text.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }
  await beginWith(page, '<p>.</p>', { inside: 'p' })
  await page.keyboard.press('Home')
  await page.keyboard.type('typed ')
  for (const word of ['one', ' two', ' three']) {
    await compose(word.slice(0, 2), false)
    await compose(word)
  }
  await page.keyboard.type(' end')
  // Dictated text comes without a composition.
  await devtools.send('Input.insertText', { text: ' said' })
  expect(await saved()).toBe('<p>typed one two three end said.</p>')
  expect(await undoAndRedo(page)).toBe('')
  for (const text of ['typed one two three', 'typed one two', 'typed one', '']) {
    await page.keyboard.press('Control+z')
    expect(await saved()).toBe(`<p>${text}.</p>`)
  }

  // An undo step that the editor repairs when it shows it: a break between paragraphs is invalid.
  await beginWith(page, '<p>one</p><p>two</p>', { inside: 'p' })
  await page.evaluate(() => {
    const live = window.hugerte.activeEditor
    live.undoManager.reset()
    live.undoManager.transact(() => {
      const line = live.getBody().firstElementChild
      line?.after(line.ownerDocument.createElement('br'))
    })
  })
  await page.keyboard.type('X')
  expect(await undoAndRedo(page)).toBe('')
  for (const _step of ['typing', 'mended', 'break']) await page.keyboard.press('Control+z')
  expect(await saved()).toBe('<p>one</p><p>two</p>')
})

/** The clipboard contents of code editors and pages for the same two lines. */
const COPIED_CODE = {
  'VS Code':
    '<div style="font-family: Consolas, monospace; white-space: pre;"><div>const a = 1</div><div>const b = 2</div></div>',
  JetBrains: '<pre style="font-family: monospace">const a = 1<br>const b = 2</pre>',
  GitHub: '<p>See</p><div class="highlight-source-js"><pre>const a = 1\nconst b = 2</pre></div>',
}

/** A single copied line becomes inline code. */
const COPIED_LINES = [
  '<div style="font-family: Consolas, monospace; white-space: pre;"><div>foo()</div></div>',
  'see <code>foo()</code>',
]

test('typing continues below pasted code and after an inline code line; new tables have equal columns and a toolbar beside them', {
  tag: '@more',
}, async ({ visit }) => {
  for (const width of [1280, 390]) {
    const { page } = await visit({ viewport: { width, height: 900 } })
    await signUp(page, makeNewcomer(`Tara Table ${width}`))
    await openNewPost(page)
    const html = async () => (await currentHtml(page)).replaceAll('\n', '|')
    for (const place of ['p', 'td', 'li'])
      for (const [from, copied] of Object.entries(width > 400 ? COPIED_CODE : {})) {
        await beginWith(page, `<p>before</p>${TABLE}<ul><li>in</li></ul>`, { inside: place })
        await page.keyboard.press('End')
        await pasteItems(page, { html: copied, text: 'const a = 1\nconst b = 2' })
        await expect.poll(html, `${from}, ${place}`).toContain('const b = 2')
        await page.keyboard.type('word')
        expect
          .soft(await html(), `${from}, ${place}`)
          .toMatch(/const b = 2(?:<\/code>)?<\/pre>\|<p>word<\/p>/)
      }
    // After lines are pasted into a cell, typing continues in it.
    const cell = '<table><tbody><tr><td><p>in cell</p></td></tr></tbody></table>'
    await beginWith(page, cell, { word: ' cell' })
    await page.keyboard.press('ArrowLeft')
    await pasteItems(page, { text: 'a\n\nb\nc' })
    await page.keyboard.type('word')
    expect.soft(await html()).toContain('<br>cword</p>|<p>cell</p>')
    for (const key of width > 400 ? ['ArrowLeft', 'End'] : [])
      for (const copied of COPIED_LINES) {
        await beginWith(page, '<p>one two</p>', { word: ' two' })
        await page.keyboard.press(key)
        await pasteItems(page, { html: copied, text: 'foo()' })
        await expect.poll(html, copied).toContain('foo()')
        await page.keyboard.type('Z z')
        expect.soft(await html(), `${copied}, ${key}`).toContain('<code>foo()</code>Z z')
        expect.soft(await undoAndRedo(page), copied).toBe('')
      }
    for (const columns of [2, 3, 7]) {
      await beginWith(page, '<p>above</p><p>below</p>', { inside: 'p' })
      await page.keyboard.press('End')
      await page.evaluate((count) => {
        window.hugerte.activeEditor.execCommand('mceInsertTable', false, {
          rows: 2,
          columns: count,
        })
      }, columns)
      await expect.poll(() => shares(html)).toEqual(Array(columns).fill(rounded(100 / columns)))
      await page.locator('.tox-pop button[aria-label="Insert column after"]').click()
      await expect
        .poll(() => shares(html))
        .toEqual(Array(columns + 1).fill(rounded(100 / (columns + 1))))
      const bar = await page.locator('.tox-pop').boundingBox()
      for (const line of await page.frameLocator('iframe').locator('p, td, th').all()) {
        const box = await line.boundingBox()
        const isBeside = bar && box && (box.y >= bar.y + bar.height || box.y + box.height <= bar.y)
        expect.soft(isBeside, `${width}: ${await line.textContent()}`).toBe(true)
      }
    }
  }
})

/** Rounded as in the saved HTML. */
const rounded = (share: number): number => Math.round(share * 100) / 100

/** The widths of the columns in percent. */
async function shares(read: () => Promise<string>): Promise<number[]> {
  return [...(await read()).matchAll(/<col style="width: ([\d.]+)%/g)].map(([, share]) =>
    Number(share),
  )
}

/** For these browsers HugeRTE adds style elements, which the content security policy blocks. */
const BROWSERS = [
  {
    browser: 'Firefox',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
    isDetected: 'hugerte.Env.browser.isFirefox()',
  },
  {
    browser: 'an iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    isDetected: 'hugerte.Env.deviceType.isiPhone()',
  },
]
for (const { browser, userAgent, isDetected } of BROWSERS)
  test(`in ${browser} the editor adds no style element`, { tag: '@more' }, async ({ visit }) => {
    const { page, context } = await visit({ userAgent })
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'userAgentData'))
    await signUp(page, makeNewcomer('Stella Stil'))
    await openNewPost(page)
    expect(await page.evaluate(isDetected)).toBe(true)
    const styles = editorBody(page).locator('xpath=ancestor::html').locator('style')
    await expect(styles).toHaveCount(0)
  })

test('the editor frame is 500 px high and follows the theme while a writer types', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Thea Thorn'))
  await openNewPost(page)
  await page.keyboard.type('Written by day')
  expect((await page.locator('.tox.tox-hugerte').boundingBox())?.height).toBe(500)
  const colour = () => editorBody(page).evaluate((body) => getComputedStyle(body).color)
  const dark = await colour()
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect.poll(colour).not.toBe(dark)
  await expect(editorBody(page)).toHaveText('Written by day')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(colour).toBe(dark)
})

test('an image dropped or pasted on the form becomes the featured image, and another file type is refused', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dora Drop'))
  await openNewPost(page)
  const base64 = (await drawPhoto('png', { width: 64, height: 36 })).toString('base64')
  const give = async (kind: 'drop' | 'paste', { name, type }: { name: string; type: string }) => {
    const target =
      kind === 'drop'
        ? page.locator('.drop-zone, .image-picker')
        : page.getByLabel('Title', { exact: true })
    await target.evaluate(
      (element, file) => {
        const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0))
        const transfer = new DataTransfer()
        transfer.items.add(new File([bytes], file.name, { type: file.type }))
        const shared = { bubbles: true, cancelable: true }
        if (file.kind === 'drop') {
          element.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, ...shared }))
          element.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, ...shared }))
        } else
          element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, ...shared }))
      },
      { kind, name, type, base64 },
    )
  }
  await give('drop', { name: 'notes.pdf', type: 'application/pdf' })
  await expect(page.getByText('This file is not a PNG, JPG, JPEG or GIF.')).toBeVisible()
  await give('drop', { name: 'dropped.png', type: 'image/png' })
  await expect(page.getByText('dropped.png')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Preview: Featured image' })).toBeVisible()
  await give('paste', { name: 'pasted.png', type: 'image/png' })
  await expect(page.getByText('pasted.png')).toBeVisible()
  await expect(page.getByText('dropped.png')).toHaveCount(0)
})
