// The settings file of a data folder, changed as a whole: it is the old one or the new one, and
// only the user of the blog can read it.
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSecret } from '../../backend/process/ids.ts'
import type { Name } from '../../backend/settings/setting-definitions.ts'
import { changeSettingsFile, SETTINGS_FILE } from '../../backend/settings/settings-file.ts'

/** @returns the path of the file */
export async function changeSettings(
  dataDir: string,
  changes: Partial<Record<Name, string>>,
): Promise<string> {
  const path = join(dataDir, SETTINGS_FILE)
  const text = changeSettingsFile(await readSettings(dataDir), changes)
  const temporary = `${path}.${makeSecret(8)}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
  return path
}

/** Empty while there is none. */
export async function readSettings(dataDir: string): Promise<string> {
  return await readFile(join(dataDir, SETTINGS_FILE), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}
