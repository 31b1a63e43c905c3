// Stores bytes as files of one folder. Independent of rows. Writes to a temporary name, then fsync,
// rename, and fsync of the folder, so that a file with a final name is complete (threat-model.md
// §10).
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, opendirSync, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '#contract/errors.ts'
import { codeOf, isDiskFull } from '../database/database-errors.ts'
import { unlessCode } from '../process/secrets.ts'
import {
  BlobSizeMismatch,
  type BlobStore,
  type Bytes,
  type StoredBlob,
  storageUnreachable,
} from './blob-store.ts'

type RequireSameFolder = () => Promise<void>

/** @param requireSameFolder from {@link watchFolder}; without it a missing folder is created */
export function makeDisk(folder: string, requireSameFolder?: RequireSameFolder): BlobStore {
  const pathOf = (name: string): string => join(folder, name)
  return {
    async put(name, bytes, maxBytes) {
      if (requireSameFolder) await requireSameFolder()
      else await orUnreachable(mkdir(folder, { recursive: true, mode: 0o700 }))
      const temporary = `${pathOf(name)}.part`
      const file = await orUnreachable(open(temporary, 'wx', 0o600))
      let stored: StoredBlob
      try {
        stored = await writeAll(file, bytes, maxBytes)
        await orUnreachable(file.sync())
        await orUnreachable(file.close())
        await orUnreachable(rename(temporary, pathOf(name)))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(temporary, { force: true }).catch(() => {})
        throw error
      }
      await orUnreachable(syncPath(folder))
      return stored
    },
    async open(name, range, sizeBytes) {
      const file = await open(pathOf(name), 'r').catch(async (error: unknown) => {
        // If the disk is not mounted, its folder is missing, but its files are not lost.
        await requireSameFolder?.()
        if (codeOf(error) === 'ENOENT' && (await findStat(folder))) return undefined
        throw storageUnreachable(error)
      })
      if (!file) return undefined
      try {
        const stats = await orUnreachable(file.stat())
        if (!stats.isFile()) throw new BlobSizeMismatch('A folder is in the place of a file')
        if (sizeBytes !== undefined && stats.size !== sizeBytes)
          throw new BlobSizeMismatch(`There are ${stats.size} bytes and not ${sizeBytes}`)
      } catch (error) {
        await file.close()
        throw error
      }
      return createReadStream('', { fd: file, ...range })
    },
    async has(name) {
      await requireSameFolder?.()
      return (await findStat(pathOf(name))) !== undefined
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list() {
      await requireSameFolder?.()
      const entries = await opendir(folder, { bufferSize: 256 }).catch(unlessCode('ENOENT'))
      if (!entries) return
      for await (const { name } of entries)
        yield { name, changedAtMs: async () => (await findStat(pathOf(name)))?.mtimeMs }
    },
  }
}

/** Turns failures of the disk into 503, except a full disk, which has a response of its own. */
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
 * Remembers the folder that the server started with, and creates it if it is missing. Files written
 * to another folder, such as the mount point of an unmounted disk, would be lost.
 *
 * @param options `shouldHoldFiles`: an empty folder means that its disk is not mounted
 * @returns a check that throws Refusal `general_service_disabled` unless it is the same folder
 * @throws Error when it cannot be created
 */
export function watchFolder(
  folder: string,
  { shouldHoldFiles }: { shouldHoldFiles: boolean },
): RequireSameFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The device is not compared: a disk that is mounted again may have another one.
  const { ino } = statSync(folder)
  const isLost = shouldHoldFiles && isFolderEmpty(folder)
  return async () => {
    const stats = await stat(folder).catch((error: unknown) => {
      throw storageUnreachable(error)
    })
    if (stats.ino !== ino)
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
