import { beforeEach, describe, expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import type { Failure } from '../api/client.ts'
import { draftStore } from '../drafts/draft-store.ts'
import { compare, discard, keepLocal, restore, takeStored } from './form-actions.ts'
import type { OpenForm } from './open-form.ts'
import { saveDraft } from './save-draft.ts'
import { submit } from './submit-post.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { createFakeForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const NEWER: Failure = { message: 'newer', code: 409, type: 'document_update_conflict' }
const SLUG = VALUES.slug
const opened = makePost(SLUG, { title: 'Night', content: '<p>old</p>', $updatedAt: 't0' })
const newerPost = makePost(SLUG, {
  title: 'Night train',
  content: '<p>theirs</p>',
  featuredImage: 'f9',
  $updatedAt: 't1',
})

/** The server's text has changed since the form was opened, and "Update" is pressed. */
async function pressUpdate(save: Failure[] = [NEWER]) {
  const fake = createFakeForm({ opened, save, stored: newerPost })
  fake.type('<p>own</p>')
  submit(fake.form)
  await whenAsked(fake.form)
  return fake
}

/** The writer is asked once the form knows that it cannot merge the versions. */
async function whenAsked({ getState }: OpenForm): Promise<void> {
  await expect.poll(() => getState().conflict?.stored).toEqual(newerPost)
}

const updates = (log: readonly string[]) => log.filter((line) => line.startsWith('update'))
const storedTexts = async () =>
  (await draftStore.list({ userId: 'alice', postId: SLUG })).map(({ content }) => content)

describe('a post that was saved elsewhere, with a text that cannot be merged', () => {
  test('is not overwritten: both versions are shown, and the text stays in the form and on the device', async () => {
    const { form, log, editor, toasts, paths } = await pressUpdate()
    expect(form.getState().conflict).toMatchObject({
      local: { title: 'Night', content: '<p>own</p>' },
      stored: newerPost,
      isFromAutosave: false,
    })
    expect(updates(log)).toEqual([`update ${SLUG} f1 <p>own</p> unless newer than t0`])
    expect([editor.html, toasts, paths]).toEqual(['<p>own</p>', [], []])
    expect(await storedTexts()).toEqual(['<p>own</p>'])
  })

  test('is overwritten when the writer keeps their text, which gets the image of the newer version', async () => {
    const { form, log, paths, whenSaved } = await pressUpdate()
    keepLocal(form)
    await whenSaved()
    expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 <p>own</p> unless newer than t1`)
    expect(form.getState().conflict).toBe(undefined)
    expect(paths).toEqual([`/post/${SLUG}`])
    expect(await storedTexts()).toEqual([])
  })

  test('replaces the text of the form when the writer takes it; their text becomes one of the other drafts', async () => {
    const { form, log, editor } = await pressUpdate()
    takeStored(form)
    expect([editor.html, form.getState().fields.title]).toEqual(['<p>theirs</p>', 'Night train'])
    expect(form.getState().otherDrafts.map(({ content }) => content)).toEqual(['<p>own</p>'])
    expect(await storedTexts()).toEqual(['<p>own</p>'])
    expect([form.getState().conflict, form.getState().basedOn, form.getState().isUnsaved]).toEqual([
      undefined,
      't1',
      false,
    ])
    expect(updates(log)).toHaveLength(1)
  })

  test('is a conflict again when it is saved elsewhere once more while the writer chooses', async () => {
    const { form, log } = await pressUpdate([NEWER, NEWER])
    keepLocal(form)
    await whenAsked(form)
    expect(form.getState().conflict).toMatchObject({
      local: { content: '<p>own</p>' },
      stored: newerPost,
    })
    expect(updates(log)).toHaveLength(2)
  })

  test('is reported in a toast when the form was left meanwhile, and the text stays on the device', async () => {
    const fake = createFakeForm({ opened, save: [NEWER], stored: newerPost })
    fake.type('<p>own</p>')
    fake.form.dispatch({ type: 'leaving' })
    submit(fake.form)
    await expect.poll(() => fake.toasts).toHaveLength(1)
    expect(fake.form.getState().conflict).toBe(undefined)
    expect(await storedTexts()).toEqual(['<p>own</p>'])
  })
})

describe('a draft that is saved automatically', () => {
  const asDraft = { opened: makePost(SLUG, { ...opened, status: 'inactive' }) }
  const newer = makePost(SLUG, { ...newerPost, status: 'inactive' })

  async function autosave(save: Failure[] = [NEWER]) {
    const fake = createFakeForm({ ...asDraft, save, stored: newer })
    fake.type('<p>own</p>')
    return { ...fake, outcome: await saveDraft(fake.form) }
  }

  test('stops at a newer version, without a question in the middle of writing', async () => {
    const { form, log, outcome } = await autosave()
    expect(outcome).toBe('refused')
    expect([form.getState().newerPost, form.getState().conflict]).toEqual([newer, undefined])
    expect(form.getState().draftStatus?.kind).toBe('on-device')
    expect(updates(log)).toHaveLength(1)
    compare(form)
    expect(form.getState().conflict).toMatchObject({
      local: { content: '<p>own</p>' },
      isFromAutosave: true,
    })
  })

  test('overwrites the newer version when the writer keeps their text', async () => {
    const { form, log } = await autosave()
    compare(form)
    keepLocal(form)
    await expect.poll(() => updates(log)).toHaveLength(2)
    expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 <p>own</p> unless newer than t1`)
    expect(form.getState().newerPost).toBe(undefined)
  })

  test('is saved without a question when nobody else has saved it', async () => {
    const { form, log, outcome } = await autosave([])
    expect(outcome).toBe('saved')
    expect(updates(log)).toEqual([`update ${SLUG} f1 <p>own</p> unless newer than t0`])
    expect([form.getState().newerPost, form.getState().isUnsaved]).toEqual([undefined, false])
    expect(await storedTexts()).toEqual([])
  })
})

test('a text that the writer keeps over a newer version is sent, even if it was sent before', async () => {
  const draft = makePost(SLUG, { ...opened, status: 'inactive' })
  const newer = makePost(SLUG, { ...newerPost, status: 'inactive' })
  const save: Failure[] = []
  const { form, log, type } = createFakeForm({ opened: draft, save, stored: newer })
  type('<p>own</p>')
  await saveDraft(form)
  save.push(NEWER)
  type('<p>own, more</p>')
  await saveDraft(form)
  type('<p>own</p>')
  compare(form)
  keepLocal(form)
  await expect.poll(() => updates(log)).toHaveLength(3)
  expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 <p>own</p> unless newer than t1`)
})

test('a text from which all new words were deleted again counts as saved, and is no longer stored on the device', async () => {
  const draft = makePost(SLUG, { ...opened, status: 'inactive' })
  const { form, log, type } = createFakeForm({ opened: draft })
  type('<p>own</p>')
  await saveDraft(form)
  type('<p>own, more</p>')
  form.draft.write()
  type('<p>own</p>')
  expect(await saveDraft(form)).toBe('saved')
  expect(updates(log)).toHaveLength(1)
  expect([form.getState().isUnsaved, form.getState().draftStatus?.kind]).toEqual([false, 'saved'])
  expect(await storedTexts()).toEqual([])
})

test('a restored text that the page already sent during a reload is not in conflict with itself, whatever is typed or deleted after that', async () => {
  const sent = makePost(SLUG, { ...newerPost, status: 'inactive', content: '<p>one two</p>' })
  const atStart = makePost(SLUG, { ...sent, content: '<p>one</p>', $updatedAt: 't0' })
  const { form, log, type } = createFakeForm({ opened: atStart, save: [NEWER], stored: sent })
  const values = { title: sent.title, slug: SLUG, status: 'inactive', content: '<p>one two</p>' }
  restore(form, { ...values, id: 'd1', changedAt: '', basedOn: 't0' })
  type('<p>two three</p>')
  expect(await saveDraft(form)).toBe('saved')
  expect(updates(log)).toEqual([
    `update ${SLUG} f9 <p>two three</p> unless newer than t0`,
    `update ${SLUG} f9 <p>two three</p> unless newer than t1`,
  ])
  expect([form.getState().newerPost, form.getState().draftStatus?.kind]).toEqual([
    undefined,
    'saved',
  ])
})

test('a text that the page sent during a reload is not in conflict once it is discarded', async () => {
  const sent = makePost(SLUG, { ...newerPost, status: 'inactive', content: '<p>one two</p>' })
  const atStart = makePost(SLUG, { ...sent, content: '<p>one</p>', $updatedAt: 't0' })
  const { form, type } = createFakeForm({ opened: atStart, save: [NEWER], stored: sent })
  const values = { title: sent.title, slug: SLUG, status: 'inactive', content: '<p>one two</p>' }
  discard(form, { ...values, id: 'd1', changedAt: '', basedOn: 't0' })
  type('<p>one three</p>')
  expect(await saveDraft(form)).toBe('saved')
})

test('a draft based on an older version does not overwrite the newer version when it is restored', async () => {
  const { form, log } = createFakeForm({
    opened: newerPost,
    save: [NEWER],
    stored: newerPost,
  })
  const draft = { ...VALUES, id: 'd1', content: '<p>own</p>', changedAt: '', basedOn: 't0' }
  restore(form, draft)
  expect(form.getState().fields.slug).toBe(SLUG)
  submit(form)
  await whenAsked(form)
  expect(updates(log)).toEqual([`update ${SLUG} f9 <p>own</p> unless newer than t0`])
})

describe('a scheduled post that was published while its form is open', () => {
  const scheduled = makePost(SLUG, {
    ...opened,
    status: 'inactive',
    $createdAt: '2026-01',
    publishedAt: '2027-01',
  })
  const published = makePost(SLUG, { ...scheduled, status: 'active', $updatedAt: 't1' })
  const openScheduled = () =>
    createFakeForm({ opened: scheduled, save: [NEWER], stored: published })

  test('is not changed by autosaving, and needs no choice', async () => {
    const { form, log, type } = openScheduled()
    type('<p>more</p>')
    expect(await saveDraft(form)).toBe('refused')
    const { post, newerPost: choice, isUnsaved } = form.getState()
    expect([post?.status, choice, isUnsaved]).toEqual(['active', undefined, true])
    expect(updates(log)).toEqual([`update ${SLUG} f1 <p>more</p> unless newer than t0`])
  })

  test('is not changed by a save that was arranged before, such as the one of its picture', async () => {
    const { form, log, type } = createFakeForm({ opened: scheduled })
    type('<p>more</p>')
    form.dispatch({ type: 'publishedMeanwhile', post: published })
    expect(await saveDraft(form)).toBe('refused')
    expect([form.getState().post?.status, form.getState().isUnsaved]).toEqual(['active', true])
    expect(updates(log)).toEqual([])
  })

  test('is updated as an active one when "Update" is pressed at that moment', async () => {
    const { form, log, type, whenSaved, paths } = openScheduled()
    type('<p>more</p>')
    submit(form)
    await whenSaved()
    expect(updates(log)).toEqual([
      `update ${SLUG} f1 <p>more</p> unless newer than t0`,
      `update ${SLUG} f1 <p>more</p> unless newer than t1`,
    ])
    expect([form.getState().fields.status, paths]).toEqual(['active', [`/post/${SLUG}`]])
  })
})
