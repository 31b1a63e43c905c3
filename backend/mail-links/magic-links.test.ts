// What a sign-in link may not do, on both databases, where no call of the API can bring it about.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { makeKnownBrowsers } from '../accounts/known-browsers.ts'
import { insertUserRow, makeUserRow } from '../accounts/users.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { finishMagicUrl } from './magic-links.ts'
import { issueToken } from './mailed-tokens.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

describe.each(DATABASES)('a sign-in link on %s', (_name, open) => {
  test('starts no session for a user who was blocked by SQL, and is not used up', async () => {
    await using opened = await open()
    const { db } = opened
    const log = makeLog('silent')
    const needs = {
      db,
      background: makeBackground(log),
      log,
      browsers: makeKnownBrowsers('key'),
      now: () => NOW,
    }
    const alice = { id: 'alice', email: 'alice@example.test', name: '', passwordHash: null }
    await insertUserRow(db, { ...makeUserRow(alice, NOW), isBlocked: 1 })
    const { secret } = await issueToken(db, { userId: 'alice', kind: 'magic-url' }, { now: NOW })

    const proof = { userId: 'alice', secret }
    await expect(finishMagicUrl(needs, proof, CALLER)).rejects.toMatchObject({
      type: 'user_invalid_token',
    })
    expect(await db.selectFrom('session').select('id').execute()).toEqual([])

    await db.updateTable('user').set({ isBlocked: 0 }).where('id', '=', 'alice').execute()
    const { session } = await finishMagicUrl(needs, proof, CALLER)
    expect(session.userId).toBe('alice')
  })
})
