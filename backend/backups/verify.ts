// Verifies a backup: checksums of every part, the database opened and checked, rows against files.
import { join } from 'node:path'
import { findBytes } from './blog-data.ts'
import { hashFile } from './bytes.ts'
import { listParts, type Manifest, readManifest } from './manifest.ts'
import { CopyProblem, describeProblem } from './problem.ts'
import { findDamages, openSqlite } from './side.ts'

/**
 * Reads every byte of a backup. `faults` names each damaged part; `manifest` is absent when it is
 * the damaged part itself.
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
      const found = await hashFile(path)
      if (!found) faults.push(`${path} is missing`)
      else if (found.sha256 !== sha256)
        faults.push(
          `${path} is damaged: ${found.sizeBytes} of ${sizeBytes} bytes, another checksum`,
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

/** The database is sound, and each of its rows has its bytes. */
async function checkDatabase(path: string, { files, uploads, lost }: Manifest): Promise<string[]> {
  await using side = openSqlite(path)
  const faults = await findDamages(side)
  const known = new Set([...files, ...uploads, ...lost].map(({ name }) => name))
  const named = await findBytes(side)
  for (const { name } of [...named.files, ...named.uploads])
    if (!known.has(name)) faults.push(`a row names ${name}, which the backup does not hold`)
  return faults
}
