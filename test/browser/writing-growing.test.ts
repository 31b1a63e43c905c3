// The editor in its page: it grows with the text, its toolbar stays visible, and nothing shifts
// while it loads.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { openNewPost } from '#test/support/editor-ui.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const PHONE = { width: 390, height: 844 }
const WIDTHS = [{ width: 1280, height: 900 }, PHONE]
const LONG = Array.from({ length: 40 }, (_, index) => `<p>Line ${index} of a long text</p>`).join(
  '',
)

test('the editor grows with its text, the page follows the caret, the toolbar stays under the header, and bar and footer hide while writing', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Greta Grow'))
  await openNewPost(page)
  await page.evaluate((html) => window.hugerte.activeEditor.setContent(html), LONG)
  await editorBody(page).press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('the end')
  const frame = editorBody(page)
  await expect
    .poll(() =>
      frame.evaluate(
        ({ ownerDocument: { documentElement: root } }) => root.scrollHeight - root.clientHeight,
      ),
    )
    .toBe(0)
  await expect(frame.getByText('the end')).toBeInViewport({ ratio: 1 })
  const tools = page.getByRole('button', { name: 'Bold' })
  const headerEdge = (await page.getByRole('banner').boundingBox())?.height ?? 0
  const top = (await tools.boundingBox())?.y ?? 0
  expect(top).toBeGreaterThanOrEqual(headerEdge)
  expect(top).toBeLessThan(headerEdge + 20)
  await expect(page.locator('.bottom-bar')).toBeHidden()
  await expect(page.locator('.footer')).toBeHidden()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await expect(frame.getByText('Line 0 ')).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Title', { exact: true }).focus()
  await expect(page.locator('.bottom-bar')).toBeHidden()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(page.locator('.bottom-bar')).toBeVisible()
  await expect(page.locator('.footer')).toBeVisible()
})

test('on a phone the toolbar is right above the keyboard', { tag: '@more' }, async ({ visit }) => {
  const { page } = await visit({ viewport: PHONE, hasTouch: true, isMobile: true })
  await signUp(page, makeNewcomer('Kira Keyboard'))
  await openNewPost(page)
  const openKeyboard = (height: number) =>
    page.evaluate((visibleHeight) => {
      // A headless browser shows no keyboard, so the test sets the height that a browser would
      // report.
      Object.defineProperty(window.visualViewport, 'height', {
        value: visibleHeight,
        configurable: true,
      })
      window.visualViewport?.dispatchEvent(new Event('resize'))
    }, height)
  const bold = page.getByRole('button', { name: 'Bold' })
  await openKeyboard(500)
  await expect
    .poll(async () => {
      const box = await bold.boundingBox()
      return box ? Math.round(500 - box.y - box.height) : undefined
    })
    .toBeLessThan(8)
  await openKeyboard(844)
  await expect(page.locator('html')).not.toHaveAttribute('data-keyboard')
})

for (const viewport of WIDTHS)
  test(`nothing shifts while the form and its editor load, ${viewport.width} px wide`, {
    tag: '@more',
  }, async ({ visit }) => {
    const { page, context } = await visit({ viewport })
    await signUp(page, makeNewcomer(`Stella Still ${viewport.width}`))
    const slug = await writePost(page.request, { title: 'Long', content: LONG })
    await context.addInitScript(() => {
      window.layoutShifts = []
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries() as (PerformanceEntry & Shift)[])
          window.layoutShifts.push({ value: shift.value, moved: shift.sources.map(nameOf) })
        function nameOf({ node }: { node?: Node | null }): string {
          const element = node as Element | null | undefined
          return `${element?.nodeName} ${element?.className}`
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    for (const path of ['/add-post', `/edit-post/${slug}`]) {
      await page.goto(path)
      await expect(editorBody(page)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
      expect(await shiftsOf(page), path).toEqual([])
    }
  })

type Shift = { value: number; sources: { node?: Node | null }[] }
declare global {
  interface Window {
    layoutShifts: { value: number; moved: string[] }[]
  }
}

/** Waits two frames, in which the last shifts would be reported. */
function shiftsOf(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.layoutShifts)))
      }),
  )
}
