// The header at every width: one row, however long the name of the blog is and however large the
// letters are.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp, startApp } from '#test/support/people.ts'

const WIDTHS = [320, 360, 390, 414, 768, 1280]
const NAMES = [
  'Night Kitchen',
  'The Night Kitchen of the Old Harbour and Its Friends',
  'مطبخ الليل '.repeat(5),
]

/** How many rows the controls of the header fill, and whether they are inside the window. */
async function layOut(page: Page, name: string, letters: string) {
  return page.evaluate(
    ([text = '', size = '']) => {
      document.documentElement.style.fontSize = size
      const brand = document.querySelector('.brand bdi')
      if (brand) brand.textContent = text
      const controls = [...document.querySelectorAll('.header :is(a, button, input)')]
        .filter((control) => control.checkVisibility() && !control.closest('[role=menu]'))
        .map((control) => control.getBoundingClientRect())
      const rows = new Set(controls.map(({ top, height }) => Math.round(top + height / 2)))
      const right = Math.max(...controls.map((box) => box.right))
      return { rows: rows.size, isInside: right <= innerWidth }
    },
    [name, letters],
  )
}

async function expectOneRow(page: Page): Promise<void> {
  for (const width of WIDTHS)
    for (const name of NAMES)
      for (const letters of ['100%', '200%']) {
        await page.setViewportSize({ width, height: 600 })
        const layout = await layOut(page, name, letters)
        expect(layout, `${width} px, ${letters}, ${name}`).toEqual({ rows: 1, isInside: true })
      }
}

test('the header has one row for guests and members, and the link addPost is visible at 320 px', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await page.goto('/login')
  await startApp(page)
  await expectOneRow(page)
  await signUp(page, makeNewcomer('Hedda Header'))
  await expectOneRow(page)
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  await page.setViewportSize({ width: 320, height: 600 })
  await expect(page.getByRole('link', { name: 'addPost' })).toBeVisible()
})
