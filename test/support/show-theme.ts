// Puts a page into a theme at once: no colour is caught on its way to another.
import type { Page } from '@playwright/test'

export async function showTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((chosen) => {
    document.documentElement.classList.add('no-transitions')
    document.documentElement.dataset.theme = chosen
  }, theme)
}
