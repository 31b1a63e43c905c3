// A question in a native dialog: the focus stays inside, Esc cancels, and the focus returns.
// Independent of the product.
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { InputField } from './field.tsx'
import { useModal } from './use-modal.ts'

type ConfirmOptions = {
  title: string
  /** For a text of several sentences. */
  isWide?: boolean
  confirmLabel: string
  /** `primary` when nothing is deleted or taken away. */
  kind?: 'danger' | 'primary'
  /** "Cancel" by default. */
  cancelLabel?: string
  /** A field for a line of text. */
  field?: {
    label: string
    maxLength: number
    /** If set, the user can confirm only after typing this text. */
    mustBe?: string
  }
  /**
   * Called when the question is confirmed. While it is pending, the buttons and Esc do nothing.
   *
   * @param typed the text of `field`, trimmed
   * @returns a sentence that says why it failed; the dialog then stays open and shows it
   */
  onConfirm: (typed: string) => Promise<string | undefined> | undefined
}

type ConfirmQuestion = ConfirmOptions & { text: ReactNode }

/**
 * Asks for confirmations on a screen.
 *
 * @returns `ask` opens a question, which closes when it is cancelled, or confirmed without a
 *   failure; `dialog` is the open question, to be rendered by the screen
 */
export function useConfirm() {
  const [question, setQuestion] = useState<ConfirmQuestion>()
  async function confirm({ onConfirm }: ConfirmQuestion, typed: string) {
    const reason = await onConfirm(typed)
    if (!reason) setQuestion(undefined)
    return reason
  }
  const dialog = question && (
    <ConfirmDialog
      {...question}
      onConfirm={(typed) => confirm(question, typed)}
      onCancel={() => setQuestion(undefined)}
    >
      {question.text}
    </ConfirmDialog>
  )
  return { ask: setQuestion, dialog }
}

export type Ask = (question: ConfirmQuestion) => void

type ConfirmDialogProps = ConfirmOptions & { children: ReactNode; onCancel: () => void }

/**
 * The dialog is open as long as it is rendered. If a button with `aria-haspopup="dialog"` opened
 * it, it is placed below that button, otherwise in the centre. On small screens it is always a
 * sheet at the lower edge.
 */
export function ConfirmDialog({
  title,
  children,
  isWide = false,
  confirmLabel,
  kind = 'danger',
  cancelLabel = texts.actions.cancel,
  field,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const id = useId()
  // The browser focuses the first button: "Cancel", unless there is a field.
  const dialog = useModal({ place: placeBelow, onClose: handleClose })
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [typed, setTyped] = useState('')
  const isConfirmDisabled = field?.mustBe !== undefined && typed.trim() !== field.mustBe

  async function handleConfirm() {
    setBusy(true)
    setError(undefined)
    const reason = await onConfirm(typed.trim())
    setError(reason)
    if (reason) setBusy(false)
  }
  function handleCancel(event: SyntheticEvent) {
    event.preventDefault()
    if (!isBusy) onCancel()
  }
  // Browsers close a dialog on a second Esc even when the first one was prevented.
  function handleClose() {
    if (isBusy) dialog.current?.showModal()
    else onCancel()
  }

  return (
    <dialog
      className={isWide ? 'float dialog dialog--wide' : 'float dialog'}
      role="alertdialog"
      ref={dialog}
      dir={texts.direction}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={handleCancel}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`}>
        {typeof children === 'string' ? <p>{children}</p> : children}
        {field && (
          <InputField
            label={field.label}
            value={typed}
            maxLength={field.maxLength}
            autoComplete="off"
            dir="auto"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </div>
      {error && <Alert kind="error">{error}</Alert>}
      <div className="row">
        <Button aria-disabled={isBusy || undefined} onClick={onCancel}>
          {cancelLabel}
        </Button>
        <Button
          kind={kind}
          isBusy={isBusy}
          aria-disabled={isConfirmDisabled || undefined}
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
  const openerBox = opener.getBoundingClientRect()
  const widthPx = 328
  const rightPx = Math.min(
    document.documentElement.clientWidth - openerBox.right,
    document.documentElement.clientWidth - widthPx - 16,
  )
  dialog.dataset.anchored = 'true'
  dialog.style.setProperty(
    '--at-y',
    `${Math.max(16, Math.min(openerBox.bottom + 8, window.innerHeight - 260))}px`,
  )
  dialog.style.setProperty('--at-x', `${Math.max(16, rightPx)}px`)
}
