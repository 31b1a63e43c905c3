// The data folder: there, private, writable, with room on its disk, and its secrets whole.
import { access, constants, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DISK_FREE_FAULT_BYTES, DISK_FREE_WARNING_BYTES } from '#contract/server-limits.ts'
import { RESTORING } from '../process/secrets.ts'
import { type Finding, fault, ok, reasonOf, showNames, warning } from './finding.ts'

const MIB = 1024 * 1024
const SECRETS = ['api-key', 'browser-key', 'provider-token-key']

/** @returns findings; a fault alone when there is no data folder to look into */
export async function checkFolder(dataDir: string): Promise<Finding[]> {
  const about = 'folder'
  try {
    const { mode, uid } = await stat(dataDir)
    if (!(await canUse(dataDir)))
      return [
        fault(
          about,
          `${dataDir} cannot be read and written`,
          'run this as the user of the blog, or give the folder to that user (chown -R)',
        ),
      ]
    const names = await readdir(dataDir)
    if (names.includes(RESTORING))
      return [
        fault(about, `a restore into ${dataDir} was not finished`, 'run npm run restore again'),
      ]
    if (names.length === 0)
      return [fault(about, `${dataDir} is empty`, 'start the blog once, or restore a backup')]
    const self = process.getuid?.()
    const findings: Finding[] = []
    if ((mode & 0o077) !== 0)
      findings.push(
        warning(
          about,
          `others can read ${dataDir}`,
          `chmod 700 ${dataDir}, or start the blog once`,
        ),
      )
    if (self !== undefined && self !== 0 && self !== uid)
      findings.push(
        warning(about, `${dataDir} belongs to another user`, 'run this as the user of the blog'),
      )
    const strangers = await findStrangers(dataDir, names, uid)
    if (strangers.length > 0)
      findings.push(
        fault(about, `not of the folder's own user: ${showNames(strangers)}`, 'chown -R them'),
      )
    if (findings.length > 0) return findings
    return [ok(about, `${dataDir} is private and can be written`)]
  } catch (error) {
    return [
      fault(about, `${dataDir}: ${reasonOf(error)}`, 'set BLOG_DATA_DIR, or start the blog once'),
    ]
  }
}

/** @param given names of those that the settings say */
export async function checkSecrets(dataDir: string, given: string[]): Promise<Finding[]> {
  const about = 'secrets'
  const findings: Finding[] = []
  for (const name of SECRETS) {
    const path = join(dataDir, name)
    const text = await readFile(path, 'utf8').catch((error: unknown) => reasonOf(error))
    const { mode } = await stat(path).catch(() => ({ mode: undefined }))
    if (mode === undefined) {
      if (!given.includes(name))
        findings.push(
          warning(about, `${name} is missing`, 'the next start makes a new one, or restore it'),
        )
    } else if (!/^[0-9a-f]{64}$/.test(text.trim()))
      findings.push(fault(about, `${path} is damaged`, 'put its 64 characters back from a backup'))
    else if ((mode & 0o077) !== 0)
      findings.push(warning(about, `others can read ${path}`, `chmod 600 ${path}`))
  }
  return findings.length > 0 ? findings : [ok(about, 'all there, readable by their user alone')]
}

/** @param folders names and paths; those that are missing are left out */
export async function checkSpace(folders: [name: string, path: string][]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, path] of folders) {
    const disk = await statfs(path).catch(() => undefined)
    if (!disk) continue
    const freeBytes = disk.bavail * disk.bsize
    const text = `${Math.floor(freeBytes / MIB)} MiB are free for ${name}`
    if (freeBytes < DISK_FREE_FAULT_BYTES)
      findings.push(fault('space', text, 'make room: nothing can be saved on a full disk'))
    else if (freeBytes < DISK_FREE_WARNING_BYTES)
      findings.push(warning('space', text, 'make room soon'))
    else if (disk.files > 0 && disk.ffree === 0)
      findings.push(fault('space', `no file can be made for ${name}`, 'the disk has no inode left'))
    else findings.push(ok('space', text))
  }
  return findings
}

/** Whether another user's rights keep everything in the folder from this process. */
export async function isClosed(path: string): Promise<boolean> {
  return await access(path, constants.R_OK | constants.X_OK).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EACCES',
  )
}

async function canUse(path: string): Promise<boolean> {
  return await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** What an administrator has left there under another name than the server's. */
async function findStrangers(dataDir: string, names: string[], uid: number): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const entry = await stat(join(dataDir, name)).catch(() => undefined)
    if (entry && entry.uid !== uid && name !== 'lost+found') found.push(name)
  }
  return found
}
