// Cases of sign-in links, on both databases, that tests of the API cannot produce.

import { expect, test } from 'vitest'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { makeKnownBrowsers } from '../accounts/session-cookies.ts'
import { insertUser, makeUserRow } from '../accounts/users.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { signInWithToken } from './mail-links.ts'
import { issueToken } from './one-time-tokens.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const ALICE = { id: 'alice', email: 'alice@example.test', name: '', passwordHash: null }
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

async function makeSite(open: () => Promise<TestDatabase>) {
  const { db, ...rest } = await open()
  const log = makeLog('silent')
  const background = makeBackground(log)
  const browsers = makeKnownBrowsers('key')
  const context = { ...rest, db, background, log, browsers, now: () => NOW }
  return context as unknown as AccountsContext & AsyncDisposable
}

describeEachDatabase('a sign-in link', (open) => {
  test('starts no session for a user who was blocked by SQL, and is not used up', async () => {
    await using context = await makeSite(open)
    const { db } = context
    await insertUser(db, { ...makeUserRow(ALICE, NOW), isBlocked: 1 })
    const { secret } = await issueToken(db, { userId: 'alice', kind: 'magic-url', now: NOW })

    const proof = { userId: 'alice', secret }
    await expect(signInWithToken(context, proof, CALLER)).rejects.toMatchObject({
      type: 'user_invalid_token',
    })
    expect(await db.selectFrom('session').select('id').execute()).toEqual([])

    await db.updateTable('user').set({ isBlocked: 0 }).where('id', '=', 'alice').execute()
    const { session } = await signInWithToken(context, proof, CALLER)
    expect(session.userId).toBe('alice')
  })

  test.each(['magic-url', 'email-code', 'sign-in'] as const)(
    'signs in only once, even for a verified address, and in one of many concurrent calls: %s',
    async (kind) => {
      await using context = await makeSite(open)
      const { db } = context
      await insertUser(db, { ...makeUserRow(ALICE, NOW), isVerified: 1 })
      const newToken = { userId: 'alice', kind, alias: kind === 'email-code' ? 'alice' : '' }
      const { secret } = await issueToken(db, { ...newToken, now: NOW })
      const use = () => signInWithToken(context, { userId: 'alice', secret }, CALLER)
      const uses = await Promise.allSettled(Array.from({ length: 8 }, use))
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await expect(use()).rejects.toMatchObject({ type: 'user_invalid_token' })
      expect(await db.selectFrom('session').select('userId').execute()).toEqual([
        { userId: 'alice' },
      ])
    },
  )
})
