// Previews of stored pictures: found in the store or drawn, each drawn once however many ask at the
// same moment.
import { createHash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { PREVIEW_MEMORY_MAX_BYTES, PREVIEW_STORE_MAX_BYTES } from '#contract/limits.ts'
import type { Log } from '../process/log.ts'
import { decoding, type ImageQueue } from './image-work.ts'
import { type Keeper, readWhole } from './keeper.ts'
import { drawPreview } from './preview-drawing.ts'
import { type PreviewParams, type PreviewType, previewSize } from './preview-params.ts'
import { makePreviewStore } from './preview-store.ts'

/** What is drawn of: its content and where that is kept. */
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

export function makePreviews({
  keeper,
  imageQueue,
  log,
  folder,
  memoryMaxBytes = PREVIEW_MEMORY_MAX_BYTES,
  draw = drawPreview,
}: PreviewsNeeds) {
  const kept = makePreviewStore({ folder, maxBytes: PREVIEW_STORE_MAX_BYTES, memoryMaxBytes, log })
  const drawing = new Map<string, Promise<Preview>>()

  async function make(key: string, original: Original, params: PreviewParams): Promise<Preview> {
    const found = await kept.find(key)
    if (found) return { bytes: found, isHit: true }
    const bytes = await imageQueue.run(async () => {
      const source = await keeper.open(original.storedName)
      if (!source) {
        log.error({ storedName: original.storedName }, 'the bytes of a file are missing')
        throw new Refusal('storage_file_not_found')
      }
      const whole = await readWhole(source)
      return await decoding(() =>
        draw(whole, params, previewType(original, params), imageQueue.runLarge),
      )
    })
    await kept.save(key, bytes)
    return { bytes, isHit: false }
  }

  return {
    /**
     * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
     *   `general_service_disabled` (busy or too slow)
     */
    async read(original: Original, params: PreviewParams): Promise<Preview> {
      previewSize(params, original)
      const key = previewKey(original, params)
      const running = drawing.get(key)
      if (running !== undefined) return await running
      const work = make(key, original, params).finally(() => drawing.delete(key))
      drawing.set(key, work)
      return await work
    },
  }
}

/** The type of the answer: the wanted one, else the file's own. */
export function previewType(
  { mimeType }: { mimeType: string },
  { type }: PreviewParams,
): PreviewType {
  return type ?? (mimeType.slice('image/'.length) as 'png' | 'jpeg' | 'gif')
}

/** Names a preview by content and look: equal pictures share it. */
export function previewKey(
  { signature, mimeType }: { signature: string; mimeType: string },
  params: PreviewParams,
): string {
  const { isNegotiated: _, ...look } = params
  return createHash('sha256')
    .update(JSON.stringify([signature, { ...look, type: previewType({ mimeType }, params) }]))
    .digest('hex')
}
