// Opens versions of a post, deleted posts and drafts in the states of states.ts.
import type { Page, Route } from '@playwright/test'
import type { DeletedPost, PostVersion } from '#contract/versions.ts'
import { answer, CLOCK, type Stage, settled, visit } from './stage.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

const FACTS: (Partial<PostVersion> & { agoMs: number; lastedMs?: number })[] = [
  { agoMs: HOUR_MS, kind: 'published', words: 412, wordsAdded: 38, wordsRemoved: 0 },
  { agoMs: 5 * HOUR_MS, kind: 'saved', words: 374, wordsAdded: 120, wordsRemoved: 16 },
  {
    agoMs: 5 * DAY_MS,
    lastedMs: 9 * 60_000,
    kind: 'autosaved',
    words: 270,
    wordsAdded: 212,
    wordsRemoved: 9,
  },
  {
    agoMs: 5 * DAY_MS + HOUR_MS,
    kind: 'restored',
    restoredFrom: ago(6 * DAY_MS + HOUR_MS),
    words: 67,
    wordsAdded: 67,
    wordsRemoved: 104,
  },
  { agoMs: 6 * DAY_MS, kind: 'autosaved', words: 104, wordsAdded: 37, wordsRemoved: 0 },
  { agoMs: 6 * DAY_MS + HOUR_MS, kind: 'draft', words: 67, wordsAdded: 67, wordsRemoved: 0 },
]
const SAME = '<p>Nobody asked for it to be right.</p><p>It has been late ever since.</p>'
const TEXTS = {
  newer: `<p>At a quarter past nine the platform lights go amber and the whole station seems to lower its voice. I have taken this train eleven times.</p>${SAME}<h2>The corridor</h2><p>Everything worth knowing happens in the corridor.</p><p>By the second border I had learned four recipes.</p>`,
  older: `<p>At a quarter past nine the platform lights go amber and the whole station seems to go quiet. I have taken this train ten times.</p>${SAME}<p>There is a dining car, but I have never found it open.</p><p>By the second border I had learned four recipes.</p>`,
}

function makeVersions(count: number): PostVersion[] {
  return FACTS.slice(0, count).map(({ agoMs, lastedMs = 0, ...facts }, at) => ({
    $id: `version${at}`,
    $createdAt: ago(agoMs + lastedMs),
    $updatedAt: ago(agoMs),
    kind: 'saved',
    restoredFrom: '',
    words: 0,
    wordsAdded: 0,
    wordsRemoved: 0,
    title: at === 0 ? CLOCK : 'A clock that is slow on purpose',
    ...facts,
  }))
}

async function answerVersions(page: Page, count = FACTS.length): Promise<void> {
  const versions = makeVersions(count)
  await page.route(/\/versions(\/\w+)?$/, async (route: Route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1)
    if (!route.request().url().includes('/v1/')) return await route.fallback()
    const version = versions.find(({ $id }) => $id === id)
    const content = version === versions[0] ? TEXTS.newer : TEXTS.older
    await answer(
      200,
      version ? { ...version, content } : { total: versions.length, versions },
    )(route)
  })
}

const versionsPath = ({ postPath }: Stage): string =>
  `${postPath(CLOCK).replace('/post/', '/edit-post/')}/versions`

export async function openVersions(stage: Stage): Promise<void> {
  const { page } = stage
  await answerVersions(page)
  await visit(page, versionsPath(stage), 'Versions')
  const boxes = page.getByRole('checkbox')
  await boxes.nth(0).check()
  await boxes.nth(2).check()
}

export async function openOneVersion(stage: Stage): Promise<void> {
  await answerVersions(stage.page, 1)
  await visit(stage.page, versionsPath(stage), 'Versions')
  await stage.page.getByText('One version so far').waitFor()
}

export async function openComparison(stage: Stage): Promise<void> {
  await openVersions(stage)
  await stage.page.getByRole('link', { name: 'Compare the two' }).click()
  await stage.page.getByRole('heading', { name: 'What changed' }).waitFor()
  await stage.page.getByText(/\d changes/).waitFor()
}

export async function openBringingBack(stage: Stage): Promise<void> {
  await openVersions(stage)
  await stage.page
    .getByRole('button', { name: /^Restore/ })
    .nth(1)
    .click()
  await stage.page.getByRole('alertdialog').waitFor()
}

export async function openOldVersion(stage: Stage): Promise<void> {
  await answerVersions(stage.page)
  await visit(stage.page, versionsPath(stage), 'Versions')
  await stage.page.getByRole('button', { name: /^Read/ }).nth(2).click()
  await stage.page.frameLocator('iframe').getByText('dining car').waitFor()
}

const DELETED: (Pick<DeletedPost, 'title'> & { agoMs: number })[] = [
  { title: 'Counting tiles in the waiting room at Porto Campanhã', agoMs: 3 * DAY_MS },
  { title: 'What I would pack for a week of rain', agoMs: 27 * DAY_MS + HOUR_MS },
]

export async function openDeletedPosts({ page }: Stage): Promise<void> {
  const deleted = DELETED.map(({ title, agoMs }, at) => ({
    $id: `deleted${at}`,
    postId: `gone${at}`,
    title,
    featuredImage: '',
    userid: 'u',
    status: 'active',
    $createdAt: ago(60 * DAY_MS),
    $updatedAt: ago(60 * DAY_MS),
    deletedAt: ago(agoMs),
    expire: ago(agoMs - 30 * DAY_MS),
  }))
  await page.route('**/deleted?*', answer(200, { total: 2, deleted, next: '' }))
  await visit(page, '/dashboard/deleted', 'Deleted posts')
  await page.getByText('27 days left').waitFor()
}

export async function openNothingDeleted({ page }: Stage): Promise<void> {
  await visit(page, '/dashboard/deleted', 'Deleted posts')
  await page.getByText('Nothing here.').waitFor()
}

/** A new text and unsaved changes to a post are stored on this device. */
export async function openDrafts({ page, postPath }: Stage): Promise<void> {
  await visit(page, '/dashboard', 'Welcome, Tobias Quill')
  await page.evaluate(
    async ({ slug, title, changedAt }) => {
      const response = await fetch('/v1/account', { headers: { 'x-appwrite-project': 'blog' } })
      const { $id } = await response.json()
      const text = { content: `<p>${'word '.repeat(38)}</p>`, changedAt, status: 'inactive' }
      const store = (postId: string, draft: { id: string; title: string; slug: string }) =>
        localStorage.setItem(`draft/${$id}/${postId}/${draft.id}`, JSON.stringify(draft))
      store('', { ...text, id: 'device', title: '', slug: '' })
      const basedOn = { status: 'active', slug, title, basedOn: changedAt }
      store(slug, { ...text, ...basedOn, id: 'changes' })
    },
    { slug: postPath(CLOCK).replace('/post/', ''), title: CLOCK, changedAt: ago(3 * HOUR_MS) },
  )
  await visit(page, '/dashboard', 'Welcome, Tobias Quill')
  await page.getByText('only on this device').waitFor()
  await settled(page)
}
