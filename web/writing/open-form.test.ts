import { beforeEach, describe, expect, test } from 'vitest'
import { withWindow } from '#test/support/window.ts'
import { draftStore } from '../drafts/draft-store.ts'
import { findOtherDrafts } from './form-actions.ts'
import { changeFields, changeTitle, handleTyping, readContent } from './open-form.ts'
import { submit } from './submit-post.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { createFakeForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const SLUG = VALUES.slug
const opened = makePost(SLUG, { title: 'Night', content: '<p>old</p>', $updatedAt: 't0' })
const OWNER = { userId: 'alice', postId: SLUG }

test('the slug of a new post is generated when its title is typed', () => {
  const { form } = createFakeForm()
  changeTitle(form, 'Night trains')
  expect(form.getState().fields.slug).toMatch(/^blog\d{13}l$/)
})

test('the slug of a stored post never changes', () => {
  const { form } = createFakeForm({ opened })
  changeTitle(form, 'Day trains')
  expect(form.getState().fields).toMatchObject({ title: 'Day trains', slug: SLUG })
})

test('nothing is sent when a required value is missing', () => {
  const { form, log } = createFakeForm()
  submit(form)
  expect([form.getState().isSaving, log]).toEqual([false, []])
})

test('a second press of "Submit" sends nothing more', async () => {
  const { form, log, whenSaved } = createFakeForm({ opened })
  submit(form)
  submit(form)
  await whenSaved()
  expect(log).toHaveLength(1)
})

test('the text is that of the editor; after the form was left, it is the text at the moment of leaving', () => {
  const { form, type } = createFakeForm({ opened })
  type('<p>b</p>')
  expect(readContent(form)).toBe('<p>b</p>')
  form.dispatch({ type: 'unmounted', content: '<p>c</p>' })
  expect(readContent(form)).toBe('<p>c</p>')
})

test('what the editor reports after the form was left is not typed', () => {
  const { form } = createFakeForm({ opened })
  form.dispatch({ type: 'unmounted', content: '<p>old</p>' })
  handleTyping(form)
  expect([form.autosave.isDirty, form.getState().isUnsaved]).toEqual([false, false])
})

describe('drafts from earlier uses of the form', () => {
  async function leaveDraft(content: string) {
    const { form, type } = createFakeForm({ opened })
    type(content)
    form.draft.write()
  }

  test('are offered, with the version on which they are based', async () => {
    await leaveDraft('<p>other</p>')
    const { form } = createFakeForm({ opened })
    await findOtherDrafts(form)
    expect(form.getState().otherDrafts).toMatchObject([
      { title: 'Night', content: '<p>other</p>', basedOn: 't0' },
    ])
  })

  test('are deleted without a question when they equal the post', async () => {
    await leaveDraft('<p  class="x">old</p>')
    const { form } = createFakeForm({ opened })
    await findOtherDrafts(form)
    expect(form.getState().otherDrafts).toEqual([])
    await expect.poll(() => draftStore.list(OWNER)).toEqual([])
  })
})

test('a changed field is stored on the device', async () => {
  const { form } = createFakeForm({ opened })
  changeFields(form, { title: 'Day' })
  form.draft.write()
  expect(await draftStore.list(OWNER)).toMatchObject([{ title: 'Day' }])
})
