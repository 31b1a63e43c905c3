// Previews of stored images: found in the store or drawn. Each is drawn once, however many requests
// ask at the same moment.
import { createHash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { PREVIEW_MEMORY_MAX_BYTES, PREVIEW_STORE_MAX_BYTES } from '#contract/limits.ts'
import type { Log } from '../process/log.ts'
import { decodeOrRefuse, type ImageQueue } from './image-work.ts'
import { type Keeper, readWhole } from './keeper.ts'
import { drawPreview } from './preview-drawing.ts'
import { type PreviewParams, type PreviewType, previewSize } from './preview-params.ts'
import { makePreviewStore, type PreviewStore } from './preview-store.ts'

/** What a preview is drawn from: the content of a file and where its bytes are kept. */
export type Original = {
  signature: string
  storedName: string
  mimeType: string
  width: number
  height: number
}
export type Preview = { bytes: Buffer; isHit: boolean }

export type PreviewsNeeds = {
  keeper: Keeper
  imageQueue: ImageQueue
  log: Log
  folder: string
  memoryMaxBytes?: number
  draw?: typeof drawPreview
}

type DrawingNeeds = Pick<PreviewsNeeds, 'keeper' | 'imageQueue' | 'log'> & {
  store: PreviewStore
  draw: typeof drawPreview
}

export function makePreviews({
  keeper,
  imageQueue,
  log,
  folder,
  memoryMaxBytes = PREVIEW_MEMORY_MAX_BYTES,
  draw = drawPreview,
}: PreviewsNeeds) {
  const store = makePreviewStore({ folder, maxBytes: PREVIEW_STORE_MAX_BYTES, memoryMaxBytes, log })
  const needs = { keeper, imageQueue, log, store, draw, drawing: new Map() }
  return {
    read: (original: Original, params: PreviewParams) => readPreview(needs, original, params),
  }
}

/**
 * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
 *   `general_service_disabled` (busy or too slow)
 */
async function readPreview(
  needs: DrawingNeeds & { drawing: Map<string, Promise<Preview>> },
  original: Original,
  params: PreviewParams,
): Promise<Preview> {
  previewSize(params, original)
  const key = previewKey(original, params)
  const running = needs.drawing.get(key)
  if (running !== undefined) return await running
  const work = findOrDraw(needs, key, original, params).finally(() => needs.drawing.delete(key))
  needs.drawing.set(key, work)
  return await work
}

async function findOrDraw(
  { keeper, imageQueue, log, store, draw }: DrawingNeeds,
  key: string,
  original: Original,
  params: PreviewParams,
): Promise<Preview> {
  const found = await store.find(key)
  if (found) return { bytes: found, isHit: true }
  const bytes = await imageQueue.run(async () => {
    const source = await keeper.open(original.storedName)
    if (!source) {
      log.error({ storedName: original.storedName }, 'the bytes of a file are missing')
      throw new Refusal('storage_file_not_found')
    }
    const whole = await readWhole(source)
    const type = previewType(original, params)
    return await decodeOrRefuse(() => draw(whole, params, type, imageQueue.runLarge))
  })
  await store.save(key, bytes)
  return { bytes, isHit: false }
}

/** The type of the answer: the wanted one, else the file's own. */
export function previewType(
  { mimeType }: { mimeType: string },
  { type }: PreviewParams,
): PreviewType {
  return type ?? (mimeType.slice('image/'.length) as 'png' | 'jpeg' | 'gif')
}

/** Names a preview by content and look: equal images share it. */
export function previewKey(
  { signature, mimeType }: { signature: string; mimeType: string },
  params: PreviewParams,
): string {
  const { isNegotiated: _, ...look } = params
  return createHash('sha256')
    .update(JSON.stringify([signature, { ...look, type: previewType({ mimeType }, params) }]))
    .digest('hex')
}
