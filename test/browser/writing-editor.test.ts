// The editor in the form: texts pasted from elsewhere, pictures, its size, and both themes.
import { expect, test } from '#test/support/browser-blog.ts'
import { currentHtml, openNewPost } from '#test/support/editor-ui.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { drawPhoto } from '#test/support/pictures.ts'

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
