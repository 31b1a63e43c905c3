// The folder of backups. Each backup is a folder, named by its time. While a backup is being made
// or removed, its name has a suffix.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { CopyProblem, chownToOwnerOf, listNames } from './backup-io.ts'

const COMPLETE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const LEFT_OVER = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.(?:partial|removing)$/
const LOCK = '.lock'

/** Whether this is the name of a backup that is complete, or being made or removed. */
export function isBackupName(name: string): boolean {
  return isCompleteName(name) || LEFT_OVER.test(name)
}

export function isCompleteName(name: string): boolean {
  return COMPLETE.test(name)
}

export function completeName(now: Date): string {
  return now.toISOString().replaceAll(/[:.]/g, '-')
}

/** The time at which the backup of this name was made. */
export function backupTime(name: string): Date {
  return new Date(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))
}

/** Names of the complete backups in a folder, oldest first. A missing folder has none. */
export async function listBackups(folder: string): Promise<string[]> {
  return (await listNames(folder)).filter((name) => COMPLETE.test(name)).toSorted()
}

/**
 * Locks a folder of backups against other processes until the result is disposed. The system
 * releases the lock when the process is killed.
 *
 * @throws CopyProblem when another process holds the lock
 */
export async function lockFolder(folder: string): Promise<Disposable> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, LOCK)
  const lock = new SqliteFile(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    await chownToOwnerOf(folder, path)
  } catch (cause) {
    lock.close()
    throw new CopyProblem(`Another backup is being made in ${resolve(folder)}`, { cause })
  }
  return { [Symbol.dispose]: () => void lock.close() }
}

/** Removes backups that a killed process left unfinished. The caller holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (LEFT_OVER.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** The newest backup that is not dated in the future: a wrong clock may have misdated one. */
export function findNewestUntil(names: string[], now: Date): string | undefined {
  return names.findLast((name) => backupTime(name) <= now)
}

/**
 * Removes the oldest backups until `keep` are left. The last backup of each day is removed only
 * after all others, so that repeatedly failing starts, each of which makes a backup, do not push
 * out the backups of earlier days. The caller holds the lock.
 *
 * @param newBackup stays even if a wrong clock made it the oldest
 */
export async function removeOldest(folder: string, keep: number, newBackup: string): Promise<void> {
  const names = await listBackups(folder)
  const dayOf = (name = '') => name.slice(0, name.indexOf('T'))
  const isLastOfDay = (name: string, at: number) => dayOf(name) !== dayOf(names[at + 1])
  const lastOfDays = names.filter(isLastOfDay)
  const others = names.filter((name) => !lastOfDays.includes(name))
  const candidates = [...others, ...lastOfDays].filter((name) => name !== newBackup)
  for (const name of candidates.slice(0, Math.max(0, names.length - keep)))
    await removeBackup(folder, name)
}

/**
 * Renames the backup first, so that a half-removed one is never listed. The caller holds the lock.
 */
export async function removeBackup(folder: string, name: string): Promise<void> {
  const removing = join(folder, `${name}.removing`)
  await rename(join(folder, name), removing)
  await rm(removing, { recursive: true, force: true })
}
