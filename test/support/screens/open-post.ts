// Opens the post page and the post form in the states of states.ts.
import {
  CLOCK,
  editorText,
  imageFile,
  neverAnswer,
  ONE_DOCUMENT,
  openFeed,
  refuse,
  type Stage,
  settled,
  visit,
} from './stage.ts'

const WIEBKES = 'Fog has a sound'

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

const SHOWN = `<p>I keep the fares in a small program:</p><pre class="language-javascript"><code><span class="c-c">// worth it for the bridge at 5:40 alone</span>
<span class="c-k">import</span> { legs } <span class="c-k">from</span> <span class="c-s">'./fares.js'</span>

<span class="c-k">export</span> <span class="c-k">class</span> <span class="c-t">Journey</span> {
  <span class="c-f">fare</span>(<span class="c-a">berths</span> = <span class="c-n">1</span>) {
    <span class="c-k">return</span> legs.<span class="c-f">length</span> * berths
  }
}</code></pre><figure><iframe src="https://www.youtube-nocookie.com/embed/M7lc1UVf-VE" title="The bridge at 5:40"></iframe><figcaption>Two minutes from the corridor window.</figcaption></figure><p>Then it is morning.</p>`

/** A post with code and a video, scrolled to the video. */
export async function openVideo({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), highlightedContent: SHOWN } })
  })
  await page.getByRole('link', { name: CLOCK }).click()
  await page.getByRole('link', { name: /^Play video/ }).scrollIntoViewIfNeeded()
  await page.getByText('Then it is morning.').scrollIntoViewIfNeeded()
  await settled(page)
}

export async function openAfterPost({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.locator('.after-post').scrollIntoViewIfNeeded()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await settled(page)
}

export async function openPostInfo({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.locator('.post-info summary').click()
  await page.getByText(/^id /).waitFor()
}

export async function openPreview(stage: Stage): Promise<void> {
  const { page } = stage
  await openEditForm(stage)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('.preview iframe').getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
}

export async function openLoadingPost({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, neverAnswer)
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
  // By keyboard, so that the focus is visible.
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
  await page.getByRole('button', { name: 'Generate from title' }).click()
  await page.getByText('Generated from title').waitFor()
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
  await page.route('**/files', neverAnswer)
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
