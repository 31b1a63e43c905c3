// The dialogs of images, players, code samples and links: by mouse and keyboard, for new and
// existing objects, with errors, and with the focus after closing.
import type { Page } from '@playwright/test'
import { expect, test, type Visitor } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml, dialog, openNewPost, ROOMY, use } from '#test/support/editor-ui.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { drawPhoto } from '#test/support/images.ts'
import { editorBody, makeNewcomer, signUp, toUpload } from '#test/support/people.ts'

const UPLOADS = '**/v1/storage/buckets/content/files'

async function begin(visit: () => Promise<Visitor>, name: string): Promise<Visitor> {
  const visitor = await visit()
  await visitor.page.setViewportSize(ROOMY)
  await signUp(visitor.page, makeNewcomer(name))
  await openNewPost(visitor.page)
  return visitor
}

async function photo(name: string) {
  const bytes = await drawPhoto('png', { width: 24, height: 16, hue: 200 })
  return toUpload({ name, type: 'image/png', bytes })
}

const verb = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const alt = (page: Page) => dialog(page).getByLabel('What is in the picture alt text')
const caption = (page: Page) => dialog(page).getByLabel('Caption optional')

test('one dialog chooses an image, describes it and inserts it while it uploads', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Ulla Upload')
  const release = await holdRequests(page, UPLOADS)
  await beginWith(page, '<p>alpha beta</p>', { word: 'beta' })
  await use(page, ['Toolbar', 'Image'])
  await expect(verb(page, 'Insert picture')).toHaveAttribute('aria-disabled', 'true')
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles(await photo('gulls.png'))
  await expect(dialog(page).getByRole('img', { name: 'Preview of the picture' })).toBeVisible()
  await expect(verb(page, 'Cancel upload')).toBeVisible()
  await alt(page).fill('Gulls on a rail')
  await caption(page).fill('Low tide')
  await verb(page, 'Insert after upload').click()
  await expect(dialog(page)).toBeVisible()
  release()
  await expect(dialog(page)).toHaveCount(0)
  await expect
    .poll(() => currentHtml(page))
    .toMatch(
      /^<p>alpha beta<\/p>\n<figure><img src="\/v1\/storage\/[^"]*" alt="Gulls on a rail" width="24" height="16">\n<figcaption>Low tide<\/figcaption>\n<\/figure>$/,
    )
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.type('gamma')
  await expect.poll(() => currentHtml(page)).toMatch(/^<p>alpha beta<\/p>.*<p>gamma<\/p>$/s)

  await page.frameLocator('.tox-edit-area iframe').locator('img').dblclick()
  await expect(alt(page)).toHaveValue('Gulls on a rail')
  await alt(page).fill('Terns')
  await caption(page).fill('')
  await verb(page, 'Save picture').click()
  await expect
    .poll(() => currentHtml(page))
    .toMatch(/<p><img [^>]*alt="Terns" width="24" height="16"><\/p>\n<p>gamma<\/p>$/)
})

test('the image dialog lets the writer choose again after a cancelled upload, and shows refusals and network errors', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, expectFault } = await begin(visit, 'Fritz Fehler')
  expectFault(/404|403/)
  await use(page, ['Insert', 'Image...'])
  const choose = dialog(page).locator('input[type=file]')
  const { promise: never } = Promise.withResolvers<void>()
  await page.route(UPLOADS, () => never)
  await choose.setInputFiles(await photo('a.png'))
  await verb(page, 'Cancel upload').click()
  await expect(dialog(page).getByText('Drop a picture here')).toBeVisible()
  await expect(dialog(page).getByRole('status')).toHaveText('The upload was cancelled.')
  await page.unroute(UPLOADS)

  const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') }
  await choose.setInputFiles(text)
  await expect(dialog(page).getByRole('alert')).toContainText('PNG, JPG, JPEG or GIF')
  await expect(dialog(page).getByText('Choose another picture')).toBeVisible()

  const refusal = { message: 'No.', code: 403, type: 'general_unauthorized_scope' }
  await page.route(UPLOADS, (route) => route.fulfill({ status: 403, json: refusal }))
  await choose.setInputFiles(await photo('b.png'))
  await expect(dialog(page).getByRole('alert')).toContainText('The picture was not stored.')
  await alt(page).fill('Still here')
  await page.unroute(UPLOADS)
  await verb(page, 'Try again').click()
  await expect(dialog(page).getByRole('status')).toContainText('Stored.')
  await verb(page, 'Insert picture').click()
  await expect.poll(() => currentHtml(page)).toContain('alt="Still here"')
})

test('in the code dialog Tab indents, Esc then Tab leaves the field, Ctrl+Enter inserts, and a double click reopens it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Cora Code')
  await use(page, ['Toolbar', 'Code sample'])
  await expect(dialog(page).getByLabel('Language')).toBeFocused()
  await dialog(page).getByLabel('Language').selectOption({ label: 'Rust' })
  const code = dialog(page).getByLabel('Code', { exact: true })
  await code.focus()
  await page.keyboard.type('if a {\n')
  await page.keyboard.press('Tab')
  await page.keyboard.type('b();')
  await expect(code).toHaveValue('if a {\n  b();')
  await page.keyboard.press('Shift+Tab')
  await expect(code).toHaveValue('if a {\nb();')
  await page.keyboard.press('Control+Z')
  await expect(code).toHaveValue('if a {\n  b();')
  expect(await code.evaluate((field) => getComputedStyle(field).fontFamily)).toContain('mono')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(verb(page, 'Cancel')).toBeFocused()
  await code.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Enter')
  const html = '<pre class="language-rust"><code>if a {\n  b();</code></pre>'
  await expect.poll(() => currentHtml(page)).toBe(html)
  await page.frameLocator('.tox-edit-area iframe').locator('pre').dblclick()
  await expect(dialog(page).getByLabel('Language')).toHaveValue('rust')
  await expect(code).toHaveValue('if a {\n  b();')
  await code.fill('<b>')
  await verb(page, 'Save code').click()
  await expect
    .poll(() => currentHtml(page))
    .toBe('<pre class="language-rust"><code>&lt;b&gt;</code></pre>')
})

test('Ctrl+K links the selection, edits a link, rejects an invalid address and removes a link', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Lina Link')
  await beginWith(page, '<p>alpha <strong>beta</strong> gamma</p>', { word: 'beta' })
  await page.keyboard.press('Control+K')
  const address = dialog(page).getByLabel('URL')
  await expect(dialog(page).getByLabel('Text')).toBeFocused()
  await address.fill('fares last winter')
  await verb(page, 'Insert link').click()
  await expect(dialog(page)).toContainText(
    'This does not look like a URL. It begins with https:// or with /.',
  )
  await expect(address).toBeFocused()
  await address.fill('/post/one')
  await page.keyboard.press('Enter')
  const linked = '<p>alpha <a href="/post/one"><strong>beta</strong></a> gamma</p>'
  await expect.poll(() => currentHtml(page)).toBe(linked)
  await expect(editorBody(page)).toBeFocused()
  await page.keyboard.type('+')
  await expect.poll(() => currentHtml(page)).toMatch(/<\/a>(?:<strong>)?\+/)
  await beginWith(page, linked, { inside: 'a' })
  await page.keyboard.press('Control+K')
  await dialog(page).getByLabel('Text').fill('delta')
  await verb(page, 'Save link').click()
  await expect.poll(() => currentHtml(page)).toContain('<a href="/post/one">delta</a>')
  await beginWith(page, linked, { inside: 'a' })
  await page.keyboard.press('Control+K')
  await verb(page, 'Remove link').click()
  await expect.poll(() => currentHtml(page)).toBe('<p>alpha <strong>beta</strong> gamma</p>')
  await page.keyboard.press('Control+K')
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(editorBody(page)).toBeFocused()
})

test('a video is inserted and edited by its address or embed code, and another address becomes a link', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Mila Media')
  const source = dialog(page).getByLabel('Source')
  const player = (path: string) => expect.poll(() => currentHtml(page)).toContain(`src="${path}"`)
  await beginWith(page, '<p>alpha</p>', { word: 'alpha' })
  await use(page, ['Insert', 'Media...'])
  await expect(dialog(page)).toHaveAccessibleName('Media')
  await expect(source).toBeFocused()
  await source.fill('no address')
  await page.keyboard.press('Enter')
  await expect(source).toHaveAccessibleDescription(/does not look like a URL/)
  await source.fill('https://youtu.be/M7lc1UVf-VE?t=90')
  await page.keyboard.press('Enter')
  await player('https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?start=90')
  await expect(editorBody(page)).toBeFocused()

  // --- changed, by a double click ---
  await page.frameLocator('.tox-edit-area iframe').locator('[data-mce-object]').dblclick()
  await expect(source).toHaveValue('https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?start=90')
  await page.keyboard.press('Escape')
  await expect(editorBody(page)).toBeFocused()
  await page.frameLocator('.tox-edit-area iframe').locator('[data-mce-object]').dblclick()
  await source.fill(
    '<iframe src="//player.vimeo.com/video/76979871?h=90ab6d75cd"></iframe><p>x</p>',
  )
  await verb(page, 'Save').click()
  await player('https://player.vimeo.com/video/76979871?h=90ab6d75cd')
  await page.frameLocator('.tox-edit-area iframe').locator('[data-mce-object]').dblclick()
  await source.fill('https://vimeo.com/showcase/3253534')
  await verb(page, 'Save').click()
  await expect
    .poll(() => currentHtml(page))
    .toBe(
      '<p>alpha</p>\n<p><a href="https://vimeo.com/showcase/3253534">https://vimeo.com/showcase/3253534</a></p>',
    )
  await page.keyboard.press('Control+z')
  await player('https://player.vimeo.com/video/76979871?h=90ab6d75cd')
})

test('links, bullets and quotations in the editor follow the accent colour as soon as it changes', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Ada Accent')
  await beginWith(page, '<p><a href="/post">link</a></p><ul><li>one</li></ul>', { inside: 'p' })
  const color = (selector: string, pseudo?: string) =>
    editorBody(page)
      .locator(selector)
      .evaluate((element, part) => getComputedStyle(element, part).color, pseudo)
  for (const accent of ['rgb(1, 2, 3)', 'rgb(4, 5, 6)']) {
    await page.evaluate((value) => {
      document.documentElement.style.setProperty('--accent-text', value)
    }, accent)
    await expect.poll(() => color('a')).toBe(accent)
    expect(await color('li', '::marker')).toBe(accent)
  }
})

test('the toolbar follows the order of the design, and # starts the largest heading', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await begin(visit, 'Thea Tool')
  const names = await page
    .locator('.tox-editor-header [role=group] [data-mce-name]')
    .evaluateAll((tools) => tools.map((tool) => tool.getAttribute('data-mce-name')))
  expect(names.join(' ')).toBe(
    'undo redo blocks image bold italic forecolor alignleft aligncenter alignright alignjustify bullist numlist outdent indent removeformat help link quote codesample',
  )
  await page.keyboard.type('# One')
  await page.keyboard.press('Enter')
  await page.keyboard.type('### Two')
  await expect.poll(() => currentHtml(page)).toBe('<h2>One</h2>\n<h3>Two</h3>')
})
