// Keeps bytes in one folder under server-made names. Knows nothing of files as people see them.
// Writes under a temporary name, then fsync, rename and fsync of the folder, so that a file with a
// final name is complete (threat-model.md §10).
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import type { Keeper, Kept } from './keeper.ts'

/** Keeps bytes in `folder`, which is made when first needed. */
export function makeDisk(folder: string): Keeper {
  const pathOf = (name: string): string => join(folder, name)
  let making: Promise<unknown> | undefined

  return {
    async put(name, bytes, maxBytes) {
      making ??= mkdir(folder, { recursive: true, mode: 0o700 })
      await making.catch((error: unknown) => {
        making = undefined // tried again with the next bytes
        throw error
      })
      const temporary = pathOf(`${name}.part`)
      const file = await open(temporary, 'wx', 0o600)
      let kept: Kept
      try {
        kept = await writeAll(file, bytes, maxBytes)
        await file.sync()
        await file.close()
        await rename(temporary, pathOf(name))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
      return kept
    },

    async open(name, range) {
      try {
        const file = await open(pathOf(name), 'r')
        return createReadStream('', { fd: file, ...range })
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    async has(name) {
      return (await findStat(pathOf(name))) !== undefined
    },

    async remove(name) {
      await rm(pathOf(name), { force: true })
    },

    async *list() {
      const entries = await opendir(folder).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      })
      if (!entries) return
      for await (const entry of entries) {
        const found = await findStat(pathOf(entry.name))
        if (found) yield { name: entry.name, changedAtMs: found.mtimeMs }
      }
    },
  }
}

/** A full disk may write fewer bytes than asked without an error, so each count is checked. */
async function writeAll(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Kept> {
  const hash = createHash('md5')
  let sizeBytes = 0
  for await (const piece of bytes) {
    if (sizeBytes + piece.length > maxBytes) throw new Refusal('storage_invalid_file_size')
    for (let done = 0; done < piece.length; ) {
      const { bytesWritten } = await file.write(piece, done, piece.length - done)
      if (bytesWritten === 0)
        throw Object.assign(new Error('The disk took no more bytes'), {
          code: 'ENOSPC',
          syscall: 'write',
        })
      done += bytesWritten
    }
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, signature: hash.digest('hex') }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function findStat(path: string) {
  return await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
