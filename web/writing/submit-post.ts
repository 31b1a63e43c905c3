// The actions of "Submit" and "Update": check, store the images of the text, save, and report how
// the save ended, also if the form was left before that. Without a network the save waits until the
// network is back or the writer cancels.
import { publicPath } from '#contract/post-url.ts'
import type { PostDocument } from '#contract/posts.ts'
import { getAccount } from '../accounts/accounts-api.ts'
import { type Failure, fail, type Result, succeed } from '../api/client.ts'
import { forgetFeed, refreshInFeed } from '../lists/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { causeOf } from '../posts/failure-cause.ts'
import { publishedPath } from '../posts/post-paths.ts'
import { scheduledTimeOf } from '../posts/posts-api.ts'
import { copyAndReport } from '../ui/copying.ts'
import { loadCode } from '../ui/load-code.ts'
import { pauseUntilOnline } from '../ui/use-online.ts'
import { retryPauseMs } from './autosave.ts'
import { newPostPath, type OpenForm, readContent, readValues, takeOver } from './open-form.ts'
import { openedVersion } from './post-form-reducer.ts'
import { hasProblems } from './post-values.ts'
import { failureTextAfterLeaving, TEXT_IMAGE_FAILED } from './save-failure.ts'
import { CANCELLED, isPublication, type SaveAnswer, savePost } from './save-post.ts'
import { forgetTextImages, restoreTextImages, withoutPendingImages } from './text-images.ts'

/** Without an answer for this long, the form says that there is no connection. */
export const SAVE_STALLED_MS = 2500
/** The assumed speed of a slow connection: the answer to a long text may take longer. */
const BYTES_PER_MS = 50

/**
 * Saves the post, then shows it; with `showsPublished`, the page "Published" instead. Does nothing
 * while a save is under way.
 */
export function submit(form: OpenForm, { showsPublished = false } = {}): void {
  const { getState, dispatch, draft, autosave } = form
  if (getState().isSaving || showOpenConflict(form)) return
  takeOver(form)
  draft.write()
  dispatch({ type: 'submitted' })
  if (!getState().isSaving) {
    autosave.resume()
    return
  }
  const showDraft = draft.hide()
  form.showsPublished = showsPublished
  const saving = saveAndReport(form).finally(() => {
    form.abort = undefined
    dispatch({ type: 'saveEnded' })
    autosave.resume()
    showDraft()
  })
  // Only then can the text be changed again.
  void saving.then((newerPost) => newerPost && mergeOrAsk(form, newerPost))
}

/** Paragraphs with two texts are not published: the writer decides first. */
function showOpenConflict({ getState }: OpenForm): boolean {
  const { merged, fields } = getState()
  const [conflict] = merged?.text.get().conflicts ?? []
  if (!conflict || fields.status !== 'active') return false
  merged?.text.show(conflict.id)
  return true
}

/** Call it when the writer no longer waits. The text is on the device; the server may have it. */
export function cancelSubmit({ abort, getState }: OpenForm): void {
  abort?.abort()
  getState().progress?.cancel?.()
}

type Attempt = SaveAnswer | 'incomplete'

/** @returns a version that was saved elsewhere, with which the text must be merged */
async function saveAndReport(form: OpenForm): Promise<PostDocument | undefined> {
  const { dispatch, draft } = form
  form.abort = new AbortController()
  const { signal } = form.abort
  const answer = await saveWhenOnline(form, signal)
  if (answer === 'incomplete') return undefined
  if ('conflict' in answer) {
    const { conflict } = answer
    if (!isPublication(form.getState().post, conflict)) return conflict
    dispatch({ type: 'publishedMeanwhile', post: conflict })
    return await saveAndReport(form)
  }
  if ('post' in answer) await finish(form, answer.post)
  else if (!signal.aborted) await reportFailure(form, answer.failure)
  else {
    draft.write()
    dispatch({ type: 'saveCancelled', atMs: Date.now() })
  }
  return undefined
}

/** Tries until there is an answer or the save is cancelled. Sent requests are not taken back. */
async function saveWhenOnline(form: OpenForm, signal: AbortSignal): Promise<Attempt> {
  const { getState, dispatch, autosave } = form
  const cancelled = new Promise<{ failure: Failure }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failure: CANCELLED }))
  })
  const stalledTimer = setTimeout(
    () => dispatch({ type: 'connectionLost' }),
    navigator.onLine ? SAVE_STALLED_MS : 0,
  )
  await Promise.race([autosave.pause(), cancelled])
  clearTimeout(stalledTimer)
  for (let tries = 0; !signal.aborted; tries += 1) {
    if (navigator.onLine) {
      dispatch({ type: 'connectionRestored' })
      const answer = await Promise.race([saveOnce(form, signal), cancelled])
      // Once the form was left, nobody waits for another attempt.
      if (!isConnectionLost(answer) || signal.aborted || getState().isLeft) return answer
    }
    dispatch({ type: 'connectionLost' })
    await pauseUntilOnline(retryPauseMs(tries), signal)
  }
  return { failure: CANCELLED }
}

function isConnectionLost(answer: Attempt): boolean {
  if (answer === 'incomplete' || !('failure' in answer)) return false
  return answer.failure.code === 0 && !answer.failure.type.endsWith('_cancelled')
}

async function saveOnce(form: OpenForm, signal: AbortSignal): Promise<Attempt> {
  const { getState, dispatch, saver, userId } = form
  const content = await readStoredContent(form)
  if (!content.ok) return { failure: content.failure }
  if (signal.aborted) return { failure: CANCELLED }
  await restoreTextImages(form.api, { userId, html: content.value })
  dispatch({ type: 'contentRead', content: content.value })
  if (hasProblems(getState().problems)) return 'incomplete'
  const { image } = getState().fields
  const stopWatching = watchConnection(form, content.value.length)
  const { status, publishedAt } = getState().fields
  const schedule = status === 'active' ? {} : { publishedAt }
  const values = { ...readValues(form), ...schedule, content: content.value }
  const stored = openedVersion(getState())
  const isCancelled = () => signal.aborted
  try {
    return await savePost(saver, values, { image, userId, isCancelled, stored })
  } finally {
    stopWatching()
  }
}

/**
 * Dispatches whether the connection is lost: the browser is offline, or neither an answer nor
 * upload progress has come for a while.
 *
 * @param bytes the number of bytes that the browser sends before an answer can come
 * @returns a function that stops watching
 */
function watchConnection({ getState, dispatch, subscribe }: OpenForm, bytes: number): () => void {
  let { progress } = getState()
  let timer: ReturnType<typeof setTimeout> | undefined
  const handleLoss = () => dispatch({ type: 'connectionLost' })
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(handleLoss, SAVE_STALLED_MS + bytes / BYTES_PER_MS)
  }
  const unsubscribe = subscribe(() => {
    if (getState().progress === progress) return
    progress = getState().progress
    restart()
    dispatch({ type: 'connectionRestored' })
  })
  window.addEventListener('offline', handleLoss)
  restart()
  return () => {
    clearTimeout(timer)
    unsubscribe()
    window.removeEventListener('offline', handleLoss)
  }
}

/** The text, once all its images are stored. */
async function readStoredContent({ getState, editor }: OpenForm): Promise<Result<string>> {
  const { lastContent, startHtml } = getState()
  if (lastContent !== undefined) return checkLastContent(lastContent)
  const content = (await editor.current?.read()) ?? succeed(startHtml)
  if (content.ok || content.failure.code === 401 || content.failure.code === 0) return content
  return failTextImage(content.failure.message)
}

/** After the form was left: images that were not stored by then are lost. */
function checkLastContent(html: string): Result<string> {
  return withoutPendingImages(html).isWhole ? succeed(html) : failTextImage('')
}

function failTextImage(reason: string): Result<never> {
  const message = texts.savingFailures.imageInText(reason).trim()
  return fail({ code: 400, type: TEXT_IMAGE_FAILED, message })
}

/** @param options `isQuiet` while the writer is typing: the focus stays where it is */
export async function reportFailure(
  form: OpenForm,
  failure: Failure,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<void> {
  const { api, userId, draft, getState, dispatch } = form
  draft.write()
  const isStored = getState().post !== undefined
  const cause = isStored ? await causeOf(failure, userId, () => getAccount(api)) : failure
  const isDeleted = cause.type === 'document_not_found' && isStored
  if (isDeleted) void draft.detachFromPost()
  if (getState().isLeft) showLeftFailure(form, failureTextAfterLeaving(cause), isDeleted)
  else dispatch({ type: 'saveFailed', failure: cause, isQuiet })
}

/**
 * Merges a version that was saved elsewhere into the form.
 *
 * @returns false if that is impossible: the form was left, the common version is not known, or
 *   too much has changed
 */
export async function mergeNewer(
  form: OpenForm,
  post: PostDocument,
  { isFromAutosave }: { isFromAutosave: boolean },
): Promise<boolean> {
  if (form.getState().isLeft) return false
  try {
    const { mergeVersion } = await loadCode(() => import('./merge-version.ts'))
    return await mergeVersion(form, post, { isFromAutosave })
  } catch {
    return false
  }
}

async function mergeOrAsk(form: OpenForm, post: PostDocument): Promise<void> {
  const { getState, dispatch } = form
  if (await mergeNewer(form, post, { isFromAutosave: false })) return
  if (getState().isLeft) {
    const failure = { message: texts.conflict.summary, code: 400, type: '' }
    showLeftFailure(form, failureTextAfterLeaving(failure))
  } else {
    const content = readContent(form)
    dispatch({ type: 'conflictFound', post, content, isFromAutosave: false })
  }
}

/** The writer is on another page, and stays there: a toast offers the way back to the text. */
function showLeftFailure(form: OpenForm, text: string, isDeleted = false): void {
  const { getState, toasts, navigate } = form
  const { post } = getState()
  const path = post && !isDeleted ? `/edit-post/${post.$id}` : newPostPath(form)
  toasts.show({
    kind: 'error',
    text,
    action: { label: texts.savingFailures.toText, onPress: () => void navigate(path) },
  })
}

async function finish(form: OpenForm, saved: PostDocument): Promise<void> {
  const { api, userId, getState, dispatch, draft, toasts, navigate, autosave } = form
  const previousPost = getState().post
  dispatch({ type: 'saveSucceeded' })
  autosave.reset()
  await draft.finish()
  void forgetTextImages(userId)
  if (previousPost && previousPost.status === saved.status) refreshInFeed(saved)
  else forgetFeed()
  const path = `/post/${saved.$id}`
  const text = savedText(form.opened, saved)
  const isScheduled = scheduledTimeOf(saved) !== undefined
  if (form.showsPublished && !getState().isLeft && (isScheduled || saved.status === 'active'))
    return await navigate(publishedPath(saved.$id), { replace: true })
  if (getState().isLeft)
    return toasts.show({
      kind: 'ok',
      text,
      action: { label: texts.saved.open, onPress: () => void navigate(path) },
    })
  await navigate(path, { replace: true }) // "Back" must not lead to a finished form
  const url = () => new URL(publicPath(api.settings, saved), api.client.config.endpoint).href
  const copying = {
    label: texts.copying.link,
    onPress: () => void copyAndReport(toasts, url(), texts.copying.linkCopied),
  }
  const isPublished = text === texts.saved.published
  toasts.show({ kind: 'ok', text, ...(isPublished && { action: copying }) })
}

function savedText(opened: PostDocument | undefined, saved: PostDocument): string {
  if (saved.status === 'inactive') return texts.saved.inactive
  if (saved.page) return texts.pageForm.saved
  return opened ? texts.saved.active : texts.saved.published
}
