// Credentials of an account on both databases: what revoking them ends, and fresh sessions.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { addSession, requireFreshSession, revokeAllCredentials } from './sessions.ts'
import { insertUser, makeUserRow } from './users.ts'

const TIME = '2023-11-20T13:37:00.000Z'
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }

const background = makeBackground(makeLog('silent'))

describeEachDatabase('credentials', (open) => {
  test('revoking all credentials ends every way into this account and into no other', async () => {
    await using opened = await open()
    const { db } = opened
    await addPeople(db, ['alice', 'bob'])
    await db.updateTable('user').set({ passwordHash: 'hash', passwordUpdatedAt: TIME }).execute()
    for (const userId of ['alice', 'bob']) {
      await db
        .insertInto('identity')
        .values({
          id: `i-${userId}`,
          provider: 'google',
          sub: `g-${userId}`,
          userId,
          email: '',
          createdAt: TIME,
          lastUsedAt: TIME,
        })
        .execute()
      const token = {
        id: userId,
        userId,
        kind: 'recovery',
        secretHash: userId,
        createdAt: TIME,
        expiresAt: TIME,
        alias: '',
        providerUid: '',
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
    await inTransaction(db, background, (tx) =>
      revokeAllCredentials(tx, 'alice', {
        passwordHash: null,
        isAddressProven: true,
        now: new Date(later),
      }),
    )
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

  test('a new password is the only credential left, and verifies the address only if it is proven', async () => {
    await using opened = await open()
    const { db } = opened
    await insertUser(db, { ...makeUserRow(person('alice'), new Date(TIME)), isVerified: 0 })
    const now = new Date('2023-11-20T14:00:00.000Z')
    const remaining = { passwordHash: 'new', now }
    const read = () =>
      db
        .selectFrom('user')
        .select(['passwordHash', 'passwordUpdatedAt', 'isVerified'])
        .executeTakeFirst()
    const time = now.toISOString()
    await revokeAllCredentials(db, 'alice', { ...remaining, isAddressProven: false })
    expect(await read()).toEqual({ passwordHash: 'new', passwordUpdatedAt: time, isVerified: 0 })
    await revokeAllCredentials(db, 'alice', { ...remaining, isAddressProven: true })
    expect(await read()).toEqual({ passwordHash: 'new', passwordUpdatedAt: time, isVerified: 1 })
  })

  test('a session is fresh for its own user only, and only for ten minutes', async () => {
    await using opened = await open()
    const { db } = opened
    const began = new Date(TIME)
    for (const id of ['alice', 'bob']) await insertUser(db, makeUserRow(person(id), began))
    const origin = { userId: 'alice', provider: 'google', providerUid: '' }
    const { session } = await inTransaction(db, background, (tx) =>
      addSession(tx, origin, { caller: CALLER, now: began }),
    )
    const check = (change: object, now = '2023-11-20T13:46:59.999Z') =>
      requireFreshSession(
        db,
        { sessionId: session.id, userId: 'alice', ...change },
        { now: new Date(now), refusal: 'Sign in.' },
      )
    const refused = { type: 'user_unauthorized', message: 'Sign in.' }
    await check({})
    await expect(check({}, '2023-11-20T13:47:00.000Z')).rejects.toMatchObject(refused)
    await expect(check({ userId: 'bob' })).rejects.toMatchObject(refused)
    await expect(check({ sessionId: 'gone' })).rejects.toMatchObject(refused)
  })
})

function person(id: string) {
  return { id, email: `${id}@example.test`, name: id, passwordHash: null }
}
