// The health of the blog for operators: items for each subject, the most urgent first. The page
// turns codes and facts into sentences (web/locales). Mail, backups and disk are read at each
// visit; the rest are the latest findings of doctor (doctor-checks.ts).

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { wireTime } from '#contract/ids.ts'
import type {
  Checks,
  Health,
  HealthCode,
  HealthItem,
  HealthLevel,
  HealthSubject,
  OperatorOverview,
} from '#contract/operator.ts'
import { npmCommand, quoteForShell, readBackups } from './backups.ts'
import type { OperatorContext } from './context.ts'
import { countWaitingPeople } from './kept-mails.ts'
import * as store from './overview-store.ts'

const MIB = 1024 * 1024
const DISK_LOW_BYTES = 1024 * MIB
const DISK_ALMOST_FULL_BYTES = 500 * MIB
const DAY_MS = 24 * 60 * 60 * 1000
const BACKUP_OLD_DAYS = 2
const LEVELS: readonly HealthLevel[] = ['fault', 'warning', 'ok']
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']

type Facts = HealthItem['facts']

function healthItem(
  level: HealthLevel,
  subject: HealthSubject,
  code: HealthCode,
  facts: Facts = {},
): HealthItem {
  return { level, subject, code, facts }
}

export async function readHealth(
  context: OperatorContext,
  storage: OperatorOverview['storage'],
  { found: findings }: Checks,
): Promise<HealthItem[]> {
  const items = [
    await readMail(context, findings),
    await readBackupItem(context, findings),
    readDisk(storage),
    ...(await readSettings(context, findings)),
    ...(await readSecrets(context, findings)),
    ...(await readDatabase(context, findings)),
  ]
  return items.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

async function readMail(
  context: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem> {
  const { mailer } = context
  if (mailer.delivery === 'off') return healthItem('ok', 'mail', 'mailOff')
  if (mailer.delivery === 'kept')
    return healthItem('warning', 'mail', 'mailKept', { people: await countWaitingPeople(context) })
  const isFailing = findings.some(({ about, level }) => about === 'mail' && level !== 'ok')
  return isFailing
    ? healthItem('warning', 'mail', 'mailSilent', { waiting: mailer.waiting() })
    : healthItem('ok', 'mail', 'mailSent')
}

async function readBackupItem(
  context: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem> {
  const { isOn, time, keep, place, list } = await readBackups(context)
  const newest = list[0]
  const newestComplete = list.find(({ state }) => state === 'complete')
  const at = newestComplete?.at ?? ''
  if (newest?.state === 'failed')
    return healthItem('fault', 'backups', 'backupFailed', { reason: newest.reason, at })
  if (!isOn) return healthItem('warning', 'backups', 'backupsNone', { at })
  const isDamaged = problemsOf(findings, ['backups']).some(({ text }) => text.includes('manifest'))
  if (isDamaged) return healthItem('fault', 'backups', 'backupDamaged', { at })
  const facts = { time, keep, at, sizeBytes: newestComplete?.sizeBytes ?? 0 }
  if (
    newestComplete &&
    context.now().getTime() - Date.parse(newestComplete.at) > BACKUP_OLD_DAYS * DAY_MS
  )
    return healthItem('warning', 'backups', 'backupOld', facts)
  if (place.isSameDisk) return healthItem('warning', 'backups', 'backupsSameDisk', facts)
  return healthItem('ok', 'backups', 'backupsFine', facts)
}

function readDisk({
  freeBytes,
  totalBytes,
  databaseBytes,
  filesBytes,
}: OperatorOverview['storage']) {
  const facts = { freeBytes, usedBytes: databaseBytes + filesBytes }
  if (totalBytes === 0 || freeBytes >= DISK_LOW_BYTES)
    return healthItem('ok', 'disk', 'diskFine', facts)
  return healthItem(
    freeBytes < DISK_ALMOST_FULL_BYTES ? 'fault' : 'warning',
    'disk',
    'diskLow',
    facts,
  )
}

/** Doctor's findings about these subjects that are not ok. */
function problemsOf(findings: readonly Health[], subjects: readonly string[]): Health[] {
  return findings.filter(({ level, about }) => level !== 'ok' && subjects.includes(about))
}

async function readSettings(
  context: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem[]> {
  const { publicUrl, isPublic, trustedProxies, dataDir } = context
  const doctor = { command: npmCommand('doctor', dataDir) }
  const { setTwice } = await context.site.read()
  const { hostname, protocol } = new URL(publicUrl)
  const isLocal = LOOPBACK.includes(hostname)
  const isReachable = isPublic || trustedProxies.length > 0
  const items: HealthItem[] = []
  if (isLocal && isReachable) {
    const file = quoteForShell(join(dataDir, 'settings.env'))
    const command = `echo BLOG_PUBLIC_URL=https://your.address >> ${file}`
    items.push(healthItem('fault', 'settings', 'addressMissing', { command }))
  }
  if (!isLocal && protocol === 'http:')
    items.push(healthItem('warning', 'settings', 'notEncrypted'))
  for (const name of setTwice) items.push(healthItem('warning', 'settings', 'setTwice', { name }))
  for (const { about, level } of problemsOf(findings, [
    'clock',
    'proxy',
    'settings',
    'checks',
    's3',
  ])) {
    if (about === 'clock')
      items.push(
        healthItem(level, 'settings', 'clockWrong', { command: 'timedatectl set-ntp true' }),
      )
    if (about === 'proxy')
      items.push(
        healthItem(
          level,
          'settings',
          level === 'fault' ? 'visitorsAlike' : 'addressSilent',
          doctor,
        ),
      )
    if (about === 'checks') items.push(healthItem(level, 'settings', 'checksLate', doctor))
    if (about === 's3') items.push(healthItem(level, 'settings', 'settingsOdd', doctor))
    // A public URL without https has an item of its own.
    if (about === 'settings' && protocol === 'https:')
      items.push(healthItem(level, 'settings', 'settingsOdd', doctor))
  }
  const isAddressSet = Number(!isLocal)
  return items.length > 0 ? items : [healthItem('ok', 'settings', 'settingsFine', { isAddressSet })]
}

async function readSecrets(
  { dataDir }: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem[]> {
  const problems = problemsOf(findings, ['folder', 'secrets'])
  const folder = quoteForShell(dataDir)
  const doctor = { command: npmCommand('doctor', dataDir) }
  const isReadable = problems.some(({ text }) => text.startsWith('others can read'))
  const otherProblem = problems.find(({ text }) => !text.startsWith('others can read'))
  const items: HealthItem[] = []
  if (otherProblem) items.push(healthItem(otherProblem.level, 'secrets', 'secretsOdd', doctor))
  if (isReadable) {
    const command = `chmod 700 ${folder} && chmod 600 ${folder}/*-key`
    items.push(healthItem('warning', 'secrets', 'secretsReadable', { command }))
  }
  if (items.length > 0) return items
  // The file does not exist when the server's settings hold the key.
  const file = await stat(join(dataDir, 'api-key')).catch(() => undefined)
  const at = file ? wireTime(file.mtime.toISOString()) : ''
  const command = `rm ${folder}/api-key ${folder}/browser-key`
  return [healthItem('ok', 'secrets', 'secretsFine', file ? { at, command } : { at })]
}

async function readDatabase(
  { db, dataDir }: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem[]> {
  const items: HealthItem[] = []
  if (problemsOf(findings, ['database']).length > 0)
    items.push(healthItem('fault', 'database', 'databaseDamaged'))
  if (problemsOf(findings, ['version']).length > 0)
    items.push(
      healthItem('fault', 'database', 'databaseUnfinished', {
        command: npmCommand('doctor', dataDir),
      }),
    )
  // Files without a row are only warnings: the sweep deletes them.
  if (problemsOf(findings, ['files']).some(({ level }) => level === 'fault'))
    items.push(healthItem('fault', 'database', 'filesMissing'))
  if (items.length > 0) return items
  const at = wireTime(await store.findLastMigration(db))
  return [healthItem('ok', 'database', 'databaseFine', { at })]
}
