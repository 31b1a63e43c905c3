// A native dialog that is open for as long as it is rendered.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

type ModalOptions = {
  /** The browser has closed it, with Esc. */
  onClose: () => void
  /** Called for a press outside the dialog. */
  onBackdrop?: () => void
  /** Called before it opens. */
  place?: (dialog: HTMLDialogElement, opener: Element | null) => void
}

/** @returns for the dialog; once it is removed, the focus returns to where it was */
export function useModal({
  onClose,
  onBackdrop,
  place,
}: ModalOptions): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const handleClick = useEffectEvent(({ target }: MouseEvent) => {
    // Anything inside is another target.
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
    const gone = new AbortController()
    open(element)
    element.addEventListener('click', handleClick, gone)
    element.addEventListener('close', handleClose, gone)
    return () => {
      gone.abort()
      element.close() // gives the focus back
    }
  }, [])
  return dialog
}

/**
 * For moving the focus: nothing behind an open dialog can have it, and closing one moves it.
 *
 * @param run called in the next frame in which no dialog is open
 */
export function afterDialogs(run: () => void): void {
  requestAnimationFrame(() => {
    if (document.querySelector('dialog:modal')) afterDialogs(run)
    else run()
  })
}
