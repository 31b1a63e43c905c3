// The `manifest.json` of a backup, with counts, checksums and versions, and the verification of the
// backup with it. A checksum of the manifest tells a damaged manifest from a damaged backup.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CopyProblem, describeProblem, hashFile, makePrivateAndDurable } from './backup-io.ts'
import { findBytes } from './blog-contents.ts'
import { findDamage, openSqlite } from './raw-database.ts'

export const MANIFEST = 'manifest.json'
const FORMAT = 1
const MIB = 1024 * 1024
/** Names of bytes and secrets: never a path. */
const NAME = /^[A-Za-z0-9][\w.-]*$/

export type Entry = { name: string; sizeBytes: number; sha256: string }

export type Manifest = {
  format: number
  /** The version of the program that made the backup. */
  program: string
  createdAt: string
  database: Entry & {
    /** Rows of each table. */
    rows: Record<string, number>
  }
  /** `bucket`: the files stay at the S3 server, and the backup has only their names. */
  filesAt: 'backup' | 'bucket'
  files: Entry[]
  /** Chunks of unfinished uploads. */
  uploads: Entry[]
  secrets: Entry[]
  /** Bytes that a row names, but that the blog had lost before the backup. */
  lost: { name: string; problem: 'missing' | 'damaged' }[]
}

type Content = Omit<Manifest, 'format' | 'program'>

export async function writeManifest(folder: string, content: Content): Promise<Manifest> {
  const manifest: Manifest = { format: FORMAT, program: await readProgramVersion(), ...content }
  const path = join(folder, MANIFEST)
  await writeFile(path, manifestText(manifest), { mode: 0o600 })
  await makePrivateAndDurable(path)
  return manifest
}

export function manifestText(manifest: Manifest): string {
  const checksum = checksumOf(manifest)
  return `${JSON.stringify({ ...manifest, checksum }, null, 1)}\n`
}

/** The version of this program, as package.json says. */
export async function readProgramVersion(): Promise<string> {
  const path = new URL('../../package.json', import.meta.url)
  return JSON.parse(await readFile(path, 'utf8')).version
}

/** @throws CopyProblem when it is missing or damaged, or a newer program made it */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const damaged = (cause?: unknown) => new CopyProblem(`${path} is damaged or missing`, { cause })
  const text = readFile(path, 'utf8')
  const parsed: Manifest & { checksum?: string } = await text.then(JSON.parse).catch((cause) => {
    throw damaged(cause)
  })
  const { checksum, ...manifest } = parsed
  if (checksum !== checksumOf(manifest)) throw damaged()
  const { format, files, uploads, secrets } = manifest
  if (format !== FORMAT)
    throw new CopyProblem(`${folder} was made by a newer program: update this one first`)
  if ([...files, ...uploads, ...secrets].some(({ name }) => !NAME.test(name))) throw damaged()
  return manifest
}

function checksumOf(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** The folders of a backup with their entries, the database first. */
export function listParts({ database, secrets, files, uploads, filesAt }: Manifest) {
  return [
    { folder: '', entries: [database, ...secrets] },
    { folder: 'files', entries: filesAt === 'bucket' ? [] : files },
    { folder: 'uploads', entries: uploads },
  ] as const
}

/** The contents of a backup, in one line for the operator. */
export function describeBackup({ createdAt, database, files, filesAt, lost }: Manifest): string {
  const { post = 0, user = 0 } = database.rows
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, database.sizeBytes)
  const where = filesAt === 'bucket' ? ', which stayed at the S3 server' : ''
  const names = lost.map(({ name, problem }) => `${name} (${problem})`).join(', ')
  const missing = lost.length > 0 ? `; the blog itself has lost ${names}` : ''
  return `of ${createdAt}, ${user} people, ${post} posts, ${files.length} files${where}, ${(bytes / MIB).toFixed(1)} MiB${missing}`
}

// --- verification: every part against its checksum, the database itself, its rows against files

/**
 * Reads every byte of a backup. `faults` names each damaged part; `manifest` is undefined when it
 * is damaged.
 *
 * @throws Error only when the disk cannot be read
 */
export async function verifyBackup(folder: string) {
  const faults: string[] = []
  const manifest = await readManifest(folder).catch((error: unknown) => {
    if (!(error instanceof CopyProblem)) throw error
    faults.push(error.message)
  })
  if (!manifest) return { manifest: undefined, faults }
  for (const part of listParts(manifest))
    for (const { name, sizeBytes, sha256 } of part.entries) {
      const path = join(folder, part.folder, name)
      const hashes = await hashFile(path)
      if (!hashes) faults.push(`${path} is missing`)
      else if (hashes.sha256 !== sha256)
        faults.push(
          `${path} is damaged: ${hashes.sizeBytes} of ${sizeBytes} bytes, another checksum`,
        )
    }
  const path = join(folder, manifest.database.name)
  try {
    for (const line of await checkDatabase(path, manifest)) faults.push(`${path}: ${line}`)
  } catch (error) {
    faults.push(`${path} cannot be read: ${describeProblem(error)}`)
  }
  return { manifest, faults }
}

/** Checks the database, and that the backup has the bytes that each row names. @returns faults */
async function checkDatabase(path: string, { files, uploads, lost }: Manifest): Promise<string[]> {
  await using database = openSqlite(path)
  const faults = await findDamage(database)
  const known = new Set([...files, ...uploads, ...lost].map(({ name }) => name))
  const namedBytes = await findBytes(database)
  for (const { name } of [...namedBytes.files, ...namedBytes.uploads])
    if (!known.has(name)) faults.push(`a row names ${name}, which the backup does not hold`)
  return faults
}
