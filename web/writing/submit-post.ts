// What "Submit" and "Update" do: check, store the images of the text, save, and tell how it ended,
// also when the form was left before that. Knows nothing of how the form looks.

import type { NavigateFunction } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import type { Api } from '../api/client.ts'
import { type Failure, fail, NO_ANSWER, type Result, succeed } from '../api/result.ts'
import { forgetFeed, refreshInFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'
import type { useToasts } from '../ui/toasts.tsx'
import { deleteSavedDraft, detachFromPost, hideWhileSaving, writeDraft } from './form-draft.ts'
import { type Conflict, type FormParts, hasImage } from './post-form-state.ts'
import { findProblems, type PostValues } from './post-values.ts'
import { leftFailureText, saveFailureText, TEXT_IMAGE_FAILED } from './save-failure.ts'
import { type SaveAnswer, type StoredVersion, saveChangedPost, saveNewPost } from './save-post.ts'
import { forgetTextImages, restoreTextImages } from './text-images.ts'

export type SubmitNeeds = FormParts & {
  api: Api
  userId: string
  toasts: ReturnType<typeof useToasts>
  navigate: NavigateFunction
}

/**
 * Saves once, however often it is asked for before that has ended.
 *
 * @param version the version to save over; a new post has none
 */
export function submit(form: SubmitNeeds, version: StoredVersion | undefined): void {
  const { live, draft } = form
  if (live.isSaving) return
  live.isSaving = true
  form.update(() => ({ failure: undefined }))
  writeDraft(draft)
  const showAgain = hideWhileSaving(draft)
  void checkAndSave(form, version).finally(() => {
    live.isSaving = false
    showAgain()
  })
}

async function checkAndSave(form: SubmitNeeds, version: StoredVersion | undefined): Promise<void> {
  const { state, update } = form
  const { image, ...fields } = state.fields
  update(({ tries }) => ({ tries: tries + 1 }))
  if (!isReady(form, { ...fields, content: '' })) return
  // Told at once, not after the retries of an upload.
  if (!navigator.onLine) return tellFailure(form, NO_ANSWER)
  update(() => ({ isSaving: true, progress: undefined }))
  const content = await readContent(form)
  if (!content.ok) {
    await tellFailure(form, content.failure)
    return update(() => ({ isSaving: false }))
  }
  await restoreTextImages(form.api, { userId: form.userId, html: content.value })
  const values = { ...fields, content: content.value }
  if (!isReady(form, values)) return update(() => ({ isSaving: false }))
  update(() => ({ progress: image && { sentBytes: 0, totalBytes: image.size } }))
  const answer = await save(form, values, version)
  if ('failure' in answer) await tellFailure(form, answer.failure)
  update(() => ({ isSaving: false }))
  if ('conflict' in answer) tellConflict(form, { own: values, saved: answer.conflict })
  if ('post' in answer) await finish(form, answer.post)
}

/** Shows what keeps the values from being saved, if anything does. */
function isReady({ state, update }: FormParts, values: PostValues): boolean {
  const problems = findProblems(values, hasImage(state))
  update(() => ({ problems }))
  return Object.keys(problems).length === 0
}

/** The text, once all its images are stored. */
async function readContent({ state, editor }: FormParts): Promise<Result<string>> {
  const content = (await editor.current?.read()) ?? succeed(state.startHtml)
  if (content.ok || content.failure.code === 401) return content
  const message = texts.savingFailures.imageInText(content.failure.message)
  return fail({ code: 400, type: TEXT_IMAGE_FAILED, message })
}

async function save(
  { state, saver, userId }: SubmitNeeds,
  values: PostValues,
  version: StoredVersion | undefined,
): Promise<SaveAnswer> {
  const { image } = state.fields
  if (version) return saveChangedPost(saver, values, { image, stored: version })
  if (!image) throw new Error('A new post was sent on without its image')
  return saveNewPost(saver, values, { image, userId })
}

async function tellFailure(form: SubmitNeeds, failure: Failure): Promise<void> {
  const { api, userId, opened, draft, live, toasts } = form
  writeDraft(draft)
  const reason = opened ? await causeOf(failure, userId, () => getAccount(api)) : failure
  const isDeleted = reason.type === 'document_not_found' && opened !== undefined
  if (isDeleted) void detachFromPost(draft)
  if (live.isLeft) return tellLeft(form, leftFailureText(reason), isDeleted)
  if (!navigator.onLine) toasts.show({ kind: 'error', text: texts.savingFailures.offline })
  const isSignedOut = reason.code === 401
  form.update(() => ({ failure: { text: saveFailureText(reason), isSignedOut } }))
}

function tellConflict(form: SubmitNeeds, conflict: Conflict): void {
  if (form.live.isLeft)
    tellLeft(form, leftFailureText({ message: texts.conflict.told, code: 400, type: '' }))
  else form.update(() => ({ conflict }))
}

/** The person is on another page: it stays as it is, but for a message with the way back. */
function tellLeft({ opened, toasts, navigate }: SubmitNeeds, text: string, isDeleted = false) {
  const path = opened && !isDeleted ? `/edit-post/${opened.$id}` : '/add-post'
  toasts.show({
    kind: 'error',
    text,
    action: { label: texts.savingFailures.toText, onPress: () => void navigate(path) },
  })
}

async function finish(form: SubmitNeeds, saved: PostDocument): Promise<void> {
  const { userId, opened, live, draft, toasts, navigate } = form
  live.isUnsaved = false
  await deleteSavedDraft(draft)
  void forgetTextImages(userId)
  if (opened && opened.status === saved.status) refreshInFeed(saved)
  else forgetFeed()
  const path = `/post/${saved.$id}`
  const text = savedText(opened, saved)
  if (live.isLeft)
    return toasts.show({
      kind: 'ok',
      text,
      action: { label: texts.saved.open, onPress: () => void navigate(path) },
    })
  await navigate(path, { replace: true }) // "Back" must not lead to a form that is done
  toasts.show({ kind: 'ok', text })
}

function savedText(opened: PostDocument | undefined, saved: PostDocument): string {
  if (saved.status === 'inactive') return texts.saved.inactive
  return opened ? texts.saved.active : texts.saved.published
}
