// The journey of an author: a post is written, edited, deleted and restored.
import type { Page } from '@playwright/test'
import { signUpByApi } from '#test/support/browser-comments.ts'
import { holdRequests } from '#test/support/hold-requests.ts'
import { drawAnimation, drawPhoto } from '#test/support/images.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { stopTimers } from '#test/support/page-timers.ts'
import { drawnWidth, editorBody, startApp, toUpload } from '#test/support/people.ts'

const UPLOADS = '**/v1/storage/buckets/content/files'
const TITLE = 'The harbour at six, in three greys'

const titleField = (page: Page) => page.getByLabel('Title', { exact: true })

async function photo(
  name: string,
  type: 'jpeg' | 'png',
  { width, height }: { width: number; height: number },
) {
  const bytes = await drawPhoto(type, { width, height })
  return toUpload({ name, type: `image/${type}`, bytes })
}

test('alice writes a post with images, bob and a guest read it, and alice edits, deletes and restores it', async ({
  visit,
}) => {
  const alice = await visit()
  const bob = await visit()
  const guest = await visit({ javaScriptEnabled: false })
  const { page } = alice
  const { name } = await signUpByApi(alice, 'Alice Anders')
  await signUpByApi(bob, 'Bob Berg')

  // --- write ---
  await page.clock.install()
  await page.goto('/post')
  await startApp(page)
  await page.getByRole('link', { name: 'addPost' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New post' })).toBeVisible()
  await titleField(page).fill(TITLE)
  const slug = await page.getByLabel('Slug', { exact: true }).inputValue()
  expect(slug).toMatch(/^blog\d{13}l$/)
  await writeRichText(page)
  await page
    .getByLabel('Featured image')
    .setInputFiles(await photo('harbour.jpg', 'jpeg', { width: 640, height: 360 }))
  await expect(page.getByLabel('Status')).toHaveValue('active')
  const release = await holdRequests(page, UPLOADS)
  await stopTimers(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()
  release()

  // --- find and open the post ---
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`))
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Post published.')
  const toastBox = await toast.boundingBox()
  const metaBox = await page.locator('.post-meta').boundingBox()
  expect(
    (toastBox?.y ?? 0) + (toastBox?.height ?? 0),
    'the toast does not cover the author',
  ).toBeLessThan(metaBox?.y ?? 0)
  await page.clock.resume()
  await expectPost(page, { title: TITLE, author: name })
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page).toHaveURL(/\/post$/)
  const card = page.getByRole('article').filter({ hasText: TITLE })
  await expect(card).toContainText(`Post by : ${name}`)
  await expect(card).toContainText('Click to read post')
  expect(await drawnWidth(card.locator('img').first())).toBeGreaterThan(300)
  await card.getByRole('link', { name: TITLE }).click()
  await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toHaveText(TITLE)

  // --- another user, and a guest without scripts ---
  await bob.page.goto(`/post/${slug}`)
  const like = bob.page.getByRole('button', { name: 'Like this post' })
  await expect(like).toHaveAccessibleName('Like this post, 0 likes')
  await expect(bob.page.getByRole('button', { name: 'Edit menu' })).toHaveCount(0)
  await like.click()
  await expect(like).toHaveAccessibleName('Like this post, 1 like')
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await guest.page.goto(`/post/${slug}`)
  await expectPost(guest.page, { title: TITLE, author: name })
  await expect(guest.page).toHaveTitle(`${TITLE} · Web App`)
  await expect(guest.page.locator('meta[name="description"]')).toHaveAttribute(
    'content',
    /^At six the water is the colour of the sky/,
  )

  // --- edit: another title and image ---
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edit post' })).toBeVisible()
  await expect(titleField(page)).toHaveValue(TITLE)
  await titleField(page).fill(`${TITLE}, and gold`)
  await expect(page.getByLabel('Slug', { exact: true })).toHaveValue(slug)
  await expect(editorBody(page)).toContainText('At six the water')
  const animation = await drawAnimation({ frames: 2 })
  await page
    .getByLabel('Featured image')
    .setInputFiles(toUpload({ name: 'waves.gif', type: 'image/gif', bytes: animation }))
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`))
  await expectPost(page, { title: `${TITLE}, and gold`, author: name })
  await expect(page.getByRole('button', { name: 'Like this post' })).toHaveAccessibleName(
    'Like this post, 1 like',
  )
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('waves.gif')

  // --- avatar ---
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page
    .getByLabel('New avatar')
    .setInputFiles(await photo('me.png', 'png', { width: 320, height: 320 }))
  await stopTimers(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(
    page.getByText('Done! ...Avatar Will be updated across your device soon.'),
  ).toBeVisible()
  await page.clock.resume()
  const avatar = page.getByRole('region', { name: 'Your profile' }).locator('img').first()
  await expect(avatar).toHaveAttribute('src', /\/storage\/buckets\/avatars\/files\/\w+\/preview/)
  expect(await drawnWidth(avatar)).toBeGreaterThanOrEqual(300)

  // --- delete and restore ---
  await page.goto(`/post/${slug}`)
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('article')).toContainText('At six the water')
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await stopTimers(page) // So that the toast stays until it is pressed.
  await page.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await expect(page.getByRole('link', { name: TITLE })).toHaveCount(0)
  // The browser logs the answer.
  bob.expectFault(/status of 404 .*\/post\/blog\d+l\)$/)
  expect((await bob.page.goto(`/post/${slug}`))?.status()).toBe(404)
  await expect(bob.page.getByText('404 Not Found')).toBeVisible()
  await toast.getByRole('button', { name: 'Restore' }).click()
  await toast.getByRole('button', { name: 'Open' }).click()
  await page.clock.resume()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${TITLE}, and gold`)
  await expect(page.getByText('This post is inactive. Only you can see it.')).toBeVisible()
})

/** Writes bold text, a heading, a list and an image with the buttons of the editor. */
async function writeRichText(page: Page): Promise<void> {
  const body = editorBody(page)
  const bold = page.getByRole('button', { name: 'Bold' })
  await body.click()
  await body.pressSequentially('At six the water is the colour of the ')
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'true')
  await body.pressSequentially('sky')
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'false')
  await body.pressSequentially(', and the sky has not decided.')
  await body.press('Enter')
  await body.press('Shift+Alt+2')
  await body.pressSequentially('What I counted')
  await body.press('Enter')
  // The arrow of this split button opens the kinds of lists.
  await page
    .getByRole('button', { name: 'Bullet list' })
    .locator('.tox-split-button__chevron')
    .click()
  await page.getByRole('menuitemradio', { name: 'Default' }).click()
  await expect(body.getByRole('list')).toBeVisible()
  await body.pressSequentially('eleven gulls')
  await body.press('Enter')
  await body.pressSequentially('one bicycle')
  await body.press('Enter')
  await body.press('Enter')

  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .setInputFiles(await photo('gulls.png', 'png', { width: 480, height: 320 }))
  await dialog.getByLabel('What is in the picture alt text').fill('Gulls on a rail')
  await dialog.getByRole('button', { name: /^Insert/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(body.getByRole('img', { name: 'Gulls on a rail' })).toBeVisible()
}

/** Expects title, author and rich text of the post, and that the browser has drawn both images. */
async function expectPost(
  page: Page,
  { title, author }: { title: string; author: string },
): Promise<void> {
  const article = page.getByRole('article')
  await expect(article.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(article).toContainText(author)
  await expect(article.locator('strong')).toHaveText('sky')
  await expect(article.getByRole('heading', { level: 2, name: 'What I counted' })).toBeVisible()
  await expect(article.getByRole('listitem')).toHaveText(['eleven gulls', 'one bicycle'])
  const bodyImage = article.getByRole('img', { name: 'Gulls on a rail' })
  await expect(bodyImage).toBeVisible()
  await expect
    .poll(() => pixels(bodyImage), { message: 'width of the image in the text' })
    .toBe(480)
  await expect
    .poll(() => pixels(article.locator('.featured-image img')), {
      message: 'width of the featured image',
    })
    .toBeGreaterThan(300)
}

/** The decoded width, also on a page without JavaScript. */
async function pixels(image: ReturnType<Page['locator']>): Promise<number> {
  await image.scrollIntoViewIfNeeded()
  return await image.evaluate((element) =>
    element instanceof HTMLImageElement ? element.naturalWidth : 0,
  )
}
