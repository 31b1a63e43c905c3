// Statements that are built once.
import { expect, test } from 'vitest'
import { openSqlite, testEachDatabase } from '#test/support/databases.ts'
import { compiledOnce } from './dialect.ts'

testEachDatabase(
  'a statement is built once for each set of names, and has the values of each call',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const save = compiledOnce((tx, { id, ...row }: Version) => {
      built.push(Object.keys(row).join(' '))
      return tx
        .insertInto('searchState')
        .values({ id, doneFrom: 1, ...row })
        .onConflict((c) => c.column('id').doUpdateSet(row))
        .returning(['id', 'version', 'doneFrom'])
    })
    const rows = [
      await save(db, { id: 10, version: 'one' }),
      await save(db, { id: 11, version: 'two' }),
      await save(db, { id: 11, version: 'three', doneFrom: 2 }),
      await db.transaction().execute((tx) => save(tx, { id: 10, version: 'four' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([
      { id: 10, version: 'one', doneFrom: 1 },
      { id: 11, version: 'two', doneFrom: 1 },
      { id: 11, version: 'three', doneFrom: 2 },
      { id: 10, version: 'four', doneFrom: 1 },
    ])
    expect(built).toEqual(['version', 'version doneFrom'])
  },
)

testEachDatabase(
  'a statement of several shapes is built once for each of them, in transactions, too',
  async (open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const find = compiledOnce((tx, { id }: { id: number }, { column }: { column: Column }) => {
      built.push(column)
      return tx.selectFrom('searchState').select(`${column} as found`).where('id', '=', id)
    })
    const row = { id: 10, version: 'one', doneFrom: 1 }
    await db.insertInto('searchState').values(row).execute()
    const rows = [
      await find(db, { id: 10 }, { column: 'version' }),
      await find(db, { id: 10 }, { column: 'doneFrom' }),
      await find(db, { id: 11 }, { column: 'version' }),
      await db.transaction().execute((tx) => find(tx, { id: 10 }, { column: 'version' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([{ found: 'one' }, { found: 1 }, { found: 'one' }])
    expect(built).toEqual(['version', 'doneFrom'])
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

type Version = { id: number; version: string; doneFrom?: number }
type Column = 'version' | 'doneFrom'
