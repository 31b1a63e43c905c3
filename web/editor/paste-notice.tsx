// The notice below the editor after a paste or a replaced address, shown for ten seconds or until
// the next keystroke.

import type { Editor } from 'hugerte'
import { ClipboardCheck, ImageOff } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import type { MissingReason } from './paste-images.ts'
import './paste-notice.css'

export type PasteNotice =
  | { kind: 'missing'; missing: readonly MissingReason[] }
  | { kind: 'markdown' | 'embed'; onKeep: () => void }

const NOTICE_MS = 10_000
/** Keys that do not close the notice, whose button must be reachable. */
const IGNORED_KEYS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Tab']

export function usePasteNotice() {
  const [notice, setNotice] = useState<PasteNotice | undefined>()
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const listenTo = useCallback((editor: Editor) => {
    editor.on('keydown', ({ key }) => {
      if (!IGNORED_KEYS.includes(key)) setNotice(undefined)
    })
  }, [])
  return { notice, setNotice, listenTo }
}

export function PasteNoticeBar({
  notice,
  onClose,
}: {
  notice: PasteNotice | undefined
  onClose: () => void
}) {
  return (
    <div className="unless-empty paste-notice" role="status">
      {notice && notice.kind !== 'missing' && (
        <div className="quiet paste-notice__box">
          <ClipboardCheck className="icon" aria-hidden="true" />
          <b>{texts.pasting[notice.kind]}</b>
          <Button
            onClick={() => {
              notice.onKeep()
              onClose()
            }}
          >
            {notice.kind === 'embed' ? texts.pasting.keepAddress : texts.pasting.keepAsTyped}
          </Button>
        </div>
      )}
      {notice?.kind === 'missing' && (
        <div className="quiet paste-notice__box paste-notice__box--missing">
          <ImageOff className="icon" aria-hidden="true" />
          <p>
            <b>{texts.pasting.missing(notice.missing.length)}</b>
            {[...new Set(notice.missing)].map((reason) => (
              <span key={reason}>{texts.pasting.reasons[reason](notice.missing.length)}</span>
            ))}
          </p>
        </div>
      )}
    </div>
  )
}
