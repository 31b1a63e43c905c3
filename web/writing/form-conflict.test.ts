import { beforeEach, describe, expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import type { Failure } from '../api/client.ts'
import { drafts } from '../drafts/drafts.ts'
import { compare, discard, keepOwn, restore, takeSaved } from './form-actions.ts'
import { saveDraft } from './save-draft.ts'
import { submit } from './submit-post.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { playForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const NEWER: Failure = { message: 'newer', code: 409, type: 'document_update_conflict' }
const SLUG = VALUES.slug
const opened = makePost(SLUG, { title: 'Night', content: '<p>old</p>', $updatedAt: 't0' })
const elsewhere = makePost(SLUG, {
  title: 'Night train',
  content: '<p>theirs</p>',
  featuredImage: 'f9',
  $updatedAt: 't1',
})

/** The server's text has changed since the form was opened, and "Update" is pressed. */
async function pressUpdate(save: Failure[] = [NEWER]) {
  const played = playForm({ opened, save, stored: elsewhere })
  played.write('<p>own</p>')
  submit(played.form)
  await expect.poll(() => played.form.live.isSaving).toBe(false)
  return played
}

const updates = (log: readonly string[]) => log.filter((line) => line.startsWith('update'))
const keptTexts = async () =>
  (await drafts.find({ userId: 'alice', postId: SLUG })).map(({ content }) => content)

describe('a post that was saved elsewhere while it is edited', () => {
  test('is not saved over: both versions are shown, and the own text stays in the form and on the device', async () => {
    const { form, log, shown, paths } = await pressUpdate()
    expect(form.state.conflict).toMatchObject({
      own: { title: 'Night', content: '<p>own</p>' },
      saved: elsewhere,
      isQuiet: false,
    })
    expect(updates(log)).toEqual([`update ${SLUG} f1 <p>own</p> unless newer than t0`])
    expect([shown.html, shown.toasts, paths]).toEqual(['<p>own</p>', [], []])
    expect(await keptTexts()).toEqual(['<p>own</p>'])
  })

  test('is saved over when the own text is kept: upon the newer version, with its image', async () => {
    const { form, log, paths } = await pressUpdate()
    keepOwn(form)
    await expect.poll(() => form.live.isSaving).toBe(false)
    expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 <p>own</p> unless newer than t1`)
    expect(form.state.conflict).toBe(undefined)
    expect(paths).toEqual([`/post/${SLUG}`])
    expect(await keptTexts()).toEqual([])
  })

  test('is the text of the form when it is taken, and the own one is one of the other drafts', async () => {
    const { form, log, shown } = await pressUpdate()
    takeSaved(form)
    expect([shown.html, form.state.fields.title]).toEqual(['<p>theirs</p>', 'Night train'])
    expect(shown.others.map(({ content }) => content)).toEqual(['<p>own</p>'])
    expect(await keptTexts()).toEqual(['<p>own</p>'])
    expect([form.state.conflict, form.live.basedOn, form.live.isUnsaved]).toEqual([
      undefined,
      't1',
      false,
    ])
    expect(updates(log)).toHaveLength(1)
  })

  test('once more while one chooses is a conflict once more', async () => {
    const { form, log } = await pressUpdate([NEWER, NEWER])
    keepOwn(form)
    await expect.poll(() => form.live.isSaving).toBe(false)
    expect(form.state.conflict).toMatchObject({ own: { content: '<p>own</p>' }, saved: elsewhere })
    expect(updates(log)).toHaveLength(2)
  })

  test('is told in a message when the form was left meanwhile, and the text waits on the device', async () => {
    const played = playForm({ opened, save: [NEWER], stored: elsewhere })
    played.write('<p>own</p>')
    played.form.live.isLeft = true
    submit(played.form)
    await expect.poll(() => played.form.live.isSaving).toBe(false)
    expect(played.form.state.conflict).toBe(undefined)
    expect(played.shown.toasts).toHaveLength(1)
    expect(await keptTexts()).toEqual(['<p>own</p>'])
  })
})

describe('a draft that saves itself', () => {
  const asDraft = { opened: makePost(SLUG, { ...opened, status: 'inactive' }) }
  const newer = makePost(SLUG, { ...elsewhere, status: 'inactive' })

  async function autosave(save: Failure[] = [NEWER]) {
    const played = playForm({ ...asDraft, save, stored: newer })
    played.write('<p>own</p>')
    return { ...played, outcome: await saveDraft(played.form) }
  }

  test('stops at a newer version, without a question in the middle of writing', async () => {
    const { form, log, outcome } = await autosave()
    expect(outcome).toBe('refused')
    expect([form.state.newer, form.state.conflict]).toEqual([newer, undefined])
    expect(form.state.saved?.kind).toBe('kept')
    expect(updates(log)).toHaveLength(1)
    compare(form)
    expect(form.state.conflict).toMatchObject({ own: { content: '<p>own</p>' }, isQuiet: true })
  })

  test('goes on upon the newer one when the own text is kept', async () => {
    const { form, log } = await autosave()
    compare(form)
    keepOwn(form)
    await expect.poll(() => updates(log)).toHaveLength(2)
    expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 <p>own</p> unless newer than t1`)
    expect(form.state.newer).toBe(undefined)
  })

  test('is saved without a question where nothing came in between', async () => {
    const { form, log, outcome } = await autosave([])
    expect(outcome).toBe('saved')
    expect(updates(log)).toEqual([`update ${SLUG} f1 <p>own</p> unless newer than t0`])
    expect([form.state.newer, form.live.isUnsaved]).toEqual([undefined, false])
    expect(await keptTexts()).toEqual([])
  })
})

test('a text that a reload sent at its end is no conflict with itself, whatever is typed or deleted once it is restored', async () => {
  const sent = makePost(SLUG, { ...elsewhere, status: 'inactive', content: '<p>one two</p>' })
  const atStart = makePost(SLUG, { ...sent, content: '<p>one</p>', $updatedAt: 't0' })
  const { form, log, write } = playForm({ opened: atStart, save: [NEWER], stored: sent })
  const values = { title: sent.title, slug: SLUG, status: 'inactive', content: '<p>one two</p>' }
  restore(form, { ...values, id: 'd1', changedAt: '', basedOn: 't0' })
  write('<p>two three</p>')
  expect(await saveDraft(form)).toBe('saved')
  expect(updates(log)).toEqual([
    `update ${SLUG} f9 <p>two three</p> unless newer than t0`,
    `update ${SLUG} f9 <p>two three</p> unless newer than t1`,
  ])
  expect([form.state.newer, form.state.saved?.kind]).toEqual([undefined, 'saved'])
})

test('a text that a reload sent at its end is no conflict once it is discarded', async () => {
  const sent = makePost(SLUG, { ...elsewhere, status: 'inactive', content: '<p>one two</p>' })
  const atStart = makePost(SLUG, { ...sent, content: '<p>one</p>', $updatedAt: 't0' })
  const { form, write } = playForm({ opened: atStart, save: [NEWER], stored: sent })
  const values = { title: sent.title, slug: SLUG, status: 'inactive', content: '<p>one two</p>' }
  discard(form, { ...values, id: 'd1', changedAt: '', basedOn: 't0' })
  write('<p>one three</p>')
  expect(await saveDraft(form)).toBe('saved')
})

test('a draft of an older version, put into a form of a newer one, is not saved over that', async () => {
  const { form, log } = playForm({ opened: elsewhere, save: [NEWER], stored: elsewhere })
  const kept = { ...VALUES, id: 'd1', content: '<p>own</p>', changedAt: '', basedOn: 't0' }
  restore(form, kept)
  expect(form.state.fields.slug).toBe(SLUG)
  submit(form)
  await expect.poll(() => form.live.isSaving).toBe(false)
  expect(updates(log)).toEqual([`update ${SLUG} f9 <p>own</p> unless newer than t0`])
  expect(form.state.conflict?.saved).toEqual(elsewhere)
})
