// Bytes of backups: copied or linked under their final name, hashed, and durable on the disk.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, link, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { BackupProblem } from './problem.ts'

const PIECE_BYTES = 1024 * 1024

/** `md5` is what the row of a file says about it, `sha256` what a manifest says; both hex. */
export type Hashes = { sizeBytes: number; sha256: string; md5: string }

/** Hashes a file. @returns undefined when there is none */
export async function hashFile(path: string): Promise<Hashes | undefined> {
  try {
    return await hashAll(createReadStream(path, { highWaterMark: PIECE_BYTES }), async () => {})
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Writes a stream to a new file, private to this user and durable. */
export async function writeBytes(bytes: Readable, path: string): Promise<Hashes> {
  const file = await open(path, 'wx', 0o600)
  try {
    const hashes = await hashAll(bytes, async (piece) => {
      for (let done = 0; done < piece.length; ) {
        const { bytesWritten } = await file.write(piece, done, piece.length - done)
        if (bytesWritten === 0) throw new BackupProblem('The disk took no more bytes')
        done += bytesWritten
      }
    })
    await file.sync()
    return hashes
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Copies a file to a new one. @returns undefined when there is none to copy */
export async function copyFile(from: string, to: string): Promise<Hashes | undefined> {
  try {
    return await writeBytes(createReadStream(from, { highWaterMark: PIECE_BYTES }), to)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Gives a file a second name. @returns false where the file system has no such names */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch {
    return false
  }
}

/** Makes a file that another program wrote private and durable. */
export async function settleFile(path: string): Promise<void> {
  await chmod(path, 0o600)
  await syncPath(path)
}

/**
 * Gives a path, and all that is in it, to the owner of a folder: what an administrator makes there
 * has to be the server's own user's.
 */
export async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() !== 0 || uid === 0) return
  await chown(path, uid, gid)
  if (!(await stat(path)).isDirectory()) return
  for (const name of await readdir(path, { recursive: true }))
    await chown(join(path, name), uid, gid)
}

/** Waits until a file's bytes, or a folder's entries, are on the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function hashAll(
  bytes: Readable,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<Hashes> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  let sizeBytes = 0
  for await (const piece of bytes as AsyncIterable<Uint8Array>) {
    sha256.update(piece)
    md5.update(piece)
    sizeBytes += piece.length
    await take(piece)
  }
  return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}
