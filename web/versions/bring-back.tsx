// The question before an older version becomes the present text, and what follows.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { PostVersion } from '#contract/history.ts'
import { useApi } from '../api/api-context.tsx'
import { refreshInFeed } from '../feed/post-lists.ts'
import { texts } from '../locales/texts.ts'
import { restoreVersion } from '../posts/history-api.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { reasonText } from './use-own.ts'
import { versionTime } from './version-texts.ts'

type BringBackProps = { slug: string; version: PostVersion; onCancel: () => void }

export function BringBack({ slug, version, onCancel }: BringBackProps) {
  const api = useApi()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const time = versionTime(version)

  async function handleConfirm() {
    setBusy(true)
    setError(undefined)
    const restored = await restoreVersion(api, slug, version.$id)
    if (restored.ok) {
      refreshInFeed(restored.value)
      await navigate(`/edit-post/${slug}`)
      toasts.show({ kind: 'ok', text: texts.bringingBack.done(time) })
      return
    }
    setBusy(false)
    setError(texts.bringingBack.failed(reasonText(restored.failure)))
  }
  return (
    <ConfirmDialog
      title={texts.bringingBack.title}
      confirmLabel={texts.bringingBack.confirm}
      kind="primary"
      isWide
      cancelLabel={texts.actions.cancel}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void handleConfirm()}
      onCancel={onCancel}
    >
      {texts.bringingBack.text(time)}
    </ConfirmDialog>
  )
}
