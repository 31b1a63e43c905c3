// A link in a field that cannot be edited, with a button that copies it.
import { Copy } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Field, TextInput } from './field.tsx'

type CopyFieldProps = {
  label: string
  url: string
  /** Below the field. */
  hint?: ReactNode
  copyLabel: string
  /** Shown after the link has been copied. */
  copiedText: string
}

/** The button has the focus at first. */
export function CopyField({ label, url, hint, copyLabel, copiedText }: CopyFieldProps) {
  const copyButton = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useLayoutEffect(() => copyButton.current?.focus(), [])

  async function handleCopy() {
    field.current?.select()
    // Without HTTPS, browsers have no clipboard API.
    const isWritten = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    )
    setState(isWritten || document.execCommand('copy') ? 'copied' : 'failed')
    copyButton.current?.focus()
  }
  return (
    <>
      <Field label={label}>
        {(ids) => (
          <div className="link-box">
            <TextInput {...ids} ref={field} value={url} readOnly />
            <Button kind="primary" ref={copyButton} onClick={() => void handleCopy()}>
              <Copy className="icon icon--small" aria-hidden="true" />
              {copyLabel}
            </Button>
          </div>
        )}
      </Field>
      {hint && <p className="hint">{hint}</p>}
      <p className="hint" role="status">
        {state === 'copied' && copiedText}
      </p>
      {state === 'failed' && <Alert kind="error">{texts.copying.failed}</Alert>}
    </>
  )
}
