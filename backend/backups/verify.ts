// Verifies a backup: checksums of every part, the database opened and checked, rows against files.
import { join } from 'node:path'
import { hashFile } from './bytes.ts'
import { type Entry, type Manifest, readManifest } from './manifest.ts'
import { findPgProgram, readArchive } from './pg-programs.ts'
import { BackupProblem, describeProblem } from './problem.ts'
import { countRows, findChunkBytes, findFileBytes } from './rows-store.ts'
import { checkSqlite, openSqliteReader, type SqliteReader } from './sqlite-store.ts'

/** `faults` names each damaged part; `manifest` is absent when it is the damaged part itself. */
export type Verified = { manifest: Manifest | undefined; faults: string[] }

/** Reads every byte of a backup. @throws Error only when the disk cannot be read */
export async function verifyBackup(folder: string): Promise<Verified> {
  let manifest: Manifest
  try {
    manifest = await readManifest(folder)
  } catch (error) {
    if (error instanceof BackupProblem) return { manifest: undefined, faults: [error.message] }
    throw error
  }
  const faults = [
    ...(await checkBytes(folder, [manifest.database, ...manifest.secrets])),
    ...(manifest.filesAt === 'bucket'
      ? []
      : await checkBytes(join(folder, 'files'), manifest.files)),
    ...(await checkBytes(join(folder, 'uploads'), manifest.uploads)),
    ...(await checkDatabase(join(folder, manifest.database.name), manifest)),
  ]
  return { manifest, faults }
}

async function checkBytes(folder: string, entries: Entry[]): Promise<string[]> {
  const faults: string[] = []
  for (const { name, sizeBytes, sha256 } of entries) {
    const path = join(folder, name)
    const found = await hashFile(path)
    if (!found) faults.push(`${path} is missing`)
    else if (found.sizeBytes !== sizeBytes)
      faults.push(`${path} is damaged: it has ${found.sizeBytes} bytes instead of ${sizeBytes}`)
    else if (found.sha256 !== sha256) faults.push(`${path} is damaged: its checksum is wrong`)
  }
  return faults
}

async function checkDatabase(path: string, manifest: Manifest): Promise<string[]> {
  try {
    if (manifest.database.kind === 'sqlite') return await checkSqliteCopy(path, manifest)
    await readArchive(await findPgProgram('pg_restore', manifest.database.dumpMajor), path)
    return []
  } catch (error) {
    return [`${path} cannot be read: ${describeProblem(error)}`]
  }
}

async function checkSqliteCopy(path: string, manifest: Manifest): Promise<string[]> {
  using reader = await openSqliteReader(path, { isSnapshot: true })
  return [
    ...checkSqlite(reader).map((line) => `${path}: ${line}`),
    ...(await checkRows(reader, manifest)).map((line) => `${path}: ${line}`),
  ]
}

/** The rows are those that the manifest counts, and each has its bytes. */
async function checkRows(
  { ask, tables }: SqliteReader,
  { database, files, uploads, lost }: Manifest,
): Promise<string[]> {
  const counts = await countRows(ask, tables())
  const faults = Object.entries(database.rows)
    .filter(([table, count]) => counts[table] !== count)
    .map(([table, count]) => `"${table}" has ${counts[table] ?? 'no'} rows instead of ${count}`)
  const known = new Set([...files, ...uploads, ...lost].map(({ name }) => name))
  const named = [...(await findFileBytes(ask)), ...(await findChunkBytes(ask))]
  for (const { name } of named)
    if (!known.has(name)) faults.push(`a row names ${name}, which the backup does not hold`)
  return faults
}
