// Long posts: contents, links to headings, footnotes and where one stopped reading, for visitors
// without the app; and writing footnotes and tasks by keyboard.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml, openNewPost } from '#test/support/editor-ui.ts'
import { overflow } from '#test/support/overflow.ts'
import { paste } from '#test/support/paste.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { writeText } from '#test/support/write-post.ts'

const mark = (key: string) => `<sup class="footnote"><a href="#fn-${key}">1</a></sup>`
const part = (heading: string) =>
  `<h2>${heading}</h2>${`<p>${heading}: The ferry is in at five and the town opens at eight.</p>`.repeat(15)}`
const CONTENT = `<p>A smaller bag.${mark('bag')}</p>${part('The queue')}<h3>The sound</h3><p>Between two and three.${mark('clock')}</p>
${part('What it costs')}<aside class="callout"><p>On Sundays from the other quay.</p></aside>
<ul class="tasks"><li class="task done">Pack</li><li class="task">Leave</li></ul>${part('Arriving')}
<section class="footnotes"><ol><li id="fn-clock"><p>Nobody had a clock.</p></li><li id="fn-bag"><p>The bag is the same.</p></li></ol></section>`

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)

test('contents lead to the parts of a long post, and mark the part being read', async ({
  visit,
}) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Lotte Lang'))
  const id = await writeText(author.context.request, { title: 'The night ferry', content: CONTENT })
  const { page } = await visit()
  await page.goto(`/post/${id}`)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expect(contents.getByRole('link')).toHaveText([
    'The queue',
    'The sound',
    'What it costs',
    'Arriving',
  ])
  await contents.getByRole('link', { name: 'What it costs' }).click()
  await expect(page).toHaveURL(/#h-what-it-costs$/)
  expect(await topOf(page, '#h-what-it-costs')).toBeLessThan(200)
  await expect(contents.locator('[aria-current]')).toHaveText('What it costs')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(contents).toBeHidden()
  await page.getByText('Contents 3 parts').click()
  await page.locator('details').getByRole('link', { name: 'The queue' }).click()
  expect(await topOf(page, '#h-the-queue')).toBeLessThan(200)
})

test('a footnote shows its words above the number, and leads to its note and back', async ({
  visit,
}) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Fritz Fuß'))
  const id = await writeText(author.context.request, { title: 'Footnotes', content: CONTENT })
  const { page } = await visit()
  await page.goto(`/post/${id}`)
  const second = page.getByRole('link', { name: 'Footnote 2' })
  await second.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tooltip')).toHaveText('Nobody had a clock.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
  await second.hover()
  await page.evaluate(() => scrollBy(0, 1))
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.getByRole('tooltip').hover()
  await second.click()
  await expect(page.locator('#fn-clock')).toBeInViewport()
  await page.locator('#fn-clock').getByRole('link', { name: 'Back to the text' }).click()
  await expect(second).toBeInViewport()
})

test('a reader who comes back is offered the place where they stopped, and nothing moves before', async ({
  visit,
}) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Wim Wieder'))
  const id = await writeText(author.context.request, { title: 'Again', content: CONTENT })
  const { page } = await visit()
  await page.goto(`/post/${id}`)
  const heading = page.getByRole('heading', { name: 'What it costs' })
  await heading.scrollIntoViewIfNeeded()
  await page.waitForFunction(() => localStorage.getItem('reading-places') !== null)
  await page.goto('/search')
  await page.goto(`/post/${id}`)
  const offer = page.getByRole('button', { name: 'Continue where you stopped' })
  await expect(offer).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await offer.press('Enter')
  await expect(heading).toBeInViewport()
  await expect(offer).toBeHidden()
  await page.goto(`/post/${id}#h-arriving`)
  await expect(page.getByRole('heading', { name: 'Arriving' })).toBeInViewport()
  await expect(offer).toBeHidden()
})

test('axe finds nothing in a long post, and nothing is wider than the window', async ({
  visit,
}) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Axel Achse'))
  const id = await writeText(author.context.request, { title: 'Axes', content: CONTENT })
  const { page } = await visit()
  for (const theme of ['dark', 'light']) {
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`/post/${id}`)
      if (width < 1000) await page.getByText('Contents 3 parts').click()
      expect(await axeFindings(page), `${theme}, ${width} px`).toEqual([])
      expect(await overflow(page), `${theme}, ${width} px`).toEqual([])
    }
  }
})

test('footnotes and tasks are written by keyboard, and undone', async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tina Tastatur'))
  await openNewPost(page)
  const type = (keys: string) => page.keyboard.type(keys, { delay: 5 })
  // The code of footnotes is loaded when the writer enters the text.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('text-objects')),
  )
  await type('One')
  await type(' two[^1] three')
  await page.keyboard.press('Enter')
  await type('[^1]: The note')
  await page.keyboard.press('Enter')
  await type('- [x] done')
  await page.keyboard.press('Enter')
  await type('open')
  const withoutKeys = async () =>
    (await currentHtml(page)).replace(/(fn(?:ref)?-)[a-z0-9]{8}/g, '$1key').replace(/\n/g, '')
  const note = '<section class="footnotes"><ol><li id="fn-key"><p>The note</p></li></ol></section>'
  expect(await withoutKeys()).toBe(
    `<p>One two<sup class="footnote"><a id="fnref-key" href="#fn-key">1</a></sup> three</p><ul class="tasks"><li class="task done">done</li><li class="task">open</li></ul>${note}`,
  )
  // Into the note, on with it, and back.
  await editorBody(page).locator('sup.footnote').click()
  await type(' goes on')
  await page.keyboard.press('Escape')
  await type('!')
  expect(await withoutKeys()).toContain('1</a></sup>! three')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await type(' still')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  expect(await withoutKeys()).toContain('<p>The note goes on still</p>')
  await page.keyboard.press('Backspace')
  expect(await withoutKeys()).not.toContain('footnote')
  await page.keyboard.press('Control+z')
  await expect.poll(withoutKeys).toContain('<p>The note goes on still</p>')
})

test('after a pasted text with footnotes one writes on in the text', async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Paula Paste'))
  await openNewPost(page)
  await beginWith(page, '<p>Before</p><p>After</p>', { word: 'Before' })
  await page.keyboard.press('End')
  await paste(page, {
    html: '<p>Fact<a href="#fn1" id="fnref1"><sup>1</sup></a></p><ul><li>last</li></ul><section class="footnotes"><ol><li id="fn1"><p>One<a href="#fnref1">\u21a9</a></p></li></ol></section>',
  })
  await expect.poll(() => currentHtml(page)).toContain('<section class="footnotes">')
  await page.keyboard.type(' word')
  await expect.poll(() => currentHtml(page)).toContain('<li>last word</li>')
})
