// The preview in the post form shows the page of the unsaved text, in both themes and at the width
// of a phone; its links lead nowhere.
import { expect, test } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const CONTENT =
  '<p>Nobody <a href="https://example.org/">boards</a> in a hurry.</p><pre class="language-javascript"><code>let berths = 1</code></pre><p><iframe src="https://youtu.be/M7lc1UVf-VE" title="The bridge"></iframe></p>'

test('the preview shows the unsaved post with title, cover, author and highlighted code, and Esc closes it', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context, expectFault } = await visit({ viewport: { width: 1280, height: 800 } })
  // Playwright inspects elements with scripts, and none may run in the preview.
  expectFault(/^console error: Blocked script execution in 'about:srcdoc'/)
  await signUp(page, makeNewcomer('Petra Preview'))
  const slug = await writePost(context.request, { title: 'Saved', content: CONTENT })
  await page.goto(`/edit-post/${slug}`)
  const text = editorBody(page)
  await text.getByText('Nobody').waitFor()
  await page.getByLabel('Title').fill('Not saved yet')
  await text.getByText('in a hurry').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Typed just now.')
  const file = { name: 'new.png', mimeType: 'image/png', buffer: await drawPhoto('png') }
  await page.locator('input[type=file]').setInputFiles(file)
  const button = page.getByRole('button', { name: 'Preview', exact: true })
  await button.click()

  const dialog = page.getByRole('dialog', { name: 'Preview' })
  await expect(dialog.getByText('Not published. Only you see this.')).toBeVisible()
  const frame = page.frameLocator('.preview iframe')
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Not saved yet')
  await expect(frame.getByText('Typed just now.')).toBeVisible()
  await expect(frame.locator('.post-meta')).toContainText('Petra Preview')
  await expect(frame.locator('.c-k')).toHaveText('let')
  const cover = frame.locator('.featured-image img')
  await expect(cover).toHaveAttribute('src', /^blob:/)
  expect(await cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect((await frame.locator('.prose').boundingBox())?.width, 'the width of the text').toBe(680)
  for (const name of ['boards', 'Play video: The bridge. Loads from YouTube when pressed.'])
    await frame.getByRole('link', { name }).click()
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Not saved yet')
  await expect(frame.locator('iframe')).toHaveCount(0)

  // React's development mode closes and reopens each new dialog like this.
  await dialog.evaluate((box: HTMLDialogElement) => {
    box.close()
    box.showModal()
  })

  const textColor = () => frame.locator('body').evaluate((body) => getComputedStyle(body).color)
  const darkColor = await textColor()
  await dialog.getByRole('radio', { name: 'Light' }).check()
  await expect.poll(textColor).not.toBe(darkColor)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await dialog.getByRole('radio', { name: 'Phone' }).check()
  expect(await frame.locator('html').evaluate(({ clientWidth }) => clientWidth)).toBeLessThan(391)

  await frame.locator('.prose p').first().click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
  await expect(text.getByText('Typed just now.')).toBeVisible()
})
