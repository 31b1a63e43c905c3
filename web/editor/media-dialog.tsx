// The dialog of a player: the address of a video, as an address bar or an embed code has it.

import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { addressOf } from './external-media.ts'
import { findLinkAddress } from './link-url.ts'

type MediaDialogProps = {
  /** The address that is there already; empty for a new player. */
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

/** The address that was typed, or the one in the code with which a service embeds a video. */
function findMediaAddress(typed: string): string | undefined {
  const { body } = new DOMParser().parseFromString(typed, 'text/html')
  const embedded = body.querySelector('iframe, video, audio, embed, object')
  return findLinkAddress(
    (embedded ? addressOf(embedded) : typed).replace(/^\/\/(?=\S)/, 'https://'),
  )
}
