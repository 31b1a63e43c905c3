// SQL of sign-in with Google, on both databases.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { revokeAllCredentials } from '../accounts/credentials.ts'
import * as googleStore from './google-store.ts'

const STATE = {
  stateHash: 'state',
  browserHash: 'browser',
  nonce: 'nonce',
  codeVerifier: 'verifier',
  successUrl: 'https://blog.example/in',
  failureUrl: '',
  expiresAt: '2023-11-20T13:47:00.000Z',
}
const TIME = '2023-11-20T13:37:00.000Z'

describe.each(DATABASES)('sign-in with Google on %s', (_name, open) => {
  test('a departure is found once, by its own browser only', async () => {
    await using opened = await open()
    const { db } = opened
    await googleStore.insertState(db, STATE)
    expect(await googleStore.takeState(db, { stateHash: 'state', browserHash: 'other' })).toBe(
      undefined,
    )
    expect(await googleStore.takeState(db, { stateHash: 'other', browserHash: 'browser' })).toBe(
      undefined,
    )
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => googleStore.takeState(db, STATE)),
    )
    expect(taken.filter((row) => row !== undefined)).toEqual([STATE])
  })

  test('only departures whose time is over are cleared away', async () => {
    await using opened = await open()
    const { db } = opened
    await googleStore.insertState(db, STATE)
    await googleStore.deleteStatesBefore(db, '2023-11-20T13:46:59.999Z')
    expect(await db.selectFrom('oauthState').selectAll().execute()).toEqual([STATE])
    await googleStore.deleteStatesBefore(db, STATE.expiresAt)
    expect(await db.selectFrom('oauthState').selectAll().execute()).toEqual([])
  })

  test('an identity belongs to one person and goes with them', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    const identity = { provider: 'google', sub: 'g-1', userId: 'alice', createdAt: TIME }
    await googleStore.insertIdentity(db, identity)
    await expect(googleStore.insertIdentity(db, { ...identity, userId: 'bob' })).rejects.toThrow(
      /unique/i,
    )
    expect(await googleStore.findIdentityOwner(db, { provider: 'google', sub: 'g-1' })).toBe(
      'alice',
    )
    expect(await googleStore.findIdentityOwner(db, { provider: 'other', sub: 'g-1' })).toBe(
      undefined,
    )
    await db.deleteFrom('user').where('id', '=', 'alice').execute()
    expect(await googleStore.findIdentityOwner(db, { provider: 'google', sub: 'g-1' })).toBe(
      undefined,
    )
  })

  test('handing an account over ends every other way into it, and nobody else notices', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    await db.updateTable('user').set({ passwordHash: 'hash', passwordUpdatedAt: TIME }).execute()
    for (const userId of ['alice', 'bob']) {
      await googleStore.insertIdentity(db, {
        provider: 'google',
        sub: `g-${userId}`,
        userId,
        createdAt: TIME,
      })
      const token = {
        id: userId,
        userId,
        kind: 'recovery',
        secretHash: userId,
        createdAt: TIME,
        expiresAt: TIME,
      }
      await db.insertInto('token').values(token).execute()
      const session = {
        id: userId,
        userId,
        secretHash: userId,
        provider: 'email',
        providerUid: '',
        ip: '',
        userAgent: '',
        createdAt: TIME,
      }
      const rest = {
        providerAccessToken: '',
        providerAccessTokenExpiresAt: '',
        providerRefreshToken: '',
        lastUsedAt: TIME,
        expiresAt: TIME,
      }
      await db
        .insertInto('session')
        .values({ ...session, ...rest })
        .execute()
    }
    const later = '2023-11-20T14:00:00.000Z'
    await revokeAllCredentials(db, 'alice', later)
    const people = await db
      .selectFrom('user')
      .select(['id', 'passwordHash', 'passwordUpdatedAt', 'isVerified', 'updatedAt'])
      .orderBy('id')
      .execute()
    expect(people).toEqual([
      { id: 'alice', passwordHash: null, passwordUpdatedAt: null, isVerified: 1, updatedAt: later },
      {
        id: 'bob',
        passwordHash: 'hash',
        passwordUpdatedAt: TIME,
        isVerified: 0,
        updatedAt: '2023-01-01T00:00:00.000Z',
      },
    ])
    for (const table of ['session', 'identity', 'token'] as const) {
      expect(await db.selectFrom(table).select('userId').execute()).toEqual([{ userId: 'bob' }])
    }
  })
})
