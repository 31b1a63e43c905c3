// Transactions that PostgreSQL aborts in favour of others are retried.
// @module-tag more
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPostgres } from '#test/support/databases.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import type { Database } from './schema.ts'
import { CONFLICT_RETRY_ATTEMPTS, inTransaction, lockUser } from './transaction.ts'

const background = makeBackground(makeLog('silent'))

const BLANK = {
  name: '',
  passwordHash: null,
  passwordUpdatedAt: null,
  isVerified: 1,
  isBlocked: 0,
  prefs: '{}',
  createdAt: '',
  updatedAt: '',
  accessedAt: '',
}

async function addUsers(db: Database, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await db
      .insertInto('user')
      .values({ ...BLANK, id, email: id })
      .execute()
}

test('two transactions in a deadlock both succeed, and work after their commits runs once', async () => {
  await using opened = await openPostgres()
  await addUsers(opened.db, 'alice', 'bob')
  const followed: string[] = []
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const lockInTurn = (name: string, at: 0 | 1, ids: [string, string]) =>
    inTransaction(opened.db, background, async (tx, afterCommit) => {
      afterCommit(name, async () => void followed.push(name))
      await sql`set local deadlock_timeout = '10ms'`.execute(tx)
      await lockUser(tx, ids[0])
      both[at].resolve()
      await both[at === 0 ? 1 : 0].promise
      await lockUser(tx, ids[1])
    })
  await Promise.all([
    lockInTurn('one', 0, ['alice', 'bob']),
    lockInTurn('other', 1, ['bob', 'alice']),
  ])
  await background.drained()
  expect(followed.sort()).toEqual(['one', 'other'])
})

test.each(['40001', '40P01'])(
  'a transaction that PostgreSQL aborts each time (%s) is a 503 after some attempts',
  async (code) => {
    await using opened = await openPostgres()
    let attempts = 0
    const failing = inTransaction(opened.db, background, async (tx) => {
      attempts++
      await sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`).execute(tx)
    })
    await expect(failing).rejects.toMatchObject({ status: 503 })
    expect(attempts).toBe(CONFLICT_RETRY_ATTEMPTS)
  },
)

test('a transaction that throws a refusal is not retried', async () => {
  await using opened = await openPostgres()
  let attempts = 0
  const failing = inTransaction(opened.db, background, async () => {
    attempts++
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(attempts).toBe(1)
})

test('reads go on after a table that prepared statements read was altered', async () => {
  await using opened = await openPostgres()
  const read = () => opened.db.selectFrom('user').selectAll().execute()
  for (let turn = 0; turn < 3; turn++) expect(await read()).toEqual([])
  await sql`alter table "user" add column "newer" text`.execute(opened.db)
  expect(await read()).toEqual([])
  await inTransaction(opened.db, background, (tx) => tx.selectFrom('user').selectAll().execute())
})
