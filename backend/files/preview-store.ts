// Drawn previews on disk: a bounded, disposable store. Each one is checked when read; a broken one counts as absent.
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

/** @param maxBytes beyond it the ones unused for longest go */
export function makePreviewStore({ folder, maxBytes, log }: { folder: string; maxBytes: number; log: Log }): PreviewStore {
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
      const bytes = await readChecked(join(folder, key))
      if (!bytes) {
        await forget(known, key)
        return undefined
      }
      known.delete(key)
      known.set(key, size)
      // Keeps the order of use over a restart; not worth failing for.
      utimes(join(folder, key), new Date(), new Date()).catch(() => {})
      return bytes
    },
    async save(key, bytes) {
      try {
        const known = await index()
        if (!known) return
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

/** @returns undefined when it is gone, cut short or changed */
async function readChecked(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch(() => undefined)
  if (!whole || whole.length < HEAD_BYTES || whole.length - HEAD_BYTES !== whole.readUInt32BE(HASH_BYTES)) return undefined
  const bytes = whole.subarray(HEAD_BYTES)
  return createHash('sha256').update(bytes).digest().equals(whole.subarray(0, HASH_BYTES)) ? bytes : undefined
}
