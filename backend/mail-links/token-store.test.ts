// Mailed secrets and held rows on both databases: newest only, used once, gone with their person;
// races of changes.

import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { makeUserRow } from '../accounts/new-user.ts'
import * as store from '../accounts/user-store.ts'
import { lockUser } from '../database/lock-user.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { findToken, issueToken, takeToken } from './mailed-tokens.ts'

const background = makeBackground(makeLog('silent'))
const NOW = new Date('2026-03-01T12:00:00.000Z')
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const makeUser = (id: string) =>
  makeUserRow({ id, email: `${id}@example.test`, name: id, passwordHash: null }, NOW)
const REFUSED = expect.objectContaining({ type: 'user_invalid_token' })

describe.each(DATABASES)('mailed secrets on %s', (_name, open) => {
  test('only a hash is stored, for as long as its kind lives', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertUser(db, makeUser('alice'))
    const { token, secret } = await issueToken(
      db,
      { userId: 'alice', kind: 'recovery' },
      { now: NOW },
    )
    expect(secret).toMatch(/^[0-9a-f]{256}$/)
    expect([token.createdAt, token.expiresAt]).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T13:00:00.000Z',
    ])
    const rows = await db.selectFrom('token').selectAll().execute()
    expect(rows).toEqual([token])
    expect(JSON.stringify(rows)).not.toContain(secret)
    const proof = { userId: 'alice', secret, kinds: ['recovery'] } as const
    expect(await findToken(db, proof, minutesLater(59))).toEqual(token)
    await expect(findToken(db, proof, minutesLater(60))).rejects.toEqual(REFUSED)
  })

  test('a newer one takes the place of the older one of its kind and person, and of no other', async () => {
    await using opened = await open()
    const { db } = opened
    for (const id of ['alice', 'bob']) await store.insertUser(db, makeUser(id))
    const old = await issueToken(db, { userId: 'alice', kind: 'recovery' }, { now: NOW })
    const others = [
      await issueToken(db, { userId: 'alice', kind: 'verification' }, { now: NOW }),
      await issueToken(db, { userId: 'bob', kind: 'recovery' }, { now: NOW }),
    ]
    const newer = await issueToken(
      db,
      { userId: 'alice', kind: 'recovery' },
      { now: minutesLater(1) },
    )
    await expect(
      findToken(db, { userId: 'alice', secret: old.secret, kinds: ['recovery'] }, NOW),
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

  test('of many who take one at once, one gets it', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertUser(db, makeUser('alice'))
    const { secret } = await issueToken(db, { userId: 'alice', kind: 'magic-url' }, { now: NOW })
    const take = () =>
      inTransaction(db, background, async (tx) => {
        await lockUser(tx, 'alice')
        return takeToken(tx, { userId: 'alice', secret, kinds: ['magic-url', 'sign-in'] }, NOW)
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, take))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.type] : []))).toEqual(
      Array(7).fill('user_invalid_token'),
    )
  })

  test('they go with their person, or all at once', async () => {
    await using opened = await open()
    const { db } = opened
    for (const id of ['alice', 'bob', 'carla']) {
      await store.insertUser(db, makeUser(id))
      for (const kind of ['recovery', 'sign-in'] as const)
        await issueToken(db, { userId: id, kind }, { now: NOW })
    }
    await store.deleteTokens(db, 'alice')
    await db.deleteFrom('user').where('id', '=', 'bob').execute()
    const left = await db.selectFrom('token').select('userId').execute()
    expect(left.map(({ userId }) => userId)).toEqual(['carla', 'carla'])
  })

  test('changes of one person made at once come one after the other, none is lost', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertUser(db, makeUser('alice'))
    const add = (letter: string) =>
      inTransaction(db, background, async (tx) => {
        const user = await lockUser(tx, 'alice')
        return store.changeUser(tx, 'alice', {
          name: `${user?.name}${letter}`,
          updatedAt: NOW.toISOString(),
        })
      })
    await Promise.all([...'bcdefgh'].map(add))
    const { name = '' } = (await store.findUser(db, 'alice')) ?? {}
    expect([name.length, [...name.slice(5)].sort().join('')]).toEqual([12, 'bcdefgh'])
    expect(await inTransaction(db, background, (tx) => lockUser(tx, 'nobody'))).toBe(undefined)
    expect(await store.changeUser(db, 'nobody', { name: 'x', updatedAt: NOW.toISOString() })).toBe(
      undefined,
    )
  })

  test('a session with a new secret is found by it alone; the other sessions end', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertUser(db, makeUser('alice'))
    const time = NOW.toISOString()
    const tokens = {
      providerAccessToken: '',
      providerAccessTokenExpiresAt: '',
      providerRefreshToken: '',
    }
    const session = { userId: 'alice', provider: 'email', providerUid: '', ...tokens }
    for (const id of ['s1', 's2', 's3']) {
      const dates = { createdAt: time, lastUsedAt: time, expiresAt: minutesLater(60).toISOString() }
      await store.insertSession(db, {
        ...session,
        ...dates,
        id,
        secretHash: `hash of ${id}`,
        ip: '',
        userAgent: '',
      })
    }
    expect(await store.setSessionSecret(db, 's2', 'new hash')).toMatchObject({
      id: 's2',
      secretHash: 'new hash',
    })
    expect(await store.setSessionSecret(db, 's9', 'another')).toBe(undefined)
    await store.deleteOtherSessions(db, 'alice', 's2')
    const found = await Promise.all(
      ['hash of s1', 'hash of s2', 'new hash', 'hash of s3'].map((hash) =>
        store.findSessionOwner(db, hash),
      ),
    )
    expect(found.map((owner) => owner?.id)).toEqual([undefined, undefined, 's2', undefined])
  })
})
