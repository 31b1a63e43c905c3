// What the form says while it saves, with the progress of the image when one is sent; without a
// network that it waits, with a button that ends it.

import { WifiOff } from 'lucide-react'
import type { UploadProgress } from '../files/files-api.ts'
import { UploadBar } from '../files/upload-bar.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

type SavingPanelProps = {
  progress: UploadProgress | undefined
  hasNoLine: boolean
  onCancel: () => void
}

export function SavingPanel({ progress, hasNoLine, onCancel }: SavingPanelProps) {
  return (
    <div className={hasNoLine ? 'saving saving--waiting' : 'saving'}>
      <p role="status">
        {hasNoLine ? <WifiOff className="icon" aria-hidden="true" /> : <Spinner />}
        <span>{hasNoLine ? texts.saving.noLine : texts.saving.text}</span>
      </p>
      {hasNoLine && (
        <Button isWide onClick={onCancel}>
          {texts.saving.cancel}
        </Button>
      )}
      {progress && (
        <UploadBar
          label={texts.saving.upload}
          cancelLabel={texts.actions.cancel}
          progress={hasNoLine ? withoutCancel(progress) : progress}
        />
      )}
    </div>
  )
}

/** How far it came stays in sight while nothing moves; one button is enough to end it. */
function withoutCancel({ sentBytes, totalBytes }: UploadProgress): UploadProgress {
  return { sentBytes, totalBytes }
}
