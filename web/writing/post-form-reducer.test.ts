import { describe, expect, test } from 'vitest'
import { TAGS_MAX } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure } from '../api/client.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { detailsOf } from '../posts/posts-api.ts'
import {
  allFormValues,
  formValues,
  hasImage,
  initialPostFormState,
  isDraft,
  isSavedAutomatically,
  openedVersion,
  type PostFormAction,
  type PostFormState,
  postFormReducer,
} from './post-form-reducer.ts'
import { BROKEN, image, makePost, VALUES } from './test/fake-calls.ts'

const SLUG = VALUES.slug
const post = makePost(SLUG, { title: 'Night', content: '<p>a</p>', $updatedAt: 't0' })
const tagged = makePost(SLUG, { ...post, tags: ['trains'] })
const draftPost = makePost(SLUG, { ...post, status: 'inactive' })
const newer = makePost(SLUG, { ...post, title: 'Night train', $updatedAt: 't1' })
const storedDraft: Draft = { ...VALUES, id: 'd1', changedAt: '', title: 'Older', basedOn: 't0' }
const SIGNED_OUT: Failure = { message: '', code: 401, type: '' }

/** The state of a form after these actions, one after another. */
function after(opened: PostDocument | undefined, ...actions: PostFormAction[]): PostFormState {
  return actions.reduce(postFormReducer, initialPostFormState(opened))
}

const typed: PostFormAction = { type: 'typed', atMs: 5 }
const change = (changes: Partial<PostFormState['fields']>): PostFormAction => ({
  type: 'fieldsChanged',
  changes,
  atMs: 5,
})
const saveEnded = (outcome: 'saved' | 'partly' | 'unanswered' | 'refused'): PostFormAction => ({
  type: 'draftSaveEnded',
  outcome,
  atMs: 9,
})
const draftRequested: PostFormAction = { type: 'draftRequested', content: '' }

test('an action that changes nothing returns the same state, so the form is not rendered again', () => {
  const state = after(draftPost, typed)
  expect(postFormReducer(state, { type: 'typed', atMs: 6 })).toBe(state)
})

describe('a draft is saved automatically, and is never public', () => {
  test.each([
    { stored: undefined, chosen: 'active', expected: false },
    { stored: undefined, chosen: 'inactive', expected: true },
    { stored: 'active', chosen: 'active', expected: false },
    { stored: 'active', chosen: 'inactive', expected: false },
    { stored: 'inactive', chosen: 'active', expected: true },
  ] as const)('stored as $stored, chosen $chosen: $expected', ({ stored, chosen, expected }) => {
    const opened = stored && makePost(SLUG, { status: stored })
    expect(isDraft(after(opened, change({ status: chosen })))).toBe(expected)
  })

  test.each<[string, PostFormAction]>([
    ['another tab saves it', { type: 'writerChanged', isOpenElsewhere: true }],
    ['there is a newer version', { type: 'newerFound', post: newer }],
    ['the session has ended', { type: 'saveFailed', failure: SIGNED_OUT, isQuiet: true }],
    ['"Submit" saves', { type: 'submitted' }],
  ])('but not while %s', (_reason, action) => {
    expect(isSavedAutomatically(after(draftPost))).toBe(true)
    expect(isSavedAutomatically(after(draftPost, action))).toBe(false)
  })
})

describe('typing', () => {
  test('makes the form unsaved', () => {
    expect(after(post).isUnsaved).toBe(false)
    expect(after(post, typed).isUnsaved).toBe(true)
  })

  test('shows that a draft is being saved', () => {
    expect(after(draftPost, typed).draftStatus).toEqual({ kind: 'saving', atMs: 5 })
  })

  test('shows nothing for a published post', () => {
    expect(after(post, typed).draftStatus).toBe(undefined)
  })

  test('does not change the message that the draft waits for the connection', () => {
    expect(after(draftPost, typed, saveEnded('unanswered'), typed).draftStatus?.kind).toBe(
      'waiting',
    )
  })

  test('after an attempt to close the window means that the writer has stayed', () => {
    expect(after(post, { type: 'unloading' }).isUnloading).toBe(true)
    expect(after(post, { type: 'unloading' }, typed).isUnloading).toBe(false)
  })

  test('changes no field while "Submit" saves', () => {
    const state = after(post, { type: 'submitted' }, change({ title: 'Other' }))
    expect([state.fields.title, state.isUnsaved]).toEqual(['Night', false])
  })
})

describe('problems', () => {
  test('are not shown before the first attempt to save', () => {
    expect(after(undefined, change({ title: '' })).problems).toEqual({})
  })

  test('are shown by "Submit", which then saves nothing', () => {
    const { problems, isSaving } = after(undefined, { type: 'submitted' })
    expect(Object.keys(problems).toSorted()).toEqual(['image', 'slug', 'title'])
    expect(isSaving).toBe(false)
  })

  test('disappear as soon as they are fixed', () => {
    const state = after(undefined, { type: 'submitted' }, change({ title: 'Night', slug: SLUG }))
    expect(Object.keys(state.problems)).toEqual(['image'])
    expect(postFormReducer(state, change({ image })).problems).toEqual({})
  })

  test('with the length of the text stay until the next attempt to save', () => {
    const content = 'x'.repeat(1_000_001)
    const state = after(post, { type: 'submitted' }, { type: 'contentRead', content })
    expect(Object.keys(state.problems)).toEqual(['content'])
    const ended = postFormReducer(state, { type: 'saveEnded' })
    expect(Object.keys(postFormReducer(ended, change({ title: 'A' })).problems)).toEqual([
      'content',
    ])
  })

  test('with the image are shown for a draft whose image was refused', () => {
    const failure = { message: '', code: 400, type: 'storage_invalid_file' }
    const { problems, refusedImage } = after(draftPost, { type: 'imageRefused', image, failure })
    expect(Object.keys(problems)).toEqual(['image'])
    expect(refusedImage).toBe(image)
  })
})

describe('"Submit"', () => {
  test('starts a save, and removes the messages of the last one', () => {
    const failed: PostFormAction = { type: 'saveFailed', failure: BROKEN, isQuiet: false }
    const state = after(post, failed, { type: 'newerFound', post: newer }, { type: 'submitted' })
    expect(state).toMatchObject({ isSaving: true, tries: 1 })
    expect([state.failure, state.newerPost, state.draftStatus]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('that failed leaves the form unsaved, with the reason', () => {
    const failed: PostFormAction = { type: 'saveFailed', failure: BROKEN, isQuiet: false }
    const state = after(post, typed, { type: 'submitted' }, failed, { type: 'saveEnded' })
    expect(state).toMatchObject({ isUnsaved: true, isSaving: false })
    expect(state.failure).toEqual({
      text: 'This could not be saved. Your text is still here.',
      isSignedOut: false,
      isQuiet: false,
    })
  })

  test('that failed because the session had ended offers to sign in', () => {
    const failed: PostFormAction = { type: 'saveFailed', failure: SIGNED_OUT, isQuiet: false }
    expect(after(post, failed).failure?.isSignedOut).toBe(true)
    expect(after(post, failed, { type: 'signedInAgain' }).failure).toBe(undefined)
  })

  test('that was cancelled says when the text was stored on the device', () => {
    const state = after(post, typed, { type: 'submitted' }, { type: 'saveCancelled', atMs: 7 })
    expect(state.onDeviceAtMs).toBe(7)
    expect(state.failure?.text).toBe('Saving was cancelled. Your text is still here.')
  })

  test('that waits for the connection says so until it ends', () => {
    const waiting = after(post, { type: 'submitted' }, { type: 'connectionLost' })
    expect(waiting.isOffline).toBe(true)
    expect(postFormReducer(waiting, { type: 'connectionRestored' }).isOffline).toBe(false)
    expect(postFormReducer(waiting, { type: 'saveEnded' }).isOffline).toBe(false)
  })

  test('that succeeded leaves nothing unsaved', () => {
    const succeeded: PostFormAction = { type: 'saveSucceeded' }
    expect(after(post, typed, { type: 'submitted' }, succeeded).isUnsaved).toBe(false)
  })
})

describe('"Save draft"', () => {
  test('makes the post inactive, and this tab the one that saves it', () => {
    const state = after(
      draftPost,
      change({ status: 'active' }),
      { type: 'writerChanged', isOpenElsewhere: true },
      { type: 'newerFound', post: newer },
      draftRequested,
    )
    expect(state.fields.status).toBe('inactive')
    expect([state.isDraftRequested, isSavedAutomatically(state)]).toEqual([true, true])
  })

  test('shows what is missing, and then saves nothing', () => {
    const state = after(undefined, draftRequested)
    expect(Object.keys(state.problems).toSorted()).toEqual(['slug', 'title'])
    expect(state.isDraftRequested).toBe(false)
  })

  test.each([
    ['saved', false, false],
    ['partly', true, false],
    ['unanswered', true, true],
    ['refused', false, false],
  ] as const)(
    'is still requested after a save that ended %s: %s',
    (outcome, isRequested, isOffline) => {
      const state = after(draftPost, draftRequested, saveEnded(outcome))
      expect([!state.isDraftRequested, state.isOffline]).toEqual([!isRequested, isOffline])
    },
  )

  test('can be cancelled while it waits for the connection', () => {
    const state = after(draftPost, draftRequested, saveEnded('unanswered'), {
      type: 'draftRequestCancelled',
    })
    expect([state.isDraftRequested, state.isOffline]).toEqual([false, false])
  })
})

describe('a draft that was saved', () => {
  const stored: PostFormAction = { type: 'draftStored', post: draftPost, textId: 'x' }

  test('becomes the post of the form, with the slug that the server stored', () => {
    const state = after(undefined, change({ slug: 'blog1l', status: 'inactive' }), stored)
    expect([state.post, state.basedOn, state.fields.slug]).toEqual([draftPost, 't0', SLUG])
  })

  test('is saved when nothing was typed since it was sent', () => {
    const state = after(draftPost, typed, { type: 'draftSent' }, stored, {
      type: 'draftFullyStored',
    })
    expect(state.isUnsaved).toBe(false)
    expect(postFormReducer(state, saveEnded('saved')).draftStatus).toEqual({
      kind: 'saved',
      atMs: 9,
    })
  })

  test('is still being saved when something was typed since', () => {
    const state = after(draftPost, typed, { type: 'draftSent' }, typed, stored, {
      type: 'draftFullyStored',
    })
    expect(state.isUnsaved).toBe(true)
    expect(postFormReducer(state, saveEnded('saved')).draftStatus?.kind).toBe('saving')
  })

  test('is reported as being on the device only when the server refused it', () => {
    expect(after(draftPost, typed, saveEnded('refused')).draftStatus?.kind).toBe('on-device')
  })

  test('keeps the message that the session has ended, and removes any other', () => {
    const fail = (failure: Failure) =>
      after(draftPost, { type: 'saveFailed', failure, isQuiet: true }, stored).failure
    expect(fail(SIGNED_OUT)?.isSignedOut).toBe(true)
    expect(fail(BROKEN)).toBe(undefined)
  })

  test('no longer removes the image once the server has removed it', () => {
    const withImage = makePost(SLUG, { ...draftPost, featuredImage: 'f1' })
    const withoutImage = makePost(SLUG, { ...draftPost, featuredImage: '' })
    const removed = after(withImage, change({ isImageRemoved: true }))
    const store = (saved: PostDocument) =>
      postFormReducer(removed, { type: 'draftStored', post: saved, textId: 'x' }).fields
    expect(store(withoutImage).isImageRemoved).toBe(false)
    expect(store(withImage).isImageRemoved).toBe(true)
  })
})

describe('the copy on the device', () => {
  const written = (isStored: boolean, atMs: number): PostFormAction => ({
    type: 'writtenToDevice',
    isStored,
    atMs,
  })

  test('has a time that changes at most once a minute', () => {
    const state = after(post, written(true, 60_001))
    expect(state.onDeviceAtMs).toBe(60_000)
    expect(postFormReducer(state, written(true, 119_999))).toBe(state)
  })

  test('that found no room is reported, until there is room', () => {
    const full = after(post, written(true, 60_001), written(false, 120_001))
    expect([full.isDeviceFull, full.onDeviceAtMs]).toEqual([true, 60_000])
    expect(postFormReducer(full, written(true, 120_001)).isDeviceFull).toBe(false)
  })
})

describe('a newer version', () => {
  const found: PostFormAction = { type: 'newerFound', post: newer }
  const conflict: PostFormAction = {
    type: 'conflictFound',
    post: newer,
    content: '<p>b</p>',
    isFromAutosave: true,
  }

  test('is shown beside the text of the form, with all its tags', () => {
    expect(after(tagged, conflict).conflict).toEqual({
      local: {
        title: 'Night',
        slug: SLUG,
        status: 'active',
        content: '<p>b</p>',
        details: detailsOf(undefined),
        tags: ['trains'],
      },
      stored: newer,
      isFromAutosave: true,
    })
  })

  test('remains to be compared when the decision is postponed', () => {
    const state = after(post, found, conflict, { type: 'decisionPostponed' })
    expect([state.conflict, state.newerPost]).toEqual([undefined, newer])
  })

  test('is overwritten by the text that the writer keeps', () => {
    const state = after(post, typed, found, conflict, { type: 'basedOnNewer', post: newer })
    expect(openedVersion(state)?.$updatedAt).toBe('t1')
    expect([state.fields.title, state.isUnsaved]).toEqual(['Night', true])
    expect([state.conflict, state.newerPost]).toEqual([undefined, undefined])
  })

  test('replaces the text of the form when the writer takes it, and leaves nothing unsaved', () => {
    const state = after(post, typed, found, conflict, { type: 'replacedByNewer', post: newer })
    expect([state.fields.title, state.startHtml, state.isUnsaved]).toEqual([
      'Night train',
      newer.content,
      false,
    ])
    expect([state.basedOn, state.conflict, state.newerPost]).toEqual(['t1', undefined, undefined])
  })
})

describe('other drafts', () => {
  const others: PostFormAction = { type: 'draftsFound', drafts: [storedDraft] }
  const restored: PostFormAction = {
    type: 'draftRestored',
    draft: storedDraft,
    slug: SLUG,
    basedOn: 't0',
  }

  test('are offered until they are discarded', () => {
    expect(after(post, others).otherDrafts).toEqual([storedDraft])
    expect(after(post, others, { type: 'draftDiscarded', id: 'd1' }).otherDrafts).toEqual([])
  })

  test('begin with the one that was stashed last', () => {
    const stashed = { ...storedDraft, id: 'd2' }
    const state = after(post, others, { type: 'draftStashed', draft: stashed })
    expect(state.otherDrafts).toEqual([stashed, storedDraft])
  })

  test('one that is restored becomes the text of the form, and is no longer offered', () => {
    const state = after(post, others, change({ image }), restored)
    expect(state.fields).toMatchObject({ title: 'Older', slug: SLUG, image: undefined })
    expect([state.startHtml, state.otherDrafts]).toEqual([VALUES.content, []])
  })

  test('one that is restored is saved over the version on which it was based', () => {
    expect(openedVersion(after(newer, restored))?.$updatedAt).toBe('t0')
  })

  test('the tag of a restored draft that is one too many becomes the text of the field', () => {
    const tags = Array.from({ length: TAGS_MAX + 1 }, (_, at) => `tag${at}`)
    const { fields } = after(undefined, { ...restored, draft: { ...storedDraft, tags } })
    expect(fields.tags).toEqual(tags.slice(0, TAGS_MAX))
    expect(fields.tagText).toBe(tags.at(-1))
  })
})

describe('the tags', () => {
  test('are sent only when they differ from those of the post', () => {
    expect(formValues(after(tagged), '').tags).toBe(undefined)
    expect(allFormValues(after(tagged), '').tags).toEqual(['trains'])
    const changed = after(tagged, change({ tags: ['trains', 'night'] }))
    expect(formValues(changed, '').tags).toEqual(['trains', 'night'])
  })

  test.each([
    ['#night', ['trains', 'night']],
    ['Trains', ['trains']],
    ['  ', ['trains']],
  ])('include a tag that is still being typed, once and without its hash: %j', (tagText, tags) => {
    expect(allFormValues(after(tagged, change({ tagText })), '').tags).toEqual(tags)
  })
})

describe('the details of a post', () => {
  const details = { ...detailsOf(undefined), excerpt: ' Two  queues ', commentsClosed: true }

  test('are sent only where they differ from those of the post, as the server stores them', () => {
    expect(formValues(after(post), '').details).toBe(undefined)
    const state = after(makePost(SLUG, { ...post, excerpt: 'Two queues' }), change({ details }))
    expect(formValues(state, '').details).toEqual({ commentsClosed: true })
  })

  test('of a restored draft replace those of the post', () => {
    const draft = { ...storedDraft, details: { excerpt: 'Older' } }
    const restored = { type: 'draftRestored', draft, slug: SLUG, basedOn: 't0' } as const
    const opened = makePost(SLUG, { ...post, excerpt: 'Two queues', metaTitle: 'Ferry' })
    expect(after(opened, restored).fields.details).toMatchObject({
      excerpt: 'Older',
      metaTitle: 'Ferry',
    })
  })

  test.each([
    ['excerpt', 'x'.repeat(301)],
    ['metaTitle', 'x'.repeat(121)],
    ['canonicalUrl', 'lamplight.example'],
    ['canonicalUrl', 'ftp://lamplight.example/'],
    ['canonicalUrl', 'https://name:word@lamplight.example/'],
  ])('keep the form from being saved: %s %s', (name, text) => {
    const changed = { ...details, [name]: text }
    const state = after(post, change({ details: changed }), { type: 'submitted' })
    expect([Object.keys(state.problems), state.isSaving]).toEqual([['details'], false])
  })
})

describe('a scheduled post that turns active while its form is open', () => {
  const scheduled = makePost(SLUG, { ...draftPost, $createdAt: '2026-01', publishedAt: '2027-01' })
  const published = makePost(SLUG, { ...scheduled, status: 'active', $updatedAt: 't1' })
  const publication: PostFormAction = { type: 'publishedMeanwhile', post: published }

  test('stays active, and the text is no longer saved automatically', () => {
    const state = after(scheduled, typed, publication)
    expect([state.fields.status, isSavedAutomatically(state), state.isUnsaved]).toEqual([
      'active',
      false,
      true,
    ])
    expect(openedVersion(state)).toMatchObject({ $updatedAt: 't1', status: 'active' })
  })

  test('becomes inactive if the writer has just ended its schedule', () => {
    const state = after(scheduled, change({ publishedAt: null }), publication)
    expect(state.fields.status).toBe('inactive')
  })
})

describe('the featured image', () => {
  const withImage = makePost(SLUG, { featuredImage: 'f1', $updatedAt: 't0' })

  test('exists when it was chosen, or when the post has one that is not removed', () => {
    const removed = after(withImage, change({ isImageRemoved: true }))
    expect(hasImage(after(withImage))).toBe(true)
    expect(hasImage(removed)).toBe(false)
    expect(hasImage(postFormReducer(removed, change({ image })))).toBe(true)
  })

  test('that was removed is saved as none, over the version that was opened', () => {
    const version = { featuredImage: 'f1', $updatedAt: 't0' }
    expect(openedVersion(after(withImage))).toMatchObject(version)
    const removed = after(withImage, change({ isImageRemoved: true }))
    expect(openedVersion(removed)).toMatchObject({ ...version, featuredImage: '' })
    expect(openedVersion(after(undefined))).toBe(undefined)
  })
})
