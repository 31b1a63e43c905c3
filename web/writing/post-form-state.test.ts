import { beforeEach, describe, expect, test } from 'vitest'
import { TAGS_MAX } from '#contract/limits.ts'
import { withWindow } from '#test/support/window.ts'
import {
  changeFields,
  changeTitle,
  findOpenedVersion,
  hasImage,
  isDraft,
  isSavedByItself,
  readAll,
  readValues,
  replaceText,
} from './post-form-state.ts'
import { submit } from './submit-post.ts'
import { makePost, VALUES } from './test/fake-calls.ts'
import { playForm } from './test/fake-form.ts'

withWindow()
beforeEach(() => window.localStorage.clear())

const SLUG = VALUES.slug
const tagged = makePost(SLUG, { title: 'Night', content: '<p>a</p>', tags: ['trains'] })
const image = new File(['x'], 'a.png', { type: 'image/png' })

describe('what saves itself is a draft, and never public', () => {
  test.each([
    { stored: undefined, chosen: 'active', is: false },
    { stored: undefined, chosen: 'inactive', is: true },
    { stored: 'active', chosen: 'active', is: false },
    { stored: 'active', chosen: 'inactive', is: false },
    { stored: 'inactive', chosen: 'active', is: true },
  ] as const)('stored as $stored, chosen $chosen: $is', ({ stored, chosen, is }) => {
    const { form } = playForm(stored ? { opened: makePost(SLUG, { status: stored }) } : {})
    changeFields(form, { status: chosen })
    expect(isDraft(form.state)).toBe(is)
  })

  test('not while another tab saves it, beside a newer version, or signed out', () => {
    const { form } = playForm({ opened: makePost(SLUG, { status: 'inactive' }) })
    expect(isSavedByItself(form.state)).toBe(true)
    const failure = { text: '', isSignedOut: true, isQuiet: true }
    for (const change of [{ isElsewhere: true }, { newer: tagged }, { failure }])
      expect(isSavedByItself({ ...form.state, ...change })).toBe(false)
  })
})

test('the slug of a new post follows its title, that of a stored one never changes', () => {
  const fresh = playForm().form
  changeTitle(fresh, 'Night trains')
  expect(fresh.state.fields.slug).toMatch(/^blog\d{13}l$/)
  const stored = playForm({ opened: tagged }).form
  changeTitle(stored, 'Day trains')
  expect([stored.state.fields.title, stored.state.fields.slug]).toEqual(['Day trains', SLUG])
})

test('nothing is changed while it is saved', () => {
  const { form } = playForm({ opened: tagged })
  form.live.isSaving = true
  changeFields(form, { title: 'Other' })
  expect([form.state.fields.title, form.live.isUnsaved]).toEqual(['Night', false])
})

test('a problem is shown at the first try, and goes as soon as it is fixed', async () => {
  const { form, log } = playForm()
  changeFields(form, { title: '' })
  expect(form.state.problems).toEqual({})
  submit(form)
  expect(Object.keys(form.state.problems).toSorted()).toEqual(['image', 'slug', 'title'])
  expect(log).toEqual([])
  await expect.poll(() => form.live.isSaving).toBe(false)
  changeTitle(form, 'Night')
  expect(Object.keys(form.state.problems)).toEqual(['image'])
  changeFields(form, { image })
  expect(form.state.problems).toEqual({})
})

describe('the tags', () => {
  test('are sent only when they are others than those of the post', () => {
    const { form } = playForm({ opened: tagged })
    expect(readValues(form).tags).toBe(undefined)
    expect(readAll(form).tags).toEqual(['trains'])
    changeFields(form, { tags: ['trains', 'night'] })
    expect(readValues(form).tags).toEqual(['trains', 'night'])
  })

  test('hold what is still being typed, once and without its sign', () => {
    const { form } = playForm({ opened: tagged })
    for (const [tagText, tags] of [
      ['#night', ['trains', 'night']],
      ['Trains', ['trains']],
      ['  ', ['trains']],
    ] as const) {
      changeFields(form, { tagText })
      expect(readAll(form).tags, tagText).toEqual(tags)
    }
  })

  test('of a kept draft that are none, or too many, go on being typed', () => {
    const { form } = playForm()
    const many = Array.from({ length: TAGS_MAX + 1 }, (_, at) => `tag${at}`)
    replaceText(form, { ...VALUES, tags: many })
    expect(form.state.fields.tags).toEqual(many.slice(0, TAGS_MAX))
    expect(form.state.fields.tagText).toBe(many.at(-1))
  })
})

describe('the featured image', () => {
  test('is there when it was chosen, or the post has one that is still wanted', () => {
    const { form } = playForm({ opened: makePost(SLUG, { featuredImage: 'f1' }) })
    expect(hasImage(form.state)).toBe(true)
    changeFields(form, { isImageRemoved: true })
    expect(hasImage(form.state)).toBe(false)
    changeFields(form, { image })
    expect(hasImage(form.state)).toBe(true)
  })

  test('that was removed is saved as none, over the version that was opened', () => {
    const opened = makePost(SLUG, { featuredImage: 'f1', $updatedAt: 't0' })
    const { form } = playForm({ opened })
    expect(findOpenedVersion(form)).toMatchObject({ featuredImage: 'f1', $updatedAt: 't0' })
    changeFields(form, { isImageRemoved: true })
    expect(findOpenedVersion(form)).toMatchObject({ featuredImage: '', $updatedAt: 't0' })
    expect(findOpenedVersion(playForm().form)).toBe(undefined)
  })
})

test('the text is that of the editor, and after leaving the one it had then', () => {
  const { form, write } = playForm({ opened: tagged })
  write('<p>b</p>')
  expect(readAll(form).content).toBe('<p>b</p>')
  form.live.lastContent = '<p>c</p>'
  expect(readAll(form).content).toBe('<p>c</p>')
})
