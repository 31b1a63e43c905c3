// A page that the browser translates: no press and no change of the connection ends on the error
// screen. On the seeded blog, on every screen in every state.
import type { Page } from '@playwright/test'
import { expect } from '#test/support/browser-blog.ts'
import { startApp } from '#test/support/people.ts'
import { test } from '#test/support/screen-audit.ts'
import { SCREEN_STATES } from '#test/support/screens/states.ts'
import { findBareTexts, translate } from '#test/support/translate.ts'

const PRESSES_MAX = 30
const TEST_TIMEOUT_MS = 120_000

/** The home page holds the app back, which goes on to the posts at once. */
const APP_STATES = SCREEN_STATES.filter(({ name }) => name !== 'home')

for (const state of APP_STATES) {
  test(`screen ${state.name}, translated: everything can be pressed`, { tag: '@more' }, async ({
    visit,
    seeded,
  }) => {
    test.setTimeout(TEST_TIMEOUT_MS)
    const { page, context, expectFault } = await visit()
    // Only an exception counts here.
    expectFault(/^(console|answer)/)
    if (state.viewer) await context.addCookies(seeded.cookiesOf(state.viewer))
    await state.open({ page, postPath: seeded.postPath })
    await startApp(page)
    expect(await findBareTexts(page), 'texts beside other content').toEqual([])
    await translate(page)
    // The blog stays as it is: what is sent gets no answer.
    await page.route('**/v1/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    )
    await context.setOffline(true)
    await context.setOffline(false)
    await pressAll(page)
    await expect(page.locator('body')).not.toContainText('Unexpected Application Error!')
    expect(await findBareTexts(page), 'texts beside other content, later').toEqual([])
  })
}

test('a page that is translated before the app runs is taken over', { tag: '@more' }, async ({
  visit,
  seeded,
}) => {
  const { page, context } = await visit()
  await context.addCookies(seeded.cookiesOf('tobias'))
  await page.goto('/settings', { waitUntil: 'domcontentloaded' })
  await translate(page)
  await startApp(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
})

/** Presses each control that is in sight, also those that a press brings. */
async function pressAll(page: Page): Promise<void> {
  await page
    .evaluate(async (most) => {
      const pressed = new Set<Element>()
      const selector = 'button, summary, [role^=menuitem], input[type=radio], input[type=checkbox]'
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      while (pressed.size < most) {
        const next = [...document.querySelectorAll<HTMLElement>(selector)].find(
          (control) => !pressed.has(control) && control.checkVisibility(),
        )
        if (!next) return
        pressed.add(next)
        next.click()
        await frame()
      }
    }, PRESSES_MAX)
    // A link to another document ends the page.
    .catch((error: Error) => {
      if (!/navigat|destroyed/.test(error.message)) throw error
    })
}
