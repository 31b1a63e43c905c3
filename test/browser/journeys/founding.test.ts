// A founder sets up a blog in the browser, by keyboard at the width of a phone.
import { axeFindings } from '#test/support/axe.ts'
import type { Visitor } from '#test/support/browser-blog.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { makeDataDir, readErrorEntries, startServer } from '#test/support/process.ts'

test('a founder sets up a blog by keyboard and is led to the first post', async ({ visit }) => {
  await using data = await makeDataDir()
  const server = await startServer(data.path)
  try {
    const founder = await visit({ baseURL: server.url, viewport: { width: 390, height: 844 } })
    await setUpBlog(founder)
    // An open page would report that the server has stopped.
    await founder.page.close()
  } finally {
    await server.stop()
  }
  expect(server.child.exitCode, 'exit code of the server').toBe(0)
  expect(readErrorEntries(server), 'the server log').toEqual([])
})

async function setUpBlog({ page, expectFault }: Visitor): Promise<void> {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Set up your blog' }).click()
  await expect(page.getByText('Only this machine can open this page')).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL(/\/setup$/)
  await expect(page.getByRole('button', { name: 'Theme' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Open the blog' }).click()
  await expect(page.locator('.alert')).toHaveText(
    'Write your name. It is shown under your posts. Type your email address. Choose a password.',
  )
  expectFault(/400/)
  const name = page.getByLabel('Name of the blog')
  await expect(name).toHaveAttribute('placeholder', 'Web App')
  await expect(name).toHaveValue('')
  await name.focus()
  await page.keyboard.type('Harbour <b>Notes</b>')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Mara Ellison')
  await page.keyboard.press('Tab')
  await page.keyboard.type('mara@example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a lamp on the pier')
  await page.keyboard.press('Enter')
  await expect(page.locator('.alert')).toBeFocused()
  await expect(page.locator('.alert')).toHaveText('Enter a valid email address.')
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('a lamp on the pier')
  await page.getByLabel('Email').fill('mara@example.test')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Your blog is open' })).toBeVisible()
  await expect(page.locator('.brand')).toHaveText('Harbour <b>Notes</b>')
  await expect(page.getByText('Everyone may read')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write the first post' })).toBeVisible()
  await page.goto('/setup')
  await expect(page).not.toHaveURL(/setup/)
}
