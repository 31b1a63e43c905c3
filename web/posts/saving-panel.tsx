// What the form says while it saves, with the progress of the image when one is sent.

import type { UploadProgress } from '../files/files-api.ts'
import { UploadBar } from '../files/upload-bar.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function SavingPanel({ progress }: { progress: UploadProgress | undefined }) {
  return (
    <div className="saving">
      <p role="status">
        <Spinner />
        Uploading Please Wait ......
      </p>
      {progress && <UploadBar label="Image upload" progress={progress} />}
    </div>
  )
}
