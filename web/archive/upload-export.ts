// Sends an exported file in pieces. What is stored stays stored: after a lost connection, and also
// after the page was opened again, the upload continues at the next piece.

import type { ImportRun } from '#contract/archive.ts'
import { IMPORT_PIECE_BYTES } from '#contract/archive-limits.ts'
import { type Api, type Failure, fail, failureOf, type Result, succeed } from '../api/client.ts'
import { isTemporary, sendBody } from '../files/upload-request.ts'
import { pauseUntilOnline } from '../ui/use-online.ts'
import { type ArchiveScope, pieceAddress, readImport } from './archive-api.ts'

/** Pauses before a lost piece is sent again. After the last one, the upload has failed. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 60_000, 60_000, 60_000]
const TOO_MANY_REQUESTS = 429
const CONFLICT = 409

type UploadOptions = {
  scope: ArchiveScope
  /** The import, with the number of pieces that are stored already. */
  run: ImportRun
  file: File
  onSent: (sentBytes: number) => void
  /** Called with true when the connection is lost, and with false when it is back. */
  onLost: (isLost: boolean) => void
  signal: AbortSignal
}

/** Whether the stored pieces of an import can be those of this file. */
export function isSameFile(
  { fileName, sizeBytes }: Pick<ImportRun, 'fileName' | 'sizeBytes'>,
  file: Pick<File, 'name' | 'size'>,
): boolean {
  return fileName === file.name && sizeBytes === file.size
}

/** @returns the import once the file is complete; a failure when it is cancelled */
export async function uploadExport(
  api: Api,
  { scope, run, file, onSent, onLost, signal }: UploadOptions,
): Promise<Result<ImportRun>> {
  let current = run
  let attempt = 0
  onSent(sentBytesOf(current))
  while (sentBytesOf(current) < file.size && current.state === 'uploading') {
    const sent = await sendPiece(api, { scope, run: current, file, onSent, signal })
    if (sent.ok) {
      current = sent.value
      attempt = 0
      onLost(false)
      continue
    }
    const { failure } = sent
    const pauseMs = RETRY_MS[attempt]
    const isLost = isWorthRepeating(failure)
    // Another tab, or a request whose answer was lost, has stored the piece.
    const isStored = failure.code === CONFLICT
    if (signal.aborted || pauseMs === undefined || !(isLost || isStored)) return sent
    attempt += 1
    if (isLost) {
      onLost(true)
      await pauseUntilOnline(pauseMs, signal)
      if (signal.aborted) return sent
    }
    const stored = await readImport(api, scope, run.$id)
    if (stored.ok) current = stored.value
    else if (stored.failure.code !== 0) return stored
  }
  return succeed(current)
}

function isWorthRepeating(failure: Failure): boolean {
  if (failure.type === 'archive_no_room') return false
  return isTemporary(failure) || failure.code === TOO_MANY_REQUESTS
}

export function sentBytesOf({
  pieces,
  sizeBytes,
}: Pick<ImportRun, 'pieces' | 'sizeBytes'>): number {
  return Math.min(pieces * IMPORT_PIECE_BYTES, sizeBytes)
}

async function sendPiece(
  api: Api,
  { scope, run, file, onSent, signal }: Omit<UploadOptions, 'onLost'>,
): Promise<Result<ImportRun>> {
  const startBytes = run.pieces * IMPORT_PIECE_BYTES
  try {
    const stored = await sendBody(api.client, pieceAddress(api, scope, run.$id, run.pieces), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: file.slice(startBytes, startBytes + IMPORT_PIECE_BYTES),
      onSent: (sentBytes) => onSent(Math.min(startBytes + sentBytes, file.size)),
      signal,
    })
    return succeed(stored as ImportRun)
  } catch (error) {
    return fail(failureOf(error))
  }
}
