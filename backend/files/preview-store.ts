// Drawn previews on disk: a bounded, disposable store. Each one is checked when read; a broken one
// counts as absent. The ones asked for lately are in memory, too, as they were when checked.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../process/log.ts'

export type PreviewStore = {
  find(key: string): Promise<Buffer | undefined>
  /** A failure to keep it is logged and goes no further: the preview has been drawn. */
  save(key: string, bytes: Buffer): Promise<void>
}

const HASH_BYTES = 32
const HEAD_BYTES = HASH_BYTES + 4

export type PreviewStoreNeeds = {
  folder: string
  /** Beyond it the ones unused for longest go. */
  maxBytes: number
  /** The same for those in memory. */
  memoryMaxBytes: number
  log: Log
}

export function makePreviewStore({
  folder,
  maxBytes,
  memoryMaxBytes,
  log,
}: PreviewStoreNeeds): PreviewStore {
  const hot = makeHot(memoryMaxBytes)
  /** Sizes by key, least recently used first. */
  let sizes: Promise<Map<string, number>> | undefined
  let totalBytes = 0

  async function load(): Promise<Map<string, number>> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const found: { name: string; size: number; usedMs: number }[] = []
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (name.endsWith('.part')) await rm(path, { force: true })
      else {
        const { size, mtimeMs } = await stat(path)
        found.push({ name, size, usedMs: mtimeMs })
        totalBytes += size
      }
    }
    return new Map(found.sort((a, b) => a.usedMs - b.usedMs).map(({ name, size }) => [name, size]))
  }

  /** Without a readable folder there is no store, only drawing. */
  async function index(): Promise<Map<string, number> | undefined> {
    sizes ??= load()
    try {
      return await sizes
    } catch (error) {
      sizes = undefined
      totalBytes = 0
      log.warn({ err: error }, 'the folder of previews cannot be read')
      return undefined
    }
  }

  async function forget(known: Map<string, number>, key: string): Promise<void> {
    totalBytes -= known.get(key) ?? 0
    known.delete(key)
    await rm(join(folder, key), { force: true })
  }

  return {
    async find(key) {
      const known = await index()
      const size = known?.get(key)
      if (!known || size === undefined) return undefined
      known.delete(key)
      known.set(key, size)
      const inMemory = hot.find(key)
      if (inMemory) return inMemory
      const bytes = await readChecked(join(folder, key))
      if (!bytes) {
        await forget(known, key)
        return undefined
      }
      hot.save(key, bytes)
      // Keeps the order of use over a restart; not worth failing for.
      utimes(join(folder, key), new Date(), new Date()).catch(() => {})
      return bytes
    },
    async save(key, bytes) {
      try {
        const known = await index()
        if (!known) return
        hot.save(key, bytes)
        const head = Buffer.alloc(HEAD_BYTES)
        createHash('sha256').update(bytes).digest().copy(head)
        head.writeUInt32BE(bytes.length, HASH_BYTES)
        const temporary = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`)
        await writeFile(temporary, Buffer.concat([head, bytes]), { mode: 0o600 })
        await rename(temporary, join(folder, key))
        totalBytes += HEAD_BYTES + bytes.length - (known.get(key) ?? 0)
        known.delete(key)
        known.set(key, HEAD_BYTES + bytes.length)
        for (const oldest of known.keys()) {
          if (totalBytes <= maxBytes || oldest === key) break
          await forget(known, oldest)
        }
      } catch (error) {
        log.warn({ err: error }, 'a preview could not be kept')
      }
    },
  }
}

/** The last ones used, as long as they fit. */
function makeHot(maxBytes: number) {
  const kept = new Map<string, Buffer>()
  let totalBytes = 0
  return {
    find(key: string): Buffer | undefined {
      const bytes = kept.get(key)
      if (!bytes) return undefined
      kept.delete(key)
      kept.set(key, bytes)
      return bytes
    },
    save(key: string, bytes: Buffer): void {
      totalBytes += bytes.length - (kept.get(key)?.length ?? 0)
      kept.delete(key)
      kept.set(key, bytes)
      for (const [oldest, { length }] of kept) {
        if (totalBytes <= maxBytes) break
        kept.delete(oldest)
        totalBytes -= length
      }
    },
  }
}

/** @returns undefined when it is gone, cut short or changed */
async function readChecked(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch(() => undefined)
  if (
    !whole ||
    whole.length < HEAD_BYTES ||
    whole.length - HEAD_BYTES !== whole.readUInt32BE(HASH_BYTES)
  )
    return undefined
  const bytes = whole.subarray(HEAD_BYTES)
  return createHash('sha256').update(bytes).digest().equals(whole.subarray(0, HASH_BYTES))
    ? bytes
    : undefined
}
