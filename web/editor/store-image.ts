// What the editor asks of the form that it stands in: to store an image of the text, telling how
// far that is.

import type { Result } from '../api/client.ts'

/** What was done to an image before it is sent; empty when nothing was. */
export type ImageChange = { format?: 'PNG' | 'JPEG'; longSidePixels?: number }

/** Where an image is on its way. */
export type ImageStep =
  /** It is opened, and drawn anew where it has to be. */
  | { step: 'prepare' }
  /** Another image is being sent. */
  | { step: 'wait'; change: ImageChange }
  | { step: 'send'; change: ImageChange; sentBytes: number; totalBytes: number }
  /** The connection broke. It goes on by itself for a while, and at once on `retry`. */
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
  /** The name of the stored file: its ending may differ from that of the chosen one. */
  name: string
  bytes: number
  change: ImageChange
}

/** Why the signal comes where nothing else on the screen tells that the upload was cancelled. */
export const ANNOUNCE_CANCELLED = 'cancelled'

export type StoreOptions = {
  onStep?: (step: ImageStep) => void
  /** Cancels: the answer is then a failure of the type `upload_cancelled`. */
  signal?: AbortSignal
}

/**
 * Stores an image of the text. After a failure the same `File` can be given again: what was sent is
 * not sent twice.
 *
 * @returns as failure a sentence for the writer in `message`; `code` is 0 when the connection broke
 */
export type StoreImage = (file: File, options?: StoreOptions) => Promise<Result<StoredImage>>
