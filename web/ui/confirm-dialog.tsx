// A modal question on the native dialog: the focus stays inside, Esc cancels, and the focus
// returns. Independent of the product.
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { useModal } from './use-modal.ts'

type ConfirmDialogProps = {
  title: string
  children: ReactNode
  /** For a text of several sentences. */
  isWide?: boolean
  confirmLabel: string
  /** `primary` for what takes nothing away. */
  kind?: 'danger' | 'primary'
  /** Something is still missing. */
  isConfirmOff?: boolean
  /** Without it: "Cancel". */
  cancelLabel?: string
  /**
   * Neither button nor Esc does anything from then on, except when it resolves to a sentence: it
   * failed.
   */
  onConfirm: () => Promise<string | undefined> | undefined
  onCancel: () => void
}

/**
 * Open for as long as it is rendered. Opened by a button with `aria-haspopup="dialog"` it is placed
 * below that button; otherwise it is centred. On small screens it is always a sheet at the lower
 * edge.
 */
export function ConfirmDialog({
  title,
  children,
  isWide = false,
  confirmLabel,
  kind = 'danger',
  isConfirmOff = false,
  cancelLabel = texts.actions.cancel,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const id = useId()
  // It begins at "Cancel", its first button.
  const box = useModal({ place: placeBelow, onClose: handleClose })
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function handleConfirm() {
    setBusy(true)
    setError(undefined)
    const failed = await onConfirm()
    setError(failed)
    if (failed) setBusy(false)
  }
  function handleCancel(event: SyntheticEvent) {
    event.preventDefault()
    if (!isBusy) onCancel()
  }
  // Browsers close a dialog on a second Esc even when the first one was prevented.
  function handleClose() {
    if (isBusy) box.current?.showModal()
    else onCancel()
  }

  return (
    <dialog
      className={isWide ? 'float dialog dialog--wide' : 'float dialog'}
      role="alertdialog"
      ref={box}
      dir={texts.direction}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={handleCancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`}>{typeof children === 'string' ? <p>{children}</p> : children}</div>
      {error && <Alert kind="error">{error}</Alert>}
      <div className="row">
        <Button aria-disabled={isBusy || undefined} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button
          kind={kind}
          isBusy={isBusy}
          aria-disabled={isConfirmOff || undefined}
          onClick={() => void handleConfirm()}
        >
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  )
}

function placeBelow(dialog: HTMLDialogElement, opener: Element | null) {
  if (opener?.getAttribute('aria-haspopup') !== 'dialog') return
  const place = opener.getBoundingClientRect()
  const widthPx = 328
  const rightPx = Math.min(
    document.documentElement.clientWidth - place.right,
    document.documentElement.clientWidth - widthPx - 16,
  )
  dialog.dataset.anchored = 'true'
  dialog.style.setProperty(
    '--at-y',
    `${Math.max(16, Math.min(place.bottom + 8, window.innerHeight - 260))}px`,
  )
  dialog.style.setProperty('--at-x', `${Math.max(16, rightPx)}px`)
}
