import { beforeEach, describe, expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import type { Failure } from '../api/client.ts'
import { changeFields } from './open-form.ts'
import { saveDraft } from './save-draft.ts'
import { submit } from './submit-post.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { createFakeForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const NEWER: Failure = { message: 'newer', code: 409, type: 'document_update_conflict' }
const SLUG = VALUES.slug
const opened = makePost(SLUG, {
  title: 'Night',
  content: '<p>old</p>',
  tags: ['a'],
  $updatedAt: 't0',
})
const newer = makePost(SLUG, {
  title: 'Night train',
  content: '<p>old</p><p>theirs</p>',
  tags: ['a', 'b'],
  featuredImage: 'f9',
  $updatedAt: 't1',
})
const MERGED = '<p>own</p><p>theirs</p>'
const versions = { opened, save: [NEWER], stored: newer, merged: MERGED }
const updates = (log: readonly string[]) => log.filter((line) => line.startsWith('update'))

/** "Update" is pressed after the text was changed, and the fields if there are changes. */
async function pressUpdate(changes: Parameters<typeof changeFields>[1] = {}, conflicts = 0) {
  const fake = createFakeForm({ ...versions, save: [NEWER], conflicts })
  fake.type('<p>own</p>')
  changeFields(fake.form, changes)
  submit(fake.form)
  await expect.poll(() => fake.form.getState().merged).toBeDefined()
  return fake
}

describe('a published post with which a newer version was merged', () => {
  test('is not saved before the writer presses "Update" again, then over that version only', async () => {
    const { form, log, whenSaved } = await pressUpdate()
    expect(updates(log)).toHaveLength(1)
    submit(form)
    await whenSaved()
    expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 ${MERGED} unless newer than t1`)
  })

  test('is not saved while both texts of a paragraph wait for a choice', async () => {
    const { form, log, merge } = await pressUpdate({}, 1)
    submit(form)
    expect([form.getState().isSaving, updates(log).length]).toEqual([false, 1])
    merge.choose()
    submit(form)
    expect(form.getState().isSaving).toBe(true)
  })

  test('takes the fields that only the other side has changed', async () => {
    const { form } = await pressUpdate()
    expect(form.getState().fields).toMatchObject({ title: 'Night train', tags: ['a', 'b'] })
    expect(form.getState().merged).toMatchObject({ taken: ['title', 'tags', 'image'], kept: [] })
  })

  test('keeps the fields that the writer has changed, and names them', async () => {
    const image = new File(['x'], 'a.png', { type: 'image/png' })
    const { form } = await pressUpdate({ title: 'Own', tags: ['c'], image })
    expect(form.getState().fields).toMatchObject({ title: 'Own', tags: ['c'], image })
    expect(form.getState().merged).toMatchObject({ taken: [], kept: ['title', 'tags', 'image'] })
  })

  test('has its own fields again when the merge is undone, unless they were changed since', async () => {
    const { form, merge } = await pressUpdate()
    changeFields(form, { tags: ['d'] })
    merge.setUndone(true)
    expect(form.getState().fields).toMatchObject({ title: 'Night', tags: ['d'] })
    merge.setUndone(false)
    expect(form.getState().fields).toMatchObject({ title: 'Night train', tags: ['d'] })
  })
})

test('a draft is merged and saved over the newer version without a press', async () => {
  const status = 'inactive'
  const { form, log, type } = createFakeForm({
    ...versions,
    opened: makePost(SLUG, { ...opened, status }),
    stored: makePost(SLUG, { ...newer, status }),
    save: [NEWER],
  })
  type('<p>own</p>')
  expect(await saveDraft(form)).toBe('partly')
  expect(await saveDraft(form)).toBe('saved')
  expect(updates(log).at(-1)).toBe(`update ${SLUG} f9 ${MERGED} unless newer than t1`)
})

test('a draft that was published elsewhere is published still, and no longer saved automatically', async () => {
  const draft = makePost(SLUG, { ...opened, status: 'inactive' })
  const { form, type } = createFakeForm({ ...versions, opened: draft, save: [NEWER] })
  type('<p>own</p>')
  expect(await saveDraft(form)).toBe('refused')
  expect([form.getState().fields.status, form.getState().post?.status]).toEqual([
    'active',
    'active',
  ])
})
