// Shows a link once, for an operator to copy and pass on.
import { useId, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { DialogHead } from '../ui/dialog-head.tsx'
import { useModal } from '../ui/use-modal.ts'

type LinkDialogProps = {
  title: string
  text: string
  label: string
  url: string
  /** Shown after the link has been copied. */
  note?: string
  /** `onPress` resolves to the reason if it fails, else to undefined. */
  withdraw?: { label: string; onPress: () => Promise<string | undefined> }
  onClose: () => void
}

export function LinkDialog(props: LinkDialogProps) {
  const { title, text, label, url, note = '', withdraw, onClose } = props
  const id = useId()
  const dialog = useModal({ onClose })
  const [failureText, setFailureText] = useState<string>()
  return (
    <dialog className="float dialog form-dialog" ref={dialog} aria-labelledby={id}>
      <div className="stack">
        <DialogHead id={id} title={title} onClose={onClose} />
        <p>{text}</p>
        <CopyField
          label={label}
          url={url}
          copyLabel={texts.adminRows.copy}
          copiedText={`${texts.adminRows.copied} ${note}`}
        />
        {failureText && <Alert kind="error">{failureText}</Alert>}
        <div className="form-dialog__buttons">
          {withdraw && (
            <Button
              kind="ghost"
              className="form-dialog__extra is-danger"
              onClick={() => void withdraw.onPress().then(setFailureText)}
            >
              {withdraw.label}
            </Button>
          )}
          <Button onClick={onClose}>{texts.adminRows.done}</Button>
        </div>
      </div>
    </dialog>
  )
}
