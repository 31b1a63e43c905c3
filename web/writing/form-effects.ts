// What the form does for as long as it is on screen: it saves itself, keeps its draft on the
// device, and is the one tab that saves. Knows nothing of how it looks.
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { acquireWriterLock, type SoleWriter } from '../drafts/draft-locks.ts'
import { onDraftDeleted } from '../drafts/drafts.ts'
import { getPost } from '../posts/posts-api.ts'
import { continueFrom, showStored } from './form-actions.ts'
import { isDraft, isSavedByItself, readContentNow, readValues } from './post-form-state.ts'
import { findProblems } from './post-values.ts'
import type { SubmitNeeds } from './submit-post.ts'

/**
 * Whether what is not saved yet can be sent on leaving, so that nobody needs to be asked. (A copy
 * is on the device in any case.)
 */
export function isFlushable(form: SubmitNeeds): boolean {
  const { autosave, state } = form
  return (
    isSavedByItself(state) &&
    navigator.onLine &&
    autosave.failures === 0 &&
    Object.keys(findProblems({ ...readValues(form), status: 'inactive' }, true)).length === 0
  )
}

/** Keeps the draft of the form, and finds the other drafts that the form shows. */
export function useDraft(form: SubmitNeeds): void {
  const { draft, update } = form
  useEffect(() => {
    let isCurrent = true
    void draft.forgetOldImages()
    void draft.findOthers().then((otherDrafts) => {
      if (isCurrent) update(() => ({ otherDrafts }))
    })
    return () => {
      isCurrent = false
    }
  }, [draft, update])
  useEffect(() => onDraftDeleted((prefix) => draft.keepAgain(prefix)), [draft])
  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const gone = new AbortController()
    draft.isUnmounted = false
    window.addEventListener('pagehide', () => draft.write(), gone)
    document.addEventListener('visibilitychange', () => draft.write(), gone)
    return () => {
      draft.write()
      draft.isUnmounted = true
      draft.release()
      gone.abort()
    }
  }, [draft])
}

/** Saves by itself what the browser tells to save: of the network and of leaving. */
export function useAutosave(form: SubmitNeeds): void {
  useEffect(() => {
    const gone = new AbortController()
    window.addEventListener('online', () => form.autosave.retryNow(), gone)
    // Somebody who turns to another window may go on writing on another device.
    const handleHide = () => {
      if (document.visibilityState === 'hidden') flush(form)
    }
    document.addEventListener('visibilitychange', handleHide, gone)
    const handleUnload = () => {
      form.live.isUnloading = true
      flush(form)
    }
    window.addEventListener('beforeunload', handleUnload, gone)
    return () => gone.abort()
  }, [form])
  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const { live, autosave } = form
    live.isLeft = false
    live.lastContent = undefined
    return () => {
      live.lastContent = readContentNow(form)
      live.isLeft = true
      if (isFlushable(form)) flush(form)
      autosave.stopTrying()
    }
  }, [form])
}

/** Sends what is not saved yet. */
function flush({ autosave, state }: SubmitNeeds): void {
  if (autosave.isDirty && !autosave.isHalted && isSavedByItself(state)) void autosave.saveNow()
}

/**
 * One tab saves a draft by itself: the form that is not it says so, and saves again once it is.
 *
 * @returns makes this tab the one that saves
 */
export function useSoleWriter(form: SubmitNeeds): () => void {
  const { userId, state, update } = form
  const writer = useRef<SoleWriter | undefined>(undefined)
  const postId = isDraft(state) ? state.post?.$id : undefined
  useEffect(() => {
    if (postId === undefined) return
    let wasElsewhere = false
    writer.current = acquireWriterLock({
      userId,
      postId,
      onChange(isSole) {
        update(() => ({ isElsewhere: !isSole }))
        if (isSole && wasElsewhere) void catchUp(form)
        wasElsewhere = !isSole
      },
    })
    return () => {
      writer.current?.end()
      writer.current = undefined
      update(() => ({ isElsewhere: false }))
    }
  }, [form, update, userId, postId])
  return useCallback(() => writer.current?.takeOver(), [])
}

/**
 * The other tab may have saved since. A text that was typed here meanwhile is not thrown away: the
 * person is shown both.
 */
async function catchUp(form: SubmitNeeds): Promise<void> {
  const { live, api, autosave, update } = form
  const { post } = form.state
  const found = post && (await getPost(api, post.$id))
  if (!found?.ok) return autosave.noteKey()
  if (found.value.$updatedAt === live.basedOn) return autosave.noteKey()
  if (live.isUnsaved) return update(() => ({ newer: found.value }))
  continueFrom(form, found.value)
  showStored(form, found.value)
}
