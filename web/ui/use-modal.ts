// A native dialog that is open for as long as it is rendered.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

type ModalOptions = {
  /** Called when Esc has closed the dialog. */
  onClose: () => void
  /** Called for a press outside the dialog. */
  onBackdrop?: () => void
  /** Called before the dialog opens, to position it. */
  place?: (dialog: HTMLDialogElement, opener: Element | null) => void
}

/** @returns the ref of the dialog; once the dialog is removed, the focus returns to where it was */
export function useModal({
  onClose,
  onBackdrop,
  place,
}: ModalOptions): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const handleClick = useEffectEvent(({ target }: MouseEvent) => {
    // A press inside the dialog has another target.
    if (target === dialog.current) onBackdrop?.()
  })
  const handleClose = useEffectEvent(() => {
    // React's development mode closes each new dialog once, and opens it again.
    if (!dialog.current?.open) onClose()
  })
  const open = useEffectEvent((element: HTMLDialogElement) => {
    place?.(element, document.activeElement)
    element.showModal()
  })
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const listening = new AbortController()
    const opener = document.activeElement
    open(element)
    element.addEventListener('click', handleClick, listening)
    element.addEventListener('close', handleClose, listening)
    return () => {
      listening.abort()
      element.close() // returns the focus, except to the text, which is in a frame
      if (opener instanceof HTMLIFrameElement) opener.focus()
    }
  }, [])
  return dialog
}

/**
 * For code that moves the focus: no element behind an open dialog can get it, and a dialog that
 * closes moves it, too.
 *
 * @param run called in the next frame in which no dialog is open
 */
export function afterDialogs(run: () => void): void {
  requestAnimationFrame(() => {
    if (document.querySelector('dialog:modal')) afterDialogs(run)
    else run()
  })
}
