// Browser tests of a blog that sends its mail to a real SMTP server, which stores it.
import type { Page } from '@playwright/test'
import { test as base, expect } from './browser-blog.ts'
import { readLink } from './mail-text.ts'
import { makeSmtpSink, type SmtpSink } from './smtp-sink.ts'

export const test = base.extend<object, { mail: SmtpSink }>({
  mail: [
    async ({ browserName: _browserName }, use) => {
      await using sink = await makeSmtpSink()
      await use(sink)
    },
    { scope: 'worker' },
  ],
  blogEnv: [async ({ mail }, use) => use({ ...mail.env }), { scope: 'worker' }],
})

/**
 * Opens the link of a mail as a mail program does, and waits until its values are gone from the
 * address bar.
 */
export async function openLink(page: Page, mail: Parameters<typeof readLink>[0]): Promise<URL> {
  const link = readLink(mail)
  await page.goto(link.href)
  await expect(page).toHaveURL(new RegExp(`${link.pathname}$`))
  return link
}

/** Presses Tab until the target has the focus, as a person without a pointer does. */
export async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Sixty presses of Tab did not lead to ${target}`)
}
