// Settings about the backups that the server makes by itself.
import { relative, resolve } from 'node:path'
import { SettingError, type TextOf } from './table.ts'

/** `keep` is how many of them stay. */
export type BackupConfig = { readonly folder: string; readonly keep: number }

/** @returns undefined when the server makes none */
export function readBackups(text: TextOf, dataDir: string): BackupConfig | undefined {
  const keep = Number(/^\d{1,4}$/.test(text('BLOG_BACKUP_KEEP')) ? text('BLOG_BACKUP_KEEP') : 0)
  if (keep < 1)
    throw new SettingError(
      `BLOG_BACKUP_KEEP: "${text('BLOG_BACKUP_KEEP')}" is not a number of backups (1 to 9999)`,
    )
  if (!text('BLOG_BACKUP_DIR')) return undefined
  const folder = resolve(text('BLOG_BACKUP_DIR'))
  if (relative(dataDir, folder) === '')
    throw new SettingError('BLOG_BACKUP_DIR: must be another folder than BLOG_DATA_DIR')
  return { folder, keep }
}
