// Opens the dialog of a draft's preview link, whose code is loaded then.
import { type ComponentType, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { useToasts } from '../ui/toasts.tsx'
import { isDraft, type PostFormState } from './post-form-reducer.ts'

type Dialog = ComponentType<{ slug: string; onClose: () => void }>

/** @returns `openLink`: undefined for a post that cannot have a link; `dialog`: while it is open */
export function usePreviewLink(state: PostFormState) {
  const { show } = useToasts()
  const [Dialog, setDialog] = useState<Dialog | undefined>()
  const slug = state.post?.$id

  async function open() {
    try {
      const { PreviewLinkDialog } = await import('../publishing/preview-link-dialog.tsx')
      setDialog(() => PreviewLinkDialog)
    } catch {
      show({ kind: 'error', text: texts.failures.appMissing })
    }
  }
  return {
    openLink: slug !== undefined && isDraft(state) ? () => void open() : undefined,
    dialog: Dialog && slug !== undefined && (
      <Dialog slug={slug} onClose={() => setDialog(undefined)} />
    ),
  }
}
