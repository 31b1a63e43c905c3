// Rows of users on both databases: unique columns, and races.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { isUniqueViolation } from '../database/database-errors.ts'
import type { UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import * as store from './store.ts'
import { makeUserRow } from './users.ts'

const background = makeBackground(makeLog('silent'))
const NOW = new Date('2026-03-01T12:00:00.000Z')
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

function makeUser(id: string, changes: Partial<UserRow> = {}): UserRow {
  return {
    ...makeUserRow(
      { id, name: id, email: `${id}@example.test`, passwordHash: `hash of ${id}` },
      NOW,
    ),
    ...changes,
  }
}

describeEachDatabase('rows of users', (open) => {
  test('a user is found by id and by email, as stored', async () => {
    await using opened = await open()
    const alice = makeUser('alice', { name: '<b>Älice</b> 💡', prefs: '{"a":"\\u0000"}' })
    await store.insertUser(opened.db, alice)
    expect(await store.findUser(opened.db, 'alice')).toEqual(alice)
    expect(await store.findUsersByEmail(opened.db, ['alice@example.test'])).toEqual([alice])
    expect(await store.findUser(opened.db, 'Alice')).toBe(undefined)
    expect(await store.findUsersByEmail(opened.db, ['%'])).toEqual([])
  })

  test.each([
    { clash: 'id', user: makeUser('alice', { email: 'other@example.test' }) },
    { clash: 'email', user: makeUser('other', { email: 'alice@example.test' }) },
  ])('two users never share an $clash', async ({ user }) => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    const fault = await store.insertUser(opened.db, user).catch((error: unknown) => error)
    expect(isUniqueViolation(fault)).toBe(true)
    expect(await opened.db.selectFrom('user').select('id').execute()).toEqual([{ id: 'alice' }])
  })

  test('prefs are replaced and the row is returned, unless there is no such user', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    const change = { prefs: '{"theme":"dark"}', updatedAt: minutesLater(1).toISOString() }
    expect(await store.updateUser(opened.db, 'alice', change)).toEqual(makeUser('alice', change))
    expect(await store.updateUser(opened.db, 'nobody', change)).toBe(undefined)
  })

  test('a hash is upgraded only while it is still the one that was checked', async () => {
    await using opened = await open()
    await store.insertUser(opened.db, makeUser('alice'))
    await store.upgradeHash(opened.db, 'alice', { from: 'an older one', to: 'lost' })
    expect((await store.findUser(opened.db, 'alice'))?.passwordHash).toBe('hash of alice')
    await store.upgradeHash(opened.db, 'alice', { from: 'hash of alice', to: 'stronger' })
    expect((await store.findUser(opened.db, 'alice'))?.passwordHash).toBe('stronger')
  })

  test('concurrent changes of one user are applied one after another, and none is lost', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertUser(db, makeUser('alice'))
    const add = (letter: string) =>
      inTransaction(db, background, async (tx) => {
        const user = await lockUser(tx, 'alice')
        return store.updateUser(tx, 'alice', {
          name: `${user?.name}${letter}`,
          updatedAt: NOW.toISOString(),
        })
      })
    await Promise.all([...'bcdefgh'].map(add))
    const { name = '' } = (await store.findUser(db, 'alice')) ?? {}
    expect([name.length, [...name.slice(5)].sort().join('')]).toEqual([12, 'bcdefgh'])
    expect(await inTransaction(db, background, (tx) => lockUser(tx, 'nobody'))).toBe(undefined)
    expect(await store.updateUser(db, 'nobody', { name: 'x', updatedAt: NOW.toISOString() })).toBe(
      undefined,
    )
  })
})
