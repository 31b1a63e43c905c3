// Checks that this process has the same secrets as the others on its PostgreSQL: otherwise it would
// refuse their tokens, and could not decrypt their data.
import { createHmac } from 'node:crypto'
import type { Log } from '../process/log.ts'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

export type Secrets = { apiKey: string; browserKey: string; providerTokenKey: string }

type SecretsOptions = {
  db: Database
  log: Log
  dataDir: string
  /** The API key is a setting, which the operator may change. */
  isApiKeySet: boolean
}

/**
 * The database stores a fingerprint of each secret of its first process. It is keyed, so that the
 * database alone does not help to guess a secret.
 *
 * @throws Error with advice when the secrets differ
 */
export async function requireSameSecrets(
  { db, log, dataDir, isApiKeySet }: SecretsOptions,
  { apiKey, browserKey, providerTokenKey }: Secrets,
): Promise<void> {
  if (!isShared(db)) return
  for (const [name, secret] of [
    ['browser-key', browserKey],
    ['provider-token-key', providerTokenKey],
    ['api-key', apiKey],
  ] as const) {
    const mark = createHmac('sha256', browserKey).update(`${name} ${secret}`).digest('hex')
    const insert = db.insertInto('secretMark').values({ name, mark })
    await insert.onConflict((c) => c.doNothing()).execute()
    const stored = db.selectFrom('secretMark').select('mark').where('name', '=', name)
    if ((await stored.executeTakeFirst())?.mark === mark) continue
    if (name !== 'api-key' || !isApiKeySet)
      throw new Error(
        `The ${name} of ${dataDir} is not that of the other processes on this database: copy api-key, browser-key and provider-token-key from a host that has them, or set them on every host (docs/operating.md, "Several hosts")`,
      )
    await db.updateTable('secretMark').set({ mark }).where('name', '=', name).execute()
    log.warn({ event: 'API key changed' }, 'BLOG_API_KEY has changed: every host needs the new one')
  }
}
