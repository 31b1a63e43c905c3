// Processes on one PostgreSQL have the same secrets, or do not start.
import { expect } from 'vitest'
import { testEachDatabase } from '#test/support/databases.ts'
import { makeLog } from '../process/log.ts'
import { requireSameSecrets, type Secrets } from './shared-secrets.ts'

const SECRETS: Secrets = { apiKey: 'api', browserKey: 'browser', providerTokenKey: 'provider' }

testEachDatabase(
  'processes that share a database start only with the secrets of the first one',
  async (open, name) => {
    await using opened = await open()
    const events: unknown[] = []
    const log = makeLog('info', { write: (line) => void events.push(JSON.parse(line).event) })
    const start = (secrets: Partial<Secrets>, isApiKeySet = false) =>
      requireSameSecrets(
        { db: opened.db, log, dataDir: '/data', isApiKeySet },
        { ...SECRETS, ...secrets },
      )
    await start({})
    await start({})
    const others = ['browserKey', 'providerTokenKey', 'apiKey'] as const
    for (const other of others) {
      const starting = start({ [other]: 'another' })
      if (name === 'SQLite') await starting
      else await expect(starting).rejects.toThrow('is not that of the other processes')
    }
    if (name === 'SQLite') return
    // The operator may set another API key, which is logged.
    await start({ apiKey: 'a newer one' }, true)
    await start({ apiKey: 'a newer one' }, true)
    expect(events).toEqual(['API key changed'])
    const marks = await opened.db.selectFrom('secretMark').selectAll().execute()
    for (const secret of Object.values(SECRETS))
      expect(JSON.stringify(marks)).not.toContain(`"${secret}"`)
  },
)
