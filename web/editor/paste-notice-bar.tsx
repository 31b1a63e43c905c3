// The notice at the foot of the editor after a paste.

import { ClipboardCheck, ImageOff } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import './paste-notice-bar.css'
import type { PasteNotice } from './paste-notice.ts'

export function PasteNoticeBar({
  notice,
  onClose,
}: {
  notice: PasteNotice | undefined
  onClose: () => void
}) {
  function keep(onKeep: () => void) {
    onKeep()
    onClose()
  }
  return (
    <div className="paste-notice" role="status">
      {notice?.kind === 'markdown' && (
        <div className="paste-notice__box">
          <ClipboardCheck className="icon" aria-hidden="true" />
          <b>{texts.pasting.markdown}</b>
          <Button onClick={() => keep(notice.onKeep)}>{texts.pasting.keepAsTyped}</Button>
        </div>
      )}
      {notice?.kind === 'missing' && (
        <div className="paste-notice__box paste-notice__box--missing">
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
