// Shows a link once, for an operator to copy and pass on.
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { DialogHead } from '../ui/dialog-head.tsx'
import { Field, TextInput } from '../ui/field.tsx'
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
  const copyButton = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const [failureText, setFailureText] = useState<string>()
  useLayoutEffect(() => copyButton.current?.focus(), [])

  async function handleCopy() {
    field.current?.select()
    // Without HTTPS, browsers have no clipboard API.
    const isWritten = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    )
    const isCopied = isWritten || document.execCommand('copy')
    setCopied(isCopied)
    setFailureText(isCopied ? undefined : texts.copying.failed)
    copyButton.current?.focus()
  }
  return (
    <dialog className="float dialog form-dialog" ref={dialog} aria-labelledby={id}>
      <div className="stack">
        <DialogHead id={id} title={title} onClose={onClose} />
        <p>{text}</p>
        <Field label={label}>
          {(ids) => (
            <div className="link-box">
              <TextInput {...ids} ref={field} value={url} readOnly />
              <Button kind="primary" ref={copyButton} onClick={() => void handleCopy()}>
                {texts.adminRows.copy}
              </Button>
            </div>
          )}
        </Field>
        <p className="hint" role="status">
          {isCopied && `${texts.adminRows.copied} ${note}`}
        </p>
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
