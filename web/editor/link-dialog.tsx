// The dialog for a link: its text and its address.

import { Unlink } from 'lucide-react'
import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { findLinkAddress } from './link-url.ts'

/** `text` is undefined if the link contains more than text, which a field cannot edit. */
export type Link = { text: string | undefined; address: string }

type LinkDialogProps = {
  start: Link
  /** The dialog edits a link of the text; otherwise it inserts a new one. */
  isChange: boolean
  onSave: (link: Link) => void
  onRemove: () => void
  onClose: () => void
}

const words = texts.linkDialog

export function LinkDialog({ start, isChange, onSave, onRemove, onClose }: LinkDialogProps) {
  const [text, setText] = useState(start.text)
  const [typed, setTyped] = useState(start.address)
  const [isRefused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  function save() {
    const address = findLinkAddress(typed)
    if (address !== undefined)
      return onSave({ text: text === undefined ? text : text.trim() || typed.trim(), address })
    setRefused(true)
    field.current?.focus()
  }
  return (
    <FormDialog
      title={words.title}
      submitLabel={isChange ? words.save : words.insert}
      extra={
        isChange && (
          <Button kind="ghost" className="form-dialog__extra" onClick={onRemove}>
            <Unlink className="icon icon--small" aria-hidden="true" />
            {words.remove}
          </Button>
        )
      }
      onSubmit={save}
      onClose={onClose}
    >
      {text !== undefined && (
        <TextField label={words.text} dir="auto" value={text} onChange={setText} />
      )}
      <TextField
        ref={field}
        className="mono"
        type="url"
        inputMode="url"
        label={words.address}
        error={isRefused ? words.problem : undefined}
        value={typed}
        onChange={(address) => {
          setTyped(address)
          setRefused(false)
        }}
      />
    </FormDialog>
  )
}
