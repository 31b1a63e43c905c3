// Draws the previews that pages ask for right after an upload, before anybody asks: one at a time,
// begun only while nobody waits for an image, and in no place of those who come meanwhile. What is
// due stands in the database until it is drawn, so that it is found again after a crash, and only
// one process draws (decision 0053).
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
import type { Database, DueDrawingRow } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { Buckets } from './buckets.ts'
import * as due from './due-store.ts'
import { previewPrice } from './image-price.ts'
import { type ImageQueue, whenIdle } from './image-queue.ts'
import { inspectStored } from './images.ts'
import { readPreviewParams } from './preview-params.ts'
import type { Previews } from './previews.ts'
import { findFile } from './store.ts'

/** For so long nobody else draws what a process has begun, which may have ended since. */
export const DUE_DRAWING_LEASE_MS = 60_000
/** How often a process looks for what others have left. */
const DUE_DRAWING_LOOK_EVERY_MS = 60_000
/** Then it is given up: something is wrong with the file or its storage. */
const DUE_DRAWING_TRIES = 3

type Size = { width: number; height: number }

const COVERS = sizesOf([CARD_SHAPE, LEAD_SHAPE, COVER_SHAPE, WIDE_COVER_SHAPE])
const FACES = [
  2 * FACE_SIDES.viewer,
  AVATAR_SIDE_PIXELS,
  ...[FACE_SIDES.byline, FACE_SIDES.afterPost, FACE_SIDES.author].map((side) =>
    Math.max(FACE_DRAWN_MIN_PIXELS, 2 * side),
  ),
].map((side) => ({ width: side, height: side }))

/** Each once; the small ones of the feed come first. */
function sizesOf(shapes: { ratio: number; widths: readonly number[] }[]): Size[] {
  const all = shapes.flatMap((shape) =>
    shape.widths.map((width) => ({ width, height: heightOf(shape, width) })),
  )
  return [...new Map(all.map((size) => [`${size.width} ${size.height}`, size])).values()]
}

export type DrawAheadNeeds = Pick<Buckets, 'avatarBucketId'> & {
  db: Database
  background: Background
  log: Log
  previews: Pick<Previews, 'read' | 'readOriginal'>
  imageQueue: ImageQueue
  now: () => Date
}

export function makeDrawAhead(needs: DrawAheadNeeds) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isAskedAgain = false
  async function drawDue(): Promise<void> {
    isRunning = true
    try {
      do {
        isAskedAgain = false
        while (!stopping.signal.aborted && (await drawNext(needs, stopping.signal)));
      } while (isAskedAgain && !stopping.signal.aborted)
    } finally {
      isRunning = false
    }
  }
  /** Something is due; what is drawn already goes on. Nothing happens before the start. */
  function wake(): void {
    isAskedAgain = true
    if (timer && !isRunning && !stopping.signal.aborted)
      needs.background.run('drawing ahead', drawDue)
  }
  return {
    wake,
    /** Also looks for what was left undone, now and from time to time. */
    start(): void {
      timer = setInterval(wake, DUE_DRAWING_LOOK_EVERY_MS)
      timer.unref()
      wake()
    },
    stop(): void {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

/** @returns false when nothing is due */
async function drawNext(needs: DrawAheadNeeds, signal: AbortSignal): Promise<boolean> {
  const { db, log, now, imageQueue } = needs
  // Before anything is claimed: under load another process may have more time.
  await whenIdle(imageQueue, signal)
  if (signal.aborted) return false
  const began = now()
  const at = began.toISOString()
  const until = new Date(began.getTime() + DUE_DRAWING_LEASE_MS).toISOString()
  const next = await due.claimDue(db, { now: at, until })
  if (!next) return false
  try {
    await drawAll(needs, next, signal)
  } catch (error) {
    const { fileId, tries } = next
    if (!signal.aborted) log.warn({ err: error, fileId, tries }, 'previews were not drawn ahead')
    if (signal.aborted || tries < DUE_DRAWING_TRIES) {
      // Behind those that wait already, for the next process or the next look.
      await due.setDue(db, next.storedName, at)
      return false
    }
  }
  await due.deleteDue(db, next.storedName)
  return true
}

async function drawAll(
  { db, avatarBucketId, previews, imageQueue }: DrawAheadNeeds,
  { bucketId, fileId, storedName }: DueDrawingRow,
  signal: AbortSignal,
): Promise<void> {
  const file = await findFile(db, { bucketId, id: fileId })
  if (file?.storedName !== storedName || !file.isComplete) return
  // Read once for all sizes.
  const bytes = await previews.readOriginal(file)
  const { facts } = await inspectStored(bytes)
  for (const { width, height } of bucketId === avatarBucketId ? FACES : COVERS) {
    const size = { width: String(width), height: String(height) }
    const look = { ...size, quality: String(previewQuality(width)), output: 'webp' }
    const params = readPreviewParams(look, 'image/webp')
    // It takes seconds, and so much memory that there is but one place for it.
    if (previewPrice(facts, params, 'webp').isLarge) continue
    await whenIdle(imageQueue, signal)
    signal.throwIfAborted()
    await previews.read(file, params, { payers: [], isAhead: true, signal }, async () => bytes)
  }
}
