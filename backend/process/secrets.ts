// Secrets the server makes once and keeps in the data folder, readable only by its own user.
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSecret } from './ids.ts'

/** Makes the data folder, private to this user. @throws Error when it cannot be made or written */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
}

/**
 * Reads the secret `name` from the data folder, or makes it: whole or not at all, and one for all who start at once.
 *
 * @returns 64 hex characters
 * @throws Error when the file is damaged: an empty key would be a key that everybody has
 */
export async function readOrMakeSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name)
  const known = await readSecret(path)
  if (known !== undefined) return known
  const draft = `${path}.${makeSecret(8)}.new`
  try {
    const file = await open(draft, 'wx', 0o600)
    await file.writeFile(`${makeSecret()}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch(unlessCode('EEXIST'))
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readSecret(path)
  if (made === undefined) throw new Error(`${path} has vanished while it was made`)
  return made
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessCode('ENOENT'))
  if (text === undefined) return undefined
  const secret = text.trim()
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error(`${path} is damaged: put its 64 characters back, or delete it to get a new one`)
  return secret
}

function unlessCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
    return undefined
  }
}
