// Backups for operators (api.md §15.25): their schedule and folder; making, downloading and
// deleting one.

import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { BACKUP_FOLDER_MAX_CHARS, type BackupChanges, type Backups } from '#contract/operator.ts'
import { recordActivity } from '../activity/activity.ts'
import {
  archiveBackup,
  deleteBackupIn,
  listEntries,
  requireBackup,
} from '../backups/backup-list.ts'
import { inspectChosenFolder, inspectFolder, makeFolder } from '../backups/backup-plan.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { SETTINGS } from '../settings/setting-definitions.ts'
import { changeBackupChoice, toBackupRows } from '../site/site.ts'
import type { OperatorContext } from './context.ts'
import { recordValueChange } from './site-values.ts'

export async function readBackups(context: OperatorContext): Promise<Backups> {
  const { db, dataDir, scheduledBackups, backupKeep } = context
  const plan = await scheduledBackups.readPlan()
  const list = await listEntries(db, plan.folder)
  const newest = list.find(({ state }) => state === 'complete')
  const run = (await scheduledBackups.listRuns()).find(
    ({ state }) => state === 'waiting' || state === 'running',
  )
  const backups: Backups = {
    isOn: plan.isOn,
    isAutomatic: plan.isAutomatic,
    isFixed: plan.isFixed,
    isKeepFixed: plan.isFixed || backupKeep !== undefined,
    time: plan.time,
    keep: plan.keep,
    folder: plan.folder,
    place: await inspectFolder(dataDir, plan.folder),
    list,
    restore: newest ? restoreCommand(context, join(plan.folder, newest.$id)) : '',
  }
  if (run) backups.running = { doneBytes: run.doneBytes, totalBytes: run.totalBytes }
  return backups
}

/** Without `--replace` on PostgreSQL: its administrator has to empty the database first. */
function restoreCommand({ dataDir, databaseUrl }: OperatorContext, path: string): string {
  const command = npmCommand(`restore -- ${quoteForShell(path)}`, dataDir)
  return databaseUrl === undefined ? `${command} --replace` : command
}

/** An `npm run` command; it names the data folder unless that is the default one. */
export function npmCommand(command: string, dataDir: string): string {
  const isDefault = dataDir === resolve(SETTINGS.BLOG_DATA_DIR)
  return `${isDefault ? '' : `BLOG_DATA_DIR=${quoteForShell(dataDir)} `}npm run ${command}`
}

/** Quotes a path for a shell, where necessary. */
export function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** @throws Refusal `general_argument_invalid`, `backup_folder_unusable` */
export async function changeBackups(
  context: OperatorContext,
  actor: Viewer,
  changes: BackupChanges,
) {
  const { db, background, now, dataDir, scheduledBackups, backupKeep } = context
  const before = await scheduledBackups.readPlan()
  if (Object.keys(changes).length === 0) throw new Refusal('document_missing_data')
  if (before.isFixed || (changes.keep !== undefined && backupKeep !== undefined))
    throw invalidParam('keep', 'Value is set on the server, and can only be changed there')
  if (changes.folder !== undefined && changes.folder !== before.folder) {
    const { problem } = await inspectChosenFolder(dataDir, changes.folder)
    if (problem === 'notAbsolute')
      throw invalidParam(
        'folder',
        `Value must be the whole path of a folder, and no longer than ${BACKUP_FOLDER_MAX_CHARS} chars`,
      )
    if (problem !== '') throw new Refusal('backup_folder_unusable')
    await makeFolder(changes.folder).catch(() => {
      throw new Refusal('backup_folder_unusable')
    })
  }
  await inTransaction(db, background, async (tx) => {
    const rows = toBackupRows(before)
    for (const [name, after] of await changeBackupChoice(tx, changes)) {
      const previous = rows.get(name) ?? ''
      if (previous !== after)
        await recordValueChange(tx, actor, now(), { name, before: previous, after })
    }
  })
  return readBackups(context)
}

/** @throws Refusal `backup_running` */
export async function startBackup(context: OperatorContext, actor: Viewer) {
  const { scheduledBackups, db, background, now } = context
  await inTransaction(db, background, async (tx) => {
    if (!(await scheduledBackups.request(tx, actor.role === 'user' ? actor.name : '')))
      throw new Refusal('backup_running')
    await recordActivity(tx, actor, now(), { kind: 'settings', action: 'backup' })
  })
  scheduledBackups.pollNow()
  return { isRunning: true }
}

/** @throws Refusal `backup_running`, `backup_not_found` */
export async function deleteBackup(
  context: OperatorContext,
  actor: Viewer,
  id: string,
): Promise<void> {
  const { scheduledBackups, db, background, now } = context
  const { folder } = await scheduledBackups.readPlan()
  await deleteBackupIn(db, folder, id)
  await inTransaction(db, background, (tx) =>
    recordActivity(tx, actor, now(), {
      kind: 'settings',
      action: 'backupDeleted',
      subject: { type: 'value', id: '', name: id },
    }),
  )
}

const DOWNLOADS_MAX = 2
let downloads = 0

/**
 * @param requireRight called repeatedly during the download; throws once the right is lost
 * @throws Refusal `backup_not_found`, `general_rate_limit_exceeded` while too many downloads run
 */
export async function downloadBackup(
  context: OperatorContext,
  actor: Viewer,
  { name, requireRight }: { name: string; requireRight: () => Promise<void> },
): Promise<Readable> {
  const { scheduledBackups, db, background, now } = context
  const { folder } = await scheduledBackups.readPlan()
  if (downloads >= DOWNLOADS_MAX) throw new Refusal('general_rate_limit_exceeded')
  downloads++
  try {
    await requireBackup(folder, name)
    await inTransaction(db, background, (tx) =>
      recordActivity(tx, actor, now(), {
        kind: 'settings',
        action: 'backupDownloaded',
        subject: { type: 'value', id: '', name },
      }),
    )
    const archive = await archiveBackup(folder, name, requireRight)
    archive.once('close', () => downloads--)
    return archive
  } catch (error) {
    downloads--
    throw error
  }
}
