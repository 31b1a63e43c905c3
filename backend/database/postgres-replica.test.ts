// Reads at a streaming replica: what was committed before a request began is in them, or the
// primary answers.
// @module-tag more
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DebianPostgres,
  findDebianPostgres,
  type Replica,
  startDebianPostgres,
} from '#test/support/debian-postgres.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { openDatabase } from './database.ts'
import { besideReading, reading } from './read-scope.ts'
import type { Database } from './schema.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))
const programs = await findDebianPostgres()

let postgres: DebianPostgres
let replica: Replica
beforeAll(async () => {
  if (programs === undefined) return
  postgres = await startDebianPostgres(programs)
  replica = await postgres.startReplica()
})
afterAll(() => postgres?.[Symbol.asyncDispose]())

/** Two processes, as it were, on a new database. */
async function openBoth() {
  await using making = new AsyncDisposableStack()
  let stack: AsyncDisposableStack = making
  const name = `blog${++databases}`
  const databaseUrl = await postgres.makeDatabase(name)
  const events: unknown[] = []
  const log = makeLog('info', { write: (line) => void events.push(JSON.parse(line).event) })
  const open = async (replicaUrl: string) => {
    const db = await openDatabase({ dataDir: '', databaseUrl, replicaUrl, log })
    stack.defer(() => db.destroy())
    return db
  }
  const [one, other] = [await open(replica.addressOf(name)), await open(replica.addressOf(name))]
  await replica.untilSame()
  const opened = making.move()
  stack = opened
  return {
    ...{ one, other, events, open, databaseUrl },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
let databases = 0

const isAtReplica = (db: Database) =>
  reading(async () => {
    const asked = db.selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('is'))
    return (await asked.executeTakeFirstOrThrow()).is
  })

function addUser(db: Database, id: string): Promise<unknown> {
  const row = { name: '', passwordHash: null, passwordUpdatedAt: null, isVerified: 1, isBlocked: 0 }
  const times = { createdAt: '', updatedAt: '', accessedAt: '' }
  return inTransaction(db, background, (tx) =>
    tx
      .insertInto('user')
      .values({ ...row, ...times, prefs: '{}', id, email: id })
      .execute(),
  )
}

const listUsers = async (db: Database) =>
  (await db.selectFrom('user').select('id').orderBy('id').execute()).map(({ id }) => id)

describe.skipIf(programs === undefined)('a replica', () => {
  test('is read by requests that change nothing, never by transactions or beside requests', async () => {
    await using it = await openBoth()
    expect(await isAtReplica(it.one)).toBe(true)
    const where = it.one.selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('is'))
    expect(await where.executeTakeFirst()).toEqual({ is: false })
    const inside = reading(() =>
      it.one.transaction().execute((tx) => tx.executeQuery(where.compile())),
    )
    expect((await inside).rows).toEqual([{ is: false }])
  })

  test('that is behind is not read: everybody sees at once what anybody has written', async () => {
    await using it = await openBoth()
    await replica.pause()
    await addUser(it.one, 'alice')
    for (const db of [it.one, it.other])
      expect(await reading(() => listUsers(db))).toEqual(['alice'])
    expect(await isAtReplica(it.other)).toBe(false)
    await replica.resume()
    await replica.untilSame()
    expect(await isAtReplica(it.other)).toBe(true)
    expect(await reading(() => listUsers(it.other))).toEqual(['alice'])
  })

  test('under writes never answers with less than was acknowledged before', async () => {
    await using it = await openBoth()
    const written: string[] = []
    let atReplica = 0
    for (let turn = 0; turn < 150; turn++) {
      const id = `user-${String(turn).padStart(3, '0')}`
      await addUser(turn % 2 === 0 ? it.one : it.other, id)
      written.push(id)
      const found = await Promise.all(
        [it.one, it.other, it.one].map((db) => reading(() => listUsers(db))),
      )
      for (const users of found) expect(users).toEqual(written)
      if (await isAtReplica(it.one)) atReplica++
    }
    expect(atReplica).toBeGreaterThan(0)
  })

  test('a request that has written something reads it afterwards', async () => {
    await using it = await openBoth()
    await replica.untilSame()
    await reading(async () => {
      expect(await listUsers(it.one)).toEqual([])
      await replica.pause()
      await addUser(it.one, 'alice')
      expect(await listUsers(it.one)).toEqual(['alice'])
    })
    await replica.resume()
  })

  test('is still read by a request that has only counted', async () => {
    await using it = await openBoth()
    await reading(async () => {
      await besideReading(() => it.one.deleteFrom('user').execute())
      await replica.untilSame()
      expect(await isAtReplica(it.one)).toBe(true)
      await it.one.deleteFrom('user').execute()
      expect(await isAtReplica(it.one)).toBe(false)
    })
  })

  test('a server that is no replica of the primary is not read', async () => {
    await using it = await openBoth()
    await using stranger = await startDebianPostgres(programs ?? '')
    const strange = await it.open(await stranger.makeDatabase('blog'))
    const self = await it.open(it.databaseUrl)
    await addUser(it.one, 'alice')
    for (const db of [strange, self]) expect(await reading(() => listUsers(db))).toEqual(['alice'])
    expect(it.events).toEqual(['replica away', 'replica away'])
  })

  test('that goes away has one line, and reads go on at the primary', async () => {
    await using it = await openBoth()
    await addUser(it.one, 'alice')
    await replica.untilSame()
    expect(await isAtReplica(it.one)).toBe(true)
    await replica[Symbol.asyncDispose]()
    for (let turn = 0; turn < 5; turn++)
      expect(await reading(() => listUsers(it.one))).toEqual(['alice'])
    expect(it.events).toEqual(['replica away'])
  })
})
