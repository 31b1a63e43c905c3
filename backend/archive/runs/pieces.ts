// The bytes of uploads and of finished exports, in pieces of the store of chunks, which all hosts
// share. Their rows are in `archivePiece`.

import { createWriteStream } from 'node:fs'
import { mkdir, rename, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '#contract/errors.ts'
import type { ArchivePieceRow } from '../../database/archive-tables.ts'
import type { AfterCommit } from '../../database/transaction.ts'
import { type Bytes, makeStoredName } from '../../files/blob-store.ts'
import type { FilesContext } from '../../files/context.ts'
import * as store from './runs-store.ts'

/** Backups copy only names without an ending, so they leave pieces out. */
const ENDING = '.piece'
/** Space that must stay free for the blog itself. */
const RESERVE_BYTES = 1024 ** 3

/** Stores bytes under a new name. @throws Refusal `storage_invalid_file_size` */
export async function putPiece(
  { received, chunks }: FilesContext,
  bytes: Bytes,
  maxBytes: number,
): Promise<{ storedName: string; sizeBytes: number }> {
  const storedName = makeStoredName() + ENDING
  const { sizeBytes } = await received.put(storedName, bytes, maxBytes)
  if (chunks === received) return { storedName, sizeBytes }
  try {
    const stored = await received.open(storedName)
    if (!stored) throw new Error('The bytes of a piece have vanished')
    await chunks.put(storedName, stored, maxBytes)
  } finally {
    await received.remove(storedName)
  }
  return { storedName, sizeBytes }
}

export function removePieces(
  { chunks }: FilesContext,
  afterCommit: AfterCommit,
  names: string[],
): void {
  for (const name of names) afterCommit('removal of a piece', () => chunks.remove(name))
}

/**
 * The bytes of all pieces, one after the other.
 *
 * @param beforeEach called before each part of a piece; throws to end the stream
 */
export async function* readPieces(
  { chunks }: Pick<FilesContext, 'chunks'>,
  pieces: ArchivePieceRow[],
  beforeEach: () => Promise<void> = async () => {},
): AsyncGenerator<Uint8Array> {
  for (const { storedName, sizeBytes } of pieces) {
    const bytes = await chunks.open(storedName, undefined, sizeBytes)
    if (!bytes) throw new MissingPiece('A piece of the file is gone')
    for await (const part of bytes) {
      await beforeEach()
      yield part
    }
  }
}

/** The bytes of a piece do not exist any more, such as after a restored backup. */
export class MissingPiece extends Error {}

/** Writes all pieces of a run into one file, which has its name once it is complete. */
export async function joinPieces(
  context: FilesContext,
  run: store.Run,
  path: string,
  options: { signal: AbortSignal; onBytes: (done: number) => void },
): Promise<void> {
  const pieces = await store.listPieces(context.db, run.id)
  const total = pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (total !== run.sizeBytes) throw new MissingPiece('Pieces of the file are missing')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let done = 0
  async function* counted() {
    for await (const part of readPieces(context, pieces)) {
      done += part.length
      options.onBytes(done)
      yield part
    }
  }
  const partial = `${path}.part`
  const { signal } = options
  await pipeline(Readable.from(counted()), createWriteStream(partial, { mode: 0o600 }), { signal })
  await rename(partial, path)
}

/** @throws Refusal `archive_no_room` unless the disk of the data folder has room for the bytes */
export async function requireRoom(dataDir: string, neededBytes: number): Promise<void> {
  if ((await measureFree(dataDir)) < neededBytes + RESERVE_BYTES)
    throw new Refusal('archive_no_room')
}

export async function measureFree(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}
