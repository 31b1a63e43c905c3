// What the editor makes outlives saving: every item of its menus and toolbar, texts pasted from elsewhere, pictures, and both themes.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp, toUpload } from '#test/support/people.ts'
import { drawPhoto } from '#test/support/pictures.ts'

const MENUS = {
  File: ['New document', 'Preview', 'Print...'],
  Edit: ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Paste as text', 'Select all', 'Find and replace...'],
  View: ['Source code', 'Visual aids', 'Show blocks', 'Preview', 'Fullscreen'],
  Insert: ['Image...', 'Link...', 'Media...', 'Code sample...', 'Table', 'Special character...', 'Horizontal line', 'Date/time'],
  Format: [
    ...['Bold', 'Italic', 'Underline', 'Strikethrough', 'Superscript', 'Subscript', 'Code'],
    ...['Formats', 'Blocks', 'Fonts', 'Font sizes', 'Align', 'Line height', 'Text color', 'Background color', 'Clear formatting'],
  ],
  Tools: ['Source code', 'Word count'],
  Table: ['Table', 'Cell', 'Row', 'Column', 'Table properties', 'Delete table'],
  Help: ['Help'],
}

/** The part of the editor's own interface that these tests call. */
type Live = {
  setContent(html: string): void
  getContent(): string
  insertContent(html: string): void
  execCommand(command: string, hasInterface?: boolean, value?: unknown): boolean
  uploadImages(): Promise<unknown>
  getBody(): HTMLElement
  selection: { select(node: Node | null, isContent?: boolean): void }
  options: { get(name: string): string }
}
declare global {
  interface Window {
    hugerte: { activeEditor: Live }
  }
}

async function openNewPost(page: Page): Promise<void> {
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
  await editorBody(page).click()
}

async function submit(page: Page, title: string): Promise<string> {
  await page.getByLabel('Title', { exact: true }).fill(title)
  const bytes = await drawPhoto('jpeg', { width: 640, height: 360 })
  await page.getByLabel('Featured image').setInputFiles(toUpload({ name: 'a.jpg', type: 'image/jpeg', bytes }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  return new URL(page.url()).pathname.replace('/post/', '')
}

const currentHtml = (page: Page) => page.evaluate(() => window.hugerte.activeEditor.getContent())

/** The text as the server has it. */
async function storedHtml(page: Page, slug: string): Promise<string> {
  const path = await page.evaluate((id) => {
    const settings = JSON.parse(document.getElementById('site-settings')?.textContent ?? '{}')
    return [`/v1/databases/${settings.databaseId}/collections/${settings.collectionId}/documents/${id}`, settings.projectId]
  }, slug)
  const answer = await page.request.get(path[0] ?? '', { headers: { 'X-Appwrite-Project': path[1] ?? '' } })
  return ((await answer.json()) as { content: string }).content
}

/** What the server always sets itself: where links say who stands behind them, and how players are locked in. */
function withoutServersPart(html: string): string {
  return html.replace(/ rel="[^"]*"/g, '').replace(/<iframe[^>]*>/g, '<iframe>')
}

/** One piece of text for each thing the menus and the toolbar can do, made by the editor's own commands. */
function makeEverything(picture: string): string {
  const live = window.hugerte.activeEditor
  const made: string[] = []
  function make(act: (body: HTMLElement) => void): void {
    live.setContent('<p>alpha beta gamma</p>')
    live.selection.select(live.getBody().firstChild, true)
    act(live.getBody())
    made.push(live.getContent())
  }
  const run = (command: string, value?: unknown) => make(() => void live.execCommand(command, false, value))
  for (const command of ['Bold', 'Italic', 'Underline', 'Strikethrough', 'Superscript', 'Subscript', 'Indent', 'InsertHorizontalRule']) run(command)
  for (const command of ['JustifyLeft', 'JustifyCenter', 'JustifyRight', 'JustifyFull', 'mceBlockQuote']) run(command)
  run('mceToggleFormat', 'code')
  for (const block of ['h2', 'h3', 'h4', 'blockquote', 'pre']) run('FormatBlock', block)
  for (const font of live.options.get('font_family_formats').split(';')) run('FontName', font.split('=')[1])
  for (const size of live.options.get('font_size_formats').split(' ')) run('FontSize', size)
  for (const height of live.options.get('line_height_formats').split(' ')) run('LineHeight', height)
  make(() => void live.execCommand('mceApplyTextcolor', 'forecolor' as never, '#E03E2D'))
  make(() => void live.execCommand('mceApplyTextcolor', 'hilitecolor' as never, '#FBEEB8'))
  for (const kind of ['default', 'circle', 'square']) run('ApplyUnorderedListStyle', { 'list-style-type': kind })
  for (const kind of ['default', 'lower-alpha', 'lower-greek', 'lower-roman', 'upper-alpha', 'upper-roman']) {
    run('ApplyOrderedListStyle', { 'list-style-type': kind })
  }
  run('mceInsertLink', { href: 'https://example.org/a?b=c&d=e#f', target: '_blank', title: 'A tip' })
  run('mceInsertLink', { href: 'mailto:reader@example.org' })
  run('mceInsertLink', { href: '/post/blog1700000000000l' })
  run('mceInsertTable', { rows: 2, columns: 2, options: { headerRows: 1 } })
  make((body) => {
    live.execCommand('mceInsertTable', false, { rows: 2, columns: 3, options: { headerColumns: 1 } })
    live.execCommand('mceTableToggleCaption')
    live.selection.select(body.querySelector('td'), true)
    live.execCommand('mceTableApplyCellStyle', false, {
      backgroundColor: '#fbeeb8',
      borderColor: '#e03e2d',
      borderStyle: 'dashed',
      borderWidth: '2px',
    })
  })
  for (const side of ['JustifyLeft', 'JustifyCenter', 'JustifyRight']) {
    make((body) => {
      live.execCommand('mceUpdateImage', false, { src: picture, alt: 'Gulls on a rail', title: '', width: '24', height: '16' })
      live.selection.select(body.querySelector('img'))
      live.execCommand(side)
    })
    make((body) => {
      live.execCommand('mceUpdateImage', false, { src: picture, alt: 'Gulls on a rail', caption: true, width: '24', height: '16' })
      live.selection.select(body.querySelector('figure'))
      live.execCommand(side)
    })
  }
  make(() => live.insertContent('<iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" width="560" height="314"></iframe>'))
  make(() => live.insertContent('<pre class="language-javascript"><code>const a = 1 &lt; 2 &amp;&amp; "b"</code></pre>'))
  make(() => live.insertContent('&copy; &euro; &mdash; &nbsp; ¿ 漢字 שלום 🙂 '))
  live.setContent(made.join('\n'))
  return live.getContent()
}

test('saved, reopened and saved again, everything the editor can make is as it was', async ({ visit }) => {
  test.slow()
  const { page } = await visit()
  await signUp(page, makeNewcomer('Edith Engel'))
  await openNewPost(page)
  for (const [menu, items] of Object.entries(MENUS)) {
    await page.getByRole('menuitem', { name: menu, exact: true }).first().click()
    await expect(page.locator('.tox-menu .tox-collection__item-label')).toHaveText(items)
    await page.keyboard.press('Escape')
  }
  const picture = `data:image/png;base64,${(await drawPhoto('png', { width: 24, height: 16, hue: 200 })).toString('base64')}`
  await page.evaluate(makeEverything, picture)
  await page.evaluate(() => window.hugerte.activeEditor.uploadImages())
  const made = await currentHtml(page)
  expect(made).not.toContain('data:image')
  expect(made.match(/<img [^>]*alt="Gulls on a rail"/g)).toHaveLength(6)
  expect(made).not.toContain('contenteditable')

  const slug = await submit(page, 'Everything at once')
  const first = await storedHtml(page, slug)
  await page.goto(`/edit-post/${slug}`)
  await expect(editorBody(page)).toContainText('alpha beta gamma')
  expect(withoutServersPart(await currentHtml(page))).toBe(withoutServersPart(made))
  // A space typed and taken away again: the text is written anew.
  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' ')
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(`/post/${slug}`)
  expect(await storedHtml(page, slug)).toBe(first)
})

const PASTED = [
  {
    from: 'Word',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body><!--StartFragment-->
      <h1 style='mso-style-link:"x"'><span lang=EN-US style='font-family:Calibri'>Heading<o:p></o:p></span></h1>
      <p class=MsoNormal style='margin-bottom:8pt'><b><span style='color:red;mso-bidi-font-size:11pt'>Bold</span></b><span style='font-size:11pt'> and <i>italic</i> text</span><o:p></o:p></p>
      <p class=MsoListParagraphCxSpFirst style='text-indent:-18pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span></span><![endif]>One</p>
      <p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o </span>One a</p>
      <p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>Two</p>
      <table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr><td width=100 style='padding:0cm'><p class=MsoNormal>Cell</p></td></tr></table>
      <!--EndFragment--></body></html>`,
    clean:
      '<h2>Heading</h2><p><strong>Bold</strong> and <em>italic</em> text</p><ul><li>One<ul><li>One a</li></ul></li><li>Two</li></ul><table><tbody><tr><td><p>Cell</p></td></tr></tbody></table>',
  },
  {
    from: 'Google Docs',
    html: `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;margin-top:0pt"><span style="font-size:11pt;font-family:Arial;font-weight:700">Bold</span><span style="font-size:11pt;font-weight:400">, </span><span style="font-style:italic;font-weight:400">italic</span><span> and </span><a href="https://example.org/" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">a link</span></a></p><br></b>`,
    clean: '<p><strong>Bold</strong>, <em>italic</em> and <a href="https://example.org/">a link</a></p>',
  },
  {
    from: 'a web page',
    html: `<div class="post" style="color:rgb(1,2,3);background:#fff"><div id="x" onclick="alert(1)">A <span style="font-weight:bold">strong</span> word</div><script>alert(1)</script><ul class="l"><li class="i" style="margin:0">First</li></ul><p><font face="Arial" color="red">Red</font> <a href="javascript:alert(1)">no</a></p><button>Share</button></div>`,
    clean: '<p>A <strong>strong</strong> word</p><ul><li>First</li></ul><p>Red no</p>',
  },
]

for (const { from, html, clean } of PASTED) {
  test(`text pasted from ${from} is clean`, async ({ visit }) => {
    const { page } = await visit()
    await signUp(page, makeNewcomer('Paul Paste'))
    await openNewPost(page)
    await editorBody(page).evaluate((body, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', text)
      clipboardData.setData('text/plain', 'plain')
      body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, html)
    await expect(editorBody(page)).not.toHaveText('')
    expect(
      (await currentHtml(page))
        .replace(/\n/g, '')
        .replace(/&nbsp;|(?:<br>|<p>\s*<\/p>)$/g, '')
        .replace(/<p><\/p>$/, ''),
    ).toBe(clean)
  })
}

test('the frame is 500 px high and follows the theme while one writes', async ({ visit }) => {
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

test('an image dropped or pasted on the form becomes the featured image; another kind of file is refused', async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Dora Drop'))
  await openNewPost(page)
  const base64 = (await drawPhoto('png', { width: 64, height: 36 })).toString('base64')
  const hand = async (kind: 'drop' | 'paste', { name, type }: { name: string; type: string }) => {
    const target = kind === 'drop' ? page.locator('.drop, .pick') : page.getByLabel('Title', { exact: true })
    await target.evaluate(
      (element, given) => {
        const bytes = Uint8Array.from(atob(given.base64), (character) => character.charCodeAt(0))
        const transfer = new DataTransfer()
        transfer.items.add(new File([bytes], given.name, { type: given.type }))
        const shared = { bubbles: true, cancelable: true }
        if (given.kind === 'drop') {
          element.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, ...shared }))
          element.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, ...shared }))
        } else element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, ...shared }))
      },
      { kind, name, type, base64 },
    )
  }
  await hand('drop', { name: 'notes.pdf', type: 'application/pdf' })
  await expect(page.getByText('This file is not a PNG, JPG, JPEG or GIF.')).toBeVisible()
  await hand('drop', { name: 'dropped.png', type: 'image/png' })
  await expect(page.getByText('dropped.png')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Preview: Featured image' })).toBeVisible()
  await hand('paste', { name: 'pasted.png', type: 'image/png' })
  await expect(page.getByText('pasted.png')).toBeVisible()
  await expect(page.getByText('dropped.png')).toHaveCount(0)
})
