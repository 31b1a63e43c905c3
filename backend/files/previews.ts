// Previews of stored images: found in the store or drawn. Each is drawn once, however many requests
// ask at the same moment, and dropped when all of them have gone.
import { createHash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import { QueueFull } from '../process/bounded-queue.ts'
import type { Log } from '../process/log.ts'
import { makeSharedWork, type SharedWork } from '../process/single-flight.ts'
import { readOriginal } from './cut-short.ts'
import { type ImageFacts, type ImagePrice, previewPrice } from './image-price.ts'
import { type ImageAsker, type ImageQueue, workInTurn, workPaid } from './image-queue.ts'
import { decodeOrRefuse, loadSharp, type WorkTime } from './image-work.ts'
import { inspectStored } from './images.ts'
import type { Keeper } from './keeper.ts'
import { drawPreview } from './preview-drawing.ts'
import { type PreviewParams, type PreviewType, previewSize } from './preview-params.ts'
import { makePreviewStore, type PreviewStore } from './preview-store.ts'

/** Drawn previews kept on disk; the least recently used ones go first. */
const PREVIEW_STORE_MAX_BYTES = 512 * 1024 * 1024

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

type PreviewsNeeds = {
  keeper: Keeper
  imageQueue: ImageQueue
  log: Log
  folder: string
  draw?: typeof drawPreview
}

type OwnNeeds = Omit<Required<PreviewsNeeds>, 'folder'> & {
  store: PreviewStore
  drawing: SharedWork<Preview>
}

export type Previews = ReturnType<typeof makePreviews>

/** Reads the bytes of an original; without it they are read for each drawing. */
type ReadBytes = () => Promise<Buffer>
type Wanted = { params: PreviewParams; bytes: ReadBytes | undefined }

export function makePreviews({ folder, draw = drawPreview, ...given }: PreviewsNeeds) {
  const store = makePreviewStore({ folder, maxBytes: PREVIEW_STORE_MAX_BYTES, log: given.log })
  const needs: OwnNeeds = { ...given, store, draw, drawing: makeSharedWork() }
  return {
    lookups: store.lookups,
    /**
     * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
     *   `general_rate_limit_exceeded` (the asker has drawn too much), `general_service_disabled`
     *   (busy or too slow)
     */
    async read(original: Original, params: PreviewParams, asker: ImageAsker, bytes?: ReadBytes) {
      previewSize(params, original)
      const key = previewKey(original, params)
      const draw: MakePreview = (own) => drawOriginal(needs, original, { params, bytes }, own)
      return await findOrMake(needs, key, asker, draw)
    },
    readOriginal: (original: Original) => readOriginal(given, original),
    /** An image made of no stored one, kept like a preview: see {@link findOrMake}. */
    findOrMake: (key: string, asker: ImageAsker, make: MakePreview) =>
      findOrMake(needs, key, asker, make),
  }
}

type MakePreview = (asker: ImageAsker) => Promise<Buffer>

export type DrawingNeeds = {
  imageQueue: ImageQueue
  findOrMake: (key: string, asker: ImageAsker, make: MakePreview) => Promise<Preview>
}

/**
 * An image that is made of no stored one, and is stored like a preview.
 *
 * @param look  all that it depends on
 * @param begin what it needs before its turn comes; called when it has to be drawn
 */
export async function drawOnce(
  { imageQueue, findOrMake }: DrawingNeeds,
  look: unknown[],
  asker: ImageAsker,
  begin: () => Promise<{ price: ImagePrice; work: (time: WorkTime) => Promise<Buffer> }>,
): Promise<Buffer> {
  const key = createHash('sha256').update(JSON.stringify(look)).digest('hex')
  const { bytes } = await findOrMake(key, asker, async (own) => {
    const work = await begin()
    const lane = work.price.isLarge ? 'large' : 'ordinary'
    return await workPaid(imageQueue, lane, own, { kind: 'preview', ...work })
  })
  return bytes
}

/** A drawing of our own, as letters and shapes. */
export async function drawSvg(svg: string, time: WorkTime): Promise<Buffer> {
  const sharp = await loadSharp()
  const image = sharp(Buffer.from(svg))
  return await decodeOrRefuse(time, () => time.timed(image).png({ palette: true }).toBuffer())
}

/**
 * @param make called once for all who ask at the same moment
 * @throws what `make` does; a refusal of somebody else's asking is none of this asker's
 */
async function findOrMake(
  { store, drawing }: OwnNeeds,
  key: string,
  asker: ImageAsker,
  make: MakePreview,
): Promise<Preview> {
  let isOwn = false
  const ask = (name: string) =>
    drawing.run(name, asker.signal, async (signal) => {
      isOwn = true
      const found = await store.find(key)
      if (found) return { bytes: found, isHit: true }
      const bytes = await make({ ...asker, signal })
      await store.save(key, bytes)
      return { bytes, isHit: false }
    })
  try {
    return await ask(key)
  } catch (error) {
    // The drawing was refused to whoever asked first; this caller may have more left, and asks
    // without anybody who could be refused once more.
    if (isOwn || !isAskersOwn(error)) throw error
    return await ask(`${key} ${asker.key ?? ''}`)
  }
}

/** Whether a refusal is for what its asker has drawn or has waiting, whatever the drawing is. */
function isAskersOwn(error: unknown): boolean {
  if (error instanceof QueueFull) return true
  return error instanceof Refusal && error.type === 'general_rate_limit_exceeded'
}

async function drawOriginal(
  { keeper, imageQueue, log, draw }: OwnNeeds,
  original: Original,
  { params, bytes }: Wanted,
  asker: ImageAsker,
): Promise<Buffer> {
  const type = previewType(original, params)
  return await workInTurn(imageQueue, asker, {
    kind: 'preview',
    guess: previewPrice(guessFacts(original), params, type),
    async read() {
      const whole = await (bytes?.() ?? readOriginal({ keeper, log }, original))
      const stored = await refuseDamaged(log, original, () => inspectStored(whole))
      return { ...stored, price: previewPrice(stored.facts, params, type) }
    },
    work: (stored, time) => {
      const work = () => decodeOrRefuse(time, () => draw(stored, params, type, time))
      return refuseDamaged(log, original, work, asker.signal)
    },
  })
}

/** What a row knows of its image: the least that drawing from it can cost. */
function guessFacts({ mimeType, sizeBytes, width, height }: Original): ImageFacts {
  const type = mimeType.slice('image/'.length) as ImageFacts['type']
  return { type, sizeBytes, width, height, frames: 1, isProgressive: false, scans: 1 }
}

/**
 * An original has been decoded whole when it was uploaded: if it does not any more, its bytes have
 * changed where they are kept.
 */
async function refuseDamaged<Result>(
  log: Log,
  { storedName }: Original,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // Work that was broken off says nothing about the bytes.
    signal?.throwIfAborted()
    if (error instanceof Refusal && error.type !== 'storage_invalid_file') throw error
    log.error({ storedName, err: error }, 'the bytes of a file are damaged')
    throw new Refusal('storage_file_not_found', undefined, { cause: error })
  }
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
