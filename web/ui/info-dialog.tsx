// A dialog that only informs, on the native dialog: the focus stays inside, Esc and a press beside
// it close it, and the focus returns. Knows nothing of the product.
import { X } from 'lucide-react'
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'

type InfoDialogProps = { title: string; children: ReactNode; onClose: () => void }

/** Open for as long as it is rendered. */
export function InfoDialog({ title, children, onClose }: InfoDialogProps) {
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close() // gives the focus back
  }, [])

  function handleClick(event: MouseEvent) {
    if (event.target === box.current) onClose() // the backdrop: anything inside has another target
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key for it, and the dialog's own
    <dialog
      className="dialog info-dialog"
      ref={box}
      aria-labelledby={id}
      onClick={handleClick}
      onClose={onClose}
    >
      <div className="info-dialog__inner">
        <div className="info-dialog__header">
          <h2 id={id}>{title}</h2>
          <button
            className="btn btn--ghost btn--icon"
            type="button"
            aria-label={texts.actions.close}
            onClick={onClose}
          >
            <X className="icon" aria-hidden="true" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
