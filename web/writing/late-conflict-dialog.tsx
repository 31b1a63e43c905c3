// Loads the two versions of a post side by side when they are to be shown: few writers see them
// ever.
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { loadCode } from '../ui/load-code.ts'
import { useToasts } from '../ui/toasts.tsx'
import type { ConflictDialogProps } from './conflict-dialog.tsx'

/** When it cannot be loaded, that is said, and the decision is left for later. */
export function LateConflictDialog(props: ConflictDialogProps) {
  const { show } = useToasts()
  const [Dialog, setDialog] = useState<ComponentType<ConflictDialogProps> | undefined>()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    let isGone = false
    loadCode(() => import('./conflict-dialog.tsx')).then(
      ({ ConflictDialog }) => setDialog(() => ConflictDialog),
      () => {
        if (isGone) return
        show({ kind: 'error', text: texts.failures.appMissing })
        latest.current.onLater()
      },
    )
    return () => {
      isGone = true
    }
  }, [show])
  return Dialog && <Dialog {...props} />
}
