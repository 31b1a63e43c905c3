// Prepared statements are compiled once.
import { expect, test } from 'vitest'
import { openSqlite, testEachDatabase } from '#test/support/databases.ts'
import { prepared } from './dialect.ts'

testEachDatabase(
  'a statement is built once for each set of columns, and gets the values of each call',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const save = prepared((tx, { id, ...row }: Window) => {
      built.push(Object.keys(row).join(' '))
      return tx
        .insertInto('rateCount')
        .values({ id, calls: 1, ...row })
        .onConflict((c) => c.column('id').doUpdateSet(row))
        .returning(['id', 'endMs', 'calls'])
    })
    const rows = [
      await save(db, { id: 'a', endMs: 21 }),
      await save(db, { id: 'b', endMs: 22 }),
      await save(db, { id: 'b', endMs: 23, calls: 2 }),
      await db.transaction().execute((tx) => save(tx, { id: 'a', endMs: 24 })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([
      { id: 'a', endMs: 21, calls: 1 },
      { id: 'b', endMs: 22, calls: 1 },
      { id: 'b', endMs: 23, calls: 2 },
      { id: 'a', endMs: 24, calls: 1 },
    ])
    expect(built).toEqual(['endMs', 'endMs calls'])
  },
)

testEachDatabase(
  'a statement of several shapes is built once for each of them, even in transactions',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const find = prepared((tx, { id }: { id: string }, { column }: { column: Column }) => {
      built.push(column)
      return tx.selectFrom('rateCount').select(`${column} as found`).where('id', '=', id)
    })
    const row = { id: 'a', endMs: 21, calls: 1 }
    await db.insertInto('rateCount').values(row).execute()
    const rows = [
      await find(db, { id: 'a' }, { column: 'endMs' }),
      await find(db, { id: 'a' }, { column: 'calls' }),
      await find(db, { id: 'b' }, { column: 'endMs' }),
      await db.transaction().execute((tx) => find(tx, { id: 'a' }, { column: 'endMs' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([{ found: 21 }, { found: 1 }, { found: 21 }])
    expect(built).toEqual(['endMs', 'calls'])
  },
)

test('SQLite does not plan a statement again when its values change', async () => {
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

type Window = { id: string; endMs: number; calls?: number }
type Column = 'endMs' | 'calls'
