// The progress of an upload: a bar, the numbers, and a button that cancels it.
import { useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { progressText } from '../ui/format-bytes.ts'
import { useAnnounce } from '../ui/live-region.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import type { UploadProgress } from './upload-image.ts'

/** Progress is announced to screen readers in steps of this size. */
const ANNOUNCED_STEP_PERCENT = 25

export function UploadBar({
  label,
  cancelLabel = texts.uploads.cancel,
  progress: { sentBytes, totalBytes, cancel },
}: {
  label: string
  /** Forms without another "Cancel" can use that word alone. */
  cancelLabel?: string
  progress: UploadProgress
}) {
  const percent = Math.floor((sentBytes / totalBytes) * 100)
  useProgressAnnouncements(label, percent)
  return (
    <>
      <ProgressBar label={label} percent={percent} />
      <div className="apart quiet upload-bar__foot">
        <span>{progressText(sentBytes, totalBytes)}</span>
        {cancel && (
          <Button kind="ghost" onClick={cancel} aria-disabled={percent === 100 || undefined}>
            {cancelLabel}
          </Button>
        )}
      </div>
    </>
  )
}

export function useProgressAnnouncements(label: string, percent: number): void {
  const announce = useAnnounce()
  const announcedStep = useRef(0)
  useEffect(() => {
    const step = Math.floor(percent / ANNOUNCED_STEP_PERCENT) * ANNOUNCED_STEP_PERCENT
    if (step > announcedStep.current) announce(texts.uploads.announced(label, step))
    announcedStep.current = step
  }, [announce, label, percent])
}
