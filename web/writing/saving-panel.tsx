// What the form says while it saves, with the progress of the image when one is sent.

import type { UploadProgress } from '../files/files-api.ts'
import { UploadBar } from '../files/upload-bar.tsx'
import { texts } from '../locales/texts.ts'
import { Spinner } from '../ui/spinner.tsx'

export function SavingPanel({ progress }: { progress: UploadProgress | undefined }) {
  return (
    <div className="saving">
      <p role="status">
        <Spinner />
        {texts.saving.text}
      </p>
      {progress && <UploadBar label={texts.saving.upload} progress={progress} />}
    </div>
  )
}
