// Which failed sign-ins count, and changes to a user while the password is verified.

import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { RATE } from '#contract/limits.ts'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import type { Database } from '../database/schema.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import type { AccountsContext } from './context.ts'
import { makePasswords } from './passwords.ts'
import { makeKnownBrowsers } from './session-cookies.ts'
import { makeSignIn } from './sign-in.ts'
import { insertUser, makeUserRow } from './users.ts'

const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

test('an attempt whose password was not verified does not count as a failure', async () => {
  await using opened = await openSqlite()
  const signIn = makeSignInWith(opened.db, () =>
    Promise.reject(new Refusal('general_service_disabled')),
  )
  const sent = { email: 'alice@example.test', password: 'correct horse' }
  const [max] = RATE.signInFailuresPerEmailAndAddress
  for (let attempt = 0; attempt <= max; attempt++)
    await expect(signIn(sent, CALLER)).rejects.toMatchObject({ type: 'general_service_disabled' })
})

test('sign-ins by a server with the API key are limited by email, not by address', async () => {
  await using opened = await openSqlite()
  const signIn = makeSignInWith(opened.db, async () => false)
  const attempt = (email: string, caller = { ...CALLER, isKey: true }) =>
    signIn({ email, password: 'correct horse' }, caller)
  const wrong = { type: 'user_invalid_credentials' }
  const limited = { type: 'general_rate_limit_exceeded' }
  const [perEmail] = RATE.signInFailuresPerEmail
  for (let at = 0; at < perEmail; at++)
    await expect(attempt('alice@example.test')).rejects.toMatchObject(wrong)
  await expect(attempt(' Alice@example.test')).rejects.toMatchObject(limited)
  const [perAddress] = RATE.signInFailuresPerAddress
  for (let at = 0; at <= perAddress; at++)
    await expect(attempt(`p${at}@example.test`)).rejects.toMatchObject(wrong)
  const elsewhere = { ...CALLER, isKey: false, address: '192.0.2.7' }
  await expect(attempt('alice@example.test', elsewhere)).rejects.toMatchObject(limited)
  await expect(attempt('bob@example.test', { ...CALLER, isKey: false })).rejects.toMatchObject(
    wrong,
  )
})

describeEachDatabase('a correct password', (open) => {
  test.each([
    { why: 'has another password', change: { passwordHash: 'another' } },
    { why: 'no longer has a password', change: { passwordHash: null } },
    { why: 'is blocked', change: { isBlocked: 1 } },
  ])('starts no session for a user who $why by the time it is verified', async ({ change }) => {
    await using opened = await open()
    const { db } = opened
    const alice = { id: 'alice', email: 'alice@example.test', name: 'Alice', passwordHash: 'hash' }
    await insertUser(db, makeUserRow(alice, new Date()))
    const signIn = makeSignInWith(db, async () => {
      await db.updateTable('user').set(change).where('id', '=', 'alice').execute()
      return true
    })
    const sent = { email: alice.email, password: 'correct horse' }
    await expect(signIn(sent, CALLER)).rejects.toMatchObject({ type: 'user_invalid_credentials' })
    expect(await db.selectFrom('session').select('id').execute()).toEqual([])
  })
})

function makeSignInWith(db: Database, verify: () => Promise<boolean>) {
  const log = makeLog('silent')
  return makeSignIn({
    db,
    log,
    background: makeBackground(log),
    browsers: makeKnownBrowsers('key'),
    rateLimits: makeRateLimits({ isOn: true, db }),
    passwords: { ...makePasswords(), verify },
    now: () => new Date(),
  } as unknown as AccountsContext)
}
