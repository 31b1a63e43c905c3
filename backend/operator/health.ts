// The health of the blog for operators: a line for each subject, the most urgent first. The page
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

function line(
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
  const lines = [
    await readMail(context, findings),
    await readBackupLine(context, findings),
    readDisk(storage),
    ...(await readSettings(context, findings)),
    ...(await readSecrets(context, findings)),
    ...(await readDatabase(context, findings)),
  ]
  return lines.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

async function readMail(
  context: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem> {
  const { mailer } = context
  if (mailer.delivery === 'off') return line('ok', 'mail', 'mailOff')
  if (mailer.delivery === 'kept')
    return line('warning', 'mail', 'mailKept', { people: await countWaitingPeople(context) })
  const isFailing = findings.some(({ about, level }) => about === 'mail' && level !== 'ok')
  return isFailing
    ? line('warning', 'mail', 'mailSilent', { waiting: mailer.waiting() })
    : line('ok', 'mail', 'mailSent')
}

async function readBackupLine(
  context: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem> {
  const { isOn, time, keep, place, list } = await readBackups(context)
  const newest = list[0]
  const newestComplete = list.find(({ state }) => state === 'complete')
  const at = newestComplete?.at ?? ''
  if (newest?.state === 'failed')
    return line('fault', 'backups', 'backupFailed', { reason: newest.reason, at })
  if (!isOn) return line('warning', 'backups', 'backupsNone', { at })
  const isDamaged = problemsOf(findings, ['backups']).some(({ text }) => text.includes('manifest'))
  if (isDamaged) return line('fault', 'backups', 'backupDamaged', { at })
  const facts = { time, keep, at, sizeBytes: newestComplete?.sizeBytes ?? 0 }
  if (
    newestComplete &&
    context.now().getTime() - Date.parse(newestComplete.at) > BACKUP_OLD_DAYS * DAY_MS
  )
    return line('warning', 'backups', 'backupOld', facts)
  if (place.isSameDisk) return line('warning', 'backups', 'backupsSameDisk', facts)
  return line('ok', 'backups', 'backupsFine', facts)
}

function readDisk({
  freeBytes,
  totalBytes,
  databaseBytes,
  filesBytes,
}: OperatorOverview['storage']) {
  const facts = { freeBytes, usedBytes: databaseBytes + filesBytes }
  if (totalBytes === 0 || freeBytes >= DISK_LOW_BYTES) return line('ok', 'disk', 'diskFine', facts)
  return line(freeBytes < DISK_ALMOST_FULL_BYTES ? 'fault' : 'warning', 'disk', 'diskLow', facts)
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
  const lines: HealthItem[] = []
  if (isLocal && isReachable) {
    const file = quoteForShell(join(dataDir, 'settings.env'))
    const command = `echo BLOG_PUBLIC_URL=https://your.address >> ${file}`
    lines.push(line('fault', 'settings', 'addressMissing', { command }))
  }
  if (!isLocal && protocol === 'http:') lines.push(line('warning', 'settings', 'notEncrypted'))
  for (const name of setTwice) lines.push(line('warning', 'settings', 'setTwice', { name }))
  for (const { about, level } of problemsOf(findings, [
    'clock',
    'proxy',
    'settings',
    'checks',
    's3',
  ])) {
    if (about === 'clock')
      lines.push(line(level, 'settings', 'clockWrong', { command: 'timedatectl set-ntp true' }))
    if (about === 'proxy')
      lines.push(
        line(level, 'settings', level === 'fault' ? 'visitorsAlike' : 'addressSilent', doctor),
      )
    if (about === 'checks') lines.push(line(level, 'settings', 'checksLate', doctor))
    if (about === 's3') lines.push(line(level, 'settings', 'settingsOdd', doctor))
    // A public URL without https has its own line.
    if (about === 'settings' && protocol === 'https:')
      lines.push(line(level, 'settings', 'settingsOdd', doctor))
  }
  const isAddressSet = Number(!isLocal)
  return lines.length > 0 ? lines : [line('ok', 'settings', 'settingsFine', { isAddressSet })]
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
  const lines: HealthItem[] = []
  if (otherProblem) lines.push(line(otherProblem.level, 'secrets', 'secretsOdd', doctor))
  if (isReadable) {
    const command = `chmod 700 ${folder} && chmod 600 ${folder}/*-key`
    lines.push(line('warning', 'secrets', 'secretsReadable', { command }))
  }
  if (lines.length > 0) return lines
  // The file does not exist when the server's settings hold the key.
  const file = await stat(join(dataDir, 'api-key')).catch(() => undefined)
  const at = file ? wireTime(file.mtime.toISOString()) : ''
  const command = `rm ${folder}/api-key ${folder}/browser-key`
  return [line('ok', 'secrets', 'secretsFine', file ? { at, command } : { at })]
}

async function readDatabase(
  { db, dataDir }: OperatorContext,
  findings: readonly Health[],
): Promise<HealthItem[]> {
  const lines: HealthItem[] = []
  if (problemsOf(findings, ['database']).length > 0)
    lines.push(line('fault', 'database', 'databaseDamaged'))
  if (problemsOf(findings, ['version']).length > 0)
    lines.push(
      line('fault', 'database', 'databaseUnfinished', { command: npmCommand('doctor', dataDir) }),
    )
  // Files without a row are only warnings: the sweep deletes them.
  if (problemsOf(findings, ['files']).some(({ level }) => level === 'fault'))
    lines.push(line('fault', 'database', 'filesMissing'))
  if (lines.length > 0) return lines
  const at = wireTime(await store.findLastMigration(db))
  return [line('ok', 'database', 'databaseFine', { at })]
}
