// A native dialog that only informs: the focus stays inside, Esc or a press outside closes the
// dialog, and the focus returns.
import { type ReactNode, useId } from 'react'
import { texts } from '../locales/texts.ts'
import { DialogHead } from './dialog-head.tsx'
import { useModal } from './use-modal.ts'

type InfoDialogProps = { title: string; children: ReactNode; onClose: () => void }

/** The dialog is open as long as it is rendered. */
export function InfoDialog({ title, children, onClose }: InfoDialogProps) {
  const id = useId()
  const dialog = useModal({ onClose, onBackdrop: onClose })
  return (
    <dialog
      className="float dialog info-dialog"
      ref={dialog}
      aria-labelledby={id}
      dir={texts.direction}
    >
      <div className="info-dialog__inner">
        <DialogHead id={id} title={title} onClose={onClose} />
        {children}
      </div>
    </dialog>
  )
}
