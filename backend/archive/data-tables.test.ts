// Which tables are in an archive, and in which order.
import { expect, test } from 'vitest'
import {
  listTables,
  openPostgres,
  openSqlite,
  type RawDatabase,
} from '#backend/backups/raw-database.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { findMigratedSqlite } from '#test/support/find-servers.ts'
import { DATA_TABLES, NOT_IN_AN_ARCHIVE } from './data-tables.ts'
import { type Column, readColumns } from './table-columns.ts'

/** On PostgreSQL only. */
const ONLY_ON_POSTGRES = ['secretMark']
const EXPORTED = Object.keys(DATA_TABLES)

async function describeAll(database: RawDatabase) {
  const columns: Column[][] = []
  for (const table of EXPORTED) columns.push(await readColumns(database, table))
  return { tables: await listTables(database), columns }
}

test('each table of the database is either in an archive or named with the reason why not', async () => {
  await using database = openSqlite(await findMigratedSqlite())
  const { tables, columns } = await describeAll(database)
  const classified = [...EXPORTED, ...Object.keys(NOT_IN_AN_ARCHIVE)]
  expect(classified.filter((table) => !ONLY_ON_POSTGRES.includes(table)).toSorted()).toEqual(tables)
  const withoutKey = EXPORTED.filter((_, at) => !columns[at]?.some(({ isKey }) => isKey))
  expect(withoutKey).toEqual([])
})

test('a table comes after those that its rows refer to', async () => {
  await using database = openSqlite(await findMigratedSqlite())
  const references = await database.query(
    `select m.name as "from", f."table" as "to"
       from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'`,
  )
  const wrong = references.filter(
    ({ from, to }) =>
      EXPORTED.includes(String(from)) &&
      EXPORTED.indexOf(String(to)) > EXPORTED.indexOf(String(from)),
  )
  expect(wrong).toEqual([])
  expect(references.length).toBeGreaterThan(20)
})

test('both databases describe the tables alike', { tags: ['more'] }, async () => {
  const { url, drop } = await makePostgresDatabase()
  {
    await using postgres = await openPostgres(url)
    await using sqlite = openSqlite(await findMigratedSqlite())
    const [onPostgres, onSqlite] = [await describeAll(postgres), await describeAll(sqlite)]
    expect(onPostgres.columns).toEqual(onSqlite.columns)
    expect(onPostgres.tables).toEqual([...onSqlite.tables, ...ONLY_ON_POSTGRES].toSorted())
  }
  await drop()
})
