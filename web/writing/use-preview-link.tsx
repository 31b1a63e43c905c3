// Opens the dialog of a draft's preview link.
import { useState } from 'react'
import { LazyPart } from '../ui/lazy-part.tsx'
import { isDraft, type PostFormState } from './post-form-reducer.ts'

/** @returns `openLink`: undefined for a post that cannot have a link; `dialog`: while it is open */
export function usePreviewLink(state: PostFormState) {
  const [isOpen, setOpen] = useState(false)
  const slug = state.post?.$id
  const close = () => setOpen(false)
  return {
    openLink: slug !== undefined && isDraft(state) ? () => setOpen(true) : undefined,
    dialog: isOpen && slug !== undefined && (
      <LazyPart
        load={async () => (await import('../publishing/preview-link-dialog.tsx')).PreviewLinkDialog}
        props={{ slug, onClose: close }}
        onFailed={close}
      />
    ),
  }
}
