// Copies, hashes and syncs bytes for backups, restores and moves. Also defines their error: one
// clear line for the operator, exit code 1.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobSizeMismatch, type BlobStore, type Bytes } from '../files/blob-store.ts'
import { syncPath } from '../files/disk.ts'
import { unlessCode } from '../process/secrets.ts'

/** `md5` is compared with the row of a file, `sha256` with a manifest; both are hex. */
export type Hashes = { sizeBytes: number; sha256: string; md5: string }

/** The names of stored bytes. A file with any other name is still being written. */
export const STORED_NAME = /^[0-9a-f]{20}-[0-9a-f]{16}$/

/** Hashes a file. @returns undefined when it does not exist */
export async function hashFile(path: string): Promise<Hashes | undefined> {
  return await hashAll(createReadStream(path)).catch(unlessCode('ENOENT'))
}

/** Hashes the bytes stored under a name. @returns undefined when they are missing or truncated */
export async function hashStored(blobStore: BlobStore, name: string): Promise<Hashes | undefined> {
  try {
    const bytes = await blobStore.open(name)
    return bytes && (await hashAll(bytes))
  } catch (error) {
    if (error instanceof BlobSizeMismatch) return undefined
    throw error
  }
}

/** @throws the error of a failed read */
export async function hashAll(bytes: AsyncIterable<Uint8Array>): Promise<Hashes> {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let sizeBytes = 0
  for await (const piece of bytes) {
    sha256.update(piece)
    md5.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}

/**
 * Copies the bytes with one name from one store to another, and verifies the copy.
 *
 * @returns undefined when the source has no such bytes
 * @throws CopyProblem when the copy differs
 */
export async function copyBytes(from: BlobStore, to: BlobStore, name: string) {
  const bytes = await from.open(name)
  return bytes && (await putBytes(to, name, bytes))
}

/** Stores bytes under a name, and verifies them. @throws CopyProblem when the stored ones differ */
export async function putBytes(to: BlobStore, name: string, bytes: Bytes): Promise<Hashes> {
  // A killed attempt may have left an incomplete part.
  await to.remove(`${name}.part`)
  const { signature } = await to.put(name, bytes, Number.MAX_SAFE_INTEGER)
  const copy = await hashStored(to, name)
  if (copy?.md5 === signature) return copy
  throw new CopyProblem(`The new place has other bytes of ${name} than it was given`)
}

/** Makes a file private, and waits until it is on the disk. */
export async function makePrivateAndDurable(path: string): Promise<void> {
  await chmod(path, 0o600)
  await syncPath(path)
}

/**
 * Gives a path and its contents to the owner of a folder: files that root creates there must belong
 * to the server's user.
 */
export async function chownToOwnerOf(folder: string, path: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() !== 0 || uid === 0) return
  await chown(path, uid, gid)
  if (!(await stat(path)).isDirectory()) return
  for (const name of await readdir(path, { recursive: true }))
    await chown(join(path, name), uid, gid)
}

/** The names in a folder; empty if it does not exist. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessCode('ENOENT'))) ?? []
}

/** The message says what is wrong and what to do. */
export class CopyProblem extends Error {}

/** An error in one line, followed by its causes. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const message = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? message : `${message} (${describeProblem(error.cause)})`
}
