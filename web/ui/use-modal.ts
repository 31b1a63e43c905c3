// A native dialog that is open for as long as it is rendered.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

type ModalOptions = {
  /** Called for a press outside the dialog. */
  onBackdrop?: () => void
  /** Called before it opens. */
  place?: (dialog: HTMLDialogElement, opener: Element | null) => void
}

/** @returns for the dialog; once it is removed, the focus returns to where it was */
export function useModal({
  onBackdrop,
  place,
}: ModalOptions = {}): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const handleClick = useEffectEvent(({ target }: MouseEvent) => {
    // Anything inside is another target.
    if (target === dialog.current) onBackdrop?.()
  })
  const open = useEffectEvent((element: HTMLDialogElement) => {
    place?.(element, document.activeElement)
    element.showModal()
  })
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    open(element)
    element.addEventListener('click', handleClick)
    return () => element.close() // gives the focus back
  }, [])
  return dialog
}
