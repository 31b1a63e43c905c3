// Whether this process has the secrets of the others on the same PostgreSQL: with other ones it
// would refuse the tokens that they give out, and could not read what they have encrypted.
import { createHmac } from 'node:crypto'
import type { Log } from '../process/log.ts'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

export type Secrets = { apiKey: string; browserKey: string; providerTokenKey: string }

type SecretsOptions = {
  db: Database
  log: Log
  dataDir: string
  /** The operator has set the API key, and may change it. */
  isApiKeySet: boolean
}

/**
 * The database keeps of each secret what its first process had, as a fingerprint that nobody can
 * try secrets by who has only the database.
 *
 * @throws Error that says what to do when others have other secrets
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
    const own = db.insertInto('secretMark').values({ name, mark })
    await own.onConflict((c) => c.doNothing()).execute()
    const known = db.selectFrom('secretMark').select('mark').where('name', '=', name)
    if ((await known.executeTakeFirst())?.mark === mark) continue
    if (name !== 'api-key' || !isApiKeySet)
      throw new Error(
        `The ${name} of ${dataDir} is not that of the other processes on this database: copy api-key, browser-key and provider-token-key from a host that has them, or set them on every host (docs/operating.md, "Several hosts")`,
      )
    await db.updateTable('secretMark').set({ mark }).where('name', '=', name).execute()
    log.warn({ event: 'API key changed' }, 'BLOG_API_KEY has changed: every host needs the new one')
  }
}
