// Whether a page scrolls sideways, and because of which elements.
import type { Page } from '@playwright/test'

/** Empty while the page does not scroll sideways; else the elements that reach past its edge. */
export async function overflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const root = document.documentElement
    if (root.scrollWidth <= root.clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return right > root.clientWidth + 1 || left < -1
    })
    return [
      `${root.scrollWidth} px`,
      ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)),
    ]
  })
}
