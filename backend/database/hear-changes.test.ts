// The order in which changes of PostgreSQL are heard after a lost connection.
import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { DATABASES } from '#test/support/databases.ts'
import { hearAtOnce, isHearing } from './change-ears.ts'
import { findLastChange } from './change-log.ts'
import { announce } from './changes.ts'
import { openDatabase } from './database.ts'
import { hearChanges } from './hear-changes.ts'
import { inTransaction } from './transaction.ts'

/** The numbers that have come by NOTIFY, and been handled. */
const notified: string[] = []
vi.mock('./postgres-listening.ts', async (load) => {
  const { startListening } = await load<typeof import('./postgres-listening.ts')>()
  return {
    startListening: ((needs, ears) =>
      startListening(needs, {
        ...ears,
        notify(payload) {
          ears.notify(payload)
          notified.push(payload)
        },
      })) satisfies typeof startListening,
  }
})

test('what came while older changes are still looked for is heard after them', async () => {
  const [, open] = DATABASES[1] ?? []
  if (!open) throw new Error('There is no PostgreSQL')
  await using database = await open()
  const { db, url } = database
  const log = makeLog('silent')
  const background = makeBackground(log)
  const say = (userId: string) =>
    inTransaction(db, background, async (tx) => announce(tx, { kind: 'access', userId }))
  let gate: Promise<void> | undefined
  const asked = Promise.withResolvers<void>()
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (gate !== undefined) asked.resolve()
      await gate
      return result
    },
  }
  const heard: string[] = []
  const hearing = await hearChanges(
    { db: db.withPlugin(slow), databaseUrl: url, log },
    {
      change: (change) => void (change.kind === 'access' && heard.push(change.userId)),
      missed: () => {},
    },
  )
  await say('one')
  await expect.poll(() => heard).toEqual(['one'])
  const found = Promise.withResolvers<void>()
  gate = found.promise
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await say('two')
  await asked.promise
  await say('three')
  gate = undefined
  await expect.poll(() => notified).toContain(String(await findLastChange(db)))
  found.resolve()
  await expect.poll(() => heard.length).toBe(3)
  expect(heard).toEqual(['one', 'two', 'three'])
  await hearing.stop()
})

describe.each(DATABASES)('what is kept in memory on %s', (_name, open) => {
  test('is emptied by a change before the call that made it goes on, once', async () => {
    await using database = await open()
    const { db, url } = database
    const log = makeLog('silent')
    const heard: string[] = []
    const told: string[] = []
    hearAtOnce(db, {
      change: (change) => void (change.kind === 'access' && heard.push(change.userId)),
      missed: () => {},
    })
    const hearing = await hearChanges(
      { db, databaseUrl: url, log },
      { change: () => void told.push('one'), missed: () => {} },
    )
    await expect.poll(() => isHearing(db)).toBe(true)
    const saying = inTransaction(db, makeBackground(log), async (tx) => {
      announce(tx, { kind: 'access', userId: 'one' })
      expect(heard).toEqual([])
    })
    await saying
    expect(heard).toEqual(['one'])
    await expect.poll(() => told).toEqual(['one'])
    expect(heard).toEqual(['one'])
    await hearing.stop()
  })
})

test('what is kept of PostgreSQL hears of others, and knows when it does not', async () => {
  const [, open] = DATABASES[1] ?? []
  if (!open) throw new Error('There is no PostgreSQL')
  await using database = await open()
  const { db, url } = database
  const log = makeLog('silent')
  const other = await openDatabase({ dataDir: '', databaseUrl: url })
  const heard: string[] = []
  hearAtOnce(db, {
    change: (change) => void (change.kind === 'access' && heard.push(change.userId)),
    missed: () => {},
  })
  const hearing = await hearChanges(
    { db, databaseUrl: url, log },
    { change: () => {}, missed: () => {} },
  )
  const say = (userId: string) =>
    inTransaction(other, makeBackground(log), async (tx) =>
      announce(tx, { kind: 'access', userId }),
    )
  await say('one')
  await expect.poll(() => heard).toEqual(['one'])
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await expect.poll(() => isHearing(db)).toBe(false)
  await say('two')
  await expect.poll(() => isHearing(db)).toBe(true)
  expect(heard).toEqual(['one', 'two'])
  await hearing.stop()
  await other.destroy()
})
