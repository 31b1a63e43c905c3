// Where, when and how many backups the server makes: by its settings, else as operators chose in
// the browser, else each night into the data folder while the blog is small. And which folder may
// be chosen: one of its own, so that a choice in the browser writes and deletes nowhere else.
import { constants } from 'node:fs'
import { access, lstat, mkdir, readdir, readFile, realpath, stat, statfs } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  BACKUP_FOLDER_MAX_CHARS,
  type BackupFolder,
  type FolderProblem,
} from '#contract/operator.ts'
import type { Config } from '../settings/config.ts'
import type { SiteSnapshot } from '../site/site.ts'
import { isBackupName } from './backup-folder.ts'
import { listSecrets, SQLITE_FILE } from './blog-contents.ts'

const GIB = 1024 ** 3
/** Without a choice, larger blogs make no backups: they would fill the disk of the blog. */
export const AUTOMATIC_MAX_BYTES = GIB
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url))
const SECRET_MAX_BYTES = 64 * 1024
/** Of some file systems, in an otherwise empty folder. */
const OF_FILE_SYSTEM = 'lost+found'

export type BackupPlan = {
  isOn: boolean
  /** The server's settings decide. */
  isFixed: boolean
  /** Nobody has chosen. */
  isAutomatic: boolean
  folder: string
  /** Local time, such as `03:00`. */
  time: string
  keep: number
}

type PlanConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'backups' | 'backupKeep'>

/** @param blogBytes database and files */
export function planOf(
  config: PlanConfig,
  { backup }: Pick<SiteSnapshot, 'backup'>,
  blogBytes: number,
): BackupPlan {
  const { backups, backupKeep, dataDir } = config
  if (backups) return { isOn: true, isFixed: true, isAutomatic: false, time: '03:30', ...backups }
  const { isOn, time = '03:00', keep = 7, folder = defaultFolder(dataDir) } = backup
  // On several hosts each would make its own.
  const mayBeShared = config.databaseUrl !== undefined && config.s3 !== undefined
  return {
    isOn: isOn ?? (blogBytes < AUTOMATIC_MAX_BYTES && !mayBeShared),
    isFixed: false,
    isAutomatic: isOn === undefined,
    folder,
    time,
    keep: backupKeep ?? keep,
  }
}

export function defaultFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}

/**
 * Whether backups may be kept in a folder: it is a folder of its own, holds nothing else, is
 * reached by no link, and can be written.
 */
export async function readFolder(dataDir: string, folder: string): Promise<BackupFolder> {
  const isDefault = folder === defaultFolder(dataDir)
  const problem =
    (await findNameProblem(dataDir, folder)) || (await findDiskProblem(folder, isDefault))
  // Nothing is said of folders that cannot be chosen.
  if (problem !== '' && problem !== 'noAccess') return { problem, freeBytes: 0, isSameDisk: false }
  const existing = (await isThere(folder)) ? folder : dirname(folder)
  const disk = await statfs(existing).catch(() => undefined)
  const [here, blog] = await Promise.all([stat(existing).catch(() => undefined), stat(dataDir)])
  return {
    // Places such as /proc have no room at all.
    problem: disk && disk.blocks > 0 ? problem : 'noAccess',
    freeBytes: disk ? disk.bavail * disk.bsize : 0,
    isSameDisk: here?.dev === blog.dev,
  }
}

/** As {@link readFolder}, of a folder that is to be chosen: another blog's is refused, too. */
export async function readChoice(dataDir: string, folder: string): Promise<BackupFolder> {
  const place = await readFolder(dataDir, folder)
  if (place.problem !== '' || folder === defaultFolder(dataDir)) return place
  const isFree = !(await isInBlog(folder)) && (await hasOwnBackups(dataDir, folder))
  return isFree ? place : { problem: 'notEmpty', freeBytes: 0, isSameDisk: false }
}

/** Whether a folder that leads to it is the data folder of a blog on SQLite. */
async function isInBlog(folder: string): Promise<boolean> {
  for (let place = dirname(folder); place !== dirname(place); place = dirname(place))
    if (await isThere(join(place, SQLITE_FILE))) return true
  return false
}

/** Whether no backups are there, or the newest one holds a secret of this blog. */
async function hasOwnBackups(dataDir: string, folder: string): Promise<boolean> {
  if (!(await isThere(folder))) return true
  const newest = (await readdir(folder)).filter(isBackupName).toSorted().at(-1)
  if (newest === undefined) return true
  for (const name of await listSecrets(dataDir)) {
    const secret = await readSecret(join(dataDir, name))
    if (secret && (await readSecret(join(folder, newest, name)))?.equals(secret)) return true
  }
  return false
}

/** @returns undefined for what is missing, empty or too large for a secret */
async function readSecret(path: string): Promise<Buffer | undefined> {
  const size = (await lstat(path).catch(() => undefined))?.size ?? 0
  if (size === 0 || size > SECRET_MAX_BYTES) return undefined
  return readFile(path).catch(() => undefined)
}

async function findNameProblem(dataDir: string, folder: string): Promise<FolderProblem> {
  const isPlain =
    isAbsolute(folder) &&
    resolve(folder) === folder &&
    folder.length <= BACKUP_FOLDER_MAX_CHARS &&
    !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(folder)
  if (!isPlain) return 'notAbsolute'
  if (folder === defaultFolder(dataDir)) return ''
  const isInside = (one: string, other: string) => !/^\.\.(\/|$)/.test(relative(other, one))
  const ownPlaces = [dataDir, PROGRAM, await realpath(dataDir), await realpath(PROGRAM)]
  const isTaken = ownPlaces.some((place) => isInside(folder, place) || isInside(place, folder))
  return isTaken ? 'notOwn' : ''
}

/** The data folder itself may be reached by a link. */
async function findDiskProblem(folder: string, isDefault: boolean): Promise<FolderProblem> {
  const there = await isThere(folder)
  const existing = there ? folder : dirname(folder)
  try {
    const found = await lstat(existing)
    const isLink = isDefault
      ? there && found.isSymbolicLink()
      : (await realpath(existing)) !== existing
    if (isLink) return 'link'
    if (there && !found.isDirectory()) return 'notOwn'
    if (there && (await readdir(folder)).some((name) => !isOurs(name))) return 'notEmpty'
    await access(existing, constants.W_OK | constants.X_OK)
    return ''
  } catch {
    return 'noAccess'
  }
}

function isOurs(name: string): boolean {
  return isBackupName(name) || name.startsWith('.lock') || name === OF_FILE_SYSTEM
}

async function isThere(folder: string): Promise<boolean> {
  return lstat(folder).then(
    () => true,
    () => false,
  )
}

/** Makes the folder, unless it is there. Its parent must be. @throws Error */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** When the backup of the last night was due. */
export function lastDue(now: Date, time: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const due = new Date(now)
  due.setHours(hour, minute, 0, 0)
  if (due > now) due.setDate(due.getDate() - 1)
  return due
}
