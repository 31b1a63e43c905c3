// Where, when and how many backups the server makes: as its settings say, else as operators chose
// in the browser, else each night into the data folder while the blog is small. Operators may
// choose only an empty folder or one with this blog's backups, so that no other files are changed
// or deleted.
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
/** Larger blogs make no automatic backups, because these could fill the disk. */
export const AUTOMATIC_MAX_BYTES = GIB
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url))
const SECRET_MAX_BYTES = 64 * 1024
/** A folder that some file systems create in their root. */
const LOST_AND_FOUND = 'lost+found'

export type BackupPlan = {
  isOn: boolean
  /** The server's settings decide: operators cannot change the plan. */
  isFixed: boolean
  /** No operator has turned backups on or off. */
  isAutomatic: boolean
  folder: string
  /** Local time, such as `03:00`. */
  time: string
  keep: number
}

type PlanConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'backups' | 'backupKeep'>

/** @param blogBytes the size of the database and all files */
export function planOf(
  config: PlanConfig,
  { backup }: Pick<SiteSnapshot, 'backup'>,
  blogBytes: number,
): BackupPlan {
  const { backups, backupKeep, dataDir } = config
  if (backups) return { isOn: true, isFixed: true, isAutomatic: false, time: '03:30', ...backups }
  const { isOn, time = '03:00', keep = 7, folder = defaultFolder(dataDir) } = backup
  // With a shared database and bucket there may be several hosts, each with a data folder.
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
 * Whether a folder can hold backups: it is outside the program and the data folder, holds nothing
 * else, is reached by no link, and can be written to.
 */
export async function inspectFolder(dataDir: string, folder: string): Promise<BackupFolder> {
  const isDefault = folder === defaultFolder(dataDir)
  const problem =
    (await findNameProblem(dataDir, folder)) || (await findDiskProblem(folder, isDefault))
  // Operators learn nothing about other folders of the host.
  if (problem !== '' && problem !== 'noAccess') return { problem, freeBytes: 0, isSameDisk: false }
  const existing = (await exists(folder)) ? folder : dirname(folder)
  const disk = await statfs(existing).catch(() => undefined)
  const [target, blog] = await Promise.all([stat(existing).catch(() => undefined), stat(dataDir)])
  return {
    // File systems such as /proc have no blocks.
    problem: disk && disk.blocks > 0 ? problem : 'noAccess',
    freeBytes: disk ? disk.bavail * disk.bsize : 0,
    isSameDisk: target?.dev === blog.dev,
  }
}

/**
 * As {@link inspectFolder} for a folder that an operator chooses; also refuses other blogs'
 * folders.
 */
export async function inspectChosenFolder(dataDir: string, folder: string): Promise<BackupFolder> {
  const report = await inspectFolder(dataDir, folder)
  if (report.problem !== '' || folder === defaultFolder(dataDir)) return report
  const isFree =
    !(await isInsideBlogFolder(folder)) && (await hasBackupsOfThisBlog(dataDir, folder))
  return isFree ? report : { problem: 'notEmpty', freeBytes: 0, isSameDisk: false }
}

/** Whether a parent folder is the data folder of a blog on SQLite. */
async function isInsideBlogFolder(folder: string): Promise<boolean> {
  for (let parent = dirname(folder); parent !== dirname(parent); parent = dirname(parent))
    if (await exists(join(parent, SQLITE_FILE))) return true
  return false
}

/** Whether the folder has no backups, or the newest one holds a secret of this blog. */
async function hasBackupsOfThisBlog(dataDir: string, folder: string): Promise<boolean> {
  if (!(await exists(folder))) return true
  const newest = (await readdir(folder)).filter(isBackupName).toSorted().at(-1)
  if (newest === undefined) return true
  for (const name of await listSecrets(dataDir)) {
    const secret = await readSecret(join(dataDir, name))
    if (secret && (await readSecret(join(folder, newest, name)))?.equals(secret)) return true
  }
  return false
}

/** @returns undefined for a file that is missing, empty or too large for a secret */
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
  const isInside = (inner: string, outer: string) => !/^\.\.(\/|$)/.test(relative(outer, inner))
  const reserved = [dataDir, PROGRAM, await realpath(dataDir), await realpath(PROGRAM)]
  const isTaken = reserved.some((path) => isInside(folder, path) || isInside(path, folder))
  return isTaken ? 'notOwn' : ''
}

/** The default folder may not be a link, but the data folder may; other paths may have no links. */
async function findDiskProblem(folder: string, isDefault: boolean): Promise<FolderProblem> {
  const isExisting = await exists(folder)
  const existing = isExisting ? folder : dirname(folder)
  try {
    const stats = await lstat(existing)
    const isLink = isDefault
      ? isExisting && stats.isSymbolicLink()
      : (await realpath(existing)) !== existing
    if (isLink) return 'link'
    if (isExisting && !stats.isDirectory()) return 'notOwn'
    if (isExisting && (await readdir(folder)).some((name) => !isBackupOrLock(name)))
      return 'notEmpty'
    await access(existing, constants.W_OK | constants.X_OK)
    return ''
  } catch {
    return 'noAccess'
  }
}

function isBackupOrLock(name: string): boolean {
  return isBackupName(name) || name.startsWith('.lock') || name === LOST_AND_FOUND
}

async function exists(folder: string): Promise<boolean> {
  return lstat(folder).then(
    () => true,
    () => false,
  )
}

/** Creates the folder if it is missing. @throws Error when its parent is missing, too */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** The last time at which a backup was due. */
export function lastDue(now: Date, time: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const due = new Date(now)
  due.setHours(hour, minute, 0, 0)
  if (due > now) due.setDate(due.getDate() - 1)
  return due
}
