// Secrets the server makes once and keeps in the data folder, readable only by its own user.
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSecret } from './ids.ts'

/** Makes the data folder, private to this user. @throws Error when it cannot be made or written */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
}

/**
 * Reads the secret `name` from the data folder, or makes it.
 *
 * @returns 64 hex characters
 */
export async function readOrMakeSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name)
  try {
    const file = await open(path, 'wx', 0o600)
    const secret = makeSecret()
    await file.writeFile(`${secret}\n`)
    await file.sync()
    await file.close()
    return secret
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return (await readFile(path, 'utf8')).trim()
  }
}
