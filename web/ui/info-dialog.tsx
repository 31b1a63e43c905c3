// A dialog that only informs, on the native dialog: the focus stays inside, Esc and a press beside
// it close it, and the focus returns. Knows nothing of the product.
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from './button.tsx'
import { useModal } from './use-modal.ts'

type InfoDialogProps = { title: string; children: ReactNode; onClose: () => void }

/** Open for as long as it is rendered. */
export function InfoDialog({ title, children, onClose }: InfoDialogProps) {
  const id = useId()
  const dialog = useModal(onClose)
  return (
    <dialog
      className="float dialog info-dialog"
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
    >
      <div className="info-dialog__inner">
        <div className="apart info-dialog__header">
          <h2 id={id}>{title}</h2>
          <Button
            kind="ghost"
            className="btn--icon"
            aria-label={texts.actions.close}
            onClick={onClose}
            Icon={X}
          />
        </div>
        {children}
      </div>
    </dialog>
  )
}
