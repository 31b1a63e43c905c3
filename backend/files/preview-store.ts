// Drawn previews on disk: a bounded, disposable store, which processes of one machine share. Each
// one is checked when read; a broken one counts as absent.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../process/log.ts'

const MAX_BYTES = 512 * 2 ** 20
/** What the least recently used ones leave when there is no room: so they are looked for rarely. */
const LEFT_SHARE = 0.9
/** What precedes the image in a file: its SHA-256. */
const HASH_BYTES = 32
/** An older one that was not finished is of a process that has ended. */
const PART_WRITTEN_MAX_MS = 60_000

type PreviewStoreNeeds = { folder: string; log: Log; maxBytes?: number }

export function makePreviewStore({ folder, log, maxBytes = MAX_BYTES }: PreviewStoreNeeds) {
  const lookups = { hits: 0, misses: 0 }
  /** About how much is kept, for other processes write here, too; not known before the first. */
  let keptBytes = Number.POSITIVE_INFINITY

  async function write(key: string, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const temporary = join(folder, `${key}.${randomBytes(6).toString('hex')}.part`)
    try {
      await writeFile(temporary, Buffer.concat([hashOf(bytes), bytes]), { mode: 0o600 })
      await rename(temporary, join(folder, key))
    } catch (error) {
      // A disk that is full must not be kept full by what did not fit.
      await rm(temporary, { force: true }).catch(() => {})
      throw error
    }
    keptBytes += HASH_BYTES + bytes.length
    if (keptBytes > maxBytes) keptBytes = await makeRoom(folder, maxBytes)
  }

  return {
    async find(key: string): Promise<Buffer | undefined> {
      const found = await findWhole(join(folder, key))
      lookups[found ? 'hits' : 'misses']++
      return found
    },
    lookups: () => lookups,
    /** A failure to keep it is logged and goes no further: the preview has been drawn. */
    save: (key: string, bytes: Buffer): Promise<void> =>
      write(key, bytes).catch((err: unknown) => log.warn({ err }, 'a preview could not be kept')),
  }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** @returns undefined when it is gone; one that is cut short, changed or a folder goes */
async function findWhole(path: string): Promise<Buffer | undefined> {
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : Buffer.alloc(0),
  )
  if (!whole) return undefined
  const bytes = whole.subarray(HASH_BYTES)
  if (hashOf(bytes).equals(whole.subarray(0, HASH_BYTES))) {
    // For the order of use; not worth failing for.
    utimes(path, new Date(), new Date()).catch(() => {})
    return bytes
  }
  await rm(path, { recursive: true, force: true }).catch(() => {})
  return undefined
}

/** Removes the least recently used ones where there are too many. @returns how much is left */
async function makeRoom(folder: string, maxBytes: number): Promise<number> {
  const found: { path: string; size: number; usedMs: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const entry = await stat(path).catch(() => undefined)
    if (!entry) continue
    const isOver = name.endsWith('.part') && Date.now() - entry.mtimeMs > PART_WRITTEN_MAX_MS
    if (isOver || entry.isDirectory()) await rm(path, { recursive: true, force: true })
    else found.push({ path, size: entry.size, usedMs: entry.mtimeMs })
  }
  let keptBytes = found.reduce((sum, { size }) => sum + size, 0)
  if (keptBytes <= maxBytes) return keptBytes
  for (const { path, size } of found.sort((a, b) => a.usedMs - b.usedMs)) {
    if (keptBytes <= maxBytes * LEFT_SHARE) break
    await rm(path, { force: true })
    keptBytes -= size
  }
  return keptBytes
}
