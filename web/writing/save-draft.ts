// Saves a draft automatically: the text first, its featured image in parallel. The draft is never
// saved as active, whatever the status field says, and a published post is never changed.
import { TAGS_MAX } from '#contract/limits.ts'
import { isTag } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure } from '../api/client.ts'
import { lastDraftSave } from '../drafts/draft-store.ts'
import { forgetFeed, refreshInFeed } from '../lists/post-lists.ts'
import { findDetailProblem } from '../publishing/detail-problems.ts'
import type { SaveOutcome } from './autosave.ts'
import { handleTyping, type OpenForm, readContent, readValues, takeOver } from './open-form.ts'
import { allFormValues, isDraft, openedVersion } from './post-form-reducer.ts'
import { findProblems, hasProblems, type PostValues } from './post-values.ts'
import { isPublication, isUnanswered, isUploaded, savePost, uploadOnce } from './save-post.ts'
import { cancelSubmit, mergeNewer, reportFailure, SAVE_STALLED_MS, submit } from './submit-post.ts'
import { withoutPendingImages } from './text-images.ts'

const TOO_MANY = 429

export async function saveDraft(form: OpenForm): Promise<SaveOutcome> {
  const outcome = await sendDraft(form)
  if (outcome === 'saved') lastDraftSave.set(Date.now())
  form.dispatch({ type: 'draftSaveEnded', outcome, atMs: Date.now() })
  return outcome
}

async function sendDraft(form: OpenForm): Promise<SaveOutcome> {
  const { getState, dispatch, draft } = form
  // It was published since the save was arranged.
  if (getState().post?.status === 'active') return 'refused'
  const { html, isWhole } = withoutPendingImages(readContent(form))
  const values = draftValues(form, html)
  // A text without a title, or longer than the server accepts, stays on the device.
  if (hasProblems(findProblems(values, true))) return 'refused'
  dispatch({ type: 'draftSent' })
  const image = uploadedImage(form)
  const textId = identifyText(form, html, image)
  if (!getState().post || getState().storedTextId !== textId) {
    const failedOutcome = await storeDraft(form, { values, image, textId })
    if (failedOutcome) return failedOutcome
  }
  sendImage(form)
  if (!isWhole || hasImageToSend(form)) return 'partly'
  // The text is stored; a detail that the server would refuse waits on the device.
  if (findDetailProblem(getState().fields.details)) return 'refused'
  dispatch({ type: 'draftFullyStored' })
  const { isUnsaved, isUnloading } = getState()
  // While the window is closing, the next page may have read the post before this save.
  if (!isUnsaved && !isUnloading) await draft.deleteSavedCopy()
  return 'saved'
}

function draftValues(form: OpenForm, content: string): PostValues {
  const { tags, details, ...values } = readValues(form)
  // A tag that is still being typed is not sent yet.
  const validTags = tags?.filter(isTag).slice(0, TAGS_MAX)
  const validDetails = findDetailProblem(details) ? undefined : details
  return { ...values, content, status: 'inactive', tags: validTags, details: validDetails }
}

function identifyText({ getState }: OpenForm, html: string, image: File | undefined): string {
  const { title, tags, details } = allFormValues(getState(), html)
  const { isImageRemoved } = getState().fields
  const imageId = [image?.lastModified, image?.name, isImageRemoved]
  return JSON.stringify([title, html, imageId, tags, details])
}

/** @returns how the save ended; undefined if the text was stored */
async function storeDraft(
  form: OpenForm,
  { values, image, textId }: { values: PostValues; image: File | undefined; textId: string },
): Promise<SaveOutcome | undefined> {
  const { getState, dispatch, saver, userId } = form
  if (!navigator.onLine) return 'unanswered'
  const stalledTimer = setTimeout(
    () => dispatch({ type: 'draftSaveEnded', outcome: 'unanswered', atMs: Date.now() }),
    SAVE_STALLED_MS,
  )
  const stored = openedVersion(getState())
  const answer = await savePost(saver, values, { image, userId, stored })
  clearTimeout(stalledTimer)
  if ('failure' in answer) return handleFailure(form, answer.failure)
  if ('conflict' in answer) {
    const post = answer.conflict
    const isOnlyPublished = isPublication(getState().post, post)
    // The merged text of a draft is saved next; a post that was published elsewhere waits.
    if (!isOnlyPublished && (await mergeNewer(form, post, { isFromAutosave: true })))
      return isDraft(getState()) ? 'partly' : 'refused'
    dispatch({ type: isOnlyPublished ? 'publishedMeanwhile' : 'newerFound', post })
    return 'refused'
  }
  continueWithPost(form, answer.post, textId)
  return undefined
}

function handleFailure(form: OpenForm, failure: Failure): SaveOutcome {
  if (isUnanswered(failure) || failure.code === TOO_MANY) return 'unanswered'
  void reportFailure(form, failure, { isQuiet: true })
  return 'refused'
}

function continueWithPost(form: OpenForm, post: PostDocument, textId: string): void {
  const { getState, dispatch, draft, onStored } = form
  const isNew = getState().post === undefined
  dispatch({ type: 'draftStored', post, textId })
  draft.attachToPost(post.$id)
  if (isNew) {
    forgetFeed()
    if (!getState().isLeft) onStored(post.$id)
  } else refreshInFeed(post)
}

/** Handles "Save draft". */
export function requestDraft(form: OpenForm): void {
  const { getState, dispatch, autosave } = form
  if (getState().isSaving) return
  takeOver(form)
  dispatch({ type: 'draftRequested', content: readContent(form) })
  if (hasProblems(getState().problems)) return
  handleTyping(form)
  void autosave.saveNow()
}

/** Handles Ctrl+S: "Save draft" or, for a published post, "Update". */
export function requestSave(form: OpenForm): void {
  const { post } = form.getState()
  if (post && !isDraft(form.getState())) submit(form)
  else requestDraft(form)
}

/** Call it when the writer no longer waits for the save. The text is on the device. */
export function cancelSave(form: OpenForm): void {
  if (form.getState().isSaving) cancelSubmit(form)
  else {
    form.autosave.stopRetrying()
    form.dispatch({ type: 'draftRequestCancelled' })
  }
}

/** The featured image, if it is uploaded: an upload that still runs does not delay the text. */
function uploadedImage({ getState, saver }: OpenForm): File | undefined {
  const { image } = getState().fields
  return image && isUploaded(saver, image) ? image : undefined
}

function hasImageToSend({ getState, saver }: OpenForm): boolean {
  const { fields, refusedImage } = getState()
  const { image } = fields
  return image !== undefined && image !== refusedImage && !isUploaded(saver, image)
}

/** Uploads the featured image without delaying the text, then saves the draft with it. */
function sendImage(form: OpenForm): void {
  const { getState, dispatch, saver, autosave } = form
  const { image } = getState().fields
  if (!image || !hasImageToSend(form) || saver.uploading?.file === image) return
  void uploadOnce(saver, image).then((uploaded) => {
    if (getState().fields.image !== image) return
    if (uploaded.ok) {
      autosave.markDirty()
      // "Submit" sends the image itself.
      return getState().isSaving ? undefined : autosave.saveNow()
    }
    const { failure } = uploaded
    // These failures are temporary: the next save sends the image again.
    if (isUnanswered(failure) || failure.code === 401 || failure.code === TOO_MANY) return
    dispatch({ type: 'imageRefused', image, failure })
  })
}
