// The dialog for a player or an embed: the address of a video, a sound or a post, from the address
// bar or an embed code, and for an embed the words above its button.

import { useRef, useState } from 'react'
import { parseEmbed } from '#contract/embeds.ts'
import { parseVideo } from '#contract/videos.ts'
import { texts } from '../locales/texts.ts'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import type { Player } from './embed-objects.ts'
import { addressOf } from './external-media.ts'
import { findLinkAddress } from './link-url.ts'

type MediaDialogProps = {
  /** Undefined for a new one. */
  start: Player | undefined
  onSave: (player: Player) => void
  onClose: () => void
}

const words = texts.mediaDialog

export function MediaDialog({ start, onSave, onClose }: MediaDialogProps) {
  const [typed, setTyped] = useState(start?.address ?? '')
  const [title, setTitle] = useState(start?.title ?? '')
  const [isRefused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const found = findMediaAddress(typed) ?? ''
  const isTitled = !parseVideo(found) && parseEmbed(found) !== undefined
  function save() {
    const address = findMediaAddress(typed)
    if (address !== undefined) return onSave({ address, title: isTitled ? title.trim() : '' })
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
      {isTitled && (
        <TextField label={words.name} hint={words.nameHint} value={title} onChange={setTitle} />
      )}
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
