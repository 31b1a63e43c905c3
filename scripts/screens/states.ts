// Every screen in every state, and how the seeded blog is brought into it: for the pictures of `npm
// run screens` and for the browser tests that look over all of them. Knows nothing of pictures or
// findings.
import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { AVATAR_FILE_MAX_BYTES } from '../../contract/limits.ts'
import type { PersonKey } from '../seed/people.ts'
import { drawScene } from '../seed/scenes.ts'

export type Stage = {
  page: Page
  /** The address of the post with this title. */
  postPath(title: string): string
}

export type ScreenState = {
  /** Of its file: the screen and its state. */
  name: string
  /** Who looks; nobody signed in when absent. */
  viewer?: PersonKey
  /** A state of less weight: one picture in the dark theme is enough. */
  isExtra?: true
  /** Only one kind of screen has this state. */
  only?: 'wide' | 'narrow'
  /** Console lines and failed answers that belong to the state. */
  faults?: RegExp
  open(stage: Stage): Promise<void>
}

const CLOCK = 'A clock that is wrong on purpose'
const LETTER = 'رسالة إلى نافذة لا تُفتح'
const WIEBKES = 'Fog has a sound'
const LISTS = /\/documents\?/
const ONE_DOCUMENT = /\/documents\/\w+(\?|$)/
const FAILED = /status of (?:4\d\d|5\d\d)|ERR_INTERNET_DISCONNECTED|answer 5\d\d/
const LINK = '?userId=u&secret=s'

const never = (): Promise<void> => new Promise(() => {})
const answer = (status: number, body: object) => (route: Route) =>
  route.fulfill({ status, json: body, headers: { 'x-request-id': '660b898c24b88c839a13' } })
const refuse = (status: number) =>
  answer(status, { message: 'Refused.', code: status, type: 'general_unknown', version: '1' })

export const SCREEN_STATES: readonly ScreenState[] = [
  { name: 'home', open: openHome },
  { name: 'guard', viewer: 'tobias', open: openGuard },
  { name: 'feed', viewer: 'tobias', open: ({ page }) => openFeed(page) },
  { name: 'feed-more', isExtra: true, viewer: 'tobias', open: openMore },
  { name: 'feed-loading', viewer: 'tobias', open: openLoadingFeed },
  { name: 'feed-empty', viewer: 'tobias', open: openEmptyFeed },
  { name: 'feed-error', viewer: 'tobias', faults: FAILED, open: openFailedFeed },
  { name: 'offline', viewer: 'tobias', faults: FAILED, open: openOffline },
  { name: 'focus-card', viewer: 'tobias', open: openFocusedCard },
  { name: 'theme-menu', viewer: 'tobias', only: 'wide', open: openThemeMenu },
  { name: 'account-menu', viewer: 'tobias', open: openAccountMenu },
  { name: 'shortcuts', isExtra: true, viewer: 'tobias', only: 'wide', open: openShortcuts },
  {
    name: 'post',
    viewer: 'noor',
    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  {
    name: 'post-visitor',
    isExtra: true,
    open: ({ page, postPath }) => visit(page, postPath(CLOCK), CLOCK),
  },
  { name: 'post-bar-hidden', open: openWithoutBar },
  {
    name: 'post-rtl',
    viewer: 'wiebke',
    open: ({ page, postPath }) => visit(page, postPath(LETTER), LETTER),
  },
  {
    name: 'post-no-image',
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: openWithoutImage,
  },
  { name: 'post-loading', viewer: 'wiebke', open: openLoadingPost },
  {
    name: 'post-missing',
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: ({ page }) => visit(page, '/post/blog1l', 'This post is not here'),
  },
  { name: 'post-like-sign-in', isExtra: true, open: openLikeQuestion },
  {
    name: 'post-like-failed',
    isExtra: true,
    viewer: 'wiebke',
    faults: FAILED,
    open: openFailedLike,
  },
  { name: 'post-owner-edit', viewer: 'tobias', open: openEditMenu },
  { name: 'post-owner-delete', viewer: 'tobias', open: openDeleteQuestion },
  { name: 'post-form', viewer: 'tobias', open: openFilledForm },
  { name: 'post-form-empty', isExtra: true, viewer: 'tobias', open: openForm },
  { name: 'post-form-errors', viewer: 'tobias', open: openFormErrors },
  { name: 'post-form-edit', viewer: 'tobias', open: openSavingForm },
  { name: 'post-form-edit-idle', isExtra: true, viewer: 'tobias', open: openEditForm },
  { name: 'post-form-forbidden', isExtra: true, viewer: 'tobias', open: openForeignForm },
  { name: 'dashboard', viewer: 'tobias', open: openDashboard },
  { name: 'dashboard-empty', viewer: 'pia', open: openEmptyDashboard },
  { name: 'dashboard-avatar', viewer: 'noor', open: openSendingAvatar },
  {
    name: 'settings',
    isExtra: true,
    viewer: 'tobias',
    open: ({ page }) => visit(page, '/settings', 'Settings'),
  },
  { name: 'login', open: ({ page }) => visit(page, '/login', 'Sign in to your account') },
  { name: 'login-error', faults: FAILED, open: openFailedSignIn },
  { name: 'signup', open: openPendingSignUp },
  { name: 'forgot', open: openSentRecovery },
  { name: 'reset', open: openDifferingPasswords },
  { name: 'verify-email', faults: FAILED, open: openSpentLink },
  {
    name: 'verify-email-incomplete',
    isExtra: true,
    open: ({ page }) => visit(page, '/verifyUserEmailLink'),
  },
  { name: 'verification', open: openGoogleLanding },
  {
    name: 'verification-email',
    isExtra: true,
    open: ({ page }) => visit(page, `/verification${LINK}`),
  },
  { name: 'verify-oauth', viewer: 'tobias', open: ({ page }) => visit(page, '/verifyOAuth') },
  {
    name: 'not-found',
    faults: FAILED,
    open: ({ page }) => visit(page, '/nowhere', '404 Not Found'),
  },
  { name: 'error', viewer: 'wiebke', faults: FAILED, open: openError },
]

/** Opens a page and waits for its title to be there. */
async function visit(page: Page, path: string, title?: string): Promise<void> {
  await page.goto(path)
  const heading = page.getByRole('heading', { level: 1, ...(title ? { name: title } : {}) })
  await heading.first().waitFor()
  await settled(page)
}

/** Every picture that is on screen has been drawn or has failed, and so has the face. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    await document.fonts.ready
    const isOnScreen = ({ top, bottom }: DOMRect): boolean => bottom > 0 && top < innerHeight
    const shown = [...document.images].filter((image) => isOnScreen(image.getBoundingClientRect()))
    if (!shown.every(({ complete }) => complete)) return false
    await Promise.allSettled(shown.map((image) => image.decode()))
    return true
  })
}

async function openFeed(page: Page): Promise<void> {
  await visit(page, '/post', 'All posts')
  await page.getByRole('link', { name: CLOCK }).waitFor()
  await settled(page)
}

/** Seen only until the app has started: here it never does. */
async function openHome({ page }: Stage): Promise<void> {
  await page.route('**/assets/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await visit(page, '/', 'home')
}

async function openGuard({ page }: Stage): Promise<void> {
  await page.route('**/v1/account', never)
  await page.goto('/post')
  await page.getByText('Loading...').waitFor()
}

async function openMore({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByText('Showing 24 of').waitFor()
}

async function openLoadingFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, never)
  await page.goto('/post')
  await page.getByText('Loading Posts ...').waitFor()
}

async function openEmptyFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, answer(200, { total: 0, documents: [] }))
  await page.goto('/post')
  await page.getByText('The first page is blank').waitFor()
}

async function openFailedFeed({ page }: Stage): Promise<void> {
  await page.route(LISTS, refuse(503))
  await page.goto('/post')
  await page.getByText('Something went wrong ... Please try again').waitFor()
}

async function openOffline({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
}

async function openFocusedCard({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.keyboard.press('Tab') // the ring is for those who use keys
  await page.getByRole('article').nth(1).getByRole('link').focus()
}

async function openThemeMenu({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: 'Theme', exact: true }).click()
  await page.getByRole('menu', { name: 'Theme' }).waitFor()
}

async function openAccountMenu({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menu', { name: 'Account' }).waitFor()
}

async function openShortcuts({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}

async function openWithoutBar({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: 'Bottom bar' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' })
}

async function openWithoutImage({ page, postPath }: Stage): Promise<void> {
  await page.route('**/preview?**', (route) => route.fulfill({ status: 404 }))
  await visit(page, postPath(WIEBKES), WIEBKES)
  await page.locator('.featured-image .cover').waitFor()
}

async function openLoadingPost({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, never)
  await page.getByRole('link', { name: CLOCK }).click()
  await page.getByText('Loading Post ...').waitFor()
}

async function openLikeQuestion({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await page.getByText('Sign in to like this post').waitFor()
}

async function openFailedLike({ page, postPath }: Stage): Promise<void> {
  await page.route(ONE_DOCUMENT, (route) =>
    route.request().method() === 'PATCH' ? refuse(503)(route) : route.fallback(),
  )
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: /^Like this post/ }).click()
  await page.getByText('Your like was not saved.').waitFor()
}

async function openEditMenu({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: 'Edit menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
}

async function openDeleteQuestion({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK), CLOCK)
  await page.getByRole('button', { name: 'Delete menu' }).press('Enter') // by a key, so that its first focus is to be seen
  await page.getByRole('alertdialog').waitFor()
}

async function openForm({ page }: Stage): Promise<void> {
  await visit(page, '/add-post', 'New post')
  await page.frameLocator('iframe').locator('body[contenteditable="true"]').waitFor()
}

async function openFilledForm(stage: Stage): Promise<void> {
  const { page } = stage
  await openForm(stage)
  await page.getByLabel('Title', { exact: true }).fill('Notes from a night train')
  await page
    .getByLabel('Featured image')
    .setInputFiles(await pictureFile('night-train.jpg', { width: 1200, height: 675 }))
  const body = page.frameLocator('iframe').locator('body[contenteditable="true"]')
  await body.click()
  await page.keyboard.type(
    'At a quarter past nine the platform lights go amber and the whole station seems to lower its voice.',
  )
  await page.getByRole('heading', { level: 1 }).click()
  await settled(page)
}

/** A drawn picture, as a person would choose it. */
async function pictureFile(name: string, { width, height }: { width: number; height: number }) {
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: await sharp(Buffer.from(drawScene('train', 7)))
      .resize(width, height, { fit: 'cover' })
      .jpeg()
      .toBuffer(),
  }
}

/** Saving never ends here. */
async function openSavingForm(stage: Stage): Promise<void> {
  const { page } = stage
  await openEditForm(stage)
  await page.route('**/files', never)
  await page
    .getByLabel('Featured image')
    .setInputFiles(await pictureFile('night-train.jpg', { width: 1200, height: 675 }))
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Uploading Please Wait ......').waitFor()
  await settled(page)
}

async function openFormErrors(stage: Stage): Promise<void> {
  await openForm(stage)
  await stage.page.getByRole('button', { name: 'Submit' }).click()
  await stage.page.getByText('Choose an image for the post.').first().waitFor()
}

async function openEditForm({ page, postPath }: Stage): Promise<void> {
  await visit(page, postPath(CLOCK).replace('/post/', '/edit-post/'), 'Edit post')
  await page.frameLocator('iframe').locator('body[contenteditable="true"]').waitFor()
  await settled(page)
}

async function openForeignForm({ page, postPath }: Stage): Promise<void> {
  await page.goto(postPath(WIEBKES).replace('/post/', '/edit-post/'))
  await page.getByText('This is not your post').waitFor()
}

async function openDashboard({ page }: Stage): Promise<void> {
  await verify(page)
  await visit(page, '/dashboard', 'Welcome, Tobias Quill')
  await page.getByRole('link', { name: CLOCK, exact: true }).waitFor()
  await settled(page)
}

/** Nobody in the seed has confirmed an address: here the account says so. */
async function verify(page: Page): Promise<void> {
  await page.route('**/v1/account', async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback()
    const told = await route.fetch()
    await route.fulfill({
      response: told,
      json: { ...(await told.json()), emailVerification: true },
    })
  })
}

async function openEmptyDashboard({ page }: Stage): Promise<void> {
  await verify(page)
  await page.route(LISTS, answer(200, { total: 0, documents: [] }))
  await page.goto('/dashboard')
  await page.getByText('You have not written anything yet.').waitFor()
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page.getByLabel('New avatar').setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(AVATAR_FILE_MAX_BYTES + 1),
  })
  await page.getByText('File size should not exceed 5MB').waitFor()
  await settled(page)
}

/** Sending never ends here. */
async function openSendingAvatar({ page }: Stage): Promise<void> {
  await page.route('**/files', never)
  await visit(page, '/dashboard', 'Welcome, Noor Haddad')
  await page.getByRole('button', { name: 'Change Avatar' }).click()
  await page
    .getByLabel('New avatar')
    .setInputFiles(await pictureFile('me-at-the-harbour.jpg', { width: 600, height: 600 }))
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Uploading your avatar...').waitFor()
  await settled(page)
}

async function openFailedSignIn({ page }: Stage): Promise<void> {
  await visit(page, '/login', 'Sign in to your account')
  await page.getByLabel('Email', { exact: true }).fill('tobias@lamplight.example')
  await page.getByLabel('Password', { exact: true }).fill('not his password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('E-mail or password is not correct.').waitFor()
}

async function openError({ page }: Stage): Promise<void> {
  await openFeed(page)
  await page.route(ONE_DOCUMENT, refuse(503))
  await page.getByRole('link', { name: CLOCK }).click()
  await page.getByText('Unexpected Application Error!').waitFor()
}

/** The answer to signing up never comes. */
async function openPendingSignUp({ page }: Stage): Promise<void> {
  await visit(page, '/signup', 'Sign up for an account')
  await page.route('**/v1/account', never)
  await page.getByLabel('Name', { exact: true }).fill('Mara Ellison')
  await page.getByLabel('Email', { exact: true }).fill('mara@example.org')
  await page.getByLabel('Password', { exact: true }).fill('a short sentence')
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByRole('button', { name: 'Creating your account' }).waitFor()
}

async function openSentRecovery({ page }: Stage): Promise<void> {
  await page.route(
    '**/v1/account/recovery',
    answer(201, { $id: 'r', userId: 'u', secret: '', expire: '2030-01-01T00:00:00.000+00:00' }),
  )
  await visit(page, '/forgot')
  await page.getByLabel('Email', { exact: true }).fill('mara@example.org')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('a link is on its way').waitFor()
}

async function openDifferingPasswords({ page }: Stage): Promise<void> {
  await visit(page, `/verifyUserEmailLink${LINK}`)
  await page.getByLabel('New password', { exact: true }).fill('a short sentence')
  await page.getByLabel('New password again', { exact: true }).fill('another sentence')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The two passwords differ.').last().waitFor()
}

async function openSpentLink({ page }: Stage): Promise<void> {
  await visit(page, `/verifyUserEmailLink${LINK}`)
  await page.getByLabel('New password', { exact: true }).fill('a short sentence')
  await page.getByLabel('New password again', { exact: true }).fill('a short sentence')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('This link has expired').waitFor()
}

/** Who is signed in is asked, and never told. */
async function openGoogleLanding({ page }: Stage): Promise<void> {
  await page.route('**/v1/account', never)
  await page.goto('/verification?access_token=t')
  await page.getByText('Processing Google authentication...').waitFor()
}
