// The interface through which the editor's form stores an image of the text and reports the
// progress.

import type { Result } from '../api/client.ts'

/** How an image was converted before the upload; empty if it was not. */
export type ImageChange = { format?: 'PNG' | 'JPEG'; longSidePixels?: number }

/** The progress of an image. */
export type ImageStep =
  /** The image is opened, and redrawn if necessary. */
  | { step: 'prepare' }
  /** Another image is being sent. */
  | { step: 'wait'; change: ImageChange }
  | { step: 'send'; change: ImageChange; sentBytes: number; totalBytes: number }
  /** The connection broke. The upload is retried automatically for a while, and by `retry`. */
  | {
      step: 'lost'
      change: ImageChange
      sentBytes: number
      totalBytes: number
      retry: () => void
    }

export type StoredImage = {
  /** The path of the image, for `src`. */
  address: string
  /** The name of the stored file, whose extension may differ from the chosen file's. */
  name: string
  bytes: number
  change: ImageChange
}

/** The abort reason if nothing else on the screen shows that the upload was cancelled. */
export const ANNOUNCE_CANCELLED = 'cancelled'

export type StoreOptions = {
  onStep?: (step: ImageStep) => void
  /** Cancels the upload; the result is then a failure of the type `upload_cancelled`. */
  signal?: AbortSignal
}

/**
 * Stores an image of the text. After a failure it can be called again with the same `File`: chunks
 * are not sent twice.
 *
 * @returns in a failure, `message` is a sentence for the writer; `code` is 0 if the connection
 *   broke
 */
export type StoreImage = (file: File, options?: StoreOptions) => Promise<Result<StoredImage>>
