// What the form does for as long as it is on screen: it saves itself, keeps its draft on the
// device, and is the one tab that saves.
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { acquireWriterLock, type SoleWriter } from '../drafts/draft-locks.ts'
import { onDraftDeleted } from '../drafts/drafts.ts'
import { getPost } from '../posts/posts-api.ts'
import { continueFrom, showStored } from './form-actions.ts'
import {
  isDraft,
  isSavedByItself,
  type OpenForm,
  readAll,
  readContentNow,
  readValues,
} from './post-form-state.ts'
import { findProblems } from './post-values.ts'
import { isContained } from './save-post.ts'

/**
 * Whether what is not saved yet can be sent on leaving, so that the writer need not be asked. (A
 * copy is on the device in any case.)
 */
export function isFlushable(form: OpenForm): boolean {
  const { autosave, state } = form
  return (
    isSavedByItself(state) &&
    navigator.onLine &&
    autosave.failures === 0 &&
    Object.keys(findProblems({ ...readValues(form), status: 'inactive' }, true)).length === 0
  )
}

/** Finds the other drafts that the form shows. */
export function useOtherDrafts({ draft, update }: OpenForm): void {
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
}

/** Keeps the text on the device, and sends it, when the network returns or the page is left. */
export function useSaving(form: OpenForm): void {
  const { live, draft, autosave } = form
  useEffect(() => onDraftDeleted((prefix) => draft.keepAgain(prefix)), [draft])
  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const gone = new AbortController()
    Object.assign(live, { isLeft: false, lastContent: undefined })
    draft.isUnmounted = false
    const handleUnload = () => {
      live.isUnloading = true
      flush(form)
    }
    const handleVisibility = () => {
      draft.write()
      // The writer may go on on another device.
      if (document.visibilityState === 'hidden') flush(form)
    }
    window.addEventListener('online', () => autosave.retryNow(), gone)
    window.addEventListener('beforeunload', handleUnload, gone)
    window.addEventListener('pagehide', () => draft.write(), gone)
    document.addEventListener('visibilitychange', handleVisibility, gone)
    return () => {
      gone.abort()
      draft.write()
      draft.isUnmounted = true
      draft.release()
      live.lastContent = readContentNow(form)
      live.isLeft = true
      if (isFlushable(form)) flush(form)
      autosave.stopTrying()
    }
  }, [form, live, draft, autosave])
}

/** Sends what is not saved yet. */
function flush({ autosave, state }: OpenForm): void {
  if (autosave.isDirty && !autosave.isHalted && isSavedByItself(state)) void autosave.saveNow()
}

/**
 * One tab saves a draft by itself: the form that is not it says so, and saves again once it is.
 *
 * @returns makes this tab the one that saves
 */
export function useSoleWriter(form: OpenForm): () => void {
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
async function catchUp(form: OpenForm): Promise<void> {
  const { live, api, autosave, update } = form
  const { post } = form.state
  if (!post) return autosave.noteKey()
  const found = await getPost(api, post.$id)
  if (!found.ok) return autosave.noteKey()
  if (found.value.$updatedAt === live.basedOn) return autosave.noteKey()
  if (!live.isUnsaved) {
    continueFrom(form, found.value)
    return showStored(form, found.value)
  }
  const { featuredImage } = post
  const text = { ...readAll(form), status: 'inactive', featuredImage }
  if (!isContained(found.value, text, post)) return update(() => ({ newer: found.value }))
  continueFrom(form, found.value)
  autosave.noteKey()
}
