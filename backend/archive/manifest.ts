// The `manifest.json` of an archive: what it holds, and of which blog. `SHA256SUMS` beside it has
// the checksum of every other file, in the form of the command `sha256sum`; the manifest has that
// of `SHA256SUMS`.
import type { Readable } from 'node:stream'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { EXPORT_PARTS, type ExportPart } from '#contract/archive.ts'
import { CopyProblem } from '../backups/backup-io.ts'

export const MANIFEST = 'manifest.json'
export const CHECKSUMS = 'SHA256SUMS'
export const DATA_FOLDER = 'data'
export const FILES_FOLDER = 'files'
export const FORMAT = 1
/** Of a manifest that is read: an archive may come from anybody. */
const MANIFEST_MAX_BYTES = 1024 * 1024

const count = Type.Integer({ minimum: 0 })

export const Manifest = Type.Object({
  /** Names this format, so that an archive is recognised by its content. */
  archive: Type.Literal('lamplight'),
  format: Type.Integer({ minimum: 1 }),
  /** The version of the program that made it. */
  program: Type.String(),
  createdAt: Type.String(),
  blog: Type.Object({ name: Type.String(), url: Type.String() }),
  /** Whose posts it holds; null for the whole blog. */
  owner: Type.Union([Type.Null(), Type.Object({ id: Type.String(), name: Type.String() })]),
  parts: Type.Array(Type.Unsafe<ExportPart>(Type.Enum([...EXPORT_PARTS]))),
  /** With email addresses, password hashes, identities, invitations, sign-ins and Activity. */
  hasPeople: Type.Boolean(),
  /** What each part counts, such as rows of each table. */
  counts: Type.Record(Type.String(), Type.Record(Type.String(), count)),
  /** Files that a row names, but whose bytes the blog had lost before. */
  lost: Type.Array(Type.String()),
  files: Type.Object({ count, sizeBytes: count, checksumsSha256: Type.String() }),
})
export type Manifest = Static<typeof Manifest>

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * Reads a manifest that may have been written by anybody.
 *
 * @throws CopyProblem when it is none, or a newer program made it
 */
export async function readManifest(stream: Readable): Promise<Manifest> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of stream) {
    sizeBytes += piece.length
    if (sizeBytes > MANIFEST_MAX_BYTES) throw new CopyProblem(`Its ${MANIFEST} is too large`)
    pieces.push(piece)
  }
  const value = parse(Buffer.concat(pieces).toString('utf8'))
  const format = Value.Check(Type.Object({ format: Type.Integer() }), value) ? value.format : 0
  if (format > FORMAT)
    throw new CopyProblem('It was made by a newer program: update this one first')
  if (!Value.Check(Manifest, value))
    throw new CopyProblem(`Its ${MANIFEST} is not that of an export of this program`)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CopyProblem(`Its ${MANIFEST} is damaged`, { cause })
  }
}
