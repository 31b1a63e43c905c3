// The migration that lets tokens stand side by side, on databases that hold some already.
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { runAll } from './migration-steps.ts'
import { statements } from './migrations/0011-sign-in-tokens-and-logs.ts'
import type { Database } from './schema.ts'

const TIME = '2023-11-20T13:37:00.000Z'

/** As the migrations before it left them. */
async function makeOld(db: Database): Promise<void> {
  await addPeople(db, ['alice'])
  await sql`drop table ${sql.table('signInLog')}`.execute(db)
  await sql`drop table token`.execute(db)
  for (const index of ['personByRole', 'personByRoleAndProof', 'userOperators'])
    await db.schema.dropIndex(index).execute()
  await db.schema.alterTable('user').dropColumn('labels').execute()
  await db.schema.alterTable('oauthState').dropColumn('isForToken').execute()
  await db.schema
    .createTable('token')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addUniqueConstraint('tokenKey', ['userId', 'kind'])
    .execute()
}

const TOKEN = { id: 't1', userId: 'alice', kind: 'recovery', secretHash: 'h1' }
const TIMES = { createdAt: TIME, expiresAt: TIME }

describeEachDatabase('tokens of before', (open) => {
  test('are kept, and end with their user', async () => {
    await using opened = await open()
    const { db } = opened
    await makeOld(db)
    await sql`insert into token (id, ${sql.ref('userId')}, kind, ${sql.ref('secretHash')}, ${sql.ref('createdAt')}, ${sql.ref('expiresAt')})
      values ('t1', 'alice', 'recovery', 'h1', ${TIME}, ${TIME})`.execute(db)
    await runAll(db as unknown as Kysely<unknown>, statements())
    const kept = { ...TOKEN, ...TIMES, alias: '', providerUid: '', guessesLeft: null }
    expect(await db.selectFrom('token').selectAll().execute()).toEqual([kept])
    await db
      .insertInto('token')
      .values({ ...kept, id: 't2', secretHash: 'h2' })
      .execute()
    await db.deleteFrom('user').where('id', '=', 'alice').execute()
    expect(await db.selectFrom('token').selectAll().execute()).toEqual([])
  })
})
