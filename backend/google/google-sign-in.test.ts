// A Google sign-in while the identity is being revoked (only PostgreSQL runs two transactions
// concurrently), and the encryption of provider tokens.

import { expect, test } from 'vitest'
import { makePostgresDatabase, untilLockWaits } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { SITE_NOW } from '#test/support/site.ts'
import { addIdentity } from '../accounts/identities.ts'
import { revokeAllCredentials } from '../accounts/sessions.ts'
import { openDatabase } from '../database/database.ts'
import { lockUser } from '../database/transaction.ts'
import { findOrAddAccount } from './google-sign-in.ts'
import { makeProviderTokens } from './provider-tokens.ts'

const NOW = new Date('2023-11-20T13:37:00.000Z')
const PROFILE = { sub: 'g-1', email: 'm@example.test', isEmailVerified: true, name: 'Mallory' }

test('an identity that is revoked while its sign-in waits does not sign in', {
  tags: ['more'],
}, async () => {
  const postgres = await makePostgresDatabase()
  await using _dropping = { [Symbol.asyncDispose]: () => postgres.drop() }
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await using _closing = { [Symbol.asyncDispose]: () => db.destroy() }
  await addPeople(db, ['alice'])
  await addIdentity(db, { provider: 'google', sub: 'g-1', userId: 'alice', email: '' }, NOW)
  const remaining = { passwordHash: 'new', isAddressProven: true, now: NOW }
  let signIn: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, 'alice')
    await revokeAllCredentials(tx, 'alice', remaining)
    signIn = db
      .transaction()
      .execute((tx) => findOrAddAccount(tx, PROFILE, { ...SITE_NOW, now: NOW }))
    signIn.catch(() => {})
    await untilLockWaits(db)
  })
  await expect(signIn).rejects.toMatchObject({ type: 'user_oauth2_bad_request' })
  expect(await db.selectFrom('session').select('id').execute()).toEqual([])
})

const KEY = 'ab'.repeat(32)

test('a decrypted token is unchanged, and each encryption of it differs', () => {
  const tokens = makeProviderTokens(KEY)
  const token = 'ya29.a0Ab-token ✓'
  const first = tokens.encrypt(token, 'alice')
  const second = tokens.encrypt(token, 'alice')
  expect(tokens.decrypt(first, 'alice')).toBe(token)
  expect(tokens.decrypt(second, 'alice')).toBe(token)
  expect(first).not.toBe(second)
  expect(Buffer.from(first, 'base64').toString('latin1')).not.toContain('ya29')
})

test('a token is not decrypted for another user, with another key, or after a changed byte', () => {
  const tokens = makeProviderTokens(KEY)
  const sealed = tokens.encrypt('a token', 'alice')
  expect(tokens.decrypt(sealed, 'bob')).toBe(undefined)
  expect(makeProviderTokens('cd'.repeat(32)).decrypt(sealed, 'alice')).toBe(undefined)
  for (const offset of [0, 12, Buffer.from(sealed, 'base64').length - 1]) {
    const bytes = Buffer.from(sealed, 'base64')
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset)
    expect(tokens.decrypt(bytes.toString('base64'), 'alice')).toBe(undefined)
  }
  for (const broken of ['', 'AAAA', 'not base64 at all'])
    expect(tokens.decrypt(broken, 'alice')).toBe(undefined)
})
