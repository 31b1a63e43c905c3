// Mailed tokens on both databases: newest only, used once, deleted with their user.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { revokeSessionsAndTokens } from '../accounts/sessions.ts'
import { insertUser, makeUserRow } from '../accounts/users.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { issueToken, readToken, redeemToken } from './one-time-tokens.ts'

const background = makeBackground(makeLog('silent'))
const NOW = new Date('2026-03-01T12:00:00.000Z')
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const makeUser = (id: string) =>
  makeUserRow({ id, email: `${id}@example.test`, name: id, passwordHash: null }, NOW)
const REFUSED = expect.objectContaining({ type: 'user_invalid_token' })

describeEachDatabase('mailed tokens', (open) => {
  test('only the hash of a token is stored, and the token is valid for the lifetime of its kind', async () => {
    await using opened = await open()
    const { db } = opened
    await insertUser(db, makeUser('alice'))
    const { token, secret } = await issueToken(db, { userId: 'alice', kind: 'recovery', now: NOW })
    expect(secret).toMatch(/^[0-9a-f]{256}$/)
    expect([token.createdAt, token.expiresAt]).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T13:00:00.000Z',
    ])
    const rows = await db.selectFrom('token').selectAll().execute()
    expect(rows).toEqual([token])
    expect(JSON.stringify(rows)).not.toContain(secret)
    const proof = { userId: 'alice', secret, kind: 'recovery' } as const
    expect(await readToken(db, proof, minutesLater(59))).toEqual(token)
    await expect(readToken(db, proof, minutesLater(60))).rejects.toEqual(REFUSED)
  })

  test('a newer token replaces the older one of its kind and user, and no other', async () => {
    await using opened = await open()
    const { db } = opened
    for (const id of ['alice', 'bob']) await insertUser(db, makeUser(id))
    const old = await issueToken(db, { userId: 'alice', kind: 'recovery', now: NOW })
    const others = [
      await issueToken(db, { userId: 'alice', kind: 'verification', now: NOW }),
      await issueToken(db, { userId: 'bob', kind: 'recovery', now: NOW }),
    ]
    const newer = await issueToken(db, { userId: 'alice', kind: 'recovery', now: minutesLater(1) })
    await expect(
      readToken(db, { userId: 'alice', secret: old.secret, kind: 'recovery' }, NOW),
    ).rejects.toEqual(REFUSED)
    const rows = await db
      .selectFrom('token')
      .selectAll()
      .orderBy('createdAt')
      .orderBy('kind')
      .execute()
    expect(rows.map(({ id }) => id).sort()).toEqual(
      [...others, newer].map(({ token }) => token.id).sort(),
    )
  })

  test('one of many concurrent calls redeems a token', async () => {
    await using opened = await open()
    const { db } = opened
    await insertUser(db, makeUser('alice'))
    const { token } = await issueToken(db, { userId: 'alice', kind: 'magic-url', now: NOW })
    const redeem = () => inTransaction(db, background, (tx) => redeemToken(tx, token, new Date()))
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, redeem))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.type] : [])),
    ).toEqual(Array(7).fill('user_invalid_token'))
  })

  test.each([{ isBlocked: 1 }, { isBlocked: 0 }])(
    'a blocked user cannot redeem a token, which stays; another user can: %j',
    async ({ isBlocked }) => {
      await using opened = await open()
      const { db } = opened
      await insertUser(db, { ...makeUser('alice'), isBlocked })
      const { token } = await issueToken(db, { userId: 'alice', kind: 'recovery', now: NOW })
      const redeemed = inTransaction(db, background, (tx) => redeemToken(tx, token, new Date()))
      if (isBlocked) await expect(redeemed).rejects.toEqual(REFUSED)
      else expect((await redeemed).id).toBe('alice')
      const remaining = await db.selectFrom('token').select('id').execute()
      expect(remaining).toHaveLength(isBlocked)
    },
  )

  test('are deleted with their user, or all at once', async () => {
    await using opened = await open()
    const { db } = opened
    for (const id of ['alice', 'bob', 'carla']) {
      await insertUser(db, makeUser(id))
      for (const kind of ['recovery', 'sign-in'] as const)
        await issueToken(db, { userId: id, kind, now: NOW })
    }
    await revokeSessionsAndTokens(db, 'alice')
    await db.deleteFrom('user').where('id', '=', 'bob').execute()
    const remaining = await db.selectFrom('token').select('userId').execute()
    expect(remaining.map(({ userId }) => userId)).toEqual(['carla', 'carla'])
  })
})
