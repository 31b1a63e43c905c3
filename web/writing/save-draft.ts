// Saves a draft, quietly: the text first, its featured image in parallel, never as active whatever
// the status field says. Never changes what is published.
import { TAGS_MAX } from '#contract/limits.ts'
import { isTag } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure } from '../api/client.ts'
import { lastSaved } from '../drafts/shared-value.ts'
import { forgetFeed, refreshInFeed } from '../lists/post-lists.ts'
import type { SaveOutcome } from './autosave.ts'
import {
  findOpenedVersion,
  isDraft,
  noteChange,
  type OpenForm,
  readValues,
  typedTags,
} from './post-form-state.ts'
import { findProblems, type PostValues } from './post-values.ts'
import { SAVE_STALLED_MS } from './retry-when-online.ts'
import { saveFailureText } from './save-failure.ts'
import { isUnanswered, isUploaded, savePost, uploadOnce } from './save-post.ts'
import { submit, tellFailure } from './submit-post.ts'
import { withoutPendingImages } from './text-images.ts'

const TOO_MANY = 429

/** @returns how it ended; what the form shows of that is told to it */
export async function saveDraft(form: OpenForm): Promise<SaveOutcome> {
  const { state, draft, live, update } = form
  const own = readValues(form)
  const { html, isWhole } = withoutPendingImages(own.content)
  const values: PostValues = {
    ...own,
    content: html,
    status: 'inactive',
    // What is still being typed waits.
    tags: own.tags?.filter(isTag).slice(0, TAGS_MAX),
  }
  const { changes } = draft
  // Kept on the device until there is a title, and no more than the server takes.
  if (Object.keys(findProblems(values, true)).length > 0) return end(form, 'refused')
  const image = imageToSave(form)
  const parts = JSON.stringify([
    values.title,
    html,
    image?.lastModified,
    image?.name,
    state.fields.isImageRemoved,
    typedTags(state.fields),
  ])
  if (state.post && live.savedParts === parts) {
    sendImage(form)
    return end(form, isWhole && !hasImageToSend(form) ? 'saved' : 'partly')
  }
  if (!navigator.onLine) return end(form, 'unanswered')
  const silence = setTimeout(() => end(form, 'unanswered'), SAVE_STALLED_MS)
  const { saver, userId } = form
  const answer = await savePost(saver, values, { image, userId, stored: findOpenedVersion(form) })
  clearTimeout(silence)
  if ('failure' in answer) return tellUnsaved(form, answer.failure)
  if ('conflict' in answer) {
    update(() => ({ newer: answer.conflict }))
    return end(form, 'refused')
  }
  live.savedParts = parts
  adopt(form, answer.post)
  sendImage(form)
  const isAll = isWhole && !hasImageToSend(form)
  if (isAll && draft.changes === changes) {
    live.isUnsaved = false
    // A page that comes instead may have been read before this was stored.
    if (!live.isUnloading) await draft.deleteSavedCopy()
  }
  return end(form, isAll ? 'saved' : 'partly')
}

/**
 * "Save draft": what is missing is named; it is not to be published from now on, and saves itself.
 */
export function pressSaveDraft(form: OpenForm): void {
  const { update, autosave, live } = form
  if (live.isSaving) return
  const status = 'inactive'
  const problems = findProblems({ ...readValues(form), status }, true)
  update(({ tries, fields }) => ({
    tries: tries + 1,
    problems,
    failure: undefined,
    fields: { ...fields, status },
  }))
  if (Object.keys(problems).length > 0) return
  noteChange(form)
  update(() => ({ isDraftAsked: true, newer: undefined, isElsewhere: false }))
  void autosave.saveNow()
}

/** Ctrl+S: the button that saves and stays, or, of a published post, the one that publishes. */
export function pressSave(form: OpenForm): void {
  const { post } = form.state
  if (post && !isDraft(form.state)) submit(form)
  else pressSaveDraft(form)
}

/** The writer waits for the draft no more: it is kept on the device until the next key. */
export function cancelDraft({ autosave, update }: OpenForm): void {
  autosave.stopTrying()
  update(() => ({ isDraftAsked: false, hasNoLine: false }))
}

/** An image that is on its way does not hold up the text. */
function imageToSave({ state, saver }: OpenForm): File | undefined {
  const { image } = state.fields
  return image && isUploaded(saver, image) ? image : undefined
}

function hasImageToSend({ state: { fields }, saver, live }: OpenForm): boolean {
  const { image } = fields
  return image !== undefined && image !== live.refusedImage && !isUploaded(saver, image)
}

/** Sends the featured image beside the text; then the draft is saved with it. */
function sendImage(form: OpenForm): void {
  const { saver, autosave, live, update } = form
  const { image } = form.state.fields
  if (!image || !hasImageToSend(form) || saver.uploading?.file === image) return
  void uploadOnce(saver, image).then((answer) => {
    if (form.state.fields.image !== image) return
    if (answer.ok) {
      autosave.noteKey()
      return autosave.saveNow()
    }
    const { failure } = answer
    // Otherwise it is sent again with the next try.
    if (isUnanswered(failure) || failure.code === 401 || failure.code === TOO_MANY) return
    live.refusedImage = image
    update(({ problems }) => ({ problems: { ...problems, image: saveFailureText(failure) } }))
  })
}

function tellUnsaved(form: OpenForm, failure: Failure): SaveOutcome {
  if (isUnanswered(failure) || failure.code === TOO_MANY) return end(form, 'unanswered')
  void tellFailure(form, failure, { isQuiet: true })
  return end(form, 'refused')
}

/** The form goes on with the post as the server has it; the text in the editor stays as it is. */
function adopt(form: OpenForm, saved: PostDocument): void {
  const { state, update, live, draft, opened } = form
  const isFirst = state.post === undefined
  live.basedOn = saved.$updatedAt
  update(({ failure }) => ({
    post: saved,
    fields: {
      ...form.state.fields,
      slug: saved.$id,
      isImageRemoved: form.state.fields.isImageRemoved && saved.featuredImage !== '',
    },
    failure: failure?.isSignedOut ? failure : undefined,
  }))
  draft.attachToPost(saved.$id)
  if (isFirst && !opened) {
    forgetFeed()
    if (!live.isLeft) form.noteStored(saved.$id)
  } else refreshInFeed(saved)
}

function end({ update, live }: OpenForm, outcome: SaveOutcome): SaveOutcome {
  const kinds = {
    saved: live.isUnsaved ? 'saving' : 'saved',
    partly: 'saving',
    unanswered: 'waiting',
    refused: 'kept',
  } as const
  const isWaiting = outcome === 'unanswered'
  if (outcome === 'saved') lastSaved.set(Date.now())
  update(({ isDraftAsked }) => ({
    saved: { kind: kinds[outcome], atMs: Date.now() },
    hasNoLine: isDraftAsked && isWaiting,
    isDraftAsked: isDraftAsked && (isWaiting || outcome === 'partly'),
  }))
  return outcome
}
