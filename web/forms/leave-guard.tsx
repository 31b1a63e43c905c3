// Asks before a page with unsaved text is left, inside the app or by closing it.
import { useRef } from 'react'
import { type Blocker, useBlocker } from 'react-router'
import { texts } from '../locales/texts.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'

type LeaveGuardProps = {
  /** Called at the moment of leaving: a successful save navigates before the page is rendered. */
  needsQuestion: () => boolean
  text: { title: string; text: string }
  /** Called before the next page opens, which may take a while. */
  onLeave?: () => void
}

/** Leaving does not stop a save that is under way. */
export function LeaveGuard({ needsQuestion, text: words, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && needsQuestion(),
  )
  usePageEvent('beforeunload', (event) => {
    if (needsQuestion()) event.preventDefault()
  })

  // The router's state is rendered after the press: a second press in between changes nothing.
  const answeredBlocker = useRef<Blocker>(undefined)
  if (blocker.state !== 'blocked') return null
  function answerOnce(answer: () => void): undefined {
    if (answeredBlocker.current === blocker) return
    answeredBlocker.current = blocker
    answer()
  }
  return (
    <ConfirmDialog
      title={words.title}
      confirmLabel={texts.actions.leave}
      cancelLabel={texts.actions.keepWriting}
      onConfirm={() =>
        answerOnce(() => {
          onLeave?.()
          blocker.proceed()
        })
      }
      onCancel={() => answerOnce(() => blocker.reset())}
    >
      {words.text}
    </ConfirmDialog>
  )
}
