// A native dialog that is open for as long as it is rendered.
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * @param onBackdrop called for a press outside the dialog
 * @returns for the dialog; once it is removed, the focus returns to where it was
 */
export function useModal(onBackdrop?: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const handleClick = useEffectEvent(({ target }: MouseEvent) => {
    // Anything inside is another target.
    if (target === dialog.current) onBackdrop?.()
  })
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.addEventListener('click', handleClick)
    return () => element?.close() // gives the focus back
  }, [])
  return dialog
}
