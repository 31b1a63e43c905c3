// Every screen of the main job, in both themes, looked over by axe.
import type { Page } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { editorBody, makeNewcomer, signUp, toUpload } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'

const THEMES = ['dark', 'light'] as const

test('axe finds a fault on a page, and one in a frame of it', { tag: '@more' }, async ({
  visit,
}) => {
  const { page } = await visit()
  await page.goto('/robots.txt')
  await page.setContent(
    '<html lang="en"><title>t</title><main><h1>h</h1><iframe title="f" srcdoc="<img>"></iframe><button></button></main>',
  )
  const findings = await axeFindings(page)
  expect(findings.filter((one) => /^(?:button-name|image-alt): /.test(one))).toHaveLength(2)
})

test('axe finds nothing on the screens of the main job', { tag: '@more' }, async ({ visit }) => {
  test.slow() // axe looks at everything, twice
  const { page } = await visit()
  const visitor = await visit()
  for (const path of ['/login', '/signup']) {
    await visitor.page.goto(path)
    await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoFindings(visitor.page, path)
  }
  visitor.expectFault(/status of 404 .*\/nowhere\)$/)
  await visitor.page.goto('/nowhere')
  await expect(visitor.page.getByText('404 Not Found')).toBeVisible()
  await expectNoFindings(visitor.page, '/nowhere')

  await signUp(page, makeNewcomer('Frida Falk'))
  await expectNoFindings(page, '/dashboard')
  await page.getByRole('link', { name: 'addPost' }).click()
  await expect(editorBody(page)).toBeVisible()
  await expectNoFindings(page, '/add-post')
  await page.getByLabel('Title', { exact: true }).fill('Seen by everyone')
  await page.getByLabel('Featured image').setInputFiles(
    toUpload({
      name: 'sea.png',
      type: 'image/png',
      bytes: await drawPhoto('png', { width: 400, height: 225 }),
    }),
  )
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toHaveText(
    'Seen by everyone',
  )
  await expectNoFindings(page, '/post/{slug}')
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Seen by everyone' })).toBeVisible()
  await expectNoFindings(page, '/post')
})

test('axe finds nothing on the screens around an account', { tag: '@more' }, async ({ visit }) => {
  test.slow()
  const visitor = await visit()
  const link = '?userId=u&secret=s'
  for (const path of [
    '/forgot',
    `/verifyUserEmailLink${link}`,
    '/verifyUserEmailLink',
    `/verification${link}`,
    `/link${link}`,
    '/verifyOAuth',
  ]) {
    await visitor.page.goto(path)
    await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoFindings(visitor.page, path)
  }
  const { page } = await visit()
  await signUp(page, makeNewcomer('Gitte Graf'))
  await page.goto('/settings')
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
  await expectNoFindings(page, '/settings')
})

async function expectNoFindings(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await showTheme(page, theme)
    expect(await axeFindings(page), `${name}, ${theme}`).toEqual([])
  }
}
