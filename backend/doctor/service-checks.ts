// What the blog depends on beside its own data: S3, mail, the clock, and the backups.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BACKUP_AGE_FAULT_SECONDS,
  BACKUP_AGE_WARNING_SECONDS,
  CLOCK_FAULT_SECONDS,
  CLOCK_WARNING_SECONDS,
  DOCTOR_WAIT_MS,
} from '#contract/server-limits.ts'
import type { Inspection } from '../backups/blog-data.ts'
import { listBackups, momentOf, newestBy } from '../backups/folders.ts'
import { type Manifest, readManifest } from '../backups/manifest.ts'
import { requireBucket } from '../files/s3.ts'
import type { BackupConfig, MailConfig, S3Config } from '../settings/read-settings.ts'
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts'

const HOUR_MS = 3_600_000

export async function checkS3(s3: S3Config | undefined): Promise<Finding[]> {
  if (!s3) return []
  try {
    await requireBucket(s3)
    return [ok('s3', `the bucket ${s3.bucket} at ${s3.endpoint} answers`)]
  } catch (error) {
    return [fault('s3', reasonOf(error), 'check the settings BLOG_S3_… and the server')]
  }
}

/** Connects, says hello and signs in. No mail is sent. */
export async function checkMail(mail: MailConfig, isProduction: boolean): Promise<Finding> {
  const about = 'mail'
  if (mail.kind === 'off') return ok(about, 'is switched off (BLOG_MAIL=off)')
  if (mail.kind === 'outbox') {
    const text = 'no mail server is set, mails are files in outbox/ of the data folder'
    return isProduction
      ? warning(about, text, 'set BLOG_SMTP_URL and BLOG_MAIL_FROM')
      : ok(about, text)
  }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: mail.url,
    connectionTimeout: DOCTOR_WAIT_MS,
    greetingTimeout: DOCTOR_WAIT_MS,
    socketTimeout: DOCTOR_WAIT_MS,
  })
  const { hostname } = new URL(mail.url)
  try {
    await transport.verify()
    return ok(about, `the mail server ${hostname} answers`)
  } catch (error) {
    return fault(
      about,
      `the mail server ${hostname}: ${reasonOf(error)}`,
      'check BLOG_SMTP_URL; npm run mail:test tries a whole mail',
    )
  } finally {
    transport.close()
  }
}

/**
 * Compares this machine's clock with the database server's, and with the newest times that were
 * written by it. Nobody else is asked.
 */
export async function checkClock(
  dataDir: string,
  { clockMs, newestMs }: Pick<Inspection, 'clockMs' | 'newestMs'>,
  nowMs: number,
): Promise<Finding> {
  const about = 'clock'
  const written = await stat(join(dataDir, 'blog.sqlite')).catch(() => undefined)
  const aheadMs = Math.max(newestMs, written?.mtimeMs ?? 0) - nowMs
  const differsMs = Math.max(aheadMs, clockMs === undefined ? 0 : Math.abs(clockMs - nowMs))
  const seconds = Math.round(differsMs / 1000)
  const source = clockMs === undefined ? 'data already written' : 'the database server'
  if (seconds <= CLOCK_WARNING_SECONDS) return ok(about, `agrees with ${source}`)
  const say = seconds > CLOCK_FAULT_SECONDS ? fault : warning
  return say(about, `differs by ${seconds} s from ${source}`, 'set it, and keep it by NTP')
}

export async function checkBackups(
  backups: BackupConfig | undefined,
  nowMs: number,
): Promise<Finding> {
  const about = 'backups'
  if (!backups)
    return warning(about, 'the server makes none by itself', 'set BLOG_BACKUP_DIR to a folder')
  const { folder } = backups
  try {
    const newest = newestBy(await listBackups(folder), new Date(nowMs))
    if (newest === undefined)
      return warning(about, `there is none in ${folder}`, 'see the log of the server')
    const path = join(folder, newest)
    const part = await findCutPart(path, await readManifest(path))
    if (part)
      return fault(about, `${part} is not what the manifest says`, 'npm run backup -- --verify DIR')
    const ageMs = nowMs - momentOf(newest).getTime()
    const text = `the newest of ${folder} is ${Math.round(ageMs / HOUR_MS)} hours old`
    if (ageMs > BACKUP_AGE_FAULT_SECONDS * 1000)
      return fault(about, text, 'see the log for "backup of the night failed"')
    if (ageMs > BACKUP_AGE_WARNING_SECONDS * 1000)
      return warning(about, text, 'does the server run at night, and does its log have errors?')
    return ok(about, text)
  } catch (error) {
    return fault(about, reasonOf(error), 'make a new one: npm run backup -- DIR')
  }
}

/** The first part that has another size; checksums take long and are for `--verify`. */
async function findCutPart(path: string, manifest: Manifest): Promise<string | undefined> {
  const { database, secrets, files, uploads, filesAt } = manifest
  const parts: [folder: string, entries: Manifest['files']][] = [
    [path, [database, ...secrets]],
    [join(path, 'files'), filesAt === 'bucket' ? [] : files],
    [join(path, 'uploads'), uploads],
  ]
  for (const [folder, entries] of parts)
    for (const { name, sizeBytes } of entries) {
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (found?.size !== sizeBytes) return join(folder, name)
    }
  return undefined
}
