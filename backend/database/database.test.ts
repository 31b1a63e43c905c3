// Opening, migrating and transactions, on both databases.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeTestClock } from '#test/support/clock.ts'
import { describeEachDatabase, makePostgresDatabase } from '#test/support/databases.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { MIGRATION_WAIT_MS, openDatabase, sqlitePath } from './database.ts'
import { OLD_MIGRATIONS } from './old-database.ts'
import type { Database } from './schema.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))

describeEachDatabase('database', (open, name) => {
  test('work passed to afterCommit starts only after the commit', async () => {
    await using opened = await open()
    const steps: string[] = []
    await inTransaction(opened.db, background, async (tx, afterCommit) => {
      afterCommit('note', async () => void steps.push('after'))
      await tx.selectFrom('user').select('id').execute()
      steps.push('inside')
    })
    await background.drained()
    expect(steps).toEqual(['inside', 'after'])
  })

  test('a failed transaction leaves no row and starts no work', async () => {
    await using opened = await open()
    let started = 0
    const failing = inTransaction(opened.db, background, async (tx, afterCommit) => {
      afterCommit('note', async () => void started++)
      await tx
        .insertInto('session')
        .values({
          id: 's',
          userId: 'none',
          secretHash: '',
          provider: '',
          providerUid: '',
          providerAccessToken: '',
          providerAccessTokenExpiresAt: '',
          providerRefreshToken: '',
          ip: '',
          userAgent: '',
          createdAt: '',
          lastUsedAt: '',
          expiresAt: '',
        })
        .execute()
    })
    await expect(failing).rejects.toMatchObject({
      code: name === 'SQLite' ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : '23503',
    })
    await background.drained()
    expect(started).toBe(0)
  })

  test('a caller that was refused because of a concurrent write can read that write', async () => {
    await using opened = await open()
    const { db } = opened
    const person = (id: string) => ({
      id,
      name: id,
      email: 'one@example.test',
      isVerified: 0,
      isBlocked: 0,
      prefs: '{}',
      createdAt: '',
      updatedAt: '',
      accessedAt: '',
    })
    const add = (id: string) => (tx: Database) => tx.insertInto('user').values(person(id)).execute()
    const seen: (string | undefined)[] = []
    const reading = async (work: Promise<unknown>) => {
      if (await work.then(() => true).catch(() => false)) return
      seen.push((await db.selectFrom('user').select('id').executeTakeFirst())?.id)
    }
    await Promise.all([
      reading(inTransaction(db, background, add('first'))),
      reading(inTransaction(db, background, add('second'))),
      reading(add('third')(db)),
      // These keep the others waiting for the commit.
      ...Array.from({ length: 20 }, () =>
        inTransaction(db, background, (tx) => tx.deleteFrom('session').execute()),
      ),
    ])
    expect(seen).toHaveLength(2)
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toBeTruthy()
  })

  test.runIf(name === 'SQLite')(
    'a query that bypasses the transaction throws instead of waiting for ever',
    async () => {
      await using opened = await open()
      const failing = inTransaction(opened.db, background, async () =>
        opened.db.selectFrom('user').select('id').execute(),
      )
      await expect(failing).rejects.toThrow('pass tx down')
    },
  )
})

test('an interrupted migration on SQLite has changed nothing, and the next start repeats it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-half-way-'))
  const opening = { dataDir: folder.path, databaseUrl: undefined }
  using file = makeFile(sqlitePath(folder.path))
  // A table that one of the last steps of the migration creates already exists.
  file.database.exec('create table "siteValue" (name text)')
  await expect(openDatabase(opening)).rejects.toThrow('could not be brought up to date')
  const tables = file.database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%'")
    .pluck()
    .all()
  expect(tables.filter((table) => table !== 'sqlite_sequence')).toEqual(['siteValue'])
  file.database.exec('drop table "siteValue"')
  const db = await openDatabase(opening)
  expect(await db.selectFrom('post').select('isHidden').execute()).toEqual([])
  await db.destroy()
})

test('when several processes start at once on PostgreSQL, one migrates and the others wait', {
  tags: ['more'],
}, async () => {
  const { url, drop } = await makePostgresDatabase({ isEmpty: true })
  await using stack = new AsyncDisposableStack()
  stack.defer(drop)
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => openDatabase({ dataDir: '', databaseUrl: url })),
  )
  for (const db of opened) stack.defer(() => db.destroy())
  expect(await opened[0]?.selectFrom('post').select('id').execute()).toEqual([])
})

test('a starting process does not wait for ever for one that migrates', {
  tags: ['more'],
}, async () => {
  const { url, drop } = await makePostgresDatabase({ isEmpty: true })
  await using stack = new AsyncDisposableStack()
  stack.defer(drop)
  const holding = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  await (await openDatabase({ dataDir: '', databaseUrl: url })).destroy()
  // A backup comes before changes, and the lock before the backup.
  await using client = await connectTo(url)
  const old = OLD_MIGRATIONS.map((name) => `('${name}', '')`).join(', ')
  await client.ask(`delete from kysely_migration; insert into kysely_migration values ${old}`)
  const first = openDatabase({
    dataDir: '',
    databaseUrl: url,
    async beforeChange() {
      isLocked.resolve()
      await holding.promise
      throw new Error('enough')
    },
  })
  await isLocked.promise
  using clock = makeTestClock()
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line).event) })
  const second = openDatabase({ dataDir: '', databaseUrl: url, log })
  await expect.poll(() => lines).toEqual(['migration awaited'])
  clock.pass(MIGRATION_WAIT_MS)
  await expect(second).rejects.toThrow('Another process has been changing the tables')
  holding.resolve()
  await expect(first).rejects.toThrow('enough')
})

async function connectTo(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    ask: (text: string) => client.query(text),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

function makeFile(path: string): Disposable & { database: SqliteFile.Database } {
  const database = new SqliteFile(path)
  return { database, [Symbol.dispose]: () => database.close() }
}
