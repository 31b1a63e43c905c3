// Checks that axe reports violations at all, and audits a page that the screen audit
// (test/support/screen-audit.ts) does not cover.
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { showTheme } from '#test/support/show-theme.ts'

test('axe reports a violation on a page and one inside a frame of it', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await page.goto('/robots.txt')
  await page.setContent(
    '<html lang="en"><title>t</title><main><h1>h</h1><iframe title="f" srcdoc="<img>"></iframe><button></button></main>',
  )
  const findings = await axeFindings(page)
  expect(findings.filter((finding) => /^(?:button-name|image-alt): /.test(finding))).toHaveLength(2)
})

test('axe reports no violations on the page that a sign-in link opens', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await page.goto('/link?userId=u&secret=s')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page), theme).toEqual([])
  }
})
