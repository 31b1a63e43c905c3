// Statements that are built once.
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { compiledOnce } from './compiled.ts'

test.each(DATABASES)(
  'a statement is built once for each set of names on %s, and has the values of each call',
  async (_name, open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const save = compiledOnce((tx, { key, ...row }: Version) => {
      built.push(Object.keys(row).join(' '))
      return tx
        .insertInto('publicList')
        .values({ key, changedAt: '2026', ...row })
        .onConflict((c) => c.column('key').doUpdateSet(row))
        .returning(['key', 'version', 'changedAt'])
    })
    const rows = [
      await save(db, { key: 'a', version: 'one' }),
      await save(db, { key: 'b', version: 'two' }),
      await save(db, { key: 'b', version: 'three', changedAt: '2027' }),
      await db.transaction().execute((tx) => save(tx, { key: 'a', version: 'four' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([
      { key: 'a', version: 'one', changedAt: '2026' },
      { key: 'b', version: 'two', changedAt: '2026' },
      { key: 'b', version: 'three', changedAt: '2027' },
      { key: 'a', version: 'four', changedAt: '2026' },
    ])
    expect(built).toEqual(['version', 'version changedAt'])
  },
)

test.each(DATABASES)(
  'a statement of several shapes is built once for each of them on %s, in transactions, too',
  async (_name, open) => {
    await using database = await open()
    const { db } = database
    const built: string[] = []
    const find = compiledOnce((tx, { key }: { key: string }, { column }: { column: Column }) => {
      built.push(column)
      return tx.selectFrom('publicList').select(`${column} as found`).where('key', '=', key)
    })
    const row = { key: 'a', version: 'one', changedAt: '2026' }
    await db.insertInto('publicList').values(row).execute()
    const rows = [
      await find(db, { key: 'a' }, { column: 'version' }),
      await find(db, { key: 'a' }, { column: 'changedAt' }),
      await find(db, { key: 'b' }, { column: 'version' }),
      await db.transaction().execute((tx) => find(tx, { key: 'a' }, { column: 'version' })),
    ].flatMap((result) => result.rows)
    expect(rows).toEqual([{ found: 'one' }, { found: '2026' }, { found: 'one' }])
    expect(built).toEqual(['version', 'changedAt'])
  },
)

const ON_SQLITE = DATABASES.filter(([name]) => name === 'SQLite')

test.each(ON_SQLITE)('%s need not plan a statement again', async (_name, open) => {
  await using database = await open()
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

type Version = { key: string; version: string; changedAt?: string }
type Column = 'version' | 'changedAt'
