// Reads that share connections: each gets its own answer or its own fault, and none waits for a
// slow one that was there before it.
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openDatabase } from './database.ts'
import type { Database } from './schema.ts'

const openPostgres = () => DATABASES.find(([name]) => name === 'PostgreSQL')?.[1]() ?? never()

function never(): never {
  throw new Error('There is no PostgreSQL')
}

const echo = async (db: Database, value: number) => {
  const asked = db.selectNoFrom(sql<number>`${value}::int`.as('value'))
  return (await asked.executeTakeFirstOrThrow()).value
}

/** Asks what is answered after the end of the test. @returns the status of its end before */
const askForLong = (db: Database): Promise<number> =>
  sql`select pg_sleep(3600)`.execute(db).then(
    () => 200,
    ({ status }) => status,
  )

/** Waits until somebody is asleep, and wakes them. */
async function endAsleep(url: string | undefined, how: 'cancel' | 'terminate'): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const ending = `select pg_${how}_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`
  for (let ended = 0; ended === 0; ) ended = (await admin.query(ending)).rowCount ?? 0
  await admin.end()
}

test('a thousand reads at once get each its own answer', async () => {
  await using opened = await openPostgres()
  // So many at once wait for each other longer than one call may wait.
  const limits = { connect: 60_000, silence: 60_000 }
  const db = await openDatabase({ dataDir: '', databaseUrl: opened.url, limits })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  const values = Array.from({ length: 1000 }, (_, at) => at)
  expect(await Promise.all(values.map((value) => echo(db, value)))).toEqual(values)
})

test('a read that fails leaves those sent with it alone', async () => {
  await using opened = await openPostgres()
  const { db } = opened
  const failing = () => sql`select 1 / 0`.execute(db).then(String, ({ code }) => code)
  const together = Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? failing() : echo(db, at)))
  const found = await Promise.all(together)
  expect(found).toEqual(found.map((_, at) => (at % 3 === 0 ? '22012' : at)))
})

test('reads do not wait behind a slow one', async () => {
  await using opened = await openPostgres()
  const { db, url } = opened
  await echo(db, 0)
  let slowEnds = 0
  const slow = askForLong(db).then((end) => {
    slowEnds = end
  })
  const values = Array.from({ length: 100 }, (_, at) => at)
  for (const value of values) expect(await echo(db, value)).toBe(value)
  expect(slowEnds).toBe(0)
  await endAsleep(url, 'cancel')
  await slow
  expect(slowEnds).toBe(503)
})

test('a connection that the server ends is a 503 for what it was asked, and the next is another', async () => {
  await using opened = await openPostgres()
  const { db, url } = opened
  const slow = askForLong(db)
  await endAsleep(url, 'terminate')
  expect(await slow).toBe(503)
  await expect.poll(() => echo(db, 7).catch(() => 'away')).toBe(7)
})
