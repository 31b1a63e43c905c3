// Checks everything that the blog needs and reports faults, one line each, whether the server runs
// or not. Changes nothing.
import { describeProblem } from '../backups/backup-io.ts'
import { SETTINGS } from '../settings/setting-definitions.ts'
import * as data from './data-checks.ts'
import type { DoctorContext, Finding, Level, Patient, Say } from './finding.ts'
import { checkBackups, checkMail, checkProxy, checkS3, checkServer } from './service-checks.ts'

/** @returns the line for when all is well; undefined without such a line */
type Check = (patient: Patient, say: Say) => Promise<string | undefined>

/** In the order of the output, some with what to do when the check itself fails. */
const CHECKS: [about: string, check: Check, todo?: string][] = [
  ['settings', checkSettings],
  ['folder', data.checkFolder],
  ['secrets', data.checkSecrets],
  ['space', data.checkSpace],
  ['database', data.checkDatabase],
  ['version', data.checkVersion],
  ['clock', data.checkClock],
  ['s3', checkS3, 'check the settings BLOG_S3_… and the server'],
  ['files', data.checkFiles, 'check where files are kept'],
  ['mail', checkMail],
  ['backups', checkBackups, 'make a new one: npm run backup -- DIR'],
  ['server', checkServer],
  ['proxy', checkProxy],
]

/** Quick, and without asking others; mail without a server is, too. */
const LOCAL = ['settings', 'folder', 'secrets', 'space']

function isQuick(about: string, { mail }: DoctorContext): boolean {
  return LOCAL.includes(about) || (about === 'mail' && mail.kind !== 'smtp')
}

/** Yields findings as soon as they are known. */
export async function* examine(
  context: DoctorContext,
  { isLocal = false } = {},
): AsyncGenerator<Finding> {
  const nowMs = context.now().getTime()
  const patient: Patient = { ...context, nowMs, isRunning: false, isClosed: false }
  for (const [about, check, todo] of CHECKS) {
    if (isLocal && !isQuick(about, context)) continue
    const said: Finding[] = []
    const sayer = (level: Level) => (text: string) => void said.push({ level, about, text })
    const say = { ok: sayer('ok'), warning: sayer('warning'), fault: sayer('fault') }
    const well = await check(patient, say).catch((error: unknown) =>
      say.fault(`${describeProblem(error)}: ${todo ?? 'this cannot be checked'}`),
    )
    if (well !== undefined && said.length === 0) say.ok(well)
    yield* said
  }
}

async function checkSettings({ env, publicUrl }: Patient, say: Say): Promise<string> {
  const known = new Set(Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]))
  for (const name of Object.keys(env))
    if (name.startsWith('BLOG_') && !known.has(name))
      say.warning(`there is no setting ${name}: is it misspelt? docs/settings.md lists all`)
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isLocal)
    say.warning(`${publicUrl} is not encrypted: put a proxy with HTTPS in front of it`)
  return 'are all understood'
}
