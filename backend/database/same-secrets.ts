// Whether this process has the secrets of the others on the same PostgreSQL: with other ones it
// would refuse the tokens that they give out, and could not read what they have encrypted.
import { createHmac } from 'node:crypto'
import type { Log } from '../process/log.ts'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

export type Secrets = { apiKey: string; browserKey: string; providerTokenKey: string }

type Needs = {
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
export async function requireSameSecrets(needs: Needs, secrets: Secrets): Promise<void> {
  if (!isShared(needs.db)) return
  const { apiKey, browserKey, providerTokenKey } = secrets
  const markOf = (name: string, value: string) => ({
    name,
    mark: createHmac('sha256', browserKey).update(`${name} ${value}`).digest('hex'),
  })
  await require(needs, markOf('browser-key', browserKey))
  await require(needs, markOf('provider-token-key', providerTokenKey))
  await require(needs, markOf('api-key', apiKey))
}

type Mark = { name: string; mark: string }

async function require({ db, log, dataDir, isApiKeySet }: Needs, own: Mark): Promise<void> {
  await db
    .insertInto('secretMark')
    .values(own)
    .onConflict((c) => c.doNothing())
    .execute()
  const known = db.selectFrom('secretMark').select('mark').where('name', '=', own.name)
  if ((await known.executeTakeFirst())?.mark === own.mark) return
  if (own.name !== 'api-key' || !isApiKeySet)
    throw new Error(
      `The ${own.name} of ${dataDir} is not that of the other processes on this database: copy api-key, browser-key and provider-token-key from a machine that has them, or set them on every machine (docs/operating.md, "More machines")`,
    )
  await db.updateTable('secretMark').set(own).where('name', '=', own.name).execute()
  log.warn(
    { event: 'API key changed' },
    'BLOG_API_KEY has changed: every machine needs the new one',
  )
}
