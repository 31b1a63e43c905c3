// Previews of stored images and drawings of our own: found in the store or drawn. Each is drawn
// once, however many requests ask at the same moment, and dropped while it waits when all of them
// have gone.
import { createHash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { type Log, makeLog } from '../process/log.ts'
import { makeSharedWork } from '../process/single-flight.ts'
import type { ImageJobs } from './image-child.ts'
import { runImageJob } from './image-process.ts'
import type { ImageAsker, ImageQueue } from './image-queue.ts'
import { type Keeper, readOriginal } from './keeper.ts'
import { isHeavyPreview, type PreviewParams, previewType } from './preview-params.ts'
import { makePreviewStore } from './preview-store.ts'

/** What a preview is drawn from: the content of a file and where its bytes are kept. */
export type Original = {
  signature: string
  storedName: string
  mimeType: string
  sizeBytes: number
  width: number
  height: number
}
export type Preview = { bytes: Buffer; isHit: boolean }

type PreviewsNeeds = { keeper: Keeper; imageQueue: ImageQueue; log: Log; folder: string }

export type Previews = ReturnType<typeof makePreviews>

export function makePreviews({ keeper, imageQueue, log, folder }: PreviewsNeeds) {
  const store = makePreviewStore({ folder, log })
  const drawing = makeSharedWork<Buffer>()

  async function findOrDraw(
    key: string,
    { signal, ...asker }: ImageAsker,
    draw: (asker: ImageAsker) => Promise<Buffer>,
  ): Promise<Preview> {
    const found = await store.find(key)
    if (found) return { bytes: found, isHit: true }
    const bytes = await drawing.run(key, signal, async (anybody) => {
      const drawn = await draw({ ...asker, signal: anybody })
      await store.save(key, drawn)
      return drawn
    })
    return { bytes, isHit: false }
  }

  return {
    lookups: store.lookups,
    /**
     * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
     *   `general_rate_limit_exceeded` (the asker has too much waiting), `general_service_disabled`
     *   (busy or too slow)
     */
    async read(original: Original, params: PreviewParams, asker: ImageAsker): Promise<Preview> {
      const isHeavy = isHeavyPreview(original, params)
      return await findOrDraw(previewKey(original, params), asker, (own) =>
        imageQueue(() => drawOriginal({ keeper, log }, original, params), own, { isHeavy }),
      )
    },
    /**
     * Draws a preview that nobody waits for, in no place of those who do, unless it is there. The
     * file may have been removed meanwhile, which is no fault of the storage.
     */
    async drawAhead(original: Original, params: PreviewParams): Promise<void> {
      const draw = () => drawOriginal({ keeper, log: makeLog('silent') }, original, params)
      await findOrDraw(previewKey(original, params), {}, draw).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.type !== 'storage_file_not_found') throw error
      })
    },
    /**
     * An image made of no stored one.
     *
     * @param look all that it depends on
     * @param read what it is made of, asked when it has to be drawn, before its turn
     */
    async drawOwn<Name extends keyof ImageJobs>(
      job: Name,
      look: unknown[],
      asker: ImageAsker,
      read: () => Promise<{ bytes: Buffer; order: Parameters<ImageJobs[Name]>[1] }>,
    ): Promise<Buffer> {
      const { bytes } = await findOrDraw(hashOf(look), asker, async (own) => {
        const { bytes: given, order } = await read()
        return await imageQueue(async () => (await runImageJob(job, given, order)).bytes, own)
      })
      return bytes
    },
  }
}

async function drawOriginal(
  { keeper, log }: Pick<PreviewsNeeds, 'keeper' | 'log'>,
  original: Original,
  params: PreviewParams,
): Promise<Buffer> {
  const bytes = await readOriginal({ keeper, log }, original)
  try {
    const type = previewType(original, params)
    return (await runImageJob('preview', bytes, { params, type })).bytes
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'storage_invalid_file') throw error
    // It was decoded whole when it was uploaded: its bytes have changed where they are kept.
    log.error({ storedName: original.storedName, err: error }, 'the bytes of a file are damaged')
    throw new Refusal('storage_file_not_found', undefined, { cause: error })
  }
}

/** Names a preview by content and look: equal images share it. */
export function previewKey(
  { signature, mimeType }: { signature: string; mimeType: string },
  params: PreviewParams,
): string {
  const { isNegotiated: _, ...look } = params
  return hashOf([signature, { ...look, type: previewType({ mimeType }, params) }])
}

function hashOf(look: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(look)).digest('hex')
}
