// Asks before the form is left with unsaved text, inside the app and when the page is closed.
// Leaving does not stop a save that is under way: a toast says how it ended.

import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { texts } from '../locales/texts.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/**
 * @param isUnsaved called at the moment of leaving, because a successful save navigates before the
 *   form is rendered again
 * @param onLeave called as soon as the person has chosen to leave; the next page may take a while
 */
export function LeaveGuard({
  isUnsaved,
  isSaving,
  onLeave,
}: {
  isUnsaved: () => boolean
  isSaving: boolean
  onLeave: () => void
}) {
  const ask = useRef(isUnsaved)
  useEffect(() => {
    ask.current = isUnsaved
  })
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && ask.current(),
  )

  useEffect(() => {
    function handleUnload(event: BeforeUnloadEvent) {
      if (ask.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', handleUnload)
    return () => window.removeEventListener('beforeunload', handleUnload)
  }, [])

  if (blocker.state !== 'blocked') return null
  const { title, text } = isSaving ? texts.leavingWhileSaving : texts.leaving
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={texts.leaving.leave}
      cancelLabel={texts.actions.keepWriting}
      onConfirm={() => {
        onLeave()
        blocker.proceed()
      }}
      onCancel={() => blocker.reset()}
    >
      {text}
    </ConfirmDialog>
  )
}
