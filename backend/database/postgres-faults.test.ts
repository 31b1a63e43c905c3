// PostgreSQL is away, loses a connection, is silent or refuses.
// @module-tag more
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestClock } from '#test/support/clock.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { makeTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { openDatabase, POSTGRES_START_WAIT_MS } from './database.ts'
import { CommitOutcomeUnknown } from './database-errors.ts'
import type { PostgresLimits } from './postgres-dialect.ts'
import type { Database } from './schema.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))
/** Long enough for the answers before the silence, too. */
const SILENCE_LIMITS = { silence: 5000, connect: 5000 }
/** Short, because the other session holds its lock for as long as a call here waits. */
const LOCK_LIMITS = { lock: 300 }
const AWAY = { status: 503, headers: { 'retry-after': '5' } }

let postgres: Awaited<ReturnType<typeof makePostgresDatabase>>
beforeAll(async () => {
  postgres = await makePostgresDatabase()
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await db.destroy()
})
afterAll(() => postgres.drop())

/** Opens the database through a proxy that can cut connections; `events` are those logged. */
async function openThroughProxy(limits: Partial<PostgresLimits> = {}) {
  const proxy: TcpProxy = await makeTcpProxy(postgres.url)
  const events: unknown[] = []
  const log = makeLog('info', { write: (line) => void events.push(JSON.parse(line).event) })
  const databaseUrl = proxy.through(postgres.url)
  const db = await openDatabase({ dataDir: '', databaseUrl, log, limits })
  return {
    db,
    proxy,
    events,
    async [Symbol.asyncDispose]() {
      const ended = db.destroy()
      await proxy[Symbol.asyncDispose]()
      await ended
    },
  }
}

const ask = (db: Database) => db.selectFrom('user').select('id').execute()

function addState(db: Database, stateHash: string): Promise<unknown> {
  const row = { browserHash: '', nonce: '', codeVerifier: '', successUrl: '', failureUrl: '' }
  return inTransaction(db, background, (tx) =>
    tx
      .insertInto('oauthState')
      .values({ stateHash, ...row, expiresAt: '', isForToken: 0 })
      .execute(),
  )
}

const isThere = async (db: Database, stateHash: string) =>
  (await db.selectFrom('oauthState').where('stateHash', '=', stateHash).select('nonce').execute())
    .length === 1

test('a connection lost in use is a 503, the next call is answered, and both are logged', async () => {
  await using it = await openThroughProxy()
  const failing = inTransaction(it.db, background, async (tx) => {
    await ask(tx)
    it.proxy.reset()
    await ask(tx)
  })
  await expect(failing).rejects.toMatchObject(AWAY)
  expect(await ask(it.db)).toEqual([])
  expect(it.events).toEqual(['database away', 'database back'])
})

test('an outage is logged once, refuses calls, and ends with the first answer', async () => {
  await using it = await openThroughProxy()
  await ask(it.db)
  await it.proxy.refuse()
  const calls = await Promise.all(Array.from({ length: 30 }, () => ask(it.db).catch((e) => e)))
  for (const outcome of calls) expect(outcome).toMatchObject(AWAY)
  await expect(ask(it.db)).rejects.toMatchObject(AWAY)
  await it.proxy.accept()
  await expect.poll(() => ask(it.db).catch(() => 'away')).toEqual([])
  expect(it.events).toEqual(['database away', 'database back'])
})

test('a session that the server ends, idle or in use, does not end the process', async () => {
  await using it = await openThroughProxy()
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  const endAll = () =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  await ask(it.db)
  await endAll()
  const failing = inTransaction(it.db, background, async (tx) => {
    await ask(tx)
    await endAll()
    await ask(tx)
  })
  await expect(failing).rejects.toMatchObject(AWAY)
  expect(await ask(it.db)).toEqual([])
  await admin.end()
})

describe('an unknown outcome of a commit', () => {
  test.each([
    ['before', 'the commit did not arrive', false],
    ['after', 'only its answer was lost', true],
  ] as const)(
    'is recognised when the connection is cut %s the commit: %s',
    async (cut, _what, expected) => {
      await using it = await openThroughProxy()
      it.proxy.cutAtCommit(cut)
      const error = await addState(it.db, `cut ${cut}`).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(CommitOutcomeUnknown)
      expect(error).toMatchObject(AWAY)
      await expect.poll(() => isThere(it.db, `cut ${cut}`)).toBe(expected)
    },
  )

  test('is not reported for a transaction that failed before its commit', async () => {
    await using it = await openThroughProxy()
    await addState(it.db, 'twice')
    const error = await addState(it.db, 'twice').catch((caught: unknown) => caught)
    expect(error).not.toBeInstanceOf(CommitOutcomeUnknown)
    expect(error).toMatchObject({ code: '23505' })
  })
})

test('a call that waits for a lock of another session is a 503 in time, and its connection stays usable', async () => {
  await using it = await openThroughProxy(LOCK_LIMITS)
  const other = new pg.Client({ connectionString: postgres.url })
  await other.connect()
  await other.query('begin; lock table "oauthState" in access exclusive mode')
  await expect(addState(it.db, 'locked')).rejects.toMatchObject({
    ...AWAY,
    cause: { code: '55P03' },
  })
  await other.query('rollback')
  await other.end()
  await addState(it.db, 'free')
  expect(it.events).toEqual([])
})

test('a silent server is a 503 in time for running calls, and later ones do not wait for it', async () => {
  await using it = await openThroughProxy(SILENCE_LIMITS)
  await ask(it.db)
  it.proxy.pause()
  await expect(ask(it.db)).rejects.toMatchObject(AWAY)
  const before = it.proxy.connections()
  const calls = await Promise.allSettled(Array.from({ length: 30 }, () => ask(it.db)))
  for (const { reason } of calls as PromiseRejectedResult[]) expect(reason).toMatchObject(AWAY)
  // Only the probe that checks whether the server is back.
  expect(it.proxy.connections() - before).toBeLessThan(3)
  it.proxy.resume()
  await expect.poll(() => ask(it.db).catch(() => 'away')).toEqual([])
  expect(it.events).toEqual(['database away', 'database back'])
})

test.each([
  ['a wrong password', (url: URL) => (url.password = 'wrong'), 'user name and password'],
  ['an unknown database', (url: URL) => (url.pathname = '/nowhere'), 'no database of this name'],
])('a start with %s fails at once and says why', async (_what, spoil, says) => {
  const url = new URL(postgres.url)
  spoil(url)
  const waits: string[] = []
  const log = makeLog('info', { write: (line) => void waits.push(line) })
  await expect(openDatabase({ dataDir: '', databaseUrl: url.href, log })).rejects.toThrow(says)
  expect(waits).toEqual([])
})

test('a start waits for a server that is away, logs that, and names the reason when it gives up', async () => {
  await using proxy = await makeTcpProxy(postgres.url)
  const databaseUrl = proxy.through(postgres.url)
  await proxy.refuse()
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
  {
    using clock = makeTestClock()
    const waiting = openDatabase({ dataDir: '', databaseUrl, log })
    await expect.poll(() => lines).toEqual([expect.stringContaining('refuses connections')])
    clock.pass(POSTGRES_START_WAIT_MS)
    await expect(waiting).rejects.toThrow(
      /PostgreSQL at 127\.0\.0\.1:\d+ was away .* refuses connections/,
    )
    expect(lines).toHaveLength(1)
  }
  const opening = openDatabase({ dataDir: '', databaseUrl, log })
  await expect.poll(() => lines.length).toBe(2)
  await proxy.accept()
  await (await opening).destroy()
  expect(lines.at(-1)).toContain('answers')
})
