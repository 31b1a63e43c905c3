// Checks everything that the blog needs and reports each fault in one line, whether the server runs
// or not. Changes nothing.
import { describeProblem } from '../backups/backup-io.ts'
import { SETTINGS } from '../settings/setting-definitions.ts'
import * as data from './data-checks.ts'
import type { CheckedBlog, DoctorContext, Finding, Level, Report } from './finding.ts'
import { checkBackups, checkMail, checkProxy, checkS3, checkServer } from './service-checks.ts'

/** @returns the line to print if the check reported nothing; undefined for none */
type Check = (blog: CheckedBlog, report: Report) => Promise<string | undefined>

/** In the order of the output. `advice` is for a check that cannot be completed. */
const CHECKS: [about: string, check: Check, advice?: string][] = [
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

/** The checks that are quick and use no network. Mail is one of them unless it is sent by SMTP. */
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
  const blog: CheckedBlog = { ...context, nowMs, isRunning: false, isInaccessible: false }
  for (const [about, check, advice] of CHECKS) {
    if (isLocal && !isQuick(about, context)) continue
    const findings: Finding[] = []
    const reporter = (level: Level) => (text: string) => void findings.push({ level, about, text })
    const report = { ok: reporter('ok'), warning: reporter('warning'), fault: reporter('fault') }
    const okText = await check(blog, report).catch((error: unknown) =>
      report.fault(`${describeProblem(error)}: ${advice ?? 'this cannot be checked'}`),
    )
    if (okText !== undefined && findings.length === 0) report.ok(okText)
    yield* findings
  }
}

async function checkSettings({ env, publicUrl }: CheckedBlog, report: Report): Promise<string> {
  const known = new Set(Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]))
  for (const name of Object.keys(env))
    if (name.startsWith('BLOG_') && !known.has(name))
      report.warning(`there is no setting ${name}: is it misspelt? docs/settings.md lists all`)
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isLocal)
    report.warning(`${publicUrl} is not encrypted: put a proxy with HTTPS in front of it`)
  return 'are all understood'
}
