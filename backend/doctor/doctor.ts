// Looks at everything that the blog needs and says what is wrong, one line each. Changes nothing,
// whether the server runs or not.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlogPlaces, Inspection } from '../backups/blog-data.ts'
import { readProgramVersion } from '../backups/program-version.ts'
import type { BackupConfig, MailConfig } from '../settings/read-settings.ts'
import { type Env, SETTINGS } from '../settings/table.ts'
import { checkDatabase, checkFiles, checkVersion } from './database-checks.ts'
import { type Finding, ok, warning } from './finding.ts'
import { checkFolder, checkSecrets, checkSpace, isClosed } from './folder-checks.ts'
import { checkProxy, checkServer, type ServerAddress } from './proxy-checks.ts'
import { checkBackups, checkClock, checkMail, checkS3 } from './service-checks.ts'

export type DoctorNeeds = BlogPlaces &
  Omit<ServerAddress, 'apiKey'> & {
    apiKey: string | undefined
    browserKey: string | undefined
    providerTokenKey: string | undefined
    isProduction: boolean
    mail: MailConfig
    backups: BackupConfig | undefined
    env: Env
    now: () => Date
  }

/** Findings in the order in which they are shown, as soon as they are known. */
export async function* examine(needs: DoctorNeeds): AsyncGenerator<Finding> {
  const { dataDir, backups, now } = needs
  const nowMs = now().getTime()
  yield* checkSettings(needs)
  yield* await checkFolder(dataDir)
  const isOpen = !(await isClosed(dataDir))
  if (isOpen) yield* await checkSecrets(dataDir, givenSecrets(needs))
  yield* await checkSpace([
    ['the data folder', dataDir],
    ...(backups ? [['backups', backups.folder] as [string, string]] : []),
  ])
  const known = isOpen || needs.databaseUrl ? yield* examineDatabase(needs) : undefined
  if (known) {
    yield checkVersion(await readProgramVersion(), known)
    yield await checkClock(dataDir, known, nowMs)
  }
  yield* await checkS3(needs.s3)
  if (known) yield* await checkFiles(needs, known, nowMs)
  yield await checkMail(needs.mail, needs.isProduction)
  yield await checkBackups(backups, nowMs)
  const apiKey = needs.apiKey ?? (await readKey(dataDir))
  const [server, isRunning] = await checkServer({ ...needs, apiKey })
  yield server
  if (isRunning) yield await checkProxy({ ...needs, apiKey })
}

/** @returns what was read; undefined when nothing is known, as of a damaged database */
async function* examineDatabase(
  places: BlogPlaces,
): AsyncGenerator<Finding, Inspection | undefined> {
  const { findings, inspection } = await checkDatabase(places)
  yield* findings
  return inspection?.damages.length === 0 ? inspection : undefined
}

/** Their names in the data folder. */
function givenSecrets({ apiKey, browserKey, providerTokenKey }: DoctorNeeds): string[] {
  const values = {
    'api-key': apiKey,
    'browser-key': browserKey,
    'provider-token-key': providerTokenKey,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

function checkSettings({ env, publicUrl, isProduction }: DoctorNeeds): Finding[] {
  const about = 'settings'
  const known = new Set(Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]))
  const unknown = Object.keys(env).filter((name) => name.startsWith('BLOG_') && !known.has(name))
  const findings = unknown.map((name) =>
    warning(about, `there is no setting ${name}`, 'is it misspelt? README.md lists all'),
  )
  const url = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isLocal)
    findings.push(
      warning(about, `${publicUrl} is not encrypted`, 'put a proxy with HTTPS in front of it'),
    )
  if (!isLocal && !isProduction)
    findings.push(warning(about, 'NODE_ENV is not production', 'set NODE_ENV=production'))
  return findings.length > 0 ? findings : [ok(about, 'are all understood')]
}

async function readKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, 'api-key'), 'utf8').catch(() => undefined)
  return text?.trim() || undefined
}
