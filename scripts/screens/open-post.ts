// The post page and the post form, each brought into its state (states.ts).
import {
  CLOCK,
  editorText,
  imageFile,
  never,
  ONE_DOCUMENT,
  openFeed,
  refuse,
  type Stage,
  settled,
  visit,
} from './stage.ts'

export const WIEBKES = 'Fog has a sound'

export async function openWithoutBar({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: 'Bottom bar' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' })
}

export async function openWithoutImage({ page, postPath }: Stage): Promise<void> {
  await page.route('**/preview?**', (route) => route.fulfill({ status: 404 }))
  await visit(page, postPath(WIEBKES), WIEBKES)
  await page.locator('.featured-image .cover').waitFor()
}

export async function openLoadingPost({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, never)
  await page.getByRole('link', { name: CLOCK }).click()
  await page.getByText('Loading Post ...').waitFor()
}

export async function openLikeQuestion({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await page.getByText('Sign in to like this post').waitFor()
}

export async function openFailedLike({ page, postPath }: Stage): Promise<void> {
  await page.route(ONE_DOCUMENT, (route) =>
    route.request().method() === 'PATCH' ? refuse(503)(route) : route.fallback(),
  )
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await page.getByText('Your like was not saved.').waitFor()
}

export async function openEditMenu({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
}

export async function openDeleteQuestion({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  // By a key, so that its first focus is visible.
  await page.getByRole('button', { name: 'Delete menu' }).press('Enter')
  await page.getByRole('alertdialog').waitFor()
}

export async function openForm({ page }: Stage): Promise<void> {
  await visit(page, '/add-post', 'New post')
  await editorText(page)
}

export async function openDrawnCover(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.getByLabel('Title', { exact: true }).fill('Notes from a night train')
  await page.getByRole('button', { name: 'Make one from the title' }).click()
  await page.getByText('Drawn from the title').waitFor()
  await settled(page)
}

export async function openFilledForm(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.getByLabel('Title', { exact: true }).fill('Notes from a night train')
  await page
    .getByLabel('Featured image')
    .setInputFiles(await imageFile('night-train.jpg', { width: 1200, height: 675 }))
  const body = await editorText(page)
  await body.click()
  await page.keyboard.type(
    'At a quarter past nine the platform lights go amber and the whole station seems to lower its voice.',
  )
  await page.getByRole('heading', { level: 1 }).click()
  await settled(page)
}

/** Saving never ends here. */
export async function openSavingForm(stage: Stage): Promise<void> {
  const { page } = stage
  await openEditForm(stage)
  await page.route('**/files', never)
  await page
    .getByLabel('Featured image')
    .setInputFiles(await imageFile('night-train.jpg', { width: 1200, height: 675 }))
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Uploading Please Wait ......').waitFor()
  await settled(page)
}

export async function openFormErrors(stage: Stage): Promise<void> {
  await openForm(stage)
  await stage.page.getByRole('button', { name: 'Submit' }).click()
  await stage.page.getByText('Choose an image for the post.').first().waitFor()
}

export async function openEditForm({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK).replace('/post/', '/edit-post/'), 'Edit post')
  await editorText(page)
  await settled(page)
}

export async function openForeignForm({ page, postPath }: Stage): Promise<void> {
  await page.goto(postPath(WIEBKES).replace('/post/', '/edit-post/'))
  await page.getByText('This is not your post').waitFor()
}
