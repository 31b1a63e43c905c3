// The post form while it is on the screen: creates its state and its parts, and runs its effects.
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import type { PostDocument } from '#contract/posts.ts'
import { useApi } from '../api/client.ts'
import { acquireWriterLock } from '../drafts/draft-locks.ts'
import { draftStore, onDraftsDeleted } from '../drafts/draft-store.ts'
import { OpenDraft } from '../drafts/open-draft.ts'
import { uploadChosenImage } from '../files/prepare-image.ts'
import type { UploadProgress } from '../files/upload-image.ts'
import { createPost, getPost, updatePost } from '../posts/posts-api.ts'
import { createSharedValue } from '../ui/shared-value.ts'
import { useToasts } from '../ui/toasts.tsx'
import { Autosave } from './autosave.ts'
import { findOtherDrafts, showStored } from './form-actions.ts'
import { type FormContext, type OpenForm, readContent, readValues } from './open-form.ts'
import {
  allFormValues,
  initialPostFormState,
  isDraft,
  isSavedAutomatically,
  type PostFormState,
  postFormReducer,
} from './post-form-reducer.ts'
import { CONTENT_IMAGE_LIMIT, findProblems, hasProblems } from './post-values.ts'
import { saveDraft } from './save-draft.ts'
import { createSaver, isContained, type SaveCalls } from './save-post.ts'
import { mergeNewer } from './submit-post.ts'

/** Props of the form's components: they show `state`, and their controls change `form`. */
export type FormProps = { form: OpenForm; state: PostFormState }

/** @param opened the post being edited; undefined for a new one */
export function usePostForm(
  opened: PostDocument | undefined,
  { userId, isNewPage = false, onStored }: Pick<FormContext, 'userId' | 'isNewPage' | 'onStored'>,
): FormProps {
  const context = { api: useApi(), navigate: useNavigate(), toasts: useToasts(), onStored }
  const [form] = useState(() => createOpenForm(opened, { ...context, userId, isNewPage }))
  useLayoutEffect(() => {
    Object.assign(form, context)
  })
  const state = useSyncExternalStore(form.subscribe, form.getState, form.getState)
  useLifetime(form)
  useWriterLock(form, isDraft(state) ? state.post?.$id : undefined)
  return { form, state }
}

/** The result lives as long as the form. After awaiting a call, code must read the state again. */
export function createOpenForm(
  opened: PostDocument | undefined,
  context: FormContext,
  calls?: SaveCalls,
): OpenForm {
  const state = createSharedValue(initialPostFormState(opened, context.isNewPage))
  const onProgress = (progress: UploadProgress) =>
    form.dispatch({ type: 'uploadProgressed', progress })
  const saver = createSaver(calls ?? saveCalls(context, onProgress))
  const form: OpenForm = {
    ...context,
    opened,
    getState: state.get,
    dispatch: (action) => state.set(postFormReducer(state.get(), action)),
    subscribe: state.subscribe,
    editor: { current: null },
    draft: new OpenDraft({
      owner: { userId: context.userId, postId: opened?.$id },
      read: () => readDraft(form),
      onWritten: (isStored) =>
        form.dispatch({ type: 'writtenToDevice', isStored, atMs: Date.now() }),
    }),
    saver,
    autosave: new Autosave({
      isOn: () => isSavedAutomatically(form.getState()),
      save: () => saveDraft(form),
    }),
  }
  saver.onCreate = () => form.draft.writeForm()
  return form
}

function saveCalls(
  { api, isNewPage }: FormContext,
  onProgress: (progress: UploadProgress) => void,
): SaveCalls {
  const { contentBucketId } = api.settings
  return {
    uploadImage: (file) =>
      uploadChosenImage(api, contentBucketId, { file, limit: CONTENT_IMAGE_LIMIT, onProgress }),
    createPost: (slug, data) => createPost(api, slug, isNewPage ? { ...data, page: true } : data),
    updatePost: (slug, change) => updatePost(api, slug, change),
    getPost: (slug) => getPost(api, slug),
    now: Date.now,
  }
}

function readDraft(form: OpenForm) {
  const { getState, saver } = form
  const { post, fields, basedOn, isPage } = getState()
  const { uploaded } = saver
  const { image } = fields
  const isStored = uploaded?.file === image && uploaded?.fileId === post?.featuredImage
  return {
    ...readValues(form),
    basedOn,
    isPage,
    sent: saver.unansweredCreate,
    image: isStored ? undefined : image,
  }
}

/** Whether leaving would lose text, so that the writer must be asked first. */
export function losesText(form: OpenForm): boolean {
  const { isUnsaved, isDeviceFull } = form.getState()
  return isUnsaved && (isDeviceFull || !isFlushable(form))
}

/**
 * Whether the unsaved text can be sent when the form is left. (A copy is on the device in any
 * case.)
 */
function isFlushable(form: OpenForm): boolean {
  const { autosave, getState } = form
  return (
    isSavedAutomatically(getState()) &&
    navigator.onLine &&
    autosave.failures === 0 &&
    !hasProblems(findProblems({ ...readValues(form), status: 'inactive' }, true))
  )
}

/** Sends the unsaved text. */
function flush({ autosave, getState }: OpenForm): void {
  if (autosave.isDirty && isSavedAutomatically(getState())) void autosave.saveNow()
}

/** Writes the text to the device, and sends it, when the window or the form is left. */
function useLifetime(form: OpenForm): void {
  const { dispatch, draft, autosave } = form
  useEffect(() => {
    void draftStore.deleteUnusedImages(form.userId)
    void findOtherDrafts(form)
    return onDraftsDeleted((prefix) => draft.writeDeleted(prefix))
  }, [form, draft])
  // A layout effect: its cleanup can still read the editor when the form is removed.
  useLayoutEffect(() => {
    const lifetime = new AbortController()
    dispatch({ type: 'shown' })
    draft.open()
    const handleUnload = () => {
      dispatch({ type: 'unloading' })
      flush(form)
    }
    const handleVisibility = () => {
      draft.write()
      // The writer may continue on another device.
      if (document.visibilityState === 'hidden') flush(form)
    }
    window.addEventListener('online', () => autosave.retryNow(), lifetime)
    window.addEventListener('beforeunload', handleUnload, lifetime)
    window.addEventListener('pagehide', () => draft.write(), lifetime)
    document.addEventListener('visibilitychange', handleVisibility, lifetime)
    return () => {
      lifetime.abort()
      draft.close()
      dispatch({ type: 'unmounted', content: readContent(form) })
      if (isFlushable(form)) flush(form)
      autosave.stopRetrying()
    }
  }, [form, dispatch, draft, autosave])
}

/** Only one tab saves a draft automatically. Others say so, and save once they get the lock. */
function useWriterLock(form: OpenForm, postId: string | undefined): void {
  useEffect(() => {
    if (postId === undefined) return
    const { userId, dispatch } = form
    let wasElsewhere = false
    const lock = acquireWriterLock({
      userId,
      postId,
      onChange(isWriter) {
        dispatch({ type: 'writerChanged', isOpenElsewhere: !isWriter })
        if (isWriter && wasElsewhere) void catchUp(form)
        wasElsewhere = !isWriter
      },
    })
    form.writerLock = lock
    return () => {
      lock.release()
      form.writerLock = undefined
      dispatch({ type: 'writerChanged', isOpenElsewhere: false })
    }
  }, [form, postId])
}

/**
 * Called when this tab gets the lock: the other tab may have saved meanwhile. Text that was typed
 * here is not thrown away: the version of the server is merged into it.
 */
async function catchUp(form: OpenForm): Promise<void> {
  const { getState, dispatch, api, autosave } = form
  const { post } = getState()
  const stored = post && (await getPost(api, post.$id))
  if (!stored?.ok || stored.value.$updatedAt === getState().basedOn) return autosave.markDirty()
  if (!getState().isUnsaved) return showStored(form, stored.value)
  const values = { ...allFormValues(getState(), readContent(form)), status: 'inactive' }
  const data = { ...values, featuredImage: post?.featuredImage ?? '' }
  if (isContained(stored.value, data, post)) dispatch({ type: 'basedOnNewer', post: stored.value })
  else if (!(await mergeNewer(form, stored.value, { isFromAutosave: true })))
    return dispatch({ type: 'newerFound', post: stored.value })
  autosave.markDirty()
}
