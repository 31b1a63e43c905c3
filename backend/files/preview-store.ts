// Drawn previews on disk: a bounded, disposable store. Each one is checked when read; a broken one
// counts as absent.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Log } from '../process/log.ts'

export type PreviewStore = ReturnType<typeof makePreviewStore>

const HASH_BYTES = 32
/** What precedes the image in a file: its SHA-256 and its length. */
const HEADER_BYTES = HASH_BYTES + 4

type PreviewStoreNeeds = {
  folder: string
  /** Beyond it the least recently used ones are removed. */
  maxBytes: number
  log: Log
}

/** The sizes of the files in the folder. `evicted` names those whose files are to be removed. */
type Index = { sizes: LRUCache<string, number>; evicted: string[] }

type Parts = PreviewStoreNeeds & {
  /** Loaded with the first use; loaded again after a failure. */
  index: Promise<Index> | undefined
}

export function makePreviewStore(needs: PreviewStoreNeeds) {
  const parts: Parts = { ...needs, index: undefined }
  const lookups = { hits: 0, misses: 0 }
  return {
    async find(key: string): Promise<Buffer | undefined> {
      const found = await findPreview(parts, key)
      lookups[found ? 'hits' : 'misses']++
      return found
    },
    lookups: () => lookups,
    /** A failure to keep it is logged and goes no further: the preview has been drawn. */
    save: (key: string, bytes: Buffer) => savePreview(parts, key, bytes),
  }
}

async function findPreview(parts: Parts, key: string): Promise<Buffer | undefined> {
  const index = await findIndex(parts)
  const size = index?.sizes.get(key)
  if (!index || index.evicted.includes(key)) return undefined
  const path = join(parts.folder, key)
  // Another process may have drawn what this one does not know of.
  const bytes = await findWhole(path)
  if (!bytes) {
    if (size === undefined) return undefined
    index.sizes.delete(key)
    await removeEntry(parts, key)
    return undefined
  }
  if (size === undefined) index.sizes.set(key, HEADER_BYTES + bytes.length)
  // Keeps the order of use over a restart; not worth failing for.
  utimes(path, new Date(), new Date()).catch(() => {})
  return bytes
}

async function savePreview(parts: Parts, key: string, bytes: Buffer): Promise<void> {
  const { folder, log } = parts
  try {
    const index = await findIndex(parts)
    if (!index) return
    const header = Buffer.alloc(HEADER_BYTES)
    createHash('sha256').update(bytes).digest().copy(header)
    header.writeUInt32BE(bytes.length, HASH_BYTES)
    const temporary = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`)
    try {
      await writeFile(temporary, Buffer.concat([header, bytes]), { mode: 0o600 })
      await rename(temporary, join(folder, key))
    } catch (error) {
      // A disk that is full must not be kept full by what did not fit.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    index.sizes.set(key, HEADER_BYTES + bytes.length)
    // One that was evicted may have been drawn and kept again since.
    const gone = index.evicted.splice(0).filter((evicted) => !index.sizes.has(evicted))
    for (const evicted of gone) await removeEntry(parts, evicted)
  } catch (error) {
    // The folder is gone: it is made again with the next one.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      parts.index = undefined
    log.warn({ err: error }, 'a preview could not be kept')
  }
}

/** Whatever is in its place, even a folder. A failure is logged: the entry counts as absent. */
async function removeEntry({ folder, log }: Parts, name: string): Promise<void> {
  await rm(join(folder, name), { recursive: true, force: true }).catch((error: unknown) =>
    log.warn({ err: error }, 'a kept preview could not be removed'),
  )
}

/** @returns undefined when the folder cannot be read: previews are then drawn every time */
async function findIndex(parts: Parts): Promise<Index | undefined> {
  parts.index ??= loadIndex(parts)
  try {
    return await parts.index
  } catch (error) {
    parts.index = undefined
    parts.log.warn({ err: error }, 'the folder of previews cannot be read')
    return undefined
  }
}

const PART_WRITTEN_MAX_MS = 60_000

async function loadIndex(parts: Parts): Promise<Index> {
  const { folder, maxBytes } = parts
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const evicted: string[] = []
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose(_size, key, reason) {
      if (reason === 'evict') evicted.push(key)
    },
  })
  const found: { name: string; size: number; usedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const entry = await stat(join(folder, name)).catch(() => undefined)
    // A younger one another process may still be writing.
    const isPart = name.endsWith('.part')
    if (isPart && entry && Date.now() - entry.mtimeMs < PART_WRITTEN_MAX_MS) continue
    if (!entry?.isFile() || isPart) await removeEntry(parts, name)
    else found.push({ name, size: entry.size, usedMs: entry.mtimeMs })
  }
  for (const { name, size } of found.sort((a, b) => a.usedMs - b.usedMs)) sizes.set(name, size)
  return { sizes, evicted }
}

/** @returns undefined when it is gone, cut short or changed */
async function findWhole(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch(() => undefined)
  if (!whole || whole.length < HEADER_BYTES) return undefined
  const bytes = whole.subarray(HEADER_BYTES)
  if (bytes.length !== whole.readUInt32BE(HASH_BYTES)) return undefined
  return createHash('sha256').update(bytes).digest().equals(whole.subarray(0, HASH_BYTES))
    ? bytes
    : undefined
}
