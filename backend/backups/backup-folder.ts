// The folder of backups: one folder for each, named by its time. Only a complete backup has such a
// name: while it is made or removed, the name has another ending.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { CopyProblem, chownToOwnerOf, readNames } from './backup-io.ts'

const COMPLETE = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const LEFT_OVER = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.(?:partial|removing)$/
const LOCK = '.lock'

/** Of a complete backup, or of one that is being made or removed. */
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
export function momentOf(name: string): Date {
  return new Date(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'))
}

/** Names of the complete backups in a folder, oldest first. A missing folder has none. */
export async function listBackups(folder: string): Promise<string[]> {
  return (await readNames(folder)).filter((name) => COMPLETE.test(name)).toSorted()
}

/**
 * Keeps every other process from making or removing backups in a folder until its scope ends. The
 * system releases the lock when the process is killed.
 *
 * @throws CopyProblem when another one has it
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

/** Removes what a killed process left behind. The lock must be held. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (LEFT_OVER.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * The newest backup that was made by now. One with a later name was made while the clock was wrong.
 */
export function newestBy(names: string[], now: Date): string | undefined {
  return names.findLast((name) => momentOf(name) <= now)
}

/**
 * Removes old backups but `keep`, those first that are not the last of their day: a start that
 * fails again and again, each time after a backup, leaves those of earlier days. The lock must be
 * held.
 *
 * @param made is never removed, even if the clock is wrong
 */
export async function removeOldest(folder: string, keep: number, made: string): Promise<void> {
  const names = await listBackups(folder)
  const dayOf = (name = '') => name.slice(0, name.indexOf('T'))
  const isLastOfDay = (name: string, at: number) => dayOf(name) !== dayOf(names[at + 1])
  const lastOfDays = names.filter(isLastOfDay)
  const others = names.filter((name) => !lastOfDays.includes(name))
  const leaving = [...others, ...lastOfDays].filter((name) => name !== made)
  for (const name of leaving.slice(0, Math.max(0, names.length - keep)))
    await removeBackup(folder, name)
}

/** From its first step on it does not look like a backup. The lock must be held. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  const removing = join(folder, `${name}.removing`)
  await rename(join(folder, name), removing)
  await rm(removing, { recursive: true, force: true })
}
