// The main job, as people do it: sign up, write with images and rich text, find, read, like,
// edit, change the avatar, delete.
import type { Page } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { drawAnimation, drawPhoto } from '#test/support/images.ts'
import {
  drawnWidth,
  editorBody,
  fillSignUp,
  makeNewcomer,
  signIn,
  signUp,
  toUpload,
} from '#test/support/people.ts'

const TITLE = 'The harbour at six, in three greys'

test('alice writes with real images, bob likes, alice edits, changes her avatar and deletes', async ({
  visit,
}) => {
  const alice = await visit()
  const bob = await visit()
  const guest = await visit({ javaScriptEnabled: false })
  const { page } = alice
  const author = makeNewcomer('Alice Anders')
  const reader = makeNewcomer('Bob Berg')
  await signUp(page, author)

  // --- write ---
  await page.getByRole('link', { name: 'addPost' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New post' })).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  const slug = await page.getByLabel('Slug', { exact: true }).inputValue()
  expect(slug).toMatch(/^blog\d{13}l$/)
  await writeRichText(page)
  await page.getByLabel('Featured image').setInputFiles(
    toUpload({
      name: 'harbour.jpg',
      type: 'image/jpeg',
      bytes: await drawPhoto('jpeg', { width: 1600, height: 900 }),
    }),
  )
  await expect(page.getByLabel('Status')).toHaveValue('active')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Uploading Please Wait ......')).toBeVisible()

  // --- find and open ---
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`))
  await expectPost(page, { title: TITLE, author: author.name })
  await page.getByRole('link', { name: 'all posts', exact: true }).click()
  await expect(page).toHaveURL(/\/post$/)
  const card = page.getByRole('article').filter({ hasText: TITLE })
  await expect(card).toContainText(`Post by : ${author.name}`)
  await expect(card).toContainText('Click to read post')
  expect(await drawnWidth(card.getByRole('img').or(card.locator('img')).first())).toBeGreaterThan(
    300,
  )
  await card.getByRole('link', { name: TITLE }).click()
  await expectPost(page, { title: TITLE, author: author.name })

  // --- somebody else likes it ---
  await signUp(bob.page, reader)
  await bob.page.getByRole('link', { name: 'all posts', exact: true }).click()
  await bob.page.getByRole('link', { name: TITLE }).click()
  const like = bob.page.getByRole('button', { name: 'Like this post' })
  await expect(like).toHaveAccessibleName('Like this post, 0 likes')
  await expect(bob.page.getByRole('button', { name: 'Edit menu' })).toHaveCount(0)
  await like.click()
  await expect(like).toHaveAccessibleName('Like this post, 1 like')
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await bob.page.reload()
  await expect(like).toHaveAccessibleName('Like this post, 1 like')
  await expect(like).toHaveAttribute('aria-pressed', 'true')

  // --- a visitor without an account and without scripts reads what the server rendered ---
  await guest.page.goto(`/post/${slug}`)
  await expectPost(guest.page, { title: TITLE, author: author.name })
  await expect(guest.page).toHaveTitle(`${TITLE} · Web App`)
  await expect(guest.page.locator('meta[name="description"]')).toHaveAttribute(
    'content',
    /^At six the water is the colour of the sky/,
  )

  // --- edit: other words, other image ---
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Edit post' })).toBeVisible()
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue(TITLE)
  await page.getByLabel('Title', { exact: true }).fill(`${TITLE}, and gold`)
  await expect(page.getByLabel('Slug', { exact: true })).toHaveValue(slug)
  await expect(editorBody(page)).toContainText('At six the water')
  await page
    .getByLabel('Featured image')
    .setInputFiles(toUpload({ name: 'waves.gif', type: 'image/gif', bytes: await drawAnimation() }))
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`))
  await expectPost(page, { title: `${TITLE}, and gold`, author: author.name })
  await expect(page.getByRole('button', { name: 'Like this post' })).toHaveAccessibleName(
    'Like this post, 1 like',
  )
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('waves.gif')

  // --- avatar ---
  await page.getByRole('link', { name: 'dashboard', exact: true }).click()
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page.getByLabel('New avatar').setInputFiles(
    toUpload({
      name: 'me.png',
      type: 'image/png',
      bytes: await drawPhoto('png', { width: 400, height: 400, hue: 20 }),
    }),
  )
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(
    page.getByText('Done! ...Avatar Will be updated across your device soon.'),
  ).toBeVisible()
  const avatar = page.getByRole('region', { name: 'Your profile' }).locator('img').first()
  await expect(avatar).toHaveAttribute('src', /\/storage\/buckets\/avatars\/files\/\w+\/preview/)
  expect(await drawnWidth(avatar)).toBeGreaterThanOrEqual(300)

  // --- delete ---
  await page.goto(`/post/${slug}`)
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectPost(page, { title: `${TITLE}, and gold`, author: author.name })
  await page.getByRole('button', { name: 'Delete menu' }).click()
  await page.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await expect(page.getByRole('link', { name: TITLE })).toHaveCount(0)
  // The browser's own note of the answer asked for here.
  bob.expectFault(/status of 404 .*\/post\/blog\d+l\)$/)
  const gone = await bob.page.goto(`/post/${slug}`)
  expect(gone?.status()).toBe(404)
  await expect(bob.page.getByText('404 Not Found')).toBeVisible()
})

test('guards: a signed-out visitor is led to sign in and back; a signed-in person skips the forms', async ({
  visit,
}) => {
  const { page } = await visit()
  const person = makeNewcomer('Carla Conti')
  await page.goto('/post')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('link', { name: "Don't have any account? Sign Up" }).click()
  await fillSignUp(page, person)
  await expect(page).toHaveURL(/\/post$/)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/')
  await expect(page).toHaveURL(/\/post$/)
  await expect(page.getByRole('heading', { level: 1, name: 'All posts' })).toBeVisible()
})

test('a wrong password is said above the form, and nobody is signed in', { tag: '@more' }, async ({
  visit,
}) => {
  const newcomer = makeNewcomer('Dora Dietrich')
  const first = await visit()
  await signUp(first.page, newcomer)
  const { page, expectFault } = await visit()
  expectFault(/status of 401/)
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(newcomer.email)
  await page.getByLabel('Password', { exact: true }).fill('not her password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Email or password is not correct.' }),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, newcomer)
})

/** Bold, a heading, a list and an image in the text, by the editor's own buttons. */
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
  // A split button: its arrow opens the kinds of list.
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
  await dialog.locator('input[type=file]').setInputFiles(
    toUpload({
      name: 'gulls.png',
      type: 'image/png',
      bytes: await drawPhoto('png', { width: 480, height: 320, hue: 200 }),
    }),
  )
  await dialog.getByLabel('What is in the picture alt text').fill('Gulls on a rail')
  await dialog.getByRole('button', { name: /^Insert/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(body.getByRole('img', { name: 'Gulls on a rail' })).toBeVisible()
}

/** The whole post: title, author, rich text, and both images really drawn. */
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
  const inText = article.getByRole('img', { name: 'Gulls on a rail' })
  await expect(inText).toBeVisible()
  await expect.poll(() => pixels(inText), { message: 'width of the image in the text' }).toBe(480)
  await expect
    .poll(() => pixels(article.locator('.featured-image img')), {
      message: 'width of the featured image',
    })
    .toBeGreaterThan(300)
}

/** Width as decoded, without running a script of the page (a page without JavaScript has none). */
async function pixels(image: ReturnType<Page['locator']>): Promise<number> {
  await image.scrollIntoViewIfNeeded()
  return await image.evaluate((element) =>
    element instanceof HTMLImageElement ? element.naturalWidth : 0,
  )
}
