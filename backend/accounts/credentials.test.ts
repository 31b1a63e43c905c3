// What gives access to an account, on both databases: what revoking it ends.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { revokeAllCredentials } from './credentials.ts'

const TIME = '2023-11-20T13:37:00.000Z'

describe.each(DATABASES)('credentials on %s', (_name, open) => {
  test('revoking all credentials ends every way into this account and into no other', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    await db.updateTable('user').set({ passwordHash: 'hash', passwordUpdatedAt: TIME }).execute()
    for (const userId of ['alice', 'bob']) {
      await db
        .insertInto('identity')
        .values({
          provider: 'google',
          sub: `g-${userId}`,
          userId,
          createdAt: TIME,
        })
        .execute()
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
    await revokeAllCredentials(db, 'alice', new Date(later))
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
