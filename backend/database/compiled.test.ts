// Statements that are built once.
import { expect, test } from 'vitest'
import { openSqlite, testEachDatabase } from '#test/support/databases.ts'
import { prepared } from './dialect.ts'

testEachDatabase(
  'a statement is built once for each set of names, and has the values of each call',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const save = prepared((tx, { slot, ...row }: Version) => {
      built.push(Object.keys(row).join(' '))
      return tx
        .insertInto('publicVersion')
        .values({ slot, likes: 1, ...row })
        .onConflict((c) => c.column('slot').doUpdateSet(row))
        .returning(['slot', 'version', 'likes'])
    })
    const rows = [
      await save(db, { slot: 30, version: 21 }),
      await save(db, { slot: 31, version: 22 }),
      await save(db, { slot: 31, version: 23, likes: 2 }),
      await db.transaction().execute((tx) => save(tx, { slot: 30, version: 24 })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([
      { slot: 30, version: 21, likes: 1 },
      { slot: 31, version: 22, likes: 1 },
      { slot: 31, version: 23, likes: 2 },
      { slot: 30, version: 24, likes: 1 },
    ])
    expect(built).toEqual(['version', 'version likes'])
  },
)

testEachDatabase(
  'a statement of several shapes is built once for each of them, in transactions, too',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const find = prepared((tx, { slot }: { slot: number }, { column }: { column: Column }) => {
      built.push(column)
      return tx.selectFrom('publicVersion').select(`${column} as found`).where('slot', '=', slot)
    })
    const row = { slot: 30, version: 21, likes: 1 }
    await db.insertInto('publicVersion').values(row).execute()
    const rows = [
      await find(db, { slot: 30 }, { column: 'version' }),
      await find(db, { slot: 30 }, { column: 'likes' }),
      await find(db, { slot: 31 }, { column: 'version' }),
      await db.transaction().execute((tx) => find(tx, { slot: 30 }, { column: 'version' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([{ found: 21 }, { found: 1 }, { found: 21 }])
    expect(built).toEqual(['version', 'likes'])
  },
)

test('SQLite need not plan a statement again', async () => {
  await using database = await openSqlite()
  const query = database.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select('session.id')
    .where('secretHash', '=', 'one')
    .limit(3)
    .offset(2)
  const { sql, parameters } = query.compile()
  expect(sql.replace(/.* where /, '')).toBe('"secretHash" = +? limit 3 offset +?')
  expect(parameters).toEqual(['one', 2])
  expect(await query.execute()).toEqual([])
})

type Version = { slot: number; version: number; likes?: number }
type Column = 'version' | 'likes'
