// Switches the theme of a page without transitions, so that colours are final at once.
import type { Page } from '@playwright/test'

export async function showTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((chosen) => {
    document.documentElement.classList.add('no-transitions')
    document.documentElement.dataset.theme = chosen
  }, theme)
}
