// The keys of an export, and the ids of what an import makes: derived from the run and the key in
// the export, so that an import that was interrupted ends in the same way as one that was not.
import { hash } from 'node:crypto'

const ID_CHARS = 20

export function makeImportedId(runId: string, kind: 'post' | 'comment' | 'person', key: string) {
  return hash('sha256', JSON.stringify([runId, kind, key])).slice(0, ID_CHARS)
}

const KEY_MAX_BYTES = 400

/** Keys become parts of indexes, whose entries must not be long; PostgreSQL knows no NUL. */
export function fitKey(key: string): string {
  const fit = key.toWellFormed().replaceAll('\0', '')
  return Buffer.byteLength(fit) <= KEY_MAX_BYTES ? fit : `sha256:${hash('sha256', fit)}`
}
