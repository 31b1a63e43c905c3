// Draws the previews that our pages use right after an upload, before they are requested: one at a
// time, only while no request waits for an image, and outside the queue. After a stop the rest is
// drawn on request (decision 0068).

import {
  AVATAR_PREVIEW_MIN_PIXELS,
  AVATAR_SIZES,
  CARD_SHAPE,
  COVER_SHAPE,
  heightOf,
  LEAD_SHAPE,
  previewQuality,
  WIDE_COVER_SHAPE,
} from '#contract/image-sizes.ts'
import { AVATAR_SIDE_PIXELS } from '#contract/limits.ts'
import type { FilesContext } from './context.ts'
import { isHeavyPreview, readPreviewParams } from './preview-params.ts'
import type { FileRow } from './store.ts'

/** Files that wait. The previews of further ones are drawn on request. */
const DUE_MAX = 1000

/** Each as `640x360`. */
const COVERS = new Set(
  [CARD_SHAPE, LEAD_SHAPE, COVER_SHAPE, WIDE_COVER_SHAPE].flatMap((shape) =>
    shape.widths.map((width) => `${width}x${heightOf(shape, width)}`),
  ),
)
const LARGE_AVATARS = [AVATAR_SIZES.byline, AVATAR_SIZES.afterPost, AVATAR_SIZES.author].map(
  (side) => Math.max(AVATAR_PREVIEW_MIN_PIXELS, 2 * side),
)
const AVATARS = new Set(
  [2 * AVATAR_SIZES.viewer, AVATAR_SIDE_PIXELS, ...LARGE_AVATARS].map((side) => `${side}x${side}`),
)

export function makePreviewPregeneration(context: Omit<FilesContext, 'previewPregeneration'>) {
  const { avatarBucketId, background, log, previews, imageQueue } = context
  /** Nothing is drawn before the start. */
  let isOn = false
  let due = 0
  let last = Promise.resolve()

  async function drawSizes(file: FileRow): Promise<void> {
    for (const size of file.bucketId === avatarBucketId ? AVATARS : COVERS) {
      const [width = '', height = ''] = size.split('x')
      const quality = String(previewQuality(Number(width)))
      const params = readPreviewParams({ width, height, quality, output: 'webp' }, 'image/webp')
      // There is memory for one heavy drawing, which is left to requests.
      if (!isOn || isHeavyPreview(file, params)) return
      await imageQueue.whenIdle()
      if (isOn) await previews.pregenerate(file, params)
    }
  }
  return {
    add(file: FileRow): void {
      if (!isOn || due >= DUE_MAX) return
      due++
      last = last
        .then(() => drawSizes(file))
        .catch((err: unknown) =>
          log.warn({ err, fileId: file.id }, 'previews were not drawn ahead'),
        )
        .finally(() => due--)
      background.run('pregeneration of previews', () => last)
    },
    start(): void {
      isOn = true
    },
    stop(): void {
      isOn = false
    },
  }
}
