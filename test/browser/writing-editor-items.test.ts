// Saving loses nothing that the editor can make: every item of its menus, toolbar and context
// menus, used as a writer uses it. Of items that differ only by a value, such as colours, only the
// first is tried.
import type { Page } from '@playwright/test'
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { EDITOR_ITEMS, makeWith, onScreen, withoutWidths } from '#test/support/editor-items.ts'
import { EDITOR_TOOLS } from '#test/support/editor-tools.ts'
import {
  beginWith,
  currentHtml,
  dialog,
  fillDialog,
  listItems,
  openNewPost,
  ROOMY,
  use,
} from '#test/support/editor-ui.ts'
import { drawPhoto } from '#test/support/images.ts'
import { editorBody, makeNewcomer, signUp, toUpload } from '#test/support/people.ts'

const CHARACTERS_MIN = 50
const expectSoftly = expect.configure({ soft: true })

test('the lists of tested editor items are exactly the items on the screen', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: ROOMY })
  await signUp(page, makeNewcomer('Lina List'))
  await openNewPost(page)
  const known = [...Object.keys(EDITOR_ITEMS).map(onScreen), ...EDITOR_TOOLS]
  expect([...new Set(known)].toSorted()).toEqual((await listItems(page)).toSorted())
})

/** The first value of each menu of colours, fonts, sizes and heights, and all other items. */
const TRIED_ITEMS = Object.entries(EDITOR_ITEMS).filter(([name], at, items) => {
  const menu = findMenuOfValues(name)
  return menu === undefined || menu !== findMenuOfValues(items[at - 1]?.[0] ?? '')
})

/** @returns the menu of an item that differs from the others there only by a value */
function findMenuOfValues(item: string): string | undefined {
  const menu = /^.*(?:colour|Fonts|Font sizes|Line height)(?= > (?!Remove|Custom))/.exec(item)
  return menu?.[0]
}

const itemsTitle = 'the result of each item is the same after it is saved, reopened and saved again'
test(itemsTitle, { tag: '@more' }, async ({ visit }) => {
  const { page } = await visit({ viewport: ROOMY })
  await signUp(page, makeNewcomer('Edith Engel'))
  await openNewPost(page)
  const image = await storeImage(page)
  const results: string[] = []
  for (const [name, { makes }] of TRIED_ITEMS) {
    await makeWith(page, name, image)
    // Some items change the text only after their click has ended.
    const shown = expectSoftly.poll(async () => withoutWidths(await currentHtml(page)), name)
    if (typeof makes === 'string') await shown.toContain(makes)
    else await shown.toMatch(makes)
    results.push(await currentHtml(page))
  }
  results.push(await insertAllCharacters(page))
  await beginWith(page, results.join('\n'), { inside: 'p' })
  const whole = await currentHtml(page)
  expect(whole).not.toContain('data-')
  expect(whole).not.toContain('contenteditable')
  await expectNoLoss(page, whole)
})

test('images and recordings from other sites become links when they enter the text', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: ROOMY })
  await signUp(page, makeNewcomer('Frode Fremd'))
  await openNewPost(page)
  const pasted =
    '<p>See <img src="https://example.org/far.png" alt="Far away"> and <a href="https://example.org/"><img src="https://example.org/logo.png" alt="home"></a></p>'
  await editorBody(page).evaluate((body, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, pasted)
  await expect
    .poll(() => currentHtml(page))
    .toBe(
      '<p>See <a href="https://example.org/far.png">Far away</a> and <a href="https://example.org/">home</a></p>',
    )
  await beginWith(page, '<p>alpha</p>', { inside: 'p' })
  await use(page, ['Insert', 'Media...'])
  await fillDialog(page, { Source: 'https://example.org/song.mp3' })
  await expect
    .poll(() => currentHtml(page))
    .toContain('<a href="https://example.org/song.mp3">https://example.org/song.mp3</a>')
})

/** Pastes an image into the text. @returns the address under which it is stored */
async function storeImage(page: Page): Promise<string> {
  const { buffer } = await photo('png')
  await beginWith(
    page,
    `<p><img src="data:image/png;base64,${buffer.toString('base64')}" alt=""></p>`,
    { inside: 'p' },
  )
  await page.evaluate(() => window.hugerte.activeEditor.uploadImages())
  const html = await currentHtml(page)
  return (
    /src="(\/v1\/storage\/[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ??
    `no image in ${html}`
  )
}

async function photo(kind: 'png' | 'jpeg') {
  const size = kind === 'png' ? { width: 24, height: 16, hue: 200 } : { width: 640, height: 360 }
  return toUpload({ name: `a.${kind}`, type: `image/${kind}`, bytes: await drawPhoto(kind, size) })
}

/** A text with every character of the dialog of special characters. */
async function insertAllCharacters(page: Page): Promise<string> {
  await beginWith(page, '<p>alpha</p>', { inside: 'p' })
  await use(page, ['Insert', 'Special character...'])
  const characters = dialog(page).locator('.characters button')
  await expect.poll(() => characters.count()).toBeGreaterThan(CHARACTERS_MIN)
  const values = await characters.evaluateAll((all) =>
    all.map((character) => character.textContent ?? ''),
  )
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  const words = values.map(
    (character) => `<em>${character.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</em>`,
  )
  await beginWith(page, `<p>${words.join(' and ')}</p>`, { inside: 'p' })
  return await currentHtml(page)
}

/** Saves, opens and saves again: the text must stay the same each time. */
async function expectNoLoss(page: Visitor['page'], html: string): Promise<void> {
  await page.getByLabel('Title', { exact: true }).fill('Everything at once')
  await page.getByLabel('Featured image').setInputFiles(await photo('jpeg'))
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(/\/post\/blog\d{13}l$/)
  const slug = new URL(page.url()).pathname.replace('/post/', '')
  const first = await storedHtml(page, slug)
  await page.goto(`/edit-post/${slug}`)
  await expect(editorBody(page)).toContainText('alpha beta gamma')
  expect(withoutServerAttributes(await currentHtml(page)).split('\n')).toEqual(
    withoutServerAttributes(html).split('\n'),
  )
  // A space that is typed and deleted makes the editor serialise the text again.
  await editorBody(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' ')
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(`/post/${slug}`)
  expect(await storedHtml(page, slug)).toBe(first)
}

/** The stored text. */
async function storedHtml(page: Page, slug: string): Promise<string> {
  const answer = await page.request.get(
    `/v1/databases/blogdb/collections/posts/documents/${slug}`,
    { headers: { 'X-Appwrite-Project': 'blog' } },
  )
  return ((await answer.json()) as { content: string }).content
}

/** Removes what the server always sets itself: `rel` of links and the attributes of players. */
function withoutServerAttributes(html: string): string {
  return html
    .replace(/ rel="[^"]*"/g, '')
    .replace(/ (?:sandbox|loading|referrerpolicy|allowfullscreen)="[^"]*"/g, '')
    .replace(/youtube\.com\/embed/g, 'youtube-nocookie.com/embed')
    .replaceAll('www.', '')
}
