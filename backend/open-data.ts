// Opens the data of a blog: the data folder with its secrets, and the database.
import { runBackup } from './backups/run-backup.ts'
import { openDatabase } from './database/database.ts'
import { requireSameSecrets } from './database/shared-secrets.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { requireBucket } from './files/s3.ts'
import type { Log } from './process/log.ts'
import { makeDataFolder, readOrMakeSecret } from './process/secrets.ts'
import type { Config } from './settings/config.ts'

const BACKUP_FAILED =
  'The database needs changes for this version, and the backup before them failed: nothing was changed'

/** Opens data folder, secrets and database. A database that needs migrating is backed up first. */
export async function openData(
  config: Config,
  log: Log,
  { now, onFatal }: { now: () => Date; onFatal: OnFatal },
) {
  const { dataDir, s3, databaseConnections: connections, hasMetrics } = config
  await makeDataFolder(dataDir, log)
  if (s3) await requireBucket(s3)
  const secrets = {
    apiKey: config.apiKey ?? (await readOrMakeSecret(dataDir, 'api-key')),
    browserKey: config.browserKey ?? (await readOrMakeSecret(dataDir, 'browser-key')),
    providerTokenKey:
      config.providerTokenKey ?? (await readOrMakeSecret(dataDir, 'provider-token-key')),
  }
  const { backups } = config
  const makeBackup = async () => {
    if (!backups) return
    const task = { storage: config, ...backups, nowMs: now().getTime() }
    const stop = new AbortController().signal
    const summary = await runBackup(task, { stop }).catch((cause: unknown) => {
      throw new Error(BACKUP_FAILED, { cause })
    })
    log.info(summary, 'backup made and verified')
  }
  const metrics = hasMetrics ? (await import('./http/metrics.ts')).makeMetrics() : undefined
  const db = await openDatabase({
    ...config,
    connections,
    log,
    onFatal,
    metrics,
    beforeChange: makeBackup,
  })
  const isApiKeySet = config.apiKey !== undefined
  await requireSameSecrets({ db, log, dataDir, isApiKeySet }, secrets).catch(async (error) => {
    await db.destroy()
    throw error
  })
  return { db, secrets, metrics }
}
