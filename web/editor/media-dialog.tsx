// The dialog for a player: the address of a video, from the address bar or an embed code.

import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { addressOf } from './external-media.ts'
import { findLinkAddress } from './link-url.ts'

type MediaDialogProps = {
  /** The current address; empty for a new player. */
  start: string
  onSave: (address: string) => void
  onClose: () => void
}

const words = texts.mediaDialog

export function MediaDialog({ start, onSave, onClose }: MediaDialogProps) {
  const [typed, setTyped] = useState(start)
  const [isRefused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  function save() {
    const address = findMediaAddress(typed)
    if (address !== undefined) return onSave(address)
    setRefused(true)
    field.current?.focus()
  }
  return (
    <FormDialog title={words.title} submitLabel={words.save} onSubmit={save} onClose={onClose}>
      <TextField
        ref={field}
        className="mono"
        inputMode="url"
        dir="ltr"
        label={words.source}
        hint={words.hint}
        error={isRefused ? texts.linkDialog.problem : undefined}
        value={typed}
        onChange={(address) => {
          setTyped(address)
          setRefused(false)
        }}
      />
    </FormDialog>
  )
}

/** The typed address, or the one in a typed embed code. */
function findMediaAddress(typed: string): string | undefined {
  const { body } = new DOMParser().parseFromString(typed, 'text/html')
  const embedded = body.querySelector('iframe, video, audio, embed, object')
  return findLinkAddress(
    (embedded ? addressOf(embedded) : typed).replace(/^\/\/(?=\S)/, 'https://'),
  )
}
