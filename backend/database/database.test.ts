// Opening, migrating and transactions, on both databases.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { openDatabase, sqlitePath } from './database.ts'
import { inTransaction } from './transaction.ts'

const background = makeBackground(makeLog('silent'))

describe.each(DATABASES)('database on %s', (name, open) => {
  test('work given to after starts only after the commit', async () => {
    await using opened = await open()
    const steps: string[] = []
    await inTransaction(opened.db, background, async (tx, after) => {
      after('note', async () => void steps.push('after'))
      await tx.selectFrom('user').select('id').execute()
      steps.push('inside')
    })
    await background.drained()
    expect(steps).toEqual(['inside', 'after'])
  })

  test('a failed transaction leaves no row and starts no work', async () => {
    await using opened = await open()
    let started = 0
    const failing = inTransaction(opened.db, background, async (tx, after) => {
      after('note', async () => void started++)
      await tx
        .insertInto('postLike')
        .values({ postId: 'none', userId: 'none', createdAt: '' })
        .execute()
    })
    await expect(failing).rejects.toMatchObject({
      code: name === 'SQLite' ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : '23503',
    })
    await background.drained()
    expect(started).toBe(0)
  })

  test.runIf(name === 'SQLite')(
    'a query past the transaction throws instead of waiting for ever',
    async () => {
      await using opened = await open()
      const failing = inTransaction(opened.db, background, async () =>
        opened.db.selectFrom('user').select('id').execute(),
      )
      await expect(failing).rejects.toThrow('pass tx down')
    },
  )
})

test('a migration that ends half-way on SQLite has changed nothing, and the next start does it all', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-half-way-'))
  const opening = { dataDir: folder.path, databaseUrl: undefined }
  using file = makeFile(sqlitePath(folder.path))
  // The table of the last step of a migration is in its way.
  file.database.exec('create table invitation (id text)')
  await expect(openDatabase(opening)).rejects.toThrow('could not be brought up to date')
  const tables = file.database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%'")
    .pluck()
    .all()
  expect(tables.filter((table) => table !== 'sqlite_sequence')).toEqual(['invitation'])
  file.database.exec('drop table invitation')
  const db = await openDatabase(opening)
  expect(await db.selectFrom('post').select('isHidden').execute()).toEqual([])
  await db.destroy()
})

function makeFile(path: string): Disposable & { database: SqliteFile.Database } {
  const database = new SqliteFile(path)
  return { database, [Symbol.dispose]: () => database.close() }
}
