// Deleting users on both databases: only what was checked, and only the own.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { insertUserRow, makeUserRow } from '../accounts/users.ts'
import * as store from './store.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const makeUser = (id: string, passwordHash: string | null) =>
  makeUserRow({ id, email: `${id}@example.test`, name: id, passwordHash }, NOW)

describe.each(DATABASES)('own data on %s', (_name, open) => {
  test.each([
    { stored: 'a newer hash', checked: 'a hash' },
    { stored: 'a newer hash', checked: null },
    { stored: null, checked: 'a hash' },
  ])('a user whose password is no longer $checked is not deleted', async ({ stored, checked }) => {
    await using opened = await open()
    await insertUserRow(opened.db, makeUser('alice', stored))
    expect(await store.deleteUser(opened.db, { id: 'alice', passwordHash: checked })).toBe(false)
    expect(await store.deleteUser(opened.db, { id: 'alice', passwordHash: stored })).toBe(true)
  })
})
