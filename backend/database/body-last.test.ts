// The migration that puts the text of a post behind all other columns of its row.
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openSqlite } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { up } from './migrations/0024-body-last.ts'
import type { Database } from './schema.ts'

const TIME = '2025-11-20T10:00:00.000Z'

async function addPost(db: Database, id: string, content: string): Promise<void> {
  const row = { id, title: id, content, featuredImage: '', userId: 'alice', status: 'active' }
  const rest = { permissions: '[]', readers: 'any', createdAt: TIME, updatedAt: TIME }
  await db
    .insertInto('post')
    .values({ ...row, ...rest })
    .execute()
}

async function columns(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.find(({ name }) => name === 'post')?.columns.map(({ name }) => name) ?? []
}

/** As after an update of the program that added a column. */
async function addLateColumn(db: Database): Promise<void> {
  await sql`alter table post add column late text not null default ''`.execute(db)
}

test('the text of a post becomes the last column, keeps what it says, and is noted for the search as before', async () => {
  await using opened = await openSqlite()
  const db = opened.db
  await addPeople(db, ['alice'])
  await addPost(db, 'one', '<p>first</p>')
  await addLateColumn(db)
  await up(db as unknown as Kysely<unknown>)

  expect((await columns(db)).at(-1)).toBe('content')
  await sql`update "searchPost" set "isDue" = 0`.execute(db)
  await db.updateTable('post').set({ content: '<p>second</p>' }).where('id', '=', 'one').execute()
  const rows = await db.selectFrom('searchPost').select(['isDue']).execute()
  expect(rows).toEqual([{ isDue: 1 }])
})

test('one that was cut off goes on: between two batches, and before the new column has its name', async () => {
  await using opened = await openSqlite()
  const db = opened.db
  await addPeople(db, ['alice'])
  for (const id of ['one', 'two']) await addPost(db, id, `<p>${id}</p>`)
  await addLateColumn(db)
  await sql`alter table post add column body text not null default ''`.execute(db)
  await sql`update post set body = content where id = 'one'`.execute(db)
  await up(db as unknown as Kysely<unknown>)
  const texts = db.selectFrom('post').select(['id', 'content']).orderBy('seq')
  const all = [
    { id: 'one', content: '<p>one</p>' },
    { id: 'two', content: '<p>two</p>' },
  ]
  expect(await texts.execute()).toEqual(all)

  await sql`drop trigger "searchText"`.execute(db)
  await sql`alter table post rename column content to body`.execute(db)
  await up(db as unknown as Kysely<unknown>)
  expect(await texts.execute()).toEqual(all)
})
