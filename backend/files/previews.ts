// Previews of stored images, and generated images: read from the disk cache or drawn. Concurrent
// requests share one drawing; it is dropped from the queue if all of them disconnect. The disk
// cache is bounded and disposable, and shared by the processes of a host; each entry is verified
// when it is read, and a broken one counts as missing.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal, undefinedIfRefused } from '#contract/errors.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { type Log, makeLog } from '../process/log.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import { type BlobStore, readOriginal } from './blob-store.ts'
import type { ImageJobs } from './image-child.ts'
import { type ImageQueue, runImageJob } from './image-process.ts'
import { isHeavyPreview, type PreviewParams, previewType } from './preview-params.ts'
import type { FileRow } from './store.ts'

/** The file that a preview is drawn from. */
export type Original = Pick<
  FileRow,
  'signature' | 'storedName' | 'mimeType' | 'sizeBytes' | 'width' | 'height'
>
export type Preview = { bytes: Buffer; isHit: boolean }

type OriginalsContext = { blobStore: BlobStore; log: Log }

export type Previews = ReturnType<typeof makePreviews>

export function makePreviews(
  options: OriginalsContext & { imageQueue: ImageQueue; folder: string },
) {
  const { blobStore, log, imageQueue, folder } = options
  const store = makePreviewStore({ folder, log })
  const drawing = makeSingleFlight<Buffer>()

  async function findOrDraw(
    key: string,
    { signal, ...caller }: QueueCaller,
    draw: (caller: QueueCaller) => Promise<Buffer>,
  ): Promise<Preview> {
    const cached = await store.find(key)
    if (cached) return { bytes: cached, isHit: true }
    const bytes = await drawing.run(key, signal, async (signalOfAll) => {
      const drawn = await draw({ ...caller, signal: signalOfAll })
      await store.save(key, drawn)
      return drawn
    })
    return { bytes, isHit: false }
  }

  return {
    lookups: store.lookups,
    /**
     * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
     *   `general_rate_limit_exceeded` (the caller has too many waiting jobs),
     *   `general_service_disabled` (busy or too slow)
     */
    async read(original: Original, params: PreviewParams, caller: QueueCaller): Promise<Preview> {
      const isHeavy = isHeavyPreview(original, params)
      return await findOrDraw(previewKey(original, params), caller, (queueCaller) =>
        imageQueue(() => drawOriginal({ blobStore, log }, original, params), queueCaller, {
          isHeavy,
        }),
      )
    },
    /**
     * Draws a preview in advance and outside the queue, unless it is cached. A file that has been
     * removed meanwhile is no error.
     */
    async pregenerate(original: Original, params: PreviewParams): Promise<void> {
      const draw = () => drawOriginal({ blobStore, log: makeLog('silent') }, original, params)
      const key = previewKey(original, params)
      await findOrDraw(key, {}, draw).catch(undefinedIfRefused('storage_file_not_found'))
    },
    /**
     * A generated image: a logo, initials or a share card.
     *
     * @param dependencies everything that the image depends on: the key of the cache
     * @param readInput reads the input of the job, only if the image has to be drawn
     */
    async drawGenerated<Name extends keyof ImageJobs>(
      job: Name,
      dependencies: unknown,
      caller: QueueCaller,
      readInput: () => Promise<{
        bytes?: Buffer | undefined
        options: Parameters<ImageJobs[Name]>[1]
      }>,
    ): Promise<Buffer> {
      const { bytes } = await findOrDraw(
        hashOf([job, dependencies]),
        caller,
        async (queueCaller) => {
          const { bytes: input = Buffer.alloc(0), options } = await readInput()
          return await imageQueue(
            async () => (await runImageJob(job, input, options)).bytes,
            queueCaller,
          )
        },
      )
      return bytes
    },
  }
}

async function drawOriginal(context: OriginalsContext, original: Original, params: PreviewParams) {
  const bytes = await readOriginal(context, original)
  try {
    const type = previewType(original, params)
    return (await runImageJob('preview', bytes, { params, type })).bytes
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'storage_invalid_file') throw error
    // The upload was decoded, so the stored bytes have changed since.
    context.log.error(
      { storedName: original.storedName, err: error },
      'the bytes of a file are damaged',
    )
    throw new Refusal('storage_file_not_found', undefined, { cause: error })
  }
}

/** The cache key of a preview, by content and parameters: equal images share their previews. */
export function previewKey(
  { signature, mimeType }: { signature: string; mimeType: string },
  params: PreviewParams,
): string {
  const { isNegotiated: _, ...appearance } = params
  return hashOf([signature, { ...appearance, type: previewType({ mimeType }, params) }])
}

function hashOf(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

// --- the disk cache

const MAX_BYTES = 512 * 2 ** 20
/** The share of `maxBytes` that a trim leaves, so that trims are rare. */
const LEFT_SHARE = 0.9
/** Each cached file begins with the SHA-256 of its image. */
const HASH_BYTES = 32
/** An unfinished file that is older was left by a process that has ended. */
const PART_WRITTEN_MAX_MS = 60_000

export function makePreviewStore(options: { folder: string; log: Log; maxBytes?: number }) {
  const { folder, log, maxBytes = MAX_BYTES } = options
  const lookups = { hits: 0, misses: 0 }
  /**
   * An estimate, because other processes write to the folder, too; unknown before the first trim.
   */
  let storedBytes = Number.POSITIVE_INFINITY

  async function write(key: string, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`)
    try {
      await writeFile(temporary, Buffer.concat([digestOf(bytes), bytes]), { mode: 0o600 })
      await rename(temporary, join(folder, key))
    } catch (error) {
      // The partial file would leave a full disk full.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    storedBytes += HASH_BYTES + bytes.length
    if (storedBytes > maxBytes) storedBytes = await trim(folder, maxBytes)
  }

  return {
    async find(key: string): Promise<Buffer | undefined> {
      const cached = await findIntact(join(folder, key))
      lookups[cached ? 'hits' : 'misses']++
      return cached
    },
    lookups: () => lookups,
    /** Only logs a failure: the response has the drawn preview already. */
    save: (key: string, bytes: Buffer): Promise<void> =>
      write(key, bytes).catch((err: unknown) => log.warn({ err }, 'a preview could not be cached')),
  }
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** @returns undefined when it is missing or damaged; a damaged entry is removed */
async function findIntact(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Buffer.alloc(0),
  )
  if (!whole) return undefined
  const bytes = whole.subarray(HASH_BYTES)
  if (digestOf(bytes).equals(whole.subarray(0, HASH_BYTES))) {
    // The time of the last use, by which `trim` sorts.
    utimes(path, new Date(), new Date()).catch(() => {})
    return bytes
  }
  await rm(path, { recursive: true, force: true }).catch(() => {})
  return undefined
}

/** Removes the least recently used files above the limit. @returns how many bytes are left */
async function trim(folder: string, maxBytes: number): Promise<number> {
  const entries: { path: string; size: number; usedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (!stats) continue
    const isAbandoned = name.endsWith('.part') && Date.now() - stats.mtimeMs > PART_WRITTEN_MAX_MS
    if (isAbandoned || stats.isDirectory()) await rm(path, { recursive: true, force: true })
    else entries.push({ path, size: stats.size, usedMs: stats.mtimeMs })
  }
  let storedBytes = entries.reduce((sum, { size }) => sum + size, 0)
  if (storedBytes <= maxBytes) return storedBytes
  for (const { path, size } of entries.sort((a, b) => a.usedMs - b.usedMs)) {
    if (storedBytes <= maxBytes * LEFT_SHARE) break
    await rm(path, { force: true })
    storedBytes -= size
  }
  return storedBytes
}
