// Stores bytes in one folder under server-made names. Independent of rows.
// Writes under a temporary name, then fsync, rename and fsync of the folder, so that a file with a
// final name is complete (threat-model.md §10).
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, opendirSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import { codeOf, isDiskFull } from '../database/database-errors.ts'
import { unlessCode } from '../process/secrets.ts'
import {
  type BlobStore,
  type Bytes,
  type StoredBlob,
  storageUnreachable,
  TruncatedBlob,
} from './blob-store.ts'

type RequireSame = () => Promise<void>

/** @param requireSame checks that the folder is the one of the start; without it, it is made */
export function makeDisk(folder: string, requireSame?: RequireSame): BlobStore {
  const pathOf = (name: string): string => join(folder, name)
  return {
    async put(name, bytes, maxBytes) {
      if (requireSame) await requireSame()
      else await orUnreachable(mkdir(folder, { recursive: true, mode: 0o700 }))
      const temporary = `${pathOf(name)}.part`
      const file = await orUnreachable(open(temporary, 'wx', 0o600))
      let kept: StoredBlob
      try {
        kept = await writeAll(file, bytes, maxBytes)
        await orUnreachable(file.sync())
        await orUnreachable(file.close())
        await orUnreachable(rename(temporary, pathOf(name)))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true }).catch(() => {})
        throw error
      }
      await orUnreachable(syncPath(folder))
      return kept
    },
    async open(name, range, sizeBytes) {
      const file = await open(pathOf(name), 'r').catch(async (error: unknown) => {
        // A missing folder, like that of a disk that is not mounted, says nothing about its files.
        await requireSame?.()
        if (codeOf(error) === 'ENOENT' && (await findStat(folder))) return undefined
        throw storageUnreachable(error)
      })
      if (!file) return undefined
      try {
        const found = await orUnreachable(file.stat())
        if (!found.isFile()) throw new TruncatedBlob('A folder is in the place of a file')
        if (sizeBytes !== undefined && found.size !== sizeBytes)
          throw new TruncatedBlob(`There are ${found.size} bytes and not ${sizeBytes}`)
      } catch (error) {
        await file.close()
        throw error
      }
      return createReadStream('', { fd: file, ...range })
    },
    async has(name) {
      await requireSame?.()
      return (await findStat(pathOf(name))) !== undefined
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      await requireSame?.()
      const entries = await opendir(folder, { bufferSize: 256 }).catch(unlessCode('ENOENT'))
      if (!entries) return
      for await (const { name } of entries)
        yield { name, changedAtMs: async () => (await findStat(pathOf(name)))?.mtimeMs }
    },
  }
}

/** Failures of the disk are 503. The error of a full disk stays: it has an answer of its own. */
async function orUnreachable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw isDiskFull(error) ? error : storageUnreachable(error)
  }
}

async function writeAll(file: FileHandle, bytes: Bytes, maxBytes: number): Promise<StoredBlob> {
  const hash = createHash('md5')
  let sizeBytes = 0
  for await (const piece of bytes) {
    if (sizeBytes + piece.length > maxBytes) throw new Refusal('storage_invalid_file_size')
    await orUnreachable(file.writeFile(piece))
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, signature: hash.digest('hex') }
}

/** Waits until a file's bytes, or a folder's entries, are on the disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

function findStat(path: string) {
  return stat(path).catch(unlessCode('ENOENT'))
}

/**
 * Remembers which folder the server started with, and makes it if it is missing. Files that are
 * written to another one, such as the mount point of a disk that is not mounted, would be lost.
 *
 * @param options `shouldHold`: an empty folder means that its disk is not mounted
 * @returns a check that throws Refusal `general_service_disabled` unless it is the same folder
 * @throws Error when it cannot be made
 */
export function watchFolder(folder: string, { shouldHold }: { shouldHold: boolean }): RequireSame {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The device is not compared: a disk that is mounted again may have another one.
  const { ino } = statSync(folder)
  const isLost = shouldHold && isFolderEmpty(folder)
  return async () => {
    const now = await stat(folder).catch((error: unknown) => {
      throw storageUnreachable(error)
    })
    if (now.ino !== ino)
      throw storageUnreachable(
        new Error(`${folder} is another folder than at the start of the server`),
      )
    if (isLost)
      throw storageUnreachable(
        new Error(`${folder} was empty at the start, but the database knows files: mount its disk`),
      )
  }
}

function isFolderEmpty(path: string): boolean {
  using folder = opendirSync(path)
  return folder.readSync() === null
}
