// Draws the previews that pages ask for right after an upload, before anybody asks: one at a time,
// begun only while nobody waits for an image, and in no place of those who come meanwhile. What a
// stop leaves undone is drawn when somebody asks (decision 0068).
import {
  CARD_SHAPE,
  COVER_SHAPE,
  FACE_DRAWN_MIN_PIXELS,
  FACE_SIDES,
  heightOf,
  LEAD_SHAPE,
  previewQuality,
  WIDE_COVER_SHAPE,
} from '#contract/image-sizes.ts'
import { AVATAR_SIDE_PIXELS } from '#contract/limits.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { ImageQueue } from './image-queue.ts'
import { isHeavyPreview, readPreviewParams } from './preview-params.ts'
import type { Previews } from './previews.ts'
import type { FileRow } from './store.ts'

/** More are drawn when somebody asks. */
const DUE_MAX = 1000

type Size = { width: number; height: number }

const COVERS = eachOnce(
  [CARD_SHAPE, LEAD_SHAPE, COVER_SHAPE, WIDE_COVER_SHAPE].flatMap((shape) =>
    shape.widths.map((width) => ({ width, height: heightOf(shape, width) })),
  ),
)
const LARGE_FACES = [FACE_SIDES.byline, FACE_SIDES.afterPost, FACE_SIDES.author].map((side) =>
  Math.max(FACE_DRAWN_MIN_PIXELS, 2 * side),
)
const FACES = eachOnce(
  [2 * FACE_SIDES.viewer, AVATAR_SIDE_PIXELS, ...LARGE_FACES].map((side) => ({
    ...{ width: side, height: side },
  })),
)

function eachOnce(sizes: Size[]): Size[] {
  return [...new Map(sizes.map((size) => [`${size.width} ${size.height}`, size])).values()]
}

type DrawAheadNeeds = {
  avatarBucketId: string
  background: Background
  log: Log
  previews: Pick<Previews, 'drawAhead'>
  imageQueue: Pick<ImageQueue, 'whenIdle'>
}

export type DrawAhead = ReturnType<typeof makeDrawAhead>

export function makeDrawAhead(needs: DrawAheadNeeds) {
  const due: FileRow[] = []
  let isRunning = false
  /** Nothing is drawn before the start. */
  let isOn = false
  async function drawAll(): Promise<void> {
    for (let file = due.shift(); file && isOn; file = due.shift()) {
      const { id: fileId } = file
      await drawSizes(needs, file, () => isOn).catch((err: unknown) =>
        needs.log.warn({ err, fileId }, 'previews were not drawn ahead'),
      )
    }
    isRunning = false
  }
  return {
    add(file: FileRow): void {
      if (!isOn || due.length >= DUE_MAX) return
      due.push(file)
      if (isRunning) return
      isRunning = true
      needs.background.run('drawing ahead', drawAll)
    },
    start(): void {
      isOn = true
    },
    stop(): void {
      isOn = false
    },
  }
}

async function drawSizes(
  { avatarBucketId, previews, imageQueue }: DrawAheadNeeds,
  file: FileRow,
  goesOn: () => boolean,
): Promise<void> {
  for (const { width, height } of file.bucketId === avatarBucketId ? FACES : COVERS) {
    const size = { width: String(width), height: String(height) }
    const look = { ...size, quality: String(previewQuality(width)), output: 'webp' }
    const params = readPreviewParams(look, 'image/webp')
    // There is memory for one heavy drawing, and it is left to those who ask.
    if (isHeavyPreview(file, params)) return
    await imageQueue.whenIdle()
    if (!goesOn()) return
    await previews.drawAhead(file, params)
  }
}
