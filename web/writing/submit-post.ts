// What "Submit" and "Update" do: check, store the images of the text, save, and tell how it ended,
// also when the form was left before that. Without a network the save waits for it, until it is
// cancelled.
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { type Failure, fail, type Result, succeed } from '../api/client.ts'
import { forgetFeed, refreshInFeed } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'
import {
  type Conflict,
  findOpenedVersion,
  hasImage,
  type OpenForm,
  readAll,
  readValues,
} from './post-form-state.ts'
import { findProblems, type PostValues } from './post-values.ts'
import { retryWhenOnline, watchStalledSave } from './retry-when-online.ts'
import { leftFailureText, saveFailureText, TEXT_IMAGE_FAILED } from './save-failure.ts'
import { CANCELLED, type SaveAnswer, savePost } from './save-post.ts'
import { forgetTextImages, restoreTextImages, withoutPendingImages } from './text-images.ts'

type Ended = SaveAnswer | { own: PostValues; conflict: PostDocument } | 'incomplete'

/** Saves once, however often it is asked for before that has ended. */
export function submit(form: OpenForm): void {
  const { live, draft, autosave } = form
  if (live.isSaving) return
  live.isSaving = true
  form.update(() => ({ failure: undefined, newer: undefined }))
  draft.write()
  const showAgain = draft.hideWhileSaving()
  void checkAndSave(form).finally(() => {
    live.isSaving = false
    live.cancel = undefined
    autosave.resume()
    showAgain()
  })
}

/** The writer waits for the save no more. The text is kept on the device; it may be stored. */
export function cancelSaving(form: OpenForm): void {
  form.live.cancel?.()
  form.state.progress?.cancel?.()
}

async function checkAndSave(form: OpenForm): Promise<void> {
  const { update, live, autosave } = form
  update(({ tries }) => ({ tries: tries + 1 }))
  if (!isReady(form, { ...readValues(form), content: '' })) return
  const stop = new AbortController()
  live.cancel = () => stop.abort()
  update(() => ({ isSaving: true, progress: undefined, saved: undefined }))
  const ended = await retryWhenOnline({
    before: () => autosave.halt(),
    attempt: () => saveOnce(form, stop.signal),
    signal: stop.signal,
    isAwaited: () => !live.isLeft,
    tell: (hasNoLine) => update(() => ({ hasNoLine })),
  })
  update(() => ({ isSaving: false, hasNoLine: false }))
  if (ended === 'incomplete') return
  if ('failure' in ended) {
    if (stop.signal.aborted) return tellCancelled(form)
    return tellFailure(form, ended.failure)
  }
  if ('conflict' in ended)
    return tellConflict(form, { own: readAll(form), saved: ended.conflict, isQuiet: false })
  await finish(form, ended.post)
}

async function saveOnce(form: OpenForm, signal: AbortSignal): Promise<Ended> {
  const { update } = form
  const content = await readContent(form)
  if (!content.ok) return { failure: content.failure }
  if (signal.aborted) return { failure: CANCELLED }
  await restoreTextImages(form.api, { userId: form.userId, html: content.value })
  const values = { ...readValues(form), content: content.value }
  if (!isReady(form, values)) return 'incomplete'
  const { image } = form.state.fields
  update(() => ({ progress: image && { sentBytes: 0, totalBytes: image.size } }))
  const silence = watchStalledSave({
    bytes: content.value.length,
    onSilence: (hasNoLine) => update(() => ({ hasNoLine })),
  })
  form.live.heard = silence.heard
  const isCancelled = () => signal.aborted
  const { saver, userId } = form
  try {
    return await savePost(saver, values, {
      image,
      userId,
      isCancelled,
      stored: findOpenedVersion(form),
    })
  } finally {
    silence.end()
    form.live.heard = undefined
  }
}

/** Shows what keeps the values from being saved, if anything does. */
function isReady({ state, update }: OpenForm, values: PostValues): boolean {
  const problems = findProblems(values, hasImage(state))
  update(() => ({ problems }))
  return Object.keys(problems).length === 0
}

/** The text, once all its images are stored. */
async function readContent({ state, editor, live }: OpenForm): Promise<Result<string>> {
  if (live.lastContent !== undefined) return readLastContent(live.lastContent)
  const content = (await editor.current?.read()) ?? succeed(state.startHtml)
  if (content.ok || content.failure.code === 401 || content.failure.code === 0) return content
  const message = texts.savingFailures.imageInText(content.failure.message)
  return fail({ code: 400, type: TEXT_IMAGE_FAILED, message })
}

/** The form was left: images that are not stored by now went with it. */
function readLastContent(html: string): Result<string> {
  if (withoutPendingImages(html).isWhole) return succeed(html)
  const message = texts.savingFailures.imageInText('').trim()
  return fail({ code: 400, type: TEXT_IMAGE_FAILED, message })
}

/** @param options `isQuiet` while the person is writing: the focus stays where it is */
export async function tellFailure(
  form: OpenForm,
  failure: Failure,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<void> {
  const { api, userId, draft, live } = form
  draft.write()
  const isStored = form.state.post !== undefined
  const reason = isStored ? await causeOf(failure, userId, () => getAccount(api)) : failure
  const isDeleted = reason.type === 'document_not_found' && isStored
  if (isDeleted) void draft.detachFromPost()
  if (live.isLeft) return tellLeft(form, leftFailureText(reason), isDeleted)
  const isSignedOut = reason.code === 401
  form.update(() => ({ failure: { text: saveFailureText(reason), isSignedOut, isQuiet } }))
}

function tellCancelled(form: OpenForm): void {
  form.draft.write()
  const failure = { text: texts.savingFailures.stopped, isSignedOut: false, isQuiet: false }
  form.update(() => ({ keptAtMs: Date.now(), failure }))
}

function tellConflict(form: OpenForm, conflict: Conflict): void {
  if (form.live.isLeft)
    tellLeft(form, leftFailureText({ message: texts.conflict.summary, code: 400, type: '' }))
  else form.update(() => ({ conflict }))
}

/** The person is on another page: it stays as it is, but for a message with the way back. */
function tellLeft(
  { state: { post }, toasts, navigate }: OpenForm,
  text: string,
  isDeleted = false,
) {
  const path = post && !isDeleted ? `/edit-post/${post.$id}` : '/add-post'
  toasts.show({
    kind: 'error',
    text,
    action: { label: texts.savingFailures.toText, onPress: () => void navigate(path) },
  })
}

async function finish(form: OpenForm, saved: PostDocument): Promise<void> {
  const { userId, live, draft, toasts, navigate, autosave } = form
  const before = form.state.post
  live.isUnsaved = false
  autosave.settle()
  await draft.deleteSaved()
  void forgetTextImages(userId)
  if (before && before.status === saved.status) refreshInFeed(saved)
  else forgetFeed()
  const path = `/post/${saved.$id}`
  const text = savedText(form.opened, saved)
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
