// The autosave of the form for as long as the form is on screen: what the browser tells of the
// network and of leaving. Knows nothing of how it looks.

import { useEffect, useLayoutEffect, useRef } from 'react'
import { retryNow, type SaveOutcome, saveNow } from './autosave.ts'
import { isSavedByItself, readContentNow, readValues } from './post-form-state.ts'
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

type Work = { isOn: () => boolean; save: () => Promise<SaveOutcome> }

export function useAutosave(form: SubmitNeeds, work: Work, save: Work['save']): void {
  const latest = useRef(form)
  useLayoutEffect(() => {
    latest.current = form
    work.isOn = () => isSavedByItself(form.state)
    work.save = save
  })
  useEffect(() => {
    const { autosave } = latest.current
    const handleOnline = () => retryNow(autosave)
    // Somebody who turns to another window may go on writing on another device.
    const handleHide = () => {
      if (document.visibilityState === 'hidden') flush(latest.current)
    }
    window.addEventListener('online', handleOnline)
    document.addEventListener('visibilitychange', handleHide)
    const handleUnload = () => {
      latest.current.live.isUnloading = true
      flush(latest.current)
    }
    window.addEventListener('beforeunload', handleUnload)
    return () => {
      window.removeEventListener('online', handleOnline)
      document.removeEventListener('visibilitychange', handleHide)
      window.removeEventListener('beforeunload', handleUnload)
    }
  }, [])
  // A layout effect: when the form goes, the editor inside it can still be read.
  useLayoutEffect(() => {
    const { live } = latest.current
    live.isLeft = false
    live.lastContent = undefined
    return () => {
      const form = latest.current
      live.lastContent = readContentNow(form)
      live.isLeft = true
      if (isFlushable(form)) flush(form)
      clearTimeout(form.autosave.timer)
    }
  }, [])
}

/** Sends what is not saved yet. */
function flush({ autosave, state }: SubmitNeeds): void {
  if (autosave.isDirty && !autosave.isHalted && isSavedByItself(state)) void saveNow(autosave)
}
