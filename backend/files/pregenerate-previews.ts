// Right after an upload, draws the previews that our pages use, before browsers request them: one
// at a time, only while no request waits for an image, and outside the queue. After a stop, the
// remaining previews are drawn on request (decision 0068).

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

/** How many files may wait. The previews of further files are drawn on request. */
const WAITING_MAX = 1000

/** Sizes such as `640x360`. */
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
  /** False before `start` and after `stop`. */
  let isOn = false
  let waiting = 0
  let lastDrawing = Promise.resolve()

  async function drawSizes(file: FileRow): Promise<void> {
    for (const size of file.bucketId === avatarBucketId ? AVATARS : COVERS) {
      const [width = '', height = ''] = size.split('x')
      const quality = String(previewQuality(Number(width)))
      const params = readPreviewParams({ width, height, quality, output: 'webp' }, 'image/webp')
      // Memory suffices for one heavy drawing, which is reserved for requests.
      if (!isOn || isHeavyPreview(file, params)) return
      await imageQueue.whenIdle()
      if (isOn) await previews.pregenerate(file, params)
    }
  }
  return {
    add(file: FileRow): void {
      if (!isOn || waiting >= WAITING_MAX) return
      waiting++
      lastDrawing = lastDrawing
        .then(() => drawSizes(file))
        .catch((err: unknown) =>
          log.warn({ err, fileId: file.id }, 'previews were not drawn in advance'),
        )
        .finally(() => waiting--)
      background.run('pregeneration of previews', () => lastDrawing)
    },
    start(): void {
      isOn = true
    },
    stop(): void {
      isOn = false
    },
  }
}
