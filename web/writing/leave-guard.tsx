// Asks before unsaved text is left behind, inside the app and when the page itself is closed.
// Leaving while it is being saved does not stop the saving: the writer pressed the button, and is
// told by a toast how it ended.

import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { texts } from '../locales/texts.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/**
 * @param isUnsaved asked at the moment of leaving, so that saving can let go of it before it moves
 *   on
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
