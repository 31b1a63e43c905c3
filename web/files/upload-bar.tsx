// The progress of an upload: a bar, the numbers, and a button that cancels it.

import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { progressText } from '../ui/size-text.ts'
import type { UploadProgress } from './files-api.ts'

/** Progress is announced to screen readers in steps of this size. */
const HEARD_PERCENT = 25

export function UploadBar({
  label,
  progress: { sentBytes, totalBytes, cancel },
}: {
  label: string
  progress: UploadProgress
}) {
  const percent = Math.floor((sentBytes / totalBytes) * 100)
  useHeardSteps(label, percent)
  return (
    <>
      <div
        className="progress"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={{ inlineSize: `${percent}%` }} />
      </div>
      <span className="hint">{`${percent} % · ${progressText(sentBytes, totalBytes)}`}</span>
      {cancel && (
        <Button kind="ghost" onClick={cancel} aria-disabled={percent === 100 || undefined}>
          <X className="icon icon--small" aria-hidden="true" />
          {texts.uploads.cancel}
        </Button>
      )}
    </>
  )
}

function useHeardSteps(label: string, percent: number): void {
  const announce = useAnnounce()
  const heard = useRef(0)
  useEffect(() => {
    const step = Math.floor(percent / HEARD_PERCENT) * HEARD_PERCENT
    if (step > heard.current) announce(texts.uploads.heard(label, step))
    heard.current = step
  }, [announce, label, percent])
}
