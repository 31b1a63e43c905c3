// The data folder: there, private, writable, with room on its disk, and its secrets whole.
import { access, constants, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { describeProblem } from '../backups/backup-io.ts'
import { RESTORING } from '../process/secrets.ts'
import { type Patient, type Say, showNames } from './finding.ts'

const DISK_FREE_WARNING_BYTES = 1024 * 1024 * 1024
const DISK_FREE_FAULT_BYTES = 100 * 1024 * 1024

const MIB = 1024 * 1024

export async function checkFolder(patient: Patient, say: Say) {
  const { dataDir } = patient
  const found = await stat(dataDir).catch((error: unknown) =>
    say.fault(`${dataDir}: ${describeProblem(error)}: set BLOG_DATA_DIR, or start the blog once`),
  )
  if (!found) return undefined
  const { mode, uid } = found
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    patient.isClosed = true
  })
  if (patient.isClosed)
    return say.fault(`${dataDir} cannot be read and written: run this as its user, or chown -R it`)
  const names = await readdir(dataDir)
  if (names.includes(RESTORING))
    return say.fault(`a restore into ${dataDir} was not finished: run npm run restore again`)
  if (names.length === 0)
    return say.fault(`${dataDir} is empty: start the blog once, or restore a backup`)
  const self = process.getuid?.()
  if ((mode & 0o077) !== 0)
    say.warning(`others can read ${dataDir}: chmod 700 ${dataDir}, or start the blog once`)
  if (self !== undefined && self !== 0 && self !== uid)
    say.warning(`${dataDir} belongs to another user: run this as the user of the blog`)
  // What an administrator has left there under another name than the server's.
  const strangers: string[] = []
  for (const name of names) {
    const entry = await stat(join(dataDir, name)).catch(() => undefined)
    if (entry && entry.uid !== uid && name !== 'lost+found') strangers.push(name)
  }
  if (strangers.length > 0)
    say.fault(`not of the folder's own user: ${showNames(strangers)}: chown -R them`)
  return `${dataDir} is private and can be written`
}

export async function checkSecrets(patient: Patient, say: Say) {
  const { dataDir, apiKey, browserKey, providerTokenKey } = patient
  if (patient.isClosed) return undefined
  const given = {
    'api-key': apiKey,
    'browser-key': browserKey,
    'provider-token-key': providerTokenKey,
  }
  for (const [name, setting] of Object.entries(given)) {
    const path = join(dataDir, name)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const isMissing = text === undefined
    if (isMissing && setting === undefined)
      say.warning(`${name} is missing: the next start makes a new one, or restore it`)
    if (!isMissing && !/^[0-9a-f]{64}$/.test(text.trim()))
      say.fault(`${path} is damaged: put its 64 characters back from a backup`)
    else if (!isMissing && ((await stat(path)).mode & 0o077) !== 0)
      say.warning(`others can read ${path}: chmod 600 ${path}`)
  }
  return 'all there, readable by their user alone'
}

export async function checkSpace({ dataDir, backups }: Patient, say: Say): Promise<undefined> {
  const folders = [['the data folder', dataDir], ...(backups ? [['backups', backups.folder]] : [])]
  for (const [name, path = ''] of folders) {
    const disk = await statfs(path).catch(() => undefined)
    if (!disk) continue
    const freeBytes = disk.bavail * disk.bsize
    const text = `${Math.floor(freeBytes / MIB)} MiB are free for ${name}`
    if (freeBytes < DISK_FREE_FAULT_BYTES)
      say.fault(`${text}: make room: nothing can be saved on a full disk`)
    else if (freeBytes < DISK_FREE_WARNING_BYTES) say.warning(`${text}: make room soon`)
    else say.ok(text)
  }
}
