// Previews of stored images, and images of our own: cached on disk or drawn. Concurrent requests
// share one drawing, which is dropped while it waits if all of them disconnect. The disk cache is
// bounded and disposable, and processes of one host share it; each preview is verified when read,
// and a broken one counts as absent.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal, unlessRefused } from '#contract/errors.ts'
import type { QueueCaller } from '../process/bounded-queue.ts'
import { type Log, makeLog } from '../process/log.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import { type BlobStore, readOriginal } from './blob-store.ts'
import type { ImageJobs } from './image-child.ts'
import { type ImageQueue, runImageJob } from './image-process.ts'
import { isHeavyPreview, type PreviewParams, previewType } from './preview-params.ts'
import type { FileRow } from './store.ts'

/** What a preview is drawn from: the content of a file and its stored name. */
export type Original = Pick<
  FileRow,
  'signature' | 'storedName' | 'mimeType' | 'sizeBytes' | 'width' | 'height'
>
export type Preview = { bytes: Buffer; isHit: boolean }

type Originals = { blobStore: BlobStore; log: Log }

export type Previews = ReturnType<typeof makePreviews>

export function makePreviews(options: Originals & { imageQueue: ImageQueue; folder: string }) {
  const { blobStore, log, imageQueue, folder } = options
  const store = makePreviewStore({ folder, log })
  const drawing = makeSingleFlight<Buffer>()

  async function findOrDraw(
    key: string,
    { signal, ...caller }: QueueCaller,
    draw: (caller: QueueCaller) => Promise<Buffer>,
  ): Promise<Preview> {
    const found = await store.find(key)
    if (found) return { bytes: found, isHit: true }
    const bytes = await drawing.run(key, signal, async (anybody) => {
      const drawn = await draw({ ...caller, signal: anybody })
      await store.save(key, drawn)
      return drawn
    })
    return { bytes, isHit: false }
  }

  return {
    lookups: store.lookups,
    /**
     * @throws Refusal `general_argument_invalid` (too large), `storage_file_not_found`,
     *   `general_rate_limit_exceeded` (the caller has too much waiting), `general_service_disabled`
     *   (busy or too slow)
     */
    async read(original: Original, params: PreviewParams, caller: QueueCaller): Promise<Preview> {
      const isHeavy = isHeavyPreview(original, params)
      return await findOrDraw(previewKey(original, params), caller, (own) =>
        imageQueue(() => drawOriginal({ blobStore, log }, original, params), own, { isHeavy }),
      )
    },
    /**
     * Draws a preview ahead of requests and outside the queue, unless it is cached. The file may
     * have been removed meanwhile, which is no fault of the store.
     */
    async pregenerate(original: Original, params: PreviewParams): Promise<void> {
      const draw = () => drawOriginal({ blobStore, log: makeLog('silent') }, original, params)
      const key = previewKey(original, params)
      await findOrDraw(key, {}, draw).catch(unlessRefused('storage_file_not_found'))
    },
    /**
     * An image of our own: initials or a share card.
     *
     * @param look all that it depends on
     * @param read what it is made of, asked when it has to be drawn, before its turn
     */
    async drawGenerated<Name extends keyof ImageJobs>(
      job: Name,
      look: unknown,
      caller: QueueCaller,
      read: () => Promise<{ bytes?: Buffer | undefined; order: Parameters<ImageJobs[Name]>[1] }>,
    ): Promise<Buffer> {
      const { bytes } = await findOrDraw(hashOf([job, look]), caller, async (own) => {
        const { bytes: given = Buffer.alloc(0), order } = await read()
        return await imageQueue(async () => (await runImageJob(job, given, order)).bytes, own)
      })
      return bytes
    },
  }
}

async function drawOriginal(from: Originals, original: Original, params: PreviewParams) {
  const bytes = await readOriginal(from, original)
  try {
    const type = previewType(original, params)
    return (await runImageJob('preview', bytes, { params, type })).bytes
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'storage_invalid_file') throw error
    // It was decoded when it was uploaded: the stored bytes have changed since.
    from.log.error(
      { storedName: original.storedName, err: error },
      'the bytes of a file are damaged',
    )
    throw new Refusal('storage_file_not_found', undefined, { cause: error })
  }
}

/** Identifies a preview by content and look: equal images share it. */
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

// --- the disk cache

const MAX_BYTES = 512 * 2 ** 20
/** The share that stays when the cache is full, so that it is trimmed rarely. */
const LEFT_SHARE = 0.9
/** A file begins with the SHA-256 of the image. */
const HASH_BYTES = 32
/** An older unfinished file belongs to a process that has ended. */
const PART_WRITTEN_MAX_MS = 60_000

export function makePreviewStore(options: { folder: string; log: Log; maxBytes?: number }) {
  const { folder, log, maxBytes = MAX_BYTES } = options
  const lookups = { hits: 0, misses: 0 }
  /** An estimate, because other processes write here, too; unknown before the first trim. */
  let storedBytes = Number.POSITIVE_INFINITY

  async function write(key: string, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`)
    try {
      await writeFile(temporary, Buffer.concat([digestOf(bytes), bytes]), { mode: 0o600 })
      await rename(temporary, join(folder, key))
    } catch (error) {
      // What did not fit must not keep a full disk full.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    storedBytes += HASH_BYTES + bytes.length
    if (storedBytes > maxBytes) storedBytes = await trim(folder, maxBytes)
  }

  return {
    async find(key: string): Promise<Buffer | undefined> {
      const found = await findWhole(join(folder, key))
      lookups[found ? 'hits' : 'misses']++
      return found
    },
    lookups: () => lookups,
    /** A failure is only logged: the preview has been drawn. */
    save: (key: string, bytes: Buffer): Promise<void> =>
      write(key, bytes).catch((err: unknown) => log.warn({ err }, 'a preview could not be kept')),
  }
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** @returns undefined when it is missing; a truncated or changed one, and a folder, is removed */
async function findWhole(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Buffer.alloc(0),
  )
  if (!whole) return undefined
  const bytes = whole.subarray(HASH_BYTES)
  if (digestOf(bytes).equals(whole.subarray(0, HASH_BYTES))) {
    // For the order of use only.
    utimes(path, new Date(), new Date()).catch(() => {})
    return bytes
  }
  await rm(path, { recursive: true, force: true }).catch(() => {})
  return undefined
}

/** Removes the least recently used files if there are too many. @returns how many bytes are left */
async function trim(folder: string, maxBytes: number): Promise<number> {
  const found: { path: string; size: number; usedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const entry = await stat(path).catch(() => undefined)
    if (!entry) continue
    const isOver = name.endsWith('.part') && Date.now() - entry.mtimeMs > PART_WRITTEN_MAX_MS
    if (isOver || entry.isDirectory()) await rm(path, { recursive: true, force: true })
    else found.push({ path, size: entry.size, usedMs: entry.mtimeMs })
  }
  let storedBytes = found.reduce((sum, { size }) => sum + size, 0)
  if (storedBytes <= maxBytes) return storedBytes
  for (const { path, size } of found.sort((a, b) => a.usedMs - b.usedMs)) {
    if (storedBytes <= maxBytes * LEFT_SHARE) break
    await rm(path, { force: true })
    storedBytes -= size
  }
  return storedBytes
}
