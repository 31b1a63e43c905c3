// A native dialog that is open for as long as it is rendered.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** @returns for the dialog; once it is removed, the focus returns to where it was */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close() // gives the focus back
  }, [])
  return dialog
}
