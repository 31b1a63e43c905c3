// How far an upload is: a bar and the numbers.

import { isChunked, type UploadProgress } from './files-api.ts'
import { progressText, sizeText } from './image-rules.ts'

/** A file that goes in one piece can not tell how far it is: then the bar only says that something is under way. */
export function UploadBar({ label, progress: { sentBytes, totalBytes } }: { label: string; progress: UploadProgress }) {
  const percent = Math.round((sentBytes / totalBytes) * 100)
  const isTold = isChunked(totalBytes) || sentBytes >= totalBytes
  return (
    <>
      <div
        className={isTold ? 'prog' : 'prog prog--open'}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={isTold ? percent : undefined}
      >
        <i style={isTold ? { inlineSize: `${percent}%` } : undefined} />
      </div>
      <span className="hint">{isTold ? progressText(sentBytes, totalBytes) : sizeText(totalBytes)}</span>
    </>
  )
}
