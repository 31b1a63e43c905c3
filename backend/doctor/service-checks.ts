// What the blog depends on beside its own data: S3, mail, and the backups.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listBackups, momentOf, newestBy } from '../backups/folders.ts'
import { listParts, readManifest } from '../backups/manifest.ts'
import { describeProblem } from '../backups/problem.ts'
import { requireBucket } from '../files/s3.ts'
import { type Patient, type Say, DOCTOR_WAIT_MS as WAIT_MS } from './finding.ts'

const BACKUP_AGE_WARNING_HOURS = 2 * 24
const BACKUP_AGE_FAULT_HOURS = 7 * 24
const HOUR_MS = 3_600_000

export async function checkS3({ s3 }: Patient) {
  if (!s3) return undefined
  await requireBucket(s3)
  return `the bucket ${s3.bucket} at ${s3.endpoint} answers`
}

/** Connects, says hello and signs in. No mail is sent. */
export async function checkMail({ mail, isProduction }: Patient, say: Say) {
  if (mail.kind === 'off') return 'is switched off (BLOG_MAIL=off)'
  if (mail.kind === 'outbox') {
    const text = 'no mail server is set, mails are files in outbox/ of the data folder'
    if (isProduction) say.warning(`${text}: set BLOG_SMTP_URL and BLOG_MAIL_FROM`)
    return text
  }
  const { createTransport } = await import('nodemailer')
  const waits = { connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS }
  const transport = createTransport({ url: mail.url, ...waits })
  const name = `the mail server ${new URL(mail.url).hostname}`
  await transport.verify().catch((error: unknown) => {
    const todo = 'check BLOG_SMTP_URL; npm run mail:test tries a whole mail'
    say.fault(`${name}: ${describeProblem(error)}: ${todo}`)
  })
  transport.close()
  return `${name} answers`
}

/** Sizes only: checksums take long and are for `--verify`. */
export async function checkBackups({ backups, nowMs }: Patient, say: Say) {
  if (!backups)
    return say.warning('the server makes none by itself: set BLOG_BACKUP_DIR to a folder')
  const { folder } = backups
  const newest = newestBy(await listBackups(folder), new Date(nowMs))
  if (newest === undefined)
    return say.warning(`there is none in ${folder}: see the log of the server`)
  for (const part of listParts(await readManifest(join(folder, newest))))
    for (const { name, sizeBytes } of part.entries) {
      const path = join(folder, newest, part.folder, name)
      if ((await stat(path).catch(() => undefined))?.size !== sizeBytes)
        return say.fault(`${path} is not what the manifest says: npm run backup -- --verify DIR`)
    }
  const ageHours = (nowMs - momentOf(newest).getTime()) / HOUR_MS
  const text = `the newest of ${folder} is ${Math.round(ageHours)} hours old`
  if (ageHours > BACKUP_AGE_FAULT_HOURS)
    say.fault(`${text}: see the log for "backup of the night failed"`)
  else if (ageHours > BACKUP_AGE_WARNING_HOURS)
    say.warning(`${text}: does the server run at night, and does its log have errors?`)
  return text
}
