// Secrets that the server generates once and stores in the data folder, readable only by its own
// user.
import { access, chmod, constants, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeSecret } from './ids.ts'
import type { Log } from './log.ts'

/** A file in the data folder while a backup is restored into it. */
export const RESTORE_MARKER = '.restoring'

/**
 * Creates the data folder, or makes an existing one private to this user.
 *
 * @throws Error when it cannot be created or used, or a restore into it was interrupted
 */
export async function makeDataFolder(dataDir: string, log: Log): Promise<void> {
  try {
    await makeFolder(dataDir)
  } catch (cause) {
    throw new Error(`BLOG_DATA_DIR: "${dataDir}" cannot be made`, { cause })
  }
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause) => {
    throw new Error(
      `BLOG_DATA_DIR: "${dataDir}" cannot be read and written: give it to the user of the blog (chown -R)`,
      { cause },
    )
  })
  if (await stat(join(dataDir, RESTORE_MARKER)).catch(unlessCode('ENOENT')))
    throw new Error(
      `BLOG_DATA_DIR: a restore into it was not finished (${dataDir}): run npm run restore again`,
    )
  const { mode } = await stat(dataDir)
  if ((mode & 0o077) === 0) return
  await chmod(dataDir, 0o700).catch((error: unknown) =>
    log.warn({ err: error, dataDir }, 'other users of this host can read the data folder'),
  )
}

/**
 * @note Node's own `recursive` never returns when the system answers ENOENT for an existing folder,
 *   as /proc does
 */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      await make()
    } else if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error
  }
}

/**
 * Reads the secret `name` from the data folder, or generates it. The file is complete or absent,
 * and processes that start at the same time get the same secret.
 *
 * @returns 64 hex characters
 * @throws Error when the file is damaged: an empty secret would be no secret
 */
export async function readOrMakeSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name)
  const existing = await findSecret(path)
  if (existing !== undefined) return existing
  const temporary = `${path}.${makeSecret(8)}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${makeSecret()}\n`)
    await file.sync()
    await file.close()
    await link(temporary, path).catch(unlessCode('EEXIST'))
  } finally {
    await rm(temporary, { force: true })
  }
  const secret = await findSecret(path)
  if (secret === undefined) throw new Error(`${path} has vanished while it was created`)
  return secret
}

async function findSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessCode('ENOENT'))
  if (text === undefined) return undefined
  const secret = text.trim()
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new Error(`${path} is damaged: put its 64 characters back, or delete it to get a new one`)
  return secret
}

/** For `catch`: returns undefined for an error with this code, and throws any other. */
export function unlessCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
    return undefined
  }
}
