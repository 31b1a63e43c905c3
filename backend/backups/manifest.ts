// What a backup holds, as its `manifest.json` says: counts, checksums and versions. The manifest
// has a checksum of its own, so that a damaged one is not taken for a damaged backup.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, settleFile } from './bytes.ts'
import { BackupProblem } from './problem.ts'

export const MANIFEST = 'manifest.json'
const FORMAT = 1
/** Names of bytes and secrets: never a path. */
const NAME = /^[A-Za-z0-9][\w.-]*$/

export type DatabaseKind = 'sqlite' | 'postgres'
export type Entry = { name: string; sizeBytes: number; sha256: string }
/** Bytes that a row names and that the blog itself had lost when the backup was made. */
export type LostBytes = { name: string; problem: 'missing' | 'damaged' }

export type Manifest = {
  format: number
  /** Version of the program that made it. */
  program: string
  createdAt: string
  database: Entry & {
    kind: DatabaseKind
    /** Version of the pg_dump that wrote it; 0 for SQLite. */
    dumpMajor: number
    /** Names of the migrations that it has had. */
    migrations: string[]
    /** Rows of each table. */
    rows: Record<string, number>
  }
  /** `bucket`: they stay at the S3 server, and only their names are here. */
  filesAt: 'backup' | 'bucket'
  files: Entry[]
  /** Chunks of unfinished uploads. */
  uploads: Entry[]
  secrets: Entry[]
  lost: LostBytes[]
}

export async function writeManifest(
  folder: string,
  content: Omit<Manifest, 'format'>,
): Promise<Manifest> {
  const manifest: Manifest = { format: FORMAT, ...content }
  const checksum = checksumOf(manifest)
  const path = join(folder, MANIFEST)
  await writeFile(path, `${JSON.stringify({ ...manifest, checksum }, null, 1)}\n`, { mode: 0o600 })
  await settleFile(path)
  return manifest
}

/** @throws BackupProblem when it is missing, damaged, or of a newer program */
export async function readManifest(folder: string): Promise<Manifest> {
  const { checksum, ...manifest } = parse(await readText(folder), folder)
  if (checksum !== checksumOf(manifest as Manifest)) throw damaged(folder)
  const { format, files, uploads, secrets } = manifest as Manifest
  if (format !== FORMAT)
    throw new BackupProblem(`${folder} was made by a newer program: update this one first`)
  if ([...files, ...uploads, ...secrets].some(({ name }) => !NAME.test(name))) throw damaged(folder)
  return manifest as Manifest
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    if (isMissing(error)) throw new BackupProblem(`${folder} is no backup: it has no ${MANIFEST}`)
    throw error
  }
}

function parse(text: string, folder: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw damaged(folder)
  }
}

function damaged(folder: string): BackupProblem {
  return new BackupProblem(`${join(folder, MANIFEST)} is damaged`)
}

function checksumOf(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}
